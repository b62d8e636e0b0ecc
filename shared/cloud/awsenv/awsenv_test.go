package awsenv_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/shared/cloud/awsenv"
)

func none(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN",
		"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"} {
		t.Setenv(name, "")
	}
}

func TestRegion(t *testing.T) {
	none(t)
	if _, err := awsenv.Region(); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("want an error naming AWS_REGION, got %v", err)
	}
	t.Setenv("AWS_DEFAULT_REGION", "eu-west-1")
	if got, err := awsenv.Region(); got != "eu-west-1" || err != nil {
		t.Errorf("want eu-west-1, got %s, %v", got, err)
	}
	t.Setenv("AWS_REGION", "eu-central-1")
	if got, err := awsenv.Region(); got != "eu-central-1" || err != nil {
		t.Errorf("want eu-central-1, got %s, %v", got, err)
	}
}

func TestKeysOfTheEnvironment(t *testing.T) {
	none(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	if _, err := awsenv.Keys(); err == nil || !strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
		t.Errorf("want an error naming AWS_SECRET_ACCESS_KEY, got %v", err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_SESSION_TOKEN", "session")
	expect(t, "id", "secret", "session")
}

func TestKeysOfTheContainer(t *testing.T) {
	none(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer abc" {
			t.Errorf("want the token of the file, got %q", got)
		}
		w.Write([]byte(`{"AccessKeyId":"cid","SecretAccessKey":"csecret","Token":"ctoken","Expiration":"2999-01-01T00:00:00Z"}`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("Bearer abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", server.URL)
	t.Setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file)
	expect(t, "cid", "csecret", "ctoken")
}

func expect(t *testing.T, id, secret, session string) {
	t.Helper()
	keys, err := awsenv.Keys()
	if err != nil {
		t.Fatal(err)
	}
	got, err := keys.Retrieve(t.Context())
	if err != nil || got.AccessKeyID != id || got.SecretAccessKey != secret || got.SessionToken != session {
		t.Errorf("want %s %s %s, got %s %s %s, %v", id, secret, session, got.AccessKeyID, got.SecretAccessKey, got.SessionToken, err)
	}
}
