package prices

import (
	"encoding/binary"
	"fmt"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/landprice"
)

// Decode reads the artefact. Foreign bytes give an error, never a panic or an unbounded allocation.
func Decode(b []byte) (*Contents, error) {
	d, err := sectionfile.Parse(b)
	if err != nil {
		return nil, err
	}
	if d.Family() != Family || d.Size() != int64(len(b)) {
		return nil, fmt.Errorf("prices: family %s of %d bytes in %d: expected %s, whole", d.Family(), d.Size(), len(b), Family)
	}
	c := &Contents{}
	err = unseal(headName, d.Head(), 1, func(r *column.Reader, n int) {
		if v := r.Count(1 << 16); v != version && r.Err == nil {
			r.Fail("version %d: this program reads version %d", v, version)
		}
		r.EachText(n, func(_ int, s string) { c.Attribution = s })
		r.EachText(n, func(_ int, s string) { c.Model = s })
	})
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name string
		most int
		read func(*column.Reader, int)
	}{
		{kgsName, maxKGs, func(r *column.Reader, n int) { c.KGs = readKGs(r, n) }},
		{seriesTab, maxSeries, func(r *column.Reader, n int) { c.Rows = readSeries(r, n) }},
	} {
		i, ok := d.Find(s.name)
		if !ok {
			return nil, fmt.Errorf("prices: section %s is missing", s.name)
		}
		at, length := d.Range(i)
		body, err := d.Decode(i, b[at:at+length])
		if err != nil {
			return nil, err
		}
		if err := unseal(s.name, body, s.most, s.read); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func unseal(name string, b []byte, most int, read func(r *column.Reader, rows int)) error {
	if len(b) < 8 {
		return fmt.Errorf("prices: section %s of %d bytes: %w", name, len(b), column.ErrShort)
	}
	rows, raw := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	body := b[8:]
	if rows > most || rows > column.RowLimit(len(body)) || raw > column.RawLimit(len(body)) {
		return fmt.Errorf("prices: section %s of %d bytes for %d rows and %d decoded bytes: too many", name, len(body), rows, raw)
	}
	if err := (column.Section{Name: name, Body: body, Raw: raw, Rows: rows}).Read(read); err != nil {
		return fmt.Errorf("prices: %w", err)
	}
	return nil
}

func readKGs(r *column.Reader, n int) []KG {
	kgs := make([]KG, n)
	code := uint64(0)
	for i, step := range column.Ints[uint32](r, n) {
		code += uint64(step)
		if code > 99999 || i > 0 && step == 0 {
			r.Fail("KG code %d: expected rising codes of 5 digits", code)
			return nil
		}
		kgs[i].Code = austria.KGCode(fmt.Sprintf("%05d", code))
	}
	r.EachText(n, func(i int, s string) { kgs[i].GemeindeCode = austria.GemeindeCode(s) })
	sums := r.Plain(n * sumBytes)
	for i := range kgs {
		if r.Err != nil {
			return nil
		}
		copy(kgs[i].File[:], sums[i*sumBytes:])
	}
	for _, c := range landprice.AllClasses() {
		of := func(i int) *landprice.Sums { return kgs[i].Tally.Of(c) }
		eachInt(r, n, func(i int, v float64) { of(i).Parcels = int(v) })
		eachInt(r, n, func(i int, v float64) { of(i).AreaSqm = v / perSqm })
		eachInt(r, n, func(i int, v float64) { of(i).WeightedSqm = v / perSqm })
		for i, q := range column.Ints[uint64](r, n) {
			of(i).LogFactors = float64(column.Unzig(q)) / perLog
		}
	}
	eachInt(r, n, func(i int, v float64) { kgs[i].Tally.FootprintSqm = v / perSqm })
	eachInt(r, n, func(i int, v float64) { kgs[i].Tally.LivingSqm = v / perSqm })
	return kgs
}

func eachInt(r *column.Reader, n int, set func(i int, v float64)) {
	for i, q := range column.Ints[uint64](r, n) {
		if q > column.MaxSteps {
			r.Fail("value %d is too large", q)
			return
		}
		set(i, float64(q))
	}
}

func readSeries(r *column.Reader, n int) []Row {
	levels := column.Ints[uint8](r, n)
	codes := make([]string, n)
	r.EachText(n, func(i int, s string) { codes[i] = s })
	kinds := column.Ints[uint8](r, n)
	counts := column.Ints[uint32](r, n)
	total := min(r.List(), maxValues)
	ends := column.Ends(r, counts, total)
	years := column.Ints[uint8](r, total)
	eur := column.Ints[uint64](r, total)
	if r.Err != nil {
		return nil
	}
	rows := make([]Row, 0, total)
	at := uint32(0)
	for i, end := range ends {
		row := Row{Level: landprice.Level(levels[i]), Code: codes[i], Kind: landprice.SeriesKind(kinds[i])}
		known := row.Level.String() != "" && row.Kind.String() != ""
		for ; at < end; at++ {
			row.Year, row.EUR = landprice.FirstYear+int(years[at]), float64(eur[at])/perEUR
			if row.Year > landprice.LastYear || !(row.EUR > 0 && row.EUR <= MaxEUR) {
				r.Fail("series %d: %v EUR in %d is not allowed", i, row.EUR, row.Year)
				return nil
			}
			if known {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// Book makes the series of the rows.
func Book(rows []Row) (*landprice.Book, error) {
	starts, err := seriesOf(rows)
	if err != nil {
		return nil, err
	}
	b := landprice.NewBook()
	for i, s := range starts {
		end := len(rows)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		points := make([]landprice.Observation, 0, end-s)
		for _, r := range rows[s:end] {
			points = append(points, landprice.Observation{Year: r.Year, EUR: r.EUR})
		}
		series, err := landprice.NewSeries(points)
		if err != nil {
			return nil, fmt.Errorf("prices: %s %s %s: %w", rows[s].Level, rows[s].Code, rows[s].Kind, err)
		}
		b.Put(landprice.Key{Level: rows[s].Level, Code: rows[s].Code, Kind: rows[s].Kind}, series)
	}
	return b, nil
}
