package change

import (
	"context"
	"math"
	"slices"

	"mappe/shared/geo/raster"
)

// Event is a change of the land.
type Event struct {
	Kind               Type
	X, Y               float64          // its middle in EPSG:3035
	Outline            []raster.Polygon // along the borders of cells of 1 m
	Area               float64          // m²
	Change             float64          // metres: what 95 % of it stay below, of the terrain or of what stands on it
	TerrainVolume      float64          // m³ that the terrain has gained; negative: lost
	TerrainVolumeError float64          // half of the interval that holds the truth in 95 of 100 cases
	SurfaceVolume      float64          // m³ that the surface has gained
	SurfaceVolumeError float64
	TerrainBefore      float64 // mean, metres above the Adriatic
	TerrainAfter       float64
	HeightBefore       float64 // 95th percentile of the surface above the terrain, metres
	HeightAfter        float64
	Confidence         float64 // 0 to 1
	Evidence           []string
	Edge               bool // cut off by the border of the area or by unknown cells
	// Footprint is the share of its cells in buildings of the cadastre; nil where they are not known.
	Footprint *float64 `json:",omitempty"`
	// IndexBefore and IndexAfter are the means of the vegetation index on the orthophotos near the two dates, -1 to 1; nil where less
	// than half of it is known.
	IndexBefore *float64 `json:",omitempty"`
	IndexAfter  *float64 `json:",omitempty"`
}

// verdict is what a region is.
type verdict struct {
	kind     Type
	evidence []string
}

// events makes the events of the regions.
func (f *finder) events(ctx context.Context) ([]Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	regions, err := f.regions(ctx)
	if err != nil {
		return nil, err
	}
	regions = slices.DeleteFunc(regions, func(g *region) bool {
		n := 0
		for _, s := range g.spans {
			n += int(s.to - s.from)
		}
		return n < leastCells[g.class]
	})
	if err = each(len(regions), func(i int) error {
		f.measure(regions[i])
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	var out []Event
	if regions, err = f.gathered(ctx, regions); err != nil {
		return nil, err
	}
	for _, g := range regions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if v := f.judge(g); v.kind != 0 {
			out = append(out, f.event(g, &v))
		}
	}
	slices.SortStableFunc(out, func(a, b Event) int { return byPlace(&a, &b) })
	return out, f.look(ctx, f.photos, out)
}

// leastCells are those that a region needs, by class.
var leastCells = [classes]int{strong: 12, lost: 4, gained: 4, grown: 400, slight: 30, bared: 12}

// event describes a region.
func (f *finder) event(g *region, v *verdict) Event {
	e := Event{Kind: v.kind, X: float64(f.area.x0) + g.x, Y: float64(f.area.y1) - g.y, Area: float64(g.n),
		Confidence: f.confidence(g, v), Evidence: v.evidence,
		Edge: g.edge, TerrainAfter: g.tMean, TerrainBefore: g.tMean - g.dMean, HeightBefore: g.a95, HeightAfter: g.b95}
	shape := f.bitmap(g, closing[v.kind], v.kind == RoadWidened)
	e.Outline, e.Area = f.outline(shape), float64(shape.count())
	e.TerrainVolume, e.SurfaceVolume = float64(g.dSum)/1000, float64(g.surface)/1000
	e.TerrainVolumeError = f.volumeError(g.all, g.wooded)
	if g.class != strong { // of ground that is only levelled a part stays below the noise
		unseen := float64(1.96 * float64(g.uneven*float64(g.n)))
		e.TerrainVolumeError = math.Sqrt(float64(e.TerrainVolumeError*e.TerrainVolumeError) + float64(unseen*unseen))
	}
	e.SurfaceVolumeError = f.surfaceError(g)
	e.Change = g.dAbs95
	if g.class == lost || g.class == gained || g.class == grown {
		e.Change = math.Abs(g.rise)
	}
	e.Footprint = f.share(g)
	e.absent()
	return e
}

// What the errors of a volume are made of beside the noise of cells.
const (
	levelError = 0.012 // metres that a place may be levelled wrong by
	treeCells  = 20    // cells below trees that share an error
)

// volumeError is 1.96 standard deviations of a volume of terrain: cells of open ground err each for itself, those below trees
// some twenty together, and all of them by what the ground was levelled wrong (Wheaton et al. 2010).
func (f *finder) volumeError(n, wooded int) float64 {
	open, wood := f.reg.Open, f.reg.Wooded
	v := float64(float64(open*open)*float64(n)) + float64(float64(wood*wood)*float64(treeCells*wooded))
	level := math.Sqrt(float64(levelError*levelError) + float64(f.reg.OffsetError*f.reg.OffsetError))
	bias := float64(level * float64(n))
	return float64(1.96 * math.Sqrt(v+float64(bias*bias)))
}

// surfaceError is that of the surface: first returns of growth lie by some 5 % of its height off.
func (f *finder) surfaceError(g *region) float64 {
	e := f.volumeError(g.all, 0)
	h := float64(0.05 * float64(float64(g.aMean+g.bMean)*float64(g.n)))
	return math.Sqrt(float64(e*e) + float64(h*h))
}
