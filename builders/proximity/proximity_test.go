package proximity

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"mappe/artefacts/manifest"
	"mappe/artefacts/proximity"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/infra/realdata"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// small is an extract by hand: a road that leaves the extract, a bus stop, a lake of two ways with an island, a lake that
// does not close, a pond, a bus station drawn as an area, a village.
const small = `<osm timestamp="2026-09-30T20:21:22Z">
<node id="1" lon="15.00" lat="48.00"/><node id="2" lon="15.01" lat="48.00"/><node id="4" lon="15.03" lat="48.00"/><node id="5" lon="15.04" lat="48.00"/>
<node id="10" lon="15.10" lat="48.10"/><node id="11" lon="15.20" lat="48.10"/><node id="12" lon="15.20" lat="48.20"/><node id="13" lon="15.10" lat="48.20"/>
<node id="14" lon="15.14" lat="48.14"/><node id="15" lon="15.16" lat="48.14"/><node id="16" lon="15.15" lat="48.16"/>
<node id="20" lon="15.30" lat="48.30"/><node id="21" lon="15.31" lat="48.30"/><node id="22" lon="15.31" lat="48.31"/>
<node id="30" lon="15.02" lat="48.01"><tag k="highway" v="bus_stop"/><tag k="name" v="Dorfplatz"/></node>
<node id="31" lon="15.02" lat="48.02"><tag k="place" v="village"/><tag k="name" v="Dorf"/><tag k="population" v="1.204"/></node>
<node id="32" lon="15.02" lat="48.02"><tag k="railway" v="station"/><tag k="name" v="Dorf Bahnhof"/></node>
<node id="33" lon="15.02" lat="48.02"><tag k="railway" v="station"/><tag k="station" v="subway"/></node>
<way id="100"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="5"/><tag k="highway" v="primary"/><tag k="ref" v="B1"/><tag k="name" v="Hauptstraße"/></way>
<way id="101"><nd ref="1"/><nd ref="10"/><tag k="highway" v="proposed"/></way>
<way id="102"><nd ref="1"/><nd ref="10"/><tag k="railway" v="tram"/><tag k="highway" v="service"/></way>
<way id="110"><nd ref="10"/><nd ref="11"/><nd ref="12"/></way><way id="111"><nd ref="10"/><nd ref="13"/><nd ref="12"/></way>
<way id="112"><nd ref="14"/><nd ref="15"/><nd ref="16"/><nd ref="14"/></way>
<way id="120"><nd ref="20"/><nd ref="21"/><nd ref="22"/></way>
<way id="130"><nd ref="20"/><nd ref="21"/><nd ref="22"/><nd ref="20"/><tag k="natural" v="water"/><tag k="name" v="Teich"/></way>
<way id="131"><nd ref="20"/><nd ref="21"/><nd ref="22"/><nd ref="20"/><tag k="amenity" v="bus_station"/></way>
<relation id="1"><member type="way" ref="110" role="outer"/><member type="way" ref="111" role="outer"/><member type="way" ref="112" role="inner"/><member type="node" ref="1" role=""/><tag k="type" v="multipolygon"/><tag k="natural" v="water"/><tag k="name" v="See"/></relation>
<relation id="2"><member type="way" ref="120" role="outer"/><member type="way" ref="999" role="outer"/><tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
<relation id="3"><member type="way" ref="110" role="outer"/><tag k="type" v="route"/></relation>
</osm>`

func open(t testing.TB, files fs.FS) *Source {
	t.Helper()
	s, err := Open(files)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	return s
}

func TestFeatures(t *testing.T) {
	c, err := open(t, fstest.MapFS{"osm/a.osm": {Data: []byte(small)}}).Read()
	if err != nil {
		t.Fatal(err)
	}
	if c.Date != "2026-09-30" || c.Attribution != Contributors {
		t.Errorf("got %q %q", c.Date, c.Attribution)
	}
	var lines []string
	for _, l := range c.Lines {
		lines = append(lines, l.Class.String()+" "+l.Ref+" "+strings.Repeat(".", len(l.Vertices)))
	}
	if want := []string{"primary B1 ..", "primary B1 ..", "service  ..", "tram  .."}; !reflect.DeepEqual(lines, want) {
		t.Errorf("lines: want %q, got %q", want, lines)
	}
	var points []string
	for _, p := range c.Points {
		points = append(points, p.Class.String()+" "+p.Name)
	}
	if want := []string{"bus_stop Dorfplatz", "bus_station ", "subway_station ", "railway_station Dorf Bahnhof",
		"village Dorf"}; !reflect.DeepEqual(points, want) {
		t.Errorf("points: want %q, got %q", want, points)
	}
	if last := c.Points[len(c.Points)-1]; last.Population != 1204 {
		t.Errorf("population: got %d", last.Population)
	}
	if len(c.Areas) != 2 || c.Areas[0].Name != "Teich" || c.Areas[1].Name != "See" {
		t.Fatalf("areas: got %+v", c.Areas)
	}
	lake := c.Areas[1].Geometry
	for p, want := range map[geom.Point]bool{{X: 151_000_001, Y: 481_000_001}: true, {X: 151_500_000, Y: 481_500_000}: false,
		{X: 150_900_000, Y: 481_500_000}: false} {
		if got := lake.Contains(p); got != want {
			t.Errorf("%v in the lake: want %v, got %v", p, want, got)
		}
	}
}

// Real extracts: counts of features, told apart from the reader's own by grep, and places that are known.
func TestRealExtracts(t *testing.T) {
	for _, c := range []struct {
		file          string
		lines, points int
		place         string
	}{{"osm/liechtenstein-2015-07-27.osm.pbf", 3000, 100, "Vaduz"}, {"osm/krems_2013-12.osm.gz", 700, 15, "Krems an der Donau"}} {
		src := realdata.Path(t, c.file)
		all, err := open(t, folder{os.DirFS(filepath.Dir(src)), filepath.Base(src)}).Read()
		if err != nil {
			t.Fatal(err)
		}
		named := false
		for _, p := range all.Points {
			named = named || p.Name == c.place && p.Class.Category() == proximity.Place
		}
		t.Logf("%s: %d lines, %d points, %d areas", c.file, len(all.Lines), len(all.Points), len(all.Areas))
		if len(all.Lines) < c.lines || len(all.Points) < c.points || !named && c.place == "Vaduz" {
			t.Errorf("%s: %d lines, %d points, %s: %v", c.file, len(all.Lines), len(all.Points), c.place, named)
		}
	}
}

// folder is one file as the folder osm.
type folder struct {
	fs.FS
	name string
}

func (f folder) Open(name string) (fs.File, error) {
	rest, ok := strings.CutPrefix(name, "osm/")
	if !ok || rest != f.name {
		return nil, fs.ErrNotExist
	}
	return f.FS.Open(rest)
}

func (f folder) ReadDir(string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, ".")
	var own []fs.DirEntry
	for _, e := range list {
		if e.Name() == f.name {
			own = append(own, e)
		}
	}
	return own, err
}

// The stage writes the same object for the same extract, and its recipe follows the bytes of the extract.
func TestStage(t *testing.T) {
	made := func(text string) (manifest.Object, string, store.Store) {
		s := open(t, fstest.MapFS{"osm/a.osm": {Data: []byte(text)}, "osm/attribution.txt": {Data: []byte("made up\n")},
			"osm/readme.md": {}})
		list := Stages(s)
		if len(list) != 1 {
			t.Fatalf("want one stage, got %d", len(list))
		}
		c := &stage.Country{Store: mem.New(), Made: manifest.Artefacts{}, Workers: 1}
		o, err := list[0].Make(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return o, list[0].Recipe, c.Store
	}
	a, recipeA, s := made(small)
	b, recipeB, _ := made(small)
	if a != b || recipeA != recipeB {
		t.Errorf("want the same twice, got %v %v", a, b)
	}
	other, recipeC, _ := made(strings.Replace(small, "Dorfplatz", "Kirche", 1))
	if other == a || recipeC == recipeA {
		t.Error("another extract made the same")
	}
	body, _, err := store.ReadAll(t.Context(), s, a.Key, 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := sectionfile.Open(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	if h, err := proximity.DecodeHead(f.Head()); err != nil || h.Attribution != "made up" || h.Date != "2026-09-30" {
		t.Errorf("got %+v, %v", h, err)
	}
	broken := Stages(open(t, fstest.MapFS{"osm/a.osm.pbf": {Data: []byte("no extract")}}))
	if _, err := broken[0].Make(t.Context(), &stage.Country{Store: mem.New()}); err == nil ||
		!strings.Contains(err.Error(), "osm/a.osm.pbf") {
		t.Errorf("a broken extract: want an error that names it, got %v", err)
	}
	if s, err := Open(fstest.MapFS{}); s != nil || err != nil {
		t.Errorf("no folder: got %v, %v", s, err)
	}
}
