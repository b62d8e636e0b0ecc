package main

import "strings"

// question is one query in both languages.
type question struct {
	group string
	name  string
	query string // of /query
	where string // in SQL
	order string // in SQL; "" is by area, falling
	stats bool   // both give the sums of numbers
	uses  bool   // and those by land use
}

// sql are the statements that give what the answer has: the page with the count of matches, and the sums.
func (q question) sql() []string {
	order := q.order
	if order == "" {
		order = "area_sqm desc"
	}
	list := []string{"select * from parcels where " + q.where + " order by " + order + ", parcel_id limit 100"}
	sums := "count(*)"
	if q.stats {
		sums += ", sum(area_sqm), avg(area_sqm), min(area_sqm), max(area_sqm), sum(buildings)"
	}
	list = append(list, "select "+sums+" from parcels where "+q.where)
	if q.uses {
		list = append(list, "select u.code, count(*), sum(u.use_sqm) from parcels join uses u using (parcel_id) where "+q.where+
			" group by u.code")
	}
	return list
}

// tables are the parcels in PostgreSQL with the indexes that these questions ask for.
var tables = strings.TrimSpace(`
create table parcels (parcel_id text, kg text, gnr text, gemeinde text, district text, state text, ez int, status text, area_sqm float8, buildings int, footprints int, landuse int[], at point);
create table uses (parcel_id text, code int, use_sqm float8);
`)

var indexes = []string{
	"alter table parcels add primary key (parcel_id)",
	"create index on parcels (kg, area_sqm desc)",
	"create index on parcels (kg, ez)",
	"create index on parcels (gemeinde, area_sqm desc)",
	"create index on parcels (district, area_sqm desc)",
	"create index on parcels (state, area_sqm desc)",
	"create index on parcels (area_sqm desc, parcel_id)",
	"create index on parcels (gnr)",
	"create index on parcels (status)",
	"create index on parcels using gin (landuse)",
	"create index on parcels using gist (at)",
	"create index on uses (parcel_id)",
	"vacuum analyze",
}

const (
	built = "buildings + footprints > 0"
	box   = "at <@ box '((15.14,48.15),(15.16,48.17))'"
)

// questions are the written list.
var questions = []question{
	{"one KG", "all", "kg=10100", "kg='10100'", "", true, true},
	{"one KG", "a land use", "kg=10101&landuse=52", "kg='10101' and landuse && '{52}'", "", true, true},
	{"one KG", "an area", "kg=10102&min_area=2000&max_area=9000", "kg='10102' and area_sqm between 2000 and 9000", "", true, true},
	{"one KG", "with buildings", "kg=10103&has_buildings=true", "kg='10103' and " + built, "", true, true},
	{"one KG", "a folio", "kg=10104&ez=5", "kg='10104' and ez=5", "", true, true},
	{"one KG", "a parcel number", "kg=10105&q=12*&sort=gnr", "kg='10105' and gnr like '12%'", "gnr", true, true},
	{"one KG", "rows only", "kg=10106&with_stats=false", "kg='10106'", "", false, false},
	{"municipality", "all", "gemeinde_code=20101", "gemeinde='20101'", "", true, true},
	{"municipality", "forest above 1 ha", "gemeinde_code=20102&landuse=56&min_area=10000",
		"gemeinde='20102' and landuse && '{56}' and area_sqm>=10000", "", true, true},
	{"municipality", "unbuilt building land", "gemeinde_code=20103&landuse=83&has_buildings=false",
		"gemeinde='20103' and landuse && '{83}' and not (" + built + ")", "", true, true},
	{"district", "all", "district=201", "district='201'", "", true, true},
	{"district", "a land use", "district=301&landuse=52", "district='301' and landuse && '{52}'", "", true, true},
	{"district", "smallest built", "district=401&has_buildings=true&sort=area_asc", "district='401' and " + built, "area_sqm", true, true},
	{"district", "status G", "district=501&status=G", "district='501' and status='G'", "", true, true},
	{"district", "an area, rows only", "district=601&min_area=5000&with_stats=false", "district='601' and area_sqm>=5000", "", false,
		false},
	{"district", "by number", "district=601&sort=gnr&with_stats=false", "district='601'", "length(gnr), gnr", false, false},
	{"box", "2 km", "west=15.14&south=48.15&east=15.16&north=48.17", box, "", true, true},
	{"box", "2 km, a land use", "west=15.14&south=48.15&east=15.16&north=48.17&landuse=48", box + " and landuse && '{48}'", "", true, true},
	{"nation", "largest", "min_area=0.01", "area_sqm>=0.01", "", false, false},
	{"nation", "above 1 ha", "min_area=10000", "area_sqm>=10000", "", false, false},
	{"nation", "a land use", "landuse=58", "landuse && '{58}'", "", false, false},
	{"nation", "with buildings", "has_buildings=true", built, "", false, false},
	{"nation", "without buildings, smallest", "has_buildings=false&sort=area_asc", "not (" + built + ")", "area_sqm", false, false},
	{"nation", "status G, forest", "status=G&landuse=56", "status='G' and landuse && '{56}'", "", false, false},
	{"nation", "a parcel number", "q=123&with_stats=false", "gnr='123'", "", false, false},
	{"nation", "a folio number", "ez=77&with_stats=false", "ez=77", "", false, false},
	{"aggregates", "with buildings", "has_buildings=true&refresh=1", built, "", true, false},
	{"aggregates", "above 1,000 m²", "min_area=1000&refresh=1", "area_sqm>=1000", "", true, false},
	{"aggregates", "two land uses, status E", "landuse=48,52&status=E&refresh=1", "landuse && '{48,52}' and status='E'", "", true, false},
	{"snapshot", "a folio number over all KGs", "ez=5&limit=100", "ez=5", "", true, true},
}
