package funcurl

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// A request with a wrong secret is a line of the log, without the secret.
func TestRefusedRequestIsLogged(t *testing.T) {
	var log bytes.Buffer
	secrets, err := NewSecrets("the secret of the origin")
	if err != nil {
		t.Fatal(err)
	}
	e := event(t, "get.json")
	e.Headers["x-origin-verify"] = "guessed-guessed-guessed"
	a, err := Wrap(Config{Handler: http.NotFoundHandler(), Secrets: secrets,
		Log: slog.New(slog.NewTextHandler(&log, nil))})(context.Background(), e)
	if err != nil || a.StatusCode != http.StatusForbidden {
		t.Fatalf("%v %v", a, err)
	}
	if s := log.String(); !strings.Contains(s, "level=WARN") || !strings.Contains(s, "reason=origin_secret") ||
		!strings.Contains(s, "path=") || strings.Contains(s, "guessed") {
		t.Errorf("log %q", s)
	}
}
