package demo

import (
	"encoding/json"
	"fmt"

	"mappe/localdev/demo/world"
)

// table gathers the rows of a comma-separated register.
type table struct{ b []byte }

func (t *table) row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			t.b = append(t.b, ',')
		}
		t.b = fmt.Append(t.b, c)
	}
	t.b = append(t.b, '\n')
}

func degrees(f float64) string { return fmt.Sprintf("%.7f", f) }

// registerFactor is register area over drawn area: equal for most KGs, off by up to 3 % for a few, as
// register areas come from older surveys.
func registerFactor(kg int) float64 {
	switch kg {
	case 1:
		return 1.0042
	case 6:
		return 0.9915
	case 9:
		return 1.031
	}
	return 1
}

// settings is source.json.
func settings(date string, without ...string) ([]byte, error) {
	src, err := json.Marshal(struct {
		Stichtag    string   `json:"stichtag"`
		Attribution string   `json:"attribution"`
		ParcelZoom  int      `json:"parcel_zoom"`
		LandUseZoom int      `json:"landuse_zoom"`
		OnDemand    []string `json:"on_demand"`
		Without     []string `json:"without_parcels,omitempty"`
	}{date, Attribution, parcelZoom, landUseZoom, []string{Unbuilt}, without})
	return append(src, '\n'), err
}

// registers writes source.json and the folder registers.
func (o *output) registers(w *world.World, t *truth) error {
	var without []string
	if o.unsourced {
		without = []string{UnsourcedKG}
	}
	src, err := settings(Stichtag, without...)
	if err != nil {
		return err
	}
	const place = "district_code,district_name,state_code,state_name"
	kgs, gems, districts, orts, plz, areas := &table{}, &table{}, &table{}, &table{}, &table{}, &table{}
	kgs.row("kg_code,kg_name,gemeinde_code,gemeinde_name," + place)
	areas.row("kg_code,area_sqm,parcel_count")
	for i, k := range w.KGs {
		g := w.Gemeinden[k.Gemeinde]
		kgs.row(k.Code, k.Name, g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName)
		areas.row(k.Code, fmt.Sprintf("%.0f", t.kg[i].AreaSqm*registerFactor(i)), t.kg[i].Parcels)
	}
	kgs.row(unbuiltRow(w)...)
	if o.unsourced {
		kgs.row(unsourcedRow(w)...)
	}
	gems.row("gemeinde_code,gemeinde_name," + place + ",lon,lat")
	for i, g := range w.Gemeinden {
		lon, lat := 0.0, 0.0
		for _, l := range w.Localities {
			if l.Gemeinde == i && l.Name == g.Post {
				lon, lat = l.At.LonLat()
			}
		}
		gems.row(g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName, degrees(lon), degrees(lat))
	}
	districts.row(place)
	districts.row(world.DistrictCode, world.DistrictName, world.StateCode, world.StateName)
	orts.row("okz,ort_name,gemeinde_code,gemeinde_name,kg_code,lon,lat,plz")
	plz.row("plz,place,gemeinde_code")
	for _, l := range w.Localities {
		g := w.Gemeinden[l.Gemeinde]
		lon, lat := l.At.LonLat()
		orts.row(fmt.Sprintf("%05d", l.OKZ), l.Name, g.Code, g.Name, w.KGs[l.KG].Code, degrees(lon), degrees(lat), w.PLZ(l))
		plz.row(w.PLZ(l), l.Name, g.Code)
	}
	for _, f := range []struct {
		name string
		body []byte
	}{
		{"source.json", src}, {"registers/kg.csv", kgs.b}, {"registers/gemeinden.csv", gems.b},
		{"registers/districts.csv", districts.b}, {"registers/ortschaften.csv", orts.b}, {"registers/plz.csv", plz.b},
		{"registers/areas.csv", areas.b},
	} {
		if err := o.file(f.name, f.body); err != nil {
			return err
		}
	}
	return nil
}

// outlines writes kg.geojson and gemeinden.geojson.
func (o *output) outlines(w *world.World, t *truth) error {
	b := []byte("{\"type\":\"FeatureCollection\",\"features\":[\n")
	for i, k := range w.KGs {
		g := w.Gemeinden[k.Gemeinde]
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = fmt.Appendf(b, `{"type":"Feature","properties":{"kg_code":"%s","kg_name":"%s","gemeinde_code":"%s","gemeinde_name":"%s","district_code":"%s","district_name":"%s","state_code":"%s","state_name":"%s","meridian":31,"area_sqm":%.0f},"geometry":`,
			k.Code, k.Name, g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName, t.kg[i].AreaSqm)
		b = append(appendGeometry(b, t.outline[i]), '}')
	}
	g := w.Gemeinden[unbuiltGemeinde]
	b = fmt.Appendf(b, `,
{"type":"Feature","properties":{"kg_code":"%s","kg_name":"%s","gemeinde_code":"%s","gemeinde_name":"%s","district_code":"%s","district_name":"%s","state_code":"%s","state_name":"%s","meridian":31},"geometry":`,
		Unbuilt, unbuiltName, g.Code, g.Name, world.DistrictCode, world.DistrictName, world.StateCode, world.StateName)
	b = append(appendGeometry(b, t.unbuilt), '}')
	if o.unsourced {
		b = appendUnsourced(b, w, t)
	}
	if err := o.file("kg.geojson", append(b, "\n]}\n"...)); err != nil {
		return err
	}
	b = []byte("{\"type\":\"FeatureCollection\",\"name\":\"gemeinden\",\"features\":[\n")
	for i, g := range w.Gemeinden {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = fmt.Appendf(b, `{"type":"Feature","properties":{"name":"%s","iso":"%s"},"geometry":`, g.Name, g.Code)
		outline, err := t.withUnbuilt(i, world.Geometry(w.GemeindeOutlines[i], 1))
		if err == nil && o.unsourced && i == unbuiltGemeinde {
			outline = append(outline, unsourcedOutline(t)...)
		}
		if err != nil {
			return err
		}
		b = append(appendGeometry(b, outline), '}')
	}
	return o.file("gemeinden.geojson", append(b, "\n]}\n"...))
}
