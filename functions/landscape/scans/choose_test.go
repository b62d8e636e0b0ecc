package scans

import (
	"errors"
	"math"
	"strings"
	"testing"

	"mappe/artefacts/rasters"
	"mappe/shared/geo/raster"
)

// What a dataset covers is said from 0 to 1; below 95 % a sentence warns.
func TestCoverage(t *testing.T) {
	l := &rasters.Layer{Date: "2024-09-15", Precision: rasters.Day}
	for _, c := range []struct {
		c     Coverage
		share float64
		warns string
	}{
		{Coverage{}, 0, ""}, {Coverage{100, 100}, 1, ""}, {Coverage{100, 95}, 0.95, ""}, {Coverage{1000, 949}, 0.949,
			"2024-09-15 covers 94.9 %"}, {Coverage{100, 0}, 0, "no height model covers"}, {Coverage{3, 1}, 1.0 / 3, "33.3 %"},
	} {
		got := strings.Join(c.c.Warnings(l), ";")
		if c.c.Share() != c.share || (got == "") != (c.warns == "") || !strings.Contains(got, c.warns) {
			t.Errorf("%+v: %g, %q", c.c, c.c.Share(), got)
		}
		if m := c.c.Meta(l); m[0].Value != "20240915" || math.Abs(*m[1].Value.(*float64)-c.share) > 0.0001 {
			t.Errorf("%+v: %v", c.c, m)
		}
	}
}

// tiled is a layer with one tile at the origin of the plane, of which so many cells are known.
func tiled(date string, known int) rasters.Listed { return tiledAt(0, date, known) }

// tiledAt has its tile so many kilometres to the north and east.
func tiledAt(km int, date string, known int) rasters.Listed {
	return rasters.Listed{Layer: rasters.LayerTypeOf(rasters.DTM).New(date, rasters.Credit{}), Tiles: rasters.Tiles{{E: km, N: km,
		Km: rasters.HeightKm, Known: known}}}
}

// apart are layers and their tiles.
func apart(listed []rasters.Listed) (layers []*rasters.Layer, tiles []rasters.Tiles) {
	for i := range listed {
		layers, tiles = append(layers, &listed[i].Layer), append(tiles, listed[i].Tiles)
	}
	return layers, tiles
}

// The newest dataset that covers is taken, then the newest that touches, then the newest; what cannot cover is not measured
// before.
func TestChoose(t *testing.T) {
	const all = 25_000_000
	w := Wanted{Boxes: []raster.Box{{West: 100, South: 100, East: 1100, North: 1100}}, M2: 1e6}
	elsewhere := tiledAt(50, "2025-01-01", all)
	for _, c := range []struct {
		name     string
		layers   []rasters.Listed
		known    map[string]int // of 100, by date
		want     string
		measured string
	}{
		{"the newest covers", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", all)}, map[string]int{"2024-01-01": 95,
			"2020-01-01": 100}, "2024-01-01", "2024"},
		{"an older one covers", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", all)}, map[string]int{"2024-01-01": 94,
			"2020-01-01": 100}, "2020-01-01", "2024 2020"},
		{"none covers, the newest touches", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", all)},
			map[string]int{"2024-01-01": 1, "2020-01-01": 50}, "2024-01-01", "2024 2020"},
		{"none covers, an older one touches", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", all)},
			map[string]int{"2020-01-01": 1}, "2020-01-01", "2024 2020"},
		{"none touches", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", all)}, nil, "2024-01-01", "2024 2020"},
		{"the newest has too few cells", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", 800_000)},
			map[string]int{"2020-01-01": 97, "2024-01-01": 80}, "2020-01-01", "2020"},
		{"it has enough", []rasters.Listed{tiled("2020-01-01", all), tiled("2024-01-01", 860_000)}, map[string]int{"2020-01-01": 97,
			"2024-01-01": 95}, "2024-01-01", "2024"},
		{"the newest lies elsewhere", []rasters.Listed{tiled("2020-01-01", all), elsewhere}, map[string]int{"2020-01-01": 10}, "2020-01-01",
			"2020"},
		{"all lie elsewhere", []rasters.Listed{elsewhere}, nil, "2025-01-01", "2025"},
	} {
		var measured []string
		layers, tiles := apart(c.layers)
		got, err := chosen(layers, tiles, w, func(l *rasters.Layer) (string, Coverage, error) {
			measured = append(measured, l.Date[:4])
			return l.Date, Coverage{100, c.known[l.Date]}, nil
		})
		if err != nil || got.Layer.Date != c.want || got.Of != c.want || strings.Join(measured, " ") != c.measured {
			t.Errorf("%s: want %s of %s, got %s of %v, %v", c.name, c.want, c.measured, got.Layer.Date, measured, err)
		}
	}
	fails := errors.New("the disk is on fire")
	layers, tiles := apart([]rasters.Listed{tiled("2024-01-01", all)})
	if _, err := chosen(layers, tiles, w, func(*rasters.Layer) (int, Coverage, error) {
		return 0, Coverage{},
			fails
	}); !errors.Is(err, fails) {
		t.Errorf("want the error, got %v", err)
	}
	places := Wanted{Boxes: w.Boxes}
	one, none := tiled("2024-01-01", 1), tiled("2024-01-01", 0)
	if !mayCover(&one.Layer, one.Tiles, places) || mayCover(&elsewhere.Layer, elsewhere.Tiles, places) || !reaches(&one.Layer,
		one.Tiles, w.Boxes) ||
		reaches(&none.Layer, none.Tiles, w.Boxes) || reaches(&elsewhere.Layer, elsewhere.Tiles, nil) {
		t.Error("of places one known cell may be the one")
	}
}
