package toponyms

import (
	"strings"

	"mappe/artefacts/internal/column"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func encode(name string, rows int, put func(*column.Writer)) ([]byte, error) {
	return column.EncodeAlone("toponyms", name, rows, put)
}

func decode(name string, b []byte, read func(r *column.Reader, rows int)) error {
	return column.DecodeAlone("toponyms", name, b, read)
}

func ints[T any](w *column.Writer, rows []T, of func(*T) int) {
	v := make([]uint64, len(rows))
	for i := range rows {
		n := of(&rows[i])
		if n < 0 {
			w.Fail("row %d has the number %d", i, n)
		}
		v[i] = uint64(n)
	}
	w.Ints(v)
}

func signed[T any](w *column.Writer, rows []T, of func(*T) int64) {
	v := make([]int64, len(rows))
	for i := range rows {
		v[i] = of(&rows[i])
	}
	w.Signed(v)
}

func readInts(r *column.Reader, n int, set func(i, v int)) {
	for i, v := range column.Ints[uint32](r, n) {
		set(i, int(v))
	}
}

func readLayers(r *column.Reader, n int, set func(i int, l Layer)) {
	readInts(r, n, func(i, v int) {
		if v >= len(layers) {
			r.Fail("name of the layer %d", v)
			v = 0
		}
		set(i, Layer(v))
	})
}

// encodeCell writes the names of a cell.
func encodeCell(c Cell, rows []Name) ([]byte, error) {
	x0, y0 := c.corner()
	return encode("cell", len(rows), func(w *column.Writer) {
		column.Texts(w, rows, func(n *Name) string { return n.ID })
		ints(w, rows, func(n *Name) int { return int(n.Layer) })
		ints(w, rows, func(n *Name) int { return n.Code })
		column.Texts(w, rows, func(n *Name) string { return n.Feature })
		column.Texts(w, rows, func(n *Name) string { return n.Name })
		column.Texts(w, rows, func(n *Name) string { return n.Variant })
		column.Texts(w, rows, func(n *Name) string { return othersText(n.Others) })
		ints(w, rows, func(n *Name) int { return n.Elevation - NoElevation })
		column.Texts(w, rows, func(n *Name) string { return string(n.KG) })
		signed(w, rows, func(n *Name) int64 { return int64(n.At.X) - x0 })
		signed(w, rows, func(n *Name) int64 { return int64(n.At.Y) - y0 })
		ints(w, rows, func(n *Name) int { return n.Year })
	})
}

func othersText(list []Other) string {
	parts := make([]string, len(list))
	for i, o := range list {
		parts[i] = o.Language + " " + o.Name
	}
	return strings.Join(parts, "\n")
}

func parseOthers(s string) (list []Other) {
	if s == "" {
		return nil
	}
	for line := range strings.SplitSeq(s, "\n") {
		language, name, _ := strings.Cut(line, " ")
		list = append(list, Other{language, name})
	}
	return list
}

// DecodeCell reads the names of a cell of any bytes, and says what they take in memory.
func DecodeCell(c Cell, b []byte) (rows []Name, cost int64, err error) {
	x0, y0 := c.corner()
	err = decode("cell", b, func(r *column.Reader, n int) {
		rows = make([]Name, n)
		r.EachText(n, func(i int, s string) { rows[i].ID = s })
		readLayers(r, n, func(i int, l Layer) { rows[i].Layer = l })
		readInts(r, n, func(i, v int) { rows[i].Code = v })
		r.EachText(n, func(i int, s string) { rows[i].Feature = s })
		r.EachText(n, func(i int, s string) { rows[i].Name = s })
		r.EachText(n, func(i int, s string) { rows[i].Variant = s })
		r.EachText(n, func(i int, s string) { rows[i].Others = parseOthers(s) })
		readInts(r, n, func(i, v int) { rows[i].Elevation = v + NoElevation })
		r.EachText(n, func(i int, s string) {
			if rows[i].KG = austria.KGCode(s); len(s) != 5 && s != "" {
				r.Fail("name in the KG %.20q", s)
			}
		})
		x, y := column.Ints[uint32](r, n), column.Ints[uint32](r, n)
		for i := range rows {
			rows[i].At = geom.Point{X: int32(x0 + column.Unzig(uint64(x[i]))), Y: int32(y0 + column.Unzig(uint64(y[i])))}
		}
		readInts(r, n, func(i, v int) { rows[i].Year = v })
		for i := range rows {
			cost += int64(280 + len(rows[i].Name) + len(rows[i].Variant))
		}
	})
	return rows, cost, err
}

func encodeRefs(name string, rows []Ref) ([]byte, error) {
	return encode(name, len(rows), func(w *column.Writer) {
		column.Texts(w, rows, func(r *Ref) string { return r.Key })
		ints(w, rows, func(r *Ref) int { return r.Number })
	})
}

// DecodeRefs reads numbers under texts, in the order of the texts, of any bytes.
func DecodeRefs(b []byte) (rows []Ref, cost int64, err error) {
	err = decode("refs", b, func(r *column.Reader, n int) {
		rows = make([]Ref, n)
		r.EachText(n, func(i int, s string) { rows[i].Key = s })
		readInts(r, n, func(i, v int) { rows[i].Number = v })
		for i := 1; i < n; i++ {
			if rows[i-1].Key > rows[i].Key {
				r.Fail("row %d is out of order", i)
				return
			}
		}
	})
	return rows, int64(len(rows))*64 + 64, err
}

func encodeSearch(rows []Entry) ([]byte, error) {
	return encode(SearchSection, len(rows), func(w *column.Writer) {
		column.Texts(w, rows, func(e *Entry) string { return e.Key })
		ints(w, rows, func(e *Entry) int { return e.Number })
		ints(w, rows, func(e *Entry) int { return int(e.Layer) })
		column.Texts(w, rows, func(e *Entry) string { return string(e.KG) })
		signed(w, rows, func(e *Entry) int64 { return int64(e.At.X) })
		signed(w, rows, func(e *Entry) int64 { return int64(e.At.Y) })
	})
}

func decodeSearch(b []byte) (rows []Entry, err error) {
	err = decode(SearchSection, b, func(r *column.Reader, n int) {
		rows = make([]Entry, n)
		r.EachText(n, func(i int, s string) { rows[i].Key = s })
		readInts(r, n, func(i, v int) { rows[i].Number = v })
		readLayers(r, n, func(i int, l Layer) { rows[i].Layer = l })
		r.EachText(n, func(i int, s string) { rows[i].KG = austria.KGCode(s) })
		x, y := column.Ints[uint32](r, n), column.Ints[uint32](r, n)
		for i := range rows {
			rows[i].At = geom.Point{X: int32(column.Unzig(uint64(x[i]))), Y: int32(column.Unzig(uint64(y[i])))}
		}
	})
	return rows, err
}

func encodeStats(rows []Count) ([]byte, error) {
	return encode(StatsSection, len(rows), func(w *column.Writer) {
		ints(w, rows, func(c *Count) int { return int(c.Layer) })
		ints(w, rows, func(c *Count) int { return c.Code })
		column.Texts(w, rows, func(c *Count) string { return c.Feature })
		ints(w, rows, func(c *Count) int { return c.N })
	})
}

// DecodeStats reads the numbers of names of any bytes.
func DecodeStats(b []byte) (rows []Count, cost int64, err error) {
	err = decode(StatsSection, b, func(r *column.Reader, n int) {
		rows = make([]Count, n)
		readLayers(r, n, func(i int, l Layer) { rows[i].Layer = l })
		readInts(r, n, func(i, v int) { rows[i].Code = v })
		r.EachText(n, func(i int, s string) { rows[i].Feature = s })
		readInts(r, n, func(i, v int) { rows[i].N = v })
	})
	return rows, int64(len(rows))*64 + 64, err
}

// Encode writes a head.
func (h *Head) Encode() ([]byte, error) {
	return encode("head", len(h.Parts), func(w *column.Writer) {
		w.Text([]string{h.Stichtag, h.Attribution})
		ints(w, h.Parts, func(p *Part) int { return p.Row })
		ints(w, h.Parts, func(p *Part) int { return p.Column })
		ints(w, h.Parts, func(p *Part) int { return p.N })
	})
}

// DecodeHead reads a head of any bytes.
func DecodeHead(b []byte) (h Head, err error) {
	err = decode("head", b, func(r *column.Reader, n int) {
		said := r.Text(2)
		h.Stichtag, h.Attribution, h.Parts = said[0], said[1], make([]Part, n)
		readInts(r, n, func(i, v int) { h.Parts[i].Row = v })
		readInts(r, n, func(i, v int) { h.Parts[i].Column = v })
		readInts(r, n, func(i, v int) { h.Parts[i].N = v })
		for i := range h.Parts {
			h.Parts[i].First = h.Total
			if h.Total += h.Parts[i].N; h.Total > maxNames {
				r.Fail("%d names: at most %d are read", h.Total, maxNames)
				return
			}
		}
	})
	return h, err
}

// maxNames bounds the names of a country: Austria has some 233,000.
const maxNames = 1 << 24
