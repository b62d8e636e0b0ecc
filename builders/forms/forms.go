package forms

import (
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/builders/tiles"
)

// Files are the five forms of one snapshot, each a whole file.
type Files struct {
	KGS        []byte
	GeoParquet []byte
	GeoJSON    []byte // gzipped
	GeoPackage []byte
	PMTiles    []byte
}

// Write makes all five forms. The snapshot is put on its grid first (kgfile.Quantise), so that all
// forms hold the same values. workers bounds the goroutines of the tiles; the bytes do not depend on it.
func Write(s *kgfile.Snapshot, workers int) (Files, error) {
	kgfile.Quantise(s)
	var f Files
	for _, form := range []struct {
		name string
		out  *[]byte
		make func() ([]byte, error)
	}{
		{"kgs", &f.KGS, func() ([]byte, error) { return kgfile.Encode(s) }},
		{"GeoParquet", &f.GeoParquet, func() ([]byte, error) { return GeoParquet(s) }},
		{"GeoJSON", &f.GeoJSON, func() ([]byte, error) { return GeoJSON(s) }},
		{"GeoPackage", &f.GeoPackage, func() ([]byte, error) { return GeoPackage(s) }},
		{"PMTiles", &f.PMTiles, func() ([]byte, error) { return tiles.Build(s, tiles.Options{Workers: workers}) }},
	} {
		var err error
		if *form.out, err = form.make(); err != nil {
			return Files{}, fmt.Errorf("KG %s: %s: %w", s.KG.Code, form.name, err)
		}
	}
	return f, nil
}
