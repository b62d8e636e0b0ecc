package kg

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/geo/packtree"
)

func mustAssemble(t testing.TB, in Input) (*kgfile.Snapshot, *Report) {
	t.Helper()
	s, rep, err := Assemble(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return s, rep
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: want %g within %g, got %g", what, want, tolerance, got)
	}
}

func TestSnapshotOfATown(t *testing.T) {
	const n = 400
	s, rep := mustAssemble(t, town(t, n))
	k := s.KG
	if k.ParcelCount != n || len(s.Labels) != n || k.FootprintCount != n/2 || k.BuildingCount != n/2 || len(s.LandUse) != n ||
		len(s.Symbols) != n || k.LandUseCount != 2*n {
		t.Errorf("counts: %+v, labels %d, land use %d, symbols %d", k, len(s.Labels), len(s.LandUse), len(s.Symbols))
	}
	if len(s.Build.Repairs) != 0 || rep.OpenShapes != 0 || rep.Unnumbered != 0 {
		t.Errorf("nothing has to be mended: %v %+v", s.Build.Repairs, rep)
	}
	if s.Build.SourceParcels != n || s.Build.SourceLabels != n || s.Build.SourceTiles != rep.Tiles ||
		s.Build.AssemblyVersion != "tile_partition_v1" {
		t.Errorf("build: %+v", s.Build)
	}
	total, foot, prev := 0.0, 0.0, uint32(0)
	for i, p := range s.Parcels {
		key := packtree.Hilbert(p.Inside, k.Box)
		if key < prev {
			t.Errorf("parcel %d is out of Hilbert order", i)
		}
		prev = key
		if !p.Geometry.Contains(p.Inside) || p.EZ == 0 || p.Status != austria.StatusE {
			t.Errorf("parcel %s: %+v", p.GNR, p)
		}
		near(t, "area of "+string(p.GNR), p.AreaSqm, p.Geometry.Area(crs.EqualArea), 1e-6)
		if f := p.Geometry.Check(); len(f) > 0 {
			t.Errorf("parcel %s: %v", p.GNR, f)
		}
		if !p.Geometry.Equal(p.Geometry.Normalise()) {
			t.Errorf("parcel %s is not in canonical order", p.GNR)
		}
		if len(p.SymbolCounts) != 1 || p.SymbolCounts[0].N != 1 {
			t.Errorf("parcel %s: symbols %v", p.GNR, p.SymbolCounts)
		}
		// One land-use shape covers the parcel, drawn on the finer pixels of zoom 16.
		sum := 0.0
		for _, u := range p.UseAreas {
			if u.Code != 41 {
				sum += u.Sqm
			}
		}
		near(t, "land use of "+string(p.GNR), sum, p.AreaSqm, 0.03*p.AreaSqm)
		total += p.AreaSqm
		foot += p.BuildingAreaSqm
		if p.FootprintCount != p.BuildingCount {
			t.Errorf("parcel %s: %d footprints, %d buildings", p.GNR, p.FootprintCount, p.BuildingCount)
		}
		near(t, "FAR of "+string(p.GNR), p.FAR, p.BuildingAreaSqm/p.AreaSqm, 1e-12)
	}
	near(t, "total area", k.TotalAreaSqm, total, 1e-6)
	near(t, "outline area", s.Outline.Area(crs.EqualArea), total, 0.01)
	if len(s.Outline) != 1 || len(s.Outline[0]) != 1 {
		t.Errorf("the outline is one ring: %d parts", len(s.Outline))
	}
	near(t, "footprint area on parcels", foot, k.TotalFootprintAreaSqm, 0.01*foot)
	for i, f := range s.Footprints {
		if f.N != uint32(i+1) || f.Shape != kgfile.ShapeRectangular || f.Parcel < 0 || s.Parcels[f.Parcel].BuildingCount != 1 ||
			f.NS != 41 {
			t.Errorf("footprint %d: %+v", i, f)
		}
	}
	for _, b := range s.Buildings {
		if b.Parcel < 0 || !s.Parcels[b.Parcel].Geometry.Contains(b.At) {
			t.Errorf("building %v: parcel %d", b.ID, b.Parcel)
		}
	}
	parcels := 0
	for i, f := range s.Folios {
		if i > 0 && s.Folios[i-1].EZ >= f.EZ || !slices.IsSorted(f.Parcels) {
			t.Errorf("folio %d out of order", f.EZ)
		}
		parcels += len(f.Parcels)
	}
	if parcels != n || k.EZCount != len(s.Folios) {
		t.Errorf("folios hold %d parcels of %d", parcels, n)
	}
	near(t, "parcels per folio", k.AvgParcelsPerEZ, float64(n)/float64(k.EZCount), 1e-12)
	near(t, "density", k.BuildingDensity, float64(n/2)/(total/1e6), 1e-9)
	near(t, "diversity", k.LandUseDiversity, math.Log(5), 0.2) // four codes in like parts and the footprints
	near(t, "nearest neighbour", k.AvgNNDistanceM, slowNeighbours(s.Footprints), 0.01)
	if k.Typology != kgfile.Suburban { // some 500 footprints per km², 3 % of the area
		t.Errorf("typology %v", k.Typology)
	}
	kgfile.Quantise(s)
	if _, err := kgfile.Encode(s); err != nil {
		t.Error(err)
	}
}

func slowNeighbours(feet []kgfile.Footprint) float64 {
	sum := 0.0
	for i := range feet {
		best := math.Inf(1)
		for j := range feet {
			if i != j {
				best = min(best, crs.Distance(feet[i].Centroid, feet[j].Centroid))
			}
		}
		sum += best
	}
	return sum / float64(len(feet))
}

func TestNeighbourDistanceIsThatOfTheSlowWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 2; n < 200; n += 17 {
		feet := make([]kgfile.Footprint, n)
		for i := range feet {
			// Clusters far apart, so that the nearest lies many cells away for some.
			c := int32(r.IntN(3)) * 300_000
			feet[i].Centroid = geom.Point{X: 158_800_000 + c + int32(r.IntN(3000)), Y: 479_900_000 + c/2 + int32(r.IntN(300))}
		}
		near(t, "mean", neighbourDistance(feet), slowNeighbours(feet), 0.02)
	}
	if !math.IsNaN(neighbourDistance(make([]kgfile.Footprint, 1))) {
		t.Error("one footprint has no neighbour")
	}
}

// unordered answers late and out of order.
type unordered struct {
	memory
	mu sync.Mutex
	r  *rand.Rand
}

func (u *unordered) Tile(ctx context.Context, set string, id mvt.TileID) ([]byte, error) {
	u.mu.Lock()
	d := time.Duration(u.r.IntN(300)) * time.Microsecond
	u.mu.Unlock()
	time.Sleep(d)
	return u.memory.Tile(ctx, set, id)
}

func TestSameInputSameBytes(t *testing.T) {
	in := town(t, 900)
	var first []byte
	for run := range 4 {
		again := in
		again.Workers = 1 + 3*run
		again.Tiles = &unordered{memory: in.Tiles.(memory), r: rand.New(rand.NewPCG(uint64(run), 0))}
		if run > 1 {
			again.Addresses = slices.Clone(in.Addresses)
			slices.Reverse(again.Addresses)
		}
		s, _ := mustAssemble(t, again)
		kgfile.Quantise(s)
		b, err := kgfile.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if !bytes.Equal(first, b) {
			t.Fatalf("run %d gives other bytes", run)
		}
	}
}

func TestSmallBoxFindsTheWholeKG(t *testing.T) {
	in := town(t, 1600)
	want, _ := mustAssemble(t, in)
	c := in.Box.Center()
	in.Box = geom.Box{MinX: c.X, MinY: c.Y, MaxX: c.X + 10, MaxY: c.Y + 10}
	got, rep := mustAssemble(t, in)
	if rep.ExtraTiles == 0 || len(got.Parcels) != len(want.Parcels) || got.KG.TotalAreaSqm != want.KG.TotalAreaSqm {
		t.Errorf("want %d parcels, got %d with %d extra tiles", len(want.Parcels), len(got.Parcels), rep.ExtraTiles)
	}
}

// failing breaks one tile.
type failing struct {
	memory
	id   mvt.TileID
	body []byte
	err  error
}

func (f failing) Tile(ctx context.Context, set string, id mvt.TileID) ([]byte, error) {
	if id == f.id && set == "kataster" {
		return f.body, f.err
	}
	return f.memory.Tile(ctx, set, id)
}

func TestErrorsNameKGTileAndFeature(t *testing.T) {
	in := town(t, 50)
	l := mvt.NewLayer("gst", 4096)
	l.Add(mvt.Feature{Type: mvt.Polygons, Parts: [][]mvt.Point{{{X: 0, Y: 0}, {X: 9, Y: 0}, {X: 9, Y: 9}}}})
	bad, err := mvt.Encode(mvt.Tile{Layers: []mvt.Layer{l.Layer()}})
	if err != nil {
		t.Fatal(err)
	}
	bad = bytes.Replace(bad, []byte{4<<3 | 2}, []byte{4 << 3}, 1)
	in.Tiles = failing{memory: in.Tiles.(memory), id: mvt.TileID{Z: 15, X: 17830, Y: 11387}, body: bad}
	_, _, err = Assemble(t.Context(), in)
	if err == nil {
		t.Fatal("a broken tile must stop the KG")
	}
	for _, want := range []string{"KG 01004", "kataster/15/17830/11387", `layer "gst"`, "feature 0"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error must name %s: %v", want, err)
		}
	}
	if _, _, err := Assemble(t.Context(), Input{Code: "x"}); err == nil {
		t.Error("an unreadable KG code must be refused")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in.Tiles = failing{err: context.Canceled, id: mvt.TileID{Z: 15, X: 17830, Y: 11387}}
	if _, _, err := Assemble(ctx, in); err == nil {
		t.Error("a cancelled read must stop the KG")
	}
}

func TestEmptyKG(t *testing.T) {
	s, _ := mustAssemble(t, Input{Code: testKG, Box: town(t, 4).Box, Tiles: memory{}})
	if len(s.Parcels) != 0 || s.KG.Box.Empty() {
		t.Errorf("%+v", s.KG)
	}
	kgfile.Quantise(s)
	if _, err := kgfile.Encode(s); err != nil {
		t.Error(err)
	}
}
