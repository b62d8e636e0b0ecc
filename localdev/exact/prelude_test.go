package exact

import (
	"bytes"
	"testing"
)

func FuzzPrelude(f *testing.F) {
	f.Add([]byte("{\"statusCode\":200}\x00\x00\x00\x00\x00\x00\x00\x00body"))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if p, err := readPrelude(bytes.NewReader(raw)); err == nil && (p.StatusCode < 200 || p.StatusCode > 599) {
			t.Errorf("status %d", p.StatusCode)
		}
	})
}
