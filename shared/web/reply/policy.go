package reply

import (
	"crypto/sha256"
	"encoding/base64"
)

// PolicyHash is the source expression by which a content security policy names a script or a style sheet
// that stands in the page: sha256- and its sum, to be put between single quotes.
func PolicyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
