package docx

import (
	"math"
	"strconv"
	"strings"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/exif"
	"mappe/shared/book/reader/xmlpart"
)

// drawn is a picture as Word shows it. What it is turned by besides quarters is told and not set.
type drawn struct {
	manuscript.Figure
	height float64 // millimetres, before it is turned, as the width
	pose   exif.Pose
	angle  int // degrees clockwise, where they are no quarters
}

// posed reads how a picture of DrawingML is cut, mirrored and turned.
func (d drawn) posed(e xmlpart.El) drawn {
	if r := e.Path(pic, "blipFill").Child(a, "srcRect"); r.Ok() {
		side := func(name string) int { return share(r.Attr(none, name), 1) }
		d.pose.Left, d.pose.Top, d.pose.Right, d.pose.Bottom = side("l"), side("t"), side("r"), side("b")
	}
	x := e.Child(pic, "spPr").Child(a, "xfrm")
	if !x.Ok() {
		return d
	}
	on := func(name string) bool { v := x.Attr(none, name); return v == "1" || v == "true" }
	d.pose.Mirror, d.pose.Flip = on("flipH"), on("flipV")
	if rot, err := strconv.ParseFloat(x.Attr(none, "rot"), 64); err == nil {
		d.pose.Quarters, d.angle = exif.Quarters(rot / 60_000)
	}
	if cy := emus(x.Child(a, "ext"), "cy"); cy > 0 {
		d.height = cy
	}
	if d.pose.Quarters%2 == 1 {
		d.WidthMM = d.height
	}
	return d
}

// emus is a length of DrawingML in millimetres, 0 where it says none.
func emus(e xmlpart.El, name string) float64 {
	n, err := strconv.ParseFloat(e.Attr(none, name), 64)
	if err != nil || !(n > 0 && n < 36e6) {
		return 0
	}
	return n / 36000
}

// share is a part of a side: hundred-thousandths, or per cent as strict files write them. Pictures that are set
// in a wider frame are cut by less than nothing; that frame is not set.
func share(s string, unit float64) int {
	if per, ok := strings.CutSuffix(s, "%"); ok {
		s, unit = per, exif.Whole/100
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(n > 0) {
		return 0
	}
	return int(math.Round(min(n*unit, exif.Whole)))
}

// styled reads the style of a VML shape: its width, and how it is turned and mirrored.
func (d *drawn) styled(style string) {
	d.WidthMM, d.height, d.pose, d.angle = 0, 0, exif.Pose{}, 0
	for _, one := range strings.Split(style, ";") {
		k, val, _ := strings.Cut(one, ":")
		val = strings.TrimSpace(val)
		switch strings.TrimSpace(k) {
		case "width":
			d.WidthMM = length(val)
		case "height":
			d.height = length(val)
		case "flip":
			d.pose.Mirror, d.pose.Flip = strings.Contains(val, "x"), strings.Contains(val, "y")
		case "rotation":
			unit := 1.0
			if fd, ok := strings.CutSuffix(val, "fd"); ok {
				val, unit = fd, 65536
			}
			if n, err := strconv.ParseFloat(val, 64); err == nil {
				d.pose.Quarters, d.angle = exif.Quarters(n / unit)
			}
		}
	}
	if d.pose.Quarters%2 == 1 {
		d.WidthMM = d.height
	}
}

// cropped reads what a VML picture is cut by: shares, or 65536ths of the whole.
func (d *drawn) cropped(e xmlpart.El) {
	side := func(name string) int {
		s, unit := e.Attr(none, name), float64(exif.Whole)
		if f, ok := strings.CutSuffix(s, "f"); ok {
			s, unit = f, unit/65536
		}
		return share(s, unit)
	}
	d.pose.Left, d.pose.Top, d.pose.Right, d.pose.Bottom = side("cropleft"), side("croptop"), side("cropright"), side("cropbottom")
}

// length is a length of VML in millimetres, 0 where it says none.
func length(s string) float64 {
	for _, u := range []struct {
		name string
		mm   float64
	}{{"pt", 25.4 / 72}, {"in", 25.4}, {"cm", 10}, {"mm", 1}, {"px", 25.4 / 96}} {
		if num, ok := strings.CutSuffix(s, u.name); ok {
			if n, err := strconv.ParseFloat(strings.TrimSpace(num), 64); err == nil && n > 0 && n*u.mm < 1000 {
				return n * u.mm
			}
		}
	}
	return 0
}
