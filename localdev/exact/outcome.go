package exact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// outcome is how an invocation went: a stream with its status and headers, or an error before it.
type outcome struct {
	err     error
	begun   bool
	prelude prelude
	body    io.Reader
	trailer func() http.Header // of the stream, once it has been read
	done    chan struct{}      // closed when nobody will read more
}

// prelude stands in front of the body, closed by eight zero bytes.
type prelude struct {
	StatusCode int               `json:"statusCode"`
	Headers    map[string]string `json:"headers"`
	Cookies    []string          `json:"cookies"`
}

const (
	maxPrelude    = 64 << 10
	streamingType = "application/vnd.awslambda.http-integration-response"
)

func newOutcome(r *http.Request) (outcome, error) {
	if t := r.Header.Get("Content-Type"); t != streamingType {
		return outcome{}, fmt.Errorf("the function answered as %q, want %s: is it built with -tags lambda.norpc?", t, streamingType)
	}
	body := bufio.NewReaderSize(r.Body, 32<<10)
	p, err := readPrelude(body)
	if err != nil {
		return outcome{}, err
	}
	return outcome{begun: true, prelude: p, body: body, trailer: func() http.Header { return r.Trailer }, done: make(chan struct{})}, nil
}

// readPrelude reads up to and with the eight zero bytes.
func readPrelude(r io.ByteReader) (prelude, error) {
	var raw []byte
	end := make([]byte, 8)
	for !bytes.HasSuffix(raw, end) {
		b, err := r.ReadByte()
		if err != nil {
			return prelude{}, fmt.Errorf("the answer's prelude ends after %d bytes: %w", len(raw), err)
		}
		if raw = append(raw, b); len(raw) > maxPrelude {
			return prelude{}, fmt.Errorf("the answer's prelude has more than %d bytes", maxPrelude)
		}
	}
	var p prelude
	if err := json.Unmarshal(raw[:len(raw)-8], &p); err != nil {
		return prelude{}, fmt.Errorf("the answer's prelude: %w", err)
	}
	if p.StatusCode == 0 {
		p.StatusCode = http.StatusOK
	}
	if p.StatusCode < 200 || p.StatusCode > 599 {
		return prelude{}, fmt.Errorf("the answer's prelude: status %d: want 200 to 599", p.StatusCode)
	}
	return p, nil
}

var errTooLong = errors.New("the answer is longer than a function may stream")

// forward streams the answer to the client. The rest is read also when the client has left: a function
// is not told.
func (o outcome) forward(w http.ResponseWriter, method string) error {
	defer close(o.done)
	h := w.Header()
	for name, value := range o.prelude.Headers {
		h.Set(name, value)
	}
	for _, c := range o.prelude.Cookies {
		h.Add("Set-Cookie", c)
	}
	if h.Get("Content-Type") == "" {
		h["Content-Type"] = nil // none, instead of a guess
	}
	w.WriteHeader(o.prelude.StatusCode)
	flush := http.NewResponseController(w).Flush
	buf := make([]byte, 32<<10)
	var sent int64
	var gone bool
	for {
		n, err := o.body.Read(buf)
		if sent += int64(n); sent > maxAnswer {
			io.Copy(io.Discard, o.body)
			return errTooLong
		}
		if n > 0 && !gone {
			_, writeErr := w.Write(buf[:n])
			gone = writeErr != nil && method != http.MethodHead
		}
		if err == io.EOF {
			return trailerError(o.trailer())
		}
		if err != nil {
			return fmt.Errorf("the stream ended early: %w", err)
		}
		if !gone {
			gone = flush() != nil
		}
	}
}

// drain reads what nobody waits for.
func (o outcome) drain() {
	if o.begun {
		io.Copy(io.Discard, o.body)
		close(o.done)
	}
}
