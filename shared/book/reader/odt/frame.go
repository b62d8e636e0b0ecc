package odt

import (
	"math"
	"strconv"
	"strings"

	"mappe/shared/book/reader/exif"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// frame is how the style of a frame shows its picture.
type frame struct {
	mirror, flip bool
	clip         [4]float64 // millimetres at top, right, bottom and left, of the picture in its own size
}

func readFrame(e xmlpart.El) frame {
	var f frame
	for _, way := range strings.Fields(e.Attr(style, "mirror")) {
		f.mirror = f.mirror || way == "horizontal"
		f.flip = f.flip || way == "vertical"
	}
	if inside, ok := strings.CutPrefix(e.Attr(fo, "clip"), "rect("); ok {
		sides := strings.FieldsFunc(strings.TrimSuffix(inside, ")"), func(c rune) bool { return c == ' ' || c == ',' })
		for i := range min(len(sides), len(f.clip)) {
			f.clip[i] = millimetres(sides[i])
		}
	}
	return f
}

// pose is how a frame shows its picture, of which load gives the bytes; angle is what it is turned by besides
// quarters, in degrees clockwise.
func (f frame) pose(transform string, load func() ([]byte, error)) (p exif.Pose, angle int) {
	p.Mirror, p.Flip = f.mirror, f.flip
	if f.clip != [4]float64{} {
		if b, err := load(); err == nil {
			if width, height := source.Millimetres(b); width > 0 && height > 0 {
				part := func(cut, whole float64) int { return int(math.Round(min(cut/whole, 1) * exif.Whole)) }
				p.Top, p.Right, p.Bottom, p.Left = part(f.clip[0], height), part(f.clip[1], width), part(f.clip[2], height),
					part(f.clip[3], width)
			}
		}
	}
	p.Quarters, angle = exif.Quarters(turned(transform))
	return p, angle
}

// turned is the angle of "rotate (1.57) translate (...)" in degrees clockwise; the file counts in radians, against
// the clock.
func turned(transform string) float64 {
	_, rest, _ := strings.Cut(transform, "rotate")
	inside, _, ok := strings.Cut(strings.TrimLeft(rest, " ("), ")")
	if !ok {
		return 0
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(inside), 64)
	if err != nil {
		return 0
	}
	return -n * 180 / math.Pi
}
