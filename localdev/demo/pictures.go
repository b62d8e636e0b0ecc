package demo

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"

	"mappe/artefacts/cog"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/scene"
	"mappe/localdev/demo/world"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
)

// What is seen from above in the square of the laser scans: orthophotos in the survey office's strip, and what satellites
// saw of it, each cell by the land use, the trees and the roofs that stand there.

// look is what a kind of ground looks like.
type look struct {
	colour    [4]float64 // red, green, blue, near infrared in full green
	ndvi      float64    // mean of the year
	amplitude float64    // of its course over the year, greenest in July
	vv, vh    float64    // radar backscatter in dB
	cover     uint8      // class of land cover
}

// looks are those of land-use classes; the last two are crowns and roofs.
var looks = map[austria.LandUseClass]look{
	austria.ClassBuilding: {[4]float64{150, 140, 140, 140}, 0.1, 0.03, -5, -13, 50}, austria.ClassBuiltUp: {[4]float64{118, 128, 95,
		150}, 0.45, 0.15, -8, -15, 50},
	austria.ClassArable: {[4]float64{110, 132, 66, 178}, 0.45, 0.34, -11, -17, 40}, austria.ClassGrass: {[4]float64{98, 124, 72,
		165}, 0.6, 0.18, -12, -18.5, 30},
	austria.ClassForest: {[4]float64{84, 98, 66, 140}, 0.5, 0.15, -11, -17, 30}, austria.ClassWater: {[4]float64{42, 58, 66, 26},
		-0.2, 0.03, -21, -29, 80},
	austria.ClassTraffic: {[4]float64{124, 124, 127, 118}, 0.08, 0.02, -15, -23, 50}, austria.ClassAlpine: {[4]float64{105, 122, 78,
		155}, 0.5, 0.2, -12, -18.5, 30},
	austria.ClassOther: {[4]float64{150, 145, 132, 140}, 0.15, 0.05, -12, -20, 60},
}

var (
	crownLook = look{[4]float64{46, 72, 46, 118}, 0.76, 0.05, -8.6, -14.2, 10}
	roofLook  = look{[4]float64{158, 98, 78, 118}, 0.08, 0.02, -4, -12, 50}
)

// withered is what plants look like without green.
var withered = [4]float64{128, 116, 88, 128}

// at is the colour where grass and crops are so green.
func (l *look) at(green float64) [4]float64 {
	out := l.colour
	if l.amplitude > 0.1 {
		for band, v := range out {
			out[band] = withered[band] + green*(v-withered[band])
		}
	}
	return out
}

// flight is a series of orthophotos.
type flight struct {
	date    string
	scan    int     // the laser scan that shows the same
	green   float64 // of grass and crops
	southUp bool
}

// flights are the series of orthophotos, and what was different then.
var flights = []flight{{"20220128", 0, 0.3, true}, {"20221027", 0, 0.6, false}, {"20240625", 1, 1, false}, {"20250415", 1, 0.8, false}}

// pictures writes what is seen of the square at the dates of the scans.
func (o *output) pictures(w *world.World, square raster.Box, trees []tree) error {
	seen := [2][]*look{}
	for i, s := range scans {
		seen[i] = looksOf(w, square, trees, s)
	}
	for n, f := range flights {
		if err := o.flight(square, seen[f.scan], f, uint64(n)); err != nil {
			return err
		}
	}
	for i, s := range scans {
		if err := o.satellites(square, seen[i], s.date[:4], uint64(i)); err != nil {
			return err
		}
	}
	if err := o.losses(square, seen); err != nil {
		return err
	}
	credits := map[string]map[string]string{}
	for _, layer := range []string{"ndvi", "sar", "landcover", "forest"} {
		credits[layer] = map[string]string{"attribution": Attribution, "license": "CC BY 4.0",
			"license_url": "https://creativecommons.org/licenses/by/4.0/"}
	}
	b, err := json.Marshal(credits)
	if err != nil {
		return err
	}
	return o.file("rasters/credits.json", append(b, '\n'))
}

// looksOf are the looks of the cells of 1 m.
func looksOf(w *world.World, square raster.Box, trees []tree, s scan) []*look {
	g := &raster.Grid{West: square.West, North: square.North, Step: 1, Cols: scanSide, Rows: scanSide}
	out := make([]*look, scanSide*scanSide)
	other := looks[austria.ClassOther]
	for i := range out {
		out[i] = &other
	}
	lay := func(shape planar.Poly, l look) {
		p := polygonsOf([]planar.Poly{shape})
		if !raster.BoxOf(p).Overlaps(square) {
			return
		}
		m := raster.MaskOf(g, p)
		for row := range g.Rows {
			m.Each(row, func(from, to int) {
				for col := from; col < to; col++ {
					out[row*g.Cols+col] = &l
				}
			})
		}
	}
	for i := range w.Uses {
		if l, ok := looks[austria.LandUse(w.Uses[i].NS).Class()]; ok {
			lay(w.Uses[i].Shape, l)
		}
	}
	for i := range w.Footprints {
		lay(w.Footprints[i].Shape, roofLook)
	}
	for _, t := range trees {
		if !s.felled || !t.cut {
			eachCell(g, t.at, 0.6+0.09*(t.height+s.growth), func(at int, _ float64) { out[at] = &crownLook })
		}
	}
	return out
}

// flight writes colours and near infrared of a series, in cells of 1 m of the strip that the square lies in.
func (o *output) flight(square raster.Box, seen []*look, f flight, seed uint64) error {
	date, green, southUp := f.date, f.green, f.southUp
	b := raster.Box{West: math.Inf(1), South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}
	for _, p := range [4][2]float64{{square.West, square.South}, {square.East, square.South}, {square.West, square.North},
		{square.East, square.North}} {
		x, y := crs.GaussKruegerMid.Forward(crs.LAEA.Inverse(p[0], p[1]))
		b = raster.Box{West: min(b.West, x), South: min(b.South, y), East: max(b.East, x), North: max(b.North, y)}
	}
	b = b.Aligned(1)
	cols, rows := int(b.East-b.West), int(b.North-b.South)
	of := func(bands int) *scene.Bytes {
		return &scene.Bytes{West: b.West, North: b.North, Step: 1, Cols: cols, Rows: rows, Bands: bands, Pix: make([]uint8,
			cols*rows*bands), EPSG: int(crs.GaussKruegerMid), SouthUp: southUp}
	}
	rgb, nir := of(3), of(1)
	r := rand.New(rand.NewPCG(43, seed))
	line := make([][2]float64, cols)
	for row := range rows {
		inLAEA(line, b.West+0.5, b.North-float64(row)-0.5)
		for col := range cols {
			grain := 0.94 + 0.12*r.Float64()
			c, k := int(math.Floor(line[col][0]-square.West)), int(math.Floor(square.North-line[col][1]))
			if c < 0 || k < 0 || c >= scanSide || k >= scanSide {
				continue
			}
			for band, v := range seen[k*scanSide+c].at(green) {
				at := uint8(min(max(v*grain, 1), 255))
				if band < 3 {
					rgb.Pix[(row*cols+col)*3+band] = at
				} else {
					nir.Pix[row*cols+col] = at
				}
			}
		}
	}
	for name, p := range map[string]*scene.Bytes{"RGB": rgb, "NIR": nir} {
		body, err := p.Encode()
		if err != nil {
			return err
		}
		if err := o.file(fmt.Sprintf("rasters/ortho/%s/lorfachtal_Mosaik_%s.tif", date, name), body); err != nil {
			return err
		}
	}
	return nil
}

// inLAEA gives the places in EPSG:3035 of a line that leads east from a place of the strip in steps of 1 m: exactly every 32 m,
// and on straight lines between, which is off by a micrometre or two.
func inLAEA(line [][2]float64, x, y float64) {
	const every = 32
	at := func(i int) (e, n float64) { return crs.LAEA.Forward(crs.GaussKruegerMid.Inverse(x+float64(i), y)) }
	e0, n0 := at(0)
	for from := 0; from < len(line); from += every {
		e1, n1 := at(from + every)
		for i := range min(every, len(line)-from) {
			t := float64(i) / every
			line[from+i] = [2]float64{e0 + float64(t*(e1-e0)), n0 + float64(t*(n1-n0))}
		}
		e0, n0 = e1, n1
	}
}

// satelliteCell is the side of a cell in metres.
const satelliteCell = 10

// satellites writes the vegetation index of each month, radar and land cover of a year. Clouds leave some months out.
func (o *output) satellites(square raster.Box, seen []*look, year string, seed uint64) error {
	box := square.Aligned(satelliteCell)
	cols, rows := int(box.East-box.West)/satelliteCell, int(box.North-box.South)/satelliteCell
	grids := map[string]*raster.Grid{}
	for month := range 12 {
		grids[fmt.Sprintf("NDVI_%02d", month+1)] = raster.New(box.West, box.North, satelliteCell, cols, rows)
	}
	for _, name := range []string{"SAR_VV", "SAR_VH"} {
		grids[name] = raster.New(box.West, box.North, satelliteCell, cols, rows)
	}
	cover := &scene.Bytes{West: box.West, North: box.North, Step: satelliteCell, Cols: cols, Rows: rows, Bands: 1,
		Pix: make([]uint8, cols*rows), EPSG: 3035}
	r := rand.New(rand.NewPCG(47, seed))
	for i := range cover.Pix {
		var n, mean, amplitude, vv, vh float64
		votes := map[uint8]int{}
		for p := range satelliteCell * satelliteCell {
			c := int(box.West-square.West) + i%cols*satelliteCell + p%satelliteCell
			k := int(square.North-box.North) + i/cols*satelliteCell + p/satelliteCell
			if c < 0 || k < 0 || c >= scanSide || k >= scanSide {
				continue
			}
			l := seen[k*scanSide+c]
			n, mean, amplitude = n+1, mean+l.ndvi, amplitude+l.amplitude
			vv, vh = vv+math.Pow(10, l.vv/10), vh+math.Pow(10, l.vh/10)
			if votes[l.cover]++; votes[l.cover] > votes[cover.Pix[i]] {
				cover.Pix[i] = l.cover
			}
		}
		for month := range 12 {
			noise, clear := 0.02*r.NormFloat64(), r.Float64() > 0.3
			if turn := (float64(month)+0.5)/12 - 0.53; n > 0 && clear {
				grids[fmt.Sprintf("NDVI_%02d", month+1)].Z[i] = float32((mean+amplitude*math.Cos(2*math.Pi*turn))/n + noise)
			}
		}
		if n > 0 {
			grids["SAR_VV"].Z[i] = float32(10*math.Log10(vv/n) + 0.5*r.NormFloat64())
			grids["SAR_VH"].Z[i] = float32(10*math.Log10(vh/n) + 0.5*r.NormFloat64())
		}
	}
	for name, g := range grids {
		unit := ""
		if name[:3] == "SAR" {
			unit = "dB"
		}
		b, err := cog.Encode(g, cog.Options{Packing: cog.Deflate, EPSG: 3035, Unit: unit})
		if err != nil {
			return err
		}
		if err := o.file(fmt.Sprintf("rasters/satellite/%s/%s.tif", year, name), b); err != nil {
			return err
		}
	}
	b, err := cover.Encode()
	if err != nil {
		return err
	}
	return o.file("rasters/satellite/"+year+"/LANDCOVER.tif", b)
}

// losses writes forest change in cells of 30 m: the year in which most of the crowns of a cell were lost, and the cover before.
func (o *output) losses(square raster.Box, seen [2][]*look) error {
	const side = 30
	box := square.Aligned(side)
	of := func() *scene.Bytes {
		cols, rows := int(box.East-box.West)/side, int(box.North-box.South)/side
		return &scene.Bytes{West: box.West, North: box.North, Step: side, Cols: cols, Rows: rows, Bands: 1, Pix: make([]uint8,
			cols*rows), EPSG: 3035, NoData: -1}
	}
	year, cover := of(), of()
	for i := range year.Pix {
		n, before, after := 0, 0, 0
		for p := range side * side {
			c := int(box.West-square.West) + i%year.Cols*side + p%side
			k := int(square.North-box.North) + i/year.Cols*side + p/side
			if c < 0 || k < 0 || c >= scanSide || k >= scanSide {
				continue
			}
			n++
			for at, count := range []*int{&before, &after} {
				if seen[at][k*scanSide+c] == &crownLook {
					*count++
				}
			}
		}
		if n > 0 {
			cover.Pix[i] = uint8(100 * before / n)
		}
		if before > n/4 && after < before/2 {
			year.Pix[i] = 23
		}
	}
	for name, p := range map[string]*scene.Bytes{"LOSS_YEAR": year, "TREECOVER2000": cover} {
		b, err := p.Encode()
		if err != nil {
			return err
		}
		if err := o.file("rasters/satellite/2024/FOREST_"+name+".tif", b); err != nil {
			return err
		}
	}
	return nil
}
