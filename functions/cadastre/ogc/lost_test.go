package ogc

import (
	"errors"
	"testing"

	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
)

// Rows of a KG whose file is lost take no place on a page: no page is empty while rows follow, each readable feature comes
// once, and every page says that a KG is missing.
func TestPagesOverALostKG(t *testing.T) {
	s := mem.New()
	list := fixture.Snapshots()
	if err := fixture.Publish(s, list); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), fixture.View(t, s).Register().KG("88801").Snapshot.Key); err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s), Now: fixture.Now, BaseURL: "https://land.example/cadastre"}))
	want := 0
	for _, snap := range list {
		want += len(snap.Parcels)
	}
	seen := map[string]bool{}
	for target := "/ogc/collections/parcels/items?limit=3"; target != ""; {
		f, header := get(t, h, target, 200)
		features := f["features"].([]any)
		if len(features) == 0 || f["numberReturned"] != float64(len(features)) || f["numberMatched"] != float64(want) {
			t.Fatalf("%s: %v of %v returned, %d features", target, f["numberReturned"], f["numberMatched"], len(features))
		}
		if meta := f["meta"].(object); meta["ready"] != false || header.Get("X-Data-Ready") != "false" ||
			header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v %v", target, meta, header)
		}
		for _, feature := range features {
			id := feature.(object)["id"].(string)
			if seen[id] {
				t.Errorf("%s comes twice", id)
			}
			seen[id] = true
		}
		next := linked(f, "next", "")
		if target = ""; next != "" {
			target = local(t, next)
		}
	}
	if lost := len(list[1].Parcels); len(seen) != want-lost {
		t.Errorf("want %d features, got %d", want-lost, len(seen))
	}
}

// What does not exist is 404 whatever else is unbuilt; the KG of an address point is known from the search directory.
func TestAnAddressPointOfACountryThatIsPartlyBuilt(t *testing.T) {
	s := mem.New()
	cold := []austria.KGCode{"00804", "88803"}
	if err := errors.Join(fixture.Publish(s, fixture.Snapshots(), cold...),
		fixture.AddDirectory(s, fixture.Snapshots(), cold...)); err != nil {
		t.Fatal(err)
	}
	h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s), Now: fixture.Now}))
	get(t, h, "/ogc/collections/address_points/items/8880201-001", 200)
	f, header := get(t, h, "/ogc/collections/address_points/items/1-1", 404)
	if f["ready"] != false || f["kgs_unavailable_count"] != 2.0 || header.Get("Retry-After") != "" {
		t.Errorf("an address point that any unbuilt KG may have: %v", f)
	}
	f, _ = get(t, h, "/ogc/collections/parcels/items/88801-9999", 404)
	if f["ready"] != nil {
		t.Errorf("a parcel that a KG which was read does not have: %v", f)
	}
}
