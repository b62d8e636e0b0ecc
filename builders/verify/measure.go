package verify

import (
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// Longest lists of a report.
const (
	maxIDs     = 100
	maxInvalid = 20
)

// coverage measures the parcels against the exterior of their own outline: a hole in the union of the
// parcels is a gap until something else is known to fill it.
func coverage(s *kgfile.Snapshot) rowschema.Coverage {
	areas := make([]geom.MultiPolygon, len(s.Parcels))
	for i := range s.Parcels {
		areas[i] = s.Parcels[i].Geometry
	}
	var exterior geom.MultiPolygon
	for _, p := range s.Outline {
		if len(p) > 0 {
			exterior = append(exterior, p[:1])
		}
	}
	c := Cover(areas, exterior)
	return rowschema.Coverage{
		OutlineSqm: round(c.OutlineSqm), GapSqm: round(c.GapSqm), OverlapSqm: round(c.OverlapSqm), OutsideSqm: round(c.OutsideSqm),
		GapAt: position(c.WorstGap), OverlapAt: position(c.WorstOverlap),
	}
}

func position(p geom.Point) *rowschema.LonLat {
	if p == (geom.Point{}) {
		return nil
	}
	return &rowschema.LonLat{Lon: p.Lon(), Lat: p.Lat()}
}

func validity(s *kgfile.Snapshot) rowschema.Validity {
	v := rowschema.Validity{Which: []string{}}
	check := func(id string, m geom.MultiPolygon) {
		if len(m) == 0 {
			return // kept without area: counted among the repairs
		}
		v.Checked++
		if fault := m.Validate(); fault != nil {
			v.Invalid++
			if len(v.Which) < maxInvalid {
				v.Which = append(v.Which, id+": "+fault.Error())
			}
		}
	}
	for i := range s.Parcels {
		check(austria.ParcelID{KG: s.KG.Code, GNR: s.Parcels[i].GNR}.String(), s.Parcels[i].Geometry)
	}
	for i := range s.LandUse {
		check(fmt.Sprintf("land use %d", i), s.LandUse[i].Geometry)
	}
	for i := range s.Footprints {
		check(austria.FootprintID{KG: s.KG.Code, N: s.Footprints[i].N}.String(), s.Footprints[i].Geometry)
	}
	check("outline", s.Outline)
	return v
}

// inexact lists the parcels whose drawing could not be kept.
func inexact(in Input) []rowschema.Inexact {
	out := []rowschema.Inexact{}
	if in.Assembly == nil {
		return out
	}
	for _, p := range in.Assembly.Inexact[:min(len(in.Assembly.Inexact), maxIDs)] {
		out = append(out, rowschema.Inexact{Parcel: austria.ParcelID{KG: in.Snapshot.KG.Code, GNR: p.GNR}.String(),
			DrawnSqm: round(p.DrawnSqm), Sqm: round(p.Sqm)})
	}
	return out
}

// repairs counts the parcels of every kind of repair, in the order of the kinds.
func repairs(s *kgfile.Snapshot) []rowschema.RepairCount {
	all := rowschema.AllRepairs()
	out := make([]rowschema.RepairCount, len(all))
	for i, r := range all {
		out[i].Repair = rowschema.RepairNames(r)
		for _, c := range s.Build.Repairs {
			if c.Repair == r {
				out[i].N = c.N
			}
		}
	}
	return out
}

func area(in Input) rowschema.AreaCheck {
	a := rowschema.AreaCheck{DrawnSqm: round(in.Snapshot.KG.TotalAreaSqm)}
	if in.RegisterSqm > 0 {
		register := round(in.RegisterSqm)
		diff := math.Round((in.Snapshot.KG.TotalAreaSqm-in.RegisterSqm)/in.RegisterSqm*1e6) / 1e4
		a.RegisterSqm, a.DiffPercent = &register, &diff
	}
	return a
}

func addresses(s *kgfile.Snapshot) rowschema.AddressJoin {
	j := rowschema.AddressJoin{Points: len(s.Buildings)}
	for i := range s.Buildings {
		if s.Buildings[i].Parcel >= 0 {
			j.Joined++
		} else {
			j.Outside++
		}
	}
	return j
}

func compare(in Input) *rowschema.LiveCheck {
	if in.Live == nil {
		return nil
	}
	now := map[austria.GNR]bool{}
	for i := range in.Snapshot.Parcels {
		now[in.Snapshot.Parcels[i].GNR] = true
	}
	var lost []austria.GNR
	for i := range in.Live.Parcels {
		if g := in.Live.Parcels[i].GNR; !now[g] {
			lost = append(lost, g)
		}
	}
	return &rowschema.LiveCheck{
		Snapshot: name(in.Live), Parcels: len(in.Live.Parcels),
		LostParcels: ids(in.Live.KG.Code, lost), LostCount: len(lost),
		AreaChangeSqm:  round(in.Snapshot.KG.TotalAreaSqm - in.Live.KG.TotalAreaSqm),
		BuildingsDelta: len(in.Snapshot.Buildings) - len(in.Live.Buildings),
	}
}

// name is the public name of a snapshot.
func name(s *kgfile.Snapshot) string {
	return keys.Snapshot{Code: s.KG.Code, Date: s.Build.Stichtag}.Name()
}

// ids are the parcel ids of numbers, rising, at most maxIDs, never nil.
func ids(kg austria.KGCode, numbers []austria.GNR) []string {
	out := make([]string, len(numbers))
	for i, g := range numbers {
		out[i] = austria.ParcelID{KG: kg, GNR: g}.String()
	}
	slices.Sort(out)
	return out[:min(len(out), maxIDs)]
}

// labels counts the distinct numbers among the labels.
func labels(s *kgfile.Snapshot) int {
	seen := map[austria.GNR]bool{}
	for i := range s.Labels {
		seen[s.Labels[i].GNR] = true
	}
	return len(seen)
}

func round(sqm float64) float64 { return math.Round(sqm*100) / 100 }
