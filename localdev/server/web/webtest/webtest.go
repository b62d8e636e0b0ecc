// Package webtest makes bundles of pages for tests, as build.mjs packs them.
package webtest

import (
	"bytes"
	"compress/gzip"
	"testing"
	"testing/fstest"
)

// Bundle is a folder with the files, by their names.
func Bundle(t testing.TB, files map[string]string) fstest.MapFS {
	t.Helper()
	folder := fstest.MapFS{".gitkeep": {}}
	for name, text := range files {
		folder[name+".gz"] = &fstest.MapFile{Data: Packed(t, text), Mode: 0o644}
	}
	return folder
}

// Packed is a file of a bundle.
func Packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
