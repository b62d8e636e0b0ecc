package region

import "mappe/shared/geo/geom"

// Origin is the position the plane was made at.
func (l *Plane) Origin() geom.Point { return l.at }

// At says whether the position lies in the feature or on its border: whether ToFeature is 0. It
// measures only the edges whose box holds the position.
func (l *Plane) At(m geom.MultiPolygon) bool {
	if m.Contains(l.at) {
		return true
	}
	x, y := l.at.X, l.at.Y
	for _, p := range m {
		for _, r := range p {
			if len(r) == 0 {
				continue
			}
			a := r[len(r)-1]
			for _, b := range r {
				if (a.Y <= y || b.Y <= y) && (a.Y >= y || b.Y >= y) && (a.X <= x || b.X <= x) && (a.X >= x || b.X >= x) &&
					l.toSegment(a, b) == 0 {
					return true
				}
				a = b
			}
		}
	}
	return false
}
