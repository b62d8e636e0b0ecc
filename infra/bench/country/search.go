package main

import (
	"fmt"
	"net/url"
	"strings"
)

// searches are the questions of the one box for all: what a person types. PostGIS looks up what is asked in a table by a primary key,
// has an index for each question, and the trigrams of names for typing errors.
var searches = []question{
	{"search: a parcel number of the state", func(p *proof, n int) string {
		return "/cadastre/api/v1/search/gnr?gnr=" + url.QueryEscape(p.askedAt(n).gnr)
	}, "select parcel_id, kg, gnr, gemeinde, ez, status, area_sqm, buildings, landuse from parcels where gnr=(select gnr from asked where id=:k) order by parcel_id limit 100;\nselect count(*) from parcels where gnr=(select gnr from asked where id=:k);"},
	{"search: an address", func(p *proof, n int) string {
		a := p.askedAt(n)
		return "/cadastre/api/v1/search/address?q=" + url.QueryEscape(a.street+" "+a.house+", "+a.name)
	}, "select a.street, a.house, a.place, ST_X(a.at), ST_Y(a.at), p.parcel_id from asked q join addresses a on lower(a.street)=lower(q.street) and a.house=q.house and lower(a.place)=lower(q.name) join parcels p on ST_Intersects(p.geom, a.at) where q.id=:k;"},
	{"search: a name that is being typed", func(p *proof, n int) string {
		return "/cadastre/api/v1/search/text?suggest=true&q=" + url.QueryEscape(p.askedAt(n).typed)
	}, "select kg, name from names where lower(name) like (select lower(typed) from asked where id=:k) || '%' order by length(name), name limit 10;"},
	{"search: a misspelt name", func(p *proof, n int) string {
		return "/cadastre/api/v1/search/text?suggest=true&q=" + url.QueryEscape(p.askedAt(n).wrong)
	}, "select kg, name from names where name % (select wrong from asked where id=:k) order by similarity(name, (select wrong from asked where id=:k)) desc limit 10;"},
}

const searchTables = `create extension pg_trgm;
create table asked (id int primary key, gnr text, street text, house text, name text, typed text, wrong text);
create table names (kg text, name text);
create table addresses (street text, house text, place text, at geometry(Point, 4326));
`

const searchIndexes = `create index on parcels (gnr, parcel_id);
create index on addresses (lower(street), house, lower(place));
create index on names (lower(name) text_pattern_ops);
create index on names using gin (name gin_trgm_ops);
`

// asked is what a person types who looks for something in a KG.
type asked struct{ gnr, street, house, name, typed, wrong string }

func (p *proof) askedAt(n int) asked { return p.asked(n * 7919 % len(p.ofPeerOnce())) }

// asked is what is typed of the n-th KG that PostGIS has.
func (p *proof) asked(n int) asked {
	name := p.c.kgs[p.ofPeerOnce()[n]].Name
	letters := []rune(name)
	wrong := string(letters)
	if k := len(letters); k > 4 {
		wrong = string(letters[:k/2]) + string(letters[k/2+1:]) // a letter is left out
	}
	return asked{fmt.Sprint(1 + n%90), streetNames[n%3], fmt.Sprint(1 + n%30), name, string(letters[:min(4, len(letters))]), wrong}
}

// askedOf are the rows of PostGIS for it.
func (p *proof) askedOf(n int) string {
	a := p.asked(n)
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	row := []string{fmt.Sprint(n), quoted(a.gnr), quoted(a.street), quoted(a.house), quoted(a.name), quoted(a.typed), quoted(a.wrong)}
	return fmt.Sprintf("insert into asked values (%s);\ninsert into names values ('%s', %s);\n", strings.Join(row, ", "),
		p.c.kgs[p.ofPeerOnce()[n]].Code, quoted(a.name))
}
