package maps

import (
	_ "embed"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"mappe/shared/web/catalogue"
	"mappe/shared/web/endpoint"
)

// language is one that the services answer in, as ISO 639-2/B codes it.
type language string

const (
	english language = "eng"
	german  language = "ger"
)

// pLanguage is INSPIRE's parameter (technical guidance for view services 3.11, 5.2): a language that is not supported is answered in the
// default one, not refused.
var pLanguage = endpoint.Parsed("language",
	"Language of titles and abstracts in the capabilities, of legends and of what GetFeatureInfo says as text and HTML: eng or ger, as "+
		"INSPIRE has it. Any other is answered in English. The addresses in German capabilities ask for German.", parseLanguage,
	endpoint.Default(string(english)), endpoint.Example(string(german)))

func parseLanguage(text string) (language, error) {
	if strings.EqualFold(text, string(german)) {
		return german, nil
	}
	return english, nil
}

// inGerman are the sentences in German.
//
//go:embed de.po
var inGerman string

var sentences = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Read(inGerman) })

// locale is a language with its sentences and its numbers; the zero value is English.
type locale struct{ german *catalogue.Catalogue }

// localeOf is that of a request.
func localeOf(r *endpoint.Request) (in locale, err error) {
	if pLanguage.Of(r) == german {
		in.german, err = sentences()
	}
	return in, err
}

// code is the language as HTTP and HTML name it.
func (in locale) code() string {
	if in.german != nil {
		return "de"
	}
	return "en"
}

// header names the language of an answer.
func (in locale) header() http.Header { return http.Header{"Content-Language": {in.code()}} }

// parameter is the language in the query of an address, before other parameters; nothing for the default.
func (in locale) parameter() string {
	if in.german != nil {
		return "LANGUAGE=" + string(german) + "&"
	}
	return ""
}

// query is the language as the whole query of an address.
func (in locale) query() string {
	if in.german != nil {
		return "?LANGUAGE=" + string(german)
	}
	return ""
}

// of is a title or a sentence in the language.
func (in locale) of(english string) string {
	if in.german != nil {
		if other, ok := in.german.Of(english); ok {
			return other
		}
	}
	return english
}

// says is a sentence with values in it: a name in braces, and the value in its place.
func (in locale) says(english string, values ...string) string {
	return strings.NewReplacer(values...).Replace(in.of(english))
}

// number is a number with so many decimals; -1: as many as it has.
func (in locale) number(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if in.german != nil {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// t is a title or an abstract in the language of the capabilities, for XML.
func (w *writer) t(text string) string { return escaped(w.in.of(text)) }
