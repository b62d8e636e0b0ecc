package products

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/register"
	"mappe/infra/oracles"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
)

// source is a KG without rasters whose infrastructure is one parking place.
func source(t *testing.T) *Source {
	t.Helper()
	snapshot := kgtest.Snapshot(kgtest.Options{Code: "99001", Parcels: 20, Segments: 2, AreaKm2: 0.2, Seed: 3})
	b, err := kgfile.Encode(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Parcels()
	if err != nil {
		t.Fatal(err)
	}
	outline, err := f.Outline()
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]geom.Point{}
	for i := range list {
		places[string(list[i].GNR)] = list[i].Inside
	}
	k := landtest.KG(landtest.Options{Code: "99001", Box: outline.Bounds(), Parcels: places, Buildings: 3, Trees: 5, Seed: 3})
	row := &register.KG{KG: f.KG(), Snapshot: register.Object{Key: "kg/x", Date: "2026-10-01"}}
	return &Source{KG: k, Made: "sum", Row: row, File: f, Outline: onplane.Polygons(outline), Credit: "© BEV, 2026",
		MapCredit: "© the map's contributors"}
}

func quiet(context.Context, string, int, int) error { return nil }

// There are two sets, each with an item that names its own files alone: what follows from the community map is not in the other.
func TestInfrastructureIsASetOfItsOwn(t *testing.T) {
	st, s := mem.New(), source(t)
	p, err := Make(t.Context(), st, s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range p.Files {
		names = append(names, string(f.Set)+"/"+f.Name)
	}
	want := []string{"landscape/full.gpkg", "landscape/light.gpkg", "infrastructure/infrastructure.gpkg", "landscape/summary.json",
		"landscape/landscape.pmtiles", "landscape/segments.png",
		"landscape/item.json", "infrastructure/infrastructure-item.json"}
	if !slices.Equal(names, want) {
		t.Fatalf("files %v, want %v", names, want)
	}
	for set, has := range map[string]string{"item.json": "full landscape light segments-preview summary",
		"infrastructure-item.json": "infrastructure"} {
		var i struct {
			Assets     map[string]any
			Properties struct{ License, Description string }
		}
		b, _, err := store.ReadAll(t.Context(), st, p.Of(set).Key, 1<<20, store.GetOptions{})
		if err != nil || json.Unmarshal(b, &i) != nil {
			t.Fatalf("%s: %v", set, err)
		}
		var assets []string
		for name := range i.Assets {
			assets = append(assets, name)
		}
		slices.Sort(assets)
		open := set != "item.json"
		if strings.Join(assets, " ") != has || (i.Properties.License == "ODbL-1.0") != open ||
			strings.Contains(i.Properties.Description, "map's contributors") != open || !strings.Contains(i.Properties.Description,
			"modified") {
			t.Errorf("%s: %v %+v", set, assets, i.Properties)
		}
	}
	for name, layers := range map[string]string{"light.gpkg": "buildings,new_buildings,parcels,segments",
		"infrastructure.gpkg": "infrastructure",
		"full.gpkg":           "buildings,changes,new_buildings,parcels,segment_points,segments,trees"} {
		if got := tables(t, st, p.Of(name).Key); got != layers {
			t.Errorf("%s has %s, want %s", name, got, layers)
		}
	}
	d := s.Deposit(p, landprocess.Infrastructure)
	if d.License != "odbl-1.0" || len(d.Files) != 2 || d.Files[0].Name != "99001-infrastructure-item.json" || !strings.Contains(d.Title,
		"infrastructure") {
		t.Errorf("deposit %+v", d)
	}
	if d := s.Deposit(p, landprocess.Analysis); d.License != "cc-by-4.0" || len(d.Files) != 6 || d.Files[0].Name != "99001-item.json" {
		t.Errorf("deposit %+v", d)
	}
}

// The summary has of parcels and buildings the areas by type and how sure the model is of the types.
func TestTheSummaryOfParcelsAndBuildings(t *testing.T) {
	st, s := mem.New(), source(t)
	p, err := Make(t.Context(), st, s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	type thing struct {
		Classification []map[string]any `json:"classification"`
	}
	var got struct{ Parcels, Buildings []thing }
	b, _, err := store.ReadAll(t.Context(), st, p.Of("summary.json").Key, 1<<24, store.GetOptions{})
	if err != nil || json.Unmarshal(b, &got) != nil {
		t.Fatal(err)
	}
	wanted := func(what string, got []thing, want func(i int) []landscape.Classification) {
		rows := 0
		for i, g := range got {
			if len(g.Classification) != len(want(i)) {
				t.Errorf("%s %d: want %v, got %v", what, i, want(i), g.Classification)
			}
			for k, c := range g.Classification {
				if w := want(i)[k]; c["object_type"] != w.Type.String() || c["rf_count"] != w.RFCount {
					t.Errorf("%s %d: want %v, got %v", what, i, w, c)
				}
				rows++
			}
		}
		if rows == 0 {
			t.Errorf("no classification of %s", what)
		}
	}
	wanted("parcel", got.Parcels, func(i int) []landscape.Classification { return s.KG.Parcels[i].Classification })
	wanted("building", got.Buildings, func(i int) []landscape.Classification { return s.KG.Buildings[i].Classification })
}

// tables are the vector layers of a GeoPackage; every parcel has its outline.
func tables(t *testing.T, st store.Store, key string) (names string) {
	t.Helper()
	b, _, err := store.ReadAll(t.Context(), st, key, 1<<24, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.gpkg")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT group_concat(table_name) FROM (SELECT table_name FROM gpkg_contents WHERE data_type='features' " +
		"ORDER BY 1)").Scan(&names); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(names, "parcels") {
		var rows, drawn int
		if err := db.QueryRow("SELECT count(*), count(geom) FROM parcels").Scan(&rows, &drawn); err != nil || rows == 0 || rows != drawn {
			t.Errorf("%d of %d parcels have an outline, %v", drawn, rows, err)
		}
	}
	return names
}

// Wherever a worker dies, no item is there before all files that it names, and the next one goes on to the same files.
func TestAnItemStandsBehindItsFiles(t *testing.T) {
	s := source(t)
	want, err := Make(t.Context(), mem.New(), s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	dead := errors.New("dead")
	for n := range want.Files {
		st := mem.New()
		_, err := Make(t.Context(), st, s, func(_ context.Context, _ string, done, _ int) error {
			if done == n {
				return dead
			}
			return nil
		})
		if !errors.Is(err, dead) {
			t.Fatalf("file %d: %v", n, err)
		}
		there := map[string]bool{}
		for info, err := range st.List(t.Context(), "products/") {
			if err != nil {
				t.Fatal(err)
			}
			there[info.Key] = true
		}
		for i, f := range want.Files {
			if there[f.Key] != (i < n) {
				t.Errorf("dead before file %d: %s is there: %v", n, f.Name, there[f.Key])
			}
		}
		if got, err := Make(t.Context(), st, s, quiet); err != nil || !slices.Equal(got.Files, want.Files) {
			t.Errorf("after death before file %d: %v\n%+v\n%+v", n, err, got, want)
		}
	}
	for i, f := range want.Files {
		if f.Name != itemName(f.Set) {
			continue
		}
		for _, later := range want.Files[i+1:] {
			if later.Set == f.Set {
				t.Errorf("%s is made behind the item of its set", later.Name)
			}
		}
	}
}

// DuckDB reads the tables as one of the country, with geometries, and sums as the KG has them.
func TestDuckDBReadsTheTables(t *testing.T) {
	root := t.TempDir()
	st, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	s := source(t)
	s.Row.GemeindeCode = "90001"
	for range 2 { // a second analysis replaces the first
		if err := Tables(t.Context(), st, s); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct{ query, want string }{
		"segments": {`select count(*)::int, any_value(kg_code), any_value(state)::int, round(sum(area_sqm))::int, ` +
			`typeof(any_value(geometry)), ` +
			`bool_and(bbox.xmin <= lon and bbox.xmax >= lon) from read_parquet($FILE, hive_partitioning = true)`,
			fmt.Sprintf(`[[[6,"99001",9,%.0f,"GEOMETRY",true]]]`, sum(s))},
		"buildings": {`select count(*)::int, count(vertex_heights)::int, count(distinct building_id)::int from read_parquet($FILE)`,
			`[[[3,3,3]]]`},
	} {
		got := oracles.Run(t, "duckdb.mjs", filepath.Join(root, "tables", name, "*", "*", "*.parquet"), c.query)
		if strings.TrimSpace(string(got)) != c.want {
			t.Errorf("%s: want %s, got %s", name, c.want, got)
		}
	}
	fields(t, root)
}

// fields compares the columns that statements for engines name with those that DuckDB finds in the files.
func fields(t *testing.T, root string) {
	t.Helper()
	as := map[string]string{"BIGINT": "bigint", "DOUBLE": "double", "BOOLEAN": "boolean", "VARCHAR": "string", "JSON": "string",
		"GEOMETRY": "binary", "STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)": "struct<xmin:double,ymin:double,xmax:double,ymax:double>"}
	for _, table := range AllTables() {
		files := filepath.Join(root, "tables", table.Name, "*", "*", "*.parquet")
		got := oracles.Run(t, "duckdb.mjs", files, "describe select * from read_parquet($FILE, hive_partitioning = false)")
		var answers [][][]*string
		if err := json.Unmarshal(got, &answers); err != nil || len(answers) != 1 || len(answers[0]) != len(table.Fields) {
			t.Fatalf("%s: %d columns are named, DuckDB finds %s, %v", table.Name, len(table.Fields), got, err)
		}
		for i, row := range answers[0] {
			if f := table.Fields[i]; *row[0] != f.Name || as[*row[1]] != f.Type {
				t.Errorf("%s: column %+v is %s of type %s to DuckDB", table.Name, f, *row[0], *row[1])
			}
		}
	}
}

func sum(s *Source) (m2 float64) {
	for i := range s.KG.Segments {
		m2 += s.KG.Segments[i].AreaSqm
	}
	return m2
}

// Of older files those before the present ones are kept, the rest goes; other KGs have theirs.
func TestClear(t *testing.T) {
	st := mem.New()
	for _, key := range []keys.Product{{Code: "99001", Input: "000000000000000a", Name: "full.gpkg"}, {Code: "99001",
		Input: "000000000000000b", Name: "full.gpkg"},
		{Code: "99002", Input: "000000000000000a", Name: "full.gpkg"}, {Code: "99001", Input: "000000000000000c", Name: "item.json"}} {
		if _, err := st.Put(t.Context(), key.String(), []byte("x"), store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond) // the store's clock tells which is older
	}
	if err := Clear(t.Context(), st, "99001", "000000000000000c"); err != nil {
		t.Fatal(err)
	}
	var left []string
	for info, err := range st.List(t.Context(), "products/") {
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, strings.TrimPrefix(info.Key, "products/"))
	}
	want := []string{"99001/000000000000000b/99001-full.gpkg", "99001/000000000000000c/99001-item.json",
		"99002/000000000000000a/99002-full.gpkg"}
	if !slices.Equal(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
}

// Other inputs are other files.
func TestInput(t *testing.T) {
	names := map[string]bool{}
	for _, change := range []func(*Source){func(*Source) {}, func(s *Source) { s.Made = "other" },
		func(s *Source) { s.Row.Snapshot.Key = "kg/y" },
		func(s *Source) { s.Credit = "© other" }, func(s *Source) { s.Credits = []string{"x"} }, func(s *Source) { s.MapCredit = "" }} {
		s := source(t)
		change(s)
		names[s.Input()] = true
		if _, err := keys.Parse(keys.Product{Code: "99001", Input: s.Input(), Name: "full.gpkg"}.String()); err != nil {
			t.Error(err)
		}
	}
	if len(names) != 6 {
		t.Errorf("%d names of 6 inputs", len(names))
	}
}

// What a letter is drawn with fits into its box, and no two letters look alike.
func TestLetters(t *testing.T) {
	seen := map[[5]uint8]rune{}
	for r, g := range letters {
		if other, twice := seen[g]; twice {
			t.Errorf("%c and %c look alike", r, other)
		}
		seen[g] = r
		for _, column := range g {
			if column > 0x7f {
				t.Errorf("%c is higher than 7 pixels", r)
			}
		}
	}
	s := source(t)
	for _, p := range (&workshop{Source: s}).list() {
		for _, r := range p.title {
			if _, ok := letters[r]; !ok && r != ' ' && strings.HasSuffix(p.name, ".png") {
				t.Errorf("%s: no letter for %c", p.name, r)
			}
		}
	}
}
