package endpoint

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

//go:embed docs.html
var docsPage string

// serveDocs sends the page to try the endpoints. It draws itself from openapi.json.
func serveDocs(s *Service, x *exchange, r *http.Request) error {
	base, err := json.Marshal(s.base(r)) // escapes <, > and & for the script it stands in
	if err != nil {
		return err
	}
	x.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src *; img-src data:; base-uri 'none'; form-action 'none'")
	return serveOwn(s, x, r, "text/html; charset=utf-8", []byte(strings.Replace(docsPage, `"{{base}}"`, string(base), 1)))
}

func since(s *Service, x *exchange) func() time.Duration {
	return func() time.Duration { return s.Now().Sub(x.start) }
}
