package server

import (
	"bytes"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/functions/family"
)

// card is a service on the index page.
type card struct {
	Title, Prefix, Description, Docs string
	Endpoints                        int
	Method, Example, Body            string
}

// cardOf shows as its example what answers without a token and without money, a link where there is one.
func cardOf(f family.Service) card {
	prefix, s, all := f.Prefix, f.Lead().Service, f.Endpoints()
	c := card{Title: s.Title, Prefix: prefix, Description: s.Description, Endpoints: len(all), Docs: prefix + "/docs"}
	for _, e := range all {
		if e.Example != "" && e.Gate == nil {
			c.Method, c.Example, c.Body = e.Method, prefix+e.Example, e.ExampleBody
			if e.Method == http.MethodGet {
				break
			}
		}
	}
	return c
}

// Prose is the description with its `words of code` set as such.
func (c card) Prose() template.HTML {
	parts := strings.Split(template.HTMLEscapeString(c.Description), "`")
	if len(parts)%2 == 0 {
		return template.HTML(strings.Join(parts, "`")) // a lone one stays
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// IsLink says whether the example opens in a browser.
func (c card) IsLink() bool { return c.Method == http.MethodGet }

// index is what the index page says.
type index struct {
	Pointer *manifest.Pointer // nil where what is served changes without the page
	Bundled bool              // there is a script that has the page in German
	Cards   []card
}

func (i index) html(log *slog.Logger) []byte {
	var b bytes.Buffer
	if err := indexPage.Execute(&b, i); err != nil {
		log.Error("index page", "error", err)
	}
	return b.Bytes()
}

var indexPage = template.Must(template.New("index").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mappe</title><link rel="icon" href="data:,"><link rel="stylesheet" href="` + styleAddress + `">{{if .Bundled}}<script type="module" src="/map/home.js"></script>{{end}}</head><body>
<main>
<h1>Mappe</h1>
<p class="lead" data-t>Open Austrian land data as static artefacts and small functions{{if .Pointer}}, all on this machine{{end}}.</p>
<p><a class="go" href="/map" data-t>Open the map</a> <a class="go" href="/national" data-t>Compare the landscape of all KGs</a> <a class="go" href="/download" data-t>Download the cadastre</a> <a class="go" href="/tables" data-t>Complete a table of addresses</a>{{if .Bundled}} <a href="/" data-language></a>{{end}}</p>
{{if .Pointer}}<section><h2 data-t>What is served</h2><dl>
<dt data-t>Generation</dt><dd><code>{{.Pointer.Generation}}</code> <span data-t>of</span> {{.Pointer.Stichtag}}, {{.Pointer.KGCount}} KGs</dd>
<dt data-t>Pointer</dt><dd><a href="/artefacts/current.json">/artefacts/current.json</a></dd>
<dt data-t>Manifest</dt><dd><a href="/artefacts/{{.Pointer.Manifest}}">/artefacts/{{.Pointer.Manifest}}</a></dd>
<dt data-t>Credits</dt><dd>{{.Pointer.Attribution}}, CC BY 4.0, <span data-t>data modified</span></dd>
</dl></section>{{end}}
{{range .Cards}}<section><h2 data-t>{{.Title}}</h2>
<p data-prose="{{.Description}}">{{.Prose}}</p>
<dl><dt data-t>Base URL</dt><dd><code>{{.Prefix}}</code></dd>
<dt data-t>Endpoints</dt><dd>{{.Endpoints}}, <a href="{{.Docs}}" data-t>try them</a>, <a href="{{.Prefix}}/openapi.json">OpenAPI 3.1</a></dd>
{{if .Example}}<dt data-t>Example</dt><dd>{{if .IsLink}}<a href="{{.Example}}">{{.Example}}</a>{{else}}<code>{{.Method}} {{.Example}} {{.Body}}</code>{{end}}</dd>{{end}}
</dl></section>{{end}}
{{if .Pointer}}<p class="soft"><span data-t>Health</span>: <a href="/healthz">/healthz</a></p>{{end}}
</main>
</body></html>
`))
