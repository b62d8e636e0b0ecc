package place

import (
	"context"

	"mappe/artefacts/ne"
	"mappe/functions/core/cells"
)

// cell is the block of the land statistics: the cell that the point lies in.
func (q *question) cell(ctx context.Context) (any, string, error) {
	if _, ok := q.v.Artefact(ne.Artefact); !ok {
		return nil, notPublished, nil
	}
	block, missing, err := cells.Block(ctx, q.v.View, q.at)
	if err != nil || missing != "" {
		return nil, missing, err
	}
	return block, "", nil
}
