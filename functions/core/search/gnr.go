package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/glob"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
)

var number = endpoint.Parsed("gnr",
	"Parcel number: exact (123/4); with * for any characters (12*, */3); or with a leading dot, which finds the building plots whose number begins so (.17 finds .17, .17/1, .170). A slash is %2F, once.", parseNumber, endpoint.Required, endpoint.Example("1*"))

// maxNumber is the length of the longest parcel number in bytes.
const maxNumber = 16

// numberPattern is a parcel number as it is searched for.
type numberPattern string

// String is the one spelling of the pattern.
func (p numberPattern) String() string { return string(p) }

func parseNumber(text string) (numberPattern, error) {
	if strings.Trim(text, "0123456789./*") != "" || len(text) > maxNumber || strings.LastIndexByte(text, '.') > 0 &&
		!strings.Contains(text, "*") {
		return "", errors.New("a parcel number such as 123/4 or .17 of at most 16 characters, where * stands for any characters")
	}
	return numberPattern(text), nil
}

// exact says whether one number at most can match in a KG.
func (p numberPattern) exact() bool {
	return !strings.HasPrefix(string(p), ".") && !strings.Contains(string(p), "*")
}

func (p numberPattern) matches(n austria.GNR) bool {
	switch {
	case strings.Contains(string(p), "*"):
		return glob.Match(string(p), string(n))
	case strings.HasPrefix(string(p), "."):
		return strings.HasPrefix(string(n), string(p))
	}
	return string(p) == string(n)
}

// byNumber is the order of parcel numbers: main number, sub-number, building plots behind others.
func byNumber(a, b austria.GNR) int {
	x, xPlot := strings.CutPrefix(string(a), ".")
	y, yPlot := strings.CutPrefix(string(b), ".")
	x, xSub, _ := strings.Cut(x, "/")
	y, ySub, _ := strings.Cut(y, "/")
	if c := cmp.Or(byDigits(x, y), byDigits(xSub, ySub)); c != 0 || xPlot == yPlot {
		return cmp.Or(c, cmp.Compare(a, b))
	}
	if xPlot {
		return 1
	}
	return -1
}

// byDigits compares numbers of any length; none is the least.
func byDigits(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(len(a), len(b))
	}
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// parcelRows are parcels as the searches list them; plain JSON carries no polygons unless fields names geometry.
var parcelRows = rowschema.ParcelShown.Named("parcel", "A parcel.")

// plain says that rows in plain JSON carry no geometry.
func plain(r *endpoint.Request) bool { return !slices.Contains(r.Fields, "geometry") }

const plainDoc = `
Plain JSON rows carry the polygon only where fields names geometry; the geographic forms draw it.`

func gnr() endpoint.Endpoint {
	return rows.List(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/search/gnr", ID: "search_gnr", Tag: tag,
		Summary: "Parcels by parcel number",
		Doc: `Parcels whose number is the one given, or fits it. Order: KG code, main number, sub-number; a building plot (leading
dot) stands behind the parcel of the same number. Without kg the whole country is searched. A date (version) without kg looks into every
KG, which is refused with 413 in a country of more than 2,048 KGs.` + plainDoc,
		Params:  []endpoint.AnyParam{number, kg},
		Answer:  endpoint.Answer{Rows: []*format.RowType{parcelRows.RowType}},
		Example: "/api/v1/search/gnr?gnr=1*&kg=99101",
	}, func(ctx context.Context, v *view.View, r *endpoint.Request) (*rows.Query, error) {
		if !kg.Given(r) {
			if q, err := nationalNumbers(ctx, v, number.Of(r)); q != nil || err != nil {
				return shown(q, r), err
			}
		}
		codes, err := asked(v, r)
		if err != nil {
			return nil, err
		}
		q, err := over(ctx, v, codes, rows.Layer{Source: rows.Parcels(parcelRows.Record()), Match: numbered(number.Of(r))})
		return shown(q, r), err
	})
}

// shown has rows in plain JSON carry geometry only where it is asked for.
func shown(q *rows.Query, r *endpoint.Request) *rows.Query {
	if q != nil {
		q.NoGeometry = plain(r)
	}
	return q
}

// numbered matches the parcels of a number, in the order of numbers.
func numbered(p numberPattern) rows.Match {
	return func(_ *rows.Candidate, f *kgfile.File, found []int32) ([]int32, error) {
		if p.exact() {
			i, ok, err := f.ParcelByGNR(austria.GNR(p))
			if ok {
				found = append(found, int32(i))
			}
			return found, err
		}
		table, err := f.Parcels()
		start := len(found)
		for i := range table {
			if p.matches(table[i].GNR) {
				found = append(found, int32(i))
			}
		}
		slices.SortStableFunc(found[start:], func(a, b int32) int { return byNumber(table[a].GNR, table[b].GNR) })
		return found, err
	}
}
