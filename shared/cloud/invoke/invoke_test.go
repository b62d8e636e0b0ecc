package invoke

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestEvent(t *testing.T) {
	status := http.StatusAccepted
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil || string(b) != `{"job":"x"}` || r.Method != "POST" ||
			r.URL.EscapedPath() != "/2015-03-31/functions/stack-worker/invocations" {
			t.Errorf("%s %s %q %v", r.Method, r.URL, b, err)
		}
		auth := r.Header.Get("Authorization")
		if r.Header.Get("X-Amz-Invocation-Type") != "Event" || !strings.Contains(auth, "/eu-central-1/lambda/aws4_request") ||
			!strings.Contains(auth, "x-amz-invocation-type") {
			t.Errorf("%v", r.Header)
		}
		w.WriteHeader(status)
		io.WriteString(w, `{"Message":"Rate Exceeded."}`)
	}))
	defer srv.Close()
	for name, value := range map[string]string{"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_ENDPOINT_URL_LAMBDA": srv.URL} {
		t.Setenv(name, value)
	}
	c, err := New("stack-worker")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Event(t.Context(), []byte(`{"job":"x"}`)); err != nil {
		t.Error(err)
	}
	status = http.StatusTooManyRequests
	if err := c.Event(t.Context(), []byte(`{"job":"x"}`)); err == nil || !strings.Contains(err.Error(), "Rate Exceeded") {
		t.Errorf("want the refusal, got %v", err)
	}
	if err := c.Event(t.Context(), make([]byte, maxPayload+1)); err == nil {
		t.Error("a payload that is too long is sent")
	}
	for _, bad := range []string{"", "a/b", "a b"} {
		if _, err := New(bad); err == nil {
			t.Errorf("%q is a name", bad)
		}
	}
}
