package context

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mappe/infra/bench/postgres"
	"mappe/shared/geo/geom"
)

// load gives PostGIS the country: tables with what the blocks show, large shapes cut into pieces beside them, and every
// index that the questions want. Features stand in EPSG:3416, a conformal plane of Austria in which the nearest is found
// fast, and as geography, for distances on the ellipsoid. For measurements tables are ready for the fastest answers.
func load(ctx context.Context, pg *postgres.Cluster, c Country, measured bool) error {
	dir, err := os.MkdirTemp("", "mappe-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var script strings.Builder
	for _, t := range c.tables() {
		file := filepath.Join(dir, t.name+".tsv")
		if err := write(file, t.rows); err != nil {
			return err
		}
		fmt.Fprintf(&script, "drop table if exists %s, %s_cut;\n", t.name, t.name)
		fmt.Fprintf(&script, "create unlogged table raw_%s (%s, geom geometry);\n\\copy raw_%s from '%s'\n", t.name, t.columns, t.name,
			file)
		script.WriteString(strings.ReplaceAll(t.made, "@", t.name))
		if measured {
			script.WriteString(strings.ReplaceAll(t.readied, "@", t.name))
		}
		fmt.Fprintf(&script, "drop table raw_%s;\nvacuum analyze %s;\n", t.name, t.name)
	}
	_, err = pg.Psql(ctx, script.String())
	return err
}

// table is a table of PostGIS: columns beside the geometry, its rows, how it is made of the raw rows and what makes it fast.
type table struct {
	name, columns, made, readied string
	rows                         func(yield func(row string) bool)
}

// How tables are made of raw rows.
const (
	shapes = `create table @ as select * from raw_@;
create index on @ (id);
create index on @ using gist (geom);
`
	pieces = `create table @_cut as select id, ST_Subdivide(geom, 64) as geom from @;
create index on @_cut using gist (geom);
vacuum analyze @_cut;
`
	features = `create table @ as select r.*, ST_Transform(geom, 3416) as plane, geom::geography as geog from raw_@ r;
create index on @ using gist (plane);
`
	ordered = `cluster @ using @_plane_idx;
create index on @ using gist (geog);
`
	majors   = "create index on @ using gist (plane) where major;\ncreate index on @ using gist (geog) where major;\n"
	stations = "create index on @ using gist (plane) where trains;\ncreate index on @ using gist (geog) where trains;\n"
)

func (c Country) tables() []table {
	number := strconv.Itoa
	return []table{
		{"municipalities", "id text, name text", shapes, pieces, func(yield func(string) bool) {
			for i := range c.Over.Municipalities {
				m := &c.Over.Municipalities[i]
				yield(postgres.Row(string(m.Code), m.Name, postgres.MultiPolygon(m.Geometry)))
			}
		}},
		{"sites", "id text, name text, type text, area_ha float8", shapes, pieces, func(yield func(string) bool) {
			for i := range c.Over.Sites {
				s := &c.Over.Sites[i]
				yield(postgres.Row(s.Code, s.Name, s.Type.String(), fmt.Sprint(s.AreaHa), postgres.MultiPolygon(s.Geometry)))
			}
		}},
		{"areas", "id int, name text, desig text, desig_eng text, desig_type text, iucn text, rep_area float8", shapes, pieces,
			func(yield func(string) bool) {
				for i := range c.Over.Areas {
					a := &c.Over.Areas[i]
					yield(postgres.Row(number(i), a.Name, a.Desig, a.DesigEng, a.DesigType, a.IUCN, fmt.Sprint(a.RepArea),
						postgres.MultiPolygon(a.Geometry)))
				}
			}},
		{"roads", "class text, name text, ref text, major bool", features, ordered + majors, c.lines("road")},
		{"rails", "class text, name text, ref text, major bool", features, ordered, c.lines("rail")},
		{"waters", "class text, name text, ref text, major bool", features, ordered, c.lines("water")},
		{"stops", "class text, name text, trains bool, population int", features, ordered + stations, c.points("transit")},
		{"places", "class text, name text, trains bool, population int", features, ordered, c.points("place")},
		{"names", "id text, layer text, f_code int, f_name text, name text, year int", features, ordered, func(yield func(string) bool) {
			for i := range c.Names.Names {
				n := &c.Names.Names[i]
				yield(postgres.Row(n.ID, n.Layer.String(), number(n.Code), n.Feature, n.Name, number(n.Year), postgres.Point(n.At)))
			}
		}},
	}
}

// lines are the rows of lines of a category; water has areas too.
func (c Country) lines(category string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range c.World.Lines {
			if l := &c.World.Lines[i]; string(l.Class.Category()) == category {
				yield(postgres.Row(l.Class.String(), l.Name, l.Ref, strconv.FormatBool(l.Class.Major()), postgres.Line(l.Vertices)))
			}
		}
		for i := range c.World.Areas {
			if a := &c.World.Areas[i]; string(a.Class.Category()) == category {
				yield(postgres.Row(a.Class.String(), a.Name, "", "false", postgres.MultiPolygon(a.Geometry)))
			}
		}
	}
}

func (c Country) points(category string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range c.World.Points {
			if p := &c.World.Points[i]; string(p.Class.Category()) == category {
				yield(postgres.Row(p.Class.String(), p.Name, strconv.FormatBool(p.Class.Trains()), strconv.Itoa(p.Population),
					postgres.Point(p.At)))
			}
		}
	}
}

func write(name string, rows func(yield func(string) bool)) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	rows(func(row string) bool {
		_, err := w.WriteString(row)
		return err == nil
	})
	return errors.Join(w.Flush(), f.Close())
}

// nearest are the nearest features, as the block osm names them: table, condition, and the name of the distance.
var nearest = []struct{ name, table, where string }{
	{"road", "roads", "true"}, {"major_road", "roads", "major"}, {"rail", "rails", "true"}, {"transit", "stops", "true"},
	{"train_station", "stops", "trains"}, {"water", "waters", "true"}, {"settlement", "places", "true"},
}

// The columns in which the nearest is looked for: both are tried, and the faster counts.
const (
	byPlane     = "plane"
	byGeography = "geog"
)

// question is the one statement that answers the blocks of /context at a place. lon and lat are expressions. The price is
// left out: it is a formula, no question about places.
func question(column, lon, lat string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `with p as materialized (select g as geom, ST_Transform(g, 3416) as plane, g::geography as geog from (select ST_SetSRID(ST_MakePoint(%s, %s), 4326) as g) q)
select json_build_object('municipality', (select row_to_json(t) from (select id, name from municipalities where id in (select id from municipalities_cut c where ST_Intersects(c.geom, p.geom)) limit 1) t)`, lon, lat)
	for _, s := range []struct{ name, columns string }{{"sites", "id, name, type, area_ha"},
		{"areas", "id, name, desig, desig_eng, desig_type, iucn, rep_area"}} {
		fmt.Fprintf(&b, ",\n '%s', (select json_agg(t order by t.id) from (select %s from %s where id in (select id from %s_cut c where ST_Intersects(c.geom, p.geom))) t)", s.name, s.columns, s.name, s.name)
	}
	for _, n := range nearest {
		fmt.Fprintf(&b, ",\n '%s', (select row_to_json(t) from (select class, name, ST_Distance(geog, p.geog) as metres from %s where %s order by %s <-> p.%s limit 1) t)", n.name, n.table, n.where, column, column)
	}
	fmt.Fprintf(&b, ",\n 'toponyms', (select json_agg(t) from (select id, layer, f_code, f_name, name, year, ST_X(geom) as lon, ST_Y(geom) as lat, ST_Distance(geog, p.geog) as metres, count(*) over () as total from names where ST_DWithin(%s, p.%s, 500) order by %s <-> p.%s limit 20) t)) from p", column, column, column, column)
	return b.String()
}

// at7 are a place's degrees as SQL has them.
func at7(p geom.Point) (lon, lat string) {
	return strconv.FormatFloat(p.Lon(), 'f', 7, 64), strconv.FormatFloat(p.Lat(), 'f', 7, 64)
}
