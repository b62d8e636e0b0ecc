package reply

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/format"
)

// AcceptsGzip says whether Accept-Encoding allows gzip and would not rather have the plain bytes.
func AcceptsGzip(h http.Header) bool {
	if len(h["Accept-Encoding"]) == 0 {
		return false
	}
	gzip, star, plain := -1.0, 0.0, 0.0
	for _, e := range elements(h.Values("Accept-Encoding")) {
		switch e.name {
		case "gzip", "x-gzip":
			gzip = max(gzip, e.q)
		case "*":
			star = e.q
		case "identity":
			plain = e.q
		}
	}
	if gzip < 0 {
		gzip = star
	}
	return gzip > 0 && gzip >= plain
}

// AcceptedForm is the form Accept prefers among the offered ones: highest quality first, then the
// order of the header. Wildcards and types that are not offered give the first offered form.
func AcceptedForm(h http.Header, offered []format.Format) format.Format {
	best, quality := offered[0], 0.0
	if len(h["Accept"]) == 0 {
		return best
	}
	for _, e := range elements(h.Values("Accept")) {
		f, ok := format.OfMediaType(e.name)
		if e.name == "*/*" || e.name == "application/*" {
			f, ok = offered[0], true
		}
		if ok && e.q > quality && slices.Contains(offered, f) {
			best, quality = f, e.q
		}
	}
	return best
}

// AcceptedType is the media type Accept prefers among the offered ones: highest quality first, then the
// order of the offer. A range (text/*) counts where the type itself is not named; no Accept, and one that
// wants none of them, give the first offered type.
func AcceptedType(h http.Header, offered ...string) string {
	best, quality := offered[0], 0.0
	list := elements(h.Values("Accept"))
	for _, media := range offered {
		q, rank := 0.0, 0
		for _, e := range list {
			r := 0
			switch kind, _, _ := strings.Cut(media, "/"); e.name {
			case media:
				r = 3
			case kind + "/*":
				r = 2
			case "*/*":
				r = 1
			}
			if r > rank {
				q, rank = e.q, r
			}
		}
		if q > quality {
			best, quality = media, q
		}
	}
	return best
}

type element struct {
	name string
	q    float64
}

// elements reads the comma lists of an Accept header; at most 32 elements count.
func elements(lines []string) []element {
	var out []element
	for _, line := range lines {
		for _, part := range strings.Split(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			e := element{strings.ToLower(strings.TrimSpace(name)), 1}
			for _, p := range strings.Split(params, ";") {
				if k, v, ok := strings.Cut(strings.TrimSpace(p), "="); ok && strings.EqualFold(k, "q") {
					if q, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && q >= 0 && q <= 1 {
						e.q = q
					}
				}
			}
			if out = append(out, e); len(out) == 32 {
				return out
			}
		}
	}
	return out
}
