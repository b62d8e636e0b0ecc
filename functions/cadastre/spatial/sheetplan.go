package spatial

import (
	"context"
	"html"
	"math"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// The plan of a sheet in millimetres, and the part of it that a parcel may fill.
const (
	planWidth, planHeight = 170.0, 68.0
	planFill              = 0.72
	// maxDrawn bounds the parcels and the footprints of a plan, maxDrawnVertices their vertices.
	maxDrawn         = 2000
	maxDrawnVertices = 60_000
)

// planScales are the scales of plans, as surveyors use them.
var planScales = []int{100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 25_000, 50_000, 100_000, 200_000}

// plan is a drawing of a parcel with what lies around it: north is up, at a scale when it is printed in its size.
type plan struct {
	svg   string
	scale int // 1:scale
	bar   int // metres of the scale bar
}

// planner draws a plan.
type planner struct {
	strings.Builder
	plane    crs.Plane
	x0, y0   float64 // middle of the plan in metres
	mm       float64 // of the plan a metre
	drawn    int
	vertices int
	labels   strings.Builder
}

// drawPlan draws the parcel, which is a row of the file of its KG, once its heights are read. KGs around that cannot be read are noted.
func (s *sheetData) drawPlan(ctx context.Context, v *view.View, f *kgfile.File, row int) error {
	shape := f.ParcelGeometry(row)
	d := &planner{plane: planeOf(shape)}
	scale := d.fit(shape)
	box := d.ground()
	files, err := s.filesIn(ctx, v, f, box)
	if err != nil {
		return err
	}
	for i, at := range files {
		own := -1
		if i == 0 {
			own = row
		}
		if err := d.neighbours(at, box, own); err != nil {
			return err
		}
	}
	d.path("own", shape)
	for _, at := range files {
		if err := d.houses(at, box); err != nil {
			return err
		}
	}
	d.path("edge", shape)
	if s.relief != nil {
		d.axisPath(s.relief.axis)
	}
	d.label("mine", s.p.Inside, string(s.p.GNR))
	d.WriteString(d.labels.String())
	bar := d.furniture()
	name := html.EscapeString(string(s.p.GNR)) + ", 1:" + strconv.Itoa(scale)
	s.plan = plan{`<svg viewBox="0 0 170 68" role="img" aria-label="` + name + `">` + d.String() + "</svg>", scale, bar}
	return nil
}

// filesIn are the files of the KGs that a box meets, the parcel's own first. One that cannot be read is noted and left out.
func (s *sheetData) filesIn(ctx context.Context, v *view.View, own *kgfile.File, box geom.Box) ([]*kgfile.File, error) {
	files := []*kgfile.File{own}
	for _, other := range v.KGsNear(box) {
		if other == s.id.KG {
			continue
		}
		at, err := v.Read(ctx, other, &s.gaps)
		if err != nil {
			return nil, err
		}
		if at != nil {
			files = append(files, at)
		}
	}
	return files, nil
}

// fit chooses the largest scale at which the parcel leaves room around it.
func (d *planner) fit(shape geom.MultiPolygon) int {
	minX, minY, maxX, maxY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range shape {
		for _, c := range p[0] {
			x, y := d.plane.Project(c)
			minX, maxX, minY, maxY = min(minX, x), max(maxX, x), min(minY, y), max(maxY, y)
		}
	}
	d.x0, d.y0 = (minX+maxX)/2, (minY+maxY)/2
	for _, scale := range planScales {
		d.mm = 1000 / float64(scale)
		if (maxX-minX)*d.mm <= planWidth*planFill && (maxY-minY)*d.mm <= planHeight*planFill {
			return scale
		}
	}
	return planScales[len(planScales)-1]
}

// ground is the box that the plan shows.
func (d *planner) ground() geom.Box {
	dx, dy := planWidth/2/d.mm, planHeight/2/d.mm
	var b geom.Box
	first := true
	for _, c := range [][2]float64{{-dx, -dy}, {dx, -dy}, {dx, dy}, {-dx, dy}} {
		if p, ok := d.plane.Point(d.x0+c[0], d.y0+c[1]); ok {
			one := geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}
			if first {
				b, first = one, false
			}
			b = b.Union(one)
		}
	}
	return b
}

// at is a point on the plan in millimetres from its upper left corner.
func (d *planner) at(p geom.Point) (x, y float64) {
	x, y = d.plane.Project(p)
	return planWidth/2 + (x-d.x0)*d.mm, planHeight/2 - (y-d.y0)*d.mm
}

func millimetres(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// path draws polygons; false where the bounds are reached.
func (d *planner) path(class string, m geom.MultiPolygon) bool {
	if d.drawn++; d.drawn > maxDrawn || d.vertices > maxDrawnVertices {
		if class == "house" || class == "other" {
			return false
		}
	}
	d.WriteString(`<path class="` + class + `" fill-rule="evenodd" d="`)
	for _, p := range m {
		for _, r := range p {
			d.vertices += len(r)
			for i, c := range r {
				x, y := d.at(c)
				step := "L"
				if i == 0 {
					step = "M"
				}
				d.WriteString(step + millimetres(x) + " " + millimetres(y))
			}
			d.WriteString("Z")
		}
	}
	d.WriteString(`"/>`)
	return true
}

// neighbours draws the parcels of a KG that the box meets, but for the row of the parcel itself.
func (d *planner) neighbours(f *kgfile.File, box geom.Box, own int) error {
	parcels, err := f.Parcels()
	if err != nil {
		return err
	}
	f.InBox(box, func(i int) bool {
		if i == own {
			return true
		}
		if !d.path("other", f.ParcelGeometry(i)) {
			return false
		}
		if math.Sqrt(parcels[i].AreaSqm)*d.mm >= 9 { // millimetres: room for a number
			d.label("", parcels[i].Inside, string(parcels[i].GNR))
		}
		return true
	})
	return nil
}

// houses draws the footprints of a KG that the box meets.
func (d *planner) houses(f *kgfile.File, box geom.Box) error {
	footprints, err := f.Footprints()
	if err != nil {
		return err
	}
	return f.FootprintsInBox(box, func(i int) bool { return d.path("house", footprints[i].Geometry) })
}

func (d *planner) label(class string, p geom.Point, text string) {
	x, y := d.at(p)
	if x < 4 || y < 4 || x > planWidth-4 || y > planHeight-3 {
		return
	}
	attribute := ""
	if class != "" {
		attribute = ` class="` + class + `"`
	}
	d.labels.WriteString(`<text` + attribute + ` x="` + millimetres(x) + `" y="` + millimetres(y+1) + `">` + html.EscapeString(text) +
		"</text>")
}

// furniture draws the scale bar and the arrow to the north, and gives the metres of the bar.
func (d *planner) furniture() int {
	metres := 1
	for n := 1; n <= 100_000; n *= 10 {
		for _, step := range []int{1, 2, 5} {
			if float64(n*step)*d.mm <= 45 {
				metres = n * step
			}
		}
	}
	w := float64(metres) * d.mm
	const x, y = 5.0, planHeight - 6
	d.WriteString(`<rect class="halo" x="2" y="56" width="` + millimetres(w+14) + `" height="10"/>`)
	for i, class := range []string{"dark", "light", "dark", "light"} {
		d.WriteString(`<rect class="bar ` + class + `" x="` + millimetres(x+float64(i)*w/4) + `" y="62" width="` + millimetres(w/4) +
			`" height="1.6"/>`)
	}
	text := func(at float64, s string) {
		d.WriteString(`<text x="` + millimetres(at) + `" y="` + millimetres(y-1.2) + `">` + s + `</text>`)
	}
	text(x, "0")
	text(x+w, strconv.Itoa(metres)+" m")
	d.WriteString(`<rect class="halo" x="158" y="2" width="10" height="15"/>` +
		`<path class="dark" d="M163 7L160.6 14L163 12.4L165.4 14Z"/><text x="163" y="6">N</text>`)
	return metres
}

func planeOf(shape geom.MultiPolygon) crs.Plane { return crs.Around(shape.Bounds().Center()) }
