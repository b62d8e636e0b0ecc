package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

const countryKGs = 7850

// Every KG of the country lies within Austria's bounds, on squares of its own.
func TestSquaresAreApart(t *testing.T) {
	of := map[[2]int]int{}
	for i := range countryKGs {
		corner, side := place(i)
		if corner.Lon() < 9.5 || corner.Lon() > 17.2 || corner.Lat() < 46.3 || corner.Lat() > 49.1 || side < 1 {
			t.Fatalf("KG %d: corner %.4f, %.4f, side %.1f km", i, corner.Lon(), corner.Lat(), side)
		}
		x, y := tileAt(corner.Lon(), corner.Lat())
		for dx := range squares[i%sizes][2] {
			for dy := range squares[i%sizes][2] {
				at := [2]int{int(x) + dx, int(y) - dy}
				if other, taken := of[at]; taken {
					t.Fatalf("KGs %d and %d share the square %v", i, other, at)
				}
				of[at] = i
			}
		}
	}
}

// What a KG draws is on its squares alone: cleared, nothing of it is left, and nothing else is gone.
func TestAKGDrawsOnItsSquares(t *testing.T) {
	c, where := &country{kgs: made(sizes)}, t.TempDir()
	tiles := func() (out int) {
		err := filepath.WalkDir(filepath.Join(where, "tiles"), func(_ string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				out++
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return out
	}
	for _, i := range []int{0, 3, 5} {
		before := tiles()
		if err := writeTiles(where, c.snapshot(i)); err != nil {
			t.Fatal(err)
		}
		drawn := tiles()
		if drawn <= before {
			t.Fatalf("KG %d drew no tile", i)
		}
		if err := c.clear(where, i); err != nil {
			t.Fatal(err)
		}
		if left := tiles(); left != before {
			t.Errorf("KG %d: %d tiles before, %d drawn, %d after they were cleared", i, before, drawn-before, left)
		}
		if err := writeTiles(where, c.snapshot(i)); err != nil {
			t.Fatal(err)
		}
	}
}
