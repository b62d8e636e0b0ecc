package ne

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
)

// A snapshot that was used lately is opened once; what is open keeps within its bytes, and a failure is tried again.
func TestOpenedSnapshots(t *testing.T) {
	var o opened
	reads := map[string]int{}
	open := func(key string, size int64, err error) error {
		_, got := o.open(manifest.Object{Key: key, Bytes: size}, func() (*kgfile.File, error) {
			reads[key]++
			return &kgfile.File{}, err
		})
		return got
	}
	const third = openedBytes / 3
	for _, key := range []string{"a", "b", "a", "c", "a", "d", "a", "b"} { // d lets go of b
		if err := open(key, third, nil); err != nil {
			t.Fatal(err)
		}
	}
	if want := map[string]int{"a": 1, "b": 2, "c": 1, "d": 1}; fmt.Sprint(reads) != fmt.Sprint(want) {
		t.Errorf("read %v, want %v", reads, want)
	}
	if len(o.files) != 3 || o.bytes != 3*third {
		t.Errorf("%d files of %d bytes are open", len(o.files), o.bytes)
	}
	if err := open("large", 2*openedBytes, nil); err != nil || len(o.files) != 1 || o.bytes != 2*openedBytes {
		t.Errorf("beside a large one %d files of %d bytes are open, %v", len(o.files), o.bytes, err)
	}
	broken := errors.New("broken")
	if err := open("e", third, broken); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if err := open("e", third, nil); err != nil || reads["e"] != 2 || len(o.files) != 1 || o.bytes != third {
		t.Errorf("tried again: %v, read %d times; %d files of %d bytes", err, reads["e"], len(o.files), o.bytes)
	}
}

// Who asks at once gets the same snapshot, opened once.
func TestOpenedAtOnce(t *testing.T) {
	var o opened
	var reads atomic.Int64
	var g sync.WaitGroup
	files := make([]*kgfile.File, 8)
	for i := range files {
		g.Go(func() {
			f, err := o.open(manifest.Object{Key: "a", Bytes: 1}, func() (*kgfile.File, error) {
				reads.Add(1)
				return &kgfile.File{}, nil
			})
			if err != nil {
				t.Error(err)
			}
			files[i] = f
		})
	}
	g.Wait()
	for _, f := range files {
		if f == nil || f != files[0] || reads.Load() != 1 {
			t.Fatalf("%d reads, files %p and %p", reads.Load(), f, files[0])
		}
	}
}
