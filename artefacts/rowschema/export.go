package rowschema

import (
	"bytes"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// ParcelExportRow is a parcel with what stands on it, as a row. Buildings are those of the KG.
type ParcelExportRow struct {
	ParcelRow
	Buildings          []kgfile.Building
	On                 []int32 // indexes into Buildings
	building           BuildingRow
	buildings, landUse nested
}

// ParcelExport is the parcel of the bulk GeoJSON: the columns of Parcel, then what stands on it.
var ParcelExport = format.LiftSchema(Parcel, func(r *ParcelExportRow) *ParcelRow { return &r.ParcelRow }).With(
	format.Field[ParcelExportRow]{
		Column: format.Column{Name: "buildings_on_parcel", Type: format.TypeJSON, Shape: []BuildingOnParcel{},
			Doc: "Address points on the parcel."},
		Get: func(r *ParcelExportRow) format.Value { return r.buildings.list(r.writeBuildings) },
	},
	format.Field[ParcelExportRow]{
		Column: format.Column{Name: "landuse_on_parcel", Type: format.TypeJSON, Shape: []LandUseOnParcel{},
			Doc: "Land use on the parcel by code."},
		Get: func(r *ParcelExportRow) format.Value { return r.landUse.list(r.writeLandUse) },
	},
)

// BuildingOnParcel is an entry of buildings_on_parcel; see Building for the meaning.
type BuildingOnParcel struct {
	BuildingID  string  `json:"building_id"`
	HouseNumber *string `json:"house_number"`
	Street      *string `json:"street"`
	PostalCode  *string `json:"postal_code"`
	Ort         *string `json:"ort"`
	FullAddress *string `json:"full_address"`
	ObjectType  *string `json:"object_type"`
	Lon         float64 `json:"lon"`
	Lat         float64 `json:"lat"`
}

// LandUseOnParcel is an entry of landuse_on_parcel. AreaSqm is null where only symbols say the use.
type LandUseOnParcel struct {
	Code     int      `json:"code"`
	Abbr     *string  `json:"abbr"`
	TypeName *string  `json:"type_name"`
	AreaSqm  *float64 `json:"area_sqm"`
	Symbols  int      `json:"symbols"`
}

// ByParcel lists the buildings of each parcel: Of(i) gives indexes into the buildings, rising.
type ByParcel struct {
	start []int32 // per parcel, and the end of the last
	index []int32
}

// BuildingsByParcel sorts the address points of a KG by their parcel.
func BuildingsByParcel(parcels []kgfile.Parcel, buildings []kgfile.Building) *ByParcel {
	b := &ByParcel{start: make([]int32, len(parcels)+1), index: make([]int32, len(buildings))}
	for i := range buildings {
		if ParcelAt(parcels, buildings[i].Parcel) != nil {
			b.start[buildings[i].Parcel+1]++
		}
	}
	for i := range parcels {
		b.start[i+1] += b.start[i]
	}
	fill := append([]int32{}, b.start...)
	for i := range buildings {
		if p := buildings[i].Parcel; ParcelAt(parcels, p) != nil {
			b.index[fill[p]] = int32(i)
			fill[p]++
		}
	}
	return b
}

// Of lists the buildings on parcel i.
func (b *ByParcel) Of(i int) []int32 { return b.index[b.start[i]:b.start[i+1]] }

// nested is room for a nested value, written with the row writer's own code.
type nested struct {
	text bytes.Buffer
	json *format.JSON
}

func (n *nested) list(write func(j *format.JSON)) format.Value {
	return n.value(func(j *format.JSON) {
		j.Array()
		write(j)
		j.EndArray()
	})
}

func (n *nested) object(write func(j *format.JSON)) format.Value {
	return n.value(func(j *format.JSON) {
		j.Object()
		write(j)
		j.EndObject()
	})
}

func (n *nested) value(write func(j *format.JSON)) format.Value {
	n.text.Reset()
	if n.json == nil {
		n.json = format.NewJSON(format.NewBuffer(&n.text), false)
	}
	write(n.json)
	n.json.Flush() // a bytes.Buffer does not fail
	*n.json = *format.NewJSON(n.json.Buffer, false)
	return format.BorrowedJSON(n.text.Bytes())
}

// onParcel are the columns of Building that buildings_on_parcel repeats.
var onParcel = Building.Fields.Only("building_id", "house_number", "street", "postal_code", "ort", "full_address", "object_type", "lon",
	"lat")

func (r *ParcelExportRow) writeBuildings(j *format.JSON) {
	r.building.KG = r.KG
	for _, i := range r.On {
		r.building.B = &r.Buildings[i]
		j.Object()
		for _, f := range onParcel {
			j.Key(f.Name)
			j.Value(f.Get(&r.building))
		}
		j.EndObject()
	}
}

func (r *ParcelExportRow) writeLandUse(j *format.JSON) {
	eachUse(r.P, func(c austria.LandUse, symbols int, area float64) {
		j.Object()
		j.Key("code")
		j.Value(format.Int(int64(c)))
		j.Key("abbr")
		j.Value(format.Text(c.Abbr()))
		j.Key("type_name")
		j.Value(format.Text(c.Name()))
		j.Key("area_sqm")
		if area < 0 {
			j.Null()
		} else {
			j.Value(format.Float(area, sqm))
		}
		j.Key("symbols")
		j.Int(symbols)
		j.EndObject()
	})
}

// ParcelExportRows gives the parcels of the bulk GeoJSON in the snapshot's order; one row value is reused.
func ParcelExportRows(s *kgfile.Snapshot) format.Seq {
	return func(yield func(format.Row, error) bool) {
		by := BuildingsByParcel(s.Parcels, s.Buildings)
		r := ParcelExport.Record()
		r.Item.KG, r.Item.Buildings = &s.KG, s.Buildings
		for i := range s.Parcels {
			r.Item.P, r.Item.On = &s.Parcels[i], by.Of(i)
			if !yield(r, nil) {
				return
			}
		}
	}
}
