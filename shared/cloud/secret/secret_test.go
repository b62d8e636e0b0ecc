package secret_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/cloud/secret"
)

// client asks a server that answers with a status and a body.
func client(t *testing.T, answer http.HandlerFunc) *secret.Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", server.URL)
	t.Setenv("AWS_REGION", "eu-central-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "key")
	c, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestGetAsksAsTheServiceIsAsked(t *testing.T) {
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a short one shows below
		if r.Method != "POST" || r.URL.Path != "/" || r.Header.Get("X-Amz-Target") != "secretsmanager.GetSecretValue" ||
			r.Header.Get("Content-Type") != "application/x-amz-json-1.1" ||
			string(body) != `{"SecretId":"arn:x","VersionStage":"AWSPREVIOUS"}` ||
			!strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/secretsmanager/aws4_request") {
			t.Errorf("got %s %s %v %s", r.Method, r.URL, r.Header, body)
		}
		io.WriteString(w, `{"ARN":"arn:x","SecretString":"the value","VersionStages":["AWSPREVIOUS"]}`)
	})
	if got, err := c.Get(t.Context(), "arn:x", secret.Previous); got != "the value" || err != nil {
		t.Errorf("want the value, got %q, %v", got, err)
	}
}

func TestGetTellsWhatFailed(t *testing.T) {
	for _, tt := range []struct {
		name, body, want string
		status           int
		missing          bool
	}{
		{"no such version", `{"__type":"ResourceNotFoundException","Message":"x"}`, "AWSCURRENT", 400, true},
		{"no such secret, long form", `{"__type":"com.amazonaws.secretsmanager#ResourceNotFoundException"}`, "arn:x", 400, true},
		{"not allowed", `{"__type":"AccessDeniedException","Message":"quoted request"}`, "AccessDeniedException", 400, false},
		{"down", `<html>`, "503", 503, false},
		{"binary", `{"SecretBinary":"AAAA"}`, "no SecretString", 200, false},
		{"not JSON", `the value`, "no SecretString", 200, false},
	} {
		c := client(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			io.WriteString(w, tt.body)
		})
		_, err := c.Get(t.Context(), "arn:x", secret.Current)
		if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, secret.ErrNotFound) != tt.missing ||
			strings.Contains(err.Error(), "quoted") {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
}
