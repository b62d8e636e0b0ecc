package table

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/functions/families"
	"mappe/functions/fixture"
	"mappe/localdev/terminal"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/web/xlsx"
)

// world is a server of the made-up country: with addresses and prices, KG 88803 not built.
var world = sync.OnceValues(func() (http.Handler, error) {
	s := mem.New()
	if err := fixture.PublishAround(s); err != nil {
		return nil, err
	}
	if err := fixture.AddDirectory(s, fixture.Snapshots(), "88803"); err != nil {
		return nil, err
	}
	lib, err := fixture.Open(s)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, f := range families.All(families.Deps{Library: lib}) {
		if f.Prefix != "/cadastre" && f.Prefix != "/context" {
			continue
		}
		h, err := f.Handler()
		if err != nil {
			return nil, err
		}
		mux.Handle(f.Prefix+"/", h)
	}
	return mux, nil
})

// serve serves the world; before may answer itself, and says whether it did.
func serve(t *testing.T, before func(w http.ResponseWriter, r *http.Request) bool) string {
	t.Helper()
	h, err := world()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			h.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// job is a job over a table of this text.
func job(t *testing.T, server, name string, body []byte, out string) (Job, *[]string) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, name)
	if err := os.WriteFile(in, body, 0o600); err != nil {
		t.Fatal(err)
	}
	notes := &[]string{}
	return Job{In: in, Out: filepath.Join(dir, out), Server: server, System: crs.WGS84,
		Note: func(s string) { *notes = append(*notes, s) }, Progress: func(int, int) {}}, notes
}

// rowsOf reads a result in CSV: by the names of its columns.
func rowsOf(t *testing.T, j Job, separator rune) (rows []map[string]string) {
	t.Helper()
	body, err := os.ReadFile(j.Out)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))))
	r.Comma = separator
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestRows: rows of every kind, what is found and why not, in their order and with their own cells.
func TestRows(t *testing.T) {
	at := fixture.At(1.5, 0.5)
	body := "Nr;KG;GNR;Lon;Lat;Straße;Hausnummer;PLZ;Ort;=Notiz\r\n" +
		"1;88801;.6/1;;;;;;;=1+1\r\n" +
		"2;88801;777;;;;;;;-3,5\r\n" +
		strings.ReplaceAll(fmt.Sprintf("3;;;%.7f;%.7f;;;;;\r\n", at.Lon(), at.Lat()), ".", ",") +
		"4;;;48;15;;;;;\r\n" +
		"5;;;;;Dorfstra\xdfe;2;3888;Ostdorf;\xe4\r\n" +
		"6;;;;;Nirgendgasse;9;3888;;\r\n" +
		"7;88803;1;;;;;;;\r\n" +
		"8;;;;;;;;;leer\r\n" +
		"9;Wien;1;;;;;;;\r\n"
	body = strings.Replace(body, "Straße", "Stra\xdfe", 1)
	j, notes := job(t, serve(t, nil), "a.csv", []byte(body), "b.csv")
	s, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, j, ';')
	if len(rows) != 9 || s.Rows != 9 {
		t.Fatalf("%d rows, %+v", len(rows), s)
	}
	for i, want := range []map[string]string{
		{"parcel_id": "88801-.6/1", "kg_code": "88801", "area_sqm": "8000", "match": "parcel", "not_found": "", "'=Notiz": "'=1+1"},
		{"parcel_id": "", "match": "", "not_found": "there is no parcel 88801-777", "'=Notiz": "-3,5"},
		{"parcel_id": "88801-2", "match": "coordinates", "not_found": ""},
		{"parcel_id": "", "not_found": "the position is not in Austria, with its two numbers swapped it is: --columns lon=NAME,lat=NAME says which column is the easting"},
		{"not_found": "no parcel lies at this position", "match": "exact", "found_address": "Dorfstraße 2, 3888 Ostdorf, Österreich",
			"'=Notiz": "ä"},
		{"parcel_id": "", "not_found": "no such address is known"},
		{"parcel_id": "", "not_found": "the KG of parcel 88803-1 is not loaded: ask again later"},
		{"not_found": "the row has no parcel, no position and no street", "'=Notiz": "leer"},
		{"not_found": `KG code "Wien" is not valid: expected 1 to 5 digits, for example 01004`},
	} {
		want["Nr"] = fmt.Sprint(i + 1)
		for name, value := range want {
			if got := rows[i][name]; got != value {
				t.Errorf("row %d, %s: want %q, got %q", i+1, name, value, got)
			}
		}
	}
	if rows[2]["price_confidence"] == "" || rows[2]["kg_name"] == "" || rows[2]["natura2000"] == "" {
		t.Errorf("what is known of a parcel: %v", rows[2])
	}
	if s.Again != 1 || s.Kept == "" {
		t.Errorf("a row of a KG that is not loaded can be asked again: %+v", s)
	}
	if told := strings.Join(*notes, "\n"); !strings.Contains(told, "kg = KG, gnr = GNR, lon = Lon, lat = Lat, street = Straße") {
		t.Errorf("the columns are told: %s", told)
	}
}

// TestSurroundings: municipality and district, what protects the position and what is near, with the licence; a server without
// the data gives the rest, and the run says so once.
func TestSurroundings(t *testing.T) {
	j, _ := job(t, serve(t, nil), "a.csv", many(1), "b.csv")
	j.Separator = ';'
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	row := rowsOf(t, j, ';')[0]
	for name, want := range map[string]string{"gemeinde_code": "38801", "gemeinde_name": "Gemeinde 38801", "district_code": "388",
		"district_name": "Bezirk 388"} {
		if row[name] != want {
			t.Errorf("%s: want %q, got %q", name, want, row[name])
		}
	}
	for _, name := range []string{"dist_road_m", "dist_water_m", "protected_areas"} {
		if row[name] == "" || strings.Contains(row[name], ".") && name != "protected_areas" {
			t.Errorf("%s is %q: expected a value, numbers with a decimal comma", name, row[name])
		}
	}
	if !strings.Contains(row["surroundings_licence"], "ODbL") {
		t.Errorf("surroundings_licence is %q: expected that of OpenStreetMap", row["surroundings_licence"])
	}
	none := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/context/") {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"error":"nothing is published"}`))
		return true
	})
	j, notes := job(t, none, "a.csv", many(2*portion), "b.csv")
	s, err := j.Run(t.Context())
	if err != nil || s.Found != 2*portion || strings.Count(strings.Join(*notes, "\n"), "are left out: nothing is published") != 1 {
		t.Errorf("without surroundings: %+v, %v, told %q", s, err, *notes)
	}
	if row := rowsOf(t, j, ',')[0]; row["dist_road_m"] != "" || row["gemeinde_code"] != "38801" || row["area_sqm"] == "" {
		t.Errorf("without surroundings: %v", row)
	}
}

// TestSeparators: the names that --csv knows.
func TestSeparators(t *testing.T) {
	for name, want := range map[string]rune{"": 0, "comma": ',', "semicolon": ';', "tab": '\t'} {
		if got, err := ParseSeparator(name); err != nil || got != want {
			t.Errorf("%q: want %q, got %q, %v", name, want, got, err)
		}
	}
	if _, err := ParseSeparator("pipe"); err == nil || !strings.Contains(err.Error(), "comma, semicolon or tab") {
		t.Errorf("an unknown name: %v", err)
	}
}

// TestOtherSystemsAndForms: a workbook with Gauß-Krüger coordinates in columns of other names gives a workbook.
func TestOtherSystemsAndForms(t *testing.T) {
	at := fixture.At(1.5, 0.5)
	x, y := crs.GaussKruegerEast.Project(at)
	var b bytes.Buffer
	if err := xlsx.Write(&b, "x", [][]xlsx.Cell{{{Text: "Ost"}, {Text: "Nord"}, {Text: "parcel_id"}},
		{{Text: fmt.Sprint(x), Number: true}, {Text: fmt.Sprint(y), Number: true}}}); err != nil {
		t.Fatal(err)
	}
	j, _ := job(t, serve(t, nil), "a.xlsx", b.Bytes(), "b.xlsx")
	j.System, j.Columns = crs.GaussKruegerEast, "x=Ost, lat=nord"
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(j.Out)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := xlsx.Read(body, 10)
	if err != nil || len(rows) != 2 || rows[0][3].Text != "mappe_parcel_id" || rows[1][3].Text != "88801-2" || !rows[1][0].Number {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := os.Stat(j.part()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what came is kept although all is there: %v", err)
	}
}

// many is a table of n positions.
func many(n int) []byte {
	at := fixture.At(1.5, 0.5)
	return []byte("lon,lat\n" + strings.Repeat(fmt.Sprintf("%.7f,%.7f\n", at.Lon(), at.Lat()), n))
}

// TestAnInterruptedRunGoesOn: with what came, asking only for the rest, even behind a line that was cut off.
func TestAnInterruptedRunGoesOn(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	points, most, now := 0, 0, 0
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "spatial/points") {
			return false
		}
		mu.Lock()
		now++
		points++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		now--
		mu.Unlock()
		return false
	})
	j, _ := job(t, server, "a.csv", many(4*portion), "b.csv")
	j.Progress = func(done, _ int) {
		if done >= 2*portion {
			stop()
		}
	}
	if _, err := j.Run(ctx); !errors.Is(err, terminal.ErrCancelled) || !strings.Contains(err.Error(), "--resume") {
		t.Fatalf("interrupted: %v", err)
	}
	if _, err := os.Stat(j.Out); err == nil {
		t.Error("an interrupted run leaves a table")
	}
	part, err := os.OpenFile(j.part(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.WriteString(`[{"row":999,"parcel_id":"cut`)
	part.Close()
	mu.Lock()
	points = 0
	mu.Unlock()
	j.Progress, j.Resume = func(int, int) {}, true
	s, err := j.Run(t.Context())
	if err != nil || s.Found != 4*portion || points > 2 || most > width {
		t.Errorf("%+v, %v, %d requests, %d at once", s, err, points, most)
	}
	for i, row := range rowsOf(t, j, ',') {
		if row["parcel_id"] != "88801-2" {
			t.Fatalf("row %d: %v", i, row)
		}
	}
}

// TestAnotherTableDoesNotGoOn: what is kept belongs to one table, its columns and its server.
func TestAnotherTableDoesNotGoOn(t *testing.T) {
	j, _ := job(t, serve(t, nil), "a.csv", []byte("kg,gnr\n88803,1\n"), "b.csv")
	if s, err := j.Run(t.Context()); err != nil || s.Kept == "" {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := os.WriteFile(j.In, []byte("kg,gnr\n88801,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j.Resume = true
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "another table") {
		t.Errorf("got %v", err)
	}
}

// TestPauses: a server that is asked too much gets the pause that it asks for; one that fails is not asked again.
func TestPauses(t *testing.T) {
	for _, tt := range []struct {
		status int
		after  string
		want   time.Duration // of the pause; 0: the run fails
	}{
		{http.StatusTooManyRequests, "7", 7 * time.Second}, {http.StatusTooManyRequests, "", 2 * time.Second},
		{http.StatusServiceUnavailable, "3", 3 * time.Second}, {http.StatusServiceUnavailable, "", 0},
		{http.StatusServiceUnavailable, "86400", 0},
		{http.StatusBadRequest, "", 0},
	} {
		var mu sync.Mutex
		refusals := 1
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) bool {
			mu.Lock()
			defer mu.Unlock()
			if refusals--; refusals < 0 {
				return false
			}
			w.Header().Set("Retry-After", tt.after)
			w.WriteHeader(tt.status)
			_, _ = w.Write([]byte(`{"error":"not now"}`))
			return true
		})
		var slept time.Duration
		var notes []string
		c := newClient(server, func(s string) { notes = append(notes, s) })
		c.sleep = func(_ context.Context, d time.Duration) error {
			slept, c.until = d, time.Time{}
			return nil
		}
		err := find(t.Context(), c, []wanted{{parcel: "88801-2"}}, []*Result{{}})
		if tt.want == 0 {
			if err == nil || !strings.Contains(err.Error(), "not now") || slept != 0 {
				t.Errorf("%d %q: %v, slept %s", tt.status, tt.after, err, slept)
			}
			continue
		}
		if err != nil || slept.Round(time.Second) != tt.want || len(notes) != 1 {
			t.Errorf("%d %q: %v, slept %s, told %v", tt.status, tt.after, err, slept, notes)
		}
	}
}

// TestPricesMayBeMissing: a server without prices gives the rest, and the run says so once.
func TestPricesMayBeMissing(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != pathPrices {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"error":"land prices are not published"}`))
		return true
	})
	j, notes := job(t, server, "a.csv", many(2*portion), "b.csv")
	if s, err := j.Run(t.Context()); err != nil || s.Found != 2*portion ||
		strings.Count(strings.Join(*notes, "\n"), "prices are left out") != 1 {
		t.Errorf("%+v, %v, %v", s, err, *notes)
	}
}

// TestRefusals: in words, before anything is asked.
func TestRefusals(t *testing.T) {
	for name, tt := range map[string]struct {
		file, body, columns, out, want string
	}{
		"no position":        {"a.csv", "Name;Umsatz\r\nx;1\r\n", "", "b.csv", "the table has Name, Umsatz; --columns"},
		"no such column":     {"a.csv", "adresse\nx\n", "plz=Zip", "b.csv", `no column "Zip"; it has adresse`},
		"no such role":       {"a.csv", "adresse\nx\n", "land=adresse", "b.csv", "the role one of parcel_id"},
		"no rows":            {"a.csv", "adresse\n\n", "", "b.csv", "no rows below its header"},
		"empty":              {"a.csv", "", "", "b.csv", "the file is empty"},
		"an old workbook":    {"a.xls", "x", "", "b.csv", "saved as one of them first"},
		"no workbook":        {"a.xlsx", "adresse\nx\n", "", "b.csv", "no workbook"},
		"another output":     {"a.csv", "adresse\nx\n", "", "b.pdf", "--out b.pdf: expected a table"},
		"too many":           {"a.csv", "adresse\n" + strings.Repeat("x\n", MaxRows+1), "", "b.csv", "more than 10000 rows"},
		"more than its head": {"a.csv", "adresse\nx,y,z\n", "", "b.csv", "row 2 has 3 cells, the header 1"},
	} {
		j, _ := job(t, "http://127.0.0.1:1", tt.file, []byte(tt.body), tt.out)
		j.Columns = tt.columns
		if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: want %q, got %v", name, tt.want, err)
		}
	}
}

// The table itself is never written over.
func TestTheTableItself(t *testing.T) {
	const body = "adresse\nDorfplatz 1\n"
	j, _ := job(t, "http://127.0.0.1:1", "a.csv", []byte(body), "a.csv")
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "is the table itself") {
		t.Errorf("%v", err)
	}
	if b, err := os.ReadFile(j.In); err != nil || string(b) != body {
		t.Errorf("%q, %v", b, err)
	}
}

// TestNames: the usual names of both languages.
func TestNames(t *testing.T) {
	for head, want := range map[string]string{
		"Anschrift":                        "address = Anschrift",
		"Strasse,Haus-Nr.,Postleitzahl":    "street = Strasse, house_number = Haus-Nr., plz = Postleitzahl",
		"Rechtswert,Hochwert":              "lon = Rechtswert, lat = Hochwert",
		"KG-Nr.,Grundstücksnummer,Ort":     "kg = KG-Nr., gnr = Grundstücksnummer, place = Ort",
		"Parcel ID,Längengrad,Breitengrad": "parcel_id = Parcel ID, lon = Längengrad, lat = Breitengrad",
	} {
		columns, err := Recognise(strings.Split(head, ","), "")
		if told := columns.Told(strings.Split(head, ",")); err != nil || told != want {
			t.Errorf("%s: want %q, got %q, %v", head, want, told, err)
		}
	}
}
