package webpage

import (
	"strconv"
	"strings"
)

// rootPoints is the size of letters that browsers begin with: 16 pixels.
const rootPoints = 12

// sizeNames are the sizes that have names.
var sizeNames = map[string]float64{
	"xx-small": 0.6, "x-small": 0.75, "small": 0.89, "medium": 1, "large": 1.2, "x-large": 1.5, "xx-large": 2, "xxx-large": 3,
}

// sizeElements are elements that change the size by themselves. Headings are read as headings.
var sizeElements = map[string]float64{"big": 1.2, "small": 0.83}

// fontSize reads a size of letters: against those around, or in points.
func fontSize(v string) (size, points float64) {
	if n, ok := sizeNames[v]; ok {
		return 0, n * rootPoints
	}
	switch v {
	case "larger":
		return 1.2, 0
	case "smaller":
		return 1 / 1.2, 0
	}
	for _, u := range []struct {
		unit      string
		size, abs float64
	}{{"rem", 0, rootPoints}, {"em", 1, 0}, {"%", 0.01, 0}, {"pt", 0, 1}, {"px", 0, 0.75}, {"pc", 0, 12}, {"mm", 0, 72 / 25.4}, {"cm", 0,
		72 / 2.54}, {"in", 0, 72}} {
		if digits, ok := strings.CutSuffix(v, u.unit); ok {
			if n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64); err == nil && n > 0 && n < 1000 {
				return n * u.size, n * u.abs
			}
			break
		}
	}
	return 0, 0
}

// letters is the size of an element's letters, in points, where those around it have a size; 0 around is
// the root.
func (l look) letters(element string, around float64) float64 {
	if around == 0 {
		around = rootPoints
	}
	switch {
	case l.points != 0:
		return l.points
	case l.size != 0:
		return min(max(around*l.size, 0.1), 1000)
	}
	if s, ok := sizeElements[element]; ok {
		return min(max(around*s, 0.1), 1000)
	}
	return around
}
