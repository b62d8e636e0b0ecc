package national

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/ne"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/builders/source/sourcetest"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/mem"
)

// below lists the objects below a prefix.
func below(t *testing.T, st store.Store, prefix string) (out []string) {
	t.Helper()
	for info, err := range st.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, info.Key)
	}
	return out
}

// A glob over one form reads each served KG once, however often it was built, at one date or at several, and
// nothing that was refused.
func TestAFolderOfOneFormHoldsEachServedKGOnce(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	changed := sourcetest.Write(t, sourcetest.KG{Code: "99001", Drop: 1}, sourcetest.Three[1], sourcetest.Three[2])
	mustBuild(t, changed, st, Options{Accept: true})
	sourcetest.File(t, changed, "source.json", `{"stichtag":"2027-04-01","attribution":"© BEV, 2027"}`)
	mustBuild(t, changed, st, Options{})
	before := len(below(t, st, "kg/99002/"))
	refused := sourcetest.Write(t, sourcetest.Three[0], sourcetest.KG{Code: "99002", Drop: 6}, sourcetest.Three[2])
	if s := mustBuild(t, refused, st, Options{}); s.Count(kgbuild.Refused) != 1 ||
		!strings.Contains(s.Results[1].Err.Error(), "refused/99002/") {
		t.Fatalf("want one refusal that names its report, got %+v", s.Results[1])
	}
	for _, f := range keys.LatestForms() {
		var want []string
		for _, k := range sourcetest.Three {
			want = append(want, keys.Latest{Code: austria.KGCode(k.Code), Form: f, District: "509"}.String())
		}
		if got := below(t, st, keys.LatestFolder(f)); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("want %v, got %v", want, got)
		}
	}
	if got := below(t, st, "refused/"); len(got) != len(keys.AllForms()) {
		t.Errorf("want the forms and the report of the refused build, got %v", got)
	}
	if got := below(t, st, "kg/99002/"); len(got) != before {
		t.Errorf("the refused build wrote beside what is served: %v", got)
	}
	intact(t, st)
}

// A KG that goes to another district leaves no file in the partition of the former.
func TestAKGMovesToAnotherPartition(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	for i := range live.Manifest.KGs {
		live.Manifest.KGs[i].District = "322"
	}
	live.Pointer.Generation = "0123456789abcdef"
	have, _, err := readLatest(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if err := copyLatest(t.Context(), st, have, latestOf(&live.Manifest, live.Pointer.Generation), map[austria.KGCode]bool{}); err != nil {
		t.Fatal(err)
	}
	for _, key := range below(t, st, keys.LatestFolder(keys.GeoParquet)) {
		if !strings.Contains(key, "/state=3/district=322/") {
			t.Errorf("%s is left", key)
		}
	}
	if got := below(t, st, keys.LatestFolder(keys.GeoParquet)); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

// A KG that leaves the registers leaves the folders too.
func TestADroppedKGLeavesTheFolders(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	mustBuild(t, sourcetest.Write(t, sourcetest.Three[:2]...), st, Options{Accept: true})
	if got := below(t, st, "latest/parquet/"); len(got) != 2 {
		t.Errorf("want two KGs, got %v", got)
	}
	intact(t, st)
}

// What is equal at a new date is carried over: nothing is built or written anew, and both dates are listed.
func TestANewDateOfTheSameDataIsCarriedOver(t *testing.T) {
	dir, st := sourcetest.Write(t, sourcetest.Three...), mem.New()
	mustBuild(t, dir, st, Options{})
	first, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	was, cells := len(below(t, st, "kg/"))+len(below(t, st, "digests/")), len(below(t, st, "cells/"))
	sourcetest.File(t, dir, "source.json", `{"stichtag":"2027-04-01","attribution":"© BEV, 2027"}`)
	for range 2 { // and the second time nothing happens at all
		s := mustBuild(t, dir, st, Options{})
		if s.Count(kgbuild.Reused) != 3 {
			t.Fatalf("want all carried over, got %+v", s)
		}
		intact(t, st)
		live, err := ReadLive(t.Context(), st)
		if err != nil {
			t.Fatal(err)
		}
		if live.Pointer.Stichtag != "2027-04-01" || live.Pointer.Attribution != "© BEV, 2027" {
			t.Errorf("pointer %+v", live.Pointer)
		}
		for i, e := range live.Manifest.KGs {
			if e.Forms != first.Manifest.KGs[i].Forms || e.Quality != first.Manifest.KGs[i].Quality || e.Stichtag != "2027-04-01" ||
				e.Snapshot != string(e.Code)+"-2027-04-01" {
				t.Errorf("KG %s: %+v", e.Code, e)
			}
			b, err := objects.Read(t.Context(), st, e.Versions.Key)
			if err != nil {
				t.Fatal(err)
			}
			v, err := rowschema.ParseVersions(b)
			if err != nil || v.Latest != "2027-04-01" || len(v.Snapshots) != 2 || v.Snapshots[0].Key != v.Snapshots[1].Key ||
				v.Snapshots[1].Date != "2026-10-01" {
				t.Errorf("KG %s: %+v, %v", e.Code, v, err)
			}
		}
	}
	if got := len(below(t, st, "kg/")) + len(below(t, st, "digests/")); got != was+3 { // the lists of versions
		t.Errorf("want 3 new objects, got %d", got-was)
	}
	if got := len(below(t, st, "cells/")); got != cells || cells == 0 {
		t.Errorf("want the %d objects of cells as they were, got %d", cells, got)
	}
	// Data that changed is built, and a notice of another holder is no year.
	sourcetest.File(t, dir, "source.json", `{"stichtag":"2027-04-01","attribution":"made-up demonstration data"}`)
	if s := mustBuild(t, dir, st, Options{}); s.Count(kgbuild.Built) != 3 {
		t.Errorf("want all built with the new notice, got %+v", s)
	}
}

// Two builds of one date are both listed, the later one first, and stay readable.
func TestASecondBuildOfADateIsListedBesideTheFirst(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three[0]), st, Options{})
	mustBuild(t, sourcetest.Write(t, sourcetest.KG{Code: "99001", Drop: 1}), st, Options{Accept: true})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := objects.Read(t.Context(), st, live.Manifest.KGs[0].Versions.Key)
	if err != nil {
		t.Fatal(err)
	}
	v, err := rowschema.ParseVersions(b)
	if err != nil || len(v.Snapshots) != 2 || v.Snapshots[0].Key != live.Manifest.KGs[0].Forms.KGS.Key || !v.Snapshots[0].Latest ||
		v.Snapshots[1].Latest || v.Snapshots[0].Date != v.Snapshots[1].Date {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, s := range v.Snapshots {
		if _, err := objects.Read(t.Context(), st, s.Key); err != nil {
			t.Error(err)
		}
	}
}

// DuckDB counts every parcel once by the glob that the documentation names.
func TestDuckDBReadsTheFolderOnce(t *testing.T) {
	root := t.TempDir()
	st, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	mustBuild(t, sourcetest.Write(t, sourcetest.KG{Code: "99001", Drop: 1}, sourcetest.Three[1], sourcetest.Three[2]), st,
		Options{Accept: true})
	got := oracles.Run(t, "duckdb.mjs", filepath.Join(root, filepath.FromSlash(keys.LatestFolder(keys.GeoParquet)), "*", "*", "*.parquet"),
		`select count(*)::int, count(distinct parcel_id)::int, count(distinct kg_code)::int, min(state)::int, max(district)::int from read_parquet($FILE, hive_partitioning = true)`)
	if want := "[[[47,47,3,5,509]]]"; strings.TrimSpace(string(got)) != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

// DuckDB reads the cells of all KGs, with the ids as it writes H3 indexes, and sums as the containers have them.
func TestDuckDBReadsTheCells(t *testing.T) {
	root := t.TempDir()
	st, err := dir.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	live, err := ReadLive(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	var rows, forest, least int
	for _, k := range live.Manifest.KGs {
		for _, r := range cellRows(t, st, k.Artefacts[ne.KGArtefact].Key) {
			rows++
			forest += int(r.Use[4])
			if least == 0 || int(r.Cell) < least {
				least = int(r.Cell)
			}
		}
	}
	got := oracles.Run(t, "duckdb.mjs", filepath.Join(root, filepath.FromSlash(keys.LatestFolder(keys.CellsGeoParquet)), "*", "*",
		"*.parquet"),
		`select typeof(min(cell_id)), min(cell_id)::varchar, count(*)::int, sum(wald)::int, count(distinct kg_code)::int, min(district)::int from read_parquet($FILE, hive_partitioning = true)`)
	if want := fmt.Sprintf(`[[["UBIGINT","%d",%d,%d,3,509]]]`, least, rows, forest); strings.TrimSpace(string(got)) != want || rows == 0 {
		t.Errorf("want %s, got %s", want, got)
	}
}

// cellRows are the LU rows of a container.
func cellRows(t *testing.T, st store.Store, key string) (out []ne.LURow) {
	t.Helper()
	b, err := objects.Read(t.Context(), st, key)
	if err != nil {
		t.Fatal(err)
	}
	h, err := ne.ParseFront(b, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	dict, err := objects.Read(t.Context(), st, keys.CellDict{Sum: h.Dict}.String())
	if err != nil {
		t.Fatal(err)
	}
	u, err := ne.NewUnpacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	lu := h.Section(ne.LU)
	at := h.Start() + lu.Offset
	for i, c := range lu.Chunks {
		rows, err := lu.Unpack(i, b[at:at+c.Bytes], u)
		if err != nil {
			t.Fatal(err)
		}
		for r := range slices.Chunk(rows, ne.LUBytes) {
			out = append(out, ne.ParseLU(r))
		}
		at += c.Bytes
	}
	return out
}
