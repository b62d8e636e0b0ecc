package forms

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/kgfile/kgtest"
	"mappe/infra/oracles"
)

func save(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// DuckDB reads the GeoParquet: rows, types, native geometry, row-group boxes, metadata.
func TestDuckDBReadsGeoParquet(t *testing.T) {
	file := save(t, "kg.parquet", write(t).GeoParquet)
	out := oracles.Run(t, "duckdb.mjs", file,
		`select count(*)::int n, sum(area_sqm) a, count(geometry)::int g, typeof(any_value(geometry)) t from $FILE`,
		`select parcel_id, ez, status, landuse_codes, ST_AsText(geometry) w, bbox.xmin <= lon and bbox.xmax >= lon b from $FILE where gnr = '123/4'`,
		`select column_name, column_type from (describe select * from $FILE) where column_name in ('parcel_id','ez','area_sqm','bbox','geometry')`,
		`select value::varchar v from parquet_kv_metadata($FILE) where key = 'attribution'::blob`,
		`select parcel_id from $FILE where bbox.xmax < 15.6031 and geometry is not null order by 1`)
	got := string(out)
	for _, want := range []string{
		`[4,812.34,3,"GEOMETRY('OGC:CRS84')"]`,
		`["99901-123/4",null,null,"57","MULTIPOLYGON (((15.604 48.4, 15.605 48.4, 15.605 48.401, 15.604 48.401, 15.604 48.4)), ((15.606 48.4, `,
		`(15.6061 48.4001, 15.6061 48.4006, 15.6066 48.4006, 15.6066 48.4001, 15.6061 48.4001)))",true]`,
		`["ez","BIGINT"],["area_sqm","DOUBLE"],["bbox","STRUCT(xmin FLOAT, ymin FLOAT, xmax FLOAT, ymax FLOAT)"],["geometry","GEOMETRY('OGC:CRS84')"]`,
		` BEV, 2026"]`,
		`[["99901-.7"],["99901-1"]]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("DuckDB does not say %s:\n%s", want, out)
		}
	}
}

// The reference reader of PMTiles and an independent tile decoder read the archive.
func TestPMTilesReaderReadsTheTiles(t *testing.T) {
	s := kgtest.Snapshot(kgtest.Small)
	f, err := Write(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	out := oracles.Run(t, "pmtiles.mjs", save(t, "kg.pmtiles", f.PMTiles), "16")
	var got struct {
		Header   struct{ MinZoom, MaxZoom int }
		Metadata struct {
			VectorLayers []struct{ ID string } `json:"vector_layers"`
			Attribution  string
		}
		Tiles    int
		IDs      map[string][]string
		BadRings int
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got.Header.MinZoom != 8 || got.Header.MaxZoom != 16 || len(got.Metadata.VectorLayers) != 5 ||
		got.Metadata.Attribution != s.Build.Source {
		t.Errorf("header %+v, metadata %+v", got.Header, got.Metadata)
	}
	if got.BadRings > 0 {
		t.Errorf("%d features start with a ring that is no exterior", got.BadRings)
	}
	var want []string
	for i := range s.Parcels {
		want = append(want, parcelName(s, i))
	}
	slices.Sort(want)
	if !slices.Equal(got.IDs["parcels"], want) {
		t.Errorf("%d parcels are read, want %d", len(got.IDs["parcels"]), len(want))
	}
	if len(got.IDs["footprints"]) != len(s.Footprints) || len(got.IDs["labels"]) != len(want) {
		t.Errorf("%d footprints and %d labels are read, want %d and %d", len(got.IDs["footprints"]), len(got.IDs["labels"]),
			len(s.Footprints), len(want))
	}
}

// The reference implementation in Go verifies archives that this project wrote. It compiles for most of a minute, so
// it is asked where searches take their time.
func TestGoPMTilesVerifiesTheArchive(t *testing.T) {
	if oracles.Soak(t) == 0 {
		t.Skip("skipped: go-pmtiles verifies archives in make soak: its module is compiled first")
	}
	var files []string
	for name, o := range map[string]kgtest.Options{"small.pmtiles": kgtest.Small, "large.pmtiles": kgtest.Large} {
		f, err := Write(kgtest.Snapshot(o), 2)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, save(t, name, f.PMTiles))
	}
	cmd := exec.Command("go", append([]string{"run", "."}, files...)...)
	cmd.Dir = filepath.Join(oracles.Root(t), "infra", "oracles", "pmtiles")
	if out, err := cmd.CombinedOutput(); err != nil || strings.Count(string(out), "is verified") != len(files) {
		t.Errorf("%v\n%s", err, out)
	}
}
