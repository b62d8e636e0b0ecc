package addresses

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/kgfile"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

const (
	adresseHeader  = "ADRCD;GKZ;OKZ;PLZ;SKZ;ZAEHLSPRENGEL;HAUSNRTEXT;HAUSNRZAHL1;HAUSNRBUCHSTABE1;HAUSNRVERBINDUNG1;HAUSNRZAHL2;HAUSNRBUCHSTABE2;HAUSNRBEREICH;GNRADRESSE;HOFNAME;RW;HW;EPSG;QUELLADRESSE;BESTIMMUNGSART"
	gebaeudeHeader = "ADRCD;SUBCD;OBJEKTNUMMER;HAUPTADRESSE;HAUSNRVERBINDUNG2;HAUSNRZAHL3;HAUSNRBUCHSTABE3;HAUSNRVERBINDUNG3;HAUSNRZAHL4;HAUSNRBUCHSTABE4;HAUSNRVERBINDUNG4;HAUSNRGEBAEUDEBEZ;RW;HW;EPSG;QUELLADRESSE;BESTIMMUNGSART;EIGENSCHAFT"
)

// file is a table as the register writes it: quoted, semicolons, byte-order mark, CR LF.
func file(header string, rows ...string) *fstest.MapFile {
	var b strings.Builder
	b.WriteString("\ufeff")
	for _, r := range append([]string{header}, rows...) {
		b.WriteString(`"` + strings.ReplaceAll(r, ";", `";"`) + `"` + "\r\n")
	}
	return &fstest.MapFile{Data: []byte(b.String())}
}

// register has the published row (Poltenweg 41), an address with two buildings, one without a building
// in the east, one without a position of its own and one without a street.
func register() fstest.MapFS {
	return fstest.MapFS{
		"ADRESSE.csv": file(adresseHeader,
			"5000090;70101;16853;6080;013245;;;41;;;;;;0;;80893.30;234024.51;31254;;B",
			"5000091;70101;16853;6080;013245;;;12;a;-;14;b;;0;;80900,30;234030,51;31254;;B",
			"5000200;90001;99999;1010;000001;;Nr.;1;;;;;;0;;3000.17;341122.68;31256;;B",
			"5000300;70101;16853;6080;;;;;;;;;;0;Mesnerhof;;;;;",
			"5000400;70101;;6080;;;;7;;;;;;0;;80893.30;234124.51;31254;;B"),
		"GEBAEUDE.csv": file(gebaeudeHeader,
			"5000090;001;7700001;1;;;;;;;;;80893.30;234024.51;31254;;B;01",
			"5000091;001;7700002;1;;;;;;;;;;;;;B;02",
			"5000091;002;7700003;0;/;3;c;-;4;;;;80950.30;234030.51;31254;;B;77",
			"5000300;001;7700004;1;;;;;;;;;;;;;B;",
			"6000000;001;7700005;1;;;;;;;;;80893.30;234024.51;31254;;B;01"),
		"STRASSE.csv": file("SKZ;STRASSENNAME;STRASSENNAMENZUSATZ;SZUSADRBEST;GKZ;ZUSTELLORT", "013245;Poltenweg;;0;70101;Innsbruck",
			"000001;Stephansplatz;;0;90001;Wien"),
		"ORTSCHAFT.csv":   file("GKZ;OKZ;ORTSNAME", "70101;16853;Igls"),
		"GEMEINDE.csv":    file("GKZ;GEMEINDENAME", "70101;Innsbruck", "90001;Wien"),
		"ADRESSE_GST.csv": file("ADRCD;KGNR;GSTNR;LFDNR", "5000090;81112;123/4;1", "5000090;81113;5;2", "5000200;1004;9;1"),
	}
}

func all(r *Register) []Address {
	return r.In(geom.Box{MinX: -1 << 31, MinY: -1 << 31, MaxX: 1<<31 - 1, MaxY: 1<<31 - 1})
}

func TestJoin(t *testing.T) {
	r, p, err := Read(register())
	if err != nil || p.Total > 0 {
		t.Fatalf("%v, %+v", err, p)
	}
	want := []Address{
		{kgfile.Building{ID: austria.BuildingID{ADRCD: 5000090, SUBCD: 1}, Parcel: -1, HouseNumber: "41", Street: "Poltenweg", PLZ: "6080",
			Ort: "Igls", ObjectType: "Gebäude mit einer Wohnung"}, "81112"},
		{kgfile.Building{ID: austria.BuildingID{ADRCD: 5000091, SUBCD: 1}, Parcel: -1, HouseNumber: "12a-14b", Street: "Poltenweg",
			PLZ: "6080", Ort: "Igls", ObjectType: "Gebäude mit zwei oder mehr Wohnungen"}, ""},
		{kgfile.Building{ID: austria.BuildingID{ADRCD: 5000091, SUBCD: 2}, Parcel: -1, HouseNumber: "12a-14b/3c-4", Street: "Poltenweg",
			PLZ: "6080", Ort: "Igls", ObjectType: "77"}, ""},
		{kgfile.Building{ID: austria.BuildingID{ADRCD: 5000200, SUBCD: 0}, Parcel: -1, HouseNumber: "Nr. 1", Street: "Stephansplatz",
			PLZ: "1010", Ort: "Wien"}, "01004"},
		{kgfile.Building{ID: austria.BuildingID{ADRCD: 5000400, SUBCD: 0}, Parcel: -1, HouseNumber: "7", PLZ: "6080", Ort: "Innsbruck"},
			""},
	}
	got := all(r)
	for i := range got {
		if i < len(want) {
			want[i].At = got[i].At // positions have their own test
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("want %+v\n got %+v", want, got)
	}
	if want := (Counts{Addresses: 5, Buildings: 4, Points: 5, WithoutBuilding: 2, WithoutPosition: 1, UnknownLocality: 1,
		OrphanedBuildings: 1}); r.Counts != want {
		t.Errorf("want %+v, got %+v", want, r.Counts)
	}
	// The published row: 47.24013, 11.40142 within about 1 m.
	igls, _ := geom.PointAt(11.40142, 47.24013)
	if d := crs.Distance(got[0].At, igls); d > 1.5 {
		t.Errorf("Poltenweg 41 is %.2f m off", d)
	}
	if d := crs.Distance(got[1].At, got[0].At); d < 9 || d > 9.5 { // 7 m east, 6 m north: its address's position
		t.Errorf("5000091-001 is %.2f m from 5000090-001", d)
	}
	stephan, _ := geom.PointAt(16.3725, 48.2085)
	if d := crs.Distance(got[3].At, stephan); d > 0.05 {
		t.Errorf("Stephansplatz is %.2f m off", d)
	}
}

// A municipality code that is too large is left out; its lower bits are not another municipality's.
func TestBadMunicipality(t *testing.T) {
	s := register()
	s["ADRESSE.csv"] = file(adresseHeader, "7;4295037397;;6080;;;;41;;;;;;0;;80893.30;234024.51;31254;;B") // 70101 and 2^32
	s["GEBAEUDE.csv"] = file(gebaeudeHeader)
	r, p, err := Read(s)
	if err != nil || p.Total != 1 ||
		!strings.HasPrefix(p.First[0].Error(), `ADRESSE.csv line 2: GKZ "4295037397": expected a municipality code`) {
		t.Fatalf("%v, %+v", err, p)
	}
	if got := all(r); len(got) != 1 || got[0].Ort != "" {
		t.Errorf("want one address without a place, got %+v", got)
	}
}

func TestBadRows(t *testing.T) {
	s := register()
	s["ADRESSE.csv"] = file(adresseHeader,
		"x;70101;16853;6080;013245;;;41;;;;;;0;;80893.30;234024.51;31254;;B",
		"1;abc;16853;60800;013245;;;41;;;;;;0;;80893.30;234024.51;31254;;B",
		"2;70101;16853;6080;013245;;;41;;;;;;0;;east;234024.51;31254;;B",
		"3;70101;16853;6080;013245;;;41;;;;;;0;;80893.30;234024.51;4326;;B",
		"4;70101;16853;6080;013245;;;41;;;;;;0;;80893.30;5234024.51;31254;;B",
		"5;70101;16853;6080;013245;;;41;;;;;;0;;0;0;31254;;B",
		"6;70101;16853;6080;013245;;;41;;;;;;0;;80893.30;234024.51;31254;;B",
		"6;70101;16853;6080;013245;;;42;;;;;;0;;80893.30;234024.51;31254;;B")
	s["GEBAEUDE.csv"] = file(gebaeudeHeader, "6;x;1;1;;;;;;;;;;;;;;")
	r, p, err := Read(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`ADRESSE.csv line 2: ADRCD "x": expected an address code`,
		`ADRESSE.csv line 3: GKZ "abc": expected a municipality code`,
		`ADRESSE.csv line 3: PLZ "60800": expected a postal code`,
		`ADRESSE.csv line 4: RW "east": expected metres`,
		`ADRESSE.csv line 5: EPSG "4326": expected 31254, 31255 or 31256`,
		`ADRESSE.csv line 6: RW "80893.30": expected a position in Austria (with HW 5234024.51 in EPSG:31254)`,
		`ADRESSE.csv: ADRCD "6": expected each address once`,
		`GEBAEUDE.csv line 2: SUBCD "x": expected a number`,
	} {
		if !slices.ContainsFunc(p.First, func(q table.Problem) bool { return strings.HasPrefix(q.Error(), want) }) {
			t.Errorf("missing: %s", want)
		}
	}
	if p.Total != 8 {
		t.Errorf("want 8 problems, got %+v", p)
	}
	if got := all(r); len(got) != 2 || got[0].ID.ADRCD != 1 || got[1].ID.ADRCD != 6 || got[1].HouseNumber != "41" ||
		r.Counts.WithoutPosition != 4 {
		t.Errorf("got %+v, %+v", got, r.Counts)
	}
}

func TestTablesThatMustBeThere(t *testing.T) {
	s := register()
	delete(s, "GEBAEUDE.csv")
	if _, _, err := Read(s); err == nil || !strings.Contains(err.Error(), "GEBAEUDE.csv is missing") {
		t.Errorf("got %v", err)
	}
	s = register()
	s["ADRESSE.csv"] = file("ADRCD;GKZ")
	if _, _, err := Read(s); err == nil || !strings.Contains(err.Error(), "column OKZ is missing") {
		t.Errorf("got %v", err)
	}
	s = register()
	for _, name := range []string{"STRASSE.csv", "ORTSCHAFT.csv", "GEMEINDE.csv", "ADRESSE_GST.csv"} {
		delete(s, name)
	}
	r, p, err := Read(s)
	if err != nil || p.Total > 0 || len(all(r)) != 5 || r.Counts.UnknownStreet != 3 {
		t.Errorf("without the optional tables: %v, %+v, %+v", err, p, r.Counts)
	}
}

// A zip with the tables in a folder, in other letter case, gives what the folder gives.
func TestZipAndFolder(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, f := range register() {
		w, err := z.Create("Adresse_Relationale_Tabellen/" + strings.ToLower(name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "register.zip")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	zipped, _, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	folder, _, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all(zipped), all(folder)) || len(all(folder)) != 5 {
		t.Error("zip and folder differ")
	}
	if err := os.WriteFile(name, b.Bytes()[:b.Len()/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(name); err == nil || !strings.Contains(err.Error(), "neither a folder nor a zip") {
		t.Errorf("a broken zip: got %v", err)
	}
	if _, _, err := Open(filepath.Join(dir, "none")); err == nil {
		t.Error("nothing is no error")
	}
}

// made is a register of n addresses all over Tyrol, 5 % of them without a building.
func made(n int) fstest.MapFS {
	rnd := rand.New(rand.NewPCG(1, 1))
	var a, g bytes.Buffer
	a.WriteString("\ufeff" + adresseHeader + "\r\n")
	g.WriteString("\ufeff" + gebaeudeHeader + "\r\n")
	for i := range n {
		x, y := rnd.Float64()*100000, 200000+rnd.Float64()*60000
		fmt.Fprintf(&a, "\"%d\";\"70101\";\"16853\";\"6080\";\"%06d\";\"\";\"\";\"%d\";\"\";\"\";\"\";\"\";\"\";\"0\";\"\";\"%.2f\";\"%.2f\";\"31254\";\"\";\"B\"\r\n", 5000000+i, rnd.IntN(2000), rnd.IntN(200), x, y)
		if i%20 > 0 {
			fmt.Fprintf(&g, "\"%d\";\"001\";\"7700001\";\"1\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"\";\"%.2f\";\"%.2f\";\"31254\";\"\";\"B\";\"01\"\r\n", 5000000+i, x, y)
		}
	}
	s := register()
	var street bytes.Buffer
	street.WriteString("SKZ;STRASSENNAME\r\n")
	for i := range 2000 {
		fmt.Fprintf(&street, "%06d;Straße %d\r\n", i, i)
	}
	s["ADRESSE.csv"], s["GEBAEUDE.csv"], s["STRASSE.csv"] = &fstest.MapFile{Data: a.Bytes()}, &fstest.MapFile{Data: g.Bytes()},
		&fstest.MapFile{Data: street.Bytes()}
	return s
}

func TestBoxesFindEveryPointOnce(t *testing.T) {
	r, p, err := Read(made(5000))
	if err != nil || p.Total > 0 {
		t.Fatalf("%v, %+v", err, p)
	}
	var every []Address
	for a := range r.All {
		every = append(every, a)
	}
	if len(every) != 5000 || r.Counts.WithoutBuilding != 250 {
		t.Fatalf("want 5000 points, got %d, %+v", len(every), r.Counts)
	}
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		a, b := every[rnd.IntN(len(every))].At, every[rnd.IntN(len(every))].At
		box := geom.Box{MinX: min(a.X, b.X), MinY: min(a.Y, b.Y), MaxX: max(a.X, b.X), MaxY: max(a.Y, b.Y)}
		want := 0
		for _, e := range every {
			if box.Contains(e.At) {
				want++
			}
		}
		got := r.In(box)
		if len(got) != want {
			t.Fatalf("%v: want %d points, got %d", box, want, len(got))
		}
		for i, e := range got {
			if !box.Contains(e.At) || (i > 0 && got[i-1].ID.ADRCD >= e.ID.ADRCD) {
				t.Fatalf("point %d of %v is outside or out of order", i, box)
			}
		}
	}
	if got := r.In(geom.EmptyBox); got != nil {
		t.Errorf("an empty box holds %d points", len(got))
	}
}

func FuzzRead(f *testing.F) {
	s := register()
	f.Add(s["ADRESSE.csv"].Data, s["GEBAEUDE.csv"].Data)
	f.Add([]byte(adresseHeader+"\n1;1;1;1000;1;;;1;;;;;;;;1,5;200000;31255;;\n"), []byte("ADRCD;SUBCD\n1;1\n1;1\n"))
	f.Fuzz(func(t *testing.T, a, g []byte) {
		r, _, err := Read(fstest.MapFS{"ADRESSE.csv": {Data: a}, "GEBAEUDE.csv": {Data: g}})
		if err != nil {
			return
		}
		got := all(r)
		if len(got) != r.Counts.Points {
			t.Fatalf("want %d points, got %d", r.Counts.Points, len(got))
		}
		for i, e := range got {
			if !Austria.Contains(e.At) {
				t.Fatalf("%v is not in Austria", e)
			}
			if i > 0 && got[i-1].ID == e.ID {
				t.Fatalf("%v stands twice", e.ID)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	const n = 200000
	s := made(n)
	b.SetBytes(int64(len(s["ADRESSE.csv"].Data) + len(s["GEBAEUDE.csv"].Data)))
	b.ReportAllocs()
	var r *Register
	for b.Loop() {
		var err error
		if r, _, err = Read(s); err != nil {
			b.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	runtime.KeepAlive(r)
	r = nil
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(before.HeapAlloc-after.HeapAlloc)/n, "heapB/address")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/address")
}

func BenchmarkIn(b *testing.B) {
	r, _, err := Read(made(200000))
	if err != nil {
		b.Fatal(err)
	}
	x0, y0 := crs.GaussKruegerWest.Inverse(50000, 230000)
	at, _ := geom.PointAt(x0, y0)
	box := geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X + 300000, MaxY: at.Y + 200000}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = len(r.In(box))
	}
	b.ReportMetric(float64(n), "points")
}

// All gives every point, in grid order.
func (r *Register) All(yield func(Address) bool) {
	for _, b := range r.buildings {
		if !yield(r.address(b)) {
			return
		}
	}
}
