package mirror

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"mappe/artefacts/cog"
	source "mappe/builders/source/rasters"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/raster"
)

// model is a height model of some MB.
func model(t *testing.T) []byte {
	t.Helper()
	g := raster.New(4_400_000, 2_701_500, 1, 2000, 1500)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range g.Z {
		g.Z[i] = r.Float32() * 100
	}
	b, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: 3035})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func stored(t *testing.T, files map[string][]byte) store.Store {
	t.Helper()
	st := mem.New()
	for key, body := range files {
		if _, err := st.Put(t.Context(), key, body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return st
}

// The rasters of a source in a store are found and read where they lie, by range; none is copied.
func TestRastersAreReadWhereTheyLie(t *testing.T) {
	body := model(t)
	st := &storetest.Counting{Store: stored(t, map[string][]byte{"rasters/20240915/DTM_a.tif": body, "rasters/20240915/README": []byte("x"),
		"rasters/credits.json": []byte("{}"), "source.json": []byte("{}")})}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := OpenRasters(ctx, st)
	if err != nil {
		t.Fatal(err)
	}
	cancel() // the process goes on
	if err := fstest.TestFS(folders{r}, "rasters/20240915/DTM_a.tif", "rasters/credits.json"); err != nil {
		t.Error(err)
	}
	st.Reset()
	files, passed, err := source.Find(r)
	if err != nil || len(files) != 1 || len(passed) > 0 || files[0].Sum == "" {
		t.Fatalf("%v %v %v", files, passed, err)
	}
	if got := st.Reads(); got.Bytes > 1<<20 {
		t.Errorf("%d of %d bytes are read to find it", got.Bytes, len(body))
	}
	in, size, err := files[0].Open()
	if err != nil || size != int64(len(body)) {
		t.Fatal(size, err)
	}
	head := files[0].Head
	w := cog.Window{Col: 700, Row: 800, Cols: 100, Rows: 100}
	got, err := head.Read(in, &head.Images[0], 0, w)
	if err != nil {
		t.Fatal(err)
	}
	want, err := head.Read(bytes.NewReader(body), &head.Images[0], 0, w)
	if err != nil || want.Z[77] != got.Z[77] || len(want.Z) != len(got.Z) {
		t.Errorf("%v, %v", got, err)
	}
	if b := st.Reads().Bytes; b > int64(len(body))/2 {
		t.Errorf("%d of %d bytes are read for a window", b, len(body))
	}
	if c, err := source.Credits(r); err != nil || len(c) != 0 {
		t.Errorf("%v, %v", c, err)
	}
	dir := t.TempDir()
	if err := Copy(t.Context(), st, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "rasters")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rasters are copied: %v", err)
	}
	// Other bytes have another sum, and a file that is replaced while it is open is no mixture.
	other := bytes.Clone(body)
	other[len(other)-1] ^= 1
	if _, err := st.Put(t.Context(), "rasters/20240915/DTM_a.tif", other, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.ReadAt(make([]byte, 10), size-10); err == nil {
		t.Error("a file that was replaced is read on")
	}
	again, err := OpenRasters(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if files2, _, err := source.Find(again); err != nil || files2[0].Sum == files[0].Sum {
		t.Errorf("other bytes have the same sum: %v", err)
	}
}

// A source without rasters has none.
func TestNoRasters(t *testing.T) {
	r, err := OpenRasters(t.Context(), stored(t, map[string][]byte{"source.json": []byte("{}")}))
	if err != nil {
		t.Fatal(err)
	}
	if files, passed, err := source.Find(r); err != nil || len(files)+len(passed) > 0 {
		t.Errorf("%v %v %v", files, passed, err)
	}
}

// folders opens folders too, which the files of a store do not need.
type folders struct{ *Rasters }

func (f folders) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil || !info.IsDir() {
		return f.Rasters.Open(name)
	}
	list, err := f.ReadDir(name)
	return &folder{info, list}, err
}

type folder struct {
	info fs.FileInfo
	list []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error)   { return 0, errors.New("a folder") }
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		list := f.list
		f.list = nil
		return list, nil
	}
	if len(f.list) == 0 {
		return nil, io.EOF
	}
	list := f.list[:min(n, len(f.list))]
	f.list = f.list[len(list):]
	return list, nil
}
