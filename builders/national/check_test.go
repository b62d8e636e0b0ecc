package national

import (
	"context"
	"errors"
	"io"
	"testing"

	"mappe/artefacts/rowschema"
	"mappe/builders/source/sourcetest"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

// piecewise refuses to give more than 64 KB of a larger object at once.
type piecewise struct{ store.Store }

func (s piecewise) Get(ctx context.Context, key string, opt store.GetOptions) (*store.Object, error) {
	o, err := s.Store.Get(ctx, key, opt)
	if err == nil && o.Size > 64<<10 {
		o.Body = pieces{o.Body}
	}
	return o, err
}

type pieces struct{ io.ReadCloser }

func (p pieces) Read(b []byte) (int, error) {
	if len(b) > 64<<10 {
		return 0, errors.New("more than 64 KB asked for at once")
	}
	return p.ReadCloser.Read(b)
}

// The national tiles do not fit in memory, nor under the bound of objects that are read whole.
func TestCheckReadsInPieces(t *testing.T) {
	st := mem.New()
	mustBuild(t, sourcetest.Write(t, sourcetest.Three...), st, Options{})
	want := 5 + 3*15 + len((&Publication{}).stages())
	c, err := Check(t.Context(), piecewise{st}, func(rowschema.Quality) {})
	if err != nil || len(c.Broken) > 0 || c.Objects != want {
		t.Errorf("want %d objects and none broken, got %+v, %v", want, c, err)
	}
}
