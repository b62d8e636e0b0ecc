package endpoint

import (
	"fmt"
	"strings"
	"testing"
)

// A client's id is taken when every byte is a letter, a digit, a dot, a hyphen or an underscore, and there are
// at most 64.
func TestRequestID(t *testing.T) {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	for b := range 256 {
		s := string([]byte{'x', byte(b), 'x'})
		want := ""
		if strings.IndexByte(allowed, byte(b)) >= 0 {
			want = s
		}
		if got := requestID(s); got != want {
			t.Errorf("byte %q: want %q, got %q", byte(b), want, got)
		}
	}
	for n, taken := range map[int]bool{0: true, 1: true, 63: true, 64: true, 65: false} {
		s := strings.Repeat("a", n)
		if got := requestID(s); (got == s) != taken {
			t.Errorf("%d bytes: want it taken %t, got %s", n, taken, fmt.Sprintf("%q", got))
		}
	}
}
