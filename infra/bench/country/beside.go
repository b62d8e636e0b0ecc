package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/infra/bench/load"
	"mappe/infra/bench/postgres"
)

// chunk is how many KGs are copied into PostGIS at a time.
const chunk = 100

// besideSeconds is how long each load takes.
const besideSeconds = 5

// question is one in both languages. KGs and municipalities of both are drawn at random.
type question struct {
	name string
	path func(p *proof, n int) string
	sql  string // of pgbench; :i is the number of a spot, :k of a KG
}

// columns are what both sides answer of a parcel in /query; PostGIS has the land uses as numbers.
const columns = "&fields=parcel_id,kg_code,gnr,gemeinde_code,ez,status,area_sqm,building_count,landuse_codes"

// questions are the list. PostGIS looks up which KG or spot it is asked for by a primary key.
var questions = []question{
	{"point", func(p *proof, n int) string { return p.spotAt(n).at() },
		"select parcel_id, gnr, ez, status, area_sqm from parcels where ST_Intersects(geom, (select at from spots where id=:i));"},
	{"box of 600 m with geometry", func(p *proof, n int) string {
		s := p.spotAt(n)
		return fmt.Sprintf("/cadastre/api/v1/spatial/bbox?west=%.7f&south=%.7f&east=%.7f&north=%.7f&limit=1000&format=geojson&fields=parcel_id,gnr,ez,status,area_sqm", s.lon-0.004, s.lat-0.0027, s.lon+0.004, s.lat+0.0027)
	}, "select parcel_id, gnr, ez, status, area_sqm, ST_AsGeoJSON(geom, 7) from parcels where geom && (select ST_Expand(at, 0.004, 0.0027) from spots where id=:i);"},
	{"query: a KG", func(p *proof, n int) string {
		return "/cadastre/api/v1/query?with_stats=false&kg=" + p.kgAt(n) + columns
	},
		"select parcel_id, kg, gnr, gemeinde, ez, status, area_sqm, buildings, landuse from parcels where kg=(select kg from kgs where id=:k) order by area_sqm desc, parcel_id limit 100;\nselect count(*) from parcels where kg=(select kg from kgs where id=:k);"},
	{"query: a municipality with sums", func(p *proof, n int) string {
		return "/cadastre/api/v1/query?gemeinde_code=" + p.gemeindeAt(n) + columns
	},
		"select parcel_id, kg, gnr, gemeinde, ez, status, area_sqm, buildings, landuse from parcels where gemeinde=(select gemeinde from kgs where id=:k) order by area_sqm desc, parcel_id limit 100;\nselect count(*), sum(area_sqm), avg(area_sqm), min(area_sqm), max(area_sqm), sum(buildings) from parcels where gemeinde=(select gemeinde from kgs where id=:k);"},
	{"query: a land use above 1 ha of a municipality", func(p *proof, n int) string {
		return "/cadastre/api/v1/query?landuse=52&min_area=10000&with_stats=false&gemeinde_code=" + p.gemeindeAt(n) + columns
	}, "select parcel_id, kg, gnr, gemeinde, ez, status, area_sqm, buildings, landuse from parcels where gemeinde=(select gemeinde from kgs where id=:k) and landuse && '{52}' and area_sqm>=10000 order by area_sqm desc, parcel_id limit 100;\nselect count(*) from parcels where gemeinde=(select gemeinde from kgs where id=:k) and landuse && '{52}' and area_sqm>=10000;"},
	{"query: a folio of a KG", func(p *proof, n int) string {
		return fmt.Sprintf("/cadastre/api/v1/query?ez=%d&kg=%s", 1+n%100, p.kgAt(n)) + columns
	},
		"\\set e random(1, 100)\nselect parcel_id, kg, gnr, gemeinde, ez, status, area_sqm, buildings, landuse from parcels where kg=(select kg from kgs where id=:k) and ez=:e order by area_sqm desc, parcel_id limit 100;\nselect count(*), sum(area_sqm), avg(area_sqm), min(area_sqm), max(area_sqm), sum(buildings) from parcels where kg=(select kg from kgs where id=:k) and ez=:e;"},
}

// ofPeer are the KGs that PostGIS has.
func (p *proof) ofPeer() (out []int) {
	for i, k := range p.c.kgs {
		if string(k.GemeindeCode.State()) == p.peer {
			out = append(out, i)
		}
	}
	return out
}

func (p *proof) spotAt(n int) spot {
	all := p.spots(p.peer)
	return all[n*7919%len(all)]
}

func (p *proof) kgAt(n int) string {
	all := p.ofPeerOnce()
	return string(p.c.kgs[all[n*7919%len(all)]].Code)
}

func (p *proof) gemeindeAt(n int) string {
	all := p.ofPeerOnce()
	return string(p.c.kgs[all[n*7919%len(all)]].GemeindeCode)
}

func (p *proof) ofPeerOnce() []int {
	if p.peers == nil {
		p.peers = p.ofPeer()
	}
	return p.peers
}

// beside asks PostGIS, which has the parcels of one state, and the server, which has all, about this state.
func (p *proof) beside(ctx context.Context) (lines []string, err error) {
	if p.peer == "" {
		return []string{"not asked for"}, nil
	}
	began := time.Now()
	pg, err := postgres.Start(ctx,
		postgres.Options{PostGIS: true, TCP: true, Settings: []string{"maintenance_work_mem=1GB", "shared_buffers=2GB"}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pg.Close()) }()
	n, err := p.fill(ctx, pg)
	if err != nil {
		return nil, err
	}
	size, err := pg.Psql(ctx, "select pg_size_pretty(pg_database_size('postgres'))")
	if err != nil {
		return nil, err
	}
	lines = append(lines, fmt.Sprintf("PostGIS has %d parcels of %d KGs, %s, imported and indexed in %.0f s", n, len(p.ofPeerOnce()),
		strings.TrimSpace(size), time.Since(began).Seconds()))
	s, err := p.serve(ctx)
	if err != nil {
		return lines, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	for _, clients := range []int{1, 16} {
		var ratios []float64
		for _, q := range slices.Concat(questions, searches) {
			theirs, ours, err := p.both(ctx, pg, s, q, clients)
			if err != nil {
				return lines, fmt.Errorf("%s: %w", q.name, err)
			}
			ratios = append(ratios, theirs.Mean.Seconds()/ours.Mean.Seconds())
			lines = append(lines, fmt.Sprintf(
				"%s, %d clients: PostGIS mean %.2f ms, Mappe mean %.2f, median %.2f, 99 of 100 within %.2f ms; ratio %.1f", q.name, clients,
				ms(theirs.Mean), ms(ours.Mean), ms(ours.P50), ms(ours.P99), ratios[len(ratios)-1]))
			fmt.Fprintln(os.Stderr, lines[len(lines)-1])
		}
		slices.Sort(ratios)
		lines = append(lines, fmt.Sprintf("%d clients: median ratio %.1f, least %.1f", clients, ratios[len(ratios)/2], ratios[0]))
	}
	return append(lines, s.memory()), nil
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// both puts a question to both, one after the other.
func (p *proof) both(ctx context.Context, pg *postgres.Cluster, s *served, q question, clients int) (theirs postgres.Rate, ours load.Result,
	err error) {
	script := fmt.Sprintf("\\set i random(0, %d)\n\\set k random(0, %d)\n%s\n", len(p.spots(p.peer))-1, len(p.ofPeerOnce())-1, q.sql)
	// Once before, so that what either keeps in memory is there.
	for _, d := range []time.Duration{3 * time.Second, besideSeconds * time.Second} {
		if theirs, err = pg.Bench(ctx, postgres.Load{Script: script, Clients: clients, Duration: d, Protocol: "prepared"}); err != nil {
			return theirs, ours, err
		}
	}
	for _, d := range []time.Duration{3 * time.Second, besideSeconds * time.Second} {
		next := func(n int) (string, string, []byte) {
			return "GET", q.path(p, n) + fmt.Sprintf("&nocache=%d", 1+n), nil
		}
		ours, err = load.Load{Host: s.host, Clients: clients, Duration: d, Next: next}.Polled(ctx)
		if err != nil {
			return theirs, ours, err
		}
	}
	return theirs, ours, nil
}

// fill copies the parcels of the state, spots and KGs, and makes the indexes that the questions ask for.
func (p *proof) fill(ctx context.Context, pg *postgres.Cluster) (parcels int, err error) {
	if _, err := pg.Psql(ctx, `create table parcels (parcel_id text, kg text, gnr text, gemeinde text, ez int, status text, area_sqm float8, buildings int, landuse int[], geom geometry(MultiPolygon, 4326));
create table spots (id int primary key, at geometry(Point, 4326));
create table kgs (id int primary key, kg text, gemeinde text);
`+searchTables); err != nil {
		return 0, err
	}
	var small strings.Builder
	for i, s := range p.spots(p.peer) {
		fmt.Fprintf(&small, "insert into spots values (%d, ST_SetSRID(ST_MakePoint(%.7f, %.7f), 4326));\n", i, s.lon, s.lat)
	}
	all := p.ofPeerOnce()
	for n, i := range all {
		fmt.Fprintf(&small, "insert into kgs values (%d, '%s', '%s');\n", n, p.c.kgs[i].Code, p.c.kgs[i].GemeindeCode)
		small.WriteString(p.askedOf(n))
	}
	if _, err := pg.Psql(ctx, small.String()); err != nil {
		return 0, err
	}
	file := filepath.Join(p.where, "parcels.tsv")
	defer os.Remove(file)
	addresses := filepath.Join(p.where, "addresses.tsv")
	defer os.Remove(addresses)
	for from := 0; from < len(all); from += chunk {
		n, err := p.copyRows(file, addresses, all[from:min(from+chunk, len(all))])
		if err != nil {
			return 0, err
		}
		parcels += n
		if _, err := pg.Psql(ctx, `\copy parcels from '`+file+"'\n\\copy addresses from '"+addresses+"'\n"); err != nil {
			return 0, err
		}
		progress("PostGIS", min(from+chunk, len(all)), len(all))
	}
	_, err = pg.Psql(ctx, `create index on parcels using gist (geom);
create unique index on parcels (parcel_id);
create index on parcels (kg, area_sqm desc, parcel_id);
create index on parcels (kg, ez);
create index on parcels (gemeinde, area_sqm desc, parcel_id);
`+searchIndexes+`vacuum analyze;
`)
	return parcels, err
}

// copyRows writes the parcels and the addresses of some KGs as COPY reads them.
func (p *proof) copyRows(parcels, addresses string, kgs []int) (n int, err error) {
	var rows, book strings.Builder
	for _, i := range kgs {
		s := p.c.snapshot(i)
		n += len(s.Parcels)
		for k := range s.Parcels {
			rows.WriteString(rowOf(s, &s.Parcels[k]))
		}
		for k := range s.Buildings {
			book.WriteString(postgres.Row(streetOf(k), houseOf(k), p.c.kgs[i].Name, postgres.Point(s.Buildings[k].At)))
		}
	}
	return n, errors.Join(os.WriteFile(parcels, []byte(rows.String()), 0o600), os.WriteFile(addresses, []byte(book.String()), 0o600))
}

func rowOf(s *kgfile.Snapshot, k *kgfile.Parcel) string {
	var uses []string
	for _, u := range k.UseAreas {
		uses = append(uses, u.Code.String())
	}
	return postgres.Row(string(s.KG.Code)+"-"+string(k.GNR), string(s.KG.Code), string(k.GNR), string(s.KG.GemeindeCode), fmt.Sprint(k.EZ),
		k.Status.String(),
		fmt.Sprintf("%.2f", k.AreaSqm), fmt.Sprint(k.BuildingCount), "{"+strings.Join(uses, ",")+"}", postgres.MultiPolygon(k.Geometry))
}
