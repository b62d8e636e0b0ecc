// Package trained opens the trained model of segments (artefacts/classifier) that a generation has, for functions that answer and
// builders that analyse: both tell types by the same one. It classifies nothing.
package trained

import (
	"context"
	"errors"

	"mappe/artefacts/classifier"
	"mappe/artefacts/library"
)

// opened is a model, or why it cannot be used.
type opened struct {
	model *classifier.OfSegments
	why   string
}

var decoder = library.Decoder[*opened]{Limit: classifier.MaxBytes, Decode: func(body []byte) (*opened, int64, error) {
	m, err := classifier.Decode(body)
	if err != nil {
		return nil, 0, err
	}
	of, err := m.OfSegments()
	if err != nil {
		return &opened{why: err.Error()}, 1 << 10, nil
	}
	return &opened{model: of}, m.Memory(), nil
}}

// Of is the model of a generation: the one that was trained last, else that of the source; nil if the generation has no model, or none that
// this program can use: then why says it, and the rules decide. A file that is not what it should be is such a one. The errors are
// those of library.Get but for ErrDamaged.
func Of(ctx context.Context, v *library.View) (m *classifier.OfSegments, why string, err error) {
	for _, kind := range classifier.NewestOf() {
		key, ok := v.Artefact(kind)
		if !ok {
			continue
		}
		switch o, err := library.Get(ctx, v, key, decoder); {
		case errors.Is(err, library.ErrDamaged):
			why = "its file is damaged"
		case err != nil:
			return nil, "", err
		case o.model != nil:
			return o.model, "", nil
		default:
			why = o.why
		}
	}
	return nil, why, nil
}
