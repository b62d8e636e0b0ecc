package maps

import (
	_ "embed"
	"net/http"
	"strings"
	"sync"

	"mappe/shared/web/catalogue"
	"mappe/shared/web/endpoint"
)

// language is one that titles and abstracts are written in, as ISO 639-2/B codes it.
type language string

const (
	english language = "eng"
	german  language = "ger"
)

// pLanguage is INSPIRE's parameter (technical guidance for view services 3.11, 5.2): a language that is not supported is answered in the
// default one, not refused.
var pLanguage = endpoint.Parsed("language",
	"Language of titles and abstracts in the capabilities: eng or ger, as INSPIRE has it. Any other is answered in English.", parseLanguage,
	endpoint.Default(string(english)), endpoint.Example(string(german)))

func parseLanguage(text string) (language, error) {
	if strings.EqualFold(text, string(german)) {
		return german, nil
	}
	return english, nil
}

// header names the language of an answer.
func (l language) header() http.Header {
	if l == german {
		return http.Header{"Content-Language": {"de"}}
	}
	return http.Header{"Content-Language": {"en"}}
}

// inGerman are the titles and abstracts in German.
//
//go:embed de.po
var inGerman string

var sentences = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Read(inGerman) })

// t is a title or an abstract in the language of the capabilities, for XML.
func (w *writer) t(text string) string {
	if w.german != nil {
		if other, ok := w.german.Of(text); ok {
			text = other
		}
	}
	return escaped(text)
}
