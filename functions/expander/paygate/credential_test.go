package paygate

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestTheFacilitatorsTokenIsRotated: a new token is used for the very request whose old one was refused, and
// a store of secrets that is down takes nothing away.
func TestTheFacilitatorsTokenIsRotated(t *testing.T) {
	accepted, stored, reads := "first", "first", 0
	var failing error
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a short one shows below
		if r.Header.Get("Authorization") != "Bearer "+accepted || string(body) != "question" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	now := time.Unix(0, 0)
	b := &bearer{next: http.DefaultTransport, now: func() time.Time { return now }, read: func(context.Context) (string, error) {
		reads++
		return stored, failing
	}}
	client := &http.Client{Transport: b}
	ask := func(want int) {
		t.Helper()
		a, err := client.Post(server.URL, "text/plain", strings.NewReader("question"))
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("want %d, got %d after %d readings", want, a.StatusCode, reads)
		}
	}
	ask(200)
	ask(200)
	if reads != 1 {
		t.Errorf("want one reading, got %d", reads)
	}
	now = now.Add(time.Minute)
	accepted, stored = "second", "second"
	ask(200) // refused, read, asked again
	failing = errors.New("down")
	now = now.Add(time.Hour)
	ask(200)
	failing, accepted = nil, "third" // which nobody has stored
	before := reads
	for range 100 {
		ask(401)
	}
	if reads > before+1 {
		t.Errorf("a token that is refused is read %d times", reads-before)
	}
}

// Where no token could be read, the question never left.
func TestWithoutATokenNothingIsAsked(t *testing.T) {
	b := &bearer{next: http.DefaultTransport, now: time.Now, read: func(context.Context) (string, error) { return "", errors.New("down") }}
	_, err := (&http.Client{Transport: b}).Get("http://127.0.0.1:1/")
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "dial" {
		t.Errorf("want it told as what could not be dialled, got %v", err)
	}
}
