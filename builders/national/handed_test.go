package national

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/builders/source/geopackage/geopackagetest"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
	"mappe/shared/geo/wkb"
)

// lambert projects a polygon of the sample to the survey office's system, exteriors clockwise.
func lambert(m geom.MultiPolygon) (out [][2]float64) {
	r := m[0][0]
	for i := range r {
		x, y := crs.LambertMGI.Project(r[(len(r)-i)%len(r)])
		out = append(out, [2]float64{x, y})
	}
	return out
}

func xy[T ~[2]float64](in [][2]float64) (out []T) {
	for _, v := range in {
		out = append(out, T(v))
	}
	return out
}

// writeHanded writes the sample as the survey office hands its data out: a GeoPackage and a zipped shapefile.
func writeHanded(t testing.TB, dir string, codes ...string) {
	t.Helper()
	gst := geopackagetest.Table{Name: "gst", Type: "MULTIPOLYGON", SRS: 31287, Index: true, Columns: []string{"KG", "GNR", "EZ", "RSTATUS"}}
	nfl := geopackagetest.Table{Name: "nfl", Type: "MULTIPOLYGON", SRS: 31287, Index: true, Columns: []string{"NS"}}
	bounds := shapefiletest.File{Prj: shapefiletest.MGILambert, Columns: []string{"KG_NR", "KG", "GKZ", "PG", "BKZ", "PB", "BL_KZ", "BL",
		"ST_KZ", "FL"}}
	area := func(m geom.MultiPolygon, values ...any) geopackagetest.Row {
		return geopackagetest.Areas([][][]wkb.XY{{xy[wkb.XY](lambert(m))}}, values...)
	}
	for i, code := range codes {
		x0 := int32(sourcetest.X + i*sourcetest.Side*sourcetest.Parcel)
		for n := range sourcetest.Side * sourcetest.Side {
			x, y := x0+int32(n%sourcetest.Side)*sourcetest.Parcel, int32(sourcetest.Y+n/sourcetest.Side*sourcetest.Parcel)
			gst.Rows = append(gst.Rows, area(sourcetest.Square(x, y, sourcetest.Parcel), code, fmt.Sprint(n+1), n/2+1, "G"))
			nfl.Rows = append(nfl.Rows, area(sourcetest.Square(x, y, sourcetest.Parcel), 48),
				area(sourcetest.Square(x+3000, y+3000, 2000), 41))
		}
		bounds.Rows = append(bounds.Rows, shapefiletest.Row{Rings: [][]shapefile.XY{xy[shapefile.XY](lambert(sourcetest.Outline(i)))},
			Cells: []string{code, "Öd " + code, "50999", "Probe", "509", "Probe", "5", "Salzburg", "1", ""}})
	}
	geopackagetest.Write(t, filepath.Join(dir, "KAT_DKM_GST_epsg31287_20261001.gpkg"), gst, nfl)
	bounds.WriteZip(t, filepath.Join(dir, "VGD_Oesterreich_gen_50_20261001.zip"))
}

func snapshots(t *testing.T, dir string) map[string]*kgfile.Snapshot {
	t.Helper()
	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	st := mem.New()
	out := map[string]*kgfile.Snapshot{}
	for _, f := range source.KGs {
		task, err := source.Task(f, st)
		if err != nil {
			t.Fatal(err)
		}
		made, err := kgbuild.Build(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		body, err := objects.Read(t.Context(), st, made.Digest.Entry.Forms.KGS.Key)
		if err != nil {
			t.Fatal(err)
		}
		file, err := kgfile.Open(body)
		if err != nil {
			t.Fatal(err)
		}
		if out[string(f.Code)], err = file.Snapshot(); err != nil {
			t.Fatal(err)
		}
		again, err := kgbuild.Build(t.Context(), task)
		if err != nil || !again.Reused {
			t.Errorf("KG %s: the same file is built twice: %v", f.Code, err)
		}
	}
	if p := source.MapProblems(); p.Total != 0 {
		t.Errorf("problems: %+v", p)
	}
	return out
}

// TestDownloadedFilesAreASource: two downloads and nothing else are a source; its KGs are those of tiles.
func TestDownloadedFilesAreASource(t *testing.T) {
	dir := t.TempDir()
	writeHanded(t, dir, "99001", "99002")
	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	c := source.Country
	if source.Settings.Stichtag != "2026-10-01" || source.Settings.Attribution != "© BEV, 2026" || len(source.KGs) != 2 ||
		source.KGs[0].Name != "Öd 99001" {
		t.Errorf("%+v %+v", source.Settings, source.KGs)
	}
	if len(c.Municipalities) != 1 || c.Municipalities[0].Name != "Probe" || c.Municipalities[0].Outline.Bounds().Empty() ||
		len(c.Districts) != 1 {
		t.Errorf("municipalities %+v, districts %+v", c.Municipalities, c.Districts)
	}
	handed, tiled := snapshots(t, dir), snapshots(t, sourcetest.Write(t, sourcetest.KG{Code: "99001"}, sourcetest.KG{Code: "99002"}))
	for code, want := range tiled {
		got := handed[code]
		if got == nil || len(got.Parcels) != len(want.Parcels) || len(got.Footprints) != len(want.Footprints) ||
			len(got.LandUse) != len(want.LandUse) {
			t.Fatalf("KG %s: %+v", code, got)
		}
		for i, p := range want.Parcels {
			if q := got.Parcels[i]; q.GNR != p.GNR || q.EZ != p.EZ || q.Status != p.Status || math.Abs(q.AreaSqm-p.AreaSqm) > 40 {
				t.Errorf("KG %s: want parcel %s %d of %.1f m², got %s %d of %.1f m²", code, p.GNR, p.EZ, p.AreaSqm, q.GNR, q.EZ, q.AreaSqm)
			}
		}
	}
}

// What the folder says itself counts: kg.geojson and the registers win over the boundaries, named tiles over
// the GeoPackage, source.json over the dates of the files.
func TestOwnFilesWinOverDownloads(t *testing.T) {
	dir := sourcetest.Write(t, sourcetest.KG{Code: "99001"})
	writeHanded(t, dir, "99001", "99002")
	sourcetest.File(t, dir, "source.json", `{"stichtag":"2027-04-01","attribution":"© BEV, 2027"}`)
	source, err := OpenSource(t.Context(), SourceOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if len(source.KGs) != 1 || source.KGs[0].Name != "Probe 99001" || source.Settings.Stichtag != "2027-04-01" ||
		source.Settings.Attribution != "© BEV, 2027" {
		t.Errorf("%+v %+v", source.Settings, source.KGs)
	}
	if source.dkm == nil || !strings.Contains(strings.Join(source.Warnings, "\n"), "the folder tiles is not read") {
		t.Errorf("the GeoPackage is not read: %q", source.Warnings)
	}
	named, err := OpenSource(t.Context(), SourceOptions{Dir: dir, Tiles: "https://tiles.example/{tileset}/{z}/{x}/{y}.pbf"})
	if err != nil || named.dkm != nil || named.Settings.ParcelZoom != 15 {
		t.Errorf("the named tiles are not read: %+v %v", named, err)
	}
}

// Each thing that is missing is named with the file that brings it.
func TestWhatASourceLacks(t *testing.T) {
	for name, c := range map[string]struct {
		without []string
		want    string
	}{
		"parcels":  {[]string{"KAT_DKM_GST_epsg31287_20261001.gpkg"}, "KAT_DKM_GST_epsg31287_YYYYMMDD.gpkg"},
		"outlines": {[]string{"VGD_Oesterreich_gen_50_20261001.zip"}, "VGD_Oesterreich_gen_50_YYYYMMDD.zip"},
		"a date":   {[]string{"VGD_Oesterreich_gen_50_20261001.zip", "KAT_DKM_GST_epsg31287_20261001.gpkg"}, "source.json"},
	} {
		dir := t.TempDir()
		writeHanded(t, dir, "99001")
		for _, f := range c.without {
			if err := os.Remove(filepath.Join(dir, f)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := OpenSource(t.Context(), SourceOptions{Dir: dir}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", name, c.want, err)
		}
	}
}
