package kgbuild

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/kg/tilecut"
	"mappe/infra/bench/peak"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// cutSource gives the tiles that the survey office's server would give of a KG.
type cutSource map[string]map[mvt.TileID][]byte

func (c cutSource) Tile(_ context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	return c[fmt.Sprint(tileset, id.Z)][id], nil
}

func cutKG(b *testing.B, s *kgfile.Snapshot) cutSource {
	b.Helper()
	var parcels, uses, symbols []tilecut.Feature
	for _, p := range s.Parcels {
		parcels = append(parcels, tilecut.Feature{Layer: "gst", Geometry: p.Geometry, Attrs: []mvt.Attr{
			{Key: "kg", Value: mvt.String(string(s.KG.Code))}, {Key: "gnr", Value: mvt.String(string(p.GNR))},
			{Key: "ez", Value: mvt.Uint(uint64(p.EZ))}, {Key: "rstatus", Value: mvt.String(p.Status.String())},
		}})
	}
	for _, l := range s.Labels {
		parcels = append(parcels, tilecut.Feature{Layer: "gnr", At: l.At, Attrs: []mvt.Attr{{Key: "gnr", Value: mvt.String(string(l.GNR))},
			{Key: "kg", Value: mvt.String(string(s.KG.Code))}}})
	}
	use := func(ns uint64, g geom.MultiPolygon) {
		uses = append(uses, tilecut.Feature{Layer: "nfl", Geometry: g, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(ns)}}})
	}
	for _, l := range s.LandUse {
		use(uint64(l.NS), l.Geometry)
	}
	for _, f := range s.Footprints {
		use(41, f.Geometry)
	}
	for _, y := range s.Symbols {
		symbols = append(symbols, tilecut.Feature{Layer: "nsy", At: y.At, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(uint64(y.NS))}}})
	}
	out := cutSource{}
	for _, c := range []struct {
		name     string
		features []tilecut.Feature
		zoom     uint8
	}{{"kataster15", parcels, 15}, {"kataster16", uses, 16}, {"symbole16", symbols, 16}} {
		tiles, err := tilecut.Cut(c.features, c.zoom, 4096, 80)
		if err != nil {
			b.Fatal(err)
		}
		out[c.name] = tiles
	}
	return out
}

// BenchmarkBuildKG is the whole build of one KG: tiles, assembly, five forms, parity, verification,
// writing. It reports the peak memory of the process where the system tells it.
func BenchmarkBuildKG(b *testing.B) {
	for name, o := range map[string]kgtest.Options{"1295": kgtest.Small, "19720": kgtest.Large} {
		b.Run(name, func(b *testing.B) {
			s := kgtest.Snapshot(o)
			source := cutKG(b, s)
			task := Task{
				Facts: Facts{Code: s.KG.Code, Name: s.KG.Name, GemeindeCode: s.KG.GemeindeCode, GemeindeName: s.KG.GemeindeName,
					Outline: s.Outline},
				Settings: Settings{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ParcelZoom: 15, LandUseZoom: 16},
				Tiles:    source, Workers: 1,
			}
			want := len(s.Parcels)
			s = nil
			runtime.GC()
			b.ResetTimer()
			for b.Loop() {
				task.Store = mem.New()
				made, err := Build(context.Background(), task)
				if err != nil {
					b.Fatal(err)
				}
				if got := made.Digest.Entry.Parcels; got != want {
					b.Fatalf("want %d parcels, got %d: %v", want, got, made.Quality.Reasons)
				}
			}
			b.ReportMetric(peak.MB(), "peak-MB")
		})
	}
}
