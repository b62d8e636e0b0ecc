package export

import (
	"context"
	"io"

	"mappe/shared/cloud/spool"
	"mappe/shared/web/reply"
)

// writers bounds the files that are written at once.
type writers chan struct{}

// file is a form that cannot be streamed.
type file struct {
	media, ending string
	write         func(path string) error
}

// file writes a form into a temporary folder and answers with it; it is gone when the answer is over.
func (turn writers) file(ctx context.Context, p *plan, form file) (*reply.Content, error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := spool.Write("export"+form.ending, form.write)
	if err != nil {
		return nil, err
	}
	return &reply.Content{
		ContentType: form.media, Size: f.Size, Filename: p.filename(form.ending), Header: p.gaps.Header(),
		Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(f, offset, length)), nil
		},
		Done: func() { f.Close() }, // read only
	}, nil
}
