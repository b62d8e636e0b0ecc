package export

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"mappe/shared/web/reply"
)

// writers bounds the files that are written at once.
type writers chan struct{}

// file is a form that cannot be streamed.
type file struct {
	media, ending string
	write         func(path string) error
}

// file writes a form into a temporary folder and answers with it; it is removed when the answer is over.
func (turn writers) file(ctx context.Context, p *plan, form file) (_ *reply.Content, err error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	dir, err := os.MkdirTemp("", "export")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	path := filepath.Join(dir, "export"+form.ending)
	if err := form.write(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &reply.Content{
		ContentType: form.media, Size: info.Size(), Filename: p.filename(form.ending), Header: p.gaps.Header(),
		Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(f, offset, length)), nil
		},
		Done: func() { f.Close(); os.RemoveAll(dir) }, // read only; what stays in the way of a temporary file is the system's
	}, nil
}
