package rowschema

import (
	"slices"
	"strconv"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
)

// FolioRow is a land-register folio of a KG, as a row. The slices are room for the texts that are put together.
type FolioRow struct {
	KG                      *kgfile.KG
	F                       *kgfile.Folio
	id, codes, summary, box []byte
}

// Folio is what the map knows of a folio of the land register. It can be drawn as the centre of its box.
var Folio = format.NewSchema("ez", "A land-register folio (Einlagezahl), drawn as the centre of its box.", format.Drawing[FolioRow]{
	Point: func(r *FolioRow) geom.Point { return centre(r.F.Box) },
}, format.Fields[FolioRow]{
	{Column: format.Column{Name: "ez_id", Doc: "<kg_code>-<ez>, the key of a folio."}, Get: func(r *FolioRow) format.Value {
		r.id = append(append(r.id[:0], r.KG.Code...), '-')
		r.id = strconv.AppendUint(r.id, uint64(r.F.EZ), 10)
		return format.Borrowed(r.id)
	}},
	{Column: kgCode, Get: func(r *FolioRow) format.Value { return format.String(string(r.KG.Code)) }},
	{Column: ez, Get: func(r *FolioRow) format.Value { return folio(r.F.EZ) }},
	{Column: format.Column{Name: "parcel_count", Type: format.TypeInt, Doc: "Parcels of the folio."},
		Get: func(r *FolioRow) format.Value { return format.Int(int64(len(r.F.Parcels))) }},
	{Column: format.Column{Name: "total_area_sqm", Type: format.TypeFloat, Decimals: sqm, Unit: "m²",
		Doc: "Drawn area of its parcels (EPSG:3035)."},
		Get: func(r *FolioRow) format.Value { return format.Float(r.F.TotalAreaSqm, sqm) }},
	{Column: format.Column{Name: "building_count", Type: format.TypeInt, Doc: "Address points on its parcels."},
		Get: func(r *FolioRow) format.Value { return format.Int(int64(r.F.BuildingCount)) }},
	{Column: format.Column{Name: "landuse_codes", Doc: "Land-use codes of its parcels' symbols and areas, rising, comma-separated."},
		Get: func(r *FolioRow) format.Value {
			r.codes = appendCodes(r.codes[:0], r.F.SymbolCounts, r.F.UseAreas)
			return format.Borrowed(r.codes)
		}},
	{Column: format.Column{Name: "landuse_summary", Type: format.TypeJSON, Shape: map[string]int{},
		Doc: "Number of land-use symbols per code."},
		Get: func(r *FolioRow) format.Value {
			r.summary = AppendLandUseSummary(r.summary[:0], r.F.SymbolCounts)
			return format.BorrowedJSON(r.summary)
		}},
	{Column: format.Column{Name: "bbox", Type: format.TypeJSON, Shape: FolioBox{}, Doc: "Box of its parcels with its centre."},
		Get: func(r *FolioRow) format.Value {
			r.box = appendFolioBox(r.box[:0], r.F.Box)
			return format.BorrowedJSON(r.box)
		}},
})

// FolioBox is the bbox of a folio, degrees (WGS84).
type FolioBox struct {
	MinLon    float64 `json:"min_lon"`
	MinLat    float64 `json:"min_lat"`
	MaxLon    float64 `json:"max_lon"`
	MaxLat    float64 `json:"max_lat"`
	CenterLon float64 `json:"center_lon"`
	CenterLat float64 `json:"center_lat"`
}

func centre(b geom.Box) geom.Point {
	return geom.Point{X: int32((int64(b.MinX) + int64(b.MaxX)) / 2), Y: int32((int64(b.MinY) + int64(b.MaxY)) / 2)}
}

// appendFolioBox appends a FolioBox with 7 decimals.
func appendFolioBox(b []byte, x geom.Box) []byte {
	c := centre(x)
	for i, m := range [...]struct {
		name string
		e7   int32
	}{{"min_lon", x.MinX}, {"min_lat", x.MinY}, {"max_lon", x.MaxX}, {"max_lat", x.MaxY}, {"center_lon", c.X}, {"center_lat", c.Y}} {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		b = append(append(append(b, sep, '"'), m.name...), '"', ':')
		b = strconv.AppendFloat(b, float64(m.e7)/geom.Scale, 'f', 7, 64)
	}
	return append(b, '}')
}

// FolioDetailRow is a folio with what is in it, as a row. Parcels and Buildings are those of the KG.
type FolioDetailRow struct {
	FolioRow
	Parcels                      []kgfile.Parcel
	Buildings                    []kgfile.Building
	parcel                       ParcelRow
	building                     BuildingRow
	parcels, buildings, uses, of nested
}

// FolioDetail is a folio as Folio has it, then its parcels, the address points on them and its land use.
var FolioDetail = format.LiftSchema(Folio, func(r *FolioDetailRow) *FolioRow { return &r.FolioRow }).Named("ez_detail",
	"A land-register folio with its parcels and address points.").With(
	format.Field[FolioDetailRow]{
		Column: format.Column{Name: "parcels", Sparse: true, Type: format.TypeJSON, Shape: []map[string]any{},
			Doc: "Its parcels in the order of the snapshot, each with the fields of a parcel row."},
		Get: func(r *FolioDetailRow) format.Value { return r.parcels.list(r.writeParcels) },
	},
	format.Field[FolioDetailRow]{
		Column: format.Column{Name: "buildings", Sparse: true, Type: format.TypeJSON, Shape: []map[string]any{},
			Doc: "The address points on them by id, each with the fields of an address point row."},
		Get: func(r *FolioDetailRow) format.Value { return r.buildings.list(r.writeBuildings) },
	},
	format.Field[FolioDetailRow]{
		Column: format.Column{Name: "landuse_area_breakdown", Sparse: true, Type: format.TypeJSON, Shape: map[string]float64{},
			Doc: "Land-use code to area in m², of the codes whose area land-use polygons say."},
		Get: func(r *FolioDetailRow) format.Value {
			return r.of.object(func(j *format.JSON) {
				for _, a := range r.F.UseAreas {
					j.Key(strconv.Itoa(int(a.Code)))
					j.Value(format.Float(a.Sqm, sqm))
				}
			})
		},
	},
	format.Field[FolioDetailRow]{
		Column: format.Column{Name: "landuse_breakdown", Sparse: true, Type: format.TypeJSON, Shape: []LandUseOfParcels{},
			Doc: "Land use by code: in how many of its parcels, and the area where land-use polygons say it, else null."},
		Get: func(r *FolioDetailRow) format.Value { return r.uses.list(r.writeUses) },
	},
)

// LandUseOfParcels is an entry of landuse_breakdown. AreaSqm is null where only symbols say the use.
type LandUseOfParcels struct {
	Code     int      `json:"code"`
	Abbr     *string  `json:"abbr"`
	TypeName *string  `json:"type_name"`
	Parcels  int      `json:"parcels"`
	AreaSqm  *float64 `json:"area_sqm"`
}

func (r *FolioDetailRow) writeParcels(j *format.JSON) {
	r.parcel.KG = r.KG
	for _, i := range r.F.Parcels {
		r.parcel.P = &r.Parcels[i]
		writeFields(j, Parcel.Fields, &r.parcel)
	}
}

func (r *FolioDetailRow) writeBuildings(j *format.JSON) {
	r.building.KG = r.KG
	for i := range r.Buildings {
		b := &r.Buildings[i]
		if _, in := slices.BinarySearch(r.F.Parcels, b.Parcel); in {
			r.building.B, r.building.Parcel = b, ParcelAt(r.Parcels, b.Parcel)
			writeFields(j, Building.Fields, &r.building)
		}
	}
}

func (r *FolioDetailRow) writeUses(j *format.JSON) {
	var parcels [256]int
	for _, i := range r.F.Parcels {
		eachUse(&r.Parcels[i], func(c austria.LandUse, _ int, _ float64) { parcels[c]++ })
	}
	eachCode(r.F.SymbolCounts, r.F.UseAreas, func(c austria.LandUse, _ int, area float64) {
		j.Object()
		j.Key("code")
		j.Int(int(c))
		j.Key("abbr")
		j.Value(format.Text(c.Abbr()))
		j.Key("type_name")
		j.Value(format.Text(c.Name()))
		j.Key("parcels")
		j.Int(parcels[c])
		j.Key("area_sqm")
		if area < 0 {
			j.Null()
		} else {
			j.Value(format.Float(area, sqm))
		}
		j.EndObject()
	})
}

// writeFields writes a row as an object.
func writeFields[T any](j *format.JSON, fields format.Fields[T], item *T) {
	j.Object()
	for _, f := range fields {
		j.Key(f.Name)
		j.Value(f.Get(item))
	}
	j.EndObject()
}
