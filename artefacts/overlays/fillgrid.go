package overlays

import (
	"cmp"
	"fmt"

	"mappe/artefacts/internal/grid"
	"mappe/artefacts/sectionfile"
	"mappe/shared/geo/geom"
)

// GridHead is the head of the grid of the sources.
func (s *Source) GridHead() GridHead {
	return GridHead{len(s.Areas), len(s.Municipalities), len(s.Sites)}
}

// maxCells bounds the cells that the box of one shape meets: that of Austria meets some 2,400.
const maxCells = 1 << 20

// inCell is a row whose box meets a cell.
type inCell struct {
	cell  grid.Cell
	layer int // of layers
	row   int
}

// FillGrid writes the sections of overlays-grid.
func (s *Source) FillGrid(b *sectionfile.Builder) error {
	var all []inCell
	place := func(layer, row int, box geom.Box) error {
		cells := Cells.Cells(box, maxCells)
		if cells == nil && !box.Empty() {
			return fmt.Errorf("overlays: row %d of layer %c meets more than %d cells", row, layers[layer], maxCells)
		}
		for _, c := range cells {
			all = append(all, inCell{c, layer, row})
		}
		return nil
	}
	for layer := range layers {
		for row := range s.rows(layer) {
			if err := place(layer, row, s.geometry(layer, row).Bounds()); err != nil {
				return err
			}
		}
	}
	order := func(a, b inCell) int { return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.row, b.row)) }
	for _, list := range grid.ByCell(all, func(x inCell) grid.Cell { return x.cell }, order) {
		if err := s.addCell(b, list); err != nil {
			return err
		}
	}
	return nil
}

// rows is the number of rows of a layer.
func (s *Source) rows(layer int) int {
	return [...]int{len(s.Areas), len(s.Municipalities), len(s.Sites)}[layer]
}

// geometry is that of a row.
func (s *Source) geometry(layer, row int) geom.MultiPolygon {
	switch layers[layer] {
	case AreaShapes:
		return s.Areas[row].Geometry
	case MunicipalityShapes:
		return s.Municipalities[row].Geometry
	default:
		return s.Sites[row].Geometry
	}
}

// addCell writes the cell of the rows whose box meets it; none where nothing reaches it.
func (s *Source) addCell(b *sectionfile.Builder, list []inCell) error {
	id := list[0].cell
	box := Cells.Box(id)
	var c Cell
	for _, in := range list {
		m, whole := outlineIn(s.geometry(in.layer, in.row), box)
		if len(m) == 0 && !whole {
			continue
		}
		switch layers[in.layer] {
		case AreaShapes:
			c.Areas = append(c.Areas, s.Areas[in.row])
		case MunicipalityShapes:
			c.Municipalities = append(c.Municipalities, s.Municipalities[in.row])
		default:
			c.Sites = append(c.Sites, s.Sites[in.row])
		}
		l := &c.lies[in.layer]
		l.rows = append(l.rows, in.row)
		if whole {
			l.outlines = append(l.outlines, nil)
		} else {
			l.outlines = append(l.outlines, &Shape{Geometry: m})
		}
	}
	if len(c.Areas)+len(c.Municipalities)+len(c.Sites) == 0 {
		return nil
	}
	body, err := c.encode(box)
	if err != nil {
		return err
	}
	return b.Add(Cells.Section(id), body)
}
