package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/kg/tilecut"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

const (
	stichtag    = "2026-10-01"
	meanParcels = 1274 // 785 KGs have 1,000,000
	districtKGs = 80   // the mean of the country: 7,850 KGs in some 94 districts
	sizes       = 8    // of KGs, over and over
	// KGs lie in rows, far enough from each other that none shares a tile: a tile holds all of what it shows.
	eastE7, northE7, rowKGs = 880_000, 700_000, 60
)

// shares are the sizes of the KGs, of the mean, spread as those of real ones.
var shares = [sizes]float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.5, 2.3}

// snapshot is a KG of the country.
func snapshot(i int) *kgfile.Snapshot {
	s := kgtest.Snapshot(kgtest.Options{Code: austria.KGCode(fmt.Sprintf("%05d", 10_000+i)), Parcels: int(meanParcels * shares[i%sizes]), Segments: 2,
		AreaKm2: 10.7 * shares[i%sizes], Seed: uint64(i), East: int32(i%rowKGs) * eastE7, North: -int32(i/rowKGs) * northE7})
	d := i / districtKGs
	s.KG.GemeindeCode = austria.GemeindeCode(fmt.Sprintf("%d%02d%02d", 1+d%9, 1+d/9, 1+i%districtKGs/4))
	s.KG.GemeindeName = "Gemeinde " + string(s.KG.GemeindeCode)
	return s
}

// writeSources writes the sources of a country, unless they are there.
func writeSources(where string, kgs int) (made bool, err error) {
	marker := fmt.Sprintf("made-%d", kgs)
	if exists(where, marker) {
		return false, nil
	}
	rows, outlines := make([]string, kgs), make([]string, kgs)
	var g errgroup.Group
	g.SetLimit(2)
	for i := range kgs {
		g.Go(func() error {
			s := snapshot(i)
			d := string(s.KG.GemeindeCode.District())
			rows[i] = fmt.Sprintf("%s,%s,%s,%s,%s,Bezirk %s,%s,Land %s\n", s.KG.Code, s.KG.Name, s.KG.GemeindeCode, s.KG.GemeindeName, d, d, d[:1], d[:1])
			outlines[i] = fmt.Sprintf(`{"type":"Feature","properties":{"kg_code":"%s","kg_name":"%s"},"geometry":%s}`, s.KG.Code, s.KG.Name, geometry(s.Outline))
			return writeTiles(where, s)
		})
	}
	if err := g.Wait(); err != nil {
		return false, err
	}
	for name, body := range map[string]string{
		"source.json":      `{"stichtag":"` + stichtag + `","attribution":"made-up test data"}`,
		"registers/kg.csv": "kg_code,kg_name,gemeinde_code,gemeinde_name,district_code,district_name,state_code,state_name\n" + strings.Join(rows, ""),
		"kg.geojson":       `{"type":"FeatureCollection","features":[` + strings.Join(outlines, ",\n") + "]}",
		marker:             "",
	} {
		if err := write(where, name, []byte(body)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// geometry is an outline as GeoJSON.
func geometry(m geom.MultiPolygon) string {
	var b bytes.Buffer
	b.WriteString(`{"type":"MultiPolygon","coordinates":[`)
	for i, p := range m {
		b.WriteString(comma(i) + "[")
		for j, r := range p {
			b.WriteString(comma(j) + "[")
			for k := range len(r) + 1 {
				v := r[k%len(r)]
				fmt.Fprintf(&b, "%s[%.7f,%.7f]", comma(k), v.Lon(), v.Lat())
			}
			b.WriteByte(']')
		}
		b.WriteByte(']')
	}
	b.WriteString("]}")
	return b.String()
}

func comma(i int) string {
	if i > 0 {
		return ","
	}
	return ""
}

// writeTiles writes the tiles that the survey office's server would give of a KG.
func writeTiles(where string, s *kgfile.Snapshot) error {
	var parcels, uses, symbols []tilecut.Feature
	kg := mvt.Attr{Key: "kg", Value: mvt.String(string(s.KG.Code))}
	for _, p := range s.Parcels {
		parcels = append(parcels, tilecut.Feature{Layer: "gst", Geometry: p.Geometry, Attrs: []mvt.Attr{
			kg, {Key: "gnr", Value: mvt.String(string(p.GNR))}, {Key: "ez", Value: mvt.Uint(uint64(p.EZ))}, {Key: "rstatus", Value: mvt.String(p.Status.String())}}})
	}
	for _, l := range s.Labels {
		parcels = append(parcels, tilecut.Feature{Layer: "gnr", At: l.At, Attrs: []mvt.Attr{{Key: "gnr", Value: mvt.String(string(l.GNR))}, kg}})
	}
	use := func(ns uint64, g geom.MultiPolygon) {
		uses = append(uses, tilecut.Feature{Layer: "nfl", Geometry: g, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(ns)}}})
	}
	for _, l := range s.LandUse {
		use(uint64(l.NS), l.Geometry)
	}
	for _, f := range s.Footprints {
		use(uint64(austria.LandUseBuilding), f.Geometry)
	}
	for _, y := range s.Symbols {
		symbols = append(symbols, tilecut.Feature{Layer: "nsy", At: y.At, Attrs: []mvt.Attr{{Key: "ns", Value: mvt.Uint(uint64(y.NS))}}})
	}
	for _, c := range []struct {
		set      string
		features []tilecut.Feature
		zoom     uint8
	}{{"kataster", parcels, 15}, {"kataster", uses, 16}, {"symbole", symbols, 16}} {
		cut, err := tilecut.Cut(c.features, c.zoom, 4096, 80)
		if err != nil {
			return err
		}
		for id, b := range cut {
			if err := write(where, fmt.Sprintf("tiles/%s/%s.pbf", c.set, id), b); err != nil {
				return err
			}
		}
	}
	return nil
}

func write(where, name string, body []byte) error {
	path := filepath.Join(where, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, body, 0o644)
}
