// Package page is the page authors use: one document that signs in with the project's token, uploads a
// manuscript, shows what was found in it, orders proofs and finals, follows a build, turns the pages of a
// proof, and edits the transmittal and the index. It owns how this looks and asks the service's own
// interface for everything; it adds no rule to it. functions/books serves it.
//
// The document holds its script and style and asks for nothing from elsewhere; its policy names the two by
// their hashes. It speaks English and German.
package page

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"mappe/shared/book/finding"
	"mappe/shared/book/preflight"
	"mappe/shared/book/spec"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/reply"
)

//go:embed web
var web embed.FS

// scripts are joined in this order into one.
var scripts = []string{"words.js", "messages.js", "base.js", "session.js", "manuscript.js", "report.js", "build.js", "pages.js",
	"details.js", "terms.js", "main.js"}

// Options are what the page is told of the service around it.
type Options struct {
	// Files are origins other than the service's own that uploads go to ("https://bucket.example"); the
	// policy lets the page send there. nil: none.
	Files []string
}

// Page is the finished document.
type Page struct {
	body   []byte
	header http.Header
}

// Default is the page with no Options, made when it is first asked for.
var Default = sync.OnceValue(func() *Page { return New(Options{}) })

// New makes the page.
func New(o Options) *Page {
	script := "\"use strict\";\nconst known = " + known() + ";\n"
	for _, name := range scripts {
		script += text(name)
	}
	style := text("page.css")
	document := strings.NewReplacer("/*css*/", style, "/*js*/", script).Replace(text("page.html"))
	policy := htmlpage.Policy{Scripts: []string{script}, Styles: []string{style}, Connect: append([]string{"'self'"}, o.Files...),
		Images: []string{"blob:", "data:"}}
	return &Page{[]byte(document), policy.Header()}
}

// text reads a file of the page; one that is not there is a fault of the program.
func text(name string) string {
	b, err := web.ReadFile("web/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// field is a member of the transmittal as the form needs it.
type field struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Doc     string   `json:"doc,omitempty"`
	Form    string   `json:"form"`
	Allowed []string `json:"allowed,omitempty"`
	Least   float64  `json:"least"`
	Most    float64  `json:"most"`
}

// kind is a type of finding as the summary needs it.
type kind struct {
	Title    string `json:"title"`
	Severity string `json:"severity"`
	Does     string `json:"does"`
	Fix      string `json:"fix"`
	German   advice `json:"german"`
}

// advice is what is done about a finding, in another language than the kind's.
type advice struct {
	Does string `json:"does"`
	Fix  string `json:"fix"`
}

func germanAdvice(t finding.Type) advice {
	does, fix := preflight.Advice(t, "de")
	return advice{does, fix}
}

// known is what the press's own tables say, as a script's value: nothing of it is written twice.
func known() string {
	k := struct {
		Fields   []field         `json:"fields"`
		Defaults map[string]any  `json:"defaults"`
		Findings map[string]kind `json:"findings"`
	}{Defaults: spec.Default().Data(), Findings: map[string]kind{}}
	for _, f := range spec.Fields() {
		k.Fields = append(k.Fields, field{f.Name, f.Label, f.Doc, f.Form, f.Allowed, f.Least, f.Most})
	}
	for _, t := range finding.AllTypes() {
		k.Findings[t.String()] = kind{t.Title(), t.Severity().String(), t.Does(), t.Fix(), germanAdvice(t)}
	}
	b, err := json.Marshal(k) // escapes <, > and &, so that no text ends the script
	if err != nil {
		panic(fmt.Sprintf("the tables of the press: %v", err))
	}
	return string(b)
}

// Endpoint serves the page at the service's own address. It needs no token: it holds nothing of anybody.
func Endpoint(of func() *Page) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/", ID: "page", Tag: "Page", Summary: "The page for authors",
		Doc: "Signs in with a project's token, uploads a manuscript, shows the report, builds, turns the pages of a proof, edits transmittal and index. " +
			"A link may name the project: `#project=12` or `#project=client/project`.",
		Answer: endpoint.Answer{ContentType: "text/html"}, Cache: endpoint.Live, Example: "/",
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			p := of()
			return &reply.Bytes{ContentType: htmlpage.ContentType, Body: p.body, Header: p.header}, nil
		},
	}
}
