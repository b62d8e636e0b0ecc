package dynamo_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// fault is what happens to one request on its way.
type fault int

const (
	none       fault = iota
	lost             // it does not arrive, the connection breaks
	unanswered       // it is carried out, the connection breaks
	failed           // it is carried out, the server says 500
	throttled        // it is refused for want of capacity
)

// network is a server in front of another that does to writes what a network does.
type network struct {
	server string
	// next decides the fate of a write; nil: none. between runs after a write was carried out and before
	// anything is answered.
	next    func() fault
	between func()
	asAWS   bool // sends the item along with a failed condition, which dynalite does not

	mu     sync.Mutex
	counts map[string]int // requests by operation
}

// start gives the network's address.
func (n *network) start(t *testing.T) string {
	n.counts = map[string]int{}
	s := httptest.NewServer(n)
	t.Cleanup(s.Close)
	return s.URL
}

func (n *network) count(operation string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.counts[operation]
}

func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	n.mu.Lock()
	n.counts[operation]++
	f := none
	if operation == "UpdateItem" && n.next != nil {
		f = n.next()
	}
	between := n.between
	n.mu.Unlock()
	switch f {
	case lost:
		panic(http.ErrAbortHandler)
	case throttled:
		answer(w, http.StatusBadRequest,
			[]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}`))
		return
	}
	status, said := n.forward(r, operation, body)
	if f != none && between != nil {
		between()
	}
	switch f {
	case unanswered:
		panic(http.ErrAbortHandler)
	case failed:
		answer(w, http.StatusInternalServerError,
			[]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"sorry"}`))
		return
	}
	if n.asAWS && status == http.StatusBadRequest && bytes.Contains(said, []byte("ConditionalCheckFailed")) {
		said = n.withItem(r, body, said)
	}
	answer(w, status, said)
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	w.Write(body)
}

func (n *network) forward(r *http.Request, operation string, body []byte) (int, []byte) {
	out, err := http.NewRequestWithContext(r.Context(), http.MethodPost, n.server, bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	out.Header = r.Header.Clone()
	out.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	out.Header.Del("Accept-Encoding")
	answer, err := http.DefaultClient.Do(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return answer.StatusCode, said
}

// withItem adds the item that made the condition fail, when it was asked for.
func (n *network) withItem(r *http.Request, body, said []byte) []byte {
	var asked struct {
		TableName                           string
		Key                                 json.RawMessage
		ReturnValuesOnConditionCheckFailure string
	}
	if json.Unmarshal(body, &asked) != nil || asked.ReturnValuesOnConditionCheckFailure != "ALL_OLD" {
		return said
	}
	get, _ := json.Marshal(map[string]any{"TableName": asked.TableName, "Key": asked.Key, "ConsistentRead": true})
	_, item := n.forward(r, "GetItem", get)
	var found, full map[string]json.RawMessage
	if json.Unmarshal(item, &found) != nil || json.Unmarshal(said, &full) != nil || found["Item"] == nil {
		return said
	}
	full["Item"] = found["Item"]
	said, _ = json.Marshal(full)
	return said
}

// once gives the fault to the first write and none to the others.
func once(f fault) func() fault {
	first := true
	return func() fault {
		if first {
			first = false
			return f
		}
		return none
	}
}
