package htmlpage

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Accepted is the language that a reader likes best of some, by their codes; "" where the request names none of them.
func Accepted(h http.Header, languages ...string) string {
	best, most := "", 0.0
	for _, one := range strings.Split(strings.Join(h.Values("Accept-Language"), ","), ",") {
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
		if slices.Contains(languages, base) && weight > most {
			best, most = base, weight
		}
	}
	return best
}

// german says whether a page is to be in German: as ?lang= says, else as the browser asks. Otherwise it is in English.
func german(r *http.Request) bool {
	switch lang := r.URL.Query().Get("lang"); lang {
	case "de", "en":
		return lang == "de"
	}
	return Accepted(r.Header, "en", "de") == "de"
}
