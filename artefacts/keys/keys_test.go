package keys

import (
	"strings"
	"testing"
)

const sum = "0123456789abcdef"

func TestStringAndParseAreInverses(t *testing.T) {
	for _, k := range []Key{
		Current{}, Manifest{sum}, ManifestPart{sum}, Register{sum}, National{"kgs", sum, "json"}, National{"tiles", sum, "pmtiles"},
		National{"places", sum, "json.gz"},
		Snapshot{"01004", "2026-10-01", sum, KGS}, Snapshot{"01004", "2026-10-01", sum, GeoJSON},
		Refused{Snapshot{"01004", "2026-10-01", sum, KGS}}, Refused{Snapshot{"01004", "2026-10-01", sum, Quality}},
		Latest{"01004", GeoParquet, "900"}, Latest{"01004", GeoParquet, ""}, Latest{"01004", GeoJSON, ""}, Latest{"01004", GeoPackage, ""},
		Latest{"01004", PMTiles, ""}, LatestIndex{},
		National{"overlay-natura", sum, "parts"}, Prices{"land", sum, "parts"}, Prices{"index", sum, "json"}, CellDict{sum},
		Cells{"01004", "2026-10-01", sum}, CellTable{"01004", "2026-10-01", sum}, CellCoarse{"01004", "2026-10-01", sum},
		Latest{"01004", CellsGeoParquet, "900"}, Landscape{"01004", "2026-10-01", sum},
		Raster{"dtm", "2024-09-15", 4400, 2695, sum}, Raster{"ortho4", "2024-09-15", 0, 5, sum}, Availability{}, ArchiveManifest{},
		ArchiveJournal{Code: "01004"}, ArchiveJournal{"01004", "landscape"}, ArchiveJournal{"01004", "infrastructure"},
		Table{"segments", "01004", "9"}, Table{"trees", "01004", ""}, Product{"01004", sum, "full.gpkg"},
		Product{"01004", sum, "infrastructure-item.json"}, Product{"01004", sum, "sar-vv.tif"}, Product{"01004", sum, "dtm.png"},
		Product{"01004", sum, "landscape.pmtiles"},
		Snapshot{"01004", "2026-10-01", sum, Quality}, Versions{"01004", sum}, Digest{"01004", sum}, Epoch{"01004", "2025-10-01", sum},
		Export{"export-0a-1-2", "cadastre-2026-10-01", "gpkg"}, Export{"r", "n", "geojson"}, Export{"r", "n", "json"},
		Export{"r", "n", "fgb"}, Export{"r", "n", "zip"}, Export{"r", "n", "dxf"}, Export{"r", "n", "kml"},
		Export{"r", "n", "csv"}, Export{"r", "n", "xlsx"},
	} {
		got, err := Parse(k.String())
		if err != nil || got != k {
			t.Errorf("Parse(%q): want %#v, got %#v, %v", k.String(), k, got, err)
		}
	}
}

func TestParseRefusesWhatIsNeverWritten(t *testing.T) {
	for _, s := range []string{
		"", "current", "manifests/xyz.json", "manifests/kgs-xyz.json", "manifests/kgs-" + sum, "kg/1004/1004-2026-10-01-" + sum + ".kgs",
		"kg/01004/01005-2026-10-01-" + sum + ".kgs", "kg/01004/01004-2026-13-01-" + sum + ".kgs",
		"kg/01004/01004-2026-10-01-" + sum + ".exe", "national/Kgs-" + sum + ".json", "national/kgs-" + sum + ".js",
		"national/kgs-" + sum + ".gz",
		"latest/parquet/01004.gpkg", "latest/parquet/1004.parquet", "latest/kgs/01004.kgs", "latest/geojson.gz/01004.geojson.gz",
		"latest/index", "latest/parquet/x/01004.parquet", "latest/parquet/01004.parquet",
		"latest/parquet/state=3/district=900/01004.parquet", "latest/parquet/district=900/01004.parquet",
		"latest/gpkg/state=9/district=900/01004.gpkg",
		"refused/01004/01004-versions-" + sum + ".json", "refused/01004/01005-2026-10-01-" + sum + ".kgs",
		"national/-kgs-" + sum + ".json", "national/a--b-" + sum + ".parts", "national/" + sum + ".parts",
		"national/overlay-" + strings.Repeat("x", 40) + "-" + sum + ".parts",
		"prices/land-" + sum + ".kgs", "prices/land-" + sum[1:] + ".parts", "cells/dict-" + sum, "cells/dict-xyz.zdict",
		"cells/01004/dict-" + sum + ".zdict",
		"cells/1004/1004-2026-10-01-" + sum + ".ne", "cells/01004/01005-2026-10-01-" + sum + ".ne",
		"cells/01004/01004-2026-02-30-" + sum + ".ne", "cells/01004/01004-2026-10-01-" + sum + ".parts",
		"landscape/01004/01004-2026-10-01-" + sum + ".ne", "landscape/01004-2026-10-01-" + sum + ".parts",
		"rasters/dtm/2024-09-15/E4400N2695-" + sum, "rasters/dtm/20240915/E4400N2695-" + sum + ".tif",
		"rasters/DTM/2024-09-15/E4400N2695-" + sum + ".tif",
		"rasters/d-m/2024-09-15/E4400N2695-" + sum + ".tif", "rasters/dtm/2024-09-15/E04400N2695-" + sum + ".tif",
		"rasters/dtm/2024-09-15/x/E4400N2695-" + sum + ".tif",
		"archive/kg/1004.json", "archive/01004.json", "archive/kg/manifest.json", "archive/kg/01004", "archive/other/01004.json",
		"archive/landscape/1004.json",
		"tables/roads/state=9/kg=01004/01004.parquet", "tables/trees/state=0/kg=01004/01004.parquet",
		"tables/trees/state=9/kg=1004/1004.parquet",
		"tables/trees/state=9/kg=01004/01005.parquet", "tables/trees/9/kg=01004/01004.parquet",
		"products/01004/" + sum + "/full.gpkg", "products/01004/" + sum + "/01005-full.gpkg", "products/01004/x/01004-full.gpkg",
		"products/01004/" + sum + "/01004-Full.gpkg", "products/01004/" + sum + "/01004-full.kgs",
		"products/01004/" + sum + "/x/01004-full.gpkg",
		"digests/01004/epoch-2025-13-01-" + sum + ".json", "digests/01004/epoch-2025-10-01.json",
		"digests/01004/epoch-2025-10-01" + sum + ".json",
		"../current.json", "kg/01004/../" + sum, "register/" + sum + ".reg/x",
	} {
		if k, err := Parse(s); err == nil {
			t.Errorf("Parse(%q): want an error, got %#v", s, k)
		}
	}
}

func TestOnlyThePointerAndTheLatestFilesAreReplaced(t *testing.T) {
	for _, k := range []Key{Current{}, LatestIndex{}, Latest{"01004", GeoParquet, "900"}, Availability{}, ArchiveManifest{},
		ArchiveJournal{Code: "01004"}, ArchiveJournal{"01004", "landscape"}, Table{"trees", "01004", "9"}} {
		if got := HeadersOf(k).CacheControl; got != "public, max-age=5, must-revalidate" {
			t.Errorf("%v: got %q", k, got)
		}
	}
	if h := HeadersOf(National{"places", sum, "json.gz"}); h != (Headers{"application/json", "gzip",
		"public, max-age=31536000, immutable"}) {
		t.Errorf("places: got %+v", h)
	}
	h := HeadersOf(Snapshot{"01004", "2026-10-01", sum, GeoJSON})
	want := Headers{"application/geo+json", "gzip", "public, max-age=31536000, immutable"}
	if h != want {
		t.Errorf("geojson: want %+v, got %+v", want, h)
	}
}

// Every key that its bytes decide says so, and only such a key is kept for ever under one name.
func TestTheContentIsInTheName(t *testing.T) {
	for _, k := range []Key{
		Manifest{sum}, ManifestPart{sum}, Register{sum}, National{"overlay-natura", sum, "parts"}, Prices{"land", sum, "parts"},
		CellDict{sum},
		Cells{"01004", "2026-10-01", sum}, CellTable{"01004", "2026-10-01", sum}, CellCoarse{"01004", "2026-10-01", sum},
		Landscape{"01004", "2026-10-01", sum}, Raster{"dtm", "2024-09-15", 4400, 2695, sum}, Snapshot{"01004", "2026-10-01", sum, KGS},
		Versions{"01004", sum},
	} {
		if ContentSum(k) != sum || k.Class() != Immutable {
			t.Errorf("%s: content %q, class %v", k, ContentSum(k), k.Class())
		}
	}
	for _, k := range []Key{Current{}, LatestIndex{}, Latest{"01004", GeoParquet, "900"}, Digest{"01004", sum},
		Epoch{"01004", "2025-10-01", sum}, Product{"01004", sum, "full.gpkg"}} {
		if got := ContentSum(k); got != "" {
			t.Errorf("%s: content %q", k, got)
		}
	}
}

func TestEndingsHaveATypeOfTheirOwn(t *testing.T) {
	for k, want := range map[Key]string{
		National{"overlay-natura", sum, "parts"}: "application/vnd.mappe.parts",
		Cells{"01004", "2026-10-01", sum}:        "application/vnd.ne-cells",
		CellDict{sum}:                            "application/octet-stream",
		Product{"01004", sum, "full.gpkg"}:       "application/geopackage+sqlite3",
		Product{"01004", sum, "dtm.png"}:         "image/png",
	} {
		if got := HeadersOf(k); got.ContentType != want || got.ContentEncoding != "" {
			t.Errorf("%s: want %s, got %+v", k, want, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("kg/01004/01004-2026-10-01-" + sum + ".kgs")
	f.Add("latest/geojson/01004.geojson.gz")
	f.Add("latest/parquet/state=9/district=900/01004.parquet")
	f.Add("refused/01004/01004-2026-10-01-" + sum + ".kgs")
	f.Add("national/kgs-" + sum + ".json")
	f.Add("national/overlay-natura-" + sum + ".parts")
	f.Add("prices/land-" + sum + ".parts")
	f.Add("cells/dict-" + sum + ".zdict")
	f.Add("cells/01004/01004-2026-10-01-" + sum + ".ne")
	f.Add("rasters/dtm/2024-09-15/E4400N2695-" + sum + ".tif")
	f.Add("products/01004/" + sum + "/01004-full.gpkg")
	f.Add("landscape/01004/01004-2026-10-01-" + sum + ".parts")
	f.Fuzz(func(t *testing.T, s string) {
		if k, err := Parse(s); err == nil && k.String() != s {
			t.Errorf("Parse(%q) writes %q", s, k.String())
		}
	})
}
