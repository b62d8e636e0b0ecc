package expander

import (
	_ "embed"
	"html"
	"net/http"
	"strings"

	"mappe/shared/recurrence/zones"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

// The page a person types a rule into. It is one document: no script, style or font comes from elsewhere,
// and the policy names the two it holds by their hashes.
//
//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

type page struct {
	body   []byte
	header http.Header
}

func newPage() page {
	var list strings.Builder
	for _, name := range zones.Names() {
		if z, ok := zones.Load(name); ok && z.Canonical == name {
			list.WriteString(`<option value="` + html.EscapeString(name) + `">`)
		}
	}
	text := strings.NewReplacer("/*css*/", pageCSS, "/*js*/", pageJS, "<!--zones-->", list.String(), "{{release}}", zones.Release(),
		"{{price}}", Price).Replace(pageHTML)
	policy := htmlpage.Policy{Scripts: []string{pageJS}, Styles: []string{pageCSS}, Connect: []string{"'self'"},
		Images: []string{"data:"}} // its empty icon: browsers ask for /favicon.ico else
	return page{[]byte(text), policy.Header()}
}

func (p page) answer() reply.Answer {
	return &reply.Bytes{ContentType: htmlpage.ContentType, Body: p.body, Header: p.header}
}
