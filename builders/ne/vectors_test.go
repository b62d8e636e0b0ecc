package ne

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

var update = flag.Bool("update", false, "write the published vectors of the builder anew")

// vectors are published with the format: two neighbouring KGs as GeoJSON and the containers that are made of them. They
// lie with those of the readers, whose tests read them too.
const vectors = "../../artefacts/ne/testdata/vectors/builder"

// vectorDate is the Stichtag of the vectors.
const vectorDate = "2026-10-01"

// inputFeature is a feature of the input; README.md beside it says what the members are.
type inputFeature struct {
	Properties struct {
		Layer  string      `json:"layer"`
		KG     string      `json:"kg_code"`
		GNR    string      `json:"gnr"`
		EZ     austria.EZ  `json:"ez"`
		Status string      `json:"status"`
		NS     int         `json:"ns"`
		Inside *[2]float64 `json:"inside"`
	} `json:"properties"`
	Geometry struct {
		Coordinates [][][2]float64 `json:"coordinates"`
	} `json:"geometry"`
}

func position(t *testing.T, p [2]float64) geom.Point {
	q, ok := geom.PointAt(p[0], p[1])
	if !ok {
		t.Fatalf("position %v", p)
	}
	return q
}

// shape is the polygon of a feature; rings of GeoJSON repeat their first position.
func (f *inputFeature) shape(t *testing.T) geom.MultiPolygon {
	var p geom.Polygon
	for _, r := range f.Geometry.Coordinates {
		var ring geom.Ring
		for _, q := range r[:len(r)-1] {
			ring = append(ring, position(t, q))
		}
		p = append(p, ring)
	}
	return geom.MultiPolygon{p}
}

// inputOf reads the snapshots of the vectors.
func inputOf(t *testing.T) map[austria.KGCode]*kgfile.Snapshot {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(vectors, "input.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		Features []inputFeature `json:"features"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		t.Fatal(err)
	}
	out := map[austria.KGCode]*kgfile.Snapshot{}
	for i := range in.Features {
		f := &in.Features[i]
		p := &f.Properties
		code := austria.KGCode(p.KG)
		s := out[code]
		if s == nil {
			nan := math.NaN()
			s = &kgfile.Snapshot{KG: kgfile.KG{Code: code, Name: "Beispiel " + p.KG, Box: geom.EmptyBox, AvgNNDistanceM: nan,
				FootprintMedianAreaSqm: nan, MedianParcelAreaSqm: nan},
				Build: kgfile.Build{Stichtag: vectorDate}}
			out[code] = s
		}
		m := f.shape(t)
		sqm := m.Area(crs.EqualArea)
		at, _ := m.Centroid()
		switch p.Layer {
		case "parcel":
			status := austria.StatusE
			if p.Status == "G" {
				status = austria.StatusG
			}
			s.Parcels = append(s.Parcels, kgfile.Parcel{GNR: austria.GNR(p.GNR), EZ: p.EZ, Status: status, Geometry: m, AreaSqm: sqm,
				Centroid: at, Inside: at})
			s.KG.Box = s.KG.Box.Union(m.Bounds())
		case "landuse":
			s.LandUse = append(s.LandUse, kgfile.LandUseArea{NS: austria.LandUse(p.NS), Geometry: m, AreaSqm: sqm, Inside: at})
		case "footprint":
			s.Footprints = append(s.Footprints, kgfile.Footprint{Geometry: m, AreaSqm: sqm, Inside: position(t, *p.Inside)})
		default:
			t.Fatalf("layer %q", p.Layer)
		}
	}
	return out
}

// rowsOfVectors are the layers of the KGs.
func rowsOfVectors(t *testing.T) (codes []austria.KGCode, rows map[austria.KGCode][]ne.Rows,
	snapshots map[austria.KGCode]*kgfile.Snapshot) {
	t.Helper()
	snapshots = inputOf(t)
	files := map[austria.KGCode]*kgfile.File{}
	for code, s := range snapshots {
		codes = append(codes, code)
		files[code] = open(t, s)
	}
	slices.Sort(codes)
	rows = map[austria.KGCode][]ne.Rows{}
	for _, code := range codes {
		var others []*kgfile.File
		for _, o := range codes {
			if o != code {
				others = append(others, files[o])
			}
		}
		var err error
		if rows[code], err = Build(t.Context(), files[code], others); err != nil {
			t.Fatal(err)
		}
	}
	return codes, rows, snapshots
}

// written are the rows as the vectors write them down, a line for each.
func written(t *testing.T, rows []ne.Rows) []byte {
	var b bytes.Buffer
	line := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	b.WriteString("{\"lu\":[\n")
	for i, r := range luOf(t, rows) {
		if i > 0 {
			b.WriteString(",\n")
		}
		line([]any{r.Cell, r.KGShare, r.Land, r.Cov, r.Flags, ints(r.Use), r.StrCover, r.StrN, r.GK, r.NUnits, r.EdgeMHa, r.OrientCoh,
			r.OrientAxis2})
	}
	b.WriteString("\n],\"bev\":[\n")
	for i, r := range kOf(t, rows) {
		if i > 0 {
			b.WriteString(",\n")
		}
		line([]any{r.Cell, r.NUnits, r.P10, r.P50, r.P90, r.RegN, r.UnitsPerReg10, r.StrN, r.StrP50})
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

func ints(use [9]uint8) (out []int) {
	for _, u := range use {
		out = append(out, int(u))
	}
	return out
}

// The input gives the published bytes, on every processor.
func TestPublishedVectors(t *testing.T) {
	codes, rows, _ := rowsOfVectors(t)
	want := map[string][]byte{"dict.zdict": dict}
	for _, code := range codes {
		pack, err := ne.NewPacker(dict)
		if err != nil {
			t.Fatal(err)
		}
		body, err := ne.Encode(ne.Header{KG: code, Stichtag: vectorDate}, rows[code], pack)
		if err != nil {
			t.Fatal(err)
		}
		want[string(code)+".ne"], want[string(code)+".json"] = body, written(t, rows[code])
	}
	for name, body := range want {
		path := filepath.Join(vectors, name)
		if *update {
			if err := os.WriteFile(path, body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s: %d bytes were made, %d are published: %v", name, len(body), len(got), err)
		}
	}
}

// The vectors show what they are for: both flags, a border cell in both KGs, land of all kinds, percentiles; and they agree
// with the slow reference.
func TestVectorsShowTheCases(t *testing.T) {
	codes, rows, snapshots := rowsOfVectors(t)
	flags, uses := map[uint8]bool{}, map[int]bool{}
	cells := map[string]int{}
	spread := 0
	for _, code := range codes {
		for _, r := range luOf(t, rows[code]) {
			flags[r.Flags] = true
			for i, u := range r.Use {
				uses[i] = uses[i] || u > 0
			}
			cells[r.Cell.String()]++
		}
		for _, r := range kOf(t, rows[code]) {
			if r.P10 > 0 {
				spread++
			}
		}
	}
	shared := 0
	for _, n := range cells {
		shared += n - 1
	}
	if !flags[0] || !flags[ne.DeclaredUnknown] || !flags[ne.Normalised] || len(uses) != 9 || shared < 5 || spread == 0 {
		t.Errorf("flags %v, uses %v, %d shared cells, %d rows with percentiles", flags, uses, shared, spread)
	}
	for i := range 9 {
		if !uses[i] {
			t.Errorf("no cell with %s", ne.Uses[i])
		}
	}
	var both []*kgfile.Snapshot
	for _, code := range codes {
		both = append(both, snapshots[code])
	}
	w := slow(both...)
	for _, code := range codes {
		for _, r := range luOf(t, rows[code]) {
			w.judge(t, code, r)
		}
		for _, k := range kOf(t, rows[code]) {
			w.judgeUnits(t, k)
		}
	}
}
