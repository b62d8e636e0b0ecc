package maps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"

	"mappe/artefacts/pmt"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// reliefArtefact is the archive of heights: tiles of 256 pixels, in which red, green and blue are h + 32,768 m as a number in base 256
// (builders/relief).
const reliefArtefact = "base-relief"

// The measures of heights: their pixels, and how they are kept, in eighths of a metre from lowest on; 0 means no height.
const (
	heightSide = 256
	lowest     = -1000.0 // m
	eighths    = 8
	maxHeights = 100 // tiles of one picture, some 0.4 MB each
)

// The shade, as the map page has it (localdev/server/web/src/base.js, light): how strong it is by zoom, and its colours with their
// opacity. A test compares.
var (
	shadeStrength = stops{{9, 0.7}, {13, 0.5}, {16, 0.25}, {18, 0}}
	shadow        = shade{45, 40, 60, 0.55}
	highlight     = shade{255, 255, 255, 0.45}
	accent        = shade{60, 55, 70, 0.15}
)

// shade is a colour of 0 to 255 with an opacity of 0 to 1; where it is premultiplied a function says so.
type shade struct{ r, g, b, a float64 }

func (s shade) premultiplied() shade { return shade{s.r * s.a, s.g * s.a, s.b * s.a, s.a} }

// scaled is a premultiplied colour with a share of its opacity.
func (s shade) scaled(k float64) shade { return shade{s.r * k, s.g * k, s.b * k, s.a * k} }

// plus adds premultiplied colours.
func (s shade) plus(o shade) shade { return shade{s.r + o.r, s.g + o.g, s.b + o.b, s.a + o.a} }

// terrain are the heights around a picture: some tiles of a zoom side by side.
type terrain struct {
	z      uint8
	x0, y0 int // first pixel, counted from the north-western corner of the world
	w, h   int
	height []uint16
	rises  []rise // of derive
	mesh   mesh
}

// heightZoom is the zoom of the tiles that a picture is shaded from: a pixel of theirs is about one of the map page.
func heightZoom(h pmt.Header, zoom float64) uint8 {
	return uint8(max(float64(h.MinZoom), min(float64(h.MaxZoom), math.Round(zoom+1))))
}

// terrain reads the heights around a picture; nil where none are known. Where they are more than a picture may read they are those of a
// lower zoom.
func (v picture) terrain(ctx context.Context, zoom float64) (*terrain, error) {
	a, err := view.ArchiveOf(ctx, reliefArtefact)
	if err != nil || a == nil {
		return nil, err
	}
	for z := heightZoom(a.Header, zoom); z >= a.Header.MinZoom; z-- {
		around := 3 * math.Exp2(zoom+1-float64(z)) // pixels of the picture: the slope of a pixel needs those beside it
		box := v.bounds(around)
		if box.Empty() || !box.Intersects(extent(a.Header)) {
			return nil, nil
		}
		if ids, ok := mvt.Cover(box, z, maxHeights); ok {
			t, err := readTerrain(ctx, a, ids, meshOf(v, z))
			if t != nil {
				t.derive()
			}
			return t, err
		}
		if z == 0 {
			break
		}
	}
	return nil, nil // a picture of half the world
}

// readTerrain reads tiles of a rectangle.
func readTerrain(ctx context.Context, a *pmt.Archive, ids []mvt.TileID, m mesh) (*terrain, error) {
	low, high := ids[0], ids[0]
	for _, id := range ids {
		low.X, low.Y, high.X, high.Y = min(low.X, id.X), min(low.Y, id.Y), max(high.X, id.X), max(high.Y, id.Y)
	}
	t := &terrain{z: low.Z, x0: int(low.X) * heightSide, y0: int(low.Y) * heightSide, mesh: m,
		w: int(high.X-low.X+1) * heightSide, h: int(high.Y-low.Y+1) * heightSide}
	t.height = make([]uint16, t.w*t.h)
	some := false
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		body, err := a.Tile(pmt.ZXY{Z: id.Z, X: id.X, Y: id.Y})
		if errors.Is(err, pmt.ErrNoTile) {
			continue
		}
		if err == nil {
			some, err = true, t.put(body, int(id.X-low.X)*heightSide, int(id.Y-low.Y)*heightSide)
		}
		if err != nil {
			return nil, generation.Fault(ctx, err)
		}
	}
	if !some {
		return nil, nil
	}
	return t, nil
}

// put decodes a tile into its place. A picture of another size is refused before it is decoded.
func (t *terrain) put(body []byte, left, top int) error {
	c, err := png.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("a tile of the relief: %w", err)
	}
	if c.Width != heightSide || c.Height != heightSide {
		return fmt.Errorf("a tile of the relief has %d by %d pixels, want %d", c.Width, c.Height, heightSide)
	}
	p, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("a tile of the relief: %w", err)
	}
	rgba, ok := p.(*image.RGBA)
	if !ok {
		rgba = image.NewRGBA(image.Rect(0, 0, heightSide, heightSide))
		draw.Draw(rgba, rgba.Rect, p, p.Bounds().Min, draw.Src)
	}
	for y := range heightSide {
		row := t.height[(top+y)*t.w+left:][:heightSide]
		for x := range row {
			pix := rgba.Pix[y*rgba.Stride+4*x:][:3]
			metres := float64(pix[0])*256 + float64(pix[1]) + float64(pix[2])/256 - 32768
			row[x] = uint16(max(1, min(65535, math.Round((metres-lowest)*eighths)+1)))
		}
	}
	return nil
}

// slope is how steeply the ground rises at a pixel, to the east and to the south, in metres per metre of the projection at the equator;
// false where no height is known. A neighbour without one counts as level ground.
func (t *terrain) slope(x, y int) (east, south float64, ok bool) {
	e := t.at(x, y)
	if e == 0 {
		return 0, 0, false
	}
	near := func(dx, dy int) float64 {
		if v := t.at(x+dx, y+dy); v != 0 {
			return float64(v)
		}
		return float64(e)
	}
	nw, n, ne := near(-1, -1), near(0, -1), near(1, -1)
	w, o := near(-1, 0), near(1, 0)
	sw, s, se := near(-1, 1), near(0, 1), near(1, 1)
	run := 8 * eighths * worldMetres / (heightSide * math.Exp2(float64(t.z)))
	return (ne + 2*o + se - nw - 2*w - sw) / run, (sw + 2*s + se - nw - 2*n - ne) / run, true
}

// worldMetres is the length of the equator of Web Mercator.
const worldMetres = 2 * math.Pi * 6378137

// at is a height, 0 where none is known.
func (t *terrain) at(x, y int) uint16 {
	if x < 0 || y < 0 || x >= t.w || y >= t.h {
		return 0
	}
	return t.height[y*t.w+x]
}

// rise is the slope of a pixel in units of 1/4096; unknown in east where no height is known.
type rise struct{ east, south int16 }

const (
	riseUnits = 4096
	unknown   = math.MinInt16
)

// derive computes the slopes of all pixels and forgets the heights.
func (t *terrain) derive() {
	t.rises = make([]rise, t.w*t.h)
	kept := func(v float64) int16 { return int16(max(-32767, min(32767, math.Round(v*riseUnits)))) }
	for y := range t.h {
		for x := range t.w {
			r := rise{east: unknown}
			if east, south, ok := t.slope(x, y); ok {
				r = rise{kept(east), kept(south)}
			}
			t.rises[y*t.w+x] = r
		}
	}
	t.height = nil
}

// between is the slope at a position between the middles of pixels; false where less than half of it is known.
func (t *terrain) between(x, y float64) (east, south float64, ok bool) {
	x, y = x-float64(t.x0)-0.5, y-float64(t.y0)-0.5
	i, j := int(math.Floor(x)), int(math.Floor(y))
	if i < 0 || j < 0 || i+1 >= t.w || j+1 >= t.h {
		return 0, 0, false
	}
	fx, fy := x-float64(i), y-float64(j)
	at := j*t.w + i
	weight := 0.0
	add := func(r rise, share float64) {
		if r.east != unknown {
			east, south, weight = east+float64(r.east)*share, south+float64(r.south)*share, weight+share
		}
	}
	add(t.rises[at], (1-fx)*(1-fy))
	add(t.rises[at+1], fx*(1-fy))
	add(t.rises[at+t.w], (1-fx)*fy)
	add(t.rises[at+t.w+1], fx*fy)
	if weight < 0.5 {
		return 0, 0, false
	}
	return east / (weight * riseUnits), south / (weight * riseUnits), true
}

// shaded is the colour of ground with a slope, premultiplied. Steepness below zoom 15 is drawn larger than it is, as the map page's library
// (MapLibre GL JS, hillshade-method standard) does, or nothing of it would be seen; stretch is how much larger a metre is there than at
// the equator.
func (t *terrain) shaded(east, south, stretch, strength float64) shade {
	const steepest = 4 // what the library keeps
	larger := math.Exp2(0.3 * max(0, 15-float64(t.z)))
	clamped := func(v float64) float64 { return max(-steepest, min(steepest, v*larger)) * stretch }
	east, south = clamped(east), clamped(south)
	if east == 0 && south == 0 {
		return shade{}
	}
	slope := math.Atan(0.625 * math.Hypot(east, south))
	aspect := math.Atan2(south, -east)
	const light = 315.0 / 180 * math.Pi
	if base := 1.875 - strength*1.75; strength != 0.5 {
		slope = (math.Pow(base, slope) - 1) / (math.Pow(base, math.Pi/2) - 1) * math.Pi / 2
	}
	much := min(1, 2*strength)
	lit := math.Abs(math.Mod((aspect+light+math.Pi)/math.Pi+0.5, 2) - 1)
	side := shadow.premultiplied().scaled(1 - lit).plus(highlight.premultiplied().scaled(lit)).scaled(math.Sin(slope) * much)
	return accent.premultiplied().scaled((1 - math.Cos(slope)) * much * (1 - side.a)).plus(side)
}

// shade lays the shade over the strip.
func (d *drawing) shade() {
	t := d.ground
	if t == nil {
		return
	}
	strength := shadeStrength.at(d.zoom)
	from, to := d.canvas.Rows()
	size := heightSide * math.Exp2(float64(t.z))
	for y := int(from); y < int(to); y++ {
		for x := range d.w {
			px, py := t.mesh.at(float64(x)+0.5, float64(y)+0.5)
			east, south, ok := t.between(px, py)
			if !ok {
				continue
			}
			stretch := math.Cosh(math.Pi * (1 - 2*py/size)) // 1 / cos of the latitude
			s := t.shaded(east, south, stretch, strength)
			if s.a <= 0 {
				continue
			}
			pix := d.canvas.Picture.Pix[d.canvas.Picture.PixOffset(x, y):][:4]
			for k, v := range [4]float64{s.r, s.g, s.b, 255 * s.a} {
				pix[k] = byte(v + float64(pix[k])*(1-s.a) + 0.5)
			}
		}
	}
}

// mesh is where the pixels of a picture lie on the grid of the tiles: exact at every meshStep pixels, straight between.
type mesh struct {
	wide  int // nodes of a row
	nodes [][2]float64
}

const meshStep = 16

func meshOf(v picture, z uint8) mesh {
	m := mesh{wide: v.w/meshStep + 2}
	size := heightSide * math.Exp2(float64(z))
	for j := range v.h/meshStep + 2 {
		for i := range m.wide {
			x, y := crs.WebMercator.Forward(v.degrees(float64(i*meshStep), float64(j*meshStep)))
			m.nodes = append(m.nodes, [2]float64{(x/worldMetres + 0.5) * size, (0.5 - y/worldMetres) * size})
		}
	}
	return m
}

// at is where a position in the picture lies.
func (m *mesh) at(x, y float64) (px, py float64) {
	i, j := int(x)/meshStep, int(y)/meshStep
	fx, fy := x/meshStep-float64(i), y/meshStep-float64(j)
	a, b := m.nodes[j*m.wide+i], m.nodes[j*m.wide+i+1]
	c, d := m.nodes[(j+1)*m.wide+i], m.nodes[(j+1)*m.wide+i+1]
	mix := func(k int) float64 {
		top, bottom := a[k]+(b[k]-a[k])*fx, c[k]+(d[k]-c[k])*fx
		return top + (bottom-top)*fy
	}
	return mix(0), mix(1)
}

// The winds that ground faces, from the east against the clock.
var winds = [8]string{"east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"}

// levelGround is the slope in degrees below which ground faces nowhere.
const levelGround = 0.5

// terrainAt is what is told of the ground at a point; nil where no height is known.
func terrainAt(ctx context.Context, at geom.Point, in locale) (*told, error) {
	a, err := view.ArchiveOf(ctx, reliefArtefact)
	if err != nil || a == nil {
		return nil, err
	}
	z := a.Header.MaxZoom
	beside := int32(1.5 * 360 * geom.Scale / (heightSide * math.Exp2(float64(z)))) // the slope needs the pixels around
	ids, ok := mvt.Cover(geom.Box{MinX: at.X - beside, MinY: at.Y - beside, MaxX: at.X + beside, MaxY: at.Y + beside}, z, 4)
	if !ok {
		return nil, nil
	}
	t, err := readTerrain(ctx, a, ids, mesh{})
	if err != nil || t == nil {
		return nil, err
	}
	x, y := crs.WebMercator.Project(at)
	size := heightSide * math.Exp2(float64(z))
	px, py := int((x/worldMetres+0.5)*size)-t.x0, int((0.5-y/worldMetres)*size)-t.y0
	east, south, ok := t.slope(px, py)
	if !ok {
		return nil, nil
	}
	steep := math.Atan(math.Hypot(east, south)/math.Cos(at.Lat()*math.Pi/180)) * 180 / math.Pi
	height := float64(t.at(px, py)-1)/eighths + lowest
	out := &told{layer: relief}
	text := in.says("{height} m above the Adriatic, level", "{height}", in.number(height, 0))
	out.put("elevation_m", rounded(height, 1))
	out.put("slope_deg", rounded(steep, 1))
	if steep >= levelGround {
		wind := winds[int(math.Round(math.Atan2(south, -east)/(math.Pi/4))+8)%8]
		out.put("faces", wind)
		text = in.says("{height} m above the Adriatic, slope of {slope}° that faces {wind}", "{height}", in.number(height, 0),
			"{slope}", in.number(steep, 0), "{wind}", in.of(wind))
	}
	out.put("in_words", text)
	return out, nil
}

// rounded is a number with so many decimals.
func rounded(v float64, decimals int) float64 {
	k := math.Pow10(decimals)
	return math.Round(v*k) / k
}
