package kg

import (
	"cmp"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// Drawn is a parcel that a source draws whole.
type Drawn struct {
	GNR      austria.GNR
	EZ       austria.EZ
	Status   austria.Status
	Geometry geom.MultiPolygon
	Symbols  []kgfile.CodeCount // rising code; nil where the source does not say
}

// FromDrawn makes the snapshot of a KG of which a source draws the parcels whole and nothing else: an earlier epoch.
// It has no buildings, footprints and land-use shapes. Of parcels of one number the first counts. What is computed
// from the shapes is computed as Assemble does; build says what the source is.
func FromDrawn(of kgfile.KG, drawn []Drawn, build kgfile.Build) *kgfile.Snapshot {
	s := &kgfile.Snapshot{KG: of, Build: build}
	box := geom.EmptyBox
	for i := range drawn {
		box = box.Union(drawn[i].Geometry.Bounds())
	}
	plane := crs.Around(box.Center())
	seen := map[austria.GNR]bool{}
	for i := range drawn {
		d := &drawn[i]
		if seen[d.GNR] {
			continue
		}
		seen[d.GNR] = true
		m, mended := sound(d.Geometry.Normalise())
		row := kgfile.Parcel{GNR: d.GNR, EZ: d.EZ, Status: d.Status, Geometry: m, SymbolCounts: d.Symbols}
		if mended {
			row.Repairs = kgfile.RepairSelfCrossing
		}
		if len(m) == 0 {
			row.Repairs |= kgfile.RepairDegenerate
			row.Centroid, row.Inside = d.Geometry.Bounds().Center(), d.Geometry.Bounds().Center()
		} else {
			row.AreaSqm = m.Area(crs.EqualArea)
			row.Centroid, _ = m.Centroid()
			row.Inside, _ = m.Inside()
		}
		row.VertexCount = m.Vertices()
		row.Compactness, row.Elongation = formOf(m, plane.Project)
		row.Shape = parcelShape(row.Compactness, row.Elongation, row.VertexCount)
		row.DominantLandUse = dominant(nil, row.SymbolCounts)
		s.Parcels = append(s.Parcels, row)
	}
	slices.SortFunc(s.Parcels, func(a, b kgfile.Parcel) int {
		return cmp.Or(cmp.Compare(packtree.Hilbert(a.Inside, box), packtree.Hilbert(b.Inside, box)), cmp.Compare(a.GNR, b.GNR))
	})
	s.KG.Box = box
	for i := range s.Parcels {
		s.Outline = append(s.Outline, s.Parcels[i].Geometry...)
	}
	if whole, err := geom.Dissolve([]geom.MultiPolygon{s.Outline}, 0); err == nil {
		s.Outline = whole
	}
	s.Folios = kgfile.Folios(s.Parcels)
	measure(s)
	s.Build.Repairs = countRepairs(s.Parcels)
	s.Build.SourceParcels = len(s.Parcels)
	kgfile.Quantise(s)
	s.Folios = kgfile.Folios(s.Parcels)
	return s
}
