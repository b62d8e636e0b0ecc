package prices

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/landprice"
)

const (
	version   = 1
	perEUR    = 1000
	perSqm    = 100
	perLog    = 1_000_000
	sumBytes  = 8
	headName  = "head"
	kgsName   = "kgs"
	seriesTab = "series"
)

// Encode writes the artefact. The same contents give the same bytes; rows out of order are errors.
func Encode(c *Contents) ([]byte, error) {
	head, err := sealed(headName, 1, func(w *column.Writer) {
		w.Count(version)
		w.Text([]string{c.Attribution})
		w.Text([]string{c.Model})
	})
	if err != nil {
		return nil, err
	}
	kgs, err := sealed(kgsName, len(c.KGs), func(w *column.Writer) { putKGs(w, c.KGs) })
	if err != nil {
		return nil, err
	}
	starts, err := seriesOf(c.Rows)
	if err != nil {
		return nil, err
	}
	series, err := sealed(seriesTab, len(starts), func(w *column.Writer) { putSeries(w, c.Rows, starts) })
	if err != nil {
		return nil, err
	}
	return sectionfile.Encode(Family, head, []sectionfile.Section{{Name: kgsName, Body: kgs}, {Name: seriesTab, Body: series}})
}

func sealed(name string, rows int, write func(*column.Writer)) ([]byte, error) {
	s, err := column.Format{}.Section(name, rows, write)
	if err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	b := make([]byte, 8, 8+len(s.Body))
	binary.LittleEndian.PutUint32(b, uint32(rows))
	binary.LittleEndian.PutUint32(b[4:], uint32(s.Raw))
	return append(b, s.Body...), nil
}

func putKGs(w *column.Writer, kgs []KG) {
	codes := make([]uint64, len(kgs))
	gems := make([]string, len(kgs))
	sums := make([]byte, 0, len(kgs)*sumBytes)
	last := uint64(0)
	for i := range kgs {
		n, err := strconv.ParseUint(string(kgs[i].Code), 10, 32)
		if err != nil || i > 0 && n <= last {
			w.Fail("KG %q: expected rising codes of digits", kgs[i].Code)
		}
		codes[i], last = n-last, n
		gems[i] = string(kgs[i].GemeindeCode)
		sums = append(sums, kgs[i].File[:]...)
	}
	w.Ints(codes)
	w.Text(gems)
	w.Plain(sums)
	for _, c := range landprice.AllClasses() {
		of := func(i int) *landprice.Sums { return kgs[i].Tally.Of(c) }
		putInts(w, len(kgs), func(i int) float64 { return float64(of(i).Parcels) }, 1)
		putInts(w, len(kgs), func(i int) float64 { return of(i).AreaSqm }, perSqm)
		putInts(w, len(kgs), func(i int) float64 { return of(i).WeightedSqm }, perSqm)
		logs := make([]int64, len(kgs))
		for i := range kgs {
			logs[i] = int64(math.Round(of(i).LogFactors * perLog))
		}
		w.Signed(logs)
	}
	putInts(w, len(kgs), func(i int) float64 { return kgs[i].Tally.FootprintSqm }, perSqm)
	putInts(w, len(kgs), func(i int) float64 { return kgs[i].Tally.LivingSqm }, perSqm)
}

func putInts(w *column.Writer, n int, value func(i int) float64, per float64) {
	out := make([]uint64, n)
	for i := range out {
		q := math.Round(value(i) * per)
		if !(q >= 0 && q <= column.MaxSteps) {
			w.Fail("KG %d: %v is not allowed: expected 0 to %v", i, value(i), float64(column.MaxSteps)/per)
			return
		}
		out[i] = uint64(q)
	}
	w.Ints(out)
}

// Compare is the order of the rows.
func Compare(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Year, b.Year))
}

// seriesOf is where the series begin among the rows.
func seriesOf(rows []Row) ([]int, error) {
	var starts []int
	for i, r := range rows {
		if i > 0 && Compare(rows[i-1], r) >= 0 {
			return nil, fmt.Errorf("prices: %s %s %s %d stands behind a row that does not come before it", r.Level, r.Code, r.Kind, r.Year)
		}
		if r.Level.String() == "" || r.Kind.String() == "" || r.Year < landprice.FirstYear || r.Year > landprice.LastYear ||
			!(r.EUR >= 1.0/perEUR && r.EUR <= MaxEUR) {
			return nil, fmt.Errorf("prices: row %+v: expected a level, a kind, a year from %d to %d and 0.001 to %d EUR", r,
				landprice.FirstYear, landprice.LastYear, MaxEUR)
		}
		if i == 0 || rows[i-1].Level != r.Level || rows[i-1].Code != r.Code || rows[i-1].Kind != r.Kind {
			starts = append(starts, i)
		}
	}
	return starts, nil
}

// MaxEUR bounds a price.
const MaxEUR = 10_000_000

func putSeries(w *column.Writer, rows []Row, starts []int) {
	var levels, kinds, counts []uint64
	var codes []string
	for i, s := range starts {
		end := len(rows)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		levels, kinds = append(levels, uint64(rows[s].Level)), append(kinds, uint64(rows[s].Kind))
		codes, counts = append(codes, rows[s].Code), append(counts, uint64(end-s))
	}
	years, eur := make([]uint64, len(rows)), make([]uint64, len(rows))
	for i, r := range rows {
		years[i], eur[i] = uint64(r.Year-landprice.FirstYear), uint64(math.Round(r.EUR*perEUR))
	}
	w.Ints(levels)
	w.Text(codes)
	w.Ints(kinds)
	w.Ints(counts)
	w.List(len(rows))
	w.Ints(years)
	w.Ints(eur)
}

// Sort puts rows into the order of the artefact.
func Sort(rows []Row) { slices.SortStableFunc(rows, Compare) }
