package inventory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	published "mappe/artefacts/rasters"
	"mappe/builders/source/outlines"
	"mappe/builders/source/rasters"
	"mappe/builders/source/registers"
	"mappe/builders/source/table"
)

// shown bounds the problems that are told of a file.
const shown = 3

func problems(p table.Problems) (out []string) {
	for _, q := range p.First[:min(len(p.First), shown)] {
		out = append(out, q.Error())
	}
	if more := p.Total - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more like these", more))
	}
	return out
}

// thousands writes a number with blanks between its thousands.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// counted is a number of things: "1 row", "7 850 rows".
func counted(n int64, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return thousands(n) + " " + strings.TrimSuffix(thing, "y") + "ies"
	}
	return thousands(n) + " " + thing + "s"
}

// outlines reads kg.geojson and gemeinden.geojson.
func (t *taker) outlines(context.Context) error {
	kgs, gemeinden, p, err := outlines.Read(os.DirFS(t.dir))
	for _, f := range []struct {
		name, adds string
		n          int
		to         *bool
	}{
		{"kg.geojson", "outlines of KGs, in place of those of the boundaries", len(kgs), &t.drawn},
		{"gemeinden.geojson", "outlines of municipalities, in place of those of the boundaries", len(gemeinden), &t.municipal},
	} {
		i := Item{Topic: "outlines", Path: f.name, State: Read, Adds: f.adds, Holds: []string{counted(int64(f.n), "outline")}}
		switch {
		case !t.has(f.name):
			continue // the boundaries are what is missing, if anything is
		case err != nil:
			i.State, i.Holds, i.Notes = Unreadable, nil, []string{err.Error()}
			t.lack("outlines that can be read: %v", err)
		default:
			*f.to = f.n > 0
			if i.Needed = f.name == "kg.geojson" && !t.boundary; f.name == "kg.geojson" {
				i.Notes = problems(p)
			}
		}
		t.add(i)
	}
	if !t.drawn && !t.boundary && err == nil {
		t.lack("no outlines of KGs: %s, or kg.geojson", publishedBoundaries.File)
	}
	return nil
}

// registers reads the CSV files of the folder registers.
func (t *taker) registers(context.Context) error {
	r, p, err := registers.Read(os.DirFS(t.dir))
	if err != nil {
		t.lack("registers that can be read: %v", err)
	}
	for _, f := range []struct {
		name, adds string
		n          int
	}{
		{"kg.csv", "names and municipalities of KGs, also of those without parcels here", len(r.KGs)},
		{"gemeinden.csv", "names and positions of municipalities", len(r.Gemeinden)},
		{"districts.csv", "names of districts", len(r.Districts)},
		{"ortschaften.csv", "localities", len(r.Localities)},
		{"plz.csv", "postal codes", len(r.Postal)},
		{"areas.csv", "register areas that a build is checked against", len(r.Areas)},
	} {
		name := "registers/" + f.name
		i := Item{Topic: "registers", Path: name, State: Read, Adds: f.adds, Holds: []string{counted(int64(f.n), "row")}}
		list := f.name == "kg.csv"
		switch {
		case !t.has(name):
			i.Path, i.Expected, i.State, i.Holds = "", name, Missing, nil
			if list && t.boundary || t.boundary && (f.name == "gemeinden.csv" || f.name == "districts.csv") {
				continue // the boundaries have the names
			}
			if list {
				i.Published = &publishedKGs
			}
		case err != nil:
			i.State, i.Holds, i.Notes = Unreadable, nil, []string{err.Error()}
		case list:
			i.Notes, i.Published, t.listed = problems(p), &publishedKGs, f.n > 0
		}
		t.add(i)
	}
	if !t.listed && !t.boundary && err == nil {
		t.lack("no list of KGs: %s, or registers/kg.csv", publishedBoundaries.File)
	}
	return nil
}

// overlays names the files of the folder overlays.
func (t *taker) overlays(context.Context) error {
	for _, f := range []struct {
		name, adds string
		published  *Published
	}{
		{"overlays/natura2000.geojson", "Natura 2000 sites of parcels", &publishedNatura},
		{"overlays/protected_areas.geojson", "protected areas of parcels", &publishedAreas},
		{"overlays/legal", "laws that name parcels", nil},
	} {
		i := Item{Topic: "overlays", Path: f.name, State: Read, Adds: f.adds, Published: f.published}
		if !t.has(f.name) {
			i.Path, i.Expected, i.State = "", f.name, Missing
		}
		t.add(i)
	}
	return nil
}

// folders looks into what lies over and under the parcels, a folder each.
func (t *taker) folders(context.Context) error {
	for _, f := range []struct {
		topic, folder, expected, adds string
		endings                       []string
		published                     *Published
	}{
		{"community map", "osm", "osm/*.osm.pbf", "distances to roads, railways, water, stops and settlements; the base map",
			[]string{".osm.pbf", ".osm", ".osm.gz"}, &publishedCommunity},
		{"names", "names", "names/*.geojson", "geographical names in answers and on the map", []string{".geojson", ".json"},
			&publishedNames},
		{"terrain", "terrain", "terrain/*.asc", "the relief of the map where there are no laser scans", []string{".asc"},
			&publishedTerrain},
		{"rasters", "rasters", "rasters/YYYYMMDD/*.tif",
			"terrain, surface, orthophotos and satellite layers of the landscape service; the relief of the map",
			[]string{".tif", ".tiff", ".asc"}, &publishedRasters},
		{"model of segments", "landscape", "landscape/classifier.parts", "types of segments by a trained model, not by rules alone",
			[]string{".parts"}, nil},
		{"earlier snapshots", "epochs", "epochs/KKKKK-YYYY-MM-DD.geojson", "versions of KGs before the first build", []string{".geojson"},
			nil},
		{"observations", "observations", "observations/*.neobs", "the layer obs of the cells", []string{".neobs"}, nil},
	} {
		i := Item{Topic: f.topic, Path: f.folder, State: Read, Adds: f.adds, Published: f.published}
		files, bytes, err := t.count(f.folder, f.endings)
		if err != nil {
			i.State, i.Notes = Unreadable, []string{err.Error()}
		} else if files == 0 {
			i.Path, i.Expected, i.State = "", f.expected, Missing
		} else {
			i.Holds = []string{fmt.Sprintf("%d files, %.1f MB", files, float64(bytes)/1e6)}
			if f.folder == rasters.Folder {
				t.rasters(&i)
			}
		}
		t.add(i)
	}
	return nil
}

// shownRasters bounds the files that are named one by one.
const shownRasters = 20

// rasters says which rasters are used, by layer and date, which layers are missing, and which files are passed over.
func (t *taker) rasters(i *Item) {
	found, passed, err := rasters.Look(os.DirFS(t.dir))
	if err != nil {
		i.State, i.Notes = Unreadable, append(i.Notes, err.Error())
		return
	}
	n := map[string]int{}
	for _, f := range found {
		n[f.Layer+" of "+f.Date]++
	}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		i.Holds = append(i.Holds, fmt.Sprintf("%s: %d", name, n[name]))
	}
	for _, k := range published.AllLayerTypes() {
		if !slices.ContainsFunc(found, func(f *rasters.File) bool { return f.Layer == k.Name }) {
			i.Notes = append(i.Notes, fmt.Sprintf("no file of %s (%s)", k.Name, k.Title))
		}
	}
	for _, p := range passed[:min(len(passed), shownRasters)] {
		i.Notes = append(i.Notes, p.String())
	}
	if more := len(passed) - shownRasters; more > 0 {
		i.Notes = append(i.Notes, fmt.Sprintf("%d more files are passed over", more))
	}
	if len(found) == 0 {
		i.State = Unreadable
	}
}

// count counts the files of a folder, and of those below it, that end so.
func (t *taker) count(folder string, endings []string) (files int, bytes int64, err error) {
	err = filepath.WalkDir(t.path(folder), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == t.path(folder) {
			return filepath.SkipAll
		}
		name := strings.ToLower(path)
		if err != nil || e.IsDir() || !slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) }) {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files, bytes = files+1, bytes+info.Size()
		return nil
	})
	return files, bytes, err
}
