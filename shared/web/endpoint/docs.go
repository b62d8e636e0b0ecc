package endpoint

import (
	_ "embed"
	"html"
	"net/http"
	"strings"
	"sync"

	"mappe/shared/web/coding"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// The reference of the endpoints, with a form to try each. It draws itself from openapi.json.
//
//go:embed docswords.js
var docsWords string

//go:embed docssamples.js
var docsSamples string

//go:embed docsfields.js
var docsFields string

//go:embed docs.js
var docsPageScript string

// docsScript is the one script element of the page.
var docsScript = docsWords + docsSamples + docsFields + docsPageScript

//go:embed docs.css
var docsOwnStyle string

// docsStyle is the one style element of the page.
var docsStyle = sync.OnceValue(func() string { return htmlpage.Style + docsOwnStyle })

// docsPolicy lets the page ask the service that it describes; base is what stands before its paths.
func docsPolicy(base string) htmlpage.Policy {
	p := htmlpage.Policy{Scripts: []string{docsScript}, Styles: []string{docsStyle()}, Connect: []string{"'self'"},
		Images: []string{"data:"}}
	if scheme, rest, absolute := strings.Cut(base, "://"); absolute {
		host, _, _ := strings.Cut(rest, "/")
		p.Connect = append(p.Connect, scheme+"://"+host)
	}
	return p
}

func serveDocs(s *Service, x *exchange, r *http.Request) error {
	base := s.base(r)
	for name, values := range docsPolicy(base).Header() {
		x.Header()[name] = values
	}
	return serveOwn(s, x, r, htmlpage.ContentType, []byte(s.docsPage(base)))
}

// docsPage is the page to try the endpoints; base is what stands before their paths.
func (s *Service) docsPage(base string) string {
	return htmlpage.Head(s.Title, docsStyle()) + `<header>
<h1 id="title">` + html.EscapeString(s.Title) + `</h1>
<div id="about" class="lead"></div>
<p class="soft"><span id="version"></span><span id="described">described in</span> <a id="spec" href="` +
		html.EscapeString(base) + `/openapi.json">openapi.json</a> (OpenAPI 3.1). <span id="language"></span></p>
</header>
<div role="search"><input id="find" type="search" placeholder="Find an endpoint" aria-label="Find an endpoint" hidden>
<p id="none" class="soft" role="status"></p></div>
<div class="cols"><nav id="contents"></nav>
<main id="list"><noscript><p>This page needs JavaScript. openapi.json says the same.</p><p lang="de">Diese Seite braucht JavaScript. Dasselbe steht in openapi.json.</p></noscript></main></div>
<script>` + docsScript + `</script>
</body>
</html>
`
}

// serveOwn sends a body of the service's own: its description, its page.
func serveOwn(s *Service, x *exchange, r *http.Request, contentType string, body []byte) error {
	accepted := coding.Accepted(r.Header)
	a := &reply.Ask{
		ETag: reply.ETag(contentType, string(body), accepted.String()), CacheControl: "max-age=120", Coding: accepted,
		Head: r.Method == http.MethodHead, Elapsed: x.elapsed(s.Now), Notice: s.Notice,
	}
	if reply.Matches(r.Header, a.ETag) {
		reply.NotModified(x, a)
		return nil
	}
	return reply.Write(x, a, &reply.Bytes{ContentType: contentType, Body: body})
}
