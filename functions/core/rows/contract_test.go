package rows_test

import (
	"testing"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/rows/rowstest"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
)

func TestContract(t *testing.T) {
	for name, fresh := range map[string]func() rows.Source{
		"parcels": func() rows.Source { return rows.Parcels(rowschema.Parcel.Record()) },
		"parcels without overlays": func() rows.Source {
			return rows.Parcels(rowschema.Parcel.Only("parcel_id", "area_sqm").Record())
		},
		"parcels with what stands on them": func() rows.Source { return rows.ParcelExports(rowschema.ParcelExport.Record()) },
		"address points":                   func() rows.Source { return rows.Buildings(rowschema.Building.Record()) },
		"footprints":                       func() rows.Source { return rows.Footprints(rowschema.Footprint.Record()) },
		"land use":                         func() rows.Source { return rows.LandUse(rowschema.LandUsePolygon.Record()) },
		"symbols":                          func() rows.Source { return rows.Symbols(rowschema.LandUsePoint.Record()) },
		"folios":                           func() rows.Source { return rows.Folios(rowschema.Folio.Record()) },
		"folios with what is in them":      func() rows.Source { return rows.FolioDetails(rowschema.FolioDetail.Record()) },
		"labels":                           func() rows.Source { return rows.Labels(rowschema.Label.Record()) },
	} {
		t.Run(name, func(t *testing.T) { rowstest.Run(t, func(*testing.T) rows.Source { return fresh() }) })
	}
	v := view.At(t.Context(), fixture.View(t, fixture.Store(t)))
	list := []*register.KG{v.Register().KG("88801"), v.Register().KG("88802"), v.Register().KG("00804")}
	t.Run("KGs", func(t *testing.T) {
		rowstest.RunExternal(t, func(*testing.T) rows.Source { return rows.KGs(rowschema.KG.Record(), v.Register(), list) })
	})
}
