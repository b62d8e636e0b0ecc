package kg

import (
	"cmp"
	"maps"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// useRows splits the shapes into footprints (code 41) and land-use areas, each in Hilbert order, and
// books their areas on the parcels.
func useRows(uses []use, parcels []kgfile.Parcel, box geom.Box) ([]kgfile.Footprint, []kgfile.LandUseArea) {
	keys := make([]uint32, len(uses))
	order := make([]int, len(uses))
	for i := range uses {
		keys[i], order[i] = packtree.Hilbert(uses[i].inside, box), i
	}
	slices.SortFunc(order, func(a, b int) int {
		u, v := &uses[a], &uses[b]
		return cmp.Or(cmp.Compare(keys[a], keys[b]), u.inside.Compare(v.inside), cmp.Compare(u.code, v.code), cmp.Compare(u.sqm, v.sqm),
			cmp.Compare(a, b))
	})
	plane := crs.Around(box.Center())
	var feet []kgfile.Footprint
	var areas []kgfile.LandUseArea
	booked := make([]map[austria.LandUse]float64, len(parcels))
	for _, i := range order {
		u := &uses[i]
		for _, s := range u.shares {
			if booked[s.parcel] == nil {
				booked[s.parcel] = map[austria.LandUse]float64{}
			}
			booked[s.parcel][u.code] += s.sqm
		}
		if u.code == austria.LandUseBuilding {
			for _, s := range u.shares {
				parcels[s.parcel].BuildingAreaSqm += s.sqm
			}
		}
		if !u.listed {
			continue
		}
		if u.code != austria.LandUseBuilding {
			areas = append(areas, kgfile.LandUseArea{NS: u.code, Geometry: u.geometry, AreaSqm: u.sqm, Inside: u.inside})
			continue
		}
		f := footprint(u, plane.Project)
		f.N = uint32(len(feet) + 1)
		if f.Parcel >= 0 {
			parcels[f.Parcel].FootprintCount++
		}
		feet = append(feet, f)
	}
	for i, m := range booked {
		p := &parcels[i]
		for _, code := range slices.Sorted(maps.Keys(m)) {
			// Land-use shapes that lie over each other must not make a code larger than its parcel.
			p.UseAreas = append(p.UseAreas, kgfile.CodeArea{Code: code, Sqm: min(m[code], p.AreaSqm)})
		}
		p.BuildingAreaSqm = min(p.BuildingAreaSqm, p.AreaSqm)
		if p.AreaSqm > 0 {
			p.FAR = p.BuildingAreaSqm / p.AreaSqm
		}
	}
	return feet, areas
}

func footprint(u *use, to geom.Projection) kgfile.Footprint {
	f := kgfile.Footprint{
		Parcel: -1, Geometry: u.geometry, AreaSqm: u.sqm, PerimeterM: u.perimeter, VertexCount: u.geometry.Vertices(),
		Size: footprintSize(u.sqm), Shape: footprintShape(u.geometry, u.sqm, to), NS: u.code, Inside: u.inside,
	}
	f.Centroid, _ = u.geometry.Centroid()
	f.Compactness, f.Elongation = formOf(u.geometry, to)
	most := 0.0
	for _, s := range u.shares {
		if s.sqm > most {
			f.Parcel, most = s.parcel, s.sqm
		}
	}
	return f
}
