// Package vgd reads the survey office's administrative boundaries (Verwaltungsgrenzen) as they are handed out:
// a zipped shapefile with one row for each part of a KG. It owns the names of the columns, what the .prj file
// says and the joining of rows; the form is shared/geo/shapefile's. What the boundaries stand in for is
// builders/national's business.
//
//	VGD_Oesterreich_gen_50_YYYYMMDD.zip   .shp .dbf and .prj, optional .cpg, in whatever folder of the archive
//	KG_NR KG     code and name of the KG            must be there
//	GKZ PG       code and name of the municipality  must be there
//	BKZ PB       code and name of the district
//	BL_KZ BL     code and name of the state
//	FL           area in m² of the row, or, where all rows of a KG say the same, of the KG
//
// The rows of one KG are one outline, whatever their other columns (ST_KZ, FA_NR, VA_NR, ...) say. Outlines of
// municipalities are united from those of their KGs. Names are compared without regard to case.
package vgd

import (
	"cmp"
	"slices"

	"mappe/builders/source/outlines"
	"mappe/builders/source/registers"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// joinE7 is how far apart two drawings of one border may lie, in 1e-7 degrees: some 2 cm, what rounding makes.
const joinE7 = 2

// Boundaries are those of a file, sorted by code.
type Boundaries struct {
	KGs      []outlines.KG
	Problems table.Problems

	file      string
	districts map[austria.GemeindeCode]austria.DistrictCode
}

// part is a row.
type part struct {
	outlines.KG
	district austria.DistrictCode
}

// join makes one KG of its rows, which stand side by side. Where they cannot be united the first is kept.
func join(rows []part) (outlines.KG, error) {
	out := rows[0].KG
	same, sum := true, 0.0
	shapes := make([]geom.MultiPolygon, len(rows))
	for i, r := range rows {
		shapes[i] = r.Geometry
		same, sum = same && r.AreaSqm == rows[0].AreaSqm, sum+r.AreaSqm
	}
	if len(rows) == 1 {
		return out, nil
	}
	if !same {
		out.AreaSqm = sum
	}
	whole, err := geom.Dissolve(shapes, joinE7)
	if err == nil {
		out.Geometry = whole
	}
	return out, err
}

// Gemeinden unites the outlines of the KGs by municipality. One whose KGs cannot be united is reported in
// Problems and left out.
func (b *Boundaries) Gemeinden() []outlines.Gemeinde {
	shapes := map[austria.GemeindeCode][]geom.MultiPolygon{}
	var all []outlines.Gemeinde
	for _, k := range b.KGs {
		if shapes[k.GemeindeCode] == nil {
			all = append(all, outlines.Gemeinde{Code: k.GemeindeCode, Name: k.GemeindeName})
		}
		shapes[k.GemeindeCode] = append(shapes[k.GemeindeCode], k.Geometry)
	}
	slices.SortFunc(all, func(a, b outlines.Gemeinde) int { return cmp.Compare(a.Code, b.Code) })
	out := all[:0]
	for _, g := range all {
		var err error
		if g.Geometry, err = geom.Dissolve(shapes[g.Code], joinE7); err != nil {
			b.Problems.Add(table.Problem{File: b.file, Column: "GKZ", Value: string(g.Code),
				Expected: "KGs that can be united: " + err.Error()})
			continue
		}
		out = append(out, g)
	}
	return out
}

// Registers are the rows that the boundaries give the registers of KGs, municipalities and districts.
func (b *Boundaries) Registers() registers.Registers {
	var r registers.Registers
	municipalities, districts := map[austria.GemeindeCode]bool{}, map[austria.DistrictCode]bool{}
	for _, k := range b.KGs {
		g, d := k.GemeindeCode, b.districts[k.GemeindeCode]
		state := cmp.Or(g.State().Name(), k.StateName)
		r.KGs = append(r.KGs, registers.KG{Code: k.Code, Name: k.Name, GemeindeCode: g, GemeindeName: k.GemeindeName,
			DistrictCode: d, DistrictName: k.DistrictName, StateCode: g.State(), StateName: state})
		if !municipalities[g] {
			municipalities[g] = true
			r.Gemeinden = append(r.Gemeinden, registers.Gemeinde{Code: g, Name: k.GemeindeName, DistrictCode: d,
				DistrictName: k.DistrictName, StateCode: g.State(), StateName: state})
		}
		if !districts[d] {
			districts[d] = true
			r.Districts = append(r.Districts, registers.District{Code: d, Name: k.DistrictName, StateCode: g.State(), StateName: state})
		}
	}
	slices.SortFunc(r.Gemeinden, func(a, b registers.Gemeinde) int { return cmp.Compare(a.Code, b.Code) })
	slices.SortFunc(r.Districts, func(a, b registers.District) int { return cmp.Compare(a.Code, b.Code) })
	return r
}
