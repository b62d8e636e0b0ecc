package endpoint

import (
	_ "embed"
	"html"
	"strings"
	"sync"

	"mappe/shared/web/htmlpage"
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

// docsPage is the page to try the endpoints; base is what stands before their paths.
func (s *Service) docsPage(base string) string {
	return htmlpage.Head(s.Title, docsStyle()) + `<header>
<h1 id="title">` + html.EscapeString(s.Title) + `</h1>
<div id="about" class="lead"></div>
<p class="soft"><span id="version"></span><span id="described">described in</span> <a id="spec" href="` +
		html.EscapeString(base) + `/openapi.json" data-languages="` + languageList(s.languages()) + `">openapi.json</a> (OpenAPI 3.1).</p>
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
