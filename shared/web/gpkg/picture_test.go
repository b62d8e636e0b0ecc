package gpkg

import (
	"context"
	"database/sql"
	"fmt"
	"image"
	"path/filepath"
	"testing"
)

// quilt is a picture of 768 x 300 cells, of which those from column 300 on are there.
func quilt() Picture {
	return Picture{Name: "ortho", Pyramid: Pyramid{EPSG: 3035, West: 4500000, North: 2800300, Step: 0.5, Cols: 768, Rows: 300, Levels: 2},
		Read: func(_ context.Context, w Window) (*image.NRGBA, error) {
			img := image.NewNRGBA(image.Rect(0, 0, w.Cols, w.Rows))
			for i := range w.Cols * w.Rows {
				if (w.Col+i%w.Cols)<<w.Level >= 300 {
					copy(img.Pix[4*i:], []uint8{200, 100, uint8(w.Row), 255})
				}
			}
			return img, nil
		}}
}

// A whole tile is a JPEG, one with holes a PNG, an empty one is not there; all levels cover the same extent.
func TestPictureTiles(t *testing.T) {
	f := file(2)
	f.Pictures = []Picture{quilt()}
	db, err := sql.Open("sqlite", write(t, f))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tiles := func(zoom int) string {
		return fmt.Sprintf(`SELECT group_concat(tile_column||'/'||tile_row||hex(substr(tile_data,1,2)),' ')
			FROM (SELECT * FROM ortho WHERE zoom_level=%d ORDER BY tile_row,tile_column)`, zoom)
	}
	for _, c := range []struct{ query, want string }{
		{tiles(1), "1/08950 2/0FFD8 1/18950 2/18950"},
		{tiles(0), "0/08950 1/08950"},
		{"SELECT data_type||srs_id FROM gpkg_contents WHERE table_name='ortho'", "tiles3035"},
		{"SELECT min_x||' '||min_y||' '||max_x||' '||max_y FROM gpkg_tile_matrix_set", "4500000.0 2800044.0 4500512.0 2800300.0"},
		{"SELECT count(*) FROM sqlite_master WHERE name LIKE 'gpkg_2d%'", "0"},
		{"SELECT count(*) FROM pragma_foreign_key_check", "0"},
	} {
		var got string
		if err := db.QueryRow(c.query).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q (%v)", c.query, got, c.want, err)
		}
	}
}

func TestPictureRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Picture){
		"name": func(p *Picture) { p.Name = "Ortho" }, "step": func(p *Picture) { p.Step = 0 },
		"too small": func(p *Picture) {
			p.Read = func(context.Context, Window) (*image.NRGBA, error) {
				return image.NewNRGBA(image.Rect(0, 0, 1, 1)), nil
			}
		},
	} {
		f := file(1)
		f.Pictures = []Picture{quilt()}
		spoil(&f.Pictures[0])
		if err := WriteFile(context.Background(), filepath.Join(t.TempDir(), "x.gpkg"), f); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
