package cells

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"mappe/artefacts/ne"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// The published bounds of a selection.
const (
	maxGetIDs  = 512
	maxPostIDs = 16_384
	maxRings   = 3
	maxCells   = 16_384 // of a box
	maxSpan    = 0.05   // of a box, in degrees
	maxURL     = 8_000  // bytes
)

var (
	ids = endpoint.ParsedList("ids",
		"Cells of resolution 9, 10 and 12, at most 512 in at most 8,000 bytes of URL, which hold some 490; more with POST.",
		cellOf(ne.ChunkRes, ne.KRes, ne.LURes), endpoint.Between(1, maxGetIDs), endpoint.Example(exampleCell))
	at    = params.At("lon", "lat", "of a point")
	rings = endpoint.Int("k", "Rings of cells around that of the point.", endpoint.Between(0, maxRings), endpoint.Default("0"))
	bbox  = params.Box("The cells whose centre lies in a box of at most 0.05 degrees wide and high and 16,384 cells:",
		endpoint.Example("13.272,47.319,13.276,47.322"))
	listOnly = endpoint.Bool("list", "Only the chunks that hold the cells, and the ETags of their stored frames.",
		endpoint.Default("false"))
	rowForm = endpoint.Enum("format", "bin: rows. json: columns. Where it is absent, Accept chooses.", []form{bin, jsonForm})
	layers  = endpoint.EnumList("layers",
		"Layers of chunks, rings and boxes: lu, bev, obs (once released). Cells of resolution 12 and 10 named by id are rows of lu and bev.", ne.AllLayers(), endpoint.Default(string(ne.LU)))
)

// box is a box in degrees as it was given.
type box params.Degrees

// split are the four quarters of a box.
func (b box) split() [][4]float64 {
	x, y := round((b.West+b.East)/2, 7), round((b.South+b.North)/2, 7)
	return [][4]float64{{b.West, b.South, x, y}, {x, b.South, b.East, y}, {b.West, y, x, b.North}, {x, y, b.East, b.North}}
}

// cells are those of resolution 12 whose centre lies in the box.
func (b box) cells() ([]hexgrid.Cell, error) {
	tooLarge := func(why string) error {
		f := fault.New(fault.TooLarge,
			"bbox %s: expected at most %g degrees wide and high and %d cells; split holds four boxes that together are this one", why,
			maxSpan, maxCells)
		f.Split = b.split()
		return f
	}
	if !params.Degrees(b).Within(maxSpan) {
		return nil, tooLarge(fmt.Sprintf("is %g by %g degrees", round(b.East-b.West, 7), round(b.North-b.South, 7)))
	}
	g := params.Degrees(b).Grid()
	ring := geom.Ring{{X: g.MinX, Y: g.MinY}, {X: g.MaxX, Y: g.MinY}, {X: g.MaxX, Y: g.MaxY}, {X: g.MinX, Y: g.MaxY}}
	found, err := hexgrid.PolygonToCells(geom.MultiPolygon{{ring}}, ne.LURes, maxCells)
	if errors.Is(err, hexgrid.ErrDomain) {
		return nil, tooLarge("has too many cells")
	}
	return found, err
}

// selection is which cells are asked for.
type selection struct {
	wants  []want         // by rising chunk
	layers []ne.Layer     // of the answer, in the order of a container
	box    *box           // where it is a box
	ids    []hexgrid.Cell // where cells were named
}

// selected reads the selection of a GET.
func selected(r *endpoint.Request) (*selection, error) {
	point := at.Given(r)
	ways := 0
	for _, given := range []bool{ids.Given(r), point, bbox.Given(r)} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		return nil, fault.Of(fault.Missing, "ids", "", "ids, or lon and lat, or bbox")
	case ways > 1:
		return nil, fault.New(fault.Conflict, "ids, lon and lat, and bbox exclude each other: expected one of them")
	case rings.Given(r) && !point:
		return nil, rings.Clash(r, "lon and lat beside it")
	}
	if ids.Given(r) {
		return ofIDs(ids.Of(r), layers.Of(r)), nil
	}
	var around []hexgrid.Cell
	var err error
	var in *box
	if point {
		around, err = ringsOf(r)
	} else {
		b := box(bbox.Of(r))
		in = &b
		around, err = b.cells()
	}
	if err != nil {
		return nil, err
	}
	s := ofCells(around, layers.Of(r))
	s.box = in
	return s, nil
}

// ringsOf are the cells around a point.
func ringsOf(r *endpoint.Request) ([]hexgrid.Cell, error) {
	lon, lat, err := at.Degrees(r)
	if err != nil {
		return nil, err
	}
	c, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: lat, Lng: lon}, ne.LURes)
	if err != nil {
		return nil, err
	}
	return c.GridDisk(rings.Of(r))
}

// ofCells are cells of resolution 12, and where the layer bev is chosen those of resolution 10 above them.
func ofCells(cells []hexgrid.Cell, chosen []ne.Layer) *selection {
	b := newSelection(chosen)
	for _, c := range cells {
		if slices.Contains(chosen, ne.LU) || slices.Contains(chosen, ne.Obs) {
			b.add(c)
		}
		if above, err := c.Parent(ne.KRes); err == nil && slices.Contains(chosen, ne.Bev) {
			b.add(above)
		}
	}
	return b.done()
}

// ofIDs are named cells; one that is named twice counts once.
func ofIDs(named []hexgrid.Cell, chosen []ne.Layer) *selection {
	b := newSelection(chosen)
	for _, c := range named {
		b.add(c)
	}
	s := b.done()
	s.ids = named
	return s
}

// gathering makes a selection.
type gathering struct {
	selection
	chosen []ne.Layer           // of whole chunks
	place  map[hexgrid.Cell]int // of a chunk in wants
}

func newSelection(chosen []ne.Layer) *gathering {
	return &gathering{chosen: sortedLayers(chosen), place: map[hexgrid.Cell]int{}}
}

func (g *gathering) add(c hexgrid.Cell) {
	chunk, err := c.Parent(ne.ChunkRes)
	if err != nil {
		return
	}
	i, ok := g.place[chunk]
	if !ok {
		i = len(g.wants)
		g.place[chunk] = i
		g.wants = append(g.wants, want{chunk: chunk})
	}
	w := &g.wants[i]
	switch c.Resolution() {
	case ne.ChunkRes:
		w.whole = g.chosen
	case ne.KRes:
		w.bev = append(w.bev, c)
	default:
		w.lu, w.obs = append(w.lu, c), slices.Contains(g.chosen, ne.Obs)
	}
}

// done orders what was gathered.
func (g *gathering) done() *selection {
	s := &g.selection
	for i := range s.wants {
		w := &s.wants[i]
		slices.Sort(w.lu)
		slices.Sort(w.bev)
		w.lu, w.bev = slices.Compact(w.lu), slices.Compact(w.bev)
		for _, l := range w.layers() {
			if !slices.Contains(s.layers, l) {
				s.layers = append(s.layers, l)
			}
		}
	}
	if s.layers = sortedLayers(s.layers); len(s.layers) == 0 {
		s.layers = g.chosen
	}
	slices.SortFunc(s.wants, func(a, b want) int { return cmp.Compare(a.chunk, b.chunk) })
	return s
}

// refused is the answer to a request that would read too much, with what to ask instead.
func refused(err error, s *selection) error {
	var much *tooMuch
	if !errors.As(err, &much) {
		return err
	}
	f := fault.New(fault.TooLarge, "the request reads %v: expected at most %d KGs and %d rows", much, maxKGs, maxRows)
	switch {
	case s == nil:
	case s.box != nil:
		f.Split = s.box.split()
	case len(s.ids) > 1:
		f.Message += "; split holds the positions in ids, from and up to, of two smaller requests"
		half := len(s.ids) / 2
		f.Split = [][2]int{{0, half}, {half, len(s.ids)}}
	}
	return f
}

// shortURL refuses what is longer than proxies pass on, before anything is read of it.
func shortURL(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := len(r.URL.RequestURI()); n > maxURL {
			f := fault.New(fault.LongURL, "the URL has %d bytes, at most %d work everywhere: send the ids with POST, {\"ids\": [...]}", n,
				maxURL)
			reply.Fault(w, f, w.Header().Get("X-Request-Id"))
			return
		}
		next.ServeHTTP(w, r)
	})
}
