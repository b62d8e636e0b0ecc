package expander

import (
	_ "embed"
	"html"
	"net/http"
	"strings"

	"mappe/shared/recurrence/zones"
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
	text := strings.NewReplacer("/*css*/", pageCSS, "/*js*/", pageJS, "<!--zones-->", list.String(), "{{release}}", zones.Release(), "{{price}}", Price).Replace(pageHTML)
	policy := "default-src 'none'; script-src '" + reply.PolicyHash(pageJS) + "'; style-src '" + reply.PolicyHash(pageCSS) + "'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return page{[]byte(text), http.Header{
		"Content-Security-Policy": {policy},
		"Referrer-Policy":         {"no-referrer"},
	}}
}

func (p page) answer() reply.Answer {
	return &reply.Bytes{ContentType: "text/html; charset=utf-8", Body: p.body, Header: p.header}
}
