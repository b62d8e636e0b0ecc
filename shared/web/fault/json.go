package fault

import (
	"bytes"
	"encoding/json"
)

// body is the published form. error and status are as written in the specification; the other members
// are only ever added.
type body struct {
	Error     string   `json:"error"`
	Status    int      `json:"status"`
	Code      Code     `json:"code"`
	Errors    []Detail `json:"errors,omitempty"`
	Split     any      `json:"split,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

// JSON is the error as it is sent. Inner errors are not part of it.
func (f *Fault) JSON(requestID string) []byte {
	if len(f.Members) > 0 {
		return f.with(requestID)
	}
	if f.Errors != nil {
		return f.own(requestID)
	}
	b, err := encode(body{f.Message, f.Status(), f.Code, f.Details, f.Split, requestID})
	if err != nil { // only a Split that cannot be encoded gets here
		b, _ = encode(body{f.Message, f.Status(), f.Code, f.Details, nil, requestID})
	}
	return b
}

// encode writes <, > and & as they are: the body is never taken for HTML.
func encode(v body) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// with is the form without further members, and these before its end, in order of name.
func (f *Fault) with(requestID string) []byte {
	plain := *f
	plain.Members = nil
	form := bytes.TrimSpace(plain.JSON(requestID))
	more, err := json.Marshal(f.Members)
	if err != nil {
		return append(form, '\n')
	}
	form = append(form[:len(form)-1:len(form)-1], ',')
	return append(append(form, more[1:]...), '\n')
}

// own is the published form with a service's own form of its details.
func (f *Fault) own(requestID string) []byte {
	b, err := json.Marshal(struct {
		Error     string `json:"error"`
		Status    int    `json:"status"`
		Code      Code   `json:"code"`
		Errors    any    `json:"errors"`
		RequestID string `json:"request_id,omitempty"`
	}{f.Message, f.Status(), f.Code, f.Errors, requestID})
	if err != nil {
		return (&Fault{Code: f.Code, Message: f.Message}).JSON(requestID)
	}
	return append(b, '\n')
}

// Schema is a value of the published form, for the OpenAPI description.
func Schema() any { return body{} }
