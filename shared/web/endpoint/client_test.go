package endpoint

import (
	"net/http"
	"testing"
)

func TestClient(t *testing.T) {
	for from, want := range map[string]string{"192.0.2.7:1234": "192.0.2.7", "192.0.2.7": "192.0.2.7", "[2001:db8::1]:80": "2001:db8::1"} {
		if got := Client(&http.Request{RemoteAddr: from}); got != want {
			t.Errorf("%s is %s, want %s", from, got, want)
		}
	}
}
