package landscape

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/classifier"
	"mappe/artefacts/landscape"
	"mappe/artefacts/rasters"
	"mappe/builders/landscape/index"
	"mappe/builders/national"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/raster"
)

// The village is KG 88802: a plane that falls to the west by a tenth, the one building of its cadastre 6 m high, one of 15 x 15 m and
// 5 m high that the cadastre lacks, single trees in a grid, and a pit of 20 x 20 m, 2 m deep, that the earlier scan does not have.
const village = austria.KGCode("88802")

// middle is the place of a thing of the village, in cells of the world.
func middle(x, y float64) (east, north float64) {
	east, north = fixture.Plane(x, y)
	return math.Round(east), math.Round(north)
}

func within(x, y, cx, cy, half float64) bool { return math.Abs(x-cx) < half && math.Abs(y-cy) < half }

func villageGround(dug bool) func(x, y float64) float64 {
	x0, _ := middle(4, 0)
	px, py := middle(5.5, 2.5)
	return func(x, y float64) float64 {
		z := 500 + 0.1*(x-x0)
		if dug && within(x, y, px, py, 10) {
			z -= 2
		}
		return z
	}
}

func villageTop(dug bool) func(x, y float64) float64 {
	ground := villageGround(dug)
	hx, hy := fixture.Plane(4.5, 0.5)
	nx, ny := middle(6.5, 0.5)
	tx, ty := middle(6.2, 3.2)
	return func(x, y float64) float64 {
		z := ground(x, y)
		switch {
		case math.Abs(x-hx) < 9 && math.Abs(y-hy) < 12.5: // its walls are turned against the plane by some degrees
			return z + 6
		case within(x, y, nx, ny, 7.5):
			return z + 5
		case x > tx && y > ty && x < tx+60 && y < ty+60: // 16 trees of 12 m with crowns of 4 m, 15 m apart
			dx, dy := math.Mod(x-tx, 15)-7.5, math.Mod(y-ty, 15)-7.5
			return z + max(12-2*math.Hypot(dx, dy), 0)
		}
		return z
	}
}

func villageWorld(t *testing.T) store.Store {
	t.Helper()
	return villageIn(t, mem.New())
}

// villageIn publishes the village in a store.
func villageIn(t *testing.T, s store.Store) store.Store {
	t.Helper()
	if err := fixture.Publish(s, fixture.Snapshots(), "88803"); err != nil {
		t.Fatal(err)
	}
	west, south := fixture.Plane(4, 0)
	east, north := fixture.Plane(8, 4)
	box := raster.Box{West: west - 80, South: south - 80, East: east + 80, North: north + 80}.Aligned(1)
	for _, m := range []fixture.Raster{
		{Layer: rasters.DTM, Date: "2022-09-15", Box: box, Height: villageGround(false)}, {Layer: rasters.DSM, Date: "2022-09-15", Box: box,
			Height: villageTop(false)},
		{Layer: rasters.DTM, Date: "2024-09-15", Box: box, Height: villageGround(true)}, {Layer: rasters.DSM, Date: "2024-09-15", Box: box,
			Height: villageTop(true)}} {
		if err := fixture.AddRasters(s, m); err != nil {
			t.Fatal(err)
		}
	}
	listed(t, s)
	return s
}

// listed adds what the world has in its pointer to its manifest too, as what is added to a generation is.
func listed(t *testing.T, s store.Store) {
	t.Helper()
	live, err := national.ReadLive(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := national.Add(t.Context(), s, live.Pointer.Artefacts, nil); err != nil {
		t.Fatal(err)
	}
}

// processed analyses KGs over a new ledger and gives what is told, and the records.
func processed(t *testing.T, s store.Store, codes ...austria.KGCode) (string, landprocess.Records) {
	t.Helper()
	return over(t, s, processing{}, codes...)
}

// withProducts makes their files, too.
func withProducts(t *testing.T, s store.Store, codes ...austria.KGCode) (string, landprocess.Records) {
	t.Helper()
	return over(t, s, processing{products: true}, codes...)
}

func over(t *testing.T, s store.Store, p processing, codes ...austria.KGCode) (string, landprocess.Records) {
	t.Helper()
	l, err := ledgerurl.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var told bytes.Buffer
	p.out = &told
	if err := p.over(t.Context(), s, l, codes); err != nil {
		t.Fatal(err)
	}
	return told.String(), landprocess.Records{Ledger: l}
}

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s: want %g within %g, got %g", what, want, by, got)
	}
}

// A KG's record and details are those of the land that was made up; the same inputs give the same file, once.
func TestAKGIsAnalysed(t *testing.T) {
	s := villageWorld(t)
	told, records := processed(t, s, village, village)
	if !strings.Contains(told, "KG 88802: unchanged") || !strings.Contains(told,
		"not at hand: ortho, ndvi, sar, landcover, forest, cadastre_around, community_map") {
		t.Errorf("told: %s", told)
	}
	e, ok, err := records.Entry(t.Context(), village)
	if err != nil || !ok {
		t.Fatalf("entry: %v %v", ok, err)
	}
	if _, again := processed(t, s, village); true {
		if f, _, _ := again.Entry(t.Context(), village); f.Key != e.Key || f.Fingerprint != e.Fingerprint {
			t.Errorf("the same inputs: %s and %s", e.Key, f.Key)
		}
	}
	live, err := national.ReadLive(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	served, err := index.Served(t.Context(), s, live.Pointer.Artefacts[landscape.Artefact])
	if i := slices.IndexFunc(served, func(x landscape.Entry) bool { return x.Processed }); err != nil || i < 0 ||
		served[i].KGCode != string(village) {
		t.Errorf("the KG is not in the index that is served: %v", err)
	}
	body, _, err := store.ReadAll(t.Context(), s, e.Key, 64<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := landscape.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Whole()
	if err != nil {
		t.Fatal(err)
	}
	theRecord(t, k)
	theDetails(t, k)
	// The same inputs, but the file is there no more: it is made again.
	if err := s.Delete(t.Context(), e.Key); err != nil {
		t.Fatal(err)
	}
	again := processing{out: io.Discard}
	if err := again.over(t.Context(), s, records.Ledger, []austria.KGCode{village}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context(), e.Key); err != nil {
		t.Errorf("the file that was lost: %v", err)
	}
}

func theRecord(t *testing.T, k *landscape.KG) {
	r := &k.Record
	if !r.Processed || r.PrimaryYear != 2024 || r.KGName != "Ostdorf" || r.AspectDominant != "W" || r.Tiles < 1 {
		t.Errorf("record: %+v", r)
	}
	near(t, "slope_mean_deg", r.SlopeMean, math.Atan(0.1)*180/math.Pi, 0.3)
	near(t, "elevation_range_m", r.ElevationRange, 0.1*(299), 4)
	near(t, "building_max_height_m", r.BuildingMaxHeight, 6, 0.05)
	near(t, "building_stories_mean", r.BuildingStoriesMean, 2, 0)
	near(t, "building_pitched_pct", r.BuildingPitchedPct, 0, 0)
	near(t, "building_height_coverage_pct", r.BuildingHeightCoveragePct, 100, 0)
	near(t, "tree_count", r.TreeCount, 16, 1)
	near(t, "new_building_count", r.NewBuildingCount, 1, 0)
	near(t, "new_building_footprint_sqm", r.NewBuildingFootprintSqm, 225, 30)
	near(t, "total_disturbed_volume_m3", r.DisturbedVolume, 800, 80)
	near(t, "net_volume_change_m3", r.NetVolumeChange, -800, 80)
	if r.NDVIMean == r.NDVIMean || r.SARVVMean == r.SARVVMean || r.RFMeanConfidence == r.RFMeanConfidence || r.PhenologyDominant != "" {
		t.Errorf("what no layer tells is missing: %v %v %v %q", r.NDVIMean, r.SARVVMean, r.RFMeanConfidence, r.PhenologyDominant)
	}
	sum := 0.0
	for _, l := range k.Landcover {
		sum += l.Fraction
	}
	near(t, "sum of shares", sum, 1, 1e-4)
	if r.QualityGrade == "" || r.QualityScore < 40 || r.QualityScore > 90 {
		t.Errorf("quality: %g %s", r.QualityScore, r.QualityGrade)
	}
}

func theDetails(t *testing.T, k *landscape.KG) {
	if len(k.Buildings) != 1 || len(k.Parcels) != 17 {
		t.Fatalf("%d buildings, %d parcels", len(k.Buildings), len(k.Parcels))
	}
	b := &k.Buildings[0]
	if b.FullAddress != "Dorfstraße 1, 3888 Ostdorf" || b.RoofType != "flat" || len(b.Vertices) != 4 {
		t.Errorf("building: %+v", b)
	}
	for _, v := range b.Vertices {
		near(t, "height at a corner", float64(v.Height), 6, 0.3)
	}
	trees, area := 0.0, 0.0
	for i := range k.Parcels {
		p := &k.Parcels[i]
		if p.ID == "88802-99" {
			continue // it has no area
		}
		near(t, p.ID+" slope", float64(p.SlopeMean), 5.71, 1.5)
		near(t, p.ID+" range", float64(p.ElevationRange), 7.5, 2.5)
		for _, v := range p.Vertices {
			if v.DTM < 496 || v.DTM > 534 {
				t.Errorf("%s: a vertex at %g m", p.ID, v.DTM)
			}
		}
		if len(p.Vertices) != 4 {
			t.Errorf("%s: heights at %d vertices", p.ID, len(p.Vertices))
		}
		if p.TreeCount == p.TreeCount {
			trees += float64(p.TreeCount)
		}
		for _, s := range p.Types {
			area += s.AreaSqm
		}
	}
	near(t, "trees of parcels", trees, k.TreeCount, 0)
	near(t, "m² of parcels", area, 299*444, 2500)
	near(t, "samples", float64(len(k.Samples)), 299.0*444/400, 40)
}

// A KG into which no layer reaches fails for good; the command says so and the others are done, by rules where the model is damaged.
func TestAKGWithoutLayers(t *testing.T) {
	world := villageWorld(t)
	if err := fixture.AddModel(world, classifier.TrainedArtefact, []byte("no model")); err != nil {
		t.Fatal(err)
	}
	listed(t, world)
	told, records := processed(t, world, "00804", village)
	s, err := records.State(t.Context())
	if err != nil || len(s.Failed) != 1 || s.Failed[0].KG != "00804" || !strings.Contains(s.Failed[0].Error, "no height model") {
		t.Errorf("failed: %+v %v", s.Failed, err)
	}
	if !strings.Contains(told, "KG 00804: failed") || !strings.Contains(told, "KG 88802: 0.") ||
		!strings.Contains(told, "community_map, classifier") {
		t.Errorf("told: %s", told)
	}
}
