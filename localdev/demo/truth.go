package demo

import (
	"encoding/json"
	"fmt"
	"strconv"

	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// truth is what the generator knows in the units of the project: 1e-7 degrees and m² of EPSG:3035.
type truth struct {
	parcel  []geom.MultiPolygon
	area    []float64
	defect  []defect
	outline []geom.MultiPolygon
	unbuilt geom.MultiPolygon // outline of the KG that is built on demand
	kg      []KGTruth
}

// KGTruth is what is true of one KG.
type KGTruth struct {
	Code       string  `json:"kg_code"`
	Name       string  `json:"kg_name"`
	Parcels    int     `json:"parcels"`
	Footprints int     `json:"footprints"`
	LandUse    int     `json:"landuse"`
	Symbols    int     `json:"symbols"`
	Addresses  int     `json:"addresses"`
	Buildings  int     `json:"buildings"` // building rows of the address register
	Folios     int     `json:"folios"`
	AreaSqm    float64 `json:"area_sqm"`
	Defects    int     `json:"defects"`
}

// Truth is the content of truth/summary.json.
type Truth struct {
	Summary
	PerKG []KGTruth `json:"per_kg"`
}

func newTruth(w *world.World) (*truth, error) {
	t := &truth{kg: make([]KGTruth, len(w.KGs))}
	for i := range w.Parcels {
		g := world.Geometry(w.Parcels[i].Parts, 1)
		t.parcel = append(t.parcel, g)
		t.area = append(t.area, g.Area(crs.EqualArea))
	}
	t.defect = chooseDefects(t.parcel)
	for i, k := range w.KGs {
		t.outline = append(t.outline, world.Geometry(w.Outlines[i], 1))
		t.kg[i].Code, t.kg[i].Name = k.Code, k.Name
	}
	folios := map[[2]int]bool{}
	for i := range w.Parcels {
		p := &w.Parcels[i]
		k := &t.kg[p.KG]
		k.Parcels++
		k.AreaSqm += t.area[i]
		if t.defect[i] != sound {
			k.Defects++
		}
		if key := [2]int{p.KG, int(p.EZ)}; p.EZ != 0 && !folios[key] {
			folios[key] = true
			k.Folios++
		}
	}
	for i := range w.Footprints {
		t.kg[w.Parcels[w.Footprints[i].Parcel].KG].Footprints++
	}
	for i := range w.Uses {
		t.kg[w.Parcels[w.Uses[i].Parcel].KG].LandUse++
	}
	for i := range w.Symbols {
		t.kg[w.Parcels[w.Symbols[i].Parcel].KG].Symbols++
	}
	for i := range w.Addresses {
		k := &t.kg[w.Parcels[w.Addresses[i].Parcel].KG]
		k.Addresses++
		k.Buildings += w.Addresses[i].Units
	}
	var err error
	t.unbuilt, err = unbuiltOutline(t.outline)
	return t, err
}

// drawn is parcel i as the source draws it, defects included.
func (t *truth) drawn(i int) geom.MultiPolygon { return spoil(t.parcel[i], t.defect[i]) }

// truth writes the folder truth.
func (o *output) truth(w *world.World, t *truth) error {
	var b []byte
	for i := range w.Parcels {
		p := &w.Parcels[i]
		code := w.KGs[p.KG].Code
		b = fmt.Appendf(b, `{"type":"Feature","properties":{"parcel_id":"%s-%s","kg_code":"%s","gnr":"%s","ez":%d,"status":"%s","ns":%d,"area_sqm":%.3f,"defect":"%s"},"geometry":`,
			code, p.GNR, code, p.GNR, p.EZ, p.Status, p.Use, t.area[i], t.defect[i])
		b = append(appendGeometry(b, t.parcel[i]), "}\n"...)
	}
	if err := o.file("truth/parcels.ndjson", b); err != nil {
		return err
	}
	b = b[:0]
	line := func(parcel int, ns uint8, shape planar.Poly) {
		p := &w.Parcels[parcel]
		g := world.Geometry([]planar.Poly{shape}, 2)
		code := w.KGs[p.KG].Code
		b = fmt.Appendf(b, `{"type":"Feature","properties":{"parcel_id":"%s-%s","kg_code":"%s","ns":%d,"area_sqm":%.3f},"geometry":`, code,
			p.GNR, code, ns, g.Area(crs.EqualArea))
		b = append(appendGeometry(b, g), "}\n"...)
	}
	for i := range w.Footprints {
		line(w.Footprints[i].Parcel, 41, w.Footprints[i].Shape)
	}
	if err := o.file("truth/footprints.ndjson", b); err != nil {
		return err
	}
	b = b[:0]
	for i := range w.Uses {
		line(w.Uses[i].Parcel, w.Uses[i].NS, w.Uses[i].Shape)
	}
	if err := o.file("truth/landuse.ndjson", b); err != nil {
		return err
	}
	for i := range t.kg {
		t.kg[i].AreaSqm, _ = strconv.ParseFloat(fmt.Sprintf("%.2f", t.kg[i].AreaSqm), 64)
	}
	s, err := json.MarshalIndent(Truth{o.sum, t.kg}, "", "  ")
	if err != nil {
		return err
	}
	return o.file("truth/summary.json", append(s, '\n'))
}

// appendGeometry writes a MultiPolygon as GeoJSON with 7 decimals.
func appendGeometry(b []byte, m geom.MultiPolygon) []byte {
	b = append(b, `{"type":"MultiPolygon","coordinates":[`...)
	for i, p := range m {
		b = comma(b, i, '[')
		for j, r := range p {
			b = comma(b, j, '[')
			for k := 0; k <= len(r); k++ {
				q := r[k%len(r)]
				b = comma(b, k, '[')
				b = strconv.AppendFloat(b, q.Lon(), 'f', 7, 64)
				b = append(b, ',')
				b = append(strconv.AppendFloat(b, q.Lat(), 'f', 7, 64), ']')
			}
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	return append(b, `]}`...)
}

func comma(b []byte, i int, c byte) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(b, c)
}
