package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

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
	meanParcels = 1300 // 7,850 KGs have 10.2 million
	meanKm2     = 10.7
)

// snapshot is a KG of the country.
func (c *country) snapshot(i int) *kgfile.Snapshot {
	k, share := c.kgs[i], shares[i%sizes]
	corner, side := place(i)
	s := kgtest.Snapshot(kgtest.Options{Code: k.Code, Parcels: int(meanParcels * share), Segments: 2,
		AreaKm2: min(meanKm2*share, side*side),
		Seed:    c.seed(i), East: corner.X - kgtest.Origin.X, North: corner.Y - kgtest.Origin.Y})
	s.KG.Name, s.KG.GemeindeCode, s.KG.GemeindeName = k.Name, k.GemeindeCode, k.GemeindeName
	return s
}

// block is what the country's lists need of the KGs of a block, on disk: who goes on with sources that were begun needs no
// KG again.
type block struct {
	Rows, Outlines string
	Addresses      [tables]string
	Parcels        int
}

// writeSources writes the sources of the country, or what is missing of them.
func (c *country) writeSources(where string) error {
	if exists(where, c.marker()) {
		return nil
	}
	blocks := make([]block, (len(c.kgs)+sizes-1)/sizes)
	var g errgroup.Group
	g.SetLimit(2)
	var done atomic.Int64
	for n := range blocks {
		g.Go(func() (err error) {
			blocks[n], err = c.writeBlock(where, n)
			progress("sources", int(done.Add(1)), len(blocks))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return c.writeLists(where, blocks)
}

// writeBlock writes the tiles of a block's KGs, unless they are there.
func (c *country) writeBlock(where string, n int) (b block, err error) {
	name := fmt.Sprintf("made/%04d.json", n)
	if body, err := os.ReadFile(filepath.Join(where, name)); err == nil {
		return b, json.Unmarshal(body, &b)
	}
	var rows, outlines bytes.Buffer
	var addresses book
	for i := n * sizes; i < min((n+1)*sizes, len(c.kgs)); i++ {
		s := c.snapshot(i)
		k := &c.kgs[i]
		fmt.Fprintf(&rows, "%s,%s,%s,%s,%s,Bezirk %s,%s,%s\n", k.Code, csvCell(k.Name), k.GemeindeCode, csvCell(k.GemeindeName),
			k.GemeindeCode.District(),
			k.GemeindeCode.District(), k.GemeindeCode.State(), k.StateName)
		fmt.Fprintf(&outlines, `{"type":"Feature","properties":{"kg_code":"%s","kg_name":%q},"geometry":%s}`+"\n", k.Code, k.Name,
			geometry(s.Outline))
		addresses.add(i, k, s)
		b.Parcels += len(s.Parcels)
		if err := writeTiles(where, s); err != nil {
			return b, err
		}
	}
	b.Rows, b.Outlines, b.Addresses = rows.String(), outlines.String(), addresses.texts()
	body, err := json.Marshal(b)
	if err != nil {
		return b, err
	}
	return b, write(where, name, body)
}

// writeLists writes what the country has once, and the marker last.
func (c *country) writeLists(where string, blocks []block) error {
	var rows, outlines strings.Builder
	var addresses [tables]strings.Builder
	for t := range addresses {
		addresses[t].WriteString(addressHeads[t])
	}
	for _, b := range blocks {
		rows.WriteString(b.Rows)
		for line := range strings.Lines(b.Outlines) {
			if outlines.Len() > 0 {
				outlines.WriteByte(',')
			}
			outlines.WriteString(line)
		}
		for t := range addresses {
			addresses[t].WriteString(b.Addresses[t])
		}
	}
	for t := range addresses {
		if err := write(where, "addresses/"+addressFiles[t]+".csv", []byte(addresses[t].String())); err != nil {
			return err
		}
	}
	for _, f := range []struct{ name, body string }{
		{"source.json", `{"stichtag":"` + stichtag + `","attribution":"made-up test data"}`},
		{"registers/kg.csv", "kg_code,kg_name,gemeinde_code,gemeinde_name,district_code,district_name,state_code,state_name\n" +
			rows.String()},
		{"kg.geojson", `{"type":"FeatureCollection","features":[` + outlines.String() + "]}"},
		{c.marker(), ""},
	} {
		if err := write(where, f.name, []byte(f.body)); err != nil {
			return err
		}
	}
	return nil
}

// csvCell puts a name with a comma into quotes.
func csvCell(s string) string {
	if strings.ContainsAny(s, `,"`) {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
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
			kg, {Key: "gnr", Value: mvt.String(string(p.GNR))}, {Key: "ez", Value: mvt.Uint(uint64(p.EZ))},
			{Key: "rstatus", Value: mvt.String(p.Status.String())}}})
	}
	for _, l := range s.Labels {
		parcels = append(parcels, tilecut.Feature{Layer: "gnr", At: l.At, Attrs: []mvt.Attr{{Key: "gnr", Value: mvt.String(string(l.GNR))},
			kg}})
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
	}{{"kataster", parcels, tileZoom}, {"kataster", uses, 16}, {"symbole", symbols, 16}} {
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
