package cells

import (
	"context"
	"encoding/json"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// Why a point has no block.
const (
	blockUnbuilt = "the cells here are not built yet"
	blockUnread  = "the cells here cannot be read"
	blockNone    = "there are no cells here"
)

// PointBlock is the shape of what Block gives, for the description of the services that show it.
type PointBlock struct {
	Cell string    `json:"cell" doc:"cell of resolution 12"`
	LU   luShape   `json:"lu" doc:"its row"`
	K    *kShape   `json:"k" doc:"row of the cell of resolution 10 above; null where it has fewer than five parcels"`
	Obs  any       `json:"obs" doc:"a row that a peer defines, or null"`
	Chg  *chgShape `json:"chg" doc:"what changed"`
}

// Block is the cell of resolution 12 that a point lies in, for the answer about the point: {cell, lu, k, obs, chg} as
// /ne/cell gives them, without the KGs, since a point is not resolved to a KG there. missing is the reason where there is
// none; an error is what cannot be read at the moment.
func Block(ctx context.Context, v *library.View, at geom.Point) (value json.RawMessage, missing string, err error) {
	b, err := blockAt(ctx, v, at)
	if err != nil || b.missing != "" {
		return nil, b.missing, err
	}
	s, p, tables, lu, c := b.s, b.p, b.tables, b.tables[ne.LU], b.cell
	found, err := s.changesOf(ctx, p.kgs)
	if err != nil {
		return nil, "", err
	}
	value, err = json.Marshal(struct {
		Cell hexgrid.Cell    `json:"cell"`
		LU   json.RawMessage `json:"lu"`
		K    json.RawMessage `json:"k"`
		Obs  json.RawMessage `json:"obs"`
		Chg  beside          `json:"chg"`
	}{c, lu.object(0, nil), tables[ne.Bev].object(0, nil), tables[ne.Obs].object(0, nil), found.beside(lu.rows)})
	return value, "", err
}

// LandUse are the shares of the nine classes in the cell of resolution 12 that a point lies in, in units of 1/255 of the
// cell; nil where no cell is built there, or no land use is declared in it.
func LandUse(ctx context.Context, v *library.View, at geom.Point) (*[9]uint8, error) {
	if _, ok := v.Artefact(ne.Artefact); !ok {
		return nil, nil
	}
	b, err := blockAt(ctx, v, at)
	if err != nil || b.missing != "" {
		return nil, err
	}
	row := b.tables[ne.LU].find(b.cell)
	if len(row) < ne.LUBytes {
		return nil, nil
	}
	lu := ne.ParseLU(row)
	if lu.Land == 0 || lu.Flags&ne.DeclaredUnknown != 0 {
		return nil, nil
	}
	return &lu.Use, nil
}

// pointCell is what was read of the cell of a point.
type pointCell struct {
	s       *source
	p       *plan
	cell    hexgrid.Cell
	tables  map[ne.Layer]*gathered
	missing string // why the block is left out
}

func blockAt(ctx context.Context, v *library.View, at geom.Point) (b pointCell, err error) {
	if b.s, err = sourceIn(ctx, v); err != nil {
		return b, err
	}
	if b.cell, err = hexgrid.PointToCell(at, ne.LURes); err != nil {
		return b, err
	}
	w, err := wantOf(b.cell)
	if err != nil {
		return b, err
	}
	if b.p, err = b.s.plan(ctx, []want{w}); err != nil {
		return b, err
	}
	got, err := b.p.read(ctx)
	if err != nil {
		return b, err
	}
	b.tables = b.p.byLayer(got)
	switch lu := b.tables[ne.LU]; {
	case lu.len() == 0 && b.p.gaps.unread() != 0:
		b.missing = blockUnread
	case lu.len() == 0 && len(b.p.gaps) > 0:
		b.missing = blockUnbuilt
	case lu.len() == 0:
		b.missing = blockNone
	}
	return b, nil
}
