// Package ogcapi is what the OGC APIs of the services have in common: links, the parameter f that chooses between JSON and a page,
// the shape of the landing page and of the conformance classes, and the pages for people. What the collections and the processes
// are is their services'.
package ogcapi

import (
	"net/http"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
)

// JSON is the media type of documents that have a page beside them.
const JSON = "application/json"

// Link is a link as the standards draw it.
type Link struct {
	Href  string `json:"href"`
	Rel   string `json:"rel"`
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
}

// Conformance is the list of the conformance classes.
type Conformance struct {
	ConformsTo []string `json:"conformsTo"`
}

// Form is the form of a document.
type Form string

// The forms.
const (
	FormJSON Form = "json"
	FormHTML Form = "html"
)

// F is the parameter that chooses the form.
var F = endpoint.Enum("f", "json or html. Where it is absent, the Accept header chooses; json is the default.",
	[]Form{FormJSON, FormHTML})

// FormOf is the form of the answer to a request.
func FormOf(r *endpoint.Request) Form {
	if F.Given(r) {
		return F.Of(r)
	}
	if htmlpage.Wanted(r.HTTP) {
		return FormHTML
	}
	return FormJSON
}

// Paged says whether a request wants a page.
func Paged(r *endpoint.Request) bool { return FormOf(r) == FormHTML }

// Variant tells the forms that Accept chooses apart: endpoint.Endpoint.Variant.
func Variant(r *endpoint.Request) string { return string(FormOf(r)) }

// PageOr declares an answer that is JSON or a page.
func PageOr(body any, others ...endpoint.Other) endpoint.Answer {
	return endpoint.Answer{Body: body, Exact: true, Others: append([]endpoint.Other{{Status: http.StatusOK, Doc: "The same as a page.",
		ContentType: "text/html"}}, others...)}
}
