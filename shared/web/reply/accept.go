package reply

import (
	"net/http"
	"slices"
	"strings"

	"mappe/shared/web/coding"
	"mappe/shared/web/format"
)

// AcceptedForm is the form Accept prefers among the offered ones: highest quality first, then the
// order of the header. Wildcards and types that are not offered give the first offered form.
func AcceptedForm(h http.Header, offered []format.Format) format.Format {
	best, quality := offered[0], 0.0
	if len(h["Accept"]) == 0 {
		return best
	}
	for _, e := range coding.Elements(h["Accept"]) {
		f, ok := format.OfMediaType(e.Name)
		if e.Name == "*/*" || e.Name == "application/*" {
			f, ok = offered[0], true
		}
		if ok && e.Q > quality && slices.Contains(offered, f) {
			best, quality = f, e.Q
		}
	}
	return best
}

// AcceptedType is the media type Accept prefers among the offered ones: highest quality first, then the
// order of the offer. A range (text/*) counts where the type itself is not named; no Accept, and one that
// wants none of them, give the first offered type.
func AcceptedType(h http.Header, offered ...string) string {
	best, quality := offered[0], 0.0
	list := coding.Elements(h["Accept"])
	for _, media := range offered {
		q, rank := 0.0, 0
		for _, e := range list {
			r := 0
			switch kind, _, _ := strings.Cut(media, "/"); e.Name {
			case media:
				r = 3
			case kind + "/*":
				r = 2
			case "*/*":
				r = 1
			}
			if r > rank {
				q, rank = e.Q, r
			}
		}
		if q > quality {
			best, quality = media, q
		}
	}
	return best
}
