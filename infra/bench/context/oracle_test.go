package context

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/library"
	osm "mappe/artefacts/proximity"
	artefact "mappe/artefacts/toponyms"
	"mappe/builders/overlays"
	builder "mappe/builders/proximity"
	"mappe/builders/source/outlines"
	sources "mappe/builders/source/table"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/proximity"
	"mappe/infra/bench/postgres"
	"mappe/infra/oracles"
	"mappe/localdev/demo"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// The national country of the oracles has one of so many features: distances are longest where features are thin, and the
// shapes are all there.
const thin = 100

// demoCountry is what the builders read out of the demo country's sources.
func demoCountry(t *testing.T) Country {
	t.Helper()
	dir := t.TempDir()
	if _, err := demo.Generate(t.Context(), dir, demo.Options{Without: []string{"terrain", "laser scans"}}); err != nil {
		t.Fatal(err)
	}
	files := os.DirFS(dir)
	_, drawn, _, err := outlines.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	over, err := overlays.Read(files, nil, drawn, &sources.Problems{})
	if err != nil {
		t.Fatal(err)
	}
	extract, err := builder.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	world, err := extract.Read()
	if err != nil {
		t.Fatal(err)
	}
	return Country{&over.Source, world, &artefact.Country{}}
}

// boxOf is around all municipalities.
func (c Country) boxOf() geom.Box {
	b := geom.EmptyBox
	for i := range c.Over.Municipalities {
		b = b.Union(c.Over.Municipalities[i].Box)
	}
	return b
}

// scatter is n random points of a box, a little beyond it too.
func scatter(r *rand.Rand, b geom.Box, n int) []geom.Point {
	w, h := b.MaxX-b.MinX, b.MaxY-b.MinY
	list := make([]geom.Point, n)
	for i := range list {
		list[i] = geom.Point{X: b.MinX - w/50 + r.Int32N(w+w/25), Y: b.MinY - h/50 + r.Int32N(h+h/25)}
	}
	return list
}

// compared is a country in both.
type compared struct {
	c    Country
	pg   *postgres.Cluster
	view *library.View
}

// countries are the ones that are compared.
var countries = []struct {
	name string
	make func(t *testing.T) Country
}{
	{"generated", func(*testing.T) Country { return Make(2, National.Part(thin)) }},
	{"demo", demoCountry},
}

// beside gives a country to PostGIS and to a store.
func beside(t *testing.T, pg *postgres.Cluster, c Country) compared {
	t.Helper()
	if err := load(t.Context(), pg, c, false); err != nil {
		t.Fatal(err)
	}
	s := mem.New()
	if err := publish(s, c); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(t.Context(), s, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return compared{c, pg, v}
}

// put writes points into a table of their own.
func (j *compared) put(t *testing.T, points []geom.Point) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "points.tsv")
	if err := write(file, func(yield func(string) bool) {
		for n, p := range points {
			yield(postgres.Row(strconv.Itoa(n), postgres.Point(p)))
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := j.pg.Psql(t.Context(),
		"drop table if exists points;\ncreate unlogged table points (n int primary key, geom geometry(Point, 4326));\n\\copy points from '"+
			file+"'\ncreate index on points using gist (geom);\nanalyze points;\n"); err != nil {
		t.Fatal(err)
	}
}

// onBorder is how near to a ring, in metres, the two may differ: PostGIS has a point on a border in none of its
// neighbours or in several, the project in exactly one.
const onBorder = 0.001

// lines are the rows of an answer of PostGIS, by their first column.
func lines(answer string) map[int][]string {
	rows := map[int][]string{}
	for line := range strings.Lines(answer) {
		n, rest, _ := strings.Cut(strings.TrimSpace(line), "|")
		if i, err := strconv.Atoi(n); err == nil {
			rows[i] = append(rows[i], rest)
		}
	}
	return rows
}

// containment compares what holds points; it gives how many points lie in something of each layer.
func (j *compared) containment(t *testing.T, points []geom.Point) (held [3]int) {
	t.Helper()
	j.put(t, points)
	o := overlayindex.Of(j.view)
	for k, layer := range []struct {
		table string
		ids   func(context.Context, overlayindex.Here) ([]string, error)
	}{
		{"municipalities", func(ctx context.Context, h overlayindex.Here) ([]string, error) {
			m, _, err := h.Municipality(ctx)
			if err != nil || m == nil {
				return nil, err
			}
			return []string{string(m.Code)}, nil
		}},
		{"sites", func(ctx context.Context, h overlayindex.Here) (ids []string, err error) {
			list, err := h.Sites(ctx)
			for _, s := range list {
				ids = append(ids, s.Code)
			}
			return ids, err
		}},
		{"areas", func(ctx context.Context, h overlayindex.Here) (ids []string, err error) {
			rows, err := h.Areas(ctx)
			for _, a := range rows {
				ids = append(ids, a.Name)
			}
			return ids, err
		}},
	} {
		id := "s.id"
		if layer.table == "areas" {
			id = "s.name"
		}
		answer, err := j.pg.Psql(t.Context(),
			fmt.Sprintf("select p.n, %s from points p join %s s on ST_Contains(s.geom, p.geom) order by p.n, s.id", id, layer.table))
		if err != nil {
			t.Fatal(err)
		}
		want := lines(answer)
		for n, p := range points {
			got, err := layer.ids(t.Context(), o.Here(p))
			if err != nil {
				t.Fatal(err)
			}
			held[k] += min(len(got), 1)
			if fmt.Sprint(got) != fmt.Sprint(want[n]) && !j.nearRing(t, layer.table, p) {
				t.Errorf("%s of %.7f %.7f: PostGIS has %v, got %v", layer.table, p.Lon(), p.Lat(), want[n], got)
			}
		}
	}
	return held
}

// nearRing says whether a point lies on a border.
func (j *compared) nearRing(t *testing.T, table string, p geom.Point) bool {
	t.Helper()
	answer, err := j.pg.Psql(t.Context(),
		fmt.Sprintf("with p as (select %s::geometry g) select count(*) from %s s, p where s.geom && ST_Expand(p.g, 1e-6) and ST_Distance(ST_Boundary(s.geom)::geography, p.g::geography) < %g",
			"'"+postgres.Point(p)+"'", table, onBorder))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(answer) != "0"
}

// TestBesidePostGIS: what holds a point, and how far the nearest features are, is what PostGIS says, for random points of
// the generated country with as many municipalities and sites as Austria and of the demo country.
func TestBesidePostGIS(t *testing.T) {
	pg := oracles.PostGIS(t)
	for _, c := range countries {
		j := beside(t, pg, c.make(t))
		t.Run(c.name+" country, containment", j.testContainment)
		t.Run(c.name+" country, distances", j.testDistances)
	}
}

// testContainment compares with ST_Contains. A point nearer than 1 mm to a ring of the layer may differ.
func (j *compared) testContainment(t *testing.T) {
	points := 0
	var held [3]int
	for n := range oracles.Rounds(t, 1) {
		list := scatter(rand.New(rand.NewPCG(n, 7)), j.c.boxOf(), 5000)
		points += len(list)
		for k, v := range j.containment(t, list) {
			held[k] += v
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d points, %d in a municipality, %d in a site, %d in a protected area", points, held[0], held[1], held[2])
	if held[0] < points/10 || held[1] == 0 || held[2] == 0 {
		t.Errorf("too few points lie in something: %v of %d", held, points)
	}
}

// testDistances compares with ST_Distance of geographies, within 0.1 m. Features that are farther than nearby looks for
// are passed over.
func (j *compared) testDistances(t *testing.T) {
	n, err := proximity.Of(t.Context(), j.view)
	if err != nil {
		t.Fatal(err)
	}
	compared, worst := 0, 0.0
	for round := range oracles.Rounds(t, 1) {
		list := scatter(rand.New(rand.NewPCG(round, 8)), j.c.boxOf(), 200)
		j.put(t, list)
		for _, f := range nearest {
			for i, want := range j.distances(t, f.table, f.where) {
				s, err := n.At(t.Context(), list[i])
				if err != nil {
					t.Fatal(err)
				}
				got := hitOf(s, f.name).Metres
				if math.IsInf(got, 1) && want > hitReach(f.name) {
					continue
				}
				compared++
				worst = max(worst, math.Abs(got-want))
				if !(math.Abs(got-want) <= 0.1) {
					t.Errorf("%s of %.7f %.7f: PostGIS has %.3f m, got %.3f m", f.name, list[i].Lon(), list[i].Lat(), want, got)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d distances, the worst differs by %.4f m", compared, worst)
	if compared < 500 {
		t.Errorf("only %d distances were compared", compared)
	}
}

// distances are those of the points from the nearest feature of a table, in metres. The nearest of the plane, by which the
// index goes, need not be that of the ellipsoid: some are measured. Each segment is measured by itself, because ST_Distance
// chooses the nearest one of a line on the sphere, where directions count alike; that gave up to 0.05 % too much.
func (j *compared) distances(t *testing.T, table, where string) map[int]float64 {
	t.Helper()
	answer, err := j.pg.Psql(t.Context(),
		fmt.Sprintf(`select p.n, (select min(case when ST_Dimension(x.geom) = 2 and ST_Intersects(x.geom, p.geom) then 0
 when ST_Dimension(x.geom) = 0 then ST_Distance(x.geom::geography, p.geom::geography)
 else (select min(ST_Distance(d.geom::geography, p.geom::geography)) from ST_DumpSegments(x.geom) d) end) from (select f.geom from %s f where %s order by f.plane <-> p.plane limit 12) x)
from (select n, geom, ST_Transform(geom, 3416) as plane from points offset 0) p`, table, where))
	if err != nil {
		t.Fatal(err)
	}
	list := map[int]float64{}
	for i, row := range lines(answer) {
		if list[i], err = strconv.ParseFloat(row[0], 64); err != nil {
			t.Fatalf("%s: %q", table, row)
		}
	}
	return list
}

// hitReach is how far a feature is looked for, in metres.
func hitReach(name string) float64 {
	if name == "road" || name == "water" {
		return osm.Roads.Reach
	}
	return osm.Rails.Reach
}

func hitOf(s *proximity.Surroundings, name string) osm.Hit {
	return map[string]osm.Hit{"road": s.Road, "major_road": s.MajorRoad, "rail": s.Rail, "transit": s.Stop,
		"train_station": s.Station, "water": s.Water, "settlement": s.Settlement}[name]
}
