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
	s, err := sourceIn(ctx, v)
	if err != nil {
		return nil, "", err
	}
	c, err := hexgrid.PointToCell(at, ne.LURes)
	if err != nil {
		return nil, "", err
	}
	w, err := wantOf(c)
	if err != nil {
		return nil, "", err
	}
	p, err := s.plan(ctx, []want{w})
	if err != nil {
		return nil, "", err
	}
	got, err := p.read(ctx)
	if err != nil {
		return nil, "", err
	}
	tables := p.byLayer(got)
	lu := tables[ne.LU]
	switch {
	case lu.len() == 0 && p.gaps.unread() != 0:
		return nil, blockUnread, nil
	case lu.len() == 0 && len(p.gaps) > 0:
		return nil, blockUnbuilt, nil
	case lu.len() == 0:
		return nil, blockNone, nil
	}
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
