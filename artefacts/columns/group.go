package columns

import (
	"fmt"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
)

// Encode gives the section of a group. The table has its columns.
func (t *Table) Encode(g Group) ([]byte, error) {
	c, ok := codecs[g]
	if !ok {
		return nil, fmt.Errorf("columns: no group %q", g)
	}
	return encode(string(g), t.N, func(w *column.Writer) {
		w.Quick = true
		c.put(t, w)
	})
}

// Decode reads the section of a group, of rows rows; cost is what the table takes in memory, in bytes.
func Decode(g Group, rows int, b []byte) (t *Table, cost int64, err error) {
	c, ok := codecs[g]
	if !ok {
		return nil, 0, fmt.Errorf("columns: no group %q", g)
	}
	t = &Table{}
	err = decode(string(g), b, func(r *column.Reader, n int) {
		if n != rows {
			r.Fail("%d rows, expected %d", n, rows)
			return
		}
		t.N = n
		c.get(t, r)
	})
	if err != nil {
		return nil, 0, err
	}
	return t, t.memory(), nil
}

// With has the columns of these tables too, which are of the same rows.
func (t *Table) With(others ...*Table) *Table {
	j := *t
	for _, o := range others {
		j.add(o)
	}
	return &j
}

func (t *Table) add(o *Table) {
	t.N = max(t.N, o.N)
	take(&t.Areas, o.Areas)
	take(&t.Lon, o.Lon)
	take(&t.Lat, o.Lat)
	take(&t.Buildings, o.Buildings)
	take(&t.Footprints, o.Footprints)
	take(&t.BuiltAreas, o.BuiltAreas)
	take(&t.EZ, o.EZ)
	take(&t.Plots, o.Plots)
	take(&t.Main, o.Main)
	take(&t.Subs, o.Subs)
	take(&t.leads, o.leads)
	take(&t.Rows, o.Rows)
	take(&t.ShareEnds, o.ShareEnds)
	take(&t.ShareCodes, o.ShareCodes)
	take(&t.ShareAreas, o.ShareAreas)
	take(&t.Statuses, o.Statuses)
	take(&t.Sets, o.Sets)
	take(&t.Use, o.Use)
}

func take[T any](to *[]T, from []T) {
	if from != nil {
		*to = from
	}
}

// memory is what the columns take, about.
func (t *Table) memory() int64 {
	n := 8*(len(t.Areas)+len(t.BuiltAreas)+len(t.Main)+len(t.Subs)+len(t.leads)+len(t.ShareAreas)) +
		4*(len(t.Lon)+len(t.Lat)+len(t.Buildings)+len(t.Footprints)+len(t.EZ)+len(t.Rows)+len(t.ShareEnds)+len(t.Use)) +
		len(t.Plots) + len(t.ShareCodes) + len(t.Statuses) + 32*len(t.Sets)
	return int64(n) + 512
}

// codec is how the columns of a group are written and read.
type codec struct {
	put func(t *Table, w *column.Writer)
	get func(t *Table, r *column.Reader)
}

var codecs = map[Group]codec{
	Area: {func(t *Table, w *column.Writer) { w.Ints(t.Areas) }, func(t *Table, r *column.Reader) {
		t.Areas = column.Ints[uint64](r, t.N)
	}},
	At: {
		func(t *Table, w *column.Writer) { w.Signed(differences(t.Lon)); w.Signed(differences(t.Lat)) },
		func(t *Table, r *column.Reader) { t.Lon, t.Lat = sums(r, t.N), sums(r, t.N) },
	},
	Built: {
		func(t *Table, w *column.Writer) {
			w.Ints(wide(t.Buildings))
			w.Ints(wide(t.Footprints))
			w.Ints(t.BuiltAreas)
		},
		func(t *Table, r *column.Reader) {
			t.Buildings, t.Footprints, t.BuiltAreas = column.Ints[uint32](r, t.N), column.Ints[uint32](r, t.N), column.Ints[uint64](r, t.N)
		},
	},
	Folio: {func(t *Table, w *column.Writer) { w.Ints(wide(t.EZ)) }, func(t *Table, r *column.Reader) {
		t.EZ = column.Ints[uint32](r, t.N)
	}},
	Number: {
		func(t *Table, w *column.Writer) { w.Ints(wide(t.Plots)); w.Signed(differences(t.Main)); w.Ints(t.Subs) },
		getNumber,
	},
	Row: {func(t *Table, w *column.Writer) { w.Ints(wide(t.Rows)) }, func(t *Table, r *column.Reader) {
		t.Rows = column.Ints[uint32](r, t.N)
	}},
	Share: {putShare, getShare},
	Status: {func(t *Table, w *column.Writer) { w.Ints(wide(t.Statuses)) }, func(t *Table, r *column.Reader) {
		t.Statuses = column.Ints[uint8](r, t.N)
	}},
	Use: {putUse, getUse},
}

func getNumber(t *Table, r *column.Reader) {
	t.Plots = column.Ints[uint8](r, t.N)
	t.Main = column.Ints[uint64](r, t.N)
	last := int64(0)
	for i, u := range t.Main {
		last += column.Unzig(u)
		t.Main[i] = uint64(last)
	}
	if t.Subs = column.Ints[uint64](r, t.N); r.Err == nil {
		t.lead()
	}
}

func putShare(t *Table, w *column.Writer) {
	sizes := make([]uint64, t.N)
	for i := range sizes {
		lo, hi := t.Shares(i)
		sizes[i] = uint64(hi - lo)
	}
	w.List(len(t.ShareCodes))
	w.Ints(sizes)
	w.Ints(wide(t.ShareCodes))
	w.Ints(t.ShareAreas)
}

func getShare(t *Table, r *column.Reader) {
	n := r.List()
	t.ShareEnds = column.Ends(r, column.Ints[uint32](r, t.N), n)
	t.ShareCodes = column.Ints[uint8](r, n)
	t.ShareAreas = column.Ints[uint64](r, n)
}

func putUse(t *Table, w *column.Writer) {
	w.List(len(t.Sets))
	putSets(w, t.Sets)
	w.Ints(wide(t.Use))
}

func getUse(t *Table, r *column.Reader) {
	n := r.List()
	t.Sets = getSets(r, n)
	t.Use = column.Ints[uint32](r, t.N)
	if i := slices.IndexFunc(t.Use, func(u uint32) bool { return int(u) >= n }); i >= 0 {
		r.Fail("row %d names set %d of %d", i, t.Use[i], n)
	}
}

func putSets(w *column.Writer, sets []austria.LandUseSet) {
	for k := range setWords {
		words := make([]uint64, len(sets))
		for i := range sets {
			words[i] = sets[i][k]
		}
		w.Ints(words)
	}
}

func getSets(r *column.Reader, n int) []austria.LandUseSet {
	sets := make([]austria.LandUseSet, n)
	for k := range setWords {
		for i, word := range column.Ints[uint64](r, n) {
			sets[i][k] = word
		}
	}
	return sets
}

// setWords is the number of words of a set.
const setWords = len(austria.LandUseSet{})

type number interface {
	~uint8 | ~uint32 | ~uint64 | ~int32
}

// wide are small numbers as the writer takes them.
func wide[T number](v []T) []uint64 {
	out := make([]uint64, len(v))
	for i, x := range v {
		out[i] = uint64(x)
	}
	return out
}

// differences are those to the number before.
func differences[T number](v []T) []int64 {
	out := make([]int64, len(v))
	last := int64(0)
	for i, x := range v {
		out[i] = int64(x) - last
		last = int64(x)
	}
	return out
}

// sums is the inverse of differences.
func sums(r *column.Reader, n int) []int32 {
	out := make([]int32, n)
	last := int64(0)
	for i, u := range column.Ints[uint64](r, n) {
		last += column.Unzig(u)
		out[i] = int32(last)
	}
	return out
}
