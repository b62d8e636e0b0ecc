package register

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

var format = column.Format{
	Magic: [8]byte{'M', 'A', 'P', 'P', 'E', 'R', 'E', 'G'}, Version: 4, Oldest: 2,
	Sections: []string{"head", "kgs ", "kgo ", "gem ", "gemo", "bez ", "ort ", "plz ", "tol ", "prov", "plzw"}, Later: 3,
}

const (
	secHead = iota
	secKGs
	secOutlines
	secMunicipalities
	secMunicipalityOutlines
	secDistricts
	secLocalities
	secPLZ
	secTolerances // not in version 1
	secProvenance // not before version 3
	secPLZWeights // not before version 4
)

const perMetre = 100 // the tolerance is kept in centimetres

// UniverseHashRecipe says how UniverseHash is made, for those who want to compare theirs.
const UniverseHashRecipe = "hex SHA-256 of the sorted 5-digit codes joined by a newline, without a trailing newline"

// UniverseHash is the hex SHA-256 of the padded KG codes in rising order, joined by newlines without
// a trailing one.
func UniverseHash(codes []austria.KGCode) string {
	s := make([]string, len(codes))
	for i, c := range codes {
		s[i] = string(c)
	}
	slices.Sort(s)
	h := sha256.Sum256([]byte(strings.Join(s, "\n")))
	return hex.EncodeToString(h[:])
}

// Encode writes the register. The same contents give the same bytes; rows out of order, unreadable
// codes and values without a step are errors that name the row.
func Encode(c *Contents) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	codes := make([]austria.KGCode, len(c.KGs))
	for i := range c.KGs {
		codes[i] = c.KGs[i].Code
	}
	outlines := func(n int, at func(int) geom.MultiPolygon) func(*column.Writer) {
		return func(w *column.Writer) { putOutlines(w, n, at) }
	}
	parts := []struct {
		rows int
		put  func(*column.Writer)
	}{
		{1, func(w *column.Writer) {
			w.Text([]string{c.Stichtag, c.Attribution, UniverseHash(codes)})
			w.Ints([]uint64{steps(w, "tolerance", c.ToleranceM, perMetre)})
		}},
		{len(c.KGs), func(w *column.Writer) { putKGs(w, c.KGs) }},
		{len(c.KGs), outlines(len(c.KGs), func(i int) geom.MultiPolygon { return c.KGs[i].Outline })},
		{len(c.Municipalities), func(w *column.Writer) { putMunicipalities(w, c.Municipalities) }},
		{len(c.Municipalities), outlines(len(c.Municipalities), func(i int) geom.MultiPolygon { return c.Municipalities[i].Outline })},
		{len(c.Districts), func(w *column.Writer) { putDistricts(w, c.Districts) }},
		{len(c.Localities), func(w *column.Writer) { putLocalities(w, c.Localities) }},
		{len(c.PLZ), func(w *column.Writer) { putPLZ(w, c.PLZ) }},
		{len(c.KGs), func(w *column.Writer) { putTolerances(w, c.KGs) }},
		{len(c.KGs), func(w *column.Writer) { putProvenance(w, c.KGs) }},
		{len(c.PLZ), func(w *column.Writer) { nums(w, c.PLZ, func(p *PostalPlace) uint64 { return uint64(p.Weight) }) }},
	}
	secs := make([]column.Section, len(parts))
	for i, p := range parts {
		var err error
		if secs[i], err = format.Section(format.Sections[i], p.rows, p.put); err != nil {
			return nil, fmt.Errorf("register: %w", err)
		}
	}
	return format.Assemble(secs)
}

// check proves order and codes.
func (c *Contents) check() error {
	for i := range c.KGs {
		k := &c.KGs[i]
		if p, err := austria.ParseKGCode(string(k.Code)); err != nil || p != k.Code {
			return fmt.Errorf("row %d: KG code %q: expected 5 digits", i, k.Code)
		}
		if i > 0 && c.KGs[i-1].Code >= k.Code {
			return fmt.Errorf("KG %s stands after %s: expected rising codes", k.Code, c.KGs[i-1].Code)
		}
	}
	if !slices.IsSortedFunc(c.Municipalities, func(a, b Municipality) int { return cmp.Compare(a.Code, b.Code) }) {
		return fmt.Errorf("municipalities: expected rising codes")
	}
	if !slices.IsSortedFunc(c.Districts, func(a, b District) int { return cmp.Compare(a.Code, b.Code) }) {
		return fmt.Errorf("districts: expected rising codes")
	}
	if !slices.IsSortedFunc(c.Localities, func(a, b Locality) int { return cmp.Compare(a.OKZ, b.OKZ) }) {
		return fmt.Errorf("localities: expected rising OKZ")
	}
	if !slices.IsSortedFunc(c.PLZ, func(a, b PostalPlace) int {
		return cmp.Or(cmp.Compare(a.PLZ, b.PLZ), cmp.Compare(a.Place, b.Place), cmp.Compare(a.GemeindeCode, b.GemeindeCode))
	}) {
		return fmt.Errorf("postal places: expected order by PLZ, place and municipality")
	}
	return nil
}

func steps(w *column.Writer, name string, v float64, per int) uint64 {
	q, err := column.Steps(v, per)
	if err != nil {
		w.Fail("%s: %w", name, err)
	}
	return q
}

func text[T any, S ~string](w *column.Writer, rows []T, f func(*T) S) {
	out := make([]string, len(rows))
	for i := range rows {
		out[i] = string(f(&rows[i]))
	}
	w.Text(out)
}

func nums[T any](w *column.Writer, rows []T, f func(*T) uint64) {
	out := make([]uint64, len(rows))
	for i := range rows {
		out[i] = f(&rows[i])
	}
	w.Ints(out)
}

// diffs writes a signed number of each row as the difference from the row before.
func diffs[T any](w *column.Writer, rows []T, f func(*T) int32) {
	prev := int64(0)
	nums(w, rows, func(t *T) uint64 {
		v := int64(f(t))
		d := v - prev
		prev = v
		return column.Zig(d)
	})
}

func points[T any](w *column.Writer, rows []T, f func(*T) geom.Point) {
	diffs(w, rows, func(t *T) int32 { return f(t).X })
	diffs(w, rows, func(t *T) int32 { return f(t).Y })
}

func putKGs(w *column.Writer, k []KG) {
	text(w, k, func(k *KG) austria.KGCode { return k.Code })
	text(w, k, func(k *KG) string { return k.Name })
	text(w, k, func(k *KG) austria.GemeindeCode { return k.GemeindeCode })
	text(w, k, func(k *KG) string { return k.GemeindeName })
	text(w, k, func(k *KG) austria.DistrictCode { return k.DistrictCode })
	text(w, k, func(k *KG) string { return k.DistrictName })
	diffs(w, k, func(k *KG) int32 { return k.Box.MinX })
	diffs(w, k, func(k *KG) int32 { return k.Box.MinY })
	diffs(w, k, func(k *KG) int32 { return k.Box.MaxX })
	diffs(w, k, func(k *KG) int32 { return k.Box.MaxY })
	points(w, k, func(k *KG) geom.Point { return k.Centroid })
	for _, c := range counts {
		nums(w, k, func(k *KG) uint64 {
			v := *c(k)
			if v < 0 || v > 1<<31-1 {
				w.Fail("KG %s: count %d", k.Code, v)
			}
			return uint64(uint32(v))
		})
	}
	nums(w, k, func(k *KG) uint64 { return uint64(k.Typology) })
	nums(w, k, func(k *KG) uint64 { return uint64(k.DominantLandUse) })
	for _, m := range kgfile.AllMetrics() {
		nums(w, k, func(k *KG) uint64 { return steps(w, "KG "+string(k.Code)+" "+m.Name, *m.Of(&k.KG), m.Per) })
	}
	text(w, k, func(k *KG) string { return k.Snapshot.Date })
	nums(w, k, func(k *KG) uint64 { return uint64(max(k.Snapshot.Bytes, 0)) })
	// How the object is named: 0 not at all, 1 by the key grammar, 2 by a text that follows.
	var odd []string
	var sums []byte
	nums(w, k, func(k *KG) uint64 {
		if k.Snapshot.Key == "" {
			return 0
		}
		sums = append(sums, k.Snapshot.SHA256[:]...)
		if k.Snapshot.Key == usualKey(k) {
			return 1
		}
		odd = append(odd, k.Snapshot.Key)
		return 2
	})
	w.Count(len(odd))
	w.Text(odd)
	w.Frame(sums)
}

// putTolerances writes each KG's own tolerance; 0 stands for none of its own.
func putTolerances(w *column.Writer, k []KG) {
	nums(w, k, func(k *KG) uint64 {
		if k.ToleranceM == 0 {
			return 0
		}
		return steps(w, "KG "+string(k.Code)+" tolerance", k.ToleranceM, perMetre)
	})
}

// putProvenance writes which processing each KG's data carries.
func putProvenance(w *column.Writer, k []KG) {
	text(w, k, func(k *KG) string { return k.Assembly })
	text(w, k, func(k *KG) string { return k.Ingest })
}

// counts are the integer facts of a KG in file order.
var counts = []func(*KG) *int{
	func(k *KG) *int { return &k.ParcelCount }, func(k *KG) *int { return &k.BuildingCount },
	func(k *KG) *int { return &k.FootprintCount }, func(k *KG) *int { return &k.LandUseCount },
	func(k *KG) *int { return &k.EZCount },
}

func usualKey(k *KG) string {
	return keys.Snapshot{Code: k.Code, Date: k.Snapshot.Date, Sum: hex.EncodeToString(k.Snapshot.SHA256[:8]), Form: keys.KGS}.String()
}

func putMunicipalities(w *column.Writer, m []Municipality) {
	text(w, m, func(m *Municipality) austria.GemeindeCode { return m.Code })
	text(w, m, func(m *Municipality) string { return m.Name })
	text(w, m, func(m *Municipality) austria.DistrictCode { return m.DistrictCode })
	text(w, m, func(m *Municipality) string { return m.DistrictName })
	points(w, m, func(m *Municipality) geom.Point { return m.At })
}

func putDistricts(w *column.Writer, d []District) {
	text(w, d, func(d *District) austria.DistrictCode { return d.Code })
	text(w, d, func(d *District) string { return d.Name })
	text(w, d, func(d *District) austria.StateCode { return d.State })
}

func putLocalities(w *column.Writer, l []Locality) {
	diffs(w, l, func(l *Locality) int32 { return int32(l.OKZ) })
	text(w, l, func(l *Locality) string { return l.Name })
	text(w, l, func(l *Locality) austria.GemeindeCode { return l.GemeindeCode })
	text(w, l, func(l *Locality) string { return l.GemeindeName })
	text(w, l, func(l *Locality) austria.KGCode { return l.KG })
	points(w, l, func(l *Locality) geom.Point { return l.At })
	var plz []string
	nums(w, l, func(l *Locality) uint64 {
		for _, p := range l.PLZ {
			plz = append(plz, string(p))
		}
		return uint64(len(l.PLZ))
	})
	w.List(len(plz))
	w.Text(plz)
}

func putPLZ(w *column.Writer, p []PostalPlace) {
	text(w, p, func(p *PostalPlace) austria.PLZ { return p.PLZ })
	text(w, p, func(p *PostalPlace) string { return p.Place })
	text(w, p, func(p *PostalPlace) austria.GemeindeCode { return p.GemeindeCode })
}
