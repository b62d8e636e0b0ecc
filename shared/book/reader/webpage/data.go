package webpage

import (
	"encoding/base64"
	"strings"
)

// data takes in a picture that stands in the page itself.
func (b *Book) data(src string) (int, string) {
	head, body, ok := strings.Cut(src, ",")
	if !ok || !strings.HasSuffix(head, ";base64") {
		return -1, "the picture is broken"
	}
	name := head + "/" + body[:min(len(body), 64)] + "/" + body[max(0, len(body)-64):]
	return b.Pictures.Add(name, func() ([]byte, error) {
		return base64.StdEncoding.DecodeString(strings.Map(func(c rune) rune {
			if c == ' ' || c == '\n' || c == '\r' || c == '\t' {
				return -1
			}
			return c
		}, body))
	})
}
