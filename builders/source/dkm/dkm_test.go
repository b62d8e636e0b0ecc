package dkm_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kg"
	"mappe/builders/kg/tilecut"
	"mappe/builders/source/dkm"
	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/wkb"
)

// The made-up KG lies west of St. Pölten, in metres of EPSG:31287.
const east, north = 500_000.0, 480_000.0

func square(x, y, side float64) []wkb.XY { return rect(x, y, side, side) }

func rect(x, y, w, h float64) []wkb.XY {
	x, y = east+x, north+y
	return []wkb.XY{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
}

// village is KG 1004 with parcels of 100 m, and one of the neighbour.
func village() []geopackagetest.Row {
	return []geopackagetest.Row{
		geopackagetest.Areas([][][]wkb.XY{{square(0, 0, 100)}}, 1004, "1", 4, "E"),
		geopackagetest.Areas([][][]wkb.XY{{square(100, 0, 100), square(140, 40, 20)}}, "1004", ".2", "5", "G"),
		geopackagetest.Areas([][][]wkb.XY{{square(140, 40, 20)}}, 1004.0, "3/1", 6.0, "g"),
		geopackagetest.Areas([][][]wkb.XY{{square(0, 100, 100)}, {square(100, 200, 50)}}, " 01004 ", "4", nil, nil),
		// One number twice, side by side, and once more the same.
		geopackagetest.Areas([][][]wkb.XY{{rect(200, 0, 50, 100)}}, "1004", "5", 7, "E"),
		geopackagetest.Areas([][][]wkb.XY{{rect(250, 0, 50, 100)}}, "1004", "5", 7, "E"),
		geopackagetest.Areas([][][]wkb.XY{{rect(250, 0, 50, 100)}}, "1004", "5", 7, "E"),
		geopackagetest.Areas([][][]wkb.XY{{square(300, 0, 100)}}, "1005", "1", 9, "E"),
		geopackagetest.Empty("1004", "98", 1, "E"),
		{Values: []any{"1004", "99", 1, "E"}}, // no geometry at all
	}
}

func parcels(name string, upper, indexed bool, rows []geopackagetest.Row) geopackagetest.Table {
	return geopackagetest.Table{Name: name, Type: "MULTIPOLYGON", SRS: 31287, Index: indexed,
		Columns: geopackagetest.Spelled(upper, "kg", "gnr", "ez", "rstatus"), Rows: rows}
}

func open(t testing.TB, tables ...geopackagetest.Table) *dkm.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "KAT_DKM_GST_epsg31287_20261001.gpkg")
	geopackagetest.Write(t, path, tables...)
	s, err := dkm.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// boxOf is the box of metres around the village in degrees.
func boxOf(x0, y0, x1, y1 float64) geom.Box {
	box := geom.EmptyBox
	for _, c := range [][2]float64{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		p, _ := crs.LambertMGI.Point(east+c[0], north+c[1])
		box = box.Union(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y})
	}
	return box
}

func assemble(t testing.TB, tiles kg.TileReader, zoom uint8, box geom.Box) (*kgfile.Snapshot, *kg.Report) {
	t.Helper()
	s, rep, err := kg.Assemble(t.Context(), kg.Input{Code: "01004", Box: box, Tiles: tiles, ParcelZoom: zoom, LandUseZoom: zoom,
		Stichtag: "2026-10-01"})
	if err != nil {
		t.Fatal(err)
	}
	return s, rep
}

func byNumber(s *kgfile.Snapshot) map[string]*kgfile.Parcel {
	out := map[string]*kgfile.Parcel{}
	for i := range s.Parcels {
		out[string(s.Parcels[i].GNR)] = &s.Parcels[i]
	}
	return out
}

// trueSqm is the area of rings of the file in EPSG:3035.
func trueSqm(rings ...[]wkb.XY) float64 {
	var p geom.Polygon
	for _, r := range rings {
		var ring geom.Ring
		for _, v := range r {
			q, _ := crs.LambertMGI.Point(v[0], v[1])
			ring = append(ring, q)
		}
		p = append(p, ring)
	}
	m, _ := geom.MultiPolygon{p}.Repair()
	return m.Geometry.Area(crs.EqualArea)
}

// TestVillage: codes, numbers and folios in all spellings, holes, parts, doubles, rows without a place.
func TestVillage(t *testing.T) {
	for _, c := range []struct {
		name           string
		upper, indexed bool
	}{{"gst", false, true}, {"KAT_DKM_GST_epsg31287_20261001", true, false}} {
		s := open(t, parcels(c.name, c.upper, c.indexed, village()))
		snap, rep := assemble(t, s, dkm.Zoom, boxOf(0, 0, 300, 250))
		got := byNumber(snap)
		if len(got) != 5 || len(snap.Parcels) != 5 {
			t.Fatalf("%s: want parcels 1, .2, 3/1, 4 and 5, got %d: %v", c.name, len(snap.Parcels), got)
		}
		for number, want := range map[string]float64{
			"1": trueSqm(square(0, 0, 100)), ".2": trueSqm(square(100, 0, 100), square(140, 40, 20)), "3/1": trueSqm(square(140, 40, 20)),
			"4": trueSqm(square(0, 100, 100)) + trueSqm(square(100, 200, 50)), "5": trueSqm(rect(200, 0, 100, 100)),
		} {
			if p := got[number]; p == nil || math.Abs(p.AreaSqm-want) > 1.5 {
				t.Errorf("%s: parcel %s: want %.1f m², got %+v", c.name, number, want, p)
			} else if f := p.Geometry.Check(); len(f) > 0 {
				t.Errorf("%s: parcel %s: %v", c.name, number, f)
			}
		}
		if p := got[".2"]; p.EZ != 5 || p.Status.String() != "G" || len(p.Geometry[0]) != 2 {
			t.Errorf("%s: parcel .2: EZ %v, status %v, %d rings", c.name, p.EZ, p.Status, len(p.Geometry[0]))
		}
		if p := got["3/1"]; p.EZ != 6 {
			t.Errorf("%s: parcel 3/1: EZ %v", c.name, p.EZ)
		}
		if len(got["4"].Geometry) != 2 || len(got["5"].Geometry) != 1 || got["5"].Repairs&kgfile.RepairDuplicate == 0 {
			t.Errorf("%s: parts: %d of 4, %d of 5, repairs %v", c.name, len(got["4"].Geometry), len(got["5"].Geometry), got["5"].Repairs)
		}
		if rep.OpenShapes != 0 {
			t.Errorf("%s: %d shapes were not closed", c.name, rep.OpenShapes)
		}
		if p := s.Problems(); p.Total != 0 {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// TestLayersTogether: land use, labels and symbols of their own tables join the parcels.
func TestLayersTogether(t *testing.T) {
	s := open(t, parcels("gst", false, true, village()),
		geopackagetest.Table{Name: "NFL", Type: "POLYGON", SRS: 31287, Index: true, Columns: []string{"Ns"}, Rows: []geopackagetest.Row{
			geopackagetest.Areas([][][]wkb.XY{{square(10, 10, 20)}}, "41"),
			geopackagetest.Areas([][][]wkb.XY{{square(0, 0, 100), square(10, 10, 20)}}, 48),
		}},
		geopackagetest.Table{Name: "gnr", Type: "POINT", SRS: 31287, Columns: []string{"kg", "gnr", "rot"}, Rows: []geopackagetest.Row{
			geopackagetest.Point(wkb.XY{east + 60, north + 60}, 1004, "1", "12,5"),
			geopackagetest.Point(wkb.XY{east + 310, north + 10}, 1005, "1", 0),
		}},
		geopackagetest.Table{Name: "nsy", Type: "POINT", SRS: 31287, Index: true, Columns: []string{"ns"}, Rows: []geopackagetest.Row{
			geopackagetest.Point(wkb.XY{east + 70, north + 70}, 48),
		}})
	if m := s.Missing(); len(m) != 0 {
		t.Errorf("missing: %v", m)
	}
	snap, _ := assemble(t, s, dkm.Zoom, boxOf(0, 0, 300, 250))
	p := byNumber(snap)["1"]
	if len(snap.Footprints) != 1 || len(snap.LandUse) != 1 || math.Abs(p.BuildingAreaSqm-trueSqm(square(10, 10, 20))) > 0.5 {
		t.Errorf("%d footprints, %d land-use areas, building area %.2f m²", len(snap.Footprints), len(snap.LandUse), p.BuildingAreaSqm)
	}
	if len(snap.Labels) != 1 || snap.Labels[0].Rotation != 12.5 {
		t.Errorf("labels: %+v", snap.Labels)
	}
	if len(snap.Symbols) != 1 || snap.Symbols[0].NS != 48 {
		t.Errorf("symbols: %+v", snap.Symbols)
	}
	held, err := s.Holds(t.Context())
	if err != nil || len(held) != 4 || held[0].Rows != 10 || held[2].Index == "" || held[1].Index != "" {
		t.Errorf("holds: %+v %v", held, err)
	}
}

// Tables get their role by name, kind of geometry and columns, in the spellings of several programs.
func TestRoles(t *testing.T) {
	table := func(name, typ string, columns ...string) geopackagetest.Table {
		return geopackagetest.Table{Name: name, Type: typ, SRS: 31287, Columns: columns}
	}
	gst := table("dkm_gst_2026", "ST_MULTIPOLYGON", "Kg_Nr", "Gst_Nr", "Einlagezahl")
	for name, c := range map[string]struct {
		table geopackagetest.Table
		want  dkm.Role
		none  bool
	}{
		"land use by columns":      {table("flaechen", "POLYGON", "NS"), dkm.LandUse, false},
		"land use of any geometry": {table("NFL", "GEOMETRY", "NS"), dkm.LandUse, false},
		"labels of any geometry":   {table("GNR", "ST_GEOMETRY", "KG", "GNR"), dkm.Labels, false},
		"labels":                   {table("KAT_DKM_GNR", "ST_MULTIPOINT", "GNR"), dkm.Labels, false},
		"symbols by columns":       {table("zeichen", "POINT", "ns"), dkm.Symbols, false},
		"lines":                    {table("nfl", "MULTILINESTRING", "ns"), 0, true},
		"areas without a code":     {table("nfl", "MULTIPOLYGON", "name"), 0, true},
	} {
		held, err := open(t, gst, c.table).Holds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(held) != 2 && !c.none || c.none && len(held) != 1 || held[0].Role != dkm.Parcels || !c.none && held[1].Role != c.want {
			t.Errorf("%s: %+v", name, held)
		}
	}
}

// A shape much larger than a tile comes back whole, wherever its borders cross the tiles.
func TestShapeOverManyTiles(t *testing.T) {
	big := []geopackagetest.Row{
		geopackagetest.Areas([][][]wkb.XY{{square(0, 0, 7000), square(3000, 3000, 500)}}, 1004, "1", 1, "E"),
		geopackagetest.Areas([][][]wkb.XY{{square(3000, 3000, 500)}}, 1004, "2", 1, "E"),
	}
	snap, rep := assemble(t, open(t, parcels("gst", false, true, big)), dkm.Zoom, boxOf(0, 0, 7000, 7000))
	want := trueSqm(square(0, 0, 7000), square(3000, 3000, 500))
	if p := byNumber(snap)["1"]; p == nil || math.Abs(p.AreaSqm/want-1) > 1e-5 || rep.OpenShapes != 0 {
		t.Errorf("want %.0f m², got %+v, %d open", want, p, rep.OpenShapes)
	}
}

// What cannot be read is named once and costs no other row.
func TestBadFeaturesAreReported(t *testing.T) {
	s := open(t, parcels("gst", false, true, append(village(),
		geopackagetest.Raw(wkb.Box{MinX: east, MinY: north, MaxX: east + 10, MaxY: north + 10}, 10, []byte{0, 0, 0, 0}, 1004, "50", 1, "E"),
		geopackagetest.Row{Geometry: []byte("GP"), Box: wkb.Box{MinX: east, MinY: north, MaxX: east, MaxY: north},
			Values: []any{1004, "51", 1, "E"}},
		geopackagetest.Row{Geometry: geopackagetest.Areas([][][]wkb.XY{{{{0, 0}, {math.NaN(), 0}, {0, math.Inf(1)}}}}).Geometry,
			Box: wkb.Box{MinX: east, MinY: north, MaxX: east, MaxY: north}, Values: []any{1004, "52", 1, "E"}})))
	snap, _ := assemble(t, s, dkm.Zoom, boxOf(0, 0, 300, 250))
	if len(snap.Parcels) != 5 {
		t.Errorf("want 5 parcels, got %d", len(snap.Parcels))
	}
	for range 2 {
		p := s.Problems()
		if p.Total != 3 || !strings.Contains(p.First[0].Error(), "row 11") || !strings.Contains(p.First[0].Error(), "curved borders") {
			t.Errorf("problems: %+v", p)
		}
		assemble(t, s, dkm.Zoom, boxOf(0, 0, 300, 250))
	}
}

// All tiles have the state of the files, also of what the database keeps beside them; it is not told where features were left
// out, which each build names.
func TestTheStateOfAMap(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: states of files are told on Linux only")
	}
	path := filepath.Join(t.TempDir(), "KAT_DKM_GST_epsg31287_20261001.gpkg")
	geopackagetest.Write(t, path, parcels("gst", false, true, village()))
	state := func() string {
		s, err := dkm.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		one, ok := s.State("kataster", mvt.TileID{Z: dkm.Zoom})
		other, both := s.State("symbole", mvt.TileID{Z: dkm.Zoom, X: 1})
		if !ok || !both || one != other || one.Newest.IsZero() {
			t.Fatalf("states %+v, %+v", one, other)
		}
		return one.Text
	}
	first := state()
	if again := state(); again != first {
		t.Errorf("opened twice: %q, %q", first, again)
	}
	if err := os.WriteFile(path+"-wal", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if beside := state(); beside == first {
		t.Error("a journal beside the file changes nothing")
	}
	bad := open(t, parcels("gst", false, true, append(village(), geopackagetest.Row{Geometry: []byte("GP"),
		Box: wkb.Box{MinX: east, MinY: north, MaxX: east, MaxY: north}, Values: []any{1004, "51", 1, "E"}})))
	assemble(t, bad, dkm.Zoom, boxOf(0, 0, 300, 250))
	if s, ok := bad.State("kataster", mvt.TileID{Z: dkm.Zoom}); ok {
		t.Errorf("features were left out, and the state is %+v", s)
	}
}

func TestFilesThatAreNoMap(t *testing.T) {
	for name, c := range map[string]struct {
		table geopackagetest.Table
		want  string
	}{
		"no parcels": {geopackagetest.Table{Name: "roads", Type: "LINESTRING", SRS: 31287},
			"no table holds parcels: expected areas with the columns KG and GNR, found x.gpkg: table roads (linestring)"},
		"without number": {geopackagetest.Table{Name: "gst", Type: "POLYGON", SRS: 31287, Columns: []string{"KG"}},
			"no table holds parcels"},
		"system": {geopackagetest.Table{Name: "gst", Type: "POLYGON", SRS: 2056, Columns: []string{"KG", "GNR"}}, "EPSG:2056"},
	} {
		path := filepath.Join(t.TempDir(), "x.gpkg")
		geopackagetest.Write(t, path, c.table)
		if _, err := dkm.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
}

// The same request gives the same bytes, also from many readers at once.
func TestTilesAreTheSameAtOnce(t *testing.T) {
	s := open(t, parcels("gst", false, true, village()))
	c := boxOf(50, 50, 51, 51).Center()
	grid := mvt.Grid{Z: dkm.Zoom, Extent: 1}
	x, y := grid.Project(c)
	id := mvt.TileID{Z: dkm.Zoom, X: uint32(x), Y: uint32(y)}
	want, err := s.Tile(t.Context(), "kataster", id)
	if err != nil || len(want) == 0 {
		t.Fatalf("%d bytes, %v", len(want), err)
	}
	done := make(chan string)
	for range 8 {
		go func() {
			got, err := s.Tile(context.Background(), "kataster", id)
			if err != nil {
				done <- err.Error()
				return
			}
			done <- string(got)
		}()
	}
	for range 8 {
		if got := <-done; got != string(want) {
			t.Errorf("another tile: %.80q", got)
		}
	}
	if b, err := s.Tile(t.Context(), "kataster", mvt.TileID{Z: dkm.Zoom}); b != nil || err != nil {
		t.Errorf("a tile far away: %d bytes, %v", len(b), err)
	}
	if _, err := s.Tile(t.Context(), "kataster", mvt.TileID{Z: 5}); err == nil {
		t.Error("zoom 5 is answered")
	}
}

// memory is cut tiles.
type memory map[string]map[mvt.TileID][]byte

func (m memory) Tile(_ context.Context, tileset string, id mvt.TileID) ([]byte, error) {
	return m[tileset][id], nil
}

func cut(t testing.TB, features []tilecut.Feature, zoom uint8) memory {
	t.Helper()
	tiles, err := tilecut.Cut(features, zoom, 4096, 80)
	if err != nil {
		t.Fatal(err)
	}
	return memory{"kataster": tiles}
}
