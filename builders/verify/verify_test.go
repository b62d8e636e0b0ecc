package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// cell is the area of a parcel of a grid in m².
var cell = math.Round(1e8*sqmPerUnit(47.3)) / 100

// middle is the middle of a parcel of a grid.
func middle(x, y int32) geom.Point {
	return geom.Point{X: 132000000 + x*1000 + 500, Y: 473000000 + y*1000 + 500}
}

// registered gives the address points of a grid as the register has them.
func registered(s *kgfile.Snapshot) []kg.Address {
	out := make([]kg.Address, len(s.Buildings))
	for i, b := range s.Buildings {
		b.Parcel = -1
		out[i] = kg.Address{Building: b, KG: s.KG.Code}
	}
	return out
}

// grid is a KG of n × n square parcels that fill their outline.
func grid(n int32) *kgfile.Snapshot {
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "01004", Name: "Probe"}, Build: kgfile.Build{Stichtag: "2026-10-01"}}
	for y := range n {
		for x := range n {
			s.Parcels = append(s.Parcels, kgfile.Parcel{GNR: austria.GNR(fmt.Sprint(y*n + x + 1)),
				Geometry: rect(x*1000, y*1000, x*1000+1000, y*1000+1000), AreaSqm: cell})
			s.Buildings = append(s.Buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: uint64(y*n + x)}, Parcel: y*n + x,
				At: middle(x, y)})
			s.Labels = append(s.Labels, kgfile.Label{GNR: austria.GNR(fmt.Sprint(y*n + x + 1))})
		}
	}
	s.Outline = rect(0, 0, n*1000, n*1000)
	s.KG.TotalAreaSqm = cell * float64(n*n)
	s.Build.SourceParcels, s.Build.SourceLabels = len(s.Parcels), len(s.Labels)
	return s
}

func TestVerdict(t *testing.T) {
	bowtie := geom.MultiPolygon{{{{X: 132000000, Y: 473000000}, {X: 132001000, Y: 473001000}, {X: 132001000, Y: 473000000},
		{X: 132000000, Y: 473001000}}}}
	tests := []struct {
		name string
		make func() Input
		want rowschema.Verdict
		code string
	}{
		{"a first build", func() Input { return Input{Snapshot: grid(10)} }, rowschema.Pass, ""},
		{"the same again", func() Input { return Input{Snapshot: grid(10), Live: grid(10)} }, rowschema.Pass, ""},
		{"a parcel of the source is not served", func() Input {
			s := grid(10)
			s.Build.SourceParcels = 101
			return Input{Snapshot: s}
		}, rowschema.Refuse, "parcels_missing"},
		{"an empty build", func() Input { return Input{Snapshot: grid(0)} }, rowschema.Refuse, "no_parcels"},
		{"a hole where three parcels were", func() Input {
			s := grid(10)
			s.Parcels = s.Parcels[3:]
			s.Build.SourceParcels = 97
			return Input{Snapshot: s, Live: grid(10)}
		}, rowschema.Refuse, "coverage_gap"},
		{"ten parcels lost", func() Input {
			s := grid(10)
			s.Parcels = s.Parcels[10:]
			s.Outline = rect(0, 1000, 10000, 10000)
			s.Build.SourceParcels = 90
			return Input{Snapshot: s, Live: grid(10)}
		}, rowschema.Refuse, "parcels_lost"},
		{"ten parcels lost, and accepted", func() Input {
			s := grid(10)
			s.Parcels = s.Parcels[10:]
			s.Outline = rect(0, 1000, 10000, 10000)
			s.Build.SourceParcels = 90
			return Input{Snapshot: s, Live: grid(10), AcceptLosses: true}
		}, rowschema.Warn, "parcels_lost"},
		{"a first build with a missing tile", func() Input {
			s := grid(10)
			s.Parcels[7].Repairs = kgfile.RepairMissingTile
			return Input{Snapshot: s}
		}, rowschema.Refuse, "missing_tile"},
		{"a first build with a missing tile, and accepted", func() Input {
			s := grid(10)
			s.Parcels[7].Repairs = kgfile.RepairMissingTile
			return Input{Snapshot: s, AcceptGaps: true}
		}, rowschema.Warn, "missing_tile"},
		{"a missing tile of land use", func() Input {
			return Input{Snapshot: grid(10), Live: grid(10), Assembly: &kg.Report{LandUseCut: 3}}
		}, rowschema.Refuse, "missing_landuse_tile"},
		{"a missing tile of land use, and accepted", func() Input {
			return Input{Snapshot: grid(10), AcceptGaps: true, Assembly: &kg.Report{LandUseCut: 3}}
		}, rowschema.Warn, "missing_landuse_tile"},
		{"a failed download in place of a tile, accepted", func() Input {
			return Input{Snapshot: grid(10), AcceptGaps: true, Assembly: &kg.Report{BrokenTiles: 1}}
		}, rowschema.Warn, "broken_tiles"},
		{"a parcel that had to be drawn otherwise", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{Inexact: []kg.Inexact{{GNR: "7", DrawnSqm: 40, Sqm: 30}}}}
		}, rowschema.Warn, "inexact_parcels"},
		{"land use beyond repair", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{Unrepaired: 1}}
		}, rowschema.Warn, "landuse_unrepaired"},
		{"pieces that stay apart", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{Apart: 1}}
		}, rowschema.Warn, "pieces_apart"},
		{"a tile lost since the live build", func() Input {
			s := grid(10)
			s.Parcels[7].Repairs = kgfile.RepairMissingTile
			return Input{Snapshot: s, Live: grid(10)}
		}, rowschema.Refuse, "tiles_lost"},
		{"the same tile missing as in the live build", func() Input {
			s, live := grid(10), grid(10)
			s.Parcels[7].Repairs, live.Parcels[7].Repairs = kgfile.RepairMissingTile, kgfile.RepairMissingTile
			return Input{Snapshot: s, Live: live}
		}, rowschema.Warn, "missing_tile"},
		{"parcels that shrink at the outline", func() Input {
			s := grid(10)
			s.KG.TotalAreaSqm -= 200
			return Input{Snapshot: s, Live: grid(10)}
		}, rowschema.Refuse, "area_lost"},
		{"address points lost", func() Input {
			s := grid(10)
			s.Buildings = s.Buildings[:50]
			return Input{Snapshot: s, Live: grid(10)}
		}, rowschema.Refuse, "buildings_lost"},
		{"a parcel over its neighbours", func() Input {
			s := grid(10)
			s.Parcels[0].Geometry = rect(0, 0, 4000, 1000)
			return Input{Snapshot: s, Live: grid(10)}
		}, rowschema.Refuse, "coverage_overlap"},
		{"a self-crossing parcel", func() Input {
			s := grid(10)
			s.Parcels[0].Geometry = bowtie
			return Input{Snapshot: s}
		}, rowschema.Refuse, "invalid_geometry"},
		{"forms that differ", func() Input {
			return Input{Snapshot: grid(10), FormsDiffer: errors.New("gpkg: row 3")}
		}, rowschema.Refuse, "forms_differ"},
		{"a register that states more", func() Input { return Input{Snapshot: grid(10), RegisterSqm: 9000} }, rowschema.Warn, "register_area"},
		{"the addresses of the register", func() Input {
			s := grid(10)
			return Input{Snapshot: s, Addresses: registered(s)}
		}, rowschema.Pass, ""},
		{"an address point in a parcel is not served", func() Input {
			s := grid(10)
			in := Input{Snapshot: s, Addresses: registered(s)}
			in.Addresses[7].KG = "" // named or not: a parcel holds it
			s.Buildings = slices.Delete(s.Buildings, 7, 8)
			return in
		}, rowschema.Refuse, "buildings_missing"},
		{"an address point served that the register does not have", func() Input {
			s := grid(10)
			return Input{Snapshot: s, Addresses: registered(s)[1:]}
		}, rowschema.Refuse, "buildings_foreign"},
		{"an address point of elsewhere", func() Input {
			s := grid(10)
			in := Input{Snapshot: s, Addresses: registered(s)}
			in.Addresses[7].KG, in.Addresses[7].At = "99999", middle(50, 50)
			return in
		}, rowschema.Refuse, "buildings_foreign"},
		{"an address point on the wrong parcel", func() Input {
			s := grid(10)
			s.Buildings[7].Parcel = 8
			return Input{Snapshot: s, Addresses: registered(s)}
		}, rowschema.Refuse, "buildings_misplaced"},
		{"an address point in a parcel that is on none", func() Input {
			s := grid(10)
			s.Buildings[7].Parcel = -1
			return Input{Snapshot: s, Addresses: registered(s)}
		}, rowschema.Refuse, "buildings_misplaced"},
		{"address points that name the KG and lie beside it", func() Input {
			s := grid(10)
			in := Input{Snapshot: s, Addresses: registered(s)}
			for i := range 11 {
				in.Addresses[i].At = middle(50, int32(i))
			}
			s.Buildings = s.Buildings[11:]
			return in
		}, rowschema.Warn, "addresses_elsewhere"},
		{"numbers that no parcel can have", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{BadNumbers: 2}}
		}, rowschema.Warn, "bad_numbers"},
		{"areas without a number", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{Unnumbered: 1}}
		}, rowschema.Warn, "unnumbered"},
		{"land use without a code", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{BadCodes: 1}}
		}, rowschema.Warn, "bad_codes"},
		{"an assembly without complaints", func() Input {
			return Input{Snapshot: grid(10), Assembly: &kg.Report{Pieces: 400, Junctions: 3}}
		}, rowschema.Pass, ""},
		{"a label lost", func() Input {
			s := grid(10)
			s.Labels = s.Labels[1:]
			return Input{Snapshot: s}
		}, rowschema.Refuse, "labels_missing"},
		{"an area that its geometry does not have", func() Input {
			s := grid(10)
			s.Parcels[3].AreaSqm *= 1.1
			return Input{Snapshot: s}
		}, rowschema.Refuse, "area_sum"},
		{"a self-crossing footprint", func() Input {
			s := grid(10)
			s.Footprints = []kgfile.Footprint{{N: 1, Geometry: bowtie}}
			return Input{Snapshot: s}
		}, rowschema.Refuse, "invalid_geometry"},
		{"a self-crossing land use", func() Input {
			s := grid(10)
			s.LandUse = []kgfile.LandUseArea{{NS: 48, Geometry: bowtie}}
			return Input{Snapshot: s}
		}, rowschema.Refuse, "invalid_geometry"},
		{"a first build with overlaps", func() Input {
			s := grid(10)
			s.Parcels[0].Geometry, s.Parcels[0].AreaSqm = rect(0, 0, 4000, 1000), 4*cell
			return Input{Snapshot: s}
		}, rowschema.Warn, "coverage_overlap"},
		{"a first build with a hole", func() Input {
			s := grid(10)
			s.Parcels = slices.Delete(s.Parcels, 44, 46)
			s.Build.SourceParcels = 98
			return Input{Snapshot: s}
		}, rowschema.Warn, "coverage_gap"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := KG(tt.make())
			if q.Verdict != tt.want {
				t.Errorf("want %s, got %s: %+v", tt.want, q.Verdict, q.Reasons)
			}
			has := slices.ContainsFunc(q.Reasons, func(r rowschema.Reason) bool { return r.Code == tt.code })
			if tt.code != "" && !has {
				t.Errorf("want reason %s, got %+v", tt.code, q.Reasons)
			}
		})
	}
}

// Areas are rounded to 0.01 m² each: equal parcels all round the same way, and the sum is off by their count.
func TestManySmallEqualParcels(t *testing.T) {
	s := grid(1)
	s.Parcels, s.Buildings, s.Labels = nil, nil, nil
	const w = 211 // 1e-7 degrees: 2.35 by 2.35 m
	for y := range int32(70) {
		for x := range int32(70) {
			m := rect(x*w, y*w, x*w+w, y*w+w)
			s.Parcels = append(s.Parcels, kgfile.Parcel{GNR: austria.GNR(fmt.Sprint(y*70 + x + 1)), Geometry: m,
				AreaSqm: math.Floor(100*m.Area(crs.EqualArea)) / 100})
		}
	}
	s.Outline = rect(0, 0, 70*w, 70*w)
	s.Build.SourceParcels, s.Build.SourceLabels = len(s.Parcels), 0
	kgfile.Quantise(s)
	measured := s.Outline.Area(crs.EqualArea)
	sum := 0.0
	for i := range s.Parcels {
		// The worst that rounding makes of each.
		s.Parcels[i].AreaSqm = math.Round(100*(s.Parcels[i].Geometry.Area(crs.EqualArea)-0.0049)) / 100
		sum += s.Parcels[i].AreaSqm
	}
	if math.Abs(sum-measured) < maxAreaShare*measured+1 {
		t.Fatalf("the test's areas sum to %.2f, measured %.2f", sum, measured)
	}
	if q := KG(Input{Snapshot: s}); q.Verdict != rowschema.Pass {
		t.Errorf("want pass, got %s: %v", q.Verdict, q.Reasons)
	}
}

func TestReportNamesWhatIsLost(t *testing.T) {
	s := grid(10)
	s.Parcels = s.Parcels[1:]
	q := KG(Input{Snapshot: s, Live: grid(10)})
	if want := []string{"01004-1"}; !slices.Equal(q.Live.LostParcels, want) || q.Live.LostCount != 1 {
		t.Errorf("want %v, got %+v", want, q.Live)
	}
	if q.Coverage.GapAt != nil && q.Coverage.GapSqm == 0 {
		t.Error("a gap position without a gap")
	}
}

func BenchmarkCover(b *testing.B) {
	s := grid(140) // 19,600 parcels
	areas := make([]geom.MultiPolygon, len(s.Parcels))
	for i := range s.Parcels {
		areas[i] = s.Parcels[i].Geometry
	}
	for b.Loop() {
		Cover(areas, s.Outline)
	}
}

// The report names repairs as the parcels' column does, all kinds in order.
func TestRepairsAreNamedAsInTheForms(t *testing.T) {
	s := grid(2)
	s.Build.Repairs = []kgfile.RepairCount{{Repair: kgfile.RepairNoLabel, N: 3}, {Repair: kgfile.RepairDegenerate, N: 1}}
	q := KG(Input{Snapshot: s})
	want := map[string]int{rowschema.RepairNames(kgfile.RepairNoLabel): 3, rowschema.RepairNames(kgfile.RepairDegenerate): 1}
	if len(q.Repairs) != len(rowschema.AllRepairs()) {
		t.Errorf("want %d kinds, got %v", len(rowschema.AllRepairs()), q.Repairs)
	}
	for _, r := range q.Repairs {
		if r.N != want[r.Repair] {
			t.Errorf("%s: want %d, got %d", r.Repair, want[r.Repair], r.N)
		}
	}
}
