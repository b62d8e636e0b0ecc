package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// later is the date of the second sources.
const later = "2027-04-01"

// changes says whether KG i is another KG's ground at the second date: one in a hundred.
func changes(i int) bool { return i%100 == 7 }

// changeSources turns the sources into those of the later date, and says how many KGs changed.
func (c *country) changeSources(where string) (n int, err error) {
	c.later = true
	for i := range c.kgs {
		if !changes(i) {
			continue
		}
		if err := c.clear(where, i); err != nil {
			return n, err
		}
		if err := writeTiles(where, c.snapshot(i)); err != nil {
			return n, err
		}
		n++
	}
	return n, write(where, "source.json", []byte(`{"stichtag":"`+later+`","attribution":"made-up test data"}`))
}

// clear takes away what the map shows of KG i's squares.
func (c *country) clear(where string, i int) error {
	corner, _ := place(i)
	side := squares[i%sizes][2]
	x, y := tileAt(corner.Lon(), corner.Lat())
	for _, layer := range []struct {
		set  string
		zoom int
	}{{"kataster", tileZoom}, {"kataster", tileZoom + 1}, {"symbole", tileZoom + 1}} {
		scale := int(math.Exp2(float64(layer.zoom - tileZoom)))
		for dx := range side * scale {
			for dy := range side * scale {
				err := os.Remove(filepath.Join(where, fmt.Sprintf("tiles/%s/%d/%d/%d.pbf", layer.set, layer.zoom, int(x)*scale+dx,
					(int(y)+1)*scale-1-dy)))
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}
