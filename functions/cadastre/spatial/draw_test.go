package spatial

import (
	"fmt"
	"math"
	"strings"

	"mappe/shared/geo/geom"
)

// disc is a polygon of n vertices in the middle of a box.
func disc(box geom.Box, n int) string {
	x, y := (float64(box.MinX)+float64(box.MaxX))/2, (float64(box.MinY)+float64(box.MaxY))/2
	rx, ry := (float64(box.MaxX)-float64(box.MinX))/4, (float64(box.MaxY)-float64(box.MinY))/4
	var s strings.Builder
	s.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		d := 1 + 50/float64(n)*float64(i%2)/100
		fmt.Fprintf(&s, "[%.7f,%.7f],", (x+d*rx*math.Cos(a))/geom.Scale, (y+d*ry*math.Sin(a))/geom.Scale)
	}
	fmt.Fprintf(&s, "[%.7f,%.7f]]]}", (x+rx)/geom.Scale, y/geom.Scale)
	return s.String()
}
