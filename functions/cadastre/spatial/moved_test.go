package spatial

import (
	"fmt"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// Ground that lay in a parcel of a KG then, and lies in none or in that of another KG now, is found by the outlines of that
// date.
func TestGroundIsFoundByTheOutlinesOfTheDate(t *testing.T) {
	now := fixture.Snapshots()
	then := fixture.Snapshots()[2] // 88802, x 4..8, y 0..4
	then.Build.Stichtag = "2025-10-01"
	extra := then.Parcels[0]
	extra.GNR, extra.Geometry = "500", geom.MultiPolygon{{fixture.Rect(8, 0, 9, 1)}} // east of its present outline
	extra.Inside, extra.Centroid, extra.BuildingCount, extra.FootprintCount = fixture.At(8.5, 0.5), fixture.At(8.5, 0.5), 0, 0
	then.Parcels = append(then.Parcels, extra)
	then.Outline = geom.MultiPolygon{{geom.Ring{fixture.At(4, 0), fixture.At(9, 0), fixture.At(9, 1), fixture.At(8, 1),
		fixture.At(8, 4), fixture.At(4, 4)}}}
	then.KG.Box, then.KG.ParcelCount = then.Outline.Bounds(), len(then.Parcels)
	s := mem.New()
	if err := fixture.PublishPast(s, now, append(now[:0:0], then), "88803"); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(Deps{Library: lib, Now: fixture.Now}))
	p := fixture.At(8.5, 0.5)
	body := fmt.Sprintf(`{"points":[{"lon":%.7f,"lat":%.7f}]}`, p.Lon(), p.Lat())
	type located struct {
		Results []struct{ Matched bool }
		Data    []struct {
			ID string `json:"parcel_id"`
		}
		Meta struct{ Total int }
	}
	for _, c := range []struct {
		version string
		want    bool
	}{{"", false}, {"?version=2025-10-01", true}, {"?version=2026-10-01", false}} {
		if a := fixture.Decode[located](t, fixture.Ask(h, "POST", "/api/v1/spatial/points"+c.version, body, "Content-Type",
			"application/json"), 200); a.Results[0].Matched != c.want {
			t.Errorf("points%s: want %v, got %+v", c.version, c.want, a.Results)
		}
	}
	box := fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", fixture.At(8.4, 0.4).Lon(), fixture.At(8.4, 0.4).Lat(),
		fixture.At(8.6, 0.6).Lon(), fixture.At(8.6, 0.6).Lat())
	for _, target := range []string{"bbox?" + box + "&version=2025-10-01", "parcels?" + box + "&version=2025-10-01",
		fmt.Sprintf("point?lon=%.7f&lat=%.7f&radius=5&layers=parcels&version=2025-10-01", p.Lon(), p.Lat())} {
		if a := fixture.Decode[located](t, fixture.Ask(h, "GET", "/api/v1/spatial/"+target, ""), 200); len(a.Data) != 1 ||
			a.Data[0].ID != "88802-500" {
			t.Errorf("%s: %+v", target, a)
		}
	}
}
