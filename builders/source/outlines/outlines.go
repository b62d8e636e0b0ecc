// Package outlines reads polygons of KGs and municipalities from GeoJSON. It owns the raw form, its
// limits and the repair of its rings; what the outlines are used for is builders/national's business.
//
//	kg.geojson         FeatureCollection; properties kg_code, kg_name
//	                   [gemeinde_code gemeinde_name district_code district_name state_code state_name area_sqm]
//	gemeinden.geojson  FeatureCollection; properties iso, name
//
// Coordinates are longitude, latitude in WGS84 (RFC 7946); further numbers of a position are ignored.
// Features of one code are put together. Features are read one by one; a bad one is reported with its
// number and left out.
package outlines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"mappe/builders/source/features"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// KG is the outline of a KG and what its properties say.
type KG struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode // "" not said
	GemeindeName string
	DistrictName string
	StateName    string
	AreaSqm      float64 // register area, 0 not said
	Geometry     geom.MultiPolygon
	Repaired     []geom.Fault // what was mended, ring order aside
}

// Gemeinde is the outline of a municipality. Vienna is one, 90001, as the registers know it: a file that
// draws only its 23 districts, 90101 to 92301, gives their union; one that draws both gives both.
type Gemeinde struct {
	Code     austria.GemeindeCode
	Name     string
	Geometry geom.MultiPolygon
	Repaired []geom.Fault
}

const vienna austria.GemeindeCode = "90001"

// Read reads kg.geojson and gemeinden.geojson of a raw source directory. A file that is not there gives no rows:
// administrative boundaries may stand in for it.
func Read(source fs.FS) ([]KG, []Gemeinde, table.Problems, error) {
	var p table.Problems
	var kgs []KG
	var gs []Gemeinde
	err := each(source, "kg.geojson", func(in io.Reader, file string) (err error) {
		kgs, err = readKGs(in, file, &p)
		return err
	})
	if err != nil {
		return nil, nil, p, err
	}
	err = each(source, "gemeinden.geojson", func(in io.Reader, file string) (err error) {
		gs, err = readGemeinden(in, file, &p)
		return err
	})
	return kgs, gs, p, err
}

// each reads a file if it is there.
func each(source fs.FS, file string, read func(io.Reader, string) error) error {
	in, err := source.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("outlines: %w", err)
	}
	defer in.Close() // read only
	return read(in, file)
}

// readKGs reads outlines of KGs, sorted by code.
func readKGs(in io.Reader, file string, p *table.Problems) ([]KG, error) {
	var rows []KG
	err := features.Walk(in, file, p, func(f *features.Feature) {
		code, err := austria.ParseKGCode(f.Text("kg_code"))
		if err != nil {
			f.Bad("kg_code", f.Text("kg_code"), "1 to 5 digits, for example 01004")
			return
		}
		k := KG{Code: code, Name: f.Text("kg_name"), GemeindeName: f.Text("gemeinde_name"), DistrictName: f.Text("district_name"),
			StateName: f.Text("state_name")}
		if g := f.Text("gemeinde_code"); g != "" {
			if k.GemeindeCode, err = austria.ParseGemeindeCode(g); err != nil {
				f.Bad("gemeinde_code", g, "5 digits, the first 1 to 9")
			}
		}
		if a := f.Text("area_sqm"); a != "" {
			v, ok := table.Decimal([]byte(a))
			if !ok || v < 0 {
				f.Bad("area_sqm", a, "m²")
			}
			k.AreaSqm = max(v, 0)
		}
		var ok bool
		if k.Geometry, k.Repaired, ok = f.Geometry(); ok {
			rows = append(rows, k)
		}
	})
	return joined(rows, func(k *KG) piece { return piece{string(k.Code), &k.Geometry, &k.Repaired} }), err
}

// piece is what joins rows of one area.
type piece struct {
	code     string
	geometry *geom.MultiPolygon
	repaired *[]geom.Fault
}

// joined sorts rows by code and joins those of one code.
func joined[T any](rows []T, of func(*T) piece) []T {
	slices.SortStableFunc(rows, func(a, b T) int { return cmp.Compare(of(&a).code, of(&b).code) })
	out := rows[:0]
	for i := range rows {
		if n := len(out); n > 0 {
			if last, next := of(&out[n-1]), of(&rows[i]); last.code == next.code {
				*last.geometry, *last.repaired = join(*last.geometry, *next.geometry, append(*last.repaired, *next.repaired...))
				continue
			}
		}
		out = append(out, rows[i])
	}
	return out
}

// readGemeinden reads outlines of municipalities, sorted by code.
func readGemeinden(in io.Reader, file string, p *table.Problems) ([]Gemeinde, error) {
	var rows []Gemeinde
	err := features.Walk(in, file, p, func(f *features.Feature) {
		code, err := austria.ParseGemeindeCode(f.Text("iso"))
		if err != nil {
			f.Bad("iso", f.Text("iso"), "5 digits, the first 1 to 9, for example 31507")
			return
		}
		g := Gemeinde{Code: code, Name: f.Text("name")}
		var ok bool
		if g.Geometry, g.Repaired, ok = f.Geometry(); ok {
			rows = append(rows, g)
		}
	})
	if !slices.ContainsFunc(rows, func(g Gemeinde) bool { return g.Code == vienna }) {
		for i := range rows {
			if rows[i].Code.State() == vienna.State() {
				rows[i].Code, rows[i].Name = vienna, "Wien"
			}
		}
	}
	return joined(rows, func(g *Gemeinde) piece { return piece{string(g.Code), &g.Geometry, &g.Repaired} }), err
}

// join puts the parts of two features of one code together. Where they lie over each other the second
// is left out: they are two drawings of one area, not two areas.
func join(a, b geom.MultiPolygon, repaired []geom.Fault) (geom.MultiPolygon, []geom.Fault) {
	both := append(slices.Clone(a), b...).Normalise()
	for _, f := range both.Check() {
		if f.Kind == geom.FaultPartsOverlap || f.Kind == geom.FaultDuplicateRing {
			return a, append(repaired, f)
		}
	}
	return both, repaired
}
