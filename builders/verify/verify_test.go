package verify

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// grid is a KG of n × n square parcels that fill their outline.
func grid(n int32) *kgfile.Snapshot {
	s := &kgfile.Snapshot{KG: kgfile.KG{Code: "01004", Name: "Probe"}, Build: kgfile.Build{Stichtag: "2026-10-01"}}
	for y := range n {
		for x := range n {
			s.Parcels = append(s.Parcels, kgfile.Parcel{GNR: austria.GNR(fmt.Sprint(y*n + x + 1)), Geometry: rect(x*1000, y*1000, x*1000+1000, y*1000+1000), AreaSqm: 70})
			s.Buildings = append(s.Buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: uint64(y*n + x)}, Parcel: y*n + x})
		}
	}
	s.Outline = rect(0, 0, n*1000, n*1000)
	s.KG.TotalAreaSqm = 70 * float64(n*n)
	s.Build.SourceParcels = len(s.Parcels)
	return s
}

func TestVerdict(t *testing.T) {
	bowtie := geom.MultiPolygon{{{{X: 132000000, Y: 473000000}, {X: 132001000, Y: 473001000}, {X: 132001000, Y: 473000000}, {X: 132000000, Y: 473001000}}}}
	tests := []struct {
		name string
		make func() Input
		want kgdocs.Verdict
		code string
	}{
		{"a first build", func() Input { return Input{Snapshot: grid(10)} }, kgdocs.Pass, ""},
		{"the same again", func() Input { return Input{Snapshot: grid(10), Live: grid(10)} }, kgdocs.Pass, ""},
		{"a parcel of the source is not served", func() Input {
			s := grid(10)
			s.Build.SourceParcels = 101
			return Input{Snapshot: s}
		}, kgdocs.Refuse, "parcels_missing"},
		{"an empty build", func() Input { return Input{Snapshot: grid(0)} }, kgdocs.Refuse, "no_parcels"},
		{"a hole where three parcels were", func() Input {
			s := grid(10)
			s.Parcels = s.Parcels[3:]
			s.Build.SourceParcels = 97
			return Input{Snapshot: s, Live: grid(10)}
		}, kgdocs.Refuse, "coverage_gap"},
		{"ten parcels lost", func() Input {
			s := grid(10)
			s.Parcels = s.Parcels[10:]
			s.Outline = rect(0, 1000, 10000, 10000)
			s.Build.SourceParcels = 90
			return Input{Snapshot: s, Live: grid(10)}
		}, kgdocs.Refuse, "parcels_lost"},
		{"ten parcels lost, and accepted", func() Input {
			s := grid(10)
			s.Parcels = s.Parcels[10:]
			s.Outline = rect(0, 1000, 10000, 10000)
			s.Build.SourceParcels = 90
			return Input{Snapshot: s, Live: grid(10), AcceptLosses: true}
		}, kgdocs.Warn, "parcels_lost"},
		{"a first build with a missing tile", func() Input {
			s := grid(10)
			s.Parcels[7].Repairs = kgfile.RepairMissingTile
			return Input{Snapshot: s}
		}, kgdocs.Warn, "missing_tile"},
		{"a tile lost since the live build", func() Input {
			s := grid(10)
			s.Parcels[7].Repairs = kgfile.RepairMissingTile
			return Input{Snapshot: s, Live: grid(10)}
		}, kgdocs.Refuse, "tiles_lost"},
		{"the same tile missing as in the live build", func() Input {
			s, live := grid(10), grid(10)
			s.Parcels[7].Repairs, live.Parcels[7].Repairs = kgfile.RepairMissingTile, kgfile.RepairMissingTile
			return Input{Snapshot: s, Live: live}
		}, kgdocs.Warn, "missing_tile"},
		{"parcels that shrink at the outline", func() Input {
			s := grid(10)
			s.KG.TotalAreaSqm -= 150
			return Input{Snapshot: s, Live: grid(10)}
		}, kgdocs.Refuse, "area_lost"},
		{"address points lost", func() Input {
			s := grid(10)
			s.Buildings = s.Buildings[:50]
			return Input{Snapshot: s, Live: grid(10)}
		}, kgdocs.Refuse, "buildings_lost"},
		{"a parcel over its neighbours", func() Input {
			s := grid(10)
			s.Parcels[0].Geometry = rect(0, 0, 4000, 1000)
			return Input{Snapshot: s, Live: grid(10)}
		}, kgdocs.Refuse, "coverage_overlap"},
		{"a self-crossing parcel", func() Input {
			s := grid(10)
			s.Parcels[0].Geometry = bowtie
			return Input{Snapshot: s}
		}, kgdocs.Refuse, "invalid_geometry"},
		{"forms that differ", func() Input {
			return Input{Snapshot: grid(10), FormsDiffer: errors.New("gpkg: row 3")}
		}, kgdocs.Refuse, "forms_differ"},
		{"a register that states more", func() Input { return Input{Snapshot: grid(10), RegisterSqm: 8000} }, kgdocs.Warn, "register_area"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := KG(tt.make())
			if q.Verdict != tt.want {
				t.Errorf("want %s, got %s: %+v", tt.want, q.Verdict, q.Reasons)
			}
			has := slices.ContainsFunc(q.Reasons, func(r kgdocs.Reason) bool { return r.Code == tt.code })
			if tt.code != "" && !has {
				t.Errorf("want reason %s, got %+v", tt.code, q.Reasons)
			}
		})
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
	want := map[string]int{kgdocs.RepairNames(kgfile.RepairNoLabel): 3, kgdocs.RepairNames(kgfile.RepairDegenerate): 1}
	if len(q.Repairs) != len(kgdocs.AllRepairs()) {
		t.Errorf("want %d kinds, got %v", len(kgdocs.AllRepairs()), q.Repairs)
	}
	for _, r := range q.Repairs {
		if r.N != want[r.Repair] {
			t.Errorf("%s: want %d, got %d", r.Repair, want[r.Repair], r.N)
		}
	}
}
