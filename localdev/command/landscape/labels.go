package landscape

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"mappe/builders/landscape"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/raster"
	"mappe/shared/geo/wkb"
	"mappe/shared/landscape/segment"
	"mappe/shared/web/gpkgin"
)

// label is a polygon of ground of a known type.
type label struct {
	kind    segment.Type
	polygon raster.Polygon
	box     raster.Box
}

// The limits of a file of labels.
const (
	maxLabels     = 2_000_000
	maxLabelBytes = 2 << 30
	maxLabelFile  = 4 << 30
)

// readLabels reads the polygons of all layers of a GeoPackage whose rows name a type in a column.
func readLabels(ctx context.Context, file, column string) ([]label, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxLabelFile {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", file, info.Size(), int64(maxLabelFile))
	}
	body, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []label
	unknown := map[string]int{}
	has := false
	_, err = gpkgin.Read(ctx, body, gpkgin.Limits{Rows: maxLabels, Bytes: maxLabelBytes}, func(r gpkgin.Row) error {
		value, ok := r.Values[column]
		has = has || ok
		name, _ := value.(string)
		if name = strings.TrimSpace(name); name == "" || r.Geometry == nil {
			return nil
		}
		kind, err := segment.ParseType(name)
		if err != nil {
			unknown[name]++
			return nil
		}
		found, err := labelsOf(kind, &r)
		out = append(out, found...)
		return err
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	case !has:
		return nil, fmt.Errorf("%s: no layer has a column %q: name the one with the types by --column", file, column)
	case len(unknown) > 0:
		return nil, fmt.Errorf("%s: no types: %s", file, counted(unknown))
	case len(out) == 0:
		return nil, fmt.Errorf("%s: no polygon has a type in the column %q", file, column)
	}
	return out, nil
}

// counted lists some names with how often they occur.
func counted(names map[string]int) string {
	var out []string
	for name, n := range names {
		out = append(out, fmt.Sprintf("%.40q (%d)", name, n))
	}
	slices.Sort(out)
	return strings.Join(out[:min(len(out), 10)], ", ")
}

// labelsOf are the polygons of a row, each by itself: a row may have all of its type in the country, and land is divided around
// each.
func labelsOf(kind segment.Type, r *gpkgin.Row) (out []label, err error) {
	system, err := crs.ParseSource(r.System)
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", r.Table, err)
	}
	s, err := wkb.Decode(r.Geometry)
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", r.Table, err)
	}
	for _, p := range s.Polygons {
		var rings raster.Polygon
		for _, ring := range p {
			var plane []raster.XY
			for _, v := range ring {
				x, y := v[0], v[1]
				if system != crs.LAEA {
					x, y = crs.LAEA.Forward(system.Inverse(x, y))
				}
				plane = append(plane, raster.XY{X: x, Y: y})
			}
			rings = append(rings, plane)
		}
		b := raster.BoxOf([]raster.Polygon{rings})
		if !(b.West > 2e6 && b.East < 7e6 && b.South > 1e6 && b.North < 6e6) {
			return nil, fmt.Errorf("layer %s: a polygon lies at %.0f, %.0f of EPSG:3035, which is far from Austria", r.Table, b.West,
				b.South)
		}
		out = append(out, label{kind, rings, b})
	}
	return out, nil
}

const (
	// groupSide is the side in metres of the squares whose labels are worked on together.
	groupSide = 2000
	// around is how many metres beyond a label land is divided, so that nothing cuts the objects in it.
	around = 60
	// blockSide is the side in metres of the squares that are validated as one.
	blockSide = 250
	// most is the share of an object's cells that a type has to have.
	most = 0.5
)

// groups are the labels by square, in the order of the squares.
func groups(all []label) (out [][]label) {
	at := map[[2]int][]label{}
	for _, l := range all {
		k := [2]int{int(math.Floor((l.box.South + l.box.North) / 2 / groupSide)),
			int(math.Floor((l.box.West + l.box.East) / 2 / groupSide))}
		at[k] = append(at[k], l)
	}
	var keys [][2]int
	for k := range at {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, k := range keys {
		out = append(out, at[k])
	}
	return out
}

// ground is the land around labels that is divided: boxes that may overlap.
func ground(list []label) (boxes []raster.Polygon, m2 float64) {
	for _, l := range list {
		b := l.box.Grown(around).Aligned(1)
		boxes = append(boxes, raster.Polygon{{{X: b.West, Y: b.South}, {X: b.East, Y: b.South}, {X: b.East, Y: b.North}, {X: b.West,
			Y: b.North}}})
	}
	whole := raster.BoxOf(boxes)
	g := raster.Grid{West: whole.West, North: whole.North, Step: 1, Cols: int(whole.East - whole.West),
		Rows: int(whole.North - whole.South)}
	return boxes, float64(raster.MaskOf(&g, boxes).Count())
}

// teach adds the objects most of whose cells have a known type to samples, and gives how many teach nothing.
func teach(s *landscape.Samples, land *segment.Land, list []label) (passed int) {
	g := raster.Grid{West: land.West, North: land.North, Step: 1, Cols: land.Cols, Rows: land.Rows}
	counts := make([]map[segment.Type]int, len(land.Objects))
	kinds := map[segment.Type][]raster.Polygon{}
	for _, l := range list {
		kinds[l.kind] = append(kinds[l.kind], l.polygon)
	}
	for kind, polygons := range kinds {
		m := raster.MaskOf(&g, polygons)
		for row := range land.Rows {
			m.Each(row, func(from, to int) {
				for _, k := range land.Labels[row*land.Cols+from : row*land.Cols+to] {
					if k == 0 {
						continue
					}
					if counts[k-1] == nil {
						counts[k-1] = map[segment.Type]int{}
					}
					counts[k-1][kind]++
				}
			})
		}
	}
	for i := range land.Objects {
		o := &land.Objects[i]
		for kind, n := range counts[i] {
			if float64(n) <= most*float64(o.Row[segment.Area]) {
				continue // of two types at most one has more than half
			}
			block := int32(math.Floor(o.X/blockSide))<<15 | int32(math.Floor(o.Y/blockSide))
			if !s.Add(&o.Row, kind, block) {
				passed++
			}
		}
	}
	return passed
}
