package expander

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
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
	policy := "default-src 'none'; script-src '" + hashOf(pageJS) + "'; style-src '" + hashOf(pageCSS) + "'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return page{[]byte(text), http.Header{
		"Content-Security-Policy": {policy},
		"Referrer-Policy":         {"no-referrer"},
	}}
}

// hashOf is a source expression of a content security policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p page) answer() reply.Answer {
	return &reply.Bytes{ContentType: "text/html; charset=utf-8", Body: p.body, Header: p.header}
}
