package spatial

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

func lonlat(x, y float64) string {
	p := fixture.At(x, y)
	return fmt.Sprintf("lon=%.7f&lat=%.7f", p.Lon(), p.Lat())
}

func TestPoint(t *testing.T) {
	h := world(t)
	for _, c := range []struct{ name, query, want string }{
		{"radius 0 is the parcel that holds the point", lonlat(0.5, 2.5) + "&radius=0", "88801-9 0"},
		{"in the hole", lonlat(1.5, 1.5) + "&radius=0", "88801-.6/1 0"},
		{"nearest first; half a cell is 37.31 m east and 55.6 m north", lonlat(1.5, 2.5) + "&radius=38",
			"88801-10 0|88801-9 37.31|88801-11 37.31"},
		{"over the border of KGs", lonlat(3.9, 2.5) + "&radius=8", "88801-12 0|88802-9 7.46"},
		{"landuse", lonlat(0.5, 0.5) + "&radius=200&landuse=56&limit=1", "88801-6 66.96"},
		{"has_buildings", lonlat(1.9, 1.5) + "&radius=50&has_buildings=1", "88801-.6/1 11.19"},
		{"offset", lonlat(1.5, 2.5) + "&radius=38&offset=1&limit=1", "88801-9 37.31"},
		{"a parcel without area", lonlat(5.5, 2.6) + "&radius=12", "88802-10 0|88802-99 11.12"},
		{"outside everything", lonlat(20, 20), ""},
		{"point in another hemisphere", "lon=-70&lat=-30", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range getList(t, h, "/api/v1/spatial/point?"+c.query).Data {
				got = append(got, fmt.Sprint(r["parcel_id"], " ", r["distance_m"]))
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("want %s, got %s", c.want, s)
			}
		})
	}
}

func TestPointLayers(t *testing.T) {
	h := world(t)
	for _, param := range []string{"layers=kg,building,parcels", "layer=kg,buildings,parcel"} {
		l := getList(t, h, "/api/v1/spatial/point?"+lonlat(0.5, 0.5)+"&radius=20&"+param)
		var got []string
		for _, r := range l.Data {
			got = append(got, fmt.Sprint(r["_layer"], r["distance_m"]))
		}
		if s := strings.Join(got, " "); s != "kg0 building0 parcel0" {
			t.Errorf("ties stand in the order of the layers asked: got %s", s)
		}
		b := l.Data[1]
		if b["parcel_id"] != "88801-1" || b["ez"] != 7.0 || b["coords_verified"] != true {
			t.Errorf("building row: got %v", b)
		}
	}
	if l := getList(t, h, "/api/v1/spatial/point?"+lonlat(0.5, -0.2)+"&radius=100&layers=kg"); l.ids("kg_code") != "88803 88801" ||
		fmt.Sprint(l.Meta["kgs_unavailable"]) != "[88803]" {
		t.Errorf("a cold KG is a KG row all the same: got %s %v", l.ids("kg_code"), l.Meta)
	}
}

func TestPointBatch(t *testing.T) {
	h := world(t)
	a, b := fixture.At(0.5, 0.5), fixture.At(20, 20)
	body := fmt.Sprintf(`{"points":[{"lon":%.7f,"lat":%.7f,"id":"a"},{"lat":%.7f,"lon":%.7f}],"radius":30,"layers":["building","parcels"]}`,
		a.Lon(), a.Lat(), b.Lat(), b.Lon())
	w := call(h, "POST", "/api/v1/spatial/point", body)
	var got struct {
		Results []map[string]any
		Meta    map[string]any
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
		t.Fatalf("%d %v %s", w.Code, err, w.Body)
	}
	r := got.Results
	if r[0]["id"] != "a" || r[1]["id"] != 1.0 || r[0]["lon"] != a.Lon() || len(r[0]["parcels"].([]any)) != 1 ||
		len(r[0]["buildings"].([]any)) != 1 || len(r[1]["parcels"].([]any)) != 0 {
		t.Errorf("got %s", w.Body)
	}
	if m := got.Meta; m["point_count"] != 2.0 || m["total_features"] != 2.0 || m["radius_m"] != 30.0 ||
		fmt.Sprint(m["layers"]) != "[buildings parcels]" {
		t.Errorf("meta %v", m)
	}
	w = call(h, "POST", "/api/v1/spatial/point", fmt.Sprintf(`{"points":[{"lon":%.7f,"lat":%.7f}]}`, a.Lon(), a.Lat()))
	if s := w.Body.String(); strings.Contains(s, `"buildings":`) || !strings.Contains(s, `"radius_m":100,"layers":["parcels"]`) {
		t.Errorf("defaults: only requested layers appear, got %s", s)
	}
}

// answered is one result of POST /spatial/points.
type answered struct {
	ID      any
	Matched bool
	Pending *bool
	KGCode  *string `json:"kg_code"`
	KGName  *string `json:"kg_name"`
	Parcel  map[string]any
}

func contained(t *testing.T, body fmt.Stringer) ([]answered, map[string]any) {
	t.Helper()
	var got struct {
		Results []answered
		Meta    map[string]any
	}
	if err := json.Unmarshal([]byte(body.String()), &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return got.Results, got.Meta
}

func pointsBodyOf(points ...geom.Point) string {
	var s []string
	for _, p := range points {
		s = append(s, fmt.Sprintf(`{"lon":%.7f,"lat":%.7f}`, p.Lon(), p.Lat()))
	}
	return `{"points":[` + strings.Join(s, ",") + `]}`
}

func TestPoints(t *testing.T) {
	h := world(t)
	w := call(h, "POST", "/api/v1/spatial/points", pointsBodyOf(fixture.At(0.5, 0.5), fixture.At(0.5, -0.5), fixture.At(20, 20),
		fixture.At(6.5, 6.5)))
	r, meta := contained(t, w.Body)
	if !r[0].Matched || *r[0].KGCode != "88801" || *r[0].KGName != "Westdorf" || r[0].Parcel["parcel_id"] != "88801-1" ||
		r[0].Parcel["gnr"] != "1" || r[0].Parcel["area_sqm"] != 8001.0 || fmt.Sprint(r[0].Parcel["landuse_summary"]) != "map[52:1]" ||
		r[0].Pending != nil {
		t.Errorf("matched: got %+v", r[0])
	}
	if r[1].Matched || r[1].Pending == nil || !*r[1].Pending || *r[1].KGCode != "88803" || *r[1].KGName == "" {
		t.Errorf("a point in a cold KG is pending and its KG known: got %+v", r[1])
	}
	if r[2].Matched || r[2].Pending != nil || r[2].Parcel != nil {
		t.Errorf("nowhere: got %+v", r[2])
	}
	if r[3].Parcel["parcel_id"] != "88801-16" {
		t.Errorf("second part: got %+v", r[3])
	}
	for k, want := range map[string]string{"point_count": "4", "matched": "2", "unmatched": "1", "pending": "1", "kgs_warming": "[]",
		"kgs_unavailable": "[88803]", "complete": "false",
		"cache_resolved": "3", "kgs_loaded": "1", "method": "point-in-polygon", "geom_cache_ready": "false", "duration_ms": "0"} {
		if got := fmt.Sprint(meta[k]); got != want {
			t.Errorf("meta.%s: want %s, got %s", k, want, got)
		}
	}
	if w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("answers to POST are not stored: %v", w.Header())
	}
	w = call(h, "POST", "/api/v1/spatial/points?fields=parcel_id", pointsBodyOf(fixture.At(0.5, 0.5)))
	if !strings.Contains(w.Body.String(), `"parcel":{"parcel_id":"88801-1"}`) {
		t.Errorf("fields= chooses: got %s", w.Body)
	}
}

// A point on a border that two KGs share, or at a corner of four parcels, lies in exactly one parcel,
// and the same one as geom's rule says.
func TestSharedBordersMatchOneParcel(t *testing.T) {
	h := world(t)
	var points []geom.Point
	for k := range 33 {
		points = append(points, fixture.At(4, float64(k)/8)) // along the border of 88801 and 88802
	}
	for x := range 9 {
		for y := range 5 {
			points = append(points, fixture.At(float64(x), float64(y)))
		}
	}
	r, _ := contained(t, call(h, "POST", "/api/v1/spatial/points", pointsBodyOf(points...)).Body)
	for i, p := range points {
		var want []string
		for _, s := range fixture.Snapshots() {
			if s.KG.Code == "88803" {
				continue
			}
			for k := range s.Parcels {
				if s.Parcels[k].Geometry.Contains(p) {
					want = append(want, austria.ParcelID{KG: s.KG.Code, GNR: s.Parcels[k].GNR}.String())
				}
			}
		}
		if len(want) > 1 {
			t.Fatalf("%v lies in %v", p, want)
		}
		got := ""
		if r[i].Matched {
			got = r[i].Parcel["parcel_id"].(string)
		}
		if strings.Join(want, "") != got {
			t.Errorf("%v: want %v, got %q", p, want, got)
		}
	}
}

// Where nobody loads cold KGs, wait=true does not wait for them.
func TestWaitWhereNothingCanBeLoaded(t *testing.T) {
	s := fixture.Store(t)
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := testDeps(lib)
	d.Pause = pauseFunc(func() error { return errors.New("it waits") })
	h := fixture.Handler(t, New(d))
	body := strings.Replace(pointsBodyOf(fixture.At(0.5, -0.5)), "{", `{"wait":true,`, 1)
	r, meta := contained(t, call(h, "POST", "/api/v1/spatial/points", body).Body)
	if r[0].Matched || r[0].Pending == nil || !*r[0].Pending || meta["complete"] != false {
		t.Errorf("got %+v %v", r[0], meta)
	}
}

func TestWaitLoadsColdKGs(t *testing.T) {
	s := fixture.Store(t)
	lib, err := library.Open(t.Context(), s, library.Options{Warmup: func(austria.KGCode) {}})
	if err != nil {
		t.Fatal(err)
	}
	d := testDeps(lib)
	waits := 0
	d.Pause = pauseFunc(func() error {
		if waits++; waits == 2 { // the warm-up ends
			if err := fixture.Publish(s, fixture.Snapshots()); err != nil {
				return err
			}
			return lib.Refresh(t.Context())
		}
		return nil
	})
	h := fixture.Handler(t, New(d))
	body := strings.Replace(pointsBodyOf(fixture.At(0.5, -0.5)), "{", `{"wait":true,`, 1)
	r, meta := contained(t, call(h, "POST", "/api/v1/spatial/points", body).Body)
	if !r[0].Matched || *r[0].KGCode != "88803" || meta["complete"] != true || meta["cache_resolved"] != 0.0 || waits != 2 {
		t.Errorf("got %+v %v after %d waits", r[0], meta, waits)
	}
}
