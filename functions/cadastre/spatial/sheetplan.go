package spatial

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"mappe/artefacts/kgfile"
	"mappe/functions/core/view"
	"mappe/shared/book/sheet"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

// The plan of a sheet in millimetres, and the part of it that a parcel may fill.
const (
	planWidth, planHeight = sheet.TextWidth, 60.0
	planFill              = 0.72
	// maxDrawn bounds the parcels and the footprints of a plan, maxDrawnVertices their vertices.
	maxDrawn         = 2000
	maxDrawnVertices = 60_000
)

// planScales are the scales of plans, as surveyors use them.
var planScales = []int{100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 25_000, 50_000, 100_000, 200_000}

// plan is a drawing of a parcel with what lies around it: north is up, at a scale when it is printed in its size.
type plan struct {
	shapes []sheet.Shape
	scale  int // 1:scale
	bar    int // metres of the scale bar
}

// planner draws a plan.
type planner struct {
	shapes   []sheet.Shape
	plane    crs.Plane
	x0, y0   float64 // middle of the plan in metres
	mm       float64 // of the plan a metre
	drawn    int
	vertices int
	numbers  []planNumber
	taken    []area // of the plan, where no number stands
}

// planNumber is the number of a parcel that may be written.
type planNumber struct {
	at   sheet.XY
	text string
	sqm  float64
}

// area is a rectangle of a plan.
type area struct{ left, top, right, bottom float64 }

func (a area) meets(b area) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
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
	d.path(inkOwn, shape)
	for _, at := range files {
		if err := d.houses(at, box); err != nil {
			return err
		}
	}
	d.path(inkEdge, shape)
	if s.relief != nil {
		d.line(inkAxis, d.at(s.relief.axis[0]), d.at(s.relief.axis[1]))
	}
	bar := d.furniture()
	d.write(inkMine, d.at(s.p.Inside), string(s.p.GNR))
	d.writeNumbers()
	s.plan = plan{d.shapes, scale, bar}
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
func (d *planner) at(p geom.Point) sheet.XY {
	x, y := d.plane.Project(p)
	return sheet.XY{X: hundredth(planWidth/2 + (x-d.x0)*d.mm), Y: hundredth(planHeight/2 - (y-d.y0)*d.mm)}
}

// hundredth rounds millimetres to what is drawn.
func hundredth(v float64) float64 { return math.Round(v*100) / 100 }

// path draws polygons; false where the bounds are reached, which the parcel itself does not mind.
func (d *planner) path(ink *sheet.Ink, m geom.MultiPolygon) bool {
	if d.drawn++; (d.drawn > maxDrawn || d.vertices > maxDrawnVertices) && (ink == inkHouse || ink == inkOther) {
		return false
	}
	shape := sheet.Shape{Ink: ink, Closed: true}
	for _, p := range m {
		for _, r := range p {
			d.vertices += len(r)
			ring := make([]sheet.XY, len(r))
			for i, c := range r {
				ring[i] = d.at(c)
			}
			shape.Lines = append(shape.Lines, ring)
		}
	}
	d.shapes = append(d.shapes, shape)
	return true
}

func (d *planner) line(ink *sheet.Ink, a, b sheet.XY) {
	d.shapes = append(d.shapes, sheet.Shape{Ink: ink, Lines: [][]sheet.XY{{a, b}}})
}

// ring draws an area between corners.
func (d *planner) ring(ink *sheet.Ink, corners ...sheet.XY) {
	d.shapes = append(d.shapes, sheet.Shape{Ink: ink, Closed: true, Lines: [][]sheet.XY{corners}})
}

func (d *planner) rectangle(ink *sheet.Ink, a area) {
	d.ring(ink, sheet.XY{X: a.left, Y: a.top}, sheet.XY{X: a.right, Y: a.top}, sheet.XY{X: a.right, Y: a.bottom},
		sheet.XY{X: a.left, Y: a.bottom})
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
		if !d.path(inkOther, f.ParcelGeometry(i)) {
			return false
		}
		if math.Sqrt(parcels[i].AreaSqm)*d.mm >= 9 { // millimetres: room for a number
			d.numbers = append(d.numbers, planNumber{d.at(parcels[i].Inside), string(parcels[i].GNR), parcels[i].AreaSqm})
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
	return f.FootprintsInBox(box, func(i int) bool { return d.path(inkHouse, footprints[i].Geometry) })
}

// writeNumbers writes the numbers of the neighbours, that of the largest first; one that would lie over another is left out.
func (d *planner) writeNumbers() {
	slices.SortStableFunc(d.numbers, func(a, b planNumber) int { return cmp.Compare(b.sqm, a.sqm) })
	for _, n := range d.numbers {
		d.write(inkNumber, n.at, n.text)
	}
}

// write writes a number around a place, where nothing else stands and the plan has room.
func (d *planner) write(ink *sheet.Ink, at sheet.XY, text string) {
	half := float64(utf8.RuneCountInString(text)) * ink.Size * 0.31 // figures are about 0.6 em wide in all faces
	a := area{at.X - half, at.Y - ink.Size/2, at.X + half, at.Y + ink.Size/2}
	if a.left < 1 || a.top < 1 || a.right > planWidth-1 || a.bottom > planHeight-1 ||
		slices.ContainsFunc(d.taken, a.meets) {
		return
	}
	d.taken = append(d.taken, area{a.left - 0.5, a.top - 0.3, a.right + 0.5, a.bottom + 0.3})
	d.shapes = append(d.shapes, sheet.Shape{Ink: ink, Text: text, At: sheet.XY{X: at.X, Y: hundredth(at.Y + ink.Size*0.36)}})
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
	const x, y = 5.0, planHeight - 4
	bar := area{2, planHeight - 11, x + w + 11, planHeight - 2}
	d.rectangle(inkHalo, bar)
	for i, ink := range []*sheet.Ink{inkDark, inkLight, inkDark, inkLight} {
		d.rectangle(ink, area{hundredth(x + float64(i)*w/4), y - 1.6, hundredth(x + float64(i+1)*w/4), y})
	}
	say := func(x, y float64, text string) {
		d.shapes = append(d.shapes, sheet.Shape{Ink: inkNumber, Text: text, At: sheet.XY{X: hundredth(x), Y: y}})
	}
	say(x, y-2.8, "0")
	say(x+w, y-2.8, strconv.Itoa(metres)+" m")
	const east = planWidth - 7 // where the arrow stands
	north := area{east - 5, 2, east + 5, 16}
	d.rectangle(inkHalo, north)
	d.ring(inkDark, sheet.XY{X: east, Y: 7}, sheet.XY{X: east - 2.4, Y: 14}, sheet.XY{X: east, Y: 12.4}, sheet.XY{X: east + 2.4, Y: 14})
	say(east, 6, "N")
	d.taken = append(d.taken, bar, north)
	return metres
}

func planeOf(shape geom.MultiPolygon) crs.Plane { return crs.Around(shape.Bounds().Center()) }
