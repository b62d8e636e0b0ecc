package books

import (
	"net/http"
	"strconv"
	"strings"

	"mappe/shared/web/endpoint"
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
	best, most := language(""), 0.0
	for _, one := range strings.Split(strings.Join(r.Header.Values("Accept-Language"), ","), ",") {
		tag, parameters, _ := strings.Cut(one, ";")
		base, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		weight := 1.0
		if text, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q="); ok {
			w, err := strconv.ParseFloat(text, 64)
			if err != nil {
				continue
			}
			weight = w
		}
		if l := language(base); (l == english || l == german) && weight > most {
			best, most = l, weight
		}
	}
	return best
}
