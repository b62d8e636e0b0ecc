package ne

import (
	"math"
	"slices"

	"mappe/artefacts/ne"
)

// lu is the row of a cell for a KG whose parcels cover own of it.
func (s *sums) lu(h *hexagon, own int64) ne.LURow {
	whole := h.whole2
	r := ne.LURow{Cell: h.cell, KGShare: ne.Share(own, whole), Cov: ne.Share(s.covered, whole), StrCover: ne.Share(s.built, whole),
		StrN: uint16(min(s.footprints, math.MaxUint16)), NUnits: uint8(min(s.units, math.MaxUint8)), GK: ne.Share(s.surveyed, s.covered)}
	use, land := s.use, int64(0)
	for _, a := range use {
		land += a
	}
	if land > whole+whole/510 { // half a unit: sums of rounded areas are not exact
		r.Flags |= ne.Normalised
	}
	r.Land = ne.Share(land, whole)
	r.Use = apportion(use, land, r.Land)
	if land == 0 {
		r.Flags |= ne.DeclaredUnknown
	}
	// 1 ha is 1e10 mm², whole is twice the area in mm², length is in µm: metres by hectare are length/1e6 / (whole/2e10).
	r.EdgeMHa = uint16(min((s.length*20_000*2+whole)/(2*whole), math.MaxUint16))
	r.OrientCoh, r.OrientAxis2 = s.orientation()
	return r
}

// apportion shares total out by largest remainder, ties to the class that comes first: the shares sum to it.
func apportion(parts [9]int64, sum int64, total uint8) (out [9]uint8) {
	if sum <= 0 {
		return out
	}
	var rest [9]int64
	left := int64(total)
	for i, a := range parts {
		n := a * int64(total)
		out[i] = uint8(n / sum)
		rest[i] = n % sum
		left -= n / sum
	}
	for ; left > 0; left-- {
		most := 0
		for i := range rest {
			if rest[i] > rest[most] {
				most = i
			}
		}
		out[most]++
		rest[most] = -1
	}
	return out
}

// orientation is the mean of the doubled directions of boundaries: its length and its axis.
func (s *sums) orientation() (coh, axis2 uint8) {
	if s.length == 0 {
		return ne.None8, ne.None8
	}
	n, e := float64(s.north), float64(s.east)
	mean := math.Sqrt(float64(n*n)+float64(e*e)) / float64(s.length)
	axis := math.Atan2(e, n) * (90 / math.Pi) // half the angle, in degrees, -90 to 90
	if axis < 0 {
		axis += 180
	}
	return uint8(min(math.Floor(254*mean+0.5), 254)), uint8(int(math.Floor(axis/2+0.5)) % 90)
}

// minUnits is how many parcels a K row speaks of at least, and its outer percentiles.
const (
	minUnits   = 5
	minSpreads = 10
)

// k is the row of a cell of resolution 10; false where too few parcels touch it.
func (u *unitSums) k(h *hexagon) (ne.KRow, bool) {
	n := len(u.units)
	if n < minUnits {
		return ne.KRow{}, false
	}
	slices.Sort(u.units)
	slices.Sort(u.built)
	r := ne.KRow{Cell: h.cell, NUnits: uint16(min(n, math.MaxUint16)), P50: ne.Midpoint(percentile(u.units, 50)),
		RegN: uint16(min(len(u.folios), math.MaxUint16)), UnitsPerReg10: ne.None8, StrN: uint16(min(len(u.built), math.MaxUint16)),
		StrP50: ne.None16}
	if n >= minSpreads {
		r.P10, r.P90 = ne.Midpoint(percentile(u.units, 10)), ne.Midpoint(percentile(u.units, 90))
	}
	if f := len(u.folios); f > 0 {
		r.UnitsPerReg10 = uint8(min((20*n+f)/(2*f), 254))
	}
	if len(u.built) > 0 {
		r.StrP50 = uint16(min(math.Floor(percentile(u.built, 50)+0.5), math.MaxUint16-1))
	}
	return r, true
}

// percentile of rising values is the one of rank ceil(p n / 100).
func percentile(v []float64, p int) float64 { return v[(len(v)*p+99)/100-1] }
