package cells

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/ne"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// wide is a country of n by n KGs side by side, each some 2.2 by 1.7 km, with real rows.
func wide(b *testing.B, n int) http.Handler {
	b.Helper()
	var list []*kgfile.Snapshot
	for i := range n * n {
		s := fixture.Many(1)[0]
		x, y := float64(i%n)*20, float64(i/n)*20
		s.KG.Code = austria.KGCode(fmt.Sprint(81001 + i))
		s.Outline = geom.MultiPolygon{{fixture.Rect(x, y, x+20, y+20)}}
		s.KG.Box = s.Outline.Bounds()
		list = append(list, s)
	}
	st := mem.New()
	if err := fixture.PublishWith(st, list, func(c *register.Contents) {
		for i := range c.KGs {
			c.KGs[i].Outline = list[i].Outline
		}
	}); err != nil {
		b.Fatal(err)
	}
	if err := fixture.AddCells(st, list, fixture.CellsOf{Log: threePublications()}); err != nil {
		b.Fatal(err)
	}
	return over(b, st)
}

func BenchmarkCells(b *testing.B) {
	h := wide(b, 3)
	centre, err := hexgrid.PointToCell(fixture.At(30, 30), ne.LURes)
	if err != nil {
		b.Fatal(err)
	}
	disk, err := centre.GridDisk(74)
	if err != nil {
		b.Fatal(err)
	}
	body := ids2(disk[:maxPostIDs])
	chunk := parent(centre, ne.ChunkRes).String()
	border, err := hexgrid.PointToCell(fixture.At(20, 20), ne.ChunkRes)
	if err != nil {
		b.Fatal(err)
	}
	p := fixture.At(30, 30)
	for _, c := range []struct{ name, method, path, body string }{
		{"post 16384 ids/bin", "POST", "/cells", body}, {"post 16384 ids/json", "POST", "/cells?format=json", body},
		{"chunk/zstd", "GET", "/chunk/" + chunk, ""}, {"chunk/bin", "GET", "/chunk/" + chunk + "?format=bin", ""},
		{"chunk/json", "GET", "/chunk/" + chunk + "?format=json", ""},
		{"chunk of four KGs/zstd", "GET", "/chunk/" + border.String(), ""},
		{"chunk of four KGs/bin", "GET", "/chunk/" + border.String() + "?format=bin", ""},
		{"cell", "GET", "/cell/" + centre.String(), ""}, {"rings", "GET", fmt.Sprintf("/cells?lon=%.7f&lat=%.7f&k=3", p.Lon(), p.Lat()),
			""},
		{"bbox of 0.02 degrees", "GET", "/cells?bbox=15.02,48.02,15.04,48.04", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := fixture.Ask(h, c.method, "/api/v1/ne"+c.path, c.body); w.Code != 200 {
					b.Fatalf("%d %.300s", w.Code, w.Body)
				}
			}
		})
	}
}

// BenchmarkManifest is the list of 7,850 KGs, as large as Austria's.
func BenchmarkManifest(b *testing.B) {
	st := mem.New()
	index := &ne.Index{}
	log := threePublications()
	for i := range 7850 {
		code := austria.KGCode(fmt.Sprintf("%05d", 10000+i))
		key := keys.Cells{Code: code, Date: fixture.Stichtag, Sum: fmt.Sprintf("%016x", i)}
		index.KGs = append(index.KGs, ne.IndexKG{Code: code, Stichtag: fixture.Stichtag, Generation: key.Sum, Key: key.String(),
			Bytes: 150_000, Inputs: "made up", Rows: 35_000, Digest: key.Sum, KRows: 700, KDigest: key.Sum})
		if i%100 == 0 {
			log.Entries[2].Cells = append(log.Entries[2].Cells, code)
		}
	}
	slices.Sort(log.Entries[2].Cells)
	if err := fixture.PublishWith(st, fixture.Snapshots(), func(c *register.Contents) {
		for _, k := range index.KGs {
			c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: k.Code, Name: "Ort", GemeindeCode: "38801", Box: geom.EmptyBox},
				DistrictCode: "388"})
		}
		slices.SortFunc(c.KGs, func(a, b register.KG) int {
			if a.Code < b.Code {
				return -1
			}
			return 1
		})
	}, unbuilt); err != nil {
		b.Fatal(err)
	}
	if err := fixture.AddIndex(st, index, log); err != nil {
		b.Fatal(err)
	}
	h := over(b, st)
	for _, c := range []struct{ name, path string }{
		{"delta of 79 KGs", "/manifest?since=" + secondAt}, {"delta of none", "/manifest?since=" + thirdAt}, {"whole", "/manifest"},
		{"digests", "/manifest?fields=digests"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := get(h, c.path); w.Code != 200 {
					b.Fatalf("%d %.300s", w.Code, w.Body)
				}
			}
		})
	}
}
