package endpoint

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"mappe/shared/web/reply"
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

// serveOwn sends a body of the service's own: its description, its page.
func serveOwn(s *Service, x *exchange, r *http.Request, contentType string, body []byte) error {
	gzip := reply.AcceptsGzip(r.Header)
	a := &reply.Ask{
		ETag: reply.ETag(string(body), strconv.FormatBool(gzip)), CacheControl: "max-age=120", Gzip: gzip,
		Head: r.Method == http.MethodHead, Elapsed: x.elapsed(s.Now), Notice: s.Notice,
	}
	if reply.Matches(r.Header, a.ETag) {
		reply.NotModified(x, a)
		return nil
	}
	return reply.Write(x, a, &reply.Bytes{ContentType: contentType, Body: body})
}
