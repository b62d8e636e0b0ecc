package gpkg

import (
	"database/sql"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/format/formattest"
)

// SQLite itself checks the trees: one node, a full one, one more, three levels.
func TestSQLiteAcceptsTheIndex(t *testing.T) {
	for _, n := range []int{0, 1, 50, 51, 52, 102, 2601, 2602, 6000} {
		db, err := sql.Open("sqlite", write(t, file(n)))
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := db.QueryRow("SELECT rtreecheck('rtree_parcels_geom')").Scan(&got); err != nil || got != "ok" {
			t.Errorf("%d rows: %v %s", n, err, got)
		}
		var rows, least, most int
		err = db.QueryRow("SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM rtree_parcels_geom").Scan(&rows, &least, &most)
		if err != nil || rows != n || least != min(n, 1) || most != n {
			t.Errorf("%d rows: the index has %d from %d to %d, %v", n, rows, least, most, err)
		}
		db.Close()
	}
}

// A window finds in the index what lies in it, and what the rows' own boxes say.
func TestTheIndexFindsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var list []formattest.Row
		n := rapid.IntRange(0, 300).Draw(r, "rows")
		coordinate := rapid.Int32Range(-1_799_999_999, 1_799_999_999)
		for i := range n {
			g := format.Geometry{}
			if rapid.IntRange(0, 9).Draw(r, "drawn") > 0 {
				g = format.PolygonGeometry(geom.MultiPolygon{{formattest.Square(coordinate.Draw(r, "x"), coordinate.Draw(r, "y")/2,
					rapid.Int32Range(1, 100_000_000).Draw(r, "side")/2)}})
			}
			list = append(list, formattest.Row{Of: areaType, Vals: areas(1)[0].Vals, Shape: g})
			list[i].Vals = append([]format.Value{format.String(fmt.Sprint(i))}, list[i].Vals[1:]...)
		}
		db, err := sql.Open("sqlite", write(t,
			File{Layers: []Layer{{Name: "parcels", Layout: format.NewLayout(nil, areaType), Rows: format.Rows(list)}}}))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		x, y := float64(coordinate.Draw(r, "west"))/geom.Scale, float64(coordinate.Draw(r, "south"))/2/geom.Scale
		w, h := rapid.Float64Range(0, 180).Draw(r, "width"), rapid.Float64Range(0, 90).Draw(r, "height")
		want := 0
		for _, l := range list {
			e, ok := format.Projection{}.Envelope(l.Shape)
			if ok && e[0] <= x+w && e[2] >= x && e[1] <= y+h && e[3] >= y {
				want++
			}
		}
		var exact, missed int
		const joined = "FROM rtree_parcels_geom i WHERE i.maxx >= ? AND i.minx <= ? AND i.maxy >= ? AND i.miny <= ?"
		if err := db.QueryRow("SELECT count(*) "+joined, x, x+w, y, y+h).Scan(&exact); err != nil {
			r.Fatal(err)
		}
		if err := db.QueryRow("SELECT count(*) FROM rtree_parcels_geom").Scan(&missed); err != nil {
			r.Fatal(err)
		}
		// boxes are rounded outwards by at most 2e-5 degrees: a few more may touch the window
		if exact < want || exact > missed {
			r.Fatalf("the window finds %d of %d, want at least %d", exact, missed, want)
		}
	})
}

// Rounding to 32 bits never cuts a box.
func TestBoxesAreRoundedOutwards(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := rapid.Float64Range(-1e8, 1e8).Draw(r, "v")
		e := boxedRow(1, [4]float64{v, v, v, v}).box
		if float64(e[0]) > v || float64(e[1]) < v || math.Nextafter32(e[0], e[1]) < e[1] {
			r.Fatalf("%v is between %v and %v", v, e[0], e[1])
		}
	})
}
