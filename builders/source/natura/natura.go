// Package natura reads Natura 2000 sites from GeoJSON as the environment agency and the states hand it out
// (overlays/natura2000.geojson). It owns the raw form, the grouping of features to sites and the table of
// habitat keywords; what the sites lie over is builders/overlays' business.
//
// Properties, in any letter case: sitecode; sitename or name; sitetype or type (A birds, B habitats, C both);
// area_ha, not required. Features of one code are one site: its geometry is their union, its type C where they
// are of both directives.
package natura

import (
	"cmp"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"

	"mappe/artefacts/overlays"
	"mappe/builders/source/features"
	"mappe/builders/source/table"
	"mappe/shared/geo/crs"
)

// File is its place in a raw source.
const File = "overlays/natura2000.geojson"

var siteCode = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z]{7}$`)

// Read reads the sites, by code.
func Read(in io.Reader, p *table.Problems) ([]overlays.Site, error) {
	at := map[string]int{}
	var sites []overlays.Site
	err := features.Walk(in, File, p, func(f *features.Feature) {
		s, ok := read(f)
		if !ok {
			return
		}
		i, known := at[s.Code]
		if !known {
			at[s.Code] = len(sites)
			sites = append(sites, s)
			return
		}
		t := &sites[i]
		t.Type = t.Type.With(s.Type)
		t.Tags |= s.Tags
		t.Features++
		t.Geometry = append(t.Geometry, s.Geometry...)
	})
	if err != nil {
		return nil, err
	}
	for i := range sites {
		finish(&sites[i], p)
	}
	slices.SortFunc(sites, func(a, b overlays.Site) int { return cmp.Compare(a.Code, b.Code) })
	return sites, nil
}

func read(f *features.Feature) (s overlays.Site, ok bool) {
	s.Code, s.Name, s.Features = f.Text("sitecode"), cmp.Or(f.Text("sitename"), f.Text("name")), 1
	if !siteCode.MatchString(s.Code) {
		f.Bad("sitecode", s.Code, "a site code such as AT3214000")
		return s, false
	}
	var err error
	if kind := cmp.Or(f.Text("sitetype"), f.Text("type")); kind != "" {
		s.Type, err = overlays.ParseSiteType(kind)
	}
	if s.Type == 0 || err != nil {
		f.Bad("sitetype", f.Text("sitetype"), "A, B or C")
		return s, false
	}
	if v, err := strconv.ParseFloat(f.Text("area_ha"), 64); err == nil && v > 0 && v < 1e8 {
		s.AreaHa = v
	}
	s.Tags = Tags(s.Name)
	s.Geometry, _, ok = f.Geometry()
	return s, ok
}

// finish unites the features of a site. One that is drawn in several has the area of their union, since features
// of the two directives may lie over each other.
func finish(s *overlays.Site, p *table.Problems) {
	if s.Features > 1 {
		united, err := features.Unite(s.Geometry)
		if err != nil {
			p.Add(table.Problem{File: File, Column: "geometry", Value: s.Code, Expected: "features that can be united: " + err.Error()})
		}
		s.Geometry, s.AreaHa = united, 0
	}
	if s.AreaHa == 0 {
		s.AreaHa = math.Round(s.Geometry.Area(crs.EqualArea)) / 10_000
	}
	s.Box = s.Geometry.Bounds()
}
