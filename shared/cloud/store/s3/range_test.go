package s3

import (
	"testing"

	"mappe/shared/cloud/store"
)

func TestRangeHeader(t *testing.T) {
	for _, c := range []struct {
		r    store.Range
		want string
	}{
		{store.Range{}, "bytes=0-"},
		{store.Range{Offset: 5}, "bytes=5-"},
		{store.Range{Offset: 5, Length: 5}, "bytes=5-9"},
		{store.Range{Offset: -8}, "bytes=-8"},
		{store.Range{Offset: -8, Length: 2}, "bytes=-8"},
		{store.Range{Offset: 1, Length: 1<<63 - 1}, "bytes=1-"},
	} {
		if got := *rangeHeader(&c.r); got != c.want {
			t.Errorf("%+v: want %s, got %s", c.r, c.want, got)
		}
	}
}

func FuzzContentRange(f *testing.F) {
	for _, seed := range []string{"bytes 5-9/20", "bytes */20", "bytes 5-9/*", "", "bytes 5", "bytes 9223372036854775808-1/1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, h string) {
		size, offset, err := contentRange(h)
		if err != nil && (size != 0 || offset != 0) {
			t.Errorf("%q: values beside an error: %d, %d, %v", h, size, offset, err)
		}
	})
}
