package endpoint

import (
	"net/http"
	"time"
)

// exchange is one request being answered: the ResponseWriter that knows its request id, its start,
// whether the answer has begun, and whether an error may be a page: where no endpoint has the path, and
// where the endpoint's own answer is a page.
type exchange struct {
	http.ResponseWriter
	id    string
	start time.Time
	begun bool
	page  bool
}

func (x *exchange) WriteHeader(status int) {
	x.begun = true
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	x.begun = true
	return x.ResponseWriter.Write(p)
}

// accessLog is what the ResponseWriter of a server that keeps an access log has beside: it is told the
// pattern of the operation that answers, and the generation of the data once that is known.
type accessLog interface {
	Served(route, generation string)
}

func (x *exchange) served(route, generation string) {
	if log, ok := x.ResponseWriter.(accessLog); ok {
		log.Served(route, generation)
	}
}

// elapsed is asked for the time since the request began.
func (x *exchange) elapsed(now func() time.Time) func() time.Duration {
	return func() time.Duration { return now().Sub(x.start) }
}

// Unwrap lets http.ResponseController reach the server's writer.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// requestID takes a client's id when it is harmless.
func requestID(s string) string {
	if len(s) > 64 {
		return ""
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return ""
		}
	}
	return s
}
