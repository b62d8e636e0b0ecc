package ne

import (
	"slices"
	"sync"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
)

// openedBytes is how many bytes of snapshots, as they are stored, stay open: some 40 of average size, which take ten times
// that in memory.
const openedBytes = 8 << 20

// opened are the snapshots that were opened last. A snapshot is read for its KG and for each neighbour, shortly one after the
// other: neighbours have codes that are near each other.
type opened struct {
	mu    sync.Mutex
	files []*openedFile // the last one used stands last
	bytes int64
}

type openedFile struct {
	of   manifest.Object
	once sync.Once
	file *kgfile.File
	err  error
}

// open gives a snapshot, which read opens unless it is open. Who asks for one that is being opened waits for it.
func (o *opened) open(of manifest.Object, read func() (*kgfile.File, error)) (*kgfile.File, error) {
	f := o.use(of)
	f.once.Do(func() { f.file, f.err = read() })
	if f.err != nil {
		o.drop(f) // the next may have more luck
	}
	return f.file, f.err
}

// use puts a snapshot last, and lets go of those that were not used for long.
func (o *opened) use(of manifest.Object) *openedFile {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := &openedFile{of: of}
	if i := slices.IndexFunc(o.files, func(f *openedFile) bool { return f.of == of }); i >= 0 {
		f = o.files[i]
		o.files = slices.Delete(o.files, i, i+1)
	} else {
		o.bytes += of.Bytes
	}
	o.files = append(o.files, f)
	for len(o.files) > 1 && o.bytes > openedBytes {
		o.bytes -= o.files[0].of.Bytes
		o.files = slices.Delete(o.files, 0, 1)
	}
	return f
}

// drop lets go of a snapshot.
func (o *opened) drop(f *openedFile) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.files, f); i >= 0 {
		o.bytes -= f.of.Bytes
		o.files = slices.Delete(o.files, i, i+1)
	}
}
