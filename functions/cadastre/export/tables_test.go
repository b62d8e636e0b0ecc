package export

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
	"mappe/shared/web/fault"
	"mappe/shared/web/xlsx"
)

func csvOf(t *testing.T, r io.Reader) [][]string {
	t.Helper()
	list, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	list[0][0] = strings.TrimPrefix(list[0][0], "\ufeff")
	return list
}

// TestTheCSV: one layer is a table of the columns of the GeoPackage; geometry and another system are asked for.
func TestTheCSV(t *testing.T) {
	a, b, h := twoKGs(t)
	w := get(h, "csv?kg=88801,88802")
	if w.Code != 200 || w.Header().Get("Content-Type") != csvType || !strings.HasSuffix(w.Header().Get("Content-Disposition"), `.csv"`) ||
		w.Header().Get("ETag") == "" {
		t.Fatalf("%d %v %.300s", w.Code, w.Header(), w.Body)
	}
	list := csvOf(t, w.Body)
	if len(list) != 1+len(a.Parcels)+len(b.Parcels) || list[0][0] != "parcel_id" || list[1][0] != "88801-"+string(a.Parcels[0].GNR) ||
		slices.Contains(list[0], "geometry") || slices.Contains(list[0], "x") {
		t.Errorf("%d rows, %v, %v", len(list), list[0], list[1])
	}
	list = csvOf(t, get(h, "csv?kg=88801&crs=31258&geometry=wkt").Body)
	n, p := len(list[0]), a.Parcels[0]
	x, y := crs.MeldenetzMid.Project(p.Centroid)
	if got, want := list[0][n-3:], []string{"x", "y", "geometry"}; !slices.Equal(got, want) {
		t.Errorf("the last columns are %v", got)
	}
	var gx, gy float64
	if _, err := fmt.Sscan(list[1][n-3]+" "+list[1][n-2], &gx, &gy); err != nil || max(gx-x, x-gx, gy-y, y-gy) > 0.002 {
		t.Errorf("%v, want %.3f %.3f", list[1][n-3:n-1], x, y)
	}
	cx, _ := crs.MeldenetzMid.Project(p.Geometry[0][0][0])
	if !strings.HasPrefix(list[1][n-1], "POLYGON ((") || !strings.Contains(list[1][n-1], fmt.Sprintf("%.2f", cx)[:9]) {
		t.Errorf("%.90s, want %.3f", list[1][n-1], cx)
	}
}

// TestSeveralCSVs: a zip of a table for each layer, with a README.
func TestSeveralCSVs(t *testing.T) {
	_, _, h := twoKGs(t)
	w := get(h, "csv?kg=88801,88802&layers=labels,parcels")
	if w.Code != 200 || w.Header().Get("Content-Type") != zipType || !strings.HasSuffix(w.Header().Get("Content-Disposition"), `.zip"`) {
		t.Fatalf("%d %v %.300s", w.Code, w.Header(), w.Body)
	}
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"README.txt", "parcels.csv", "labels.csv"} {
		r, err := z.File[i].Open()
		if err != nil || z.File[i].Name != name {
			t.Fatal(err, z.File[i].Name)
		}
		if i > 0 {
			if list := csvOf(t, r); len(list) < 10 {
				t.Errorf("%s: %d rows", name, len(list))
			}
			continue
		}
		text, err := io.ReadAll(r)
		for _, want := range []string{"CC BY 4.0", "© BEV, 2026", "newest Stichtag 2026-10-01", "area_sqm  m²  "} {
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("README.txt lacks %q:\n%s", want, text)
			}
		}
	}
}

// TestTheWorkbook: GDAL and this project's reader find a sheet of each layer and one about them; codes keep their zeros.
func TestTheWorkbook(t *testing.T) {
	a, b, h := twoKGs(t)
	w := get(h, "xlsx?kg=88801,88802&layers=parcels,buildings&crs=25833")
	if w.Code != 200 || w.Header().Get("Content-Type") != xlsxType || !strings.HasSuffix(w.Header().Get("Content-Disposition"), `.xlsx"`) {
		t.Fatalf("%d %v %.300s", w.Code, w.Header(), w.Body)
	}
	rows, err := xlsx.Read(w.Body.Bytes(), 1<<16)
	if n := len(rows[0]); err != nil || len(rows) != 1+len(a.Parcels)+len(b.Parcels) || rows[0][0].Text != "parcel_id" ||
		rows[0][n-1].Text != "y" || !rows[1][n-1].Number || rows[1][slices.IndexFunc(rows[0], func(c xlsx.Cell) bool {
		return c.Text == "kg_code"
	})] != (xlsx.Cell{Text: "88801"}) {
		t.Errorf("%d rows, %v, %v, %v", len(rows), rows[0], rows[1], err)
	}
	path := filepath.Join(t.TempDir(), "export.xlsx")
	path = saved(t, filepath.Base(path), w.Body.Bytes())
	out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-ro", "-so", "-al", path).CombinedOutput()
	for _, want := range []string{"Layer name: parcels", "Layer name: buildings", "Layer name: README",
		fmt.Sprintf("Feature Count: %d", len(a.Parcels)+len(b.Parcels)), "kg_code: String", "area_sqm: Real"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: no %q in\n%s", err, want, out)
		}
	}
}

// TestUTM: files are written in UTM, which the .prj of a shapefile names, and in ETRS89 degrees, which are those of WGS84.
func TestUTM(t *testing.T) {
	a, _, h := twoKGs(t)
	x, y := crs.UTM33.Project(a.Parcels[0].Centroid)
	list := csvOf(t, get(h, "csv?kg=88801&crs=EPSG:25833").Body)
	if got, want := list[1][len(list[1])-2:], []string{fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", y)}; !slices.EqualFunc(got, want,
		func(g, w string) bool { return g[:len(g)-1] == w[:len(g)-1] }) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, epsg := range []string{"25832", "25833", "32632", "32633", "4258"} {
		for _, form := range []string{"shapefile", "dxf", "csv", "xlsx"} {
			if w := get(h, form+"?kg=88801&crs="+epsg); w.Code != 200 {
				t.Errorf("%s in %s: %d %.200s", form, epsg, w.Code, w.Body)
			}
		}
	}
	path := saved(t, "utm.zip", get(h, "shapefile?kg=88801&crs=32633&layers=parcels").Body.Bytes())
	out, err := exec.Command(oracles.Program(t, "ogrinfo"), "-ro", "-so", "-al", "/vsizip/"+path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "WGS 84 / UTM zone 33N") && !strings.Contains(string(out), "WGS_1984_UTM_Zone_33N") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSheetsAreBounded: more rows than a sheet has are refused in words, with a code that a job does not try again.
func TestSheetsAreBounded(t *testing.T) {
	err := refusedSheet(fmt.Errorf("%w: rows", xlsx.ErrTooLarge))
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != fault.TooLarge || !strings.Contains(f.Message, "1048576 rows") {
		t.Fatal(err)
	}
	if other := errors.New("another"); refusedSheet(other) != other {
		t.Error("other errors stay")
	}
}
