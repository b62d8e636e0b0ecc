package endpoint

import (
	"context"
	"io"
	"net/http"
	"time"
)

// ParsedBodyIn is ParsedBody for a body that takes time or memory to read: parse is given the context of the request,
// which ends when the client leaves.
func ParsedBodyIn[T any](doc string, maxBytes int64, shape any, parse func(context.Context, []byte) (T, error)) *BodyOf[T] {
	p := ParsedBody(doc, maxBytes, shape, func(data []byte) (T, error) { return parse(context.Background(), data) })
	p.b.readIn = func(ctx context.Context, data []byte) (any, error) {
		return ParsedBody(doc, maxBytes, shape, func(data []byte) (T, error) { return parse(ctx, data) }).b.read(data)
	}
	return p
}

// What of a body that is refused for its length is read for nothing, so that a client that still writes sees the answer
// and not a connection that was reset.
const (
	maxDrained   = 64 << 20
	maxDrainTime = 5 * time.Second
)

// drain reads the rest of a body. A client that waits for leave to send it (Expect) gets the answer at once.
func drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Header.Get("Expect") != "" {
		return
	}
	c := http.NewResponseController(w)
	if c.SetReadDeadline(time.Now().Add(maxDrainTime)) != nil {
		return // no connection: the body lies in memory
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxDrained)) // whatever ends it: the answer is the same
	_ = c.SetReadDeadline(time.Time{})                             // of a connection that is closed afterwards
}
