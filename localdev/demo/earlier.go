package demo

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mappe/builders/kg/tilecut"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/geo/crs"
)

// earlierFolder has what differs in the sources of earlier dates, a folder for each.
const earlierFolder = "earlier"

// Dates are those of the sources, oldest first: the country is built at each, so that what changed in between is known.
var Dates = []string{"2026-04-01", "2026-07-01", Stichtag}

// The edits: in these KGs, so many of the largest patches of a use had another use until a date.
const (
	perEdit  = 4
	minPatch = 4000 // m²; about a dozen cells of resolution 12
)

var edits = []struct {
	kg     string
	until  string // the first date that has the use of today
	now    uint8
	before uint8
}{
	{"99203", "2026-07-01", 48, 56}, // wood was cleared
	{"99102", "2026-07-01", 56, 57}, // scrub has grown up
	{"99203", "2026-10-01", 56, 48}, // meadow was planted
	{"99102", "2026-10-01", 48, 52}, // a garden was given up
}

// edit is a patch of land whose use has changed.
type edit struct {
	use         int // in world.Uses
	until       string
	before, now uint8
	areaM2      float64
}

// chooseEdits takes the largest patches of each edit; a patch is edited once.
func chooseEdits(w *world.World) (chosen []edit) {
	taken := map[int]bool{}
	for _, e := range edits {
		var of []edit
		for i, u := range w.Uses {
			if w.KGs[w.Parcels[u.Parcel].KG].Code != e.kg || u.NS != e.now || taken[i] {
				continue
			}
			if a := world.Geometry([]planar.Poly{u.Shape}, 2).Area(crs.EqualArea); a >= minPatch {
				of = append(of, edit{i, e.until, e.before, e.now, a})
			}
		}
		slices.SortStableFunc(of, func(a, b edit) int { return cmp.Compare(b.areaM2, a.areaM2) })
		for _, o := range of[:min(len(of), perEdit)] {
			taken[o.use] = true
			chosen = append(chosen, o)
		}
	}
	return chosen
}

// earlier writes the land-use tiles of earlier dates where they differ from those of today, and the edits as truth.
func (o *output) earlier(w *world.World) error {
	list := chooseEdits(w)
	b := []byte("kg_code,parcel_id,before,now,first_date,area_sqm,lon,lat\n")
	for _, e := range list {
		u := &w.Uses[e.use]
		p := &w.Parcels[u.Parcel]
		x, y, _ := u.Shape.Inside()
		at := world.P{X: x * world.Unit / 2, Y: y * world.Unit / 2}.E7()
		b = fmt.Appendf(b, "%s,%s-%s,%d,%d,%s,%.2f,%.7f,%.7f\n", w.KGs[p.KG].Code, w.KGs[p.KG].Code, p.GNR, e.before, e.now, e.until,
			e.areaM2, at.Lon(), at.Lat())
	}
	if err := o.file("truth/land-use-edits.csv", b); err != nil {
		return err
	}
	for _, date := range Dates[:len(Dates)-1] {
		uses, symbols := slices.Clone(w.Uses), slices.Clone(w.Symbols)
		for _, e := range list {
			if e.until <= date {
				continue
			}
			uses[e.use].NS = e.before
			for i := range symbols {
				s := &symbols[i]
				if s.Parcel == uses[e.use].Parcel && s.NS == e.now && uses[e.use].Shape.Contains(s.At.X*2/world.Unit, s.At.Y*2/world.Unit) {
					s.NS = e.before
				}
			}
		}
		if err := o.changedTiles(date, "kataster", landUseFeatures(w, uses)); err != nil {
			return err
		}
		if err := o.changedTiles(date, "symbole", symbolFeatures(symbols)); err != nil {
			return err
		}
		src, err := settings(date)
		if err != nil {
			return err
		}
		if err := o.file(earlierFolder+"/"+date+"/source.json", src); err != nil {
			return err
		}
	}
	return nil
}

// changedTiles writes the tiles of an earlier date that are not those of today.
func (o *output) changedTiles(date, folder string, features []tilecut.Feature) error {
	return cut(folder, landUseZoom, features, func(name string, tile []byte) error {
		today, err := os.ReadFile(filepath.Join(o.dir, name))
		if err != nil || bytes.Equal(today, tile) {
			return err
		}
		return o.file(earlierFolder+"/"+date+"/"+name, tile)
	})
}

// At makes the sources as they were at an earlier date of Dates in a new directory: links to the files of source that
// are the same, and those that were others.
func At(source, date, dir string) error {
	own := filepath.Join(source, earlierFolder, date)
	if _, err := os.Stat(own); err != nil {
		return fmt.Errorf("the demo country has no sources of %s: %w", date, err)
	}
	return filepath.WalkDir(source, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(source, path)
		switch {
		case err != nil:
			return err
		case name == earlierFolder || name == "truth":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		}
		from := path
		if other := filepath.Join(own, name); exists(other) {
			from = other
		}
		to := filepath.Join(dir, name)
		if os.Link(from, to) == nil {
			return nil
		}
		b, err := os.ReadFile(from) // a file system without links
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
