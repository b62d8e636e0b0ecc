package rows

import (
	"context"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// overlaid is a source whose rows show what lies over them.
type overlaid interface {
	lay(rowschema.Over)
}

// parcels is a Source of parcels. One whose rows have no column of rowschema.ParcelOverlay is not overlaid, and no
// overlays are read for it.
type parcels struct {
	table[kgfile.Parcel]
	record *format.Record[rowschema.ParcelRow]
	first  int  // column of rowschema.ParcelOverlay
	whole  bool // all columns of it stand behind that
}

func (s *parcels) lay(o rowschema.Over) {
	s.record.Item.Over = o
	from, to := s.first, s.first+len(rowschema.ParcelOverlay)
	switch {
	case !s.whole:
	case !o.Known:
		s.record.Hide(from, to)
	case o.KG == nil:
		s.record.Hide(from+1, to) // in_natura2000 is false
	default:
		s.record.Hide(0, 0)
	}
}

// stand has a source stand on a KG, with what lies over it. Overlays are of the served snapshot: rows of another date
// show none.
func stand(ctx context.Context, v *view.View, s Source, code austria.KGCode, f *kgfile.File) (int, error) {
	if o, ok := s.(overlaid); ok {
		over, err := over(ctx, v, code)
		if err != nil {
			return 0, err
		}
		o.lay(over)
	}
	return s.Open(f)
}

func over(ctx context.Context, v *view.View, code austria.KGCode) (rowschema.Over, error) {
	if !overlayindex.Knows(v.View) || !v.Serves(code) {
		return rowschema.Over{}, nil
	}
	k, err := overlayindex.Of(v.View).KG(ctx, code)
	return rowschema.Over{Known: err == nil, KG: k}, err
}
