package demo

import (
	"bytes"
	"fmt"
	"strconv"

	"mappe/localdev/demo/world"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
)

const (
	terrainStep   = 0.0003 // degrees: 33 m to the north, 23 m to the east
	terrainMargin = 2500   // metres around the country, so that the map ends behind the screen
)

// terrain writes the heights as an ASCII grid.
func (o *output) terrain(w *world.World) error {
	box := geom.EmptyBox
	for i := range w.Gemeinden {
		box = box.Union(world.Geometry(w.GemeindeOutlines[i], 1).Bounds())
	}
	box = crs.Grow(box, terrainMargin)
	west, south := float64(box.MinX)/geom.Scale, float64(box.MinY)/geom.Scale
	cols := int(float64(box.MaxX-box.MinX)/geom.Scale/terrainStep) + 1
	rows := int(float64(box.MaxY-box.MinY)/geom.Scale/terrainStep) + 1
	var b bytes.Buffer
	fmt.Fprintf(&b, "ncols %d\nnrows %d\nxllcenter %.7f\nyllcenter %.7f\ncellsize %g\n", cols, rows, west, south, terrainStep)
	line := make([]byte, 0, cols*7)
	for row := rows - 1; row >= 0; row-- {
		line = line[:0]
		for col := range cols {
			line = strconv.AppendFloat(line, w.Elevation(west+float64(col)*terrainStep, south+float64(row)*terrainStep), 'f', 1, 64)
			line = append(line, ' ')
		}
		line[len(line)-1] = '\n'
		b.Write(line)
	}
	return o.file("terrain/lorfachtal.asc", b.Bytes())
}
