package strictenc

import (
	"encoding/base64"
	"testing"
)

// FuzzBase64: what is read is written the same way.
func FuzzBase64(f *testing.F) {
	for _, text := range []string{"", "AA==", "AB==", "AA\n==", "A\rA==", "AA", "_-8=", "+/8=",
		"YgOEQ_iunAAAA\nAAAAAAAAAAAAAAAAAAAAM-plhc"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			if b, err := Base64(e, text); err == nil && e.EncodeToString(b) != text {
				t.Errorf("%q is read as %q", text, e.EncodeToString(b))
			}
		}
	})
}
