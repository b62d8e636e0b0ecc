package verify

import (
	"math"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/geo/geom"
)

// fields is a KG of n × n parcels of 100 units of latitude and longitude times a thousand: about 75 by
// 111 metres each.
func fields(n int32) *kgfile.Snapshot {
	s := grid(n)
	const u = 10
	s.KG.TotalAreaSqm = 0
	for i := range s.Parcels {
		x, y := int32(i)%n*1000*u, int32(i)/n*1000*u
		s.Parcels[i].Geometry = rect(x, y, x+1000*u, y+1000*u)
		s.Parcels[i].AreaSqm = round(1e6 * u * u * sqmPerUnit((473000000+float64(y)+500*u)/geom.Scale))
		s.KG.TotalAreaSqm += s.Parcels[i].AreaSqm
	}
	s.Outline = rect(0, 0, n*1000*u, n*1000*u)
	return s
}

func TestGivenOutline(t *testing.T) {
	const side = 16 * 10_000
	tests := []struct {
		name          string
		outline       geom.MultiPolygon
		spoil         func(*kgfile.Snapshot)
		want          rowschema.Verdict
		code          string
		missing, over float64 // parcels' worth
	}{
		{"as the parcels", rect(0, 0, side, side), nil, rowschema.Pass, "", 0, 0},
		{"coarsely drawn", rect(3000, -2000, side+3000, side-2000), nil, rowschema.Pass, "", 0, 0},
		{"without a quarter", rect(0, 0, side, side), func(s *kgfile.Snapshot) {
			s.Parcels = slices.DeleteFunc(s.Parcels, func(p kgfile.Parcel) bool {
				b := p.Geometry.Bounds()
				return b.MinX >= 132000000+side/2 && b.MinY >= 473000000+side/2
			})
			s.Build.SourceParcels, s.Outline = len(s.Parcels), nil
		}, rowschema.Refuse, "outline_gap", 64 - 16*0.67 - 16*0.45/2 - 1, 0},
		{"of a smaller KG", rect(0, 0, side/2, side), nil, rowschema.Warn, "outline_beyond", 0, 128 - 16*0.67},
		{"of another KG", rect(2*side, 0, 3*side, side), nil, rowschema.Refuse, "outline_missed", 256 - 4*16*0.56, 256},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fields(16)
			if tt.spoil != nil {
				tt.spoil(s)
				s.Outline = tt.outline
			}
			q := KG(Input{Snapshot: s, Outline: tt.outline})
			if tt.name == "without a quarter" {
				q.Reasons = slices.DeleteFunc(q.Reasons, func(r rowschema.Reason) bool { return r.Code == "coverage_gap" })
			}
			if q.Verdict != tt.want || (tt.code == "") != (len(q.Reasons) == 0) || tt.code != "" && q.Reasons[0].Code != tt.code {
				t.Errorf("want %s %s, got %s: %+v", tt.want, tt.code, q.Verdict, q.Reasons)
			}
			one := s.KG.TotalAreaSqm / 256
			if math.Abs(q.Given.MissingSqm/one-tt.missing) > 8 || math.Abs(q.Given.BeyondSqm/one-tt.over) > 8 {
				t.Errorf("want %.0f and %.0f parcels missing and beyond, got %.1f and %.1f", tt.missing, tt.over, q.Given.MissingSqm/one,
					q.Given.BeyondSqm/one)
			}
			if (q.Given.MissingSqm > 0) != (q.Given.MissingAt != nil) || (q.Given.BeyondSqm > 0) != (q.Given.BeyondAt != nil) {
				t.Error("a place without an area, or an area without a place")
			}
		})
	}
	if q := KG(Input{Snapshot: fields(4)}); q.Given != nil {
		t.Error("without an outline there is nothing to hold the parcels against")
	}
}

// A hole that reaches the border of the KG is refused where the live build has none, however small a share
// of the area it is.
func TestAHoleAtTheBorder(t *testing.T) {
	const side = 40 * 10_000
	outline := rect(0, 0, side, side)
	holed := func() *kgfile.Snapshot { // without the third to the seventh parcel of the lowest row: 0.3 % of 1600
		s := fields(40)
		s.Parcels = slices.Delete(s.Parcels, 2, 7)
		s.Build.SourceParcels, s.Outline = len(s.Parcels), geom.MultiPolygon{{{
			{X: 132000000, Y: 473000000}, {X: 132020000, Y: 473000000}, {X: 132020000, Y: 473010000}, {X: 132070000, Y: 473010000},
			{X: 132070000, Y: 473000000}, {X: 132000000 + side, Y: 473000000}, {X: 132000000 + side, Y: 473000000 + side},
			{X: 132000000, Y: 473000000 + side},
		}}}
		s.KG.TotalAreaSqm *= 1595.0 / 1600
		return s
	}
	for _, tt := range []struct {
		name         string
		live         *kgfile.Snapshot
		losses, gaps bool
		want         rowschema.Verdict
	}{
		{"a first build", nil, false, false, rowschema.Refuse},
		{"a first build, losses accepted", nil, true, false, rowschema.Refuse},
		{"a first build, gaps accepted", nil, false, true, rowschema.Warn},
		{"the live one is whole", fields(40), false, false, rowschema.Refuse},
		{"the live one is whole, losses accepted", fields(40), true, false, rowschema.Warn},
		{"the live one is whole, gaps accepted", fields(40), false, true, rowschema.Refuse},
		{"the live one has it too", holed(), false, false, rowschema.Warn},
	} {
		q := KG(Input{Snapshot: holed(), Outline: outline, Live: tt.live, AcceptLosses: tt.losses, AcceptGaps: tt.gaps})
		if len(q.Reasons) != 1 || q.Reasons[0].Code != "outline_gap" || q.Verdict != tt.want {
			t.Errorf("%s: want %s for an outline_gap alone, got %s: %+v", tt.name, tt.want, q.Verdict, q.Reasons)
		}
	}
}

func BenchmarkGiven(b *testing.B) {
	s := fields(140)
	for b.Loop() {
		given(rect(2000, 2000, 1402000, 1402000), s)
	}
}
