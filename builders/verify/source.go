package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// addressCheck is what the address register says against the build.
type addressCheck struct {
	count rowschema.AddressCount
	named int
	// Rows at fault, the first of each for the message.
	missing, foreign, misplaced []austria.BuildingID
}

// buildings counts the register's points by itself: those that a parcel holds must be served on such a
// parcel, those that only name the KG may be, and no other may.
func buildings(in Input) addressCheck {
	s := in.Snapshot
	c := addressCheck{count: rowschema.AddressCount{Served: len(s.Buildings)}}
	if in.Addresses == nil {
		return c
	}
	served := make(map[austria.BuildingID]int32, len(s.Buildings))
	for i := range s.Buildings {
		served[s.Buildings[i].ID] = s.Buildings[i].Parcel
	}
	holds := holder(s.Parcels)
	source := map[austria.BuildingID]bool{}
	for _, a := range slices.SortedFunc(slices.Values(in.Addresses), byID) {
		on, names := holds(a.At), a.KG == s.KG.Code
		if !names && on == nil || source[a.ID] {
			continue
		}
		source[a.ID] = true
		if names {
			c.named++
		}
		parcel, ok := served[a.ID]
		switch {
		case !ok && on == nil:
			c.count.Elsewhere++
		case !ok:
			c.missing = append(c.missing, a.ID)
		case on == nil && parcel >= 0, on != nil && !slices.Contains(on, parcel):
			c.misplaced = append(c.misplaced, a.ID)
		}
	}
	for i := range s.Buildings {
		if id := s.Buildings[i].ID; !source[id] {
			c.foreign = append(c.foreign, id)
		}
	}
	n := len(source)
	c.count.Source = &n
	return c
}

func byID(a, b kg.Address) int {
	return cmp.Or(cmp.Compare(a.ID.ADRCD, b.ID.ADRCD), cmp.Compare(a.ID.SUBCD, b.ID.SUBCD), a.At.Compare(b.At))
}

// holder gives the parcels that hold a point.
func holder(p []kgfile.Parcel) func(geom.Point) []int32 {
	boxes := make([]geom.Box, len(p))
	for i := range p {
		boxes[i] = p[i].Geometry.Bounds()
	}
	tree := packtree.Pack(boxes)
	return func(at geom.Point) (on []int32) {
		if at == (geom.Point{}) {
			return nil // without a position
		}
		tree.Search(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}, func(i int) bool {
			if p[i].Geometry.Contains(at) {
				on = append(on, int32(i))
			}
			return true
		})
		return on
	}
}

func (c *addressCheck) judge(say func(rowschema.Verdict, string, string, ...any)) {
	if n := len(c.missing); n > 0 {
		say(rowschema.Refuse, "buildings_missing", "%d address points lie in parcels of the KG and are not in the build, the first is %s",
			n, c.missing[0])
	}
	if n := len(c.foreign); n > 0 {
		say(rowschema.Refuse, "buildings_foreign", "%d address points of the build are not the register's for this KG, the first is %s", n,
			c.foreign[0])
	}
	if n := len(c.misplaced); n > 0 {
		say(rowschema.Refuse, "buildings_misplaced", "%d address points are booked on a parcel that does not hold them, the first is %s", n,
			c.misplaced[0])
	}
	if n := c.count.Elsewhere; n > max(fewLost, int(maxElsewhereShare*float64(c.named))) {
		say(rowschema.Warn, "addresses_elsewhere", "%d of %d address points that name the KG lie in no parcel of it", n, c.named)
	}
}

// judgeArea holds the areas of the rows against what their geometries measure, and the whole against the
// outline the source draws.
func judgeArea(q *rowschema.Quality, in Input, say func(rowschema.Verdict, string, string, ...any)) {
	sum := 0.0
	for i := range in.Snapshot.Parcels {
		if a := in.Snapshot.Parcels[i].AreaSqm; !math.IsNaN(a) {
			sum += a
		}
	}
	measured := q.Coverage.OutlineSqm - q.Coverage.GapSqm + q.Coverage.OutsideSqm + q.Coverage.OverlapSqm
	if off := math.Abs(sum - measured); off > maxAreaShare*measured+1+roundedSqm*float64(len(in.Snapshot.Parcels)) {
		say(rowschema.Refuse, "area_sum", "the parcels' areas sum to %.0f m², their geometries measure %.0f m²", sum, measured)
	}
	g := q.Given
	if g == nil {
		return
	}
	slack := max(maxWorseSqm, maxWorseShare*g.OutlineSqm)
	switch {
	case g.CoveredSqm < minCovered*g.OutlineSqm && g.OutlineSqm > smallOutline:
		v := rowschema.Refuse
		if in.AcceptLosses {
			v = rowschema.Warn
		}
		say(v, "outline_missed", "parcels fill %.0f of the %.0f m² of the KG's outline, at least %.0f %% are expected: they may be another KG's, or tiles are missing", g.CoveredSqm, g.OutlineSqm, 100*minCovered)
	case g.MissingSqm > slack:
		v, live := rowschema.Warn, ""
		if in.Live == nil && !in.AcceptGaps {
			v = rowschema.Refuse
		} else if in.Live != nil {
			// A hole at the border of the KG is not a hole within the parcels' own outline: judgeLive does not see it.
			was := given(in.Outline, in.Live).MissingSqm
			live = fmt.Sprintf(" (%.0f m² in the live build)", was)
			if g.MissingSqm > was+slack && !in.AcceptLosses {
				v = rowschema.Refuse
			}
		}
		say(v, "outline_gap", "%.0f m² of the KG's outline, more than %.0f m from its border, are in no parcel%s: a tile may be missing",
			g.MissingSqm, g.DepthM, live)
	}
	if g.BeyondSqm > slack {
		say(rowschema.Warn, "outline_beyond", "%.0f m² of the parcels lie more than %.0f m outside the KG's outline", g.BeyondSqm, g.DepthM)
	}
}

// smallOutline is the area in m² up to which an outline may lie wholly beside its KG.
const smallOutline = 16 * register.CoarseM * register.CoarseM
