package spatial

import (
	"context"
	"math"
	"slices"
	"strings"

	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/view"
	"mappe/shared/book/sheet"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
)

// The bounds of the heights of a sheet.
const (
	reliefCells    = 1_000_000 // of a model; a larger parcel is read in the larger cells of overviews
	reliefMostStep = 8.0       // m, of overviews
	reliefDates    = 4         // scans that are looked at of those that reach into the parcel, the newest first
	reliefCovers   = 0.95      // share of a parcel from which a scan covers it
	profilePlaces  = 240
)

// relief are the heights of a parcel in metres above the Adriatic, of one laser scan.
type relief struct {
	date, named       string // of the scan, whom to name for it
	least, mean, most float64
	above             float64 // the highest surface above the ground; NaN where there is no surface model
	known             float64 // share of the parcel that has a height
	partly            bool    // the surface model could not be read
	axis              [2]geom.Point
	length            float64 // m, of the axis
	toward            word    // from where to where the axis runs
	profile           []profilePlace
}

// profilePlace is a place along the axis: metres from its beginning, NaN for heights that are not known.
type profilePlace struct {
	along, ground, surface float64
	inside                 bool // of the parcel
}

// readRelief reads the heights of the parcel in the newest scan that covers it, else in the one that covers most. A generation
// without rasters has a sheet without them; one whose rasters cannot be read too, which is noted.
func (d *sheetData) readRelief(ctx context.Context, v *view.View, shape geom.MultiPolygon) error {
	if len(shape) == 0 {
		return nil
	}
	m, err := mosaic.Open(ctx, v.View)
	if err != nil {
		d.heightsUnread = true
		return ctx.Err()
	}
	around := raster.BoxOf(onplane.Polygons(shape))
	looked := 0
	for i := len(m.Index.Layers) - 1; i >= 0 && looked < reliefDates; i-- {
		l := &m.Index.Layers[i]
		if l.Layer != rasters.DTM {
			continue
		}
		var r *relief
		tiles, err := m.TilesIn(ctx, l, around.Grown(l.Step))
		if err == nil {
			if !slices.ContainsFunc(tiles, func(t rasters.Tile) bool { return t.Covers(around.Grown(l.Step)) }) {
				continue // flown elsewhere
			}
			r, err = reliefOf(ctx, m, l, shape)
		}
		looked++
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			d.heightsUnread = true
			continue
		}
		if r != nil && (d.relief == nil || r.known > d.relief.known) {
			d.relief = r
			d.heightsUnread = d.heightsUnread || r.partly
		}
		if d.relief != nil && d.relief.known >= reliefCovers {
			break
		}
	}
	return nil
}

// reliefOf are the heights of a parcel in the models of a date; nil where none is known.
func reliefOf(ctx context.Context, m *mosaic.Mosaic, dtm *rasters.Layer, shape geom.MultiPolygon) (*relief, error) {
	polygons := onplane.Polygons(shape)
	r := &relief{date: dtm.Date, named: dtm.Attribution, above: math.NaN()}
	ends := r.layAxis(shape)
	around := raster.BoxOf(append(polygons, raster.Polygon{ends[:]})).Grown(2 * dtm.Step)
	step := dtm.Step
	for step < reliefMostStep && (around.East-around.West)*(around.North-around.South)/(step*step) > reliefCells {
		step *= 2
	}
	window := func(l *rasters.Layer) (*raster.Grid, error) {
		bands, err := m.Bands(ctx, l, around.Aligned(step), step)
		if err != nil {
			return nil, err
		}
		return bands[0], nil
	}
	ground, err := window(dtm)
	if err != nil {
		return nil, err
	}
	var surface *raster.Grid
	if dsm := m.Index.Find(rasters.DSM, dtm.Dataset()); dsm != nil {
		if surface, err = window(dsm); err != nil {
			surface, r.partly = nil, true
		}
	}
	cells, known := r.measure(ground, surface, polygons)
	r.walk(ground, surface, shape, ends)
	if cells == 0 {
		known = r.measureAlong()
	}
	if !known {
		return nil, ctx.Err()
	}
	return r, nil
}

// layAxis lays the axis: the middle line of the smallest rotated rectangle around the parcel, from the west to the east.
func (r *relief) layAxis(shape geom.MultiPolygon) (ends [2]raster.XY) {
	angle := shape.SmallestBox(crs.EqualArea).Angle * math.Pi / 180
	if angle > math.Pi/2 {
		angle -= math.Pi
	}
	sin, cos := math.Sincos(angle)
	lowU, highU, lowV, highV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range shape {
		for _, c := range p[0] {
			x, y := crs.EqualArea(c)
			u, v := x*cos+y*sin, y*cos-x*sin
			lowU, highU, lowV, highV = min(lowU, u), max(highU, u), min(lowV, v), max(highV, v)
		}
	}
	v := (lowV + highV) / 2
	for i, u := range []float64{lowU, highU} {
		ends[i] = raster.XY{X: u*cos - v*sin, Y: u*sin + v*cos}
		if p, ok := crs.LAEA.Point(ends[i].X, ends[i].Y); ok {
			r.axis[i] = p
		}
	}
	r.length = crs.Distance(r.axis[0], r.axis[1])
	r.toward = bearingWord(r.axis)
	return ends
}

// bearingWord says between which points of the compass an axis runs.
func bearingWord(axis [2]geom.Point) word {
	scale := crs.ScaleAt(axis[0])
	dx, dy := float64(axis[1].X-axis[0].X)*scale.X, float64(axis[1].Y-axis[0].Y)*scale.Y
	i := int(math.Round(math.Atan2(dy, dx)*180/math.Pi/22.5)) + 4 // 0: towards the south, 4: the east, 8: the north
	return []word{{"N – S", "N – S"}, {"NNW – SSO", "NNW – SSE"}, {"NW – SO", "NW – SE"}, {"WNW – OSO", "WNW – ESE"}, {"W – O", "W – E"},
		{"WSW – ONO", "WSW – ENE"}, {"SW – NO", "SW – NE"}, {"SSW – NNO", "SSW – NNE"}, {"S – N", "S – N"}}[max(0, min(i, 8))]
}

// measure takes the heights of the cells whose middles lie in the parcel, and says how many there are, and whether the height of one
// is known.
func (r *relief) measure(ground, surface *raster.Grid, polygons []raster.Polygon) (cells int, known bool) {
	mask := raster.MaskOf(ground, polygons)
	r.least, r.most = math.Inf(1), math.Inf(-1)
	sum, n := 0.0, 0
	for row := range ground.Rows {
		mask.Each(row, func(from, to int) {
			for col := from; col < to; col++ {
				cells++
				z := float64(ground.Z[row*ground.Cols+col])
				if z != z {
					continue
				}
				n++
				sum += z
				r.least, r.most = min(r.least, z), max(r.most, z)
				if surface == nil {
					continue
				}
				if up := float64(surface.Z[row*ground.Cols+col]) - z; up == up && !(up <= r.above) {
					r.above = up
				}
			}
		})
	}
	if n == 0 {
		return cells, false
	}
	r.mean, r.known = sum/float64(n), float64(n)/float64(cells)
	return cells, true
}

// measureAlong takes the heights of a parcel that holds the middle of no cell at the places of its axis; false where none is known.
func (r *relief) measureAlong() bool {
	sum, n, places := 0.0, 0, 0
	for _, p := range r.profile {
		if !p.inside {
			continue
		}
		places++
		if p.ground != p.ground {
			continue
		}
		n++
		sum += p.ground
		r.least, r.most = min(r.least, p.ground), max(r.most, p.ground)
		if up := p.surface - p.ground; up == up && !(up <= r.above) {
			r.above = up
		}
	}
	if n == 0 {
		return false
	}
	r.mean, r.known = sum/float64(n), float64(n)/float64(places)
	return true
}

// walk takes the heights along the axis.
func (r *relief) walk(ground, surface *raster.Grid, shape geom.MultiPolygon, ends [2]raster.XY) {
	inside := geom.NewIndex(shape)
	for i := range profilePlaces + 1 {
		t := float64(i) / profilePlaces
		x, y := ends[0].X+t*(ends[1].X-ends[0].X), ends[0].Y+t*(ends[1].Y-ends[0].Y)
		at := profilePlace{along: t * r.length, ground: float64(ground.Bilinear(x, y)), surface: math.NaN()}
		if surface != nil {
			at.surface = float64(surface.Bilinear(x, y))
		}
		if p, ok := crs.LAEA.Point(x, y); ok {
			at.inside = inside.Contains(p)
		}
		r.profile = append(r.profile, at)
	}
}

// The profile of a sheet in millimetres: the drawing, and where its axes stand.
const (
	profileWidth, profileHeight = sheet.ColumnWidth, 26.0
	profileLeft, profileRight   = 11.0, 88.0
	profileTop, profileBottom   = 2.5, 21.5
	profileGap                  = 18.0 // room for the words that no heights are known
)

// profileScale is how a profile is drawn: heights from low to high, exaggerated so many times.
type profileScale struct {
	low, high, times float64
	step             float64 // m between two lines
}

// scale fits the heights into the drawing.
func (r *relief) scale() (s profileScale) {
	s.low, s.high = math.Inf(1), math.Inf(-1)
	for _, p := range r.profile {
		for _, z := range []float64{p.ground, p.surface} {
			if z == z {
				s.low, s.high = min(s.low, z), max(s.high, z)
			}
		}
	}
	if s.low > s.high {
		return s
	}
	s.step = 0.5
	for n := 0; (s.high-s.low)/s.step > 4; n++ {
		s.step *= []float64{2, 2.5, 2}[n%3]
	}
	s.low, s.high = math.Floor(s.low/s.step)*s.step, math.Ceil(s.high/s.step)*s.step
	if s.high == s.low {
		s.high += s.step
	}
	s.times = (profileBottom - profileTop) / (s.high - s.low) * r.length / (profileRight - profileLeft)
	return s
}

// draw is the profile as a drawing; nothing where no height of it is known.
func (r *relief) draw(l language) (d sheet.Drawing, ok bool) {
	s := r.scale()
	if s.step == 0 || r.length <= 0 {
		return d, false
	}
	d = sheet.Drawing{Class: "profile", Label: wordProfile.in(l), Width: profileWidth, Height: profileHeight}
	at := func(along, z float64) sheet.XY {
		return sheet.XY{X: hundredth(profileLeft + along/r.length*(profileRight-profileLeft)),
			Y: hundredth(profileBottom - (z-s.low)/(s.high-s.low)*(profileBottom-profileTop))}
	}
	add := func(ink *sheet.Ink, closed bool, lines [][]sheet.XY) {
		d.Shapes = append(d.Shapes, sheet.Shape{Ink: ink, Closed: closed, Lines: lines})
	}
	say := func(ink *sheet.Ink, x, y float64, text string) {
		d.Shapes = append(d.Shapes, sheet.Shape{Ink: ink, Text: text, At: sheet.XY{X: x, Y: hundredth(y)}})
	}
	for z := s.low; z <= s.high+s.step/2; z += s.step {
		add(inkGrid, false, [][]sheet.XY{{at(0, z), at(r.length, z)}})
		say(inkLevel, profileLeft-1, at(0, z).Y+0.9, l.figure(z, heightDecimals(s.step), ""))
	}
	add(inkEarth, true, band(r.profile, at, s.low))
	add(inkSeen, false, track(r.profile, at, func(p profilePlace) float64 { return p.surface }))
	add(inkGround, false, track(r.profile, at, func(p profilePlace) float64 { return p.ground }))
	for _, run := range r.runs(func(p profilePlace) bool { return p.inside }) {
		add(inkWithin, false, [][]sheet.XY{{at(run[0], s.low), at(run[1], s.low)}})
	}
	for _, run := range r.runs(func(p profilePlace) bool { return p.ground != p.ground }) {
		from, to := at(run[0], s.low).X, at(run[1], s.low).X
		if to-from >= profileGap {
			for i, part := range wordsNotKnown {
				say(inkNumber, hundredth((from+to)/2), (profileTop+profileBottom)/2+3.2*float64(i), part.in(l))
			}
		}
	}
	say(inkNumber, profileLeft, profileBottom+3.5, "0")
	say(inkNumber, profileRight-3, profileBottom+3.5, l.figure(r.length, 0, "m"))
	return d, true
}

// heightDecimals are those of heights that lie a step apart.
func heightDecimals(step float64) int {
	if step != math.Trunc(step) {
		return 1
	}
	return 0
}

// track is a line along a profile, broken where nothing is known.
func track(list []profilePlace, at func(along, z float64) sheet.XY, height func(profilePlace) float64) (lines [][]sheet.XY) {
	broken := true
	for _, p := range list {
		z := height(p)
		if z != z {
			broken = true
			continue
		}
		if broken {
			lines, broken = append(lines, nil), false
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], at(p.along, z))
	}
	return lines
}

// band is the earth below the ground.
func band(list []profilePlace, at func(along, z float64) sheet.XY, low float64) (rings [][]sheet.XY) {
	for i := 0; i < len(list); i++ {
		if list[i].ground != list[i].ground {
			continue
		}
		ring := []sheet.XY{at(list[i].along, low)}
		for ; i < len(list) && list[i].ground == list[i].ground; i++ {
			ring = append(ring, at(list[i].along, list[i].ground))
		}
		rings = append(rings, append(ring, at(list[i-1].along, low)))
	}
	return rings
}

// runs are the stretches of the axis whose places are of a kind.
func (r *relief) runs(of func(profilePlace) bool) (runs [][2]float64) {
	before := false
	for _, p := range r.profile {
		is := of(p)
		switch {
		case is && before:
			runs[len(runs)-1][1] = p.along
		case is:
			runs = append(runs, [2]float64{p.along, p.along})
		}
		before = is
	}
	return runs
}

// heights tell the heights and draw the profile; where no heights are known one line says so.
func (d *sheetData) heights(l language) sheet.Section {
	r := d.relief
	switch {
	case r == nil && d.heightsUnread:
		return sheet.Section{Soft: []string{wordHeightsUnread.in(l)}}
	case r == nil:
		return sheet.Section{Soft: []string{wordNoHeights.in(l)}}
	}
	facts := []string{wordGround.in(l) + " " + l.figure(r.least, 1, "") + " – " + l.figure(r.most, 1, "m") + ", " +
		wordMean.in(l) + " " + l.figure(r.mean, 1, "m")}
	if r.above == r.above {
		facts = append(facts, wordAbove.in(l)+" "+l.figure(max(0, r.above), 1, "m"))
	}
	if r.known < reliefCovers {
		facts = append(facts, wordKnown.in(l)+" "+l.figure(100*r.known, 0, "%"))
	}
	s := sheet.Section{Title: wordHeights.in(l), Lines: []string{strings.Join(facts, "; ") + "."}}
	if drawing, ok := r.draw(l); ok {
		times := strings.Replace(wordTimes.in(l), "%s", l.figure(r.scale().times, 1, ""), 1)
		s.Figure = &sheet.Figure{Drawing: drawing, Caption: wordProfile.in(l) + " (" + r.toward.in(l) + "), " + times + " " +
			wordProfileKey.in(l)}
		if len(r.runs(func(p profilePlace) bool { return p.ground != p.ground })) > 0 {
			s.Figure.Caption += " " + wordGap.in(l)
		}
	}
	return s
}
