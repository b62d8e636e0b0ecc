package search

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// streets are address points that people write in many ways: KG, street, house number, postal code, locality.
var streets = [][5]string{
	{"88801", "Hauptstraße", "1", "3888", "Westdorf"},
	{"88801", "Hauptstraße", "2", "3888", "Westdorf"},
	{"88801", "Hauptstraße", "12", "3888", "Westdorf"},
	{"88801", "Hauptstraße", "12A", "3888", "Westdorf"},
	{"88801", "Hauptstraße", "12/3/4", "3888", "Westdorf"},
	{"88801", "Hauptstraße", "20-24", "3888", "Westdorf"},
	{"88802", "Hauptstraße", "1", "3889", "Bad Ostdorf"},
	{"88802", "Hauptstraßenweg", "1", "3889", "Bad Ostdorf"},
	{"88802", "Straße des 12. Februar", "5", "3889", "Bad Ostdorf"},
	{"88802", "Mozartgasse", "7", "3889", "Bad Ostdorf"},
	{"88802", "Franz-Josef-Straße", "3", "3889", "Bad Ostdorf"},
	{"00804", "St. Pöltner Straße", "8", "4884", "Fernau"},
	{"00804", "Šentjakob", "9", "4884", "Fernau"},
	{"00804", "", "4", "4884", "Großfernau"},
}

// streetSnapshots are the world with those address points in place of its own, ids from 9000001-000.
func streetSnapshots(list [][5]string) []*kgfile.Snapshot {
	snapshots := fixture.Snapshots()
	for _, s := range snapshots {
		s.Buildings = nil
		for i, a := range list {
			if a[0] == string(s.KG.Code) {
				s.Buildings = append(s.Buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: uint64(9_000_001 + i)},
					Parcel: int32(i%5) - 1, Street: a[1],
					HouseNumber: a[2], PLZ: austria.PLZ(a[3]), Ort: a[4], ObjectType: "Wohngebäude", At: fixture.At(float64(i)/4, 1)})
			}
		}
		s.KG.BuildingCount = len(s.Buildings)
	}
	return snapshots
}

func publishStreets(t testing.TB, list [][5]string) store.Store {
	t.Helper()
	s := mem.New()
	snapshots := streetSnapshots(list)
	if err := fixture.PublishWith(s, snapshots, further, "88803"); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddDirectory(s, snapshots, "88803"); err != nil {
		t.Fatal(err)
	}
	return s
}

func streetWorld(t testing.TB) http.Handler {
	return serve(t, publishStreets(t, streets), library.Options{})
}

// What people type, and the addresses they mean.
func TestAddresses(t *testing.T) {
	h := streetWorld(t)
	for _, c := range []struct{ query, want string }{
		{"q=Hauptstraße 1 Westdorf", "Hauptstraße/1/3888"},
		{"q=Westdorf, Hauptstrasse 1", "Hauptstraße/1/3888"},
		{"q=Hauptstr. 2", "Hauptstraße/2/3888"},
		{"q=Hauptstr.2", "Hauptstraße/2/3888"},
		{"q=haupt str 2", "Hauptstraße/2/3888"},
		{"q=3888 Hauptstraße 1", "Hauptstraße/1/3888"},
		{"q=Hauptstraße 1, A-3888 Westdorf", "Hauptstraße/1/3888"},
		{"q=Hauptstraße 1", "Hauptstraße/1/3889 Hauptstraße/1/3888 Hauptstraßenweg/1/3889"},
		{"q=Hauptstraße 12 Westdorf", "Hauptstraße/12/3888 Hauptstraße/12/3/4/3888 Hauptstraße/12A/3888"},
		{"q=Hauptstraße 12a", "Hauptstraße/12A/3888"},
		{"q=Hauptstraße 12 a", "Hauptstraße/12A/3888"},
		{"q=Hauptstraße 12/3/4", "Hauptstraße/12/3888 Hauptstraße/12/3/4/3888 Hauptstraße/12A/3888"},
		{"q=Hauptstraße 12/4", "Hauptstraße/12/3888 Hauptstraße/12A/3888"},
		{"q=Hauptstraße 12 Stiege 3 Top 4", "Hauptstraße/12/3888 Hauptstraße/12/3/4/3888 Hauptstraße/12A/3888"},
		{"q=Hauptstraße 22", "Hauptstraße/20-24/3888"},
		{"q=Hauptstraße 99", ""},
		{"q=Straße des 12. Februar", "Straße des 12. Februar/5/3889"},
		{"q=Straße des 12. Februar 5", "Straße des 12. Februar/5/3889"},
		{"q=Mozartg. 7", "Mozartgasse/7/3889"},
		{"q=Franzjosefstraße 3", "Franz-Josef-Straße/3/3889"},
		{"q=Franz Josef Str. 3", "Franz-Josef-Straße/3/3889"},
		{"q=Sankt Poeltner Strasse", "St. Pöltner Straße/8/4884"},
		{"q=Sentjakob 9", "Šentjakob/9/4884"},
		{"q=Gr. Fernau 4", "<nil>/4/4884"},
		{"q=Badostdorf Mozartgasse", "Mozartgasse/7/3889"},
		{"q=1", ""},
		{"q=Nirgendstraße", ""},
		{"plz=4884", "<nil>/4/4884 St. Pöltner Straße/8/4884 Šentjakob/9/4884"},
		{"ort=bad ostdorf&street=haupt", "Hauptstraße/1/3889 Hauptstraßenweg/1/3889"},
		{"street=Hauptstraße 1&plz=3889", "Hauptstraße/1/3889 Hauptstraßenweg/1/3889"},
		{"ort=Gemeinde 48804&q=8", "St. Pöltner Straße/8/4884"},
	} {
		v, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		l := getList(t, h, "search/address?"+v.Encode())
		if got := l.ids("street", "house_number", "postal_code"); got != c.want || l.total() != len(l.Data) {
			t.Errorf("%s: want %q, got %q of %d", c.query, c.want, got, l.total())
		}
	}
}

// One typing error is answered with what was meant, where that is found.
func TestAddressSuggestions(t *testing.T) {
	h := streetWorld(t)
	for query, want := range map[string]string{
		"Haptstraße 1 Westdorf":  "[Hauptstraße 1 Westdorf]",
		"Mozartgase 7":           "[Mozartgasse 7]",
		"Mozrtgase 7":            "[]",
		"Mozatrgasse 7":          "[Mozartgasse 7]",
		"Hauptstraße 1 Westdrof": "[Hauptstraße 1 Westdorf]",
	} {
		l := getList(t, h, "search/address?q="+url.QueryEscape(query))
		if got := fmt.Sprint(l.Meta["suggestions"]); got != want {
			t.Errorf("%s: want %s, got %s", query, want, got)
		}
	}
}
