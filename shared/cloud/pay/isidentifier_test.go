package pay

import (
	"strings"
	"testing"
)

// A payment identifier has 16 to 128 bytes, each a letter, a digit, an underscore or a hyphen: what the offer's
// own schema says.
func TestIsIdentifier(t *testing.T) {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	for b := range 256 {
		s := strings.Repeat("a", minID-1) + string([]byte{byte(b)})
		if want := strings.IndexByte(allowed, byte(b)) >= 0; isIdentifier(s) != want {
			t.Errorf("byte %q: want %t", byte(b), want)
		}
	}
	for n, want := range map[int]bool{0: false, minID - 1: false, minID: true, maxID: true, maxID + 1: false} {
		if isIdentifier(strings.Repeat("a", n)) != want {
			t.Errorf("%d bytes: want %t", n, want)
		}
	}
}
