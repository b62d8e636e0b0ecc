package families

import (
	"bytes"
	"testing"
)

// No sentence of a description was cut within a character: its bytes would be replaced by U+FFFD.
func TestTextsAreWhole(t *testing.T) {
	for _, s := range All(Deps{}) {
		doc, err := s.Lead().Service.OpenAPI(s.Prefix)
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range []string{"\uFFFD", `\ufffd`} {
			if i := bytes.Index(doc, []byte(broken)); i >= 0 {
				t.Errorf("%s: broken text %q", s.Prefix, doc[max(0, i-40):min(len(doc), i+60)])
			}
		}
	}
}
