package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// A client that sends all of a body that is too large before it reads the answer sees the 413: its connection is not
// reset while it writes.
func TestTooLargeIsSeenByAClientThatWrites(t *testing.T) {
	h, err := testService().Handler()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	body := bytes.Repeat([]byte(" "), 32<<20) // more than the buffers of both ends hold
	for name, head := range map[string]string{
		"declared": fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)),
		"chunked":  fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(body)),
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		tail := ""
		if name == "chunked" {
			tail = "\r\n0\r\n\r\n"
		}
		for _, part := range [][]byte{[]byte("POST /api/v1/points HTTP/1.1\r\nHost: a\r\n" + head), body, []byte(tail)} {
			if _, err := c.Write(part); err != nil {
				t.Errorf("%s: %v while writing", name, err)
			}
		}
		w, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if w.StatusCode != 413 {
			t.Errorf("%s: %s", name, w.Status)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What reads a body is given the context of the request.
func TestBodiesAreReadInTheContextOfTheRequest(t *testing.T) {
	type key struct{}
	in := ParsedBodyIn("a text", 100, nil, func(ctx context.Context, data []byte) (string, error) {
		return fmt.Sprint(string(data), ctx.Value(key{})), nil
	})
	s := testService()
	s.Endpoints = []Endpoint{{Method: "POST", Path: "/api/v1/said", ID: "said", Body: in, Answer: Answer{Body: struct {
		Said string `json:"said"`
	}{}}, Serve: func(_ context.Context, r *Request) (reply.Answer, error) {
		return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
			j.Member("said", in.Of(r))
			return j.Err()
		}}, nil
	}}}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/api/v1/said", strings.NewReader("a")).WithContext(context.WithValue(t.Context(), key{},
		"b")))
	if !strings.Contains(w.Body.String(), `"said":"ab"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
