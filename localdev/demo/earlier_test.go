package demo

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"mappe/builders/kg"
	"mappe/builders/source/tiles"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// useAreas are the m² of each use in a KG as the builder reads them from a directory of sources.
func useAreas(t *testing.T, dir string, code austria.KGCode, box geom.Box) map[uint8]float64 {
	t.Helper()
	reader, err := tiles.Open(dir, tiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snap, _, err := kg.Assemble(context.Background(), kg.Input{Code: code, Name: "any", Box: box, Tiles: reader, Stichtag: Stichtag,
		Attribution: Attribution, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	m2 := map[uint8]float64{}
	for i := range snap.LandUse {
		m2[uint8(snap.LandUse[i].NS)] += snap.LandUse[i].AreaSqm
	}
	return m2
}

// Between two dates the uses differ by the areas of the edits that the truth names, and by nothing else.
func TestEarlierDatesDifferByTheEdits(t *testing.T) {
	source := sourceDir(t)
	want := map[string]map[austria.KGCode]map[uint8]float64{} // change that comes at a date
	f, err := os.Open(filepath.Join(source, "truth", "land-use-edits.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, fields := range rows[1:] {
		row := map[string]string{}
		for i, name := range rows[0] {
			row[name] = fields[i]
		}
		code, date := austria.KGCode(row["kg_code"]), row["first_date"]
		if want[date] == nil {
			want[date] = map[austria.KGCode]map[uint8]float64{}
		}
		if want[date][code] == nil {
			want[date][code] = map[uint8]float64{}
		}
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(row[name], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		want[date][code][uint8(number("before"))] -= number("area_sqm")
		want[date][code][uint8(number("now"))] += number("area_sqm")
	}
	if len(want) != len(Dates)-1 {
		t.Fatalf("edits at %d dates, want %d", len(want), len(Dates)-1)
	}
	dirs := map[string]string{Stichtag: source}
	for _, date := range Dates[:len(Dates)-1] {
		dirs[date] = t.TempDir()
		if err := At(source, date, dirs[date]); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dirs[date], "source.json"))
		if settings, _ := settings(date); err != nil || string(b) != string(settings) {
			t.Errorf("%s: %s %v", date, b, err)
		}
	}
	for _, code := range []austria.KGCode{"99203", "99102"} {
		box := geom.EmptyBox
		for _, f := range readFeatures(t, "parcels.ndjson") {
			if f.Properties.KG == string(code) {
				box = box.Union(f.geometry().Bounds())
			}
		}
		before := useAreas(t, dirs[Dates[0]], code, box)
		for _, date := range Dates[1:] {
			now := useAreas(t, dirs[date], code, box)
			for ns := range uint8(255) {
				if got := now[ns] - before[ns]; math.Abs(got-want[date][code][ns]) > 1+math.Abs(got)*1e-4 {
					t.Errorf("KG %s at %s: use %d changed by %.2f m², want %.2f", code, date, ns, got, want[date][code][ns])
				}
			}
			before = now
		}
	}
	if At(source, "2020-01-01", t.TempDir()) == nil {
		t.Error("sources of an unknown date")
	}
}
