package landscape

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"mappe/shared/cloud/store"
)

func TestScratch(t *testing.T) {
	s := villageWorld(t)
	told, records := withProducts(t, s, village)
	t.Log(told)
	e, _, err := records.Entry(t.Context(), village)
	if err != nil {
		t.Fatal(err)
	}
	os.MkdirAll("/tmp/e/out", 0o755)
	for _, f := range e.Products.Files {
		o, err := s.Get(t.Context(), f.Key, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(o.Body)
		os.WriteFile(filepath.Join("/tmp/e/out", f.File), b, 0o644)
		t.Log(f.Name, f.Bytes)
	}
}
