package mvt

import "fmt"

// Limits bound what a tile may hold. The zero value of a field means its default.
type Limits struct {
	Bytes    int // of the tile, after gunzip: 64 MiB
	Layers   int // 64
	Features int // of all layers: 500,000
	Vertices int // of all features: 8,000,000
	Entries  int // keys and values of one layer: 1,000,000
	Reach    int // distance of a vertex from the tile, in tile widths: 16
}

// DefaultLimits hold every tile of a national map with room to spare.
var DefaultLimits = Limits{Bytes: 64 << 20, Layers: 64, Features: 500_000, Vertices: 8_000_000, Entries: 1_000_000, Reach: 16}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	for _, f := range [...]struct{ v, d *int }{
		{&l.Bytes, &d.Bytes}, {&l.Layers, &d.Layers}, {&l.Features, &d.Features},
		{&l.Vertices, &d.Vertices}, {&l.Entries, &d.Entries}, {&l.Reach, &d.Reach},
	} {
		if *f.v <= 0 {
			*f.v = *f.d
		}
	}
	return l
}

// Error is a fault in the bytes of a tile: where, and what was expected.
type Error struct {
	Layer   string // name, or "#2" while the name is unknown; "" outside every layer
	Feature int    // index in its layer, -1 outside every feature
	Reason  string
}

func (e *Error) Error() string {
	switch {
	case e.Layer == "":
		return "vector tile: " + e.Reason
	case e.Feature < 0:
		return fmt.Sprintf("vector tile: layer %q: %s", e.Layer, e.Reason)
	}
	return fmt.Sprintf("vector tile: layer %q: feature %d: %s", e.Layer, e.Feature, e.Reason)
}
