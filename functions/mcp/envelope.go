package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/kept"
)

// Codes of JSON-RPC 2.0.
const (
	invalidRequest = -32600
	noMethod       = -32601
	invalidParams  = -32602
	parseError     = -32700
)

// envelope is a message of JSON-RPC without what it asks. The id is repeated as it was written: a number beyond what a
// program holds exactly, or one with a fraction, comes back as it came.
type envelope struct {
	members map[string]json.RawMessage
	id      json.RawMessage // nil: a notification
	method  string
}

// served are the methods that the endpoint answers, beside notifications.
var served = []string{"initialize", "ping", "server/discover", "tools/list", "tools/call"}

// refused is a message that is not taken, as JSON-RPC says it.
type refused struct {
	status, code int
	id           json.RawMessage // nil where it cannot be told
	message      string
}

// readEnvelope reads a message and refuses what JSON-RPC or this endpoint does not have.
func readEnvelope(body []byte) (e envelope, f *refused) {
	if b := bytes.TrimSpace(body); len(b) > 0 && b[0] == '[' {
		return e, &refused{http.StatusBadRequest, invalidRequest, nil, "several messages at once: expected one in a request"}
	}
	var twice string
	if e.members, twice = membersOnce(body); e.members == nil {
		return e, &refused{http.StatusBadRequest, parseError, nil, "the body is no JSON object: expected a message of JSON-RPC 2.0"}
	}
	if id, given := e.members["id"]; given {
		if c := id[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
			return e, &refused{http.StatusBadRequest, invalidRequest, nil,
				"member id has the value " + short(id) + ": expected a text or a number"}
		}
		if twice != "id" { // of two ids neither is the one to answer to
			e.id = id
		}
	}
	if twice != "" {
		return e, &refused{http.StatusBadRequest, invalidRequest, e.id,
			"member " + fault.Shorten(twice) + " stands twice: expected it once"}
	}
	if v := string(e.members["jsonrpc"]); v != `"2.0"` {
		return e, &refused{http.StatusBadRequest, invalidRequest, e.id, "member jsonrpc has the value " + short(e.members["jsonrpc"]) +
			`: expected "2.0"`}
	}
	if json.Unmarshal(e.members["method"], &e.method) != nil || e.method == "" {
		return e, &refused{http.StatusBadRequest, invalidRequest, e.id,
			"member method has the value " + short(e.members["method"]) + ": expected the name of a method"}
	}
	return e, e.check()
}

// membersOnce are the members of an object, with the name of one that stands twice; nil where the text is no object. Which
// of two members of one name counts is left open by the standard, so a message with two means nothing.
func membersOnce(text []byte) (members map[string]json.RawMessage, twice string) {
	if json.Unmarshal(text, &members) != nil || members == nil {
		return nil, ""
	}
	names, _, ok := membersOf(text)
	if !ok {
		return nil, ""
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return members, name
		}
		seen[name] = true
	}
	return members, ""
}

// check holds the method and its params to what is served.
func (e *envelope) check() *refused {
	params := e.members["params"]
	var object map[string]json.RawMessage
	var twice string
	if params != nil {
		object, twice = membersOnce(params)
	}
	switch {
	case e.id == nil: // a notification is not answered, whatever it says
		return nil
	case e.method == "subscriptions/listen":
		return &refused{http.StatusOK, noMethod, e.id, "there is nothing to listen to: tools do not change while the service runs"}
	case !slices.Contains(served, e.method):
		return &refused{http.StatusOK, noMethod, e.id, "method " + short(e.members["method"]) + " is not served: expected one of " +
			strings.Join(served, ", ")}
	case params != nil && object == nil:
		return &refused{http.StatusOK, invalidParams, e.id, "member params has the value " + short(params) + ": expected an object"}
	case twice != "":
		return &refused{http.StatusOK, invalidParams, e.id, "member params." + fault.Shorten(twice) + " stands twice: expected it once"}
	case e.method != "tools/call":
		return nil
	}
	var name string
	if json.Unmarshal(object["name"], &name) != nil || name == "" {
		return &refused{http.StatusOK, invalidParams, e.id,
			"member params.name has the value " + short(object["name"]) + ": expected the name of a tool; tools/list has them"}
	}
	if a := object["arguments"]; a != nil && a[0] != '{' && string(a) != "null" {
		return &refused{http.StatusOK, invalidParams, e.id, "member params.arguments has the value " + short(a) + ": expected an object"}
	}
	return nil
}

// short is a foreign value as a message repeats it.
func short(raw json.RawMessage) string {
	const most = 64
	switch {
	case raw == nil:
		return "nothing"
	case len(raw) > most:
		return strings.ToValidUTF8(string(raw[:most]), "\uFFFD") + "…"
	}
	return string(raw)
}

func refuse(w http.ResponseWriter, f *refused) {
	id := f.id
	if id == nil {
		id = json.RawMessage("null")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	// a client that has left
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": f.code, "message": f.message}})
}

// ownID stands for the id of every message where the library reads it: it holds ids as 64-bit numbers.
const ownID = `1`

// ask passes a message on with an id of its own, and answers with the id of the message.
func (e *envelope) ask(inner http.Handler, w http.ResponseWriter, r *http.Request) {
	if e.id != nil {
		e.members["id"] = json.RawMessage(ownID)
	}
	body, err := json.Marshal(e.members)
	if err != nil { // it was read from JSON
		refuse(w, &refused{http.StatusBadRequest, parseError, e.id, "the message cannot be read"})
		return
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	got := kept.New(w.Header())
	inner.ServeHTTP(got, r)
	e.answer(w, got)
}

// answer writes what the library answered. What it says in plain text is an error of JSON-RPC too.
func (e *envelope) answer(w http.ResponseWriter, got *kept.Answer) {
	var members map[string]json.RawMessage
	switch {
	case e.id == nil || got.Body.Len() == 0:
		w.WriteHeader(got.Status)
		_, _ = w.Write(got.Body.Bytes()) // a client that has left
		return
	case json.Unmarshal(got.Body.Bytes(), &members) != nil || members == nil:
		refuse(w, &refused{got.Status, invalidRequest, e.id, strings.TrimSpace(got.Body.String())})
		return
	}
	if unreadable(members["error"]) {
		refuse(w, &refused{got.Status, invalidParams, e.id, "the members of params are not of the types that " + e.method +
			" has in the protocol"})
		return
	}
	members["id"] = e.id
	body, err := json.Marshal(members)
	if err != nil { // it was read from JSON
		body = got.Body.Bytes()
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(got.Status)
	_, _ = w.Write(body)
}

// unreadable says whether an error is that the library could not read the params: it tells of types of its own, with the code 0 at
// times, which JSON-RPC does not have.
func unreadable(raw json.RawMessage) bool {
	var e struct{ Message string }
	return raw != nil && json.Unmarshal(raw, &e) == nil && strings.Contains(e.Message, "unmarshaling")
}
