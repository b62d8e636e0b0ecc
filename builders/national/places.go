package national

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/klauspost/compress/gzip"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// placesFormat is the version of the document; a page refuses a newer one.
const placesFormat = 1

// Places is the document that a page searches names in (national/places-{sum}.json.gz): every municipality, KG
// and locality with where it lies. Rows are lists of values in the order of their columns, which keeps the
// document of the whole country small; stichtag is the date of a KG's snapshot, null where none was built.
// Positions are rounded to 1e-5 degree, about a metre; what has no position has nulls.
type Places struct {
	Format         int        `json:"format"`
	Municipalities placeTable `json:"municipalities"`
	KGs            placeTable `json:"kgs"`
	Localities     placeTable `json:"localities"`
}

// placeTable is a list of rows under named columns.
type placeTable struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

func placesOf(c register.Contents) Places {
	p := Places{
		Format: placesFormat,
		Municipalities: placeTable{[]string{"gemeinde_code", "gemeinde_name", "district_name", "lon", "lat"},
			make([][]any, 0, len(c.Municipalities))},
		KGs: placeTable{[]string{"kg_code", "kg_name", "gemeinde_code", "west", "south", "east", "north", "lon", "lat", "stichtag"},
			make([][]any, 0, len(c.KGs))},
		Localities: placeTable{[]string{"name", "gemeinde_code", "kg_code", "plz", "lon", "lat"}, make([][]any, 0, len(c.Localities))},
	}
	known := map[austria.GemeindeCode]bool{}
	municipality := func(code austria.GemeindeCode, name, district string, at geom.Point) {
		if !known[code] {
			known[code] = true
			lon, lat := position(at)
			p.Municipalities.Rows = append(p.Municipalities.Rows, []any{code, name, district, lon, lat})
		}
	}
	for i := range c.Municipalities {
		m := &c.Municipalities[i]
		municipality(m.Code, m.Name, m.DistrictName, m.At)
	}
	for i := range c.KGs {
		k := &c.KGs[i]
		municipality(k.GemeindeCode, k.GemeindeName, k.DistrictName, geom.Point{}) // of a source without the register
		lon, lat := position(k.Centroid)
		row := []any{k.Code, k.Name, k.GemeindeCode, nil, nil, nil, nil, lon, lat, nil}
		if k.Snapshot.Key != "" {
			row[9] = k.Snapshot.Date
		}
		if b := k.Box; !b.Empty() {
			row[3], row[4], row[5], row[6] = rounded(b.MinX), rounded(b.MinY), rounded(b.MaxX), rounded(b.MaxY)
		}
		p.KGs.Rows = append(p.KGs.Rows, row)
	}
	for i := range c.Localities {
		l := &c.Localities[i]
		lon, lat := position(l.At)
		p.Localities.Rows = append(p.Localities.Rows, []any{l.Name, l.GemeindeCode, l.KG, l.PLZ, lon, lat})
	}
	return p
}

// position is a point in degrees, nulls for the zero point.
func position(at geom.Point) (lon, lat any) {
	if at == (geom.Point{}) {
		return nil, nil
	}
	return rounded(at.X), rounded(at.Y)
}

func rounded(v int32) float64 { return math.Round(float64(v)/geom.Scale*1e5) / 1e5 }

// encode is the document packed with gzip, without a name and a time: the same bytes for the same places.
func (p Places) encode() ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(z).Encode(p); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
