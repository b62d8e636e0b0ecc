// Package protected reads protected areas from GeoJSON (overlays/protected_areas.geojson): in the form of the world
// database (name, desig, desig_eng, desig_type, iucn_cat, rep_area, gis_area, realm, in either case) or in that of
// the states (name, kategorie, iucn_cat, area_ha). It owns the raw forms and the names of designations in English.
//
// Areas are km², as in the world database. Features of one number (wdpaid or nokey) and name are one area.
package protected

import (
	"cmp"
	"io"
	"math"
	"strconv"
	"strings"

	"mappe/artefacts/overlays"
	"mappe/builders/source/features"
	"mappe/builders/source/table"
	"mappe/shared/geo/crs"
)

// File is its place in a raw source.
const File = "overlays/protected_areas.geojson"

// english are the designations of Austrian law, as the world database translates them.
var english = map[string]string{
	"Naturschutzgebiet": "Nature Conservation Area", "Landschaftsschutzgebiet": "Protected Landscape", "Nationalpark": "National Park",
	"Naturpark": "Nature Park", "Europaschutzgebiet": "European Protected Site",
	"Geschützter Landschaftsteil": "Protected Landscape Section", "Geschützter Landschafteil": "Protected Landscape Section",
	"Naturdenkmal": "Natural Monument", "Pflanzenschutzgebiet": "Plant Protection Area", "Tierschutzgebiet": "Animal Protection Area",
	"Ruhegebiet": "Quiet Area", "Sonderschutzgebiet": "Special Protection Area", "Biosphärenpark": "Biosphere Reserve",
	"Wildnisgebiet":            "Wilderness Area",
	"Geschütztes Naturgebilde": "Protected Natural Object", "Ramsargebiet": "Ramsar Site", "Ramsar Schutzgebiet": "Ramsar Site",
}

// Read reads the areas in the order of the file.
func Read(in io.Reader, p *table.Problems) ([]overlays.Area, error) {
	at := map[[2]string]int{}
	several := map[int]bool{}
	var areas []overlays.Area
	err := features.Walk(in, File, p, func(f *features.Feature) {
		a, ok := read(f)
		if !ok {
			return
		}
		number := cmp.Or(f.Text("wdpaid"), f.Text("nokey"))
		key := [2]string{number, a.Name}
		i, known := at[key]
		if number == "" || !known {
			at[key] = len(areas)
			areas = append(areas, a)
			return
		}
		several[i] = true
		areas[i].Geometry = append(areas[i].Geometry, a.Geometry...)
		areas[i].RepArea += a.RepArea
	})
	for i := range areas {
		if several[i] {
			united, err := features.Unite(areas[i].Geometry)
			if err != nil {
				p.Add(table.Problem{File: File, Column: "geometry", Value: areas[i].Name,
					Expected: "features that can be united: " + err.Error()})
			}
			areas[i].Geometry = united
		}
		areas[i].GISArea = math.Round(areas[i].Geometry.Area(crs.EqualArea)) / 1e6
		areas[i].Box = areas[i].Geometry.Bounds()
	}
	return areas, err
}

func read(f *features.Feature) (a overlays.Area, ok bool) {
	text := func(names ...string) string {
		for _, n := range names {
			if v := f.Text(n); v != "" {
				return v
			}
		}
		return ""
	}
	if a.Name = text("name", "orig_name"); a.Name == "" {
		f.Bad("name", "", "the name of the area")
		return a, false
	}
	a.Desig, _, _ = strings.Cut(text("desig", "kategorie"), " (")
	a.DesigEng = cmp.Or(text("desig_eng"), english[a.Desig])
	a.DesigType = cmp.Or(text("desig_type"), "National")
	a.IUCN, _, _ = strings.Cut(text("iucn_cat", "iucn"), ":")
	a.Realm = cmp.Or(text("realm"), "Terrestrial")
	a.RepArea = math.NaN()
	if v, err := strconv.ParseFloat(text("rep_area"), 64); err == nil && v > 0 && v < 1e6 {
		a.RepArea = v
	} else if v, err := strconv.ParseFloat(text("area_ha"), 64); err == nil && v > 0 && v < 1e8 {
		a.RepArea = v / 100
	}
	a.Geometry, _, ok = f.Geometry()
	return a, ok
}
