package kg

import (
	"strings"
	"testing"

	"mappe/shared/geo/mvt"
)

// A grid is as fine as 32 bits hold where the tiles lie: 2^31 in Austria, less at the eastern end of the world.
func TestFinenessOfTheGrid(t *testing.T) {
	for _, c := range []struct {
		zoom   uint8
		x      int32
		extent uint32
		fine   bool
	}{{14, 8900, 1 << 17, true}, {15, 17800, 1 << 16, true}, {16, 35600, 4096, true}, {14, 16383, 1 << 17, false}, {15, 17800, 1 << 17,
		false}, {15, 32767, 1 << 15, true}} {
		s := square{c.x, 5700 << (c.zoom - 14)}
		r := region{zoom: c.zoom, tileset: TilesetCadastre, order: []square{s},
			tiles: map[square]*mvt.Tile{s: {Layers: []mvt.Layer{{Name: layerParcels, Extent: c.extent}}}}}
		err := r.fix(layerParcels)
		if c.fine && (err != nil || r.grid.Extent != c.extent) || !c.fine && (err == nil || !strings.Contains(err.Error(), "too fine")) {
			t.Errorf("%+v: grid %+v, %v", c, r.grid, err)
		}
	}
}
