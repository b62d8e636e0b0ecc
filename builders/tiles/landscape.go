package tiles

import (
	"errors"

	"mappe/artefacts/landscape"
	"mappe/artefacts/pmt"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// The layers of what analysis found on a KG.
//
//	layer     zooms  geometry  attributes
//	segments  14-16  polygon   type, height_max_m, area_sqm, confidence
//	trees     15-16  point     height_m, crown_area_sqm, leaf_type, species_hint, vitality
var (
	segmentsSpec = spec{"segments", "Parts of the land by their type", 14,
		map[string]string{"type": text, "height_max_m": number, "area_sqm": number, "confidence": number}}
	treesSpec = spec{"trees", "Single trees", 15,
		map[string]string{"height_m": number, "crown_area_sqm": number, "leaf_type": text, "species_hint": text, "vitality": text}}
)

// ErrNothing is the error of a KG on which there is nothing to draw.
var ErrNothing = errors.New("nothing to draw")

func (s *spec) sheet() sheet {
	return sheet{name: s.name, minZoom: s.minZoom, maxZoom: MaxZoom, keyAt: map[string]uint32{}, valueAt: map[mvt.Value]uint32{}}
}

// known is a number attribute to so many decimals, left out where it is not known.
func known[F float32 | float64](key string, v F, column interface{ Round(float64) float64 }) mvt.Attr {
	if v != v {
		return mvt.Attr{Key: key}
	}
	return mvt.Attr{Key: key, Value: mvt.Double(column.Round(float64(v)))}
}

// Landscape draws segments and trees of a KG, which were found at a date (YYYY-MM-DD). The same KG gives the same bytes.
// ErrNothing.
func Landscape(k *landscape.KG, attribution, date string, workers int) ([]byte, error) {
	segments, trees := segmentsSpec.sheet(), treesSpec.sheet()
	box := geom.EmptyBox
	columns := landscape.SegmentColumns
	for i := range k.Segments {
		s := &k.Segments[i]
		box = box.Union(s.Geometry.Bounds())
		segments.addArea(s.Geometry, str("type", s.Type.String()), known("height_max_m", s.HeightMax, columns.Find("height_max_m")),
			known("area_sqm", s.AreaSqm, columns.Find("area_sqm")), known("confidence", s.Confidence, columns.Find("confidence")))
	}
	of := landscape.TreeColumns
	for i := range k.Trees {
		t := &k.Trees[i]
		box = box.Extend(t.At)
		trees.add(pointFeature(t.At), known("height_m", t.Height, of.Find("height_m")), known("crown_area_sqm", t.CrownSqm,
			of.Find("crown_area_sqm")),
			str("leaf_type", t.Leaf), str("species_hint", t.Species), str("vitality", t.Vitality))
	}
	d := drawing{segments, trees}
	jobs := d.plan(0)
	if len(jobs) == 0 {
		return nil, ErrNothing
	}
	done, err := d.draw(jobs, max(1, workers))
	if err != nil {
		return nil, err
	}
	meta := Metadata{Name: k.KGCode + " " + k.KGName, Description: "Segments and trees of the Katastralgemeinde", Attribution: attribution,
		License: rowschema.LicenseURL, Stichtag: date, KGCode: k.KGCode, Type: "overlay", Format: "pbf"}
	for _, s := range []spec{segmentsSpec, treesSpec} {
		meta.VectorLayers = append(meta.VectorLayers, VectorLayer{s.name, s.doc, s.minZoom, MaxZoom, s.fields})
	}
	return pmt.Encode(pmt.Options{Type: pmt.MVT, TileCompression: pmt.Gzip, MinLon: box.MinX, MinLat: box.MinY, MaxLon: box.MaxX,
		MaxLat:     box.MaxY,
		CenterZoom: 15, Metadata: meta}, done)
}
