package landscape

import (
	"database/sql"
	"image"
	"testing"

	"mappe/infra/oracles"
)

// drawn is the share of the pixels of a picture of QGIS that are not its white ground.
func drawn(m image.Image) float64 {
	n, all := 0, 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if r, g, b, _ := m.At(x, y).RGBA(); min(r, g, b) < 0xffff {
				n++
			}
			all++
		}
	}
	return float64(n) / float64(all)
}

// TestQGISOpensTheProducts: each layer of the GeoPackages of a KG is opened without a word of complaint, has all its rows and the style
// that the file brings, and is drawn.
func TestQGISOpensTheProducts(t *testing.T) {
	oracles.QGISPython(t)
	p := villageProducts(t)
	type layer struct {
		rows   int
		raster bool
		style  string
	}
	styles := map[string]string{"segments": "categorizedSymbol", "segment_points": "categorizedSymbol", "trees": "categorizedSymbol",
		"buildings": "categorizedSymbol", "changes": "categorizedSymbol", "parcels": "singleSymbol", "new_buildings": "singleSymbol"}
	layers, asks := map[string]layer{}, []oracles.QGISAsk{}
	for _, file := range []string{"full.gpkg", "light.gpkg"} {
		db, err := sql.Open("sqlite", p.path(file))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var box [4]float64
		if err := db.QueryRow("SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name='segments' AND srs_id=3035").
			Scan(&box[0], &box[1], &box[2], &box[3]); err != nil {
			t.Fatal(err)
		}
		rows, err := db.Query("SELECT table_name, data_type FROM gpkg_contents " +
			"WHERE data_type<>'attributes' ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name, kind string
			if err := rows.Scan(&name, &kind); err != nil {
				t.Fatal(err)
			}
			l := layer{style: styles[name]}
			ask := oracles.QGISAsk{Name: file + "-" + name, Provider: "ogr", URI: p.path(file) + "|layername=" + name, CRS: "EPSG:3035",
				Box: box, Width: 400, Height: 400}
			if l.raster = kind != "features"; l.raster {
				ask.Provider, ask.URI = "gdal", "GPKG:"+p.path(file)+":"+name
			} else if err := db.QueryRow("SELECT count(*) FROM " + name).Scan(&l.rows); err != nil {
				t.Fatal(err)
			}
			layers[ask.Name], asks = l, append(asks, ask)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	answers, pictures := oracles.QGIS(t, asks)
	if t.Failed() {
		return
	}
	rasters := 0
	for name, l := range layers {
		a, share := answers[name], drawn(pictures[name])
		switch {
		case l.raster:
			if rasters++; share < 0.2 {
				t.Errorf("%s: %.1f %% of the picture are drawn, want at least 20 %%", name, 100*share)
			}
		case a.Count != l.rows:
			t.Errorf("%s: QGIS has %d rows of %d", name, a.Count, l.rows)
		case (share > 0) != (l.rows > 0):
			t.Errorf("%s: %.1f %% of the picture are drawn of %d rows", name, 100*share, l.rows)
		}
		if a.Style != l.style {
			t.Errorf("%s is drawn by %q, want %q", name, a.Style, l.style)
		}
	}
	if share := drawn(pictures["full.gpkg-segments"]); share < 0.4 || rasters < 4 || len(layers) < 13 {
		t.Errorf("%.1f %% of the picture of segments, %d rasters, %d layers", 100*share, rasters, len(layers))
	}
}
