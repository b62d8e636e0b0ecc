package epochs

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
)

const collection = `{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"kg_code":"1004","gnr":"1","ez":7,"status":"G","ingest_generation":"ring_order","processing_version":"inspire-v2","landuse_summary":{"52":2,"41":1}},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.001,48],[15.001,48.001],[15,48.001],[15,48]]]}},
{"type":"Feature","properties":{"parcel_id":"01004-.2/1","ez":null},"geometry":{"type":"MultiPolygon","coordinates":[[[[15.001,48],[15.002,48],[15.002,48.001],[15.001,48.001],[15.001,48]]]]}},
{"type":"Feature","properties":{"gnr":"1","ez":9},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.001,48],[15.001,48.001],[15,48]]]}},
{"type":"Feature","properties":{"gnr":"bad number"},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.001,48],[15.001,48.001],[15,48]]]}},
{"type":"Feature","properties":{"gnr":"3"},"geometry":null},
{"type":"Feature","properties":{"gnr":"4","kg_code":"01005"},"geometry":{"type":"Polygon","coordinates":[[[15,48],[15.001,48],[15.001,48.001],[15,48]]]}}
]}`

func TestReadAndMake(t *testing.T) {
	source := fstest.MapFS{
		"epochs/01004-2025-10-01.geojson": {Data: []byte(collection)},
		"epochs/01004-2024-10-01.geojson": {Data: []byte(`{"type":"FeatureCollection","features":[]}`)},
		"epochs/README.md":                {Data: []byte("not a snapshot")},
	}
	folder, err := OpenFolder(source)
	if err != nil {
		t.Fatal(err)
	}
	files, err := folder.Of(t.Context(), "01004")
	if err != nil || len(files) != 2 || files[0].Date != "2024-10-01" || files[1].Code != "01004" {
		t.Fatalf("%v, %v", files, err)
	}
	in, err := folder.Open(t.Context(), files[1])
	if err != nil {
		t.Fatal(err)
	}
	s, problems, err := Read(in, files[1])
	if err != nil || len(s.Parcels) != 3 || s.Generation != rowschema.RingOrder || s.Processing != "inspire-v2" || s.Credit != "© BEV, 2025" {
		t.Fatalf("%+v, %v", s, err)
	}
	if problems.Total != 3 {
		t.Errorf("want the bad number, the missing geometry and the other KG reported, got %+v", problems)
	}
	snap := kg.FromDrawn(kgfile.KG{Code: "01004", Name: "Innere Stadt", GemeindeCode: "90001"}, s.Parcels,
		kgfile.Build{Stichtag: "2025-10-01", AssemblyVersion: "legacy", IngestGeneration: string(s.Generation), Source: s.Credit})
	raw, err := kgfile.Encode(snap)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(raw)
	if err != nil || f.NumParcels() != 2 || f.KG().ParcelCount != 2 || f.Build().IngestGeneration != "ring_order" {
		t.Fatalf("%v %v", f, err)
	}
	i, ok, err := f.ParcelByGNR("1")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	parcels, err := f.Parcels()
	if p := parcels[i]; err != nil || p.EZ != 7 || p.Status.String() != "G" || p.AreaSqm < 8200 || p.AreaSqm > 8400 ||
		len(p.SymbolCounts) != 2 || p.SymbolCounts[0].Code != 41 || p.DominantLandUse != 52 {
		t.Errorf("parcel 1: %+v, %v", p, err)
	}
	empty, _, err := Read(strings.NewReader(`{"type":"FeatureCollection","features":[]}`), files[0])
	if err != nil {
		t.Fatal(err)
	}
	if raw, err = kgfile.Encode(kg.FromDrawn(kgfile.KG{Code: "01004"}, empty.Parcels, kgfile.Build{Stichtag: "2024-10-01"})); err != nil ||
		len(raw) == 0 {
		t.Errorf("a snapshot without parcels: %v", err)
	}
}

func TestFilesThatAreNone(t *testing.T) {
	folder, err := OpenFolder(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := folder.Of(t.Context(), "01004"); list != nil || err != nil {
		t.Errorf("no folder: %v, %v", list, err)
	}
	if _, err := OpenFolder(fstest.MapFS{"epochs/01004-2025-13-01.geojson": {}}); err == nil ||
		!strings.Contains(err.Error(), "is not a date") {
		t.Errorf("a date that does not exist: %v", err)
	}
	if _, _, err := Read(strings.NewReader("PK"), File{"01004", "2025-10-01", "epochs/01004-2025-10-01.geojson"}); err == nil {
		t.Error("want a file that is no collection refused")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(collection))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _, err := Read(bytes.NewReader(data), File{"01004", "2025-10-01", "epochs/01004-2025-10-01.geojson"})
		if err != nil {
			return
		}
		snap := kg.FromDrawn(kgfile.KG{Code: "01004"}, s.Parcels,
			kgfile.Build{Stichtag: "2025-10-01", IngestGeneration: string(s.Generation)})
		raw, err := kgfile.Encode(snap)
		if err != nil {
			return // what the file cannot hold is refused with an error
		}
		if _, err := kgfile.Open(raw); err != nil {
			t.Errorf("a snapshot that was written cannot be read: %v", err)
		}
	})
}
