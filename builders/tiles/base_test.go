package tiles

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

func e7(lon, lat float64) geom.Point {
	return geom.Point{X: int32(math.Round(lon * 1e7)), Y: int32(math.Round(lat * 1e7))}
}

func layerOf(tile *mvt.Tile, name string) *mvt.Layer {
	i := slices.IndexFunc(tile.Layers, func(l mvt.Layer) bool { return l.Name == name })
	if i < 0 {
		return nil
	}
	return &tile.Layers[i]
}

// A line that crosses many tiles keeps its length over all of them, at every zoom that shows it, and lies in no other.
func TestALineKeepsItsLength(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		line := []geom.Point{e7(13, 47)}
		for range 60 {
			p := line[len(line)-1]
			line = append(line, geom.Point{X: p.X + int32(r.IntN(400_000)) - 150_000, Y: p.Y + int32(r.IntN(300_000)) - 140_000})
		}
		b := &Base{Name: "test"}
		b.Layer("road", "roads", 8).Line(10, line, Text("name", "Straße"))
		body, err := b.Encode(2)
		if err != nil {
			t.Fatal(err)
		}
		length := map[uint8]float64{}
		for at, tile := range decode(t, body) {
			l := layerOf(tile, "road")
			if l == nil || at.Z < 10 || at.Z > BaseMaxZoom {
				t.Fatalf("tile %v: %+v", at, tile)
			}
			for _, f := range l.Features {
				for _, part := range f.Parts {
					for i := 1; i < len(part); i++ {
						length[at.Z] += inside(part[i-1], part[i])
					}
				}
			}
		}
		for z := uint8(10); z <= BaseMaxZoom; z++ {
			want := 0.0
			grid := mvt.Grid{Z: z, Extent: Extent}
			for i := 1; i < len(line); i++ {
				ax, ay := grid.Snap(line[i-1])
				bx, by := grid.Snap(line[i])
				want += math.Hypot(float64(bx-ax), float64(by-ay))
			}
			if math.Abs(length[z]-want) > want*0.01 {
				t.Errorf("zoom %d: %.0f pixels, want %.0f", z, length[z], want)
			}
		}
	}
}

// inside is the length of a segment within the tile proper, without its buffer.
func inside(a, b mvt.Point) float64 {
	const steps = 200
	n := 0
	for i := range steps {
		s := (float64(i) + 0.5) / steps
		x, y := float64(a.X)+s*float64(b.X-a.X), float64(a.Y)+s*float64(b.Y-a.Y)
		if x >= 0 && y >= 0 && x < Extent && y < Extent {
			n++
		}
	}
	return math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)) * float64(n) / steps
}

// Features begin at their own zooms; the bytes do not depend on the workers; nothing to draw is nothing.
func TestABaseMapHasItsZooms(t *testing.T) {
	if body, err := (&Base{}).Encode(1); body != nil || err != nil {
		t.Errorf("%v %v", body, err)
	}
	draw := func(workers int) []byte {
		b := &Base{Name: "test", Attribution: "somebody", License: "https://example.org"}
		water, place := b.Layer("water", "lakes", 10), b.Layer("place", "settlements", 8)
		water.Area(12, geom.MultiPolygon{{{e7(13.2, 47.3), e7(13.21, 47.3), e7(13.21, 47.31), e7(13.2, 47.31)}}}, Text("name", "See"))
		place.Point(8, e7(13.25, 47.32), Text("name", "Stadt"), mvt.Attr{Key: "population", Value: mvt.Uint(1200)})
		place.Point(13, e7(13.26, 47.33), Text("name", "Weiler"))
		b.Layer("empty", "nothing", 8).Line(8, []geom.Point{e7(13, 47)})
		body, err := b.Encode(workers)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	body := draw(1)
	if !bytes.Equal(body, draw(4)) {
		t.Error("other workers, other bytes")
	}
	lowest := map[string]uint8{}
	for at, tile := range decode(t, body) {
		for _, l := range tile.Layers {
			for _, f := range l.Features {
				name := ""
				for i := 0; i < len(f.Tags); i += 2 {
					if l.Keys[f.Tags[i]] == "name" {
						name = l.Values[f.Tags[i+1]].Text()
					}
				}
				if z, ok := lowest[name]; !ok || at.Z < z {
					lowest[name] = at.Z
				}
			}
		}
	}
	if lowest["See"] != 12 || lowest["Stadt"] != 8 || lowest["Weiler"] != 13 || len(lowest) != 3 {
		t.Errorf("%v", lowest)
	}
}
