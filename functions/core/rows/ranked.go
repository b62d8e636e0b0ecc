package rows

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Held bounds the KG files that one answer holds open; beyond it the library's cache decides what stays in
// memory.
const Held = 64

// Hit is a row with its rank: where it is, not what it is.
type Hit struct {
	Rank  float64 // a distance, a score
	Row   int32   // in its layer's table
	KG    int16   // number in the ranking's KGs
	Layer int8    // number in the ranking's layers
}

// Ranking draws hits of layers over KGs. It belongs to one answer.
type Ranking struct {
	View   *view.View
	KGs    []*register.KG
	Layers []RankedLayer
	held   heldFiles
}

// RankedLayer draws the hits of one layer.
type RankedLayer struct {
	Source   Source
	Rank     func(float64) // is given the rank of a hit before its row is drawn
	External bool          // the rows are in no KG file, as in Layer
	at       int           // the KG that the source stands on, from 1
}

// Rows streams hits in their order. Neighbouring hits are mostly of one KG; the files of the last few KGs
// are held.
func (r *Ranking) Rows(ctx context.Context, hits []Hit) format.Seq {
	return func(yield func(format.Row, error) bool) {
		for i := range hits {
			h := &hits[i]
			l := &r.Layers[h.Layer]
			if err := r.stand(ctx, l, int(h.KG)); err != nil {
				yield(nil, err)
				return
			}
			l.Rank(h.Rank)
			if !yield(l.Source.Row(int(h.Row)), nil) {
				return
			}
		}
	}
}

// stand has the source of a layer stand on a KG.
func (r *Ranking) stand(ctx context.Context, l *RankedLayer, kg int) error {
	if l.External || l.at == kg+1 {
		return nil
	}
	f, err := r.held.open(ctx, r.View, r.KGs[kg].Code)
	if err != nil {
		return err
	}
	if _, err = stand(ctx, r.View, l.Source, r.KGs[kg].Code, f); err == nil {
		l.at = kg + 1
	}
	return err
}

// heldFiles keeps the KG files of one answer open, at most Held of them.
type heldFiles struct {
	files map[austria.KGCode]*kgfile.File
	last  austria.KGCode
	file  *kgfile.File
}

func (h *heldFiles) open(ctx context.Context, v *view.View, code austria.KGCode) (*kgfile.File, error) {
	if code == h.last {
		return h.file, nil
	}
	f, ok := h.files[code]
	if !ok {
		var err error
		if f, err = v.Open(ctx, code); err != nil {
			return nil, err
		}
		if h.file != nil { // most answers touch one KG and need no table
			if h.files == nil || len(h.files) >= Held {
				h.files = map[austria.KGCode]*kgfile.File{}
			}
			h.files[h.last], h.files[code] = h.file, f
		}
	}
	h.last, h.file = code, f
	return f, nil
}
