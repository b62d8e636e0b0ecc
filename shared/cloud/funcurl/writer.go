package funcurl

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"time"
)

// bufferBytes is held back before the first bytes go out: a handler that fails within them is still
// answered 500, and the stream is not cut into the handler's small writes.
const bufferBytes = 16 << 10

// writer is the ResponseWriter of one invocation. Status and headers go out with the first bytes that
// leave the buffer.
type writer struct {
	header http.Header
	head   chan head // receives once
	out    *bufio.Writer
	reader reader
	method string
	status int  // 0 until the handler has chosen
	begun  bool // the head has gone out
	sent   int64
	served
}

// served is what a handler tells the access log of itself.
type served struct{ route, generation string }

// Served takes the pattern of the operation that answers and the generation of the data it answers from.
func (s *served) Served(route, generation string) { s.route, s.generation = route, generation }

type head struct {
	status  int
	headers map[string]string
	cookies []string
}

func newWriter(pipe *io.PipeWriter, method string, grace time.Duration) *writer {
	w := &writer{header: http.Header{}, head: make(chan head, 1), reader: reader{pipe: pipe, grace: grace}, method: method}
	w.out = bufio.NewWriterSize(stage{w}, bufferBytes)
	return w
}

// Header implements http.ResponseWriter.
func (w *writer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter. Later calls and informational answers are ignored.
func (w *writer) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	if w.method == http.MethodHead {
		return len(p), nil
	}
	return w.out.Write(p)
}

// FlushError sends what is buffered; http.ResponseController calls it.
func (w *writer) FlushError() error {
	w.WriteHeader(http.StatusOK)
	err := w.out.Flush()
	w.begin(nil)
	return err
}

// Flush implements http.Flusher.
func (w *writer) Flush() { _ = w.FlushError() }

// stage is where the buffer empties into: the head first, then the stream.
type stage struct{ w *writer }

func (s stage) Write(p []byte) (int, error) {
	s.w.begin(p)
	n, err := s.w.reader.Write(p)
	s.w.sent += int64(n)
	return n, err
}

// begin sends status and headers. first is the beginning of the body, by which a missing type is told.
func (w *writer) begin(first []byte) {
	if w.begun {
		return
	}
	w.begun = true
	if len(first) > 0 && w.header.Get("Content-Type") == "" && w.header.Get("Content-Encoding") == "" {
		w.header.Set("Content-Type", http.DetectContentType(first))
	}
	h := head{status: w.status, headers: make(map[string]string, len(w.header)), cookies: w.header["Set-Cookie"]}
	for name, values := range w.header {
		if name != "Set-Cookie" && len(values) > 0 {
			h.headers[name] = strings.Join(values, ", ")
		}
	}
	w.head <- h
}

// finish sends what is left; an answer without a body gets its head here.
func (w *writer) finish() error { return w.FlushError() }

// discard forgets the answer so far, if none of it has gone out.
func (w *writer) discard() bool {
	if w.begun {
		return false
	}
	w.out.Reset(stage{w})
	w.status = 0
	clear(w.header)
	return true
}

// fail is the answer in place of a discarded one.
func (w *writer) fail(id string) error {
	for name, value := range errorHeaders(id) {
		w.header.Set(name, value)
	}
	w.WriteHeader(http.StatusInternalServerError)
	const message = "the service failed to answer this request; the request_id helps to find out why"
	if _, err := w.Write(errorBody(http.StatusInternalServerError, message, id)); err != nil {
		return err
	}
	return w.finish()
}
