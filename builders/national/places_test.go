package national

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/register"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// unpacked reads a document with the standard library's gzip.
func unpacked(t testing.TB, b []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestPlaces(t *testing.T) {
	c := register.Contents{
		Municipalities: []register.Municipality{{Code: "50999", Name: "Probe", DistrictName: "Prüfung",
			At: geom.Point{X: 132000049, Y: 473000051}}},
		KGs: []register.KG{
			{KG: kgfile.KG{Code: "50001", Name: "Ober", GemeindeCode: "50999", GemeindeName: "Probe",
				Box: geom.Box{MinX: 132000000, MinY: 473000000, MaxX: 132100000, MaxY: 473100000}},
				Centroid: geom.Point{X: 132050000, Y: 473050000}, Snapshot: register.Object{Key: "kg/50001.kgs", Date: "2025-10-01"}},
			{KG: kgfile.KG{Code: "50002", Name: "Unter", GemeindeCode: "50998", GemeindeName: "Fremd", Box: geom.EmptyBox}},
		},
		Localities: []register.Locality{{OKZ: 7, Name: "Weiler", GemeindeCode: "50999", KG: "50001", PLZ: []austria.PLZ{"5020", "5021"},
			At: geom.Point{X: 132000000, Y: 473000000}}},
	}
	body, err := placesOf(c).encode()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"format":1,` +
		`"municipalities":{"columns":["gemeinde_code","gemeinde_name","district_name","lon","lat"],"rows":[["50999","Probe","Prüfung",13.2,47.30001],["50998","Fremd","",null,null]]},` +
		`"kgs":{"columns":["kg_code","kg_name","gemeinde_code","west","south","east","north","lon","lat","stichtag"],"rows":[["50001","Ober","50999",13.2,47.3,13.21,47.31,13.205,47.305,"2025-10-01"],["50002","Unter","50998",null,null,null,null,null,null,null]]},` +
		`"localities":{"columns":["name","gemeinde_code","kg_code","plz","lon","lat"],"rows":[["Weiler","50999","50001",["5020","5021"],13.2,47.3]]}}`
	if got := strings.TrimSpace(unpacked(t, body)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if again, err := placesOf(c).encode(); err != nil || !bytes.Equal(again, body) {
		t.Errorf("other bytes the second time, %v", err)
	}
}

// The pointer names the document of its generation, and a check reads it.
func TestPlacesArePublished(t *testing.T) {
	st := mem.New()
	if _, err := PublishSnapshots(t.Context(), st,
		kgtest.Snapshot(kgtest.Options{Code: "99003", Parcels: 8, Segments: 1, AreaKm2: 1, Seed: 3})); err != nil {
		t.Fatal(err)
	}
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if live.Pointer.Places == "" || live.Pointer.Places != live.Manifest.Places.Key {
		t.Fatalf("pointer names %q, the manifest %q", live.Pointer.Places, live.Manifest.Places.Key)
	}
	b, err := objects.Read(t.Context(), st, live.Pointer.Places)
	if err != nil {
		t.Fatal(err)
	}
	if text := unpacked(t, b); !strings.Contains(text, `["99003",`) || !json.Valid([]byte(text)) {
		t.Error(text)
	}
	if n, want := len(live.Manifest.National()), 5+len((&Publication{}).stages()); n != want {
		t.Errorf("%d objects of the country, want %d", n, want)
	}
}

// The document of a country of the size of Austria stays small enough to be read by a page that is searched:
// 7,850 KGs, 2,100 municipalities, 17,300 localities.
func TestPlacesOfACountryAreSmall(t *testing.T) {
	var c register.Contents
	for i := range 2100 {
		c.Municipalities = append(c.Municipalities, register.Municipality{Code: austria.GemeindeCode(fmt.Sprint(10000 + i)),
			Name: fmt.Sprintf("Sankt Probe %x", i*7919), DistrictName: "Bezirk"})
	}
	for i := range 7850 {
		at := geom.Point{X: int32(95000000 + i*9973%75000000), Y: int32(463000000 + i*7919%27000000)}
		c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: austria.KGCode(fmt.Sprintf("%05d", i)),
			Name: fmt.Sprintf("Oberprobe %x", i*7907), GemeindeCode: c.Municipalities[i%2100].Code,
			Box: geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X + 300000, MaxY: at.Y + 200000}}, Centroid: at})
	}
	for i := range 17300 {
		c.Localities = append(c.Localities, register.Locality{Name: fmt.Sprintf("Weiler %x", i*6689),
			GemeindeCode: c.Municipalities[i%2100].Code, KG: c.KGs[i%7850].Code, PLZ: []austria.PLZ{"5020"}, At: c.KGs[i%7850].Centroid})
	}
	body, err := placesOf(c).encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(body) > 700_000 {
		t.Errorf("%d bytes", len(body))
	}
	t.Logf("%d bytes", len(body))
}
