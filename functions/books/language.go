package books

import (
	"net/http"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/htmlpage"
)

// language is one that a report can be read in (preflight.Languages).
type language string

const (
	english language = "en"
	german  language = "de"
)

var (
	pLang       = endpoint.Enum("lang", "Language of the report's words; absent: the book's.", []language{english, german})
	pLangOrSent = endpoint.Enum("lang",
		"Language of the report; absent: the first of Accept-Language that it can be read in, else the book's.",
		[]language{english, german})
)

// accepted is the language that a reader likes best of those a report can be read in; "" where the request
// names none of them.
func accepted(r *http.Request) language {
	return language(htmlpage.Accepted(r.Header, string(english), string(german)))
}
