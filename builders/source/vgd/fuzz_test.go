package vgd

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"mappe/shared/geo/shapefile"
	"mappe/shared/geo/shapefile/shapefiletest"
)

// FuzzArchive: an archive of any bytes is read or refused, and what is read is sound.
func FuzzArchive(f *testing.F) {
	file := shapefiletest.File{Prj: shapefiletest.MGILambert, Columns: []string{"KG_NR", "KG", "GKZ", "PG", "FL"},
		Rows: []shapefiletest.Row{
			{Rings: [][]shapefile.XY{{{500_000, 480_000}, {500_000, 480_100}, {500_100, 480_100}}},
				Cells: []string{"1004", "Öd", "31507", "Dorf", "5000"}},
			{Rings: [][]shapefile.XY{{{500_000, 480_000}, {500_100, 480_100}, {500_100, 480_000}}},
				Cells: []string{"1004", "Öd", "31507", "Dorf", "5000"}},
		}}
	path := filepath.Join(f.TempDir(), "vgd.zip")
	file.WriteZip(f, path)
	b, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, file.SHP(), file.DBF())
	f.Fuzz(func(t *testing.T, archive, shp, dbf []byte) {
		if z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive))); err == nil {
			check(t, z)
		}
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for name, body := range map[string][]byte{"a.shp": shp, "a.dbf": dbf} {
			m, err := w.Create(name)
			if err == nil {
				_, err = m.Write(body)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
		if err != nil {
			t.Fatal(err)
		}
		check(t, z)
	})
}

func check(t *testing.T, z *zip.Reader) {
	b, err := read(z, "x.zip")
	if err != nil {
		return
	}
	for i, k := range b.KGs {
		if f := k.Geometry.Check(); len(f) > 0 {
			t.Errorf("%s: %v", k.Code, f)
		}
		if i > 0 && b.KGs[i-1].Code >= k.Code {
			t.Errorf("%s stands behind %s", k.Code, b.KGs[i-1].Code)
		}
	}
	b.Registers()
	for _, g := range b.Gemeinden() {
		if f := g.Geometry.Check(); len(f) > 0 {
			t.Errorf("municipality %s: %v", g.Code, f)
		}
	}
}
