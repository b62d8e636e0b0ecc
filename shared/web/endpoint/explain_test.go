package endpoint

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// Errors are faults where the service explains them, of a pin, an ETag and an answer alike; all others say that the service failed.
func TestErrorsAreExplained(t *testing.T) {
	lost, other := errors.New("lost"), errors.New("a mistake")
	for name, c := range map[string]struct {
		pin, depends, serve error
		status              int
		says                string
	}{
		"pin":       {pin: lost, status: 503, says: "it is lost"},
		"depends":   {depends: lost, status: 503, says: "it is lost"},
		"answer":    {serve: lost, status: 503, says: "it is lost"},
		"a mistake": {serve: other, status: 500, says: "the service failed"},
		"none":      {status: 200, says: `"fine"`},
	} {
		s := &Service{System: "t", Title: "t", Version: "1",
			Pin: func(ctx context.Context) (context.Context, reply.Generation, error) {
				return ctx, reply.Generation{ID: "g"}, c.pin
			},
			Explain: func(_ context.Context, err error) error {
				if errors.Is(err, lost) {
					return fault.New(fault.Unavailable, "it is lost").Because(err)
				}
				return err
			},
			Endpoints: []Endpoint{{Method: "GET", Path: "/a", ID: "a", Tag: "t", Summary: "A", Answer: Answer{Body: ""}, Example: "/a",
				Depends: func(context.Context, *Request) (string, error) { return "d", c.depends },
				Serve:   func(context.Context, *Request) (reply.Answer, error) { return &reply.Document{Body: "fine"}, c.serve }}},
		}
		h, err := s.Handler()
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/a", nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}
