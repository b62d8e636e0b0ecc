package rasters

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/keys"
	"mappe/artefacts/sectionfile"
)

const (
	format = 2
	// maxTiles bounds the tiles of a section: 10 layers of 20 dates in tiles of 1 km.
	maxTiles = 20_000
)

// Head is the family's head of an artefact of these layers, which it brings into their order.
func Head(layers []Listed) ([]byte, error) {
	slices.SortFunc(layers, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.Layer.Layer, b.Layer.Layer), cmp.Compare(a.Date, b.Date))
	})
	x := Index{Format: format, Layers: make([]Layer, len(layers))}
	for i := range layers {
		l := &layers[i]
		l.Tiles.Sort()
		l.number, l.Count, l.Bytes, l.KnownKm = i, len(l.Tiles), 0, 0
		known := 0
		for _, t := range l.Tiles {
			l.Bytes += t.Bytes
			known += t.Known
		}
		l.KnownKm = float64(known) * l.Step * l.Step / 1e6
		x.Layers[i] = l.Layer
	}
	return json.Marshal(x)
}

// Fill adds the sections of the artefact to a file; layers are in the order that Head has brought them into.
func Fill(b *sectionfile.Builder, layers []Listed) error {
	type at struct{ layer, tile int }
	squares := map[string][]at{}
	for i := range layers {
		for k, t := range layers[i].Tiles {
			if !Within(t.E, t.N) || t.Km != layers[i].TileKm {
				return fmt.Errorf("rasters: a tile at %d, %d km of %d km", t.E, t.N, t.Km)
			}
			name := SquareName(t.E, t.N)
			squares[name] = append(squares[name], at{i, k})
		}
	}
	names := make([]string, 0, len(squares))
	for name := range squares {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		tiles := make([]Tiles, len(layers))
		for _, a := range squares[name] {
			tiles[a.layer] = append(tiles[a.layer], layers[a.layer].Tiles[a.tile])
		}
		if err := AddSquare(b, name, tiles); err != nil {
			return err
		}
	}
	return nil
}

// AddSquare adds the section of a square to a file: the tiles in it by the number of their layer. Names rise.
func AddSquare(b *sectionfile.Builder, name string, tiles []Tiles) error {
	var rows []row
	for i, list := range tiles {
		for _, t := range list {
			rows = append(rows, row{i, t})
		}
	}
	body, err := encodeSquare(name, rows)
	if err != nil {
		return err
	}
	return b.Add(name, body)
}

// Encode is an artefact that fits in memory.
func Encode(layers []Listed) ([]byte, error) {
	head, err := Head(layers)
	if err != nil {
		return nil, err
	}
	return sectionfile.EncodeFilled(PartsFamily, head, func(b *sectionfile.Builder) error { return Fill(b, layers) })
}

// row is a tile of a layer.
type row struct {
	layer int
	Tile
}

func encodeSquare(name string, rows []row) ([]byte, error) {
	if len(rows) > maxTiles {
		return nil, fmt.Errorf("rasters: square %s has %d tiles, at most %d are allowed", name, len(rows), maxTiles)
	}
	ints := func(of func(*row) int) []uint64 {
		v := make([]uint64, len(rows))
		for i := range rows {
			v[i] = uint64(of(&rows[i]))
		}
		return v
	}
	var sums, covers []byte
	for i := range rows {
		sum, err := hex.DecodeString(rows[i].SHA256)
		if err != nil || len(sum) != 32 {
			return nil, fmt.Errorf("rasters: square %s: %.80q is no SHA-256", name, rows[i].SHA256)
		}
		sums, covers = append(sums, sum...), append(covers, rows[i].Cover...)
	}
	return column.EncodeAlone("rasters", name, len(rows), func(w *column.Writer) {
		w.Ints(ints(func(r *row) int { return r.layer }))
		w.Ints(ints(func(r *row) int { return r.E % SquareKm }))
		w.Ints(ints(func(r *row) int { return r.N % SquareKm }))
		w.Ints(ints(func(r *row) int { return int(r.Bytes) }))
		w.Ints(ints(func(r *row) int { return r.Known }))
		column.Texts(w, rows, func(r *row) string { return r.Inputs })
		w.Ints(ints(func(r *row) int { return len(r.Cover) }))
		w.Plain(sums)
		w.Count(len(covers))
		w.Plain(covers)
	})
}

// ParseHead reads the family's head of an artefact.
func ParseHead(b []byte) (*Index, error) {
	x := &Index{}
	if err := json.Unmarshal(b, x); err != nil {
		return nil, fmt.Errorf("index of rasters: %w", err)
	}
	if x.Format != format {
		return nil, fmt.Errorf("index of rasters: format %d, this program reads %d", x.Format, format)
	}
	for i := range x.Layers {
		l := &x.Layers[i]
		l.number = i
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("index of rasters: layer %.40q of %.20q: %w", l.Layer, l.Date, err)
		}
		if i > 0 && cmp.Or(cmp.Compare(x.Layers[i-1].Layer, l.Layer), cmp.Compare(x.Layers[i-1].Date, l.Date)) >= 0 {
			return nil, fmt.Errorf("index of rasters: layer %.40q of %.20q does not stand behind %.40q", l.Layer, l.Date,
				x.Layers[i-1].Layer)
		}
	}
	return x, nil
}

// Square are the tiles in a square of 10 km, by the number of their layer.
type Square struct {
	of [][]Tile
}

// Of are the tiles of a layer in the square.
func (s *Square) Of(l *Layer) Tiles {
	if l.number >= len(s.of) {
		return nil
	}
	return s.of[l.number]
}

// Memory is about what the tiles take, in bytes.
func (s *Square) Memory() int64 {
	n := int64(24 * len(s.of))
	for _, tiles := range s.of {
		for _, t := range tiles {
			n += int64(160 + len(t.Key) + len(t.SHA256) + len(t.Inputs) + len(t.Cover))
		}
	}
	return n
}

// ParseSquare reads the section of a name.
func ParseSquare(x *Index, name string, body []byte) (*Square, error) {
	var e, n int
	if _, err := fmt.Sscanf(name, "N%03dE%03d", &n, &e); err != nil || SquareName(e*SquareKm, n*SquareKm) != name {
		return nil, fmt.Errorf("rasters: %.40q is no square", name)
	}
	s := &Square{of: make([][]Tile, len(x.Layers))}
	err := column.DecodeAlone("rasters", name, body, func(r *column.Reader, rows int) {
		if rows > maxTiles {
			r.Fail("%d tiles, at most %d are read", rows, maxTiles)
			return
		}
		layer, east, north := column.Ints[uint32](r, rows), column.Ints[uint32](r, rows), column.Ints[uint32](r, rows)
		bytes, known := column.Ints[uint64](r, rows), column.Ints[uint32](r, rows)
		inputs := r.Text(rows)
		lengths := column.Ints[uint32](r, rows)
		sums := r.Plain(32 * rows)
		covers := r.Plain(r.Count(maxTiles * coverBytes(SquareKm)))
		if r.Err != nil {
			return
		}
		for i := range rows {
			if int(layer[i]) >= len(x.Layers) || east[i] >= SquareKm || north[i] >= SquareKm || int(lengths[i]) > len(covers) {
				r.Fail("tile %d of layer %d at %d, %d", i, layer[i], east[i], north[i])
				return
			}
			l := &x.Layers[layer[i]]
			t := Tile{E: e*SquareKm + int(east[i]), N: n*SquareKm + int(north[i]), Km: l.TileKm, Known: int(known[i]), Inputs: inputs[i]}
			t.Bytes, t.SHA256 = int64(bytes[i]), hex.EncodeToString(sums[32*i:32*i+32])
			t.Key = keys.Raster{Layer: l.Layer, Date: l.Date, E: t.E, N: t.N, Sum: t.SHA256[:16]}.String()
			if lengths[i] > 0 {
				t.Cover, covers = slices.Clone(covers[:lengths[i]]), covers[lengths[i]:]
			}
			list := s.of[layer[i]]
			if err := l.checkTile(&t, list); err != nil {
				r.Fail("tile %d: %v", i, err)
				return
			}
			s.of[layer[i]] = append(list, t)
		}
		if len(covers) > 0 {
			r.Fail("%d bytes of covers too much", len(covers))
		}
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// checkTile refuses a tile that does not stand behind those before it, or does not belong to the layer.
func (l *Layer) checkTile(t *Tile, before []Tile) error {
	if t.E%l.TileKm != 0 || t.N%l.TileKm != 0 {
		return fmt.Errorf("%d, %d km are no corner of tiles of %d km", t.E, t.N, l.TileKm)
	}
	if n := len(before); n > 0 && cmp.Or(cmp.Compare(before[n-1].N, t.N), cmp.Compare(before[n-1].E, t.E)) >= 0 {
		return fmt.Errorf("%d, %d km do not stand behind the tile before", t.E, t.N)
	}
	if t.Cover != nil && len(t.Cover) != coverBytes(t.Km) {
		return fmt.Errorf("a cover of %d bytes", len(t.Cover))
	}
	if t.Bytes <= 0 {
		return fmt.Errorf("%d, %d km: a file of %d bytes", t.E, t.N, t.Bytes)
	}
	return t.Check()
}

// Open reads head and directory of an artefact of size bytes.
func Open(in io.ReaderAt, size int64) (*Index, *sectionfile.Directory, error) {
	front := make([]byte, min(size, sectionfile.HeadBytes))
	if _, err := in.ReadAt(front, 0); err != nil && err != io.EOF {
		return nil, nil, err
	}
	n, err := sectionfile.FrontLength(front)
	if err != nil {
		return nil, nil, err
	}
	if n > size {
		return nil, nil, fmt.Errorf("index of rasters: a front of %d bytes in a file of %d", n, size)
	}
	front = make([]byte, n)
	if _, err := in.ReadAt(front, 0); err != nil && err != io.EOF {
		return nil, nil, err
	}
	d, err := sectionfile.Parse(front)
	if err != nil {
		return nil, nil, err
	}
	if d.Family() != PartsFamily || d.Size() != size {
		return nil, nil, fmt.Errorf("index of rasters: %d bytes of the family %s, expected %d of the family %s", d.Size(), d.Family(),
			size, PartsFamily)
	}
	x, err := ParseHead(d.Head())
	return x, d, err
}

// Each reads an artefact of size bytes section by section and gives every square to then.
func Each(in io.ReaderAt, size int64, then func(x *Index, s *Square) error) (*Index, error) {
	x, d, err := Open(in, size)
	if err != nil {
		return nil, err
	}
	for i := range d.Len() {
		at, length := d.Range(i)
		stored := make([]byte, length)
		if _, err := in.ReadAt(stored, at); err != nil && err != io.EOF {
			return nil, err
		}
		body, err := d.Decode(i, stored)
		if err != nil {
			return nil, err
		}
		s, err := ParseSquare(x, d.Name(i), body)
		if err != nil {
			return nil, err
		}
		if err := then(x, s); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// All are the layers of an artefact with all their tiles.
func All(in io.ReaderAt, size int64) ([]Listed, error) {
	var tiles []Tiles
	x, err := Each(in, size, func(x *Index, s *Square) error {
		if tiles == nil {
			tiles = make([]Tiles, len(x.Layers))
		}
		for i := range x.Layers {
			tiles[i] = append(tiles[i], s.Of(&x.Layers[i])...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]Listed, len(x.Layers))
	for i := range out {
		out[i].Layer = x.Layers[i]
		if tiles != nil {
			out[i].Tiles = tiles[i]
			out[i].Tiles.Sort()
		}
	}
	return out, nil
}
