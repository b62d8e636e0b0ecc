package overlays

import (
	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func putSites(w *column.Writer, rows []Site) {
	column.Texts(w, rows, func(s *Site) string { return s.Code })
	column.Texts(w, rows, func(s *Site) string { return s.Name })
	ints(w, rows, func(s *Site) uint64 { return uint64(s.Type) })
	ints(w, rows, func(s *Site) uint64 { return quantise(w, s.AreaHa, perHa) })
	ints(w, rows, func(s *Site) uint64 { return uint64(s.Tags) })
	ints(w, rows, func(s *Site) uint64 { return uint64(s.Features) })
	boxes(w, rows, func(s *Site) geom.Box { return s.Box })
}

func readSites(r *column.Reader, n int) []Site {
	rows := make([]Site, n)
	readTexts(r, rows, func(s *Site) *string { return &s.Code })
	readTexts(r, rows, func(s *Site) *string { return &s.Name })
	readInts(r, rows, func(s *Site, v uint64) {
		if s.Type = SiteType(v); v > 'C' || v < 'A' {
			r.Fail("site of type %d", v)
		}
	})
	readInts(r, rows, func(s *Site, v uint64) { s.AreaHa = column.Value(v, perHa) })
	readInts(r, rows, func(s *Site, v uint64) { s.Tags = HabitatSet(v) })
	readInts(r, rows, func(s *Site, v uint64) { s.Features = int(v) })
	readBoxes(r, rows, func(s *Site) *geom.Box { return &s.Box })
	for i := 1; i < n && r.Err == nil; i++ {
		if rows[i-1].Code >= rows[i].Code {
			r.Fail("sites out of order at %.20q", rows[i].Code)
		}
	}
	return rows
}

func encodeSites(rows []Site) ([]byte, error) {
	return encode("sites", len(rows), func(w *column.Writer) { putSites(w, rows) })
}

// DecodeSites reads the rows of sites of any bytes.
func DecodeSites(b []byte) (rows []Site, err error) {
	err = decode("sites", b, func(r *column.Reader, n int) { rows = readSites(r, n) })
	return rows, err
}

func putAreas(w *column.Writer, rows []Area) {
	for _, of := range areaTexts {
		column.Texts(w, rows, func(a *Area) string { return *of(a) })
	}
	ints(w, rows, func(a *Area) uint64 { return quantise(w, a.RepArea, perKm2) })
	ints(w, rows, func(a *Area) uint64 { return quantise(w, a.GISArea, perKm2) })
	boxes(w, rows, func(a *Area) geom.Box { return a.Box })
}

func readAreas(r *column.Reader, n int) []Area {
	rows := make([]Area, n)
	for _, to := range areaTexts {
		readTexts(r, rows, to)
	}
	readInts(r, rows, func(a *Area, v uint64) { a.RepArea = column.Value(v, perKm2) })
	readInts(r, rows, func(a *Area, v uint64) { a.GISArea = column.Value(v, perKm2) })
	readBoxes(r, rows, func(a *Area) *geom.Box { return &a.Box })
	return rows
}

func encodeAreas(rows []Area) ([]byte, error) {
	return encode("areas", len(rows), func(w *column.Writer) { putAreas(w, rows) })
}

var areaTexts = []func(*Area) *string{
	func(a *Area) *string { return &a.Name }, func(a *Area) *string { return &a.Desig }, func(a *Area) *string { return &a.DesigEng },
	func(a *Area) *string { return &a.DesigType }, func(a *Area) *string { return &a.IUCN }, func(a *Area) *string { return &a.Realm },
}

// DecodeAreas reads the rows of protected areas of any bytes.
func DecodeAreas(b []byte) (rows []Area, err error) {
	err = decode("areas", b, func(r *column.Reader, n int) { rows = readAreas(r, n) })
	return rows, err
}

func putMunicipalities(w *column.Writer, rows []Municipality) {
	column.Texts(w, rows, func(m *Municipality) string { return string(m.Code) })
	column.Texts(w, rows, func(m *Municipality) string { return m.Name })
	boxes(w, rows, func(m *Municipality) geom.Box { return m.Box })
}

func readMunicipalities(r *column.Reader, n int) []Municipality {
	rows := make([]Municipality, n)
	r.EachText(n, func(i int, s string) { rows[i].Code = austria.GemeindeCode(s) })
	readTexts(r, rows, func(m *Municipality) *string { return &m.Name })
	readBoxes(r, rows, func(m *Municipality) *geom.Box { return &m.Box })
	return rows
}

func encodeMunicipalities(rows []Municipality) ([]byte, error) {
	return encode("municipalities", len(rows), func(w *column.Writer) { putMunicipalities(w, rows) })
}

// DecodeMunicipalities reads the rows of municipalities of any bytes.
func DecodeMunicipalities(b []byte) (rows []Municipality, err error) {
	err = decode("municipalities", b, func(r *column.Reader, n int) { rows = readMunicipalities(r, n) })
	return rows, err
}

var lawTexts = []func(*Law) *string{
	func(l *Law) *string { return &l.Name }, func(l *Law) *string { return &l.Date }, func(l *Law) *string { return &l.URL },
	func(l *Law) *string { return &l.Number }, func(l *Law) *string { return &l.State }, func(l *Law) *string {
		return (*string)(&l.Context)
	},
}

func putLaws(w *column.Writer, rows []Law) {
	for _, of := range lawTexts {
		column.Texts(w, rows, func(l *Law) string { return *of(l) })
	}
}

func readLaws(r *column.Reader, n int) []Law {
	rows := make([]Law, n)
	for _, to := range lawTexts {
		readTexts(r, rows, to)
	}
	return rows
}

func encodeLaws(rows []Law) ([]byte, error) {
	return encode("laws", len(rows), func(w *column.Writer) { putLaws(w, rows) })
}

// DecodeLaws reads the rows of laws of any bytes.
func DecodeLaws(b []byte) (rows []Law, err error) {
	err = decode("laws", b, func(r *column.Reader, n int) { rows = readLaws(r, n) })
	return rows, err
}

func putRefs(w *column.Writer, rows []Ref) {
	column.Texts(w, rows, func(r *Ref) string { return string(r.GNR) })
	ints(w, rows, func(r *Ref) uint64 { return uint64(r.Law) })
	ints(w, rows, func(r *Ref) uint64 {
		v := uint64(r.List)
		if r.Partial {
			v |= 2
		}
		return v
	})
}

func readRefs(r *column.Reader, n int) []Ref {
	rows := make([]Ref, n)
	r.EachText(n, func(i int, s string) { rows[i].GNR = austria.GNR(s) })
	readInts(r, rows, func(f *Ref, v uint64) {
		if f.Law = int(v); v >= maxRows {
			r.Fail("reference to law %d", v)
		}
	})
	readInts(r, rows, func(f *Ref, v uint64) { f.List, f.Partial = ListType(v&1), v&2 != 0 })
	return rows
}

func encodeRefs(rows []Ref) ([]byte, error) {
	return encode("refs", len(rows), func(w *column.Writer) { putRefs(w, rows) })
}

// DecodeRefs reads the references of a KG of any bytes; laws is the number of laws.
func DecodeRefs(b []byte, laws int) (rows []Ref, err error) {
	err = decode("refs", b, func(r *column.Reader, n int) {
		rows = readRefs(r, n)
		for i := range rows {
			if rows[i].Law >= laws {
				r.Fail("reference to law %d of %d", rows[i].Law, laws)
			}
		}
	})
	return rows, err
}
