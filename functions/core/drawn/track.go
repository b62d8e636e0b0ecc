package drawn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/web/fault"
)

// A recorded track whose ends lie so near each other goes around an area: in metres, or as a share of its length.
const (
	trackGap      = 25.0
	trackGapShare = 0.02
)

// maxBuffered bounds the points and the stretches of tracks that are grown: each becomes a polygon that is united with
// the others.
const maxBuffered = 1000

// closed is the ring of a track whose ends lie near each other, and the gap in metres; open says why it is none.
func closed(track []geom.Point) (ring geom.Ring, gap float64, open string) {
	n := len(track)
	length := 0.0
	for i := 1; i < n; i++ {
		length += crs.Distance(track[i-1], track[i])
	}
	gap = crs.Distance(track[0], track[n-1])
	if n < 3 || gap > max(trackGap, trackGapShare*length) {
		return nil, gap, fmt.Sprintf("the ends of the track lie %.0f m apart", gap)
	}
	if ring = opened(track); ring.Clean() == nil { // a walk there and back, or a receiver that was not moved
		return nil, gap, "the track encloses no area"
	}
	return ring, gap, ""
}

// grown is a track with the buffer of a point on either side: a capsule around each stretch.
func grown(track []geom.Point) []geom.MultiPolygon {
	var out []geom.MultiPolygon
	for i := 1; i < len(track); i++ {
		if track[i] != track[i-1] {
			out = append(out, capsule(track[i-1], track[i], pointRadius))
		}
	}
	if len(out) == 0 {
		out = append(out, circle(track[0]))
	}
	return out
}

// corners are the corners of a circle.
const corners = 32

// circle is a polygon around a point.
func circle(p geom.Point) geom.MultiPolygon { return capsule(p, p, pointRadius) }

// capsule is a polygon of what lies within some metres of a stretch.
func capsule(a, b geom.Point, radius float64) geom.MultiPolygon {
	ax, ay := crs.EqualArea(a)
	bx, by := crs.EqualArea(b)
	along := math.Atan2(by-ay, bx-ax)
	if a == b {
		along = math.Pi / 2
	}
	var r geom.Ring
	for i := range corners {
		x, y := bx, by
		if i > corners/2 {
			x, y = ax, ay
		}
		sin, cos := math.Sincos(along - math.Pi/2 + 2*math.Pi*float64(i)/corners)
		if q, ok := crs.LAEA.Point(x+radius*cos, y+radius*sin); ok {
			r = append(r, q)
		}
		if i == corners/2 && a != b { // the other end begins where this one ends
			if q, ok := crs.LAEA.Point(ax+radius*cos, ay+radius*sin); ok {
				r = append(r, q)
			}
		}
	}
	if a != b {
		sin, cos := math.Sincos(along - math.Pi/2)
		if q, ok := crs.LAEA.Point(ax+radius*cos, ay+radius*sin); ok {
			r = append(r, q)
		}
	}
	return geom.MultiPolygon{{r}}.Normalise()
}

// Grown is what lies within some metres of polygons, lines and points, as polygons: corners become arcs of 16 stretches. A
// geometry of more than 1,000 stretches is a fault.
func Grown(ctx context.Context, m geom.MultiPolygon, paths [][]geom.Point, metres float64) (geom.MultiPolygon, error) {
	parts := []geom.MultiPolygon{}
	if len(m) > 0 {
		parts = append(parts, m)
	}
	stretch := func(a, b geom.Point) { parts = append(parts, capsule(a, b, metres)) }
	for _, p := range m {
		for _, r := range p {
			for i, a := range r {
				stretch(a, r[(i+1)%len(r)])
			}
		}
	}
	for _, l := range paths {
		if len(l) == 1 {
			stretch(l[0], l[0])
		}
		for i := 1; i < len(l); i++ {
			stretch(l[i-1], l[i])
		}
	}
	if len(parts) > maxBuffered+1 {
		return nil, fault.New(fault.TooLarge, "the geometry has %d stretches: at most %d are grown by a buffer", len(parts)-1, maxBuffered)
	}
	grown, err := together(ctx, parts)
	if errors.Is(err, geom.ErrTooComplex) {
		return nil, fault.BadValue(member, "stretches that cross each other too often", "a simpler geometry")
	}
	return grown, err
}

// trackParts are the area of a recorded track.
func (a *Area) trackParts(track []geom.Point, feature int) ([]geom.MultiPolygon, error) {
	ring, gap, open := closed(track)
	if open != "" {
		if len(track) > maxBuffered {
			return nil, fault.New(fault.TooLarge, "feature %d is an open track of %d positions: at most %d are given %d m on either side",
				feature, len(track), maxBuffered, pointRadius)
		}
		a.warn("feature %d: %s: it is a line with %d m on either side", feature, open, TrackBuffer)
		return grown(track), nil
	}
	if gap > 0 {
		a.warn("%s", closedOver(feature, gap))
	}
	m, err := a.repair(geom.MultiPolygon{{ring}}, nil, feature)
	return []geom.MultiPolygon{m}, err
}

func closedOver(feature int, gap float64) string {
	return fmt.Sprintf("feature %d: the track is closed over a gap of %.1f m", feature, gap)
}

// CloseTracks makes polygons of the recorded tracks whose ends lie near each other. The warnings say so, and what is left a line;
// open says whether any is. feature is the number of the feature in its file.
func (f *Feature) CloseTracks(feature int) (warnings []string, open bool) {
	if !f.recorded {
		return nil, false
	}
	var lines [][]geom.Point
	for _, l := range f.Lines {
		ring, gap, why := closed(l)
		if why != "" {
			lines = append(lines, l)
			warnings = append(warnings, fmt.Sprintf("feature %d: %s: it is a line, grown by buffer (%d m where none is given)",
				feature, why, TrackBuffer))
			continue
		}
		if gap > 0 {
			warnings = append(warnings, closedOver(feature, gap))
		}
		if f.parts == nil { // several tracks are united, as the geometries of a collection are
			f.parts = []int{0}
		}
		if len(f.Polygons) > 0 {
			f.parts = append(f.parts, len(f.Polygons))
		}
		f.Polygons = append(f.Polygons, geom.Polygon{ring})
	}
	f.Lines = lines
	return warnings, len(lines) > 0
}

// warn notes a sentence.
func (a *Area) warn(format string, args ...any) {
	if len(a.Warnings) < maxWarnings {
		a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...))
	}
}
