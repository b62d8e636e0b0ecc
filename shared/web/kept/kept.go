// Package kept holds the answer of an http.Handler in memory, for one service that asks another in its own process. It has no bound of
// its own: who asks knows that the answer is one page, a task or a refusal.
package kept

import (
	"bytes"
	"net/http"
)

// Answer is a http.ResponseWriter that keeps what it is given.
type Answer struct {
	Status int
	Body   bytes.Buffer
	header http.Header
}

// New is an empty answer with these headers; its status is 200 until another is written.
func New(header http.Header) *Answer { return &Answer{Status: http.StatusOK, header: header} }

// Header are the headers of the answer.
func (a *Answer) Header() http.Header { return a.header }

// WriteHeader keeps the status.
func (a *Answer) WriteHeader(status int) { a.Status = status }

// Write adds to the body.
func (a *Answer) Write(b []byte) (int, error) { return a.Body.Write(b) }
