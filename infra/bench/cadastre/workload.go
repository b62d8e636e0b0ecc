package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"mappe/infra/bench/load"
	"mappe/infra/bench/postgres"
	"mappe/shared/geo/geom"
)

// workload is one question put to both servers.
type workload struct {
	name     string
	clients  int
	sql      []string // pgbench scripts that answer the same question; the best one counts
	protocol string
	ours     load.Request
	harness  *harness
}

func (w workload) run(ctx context.Context, d time.Duration) (ours, theirs load.Result, err error) {
	for range 2 {
		for _, sql := range w.sql {
			r, err := w.harness.pg.Bench(ctx, postgres.Load{Script: sql, Clients: w.clients, Duration: d, Protocol: w.protocol})
			if err != nil {
				return ours, theirs, err
			}
			if theirs.Mean == 0 || r.Mean < theirs.Mean {
				theirs = load.Result{Mean: r.Mean, PerSecond: r.PerSecond}
			}
		}
		l := load.Load{Host: w.harness.host, Clients: w.clients, Duration: d, Next: w.ours}
		put := l.Run
		if w.clients > 1 {
			put = l.Polled
		}
		r, err := put(ctx)
		if err != nil {
			return ours, theirs, err
		}
		if ours.Mean == 0 || r.Mean < ours.Mean {
			ours = r
		}
	}
	return ours, theirs, nil
}

func (r *harness) workloads() []workload {
	box := r.snap.KG.Box
	points := scatter(box, 1000)
	single := fmt.Sprintf("\\set x random(%d, %d)\n\\set y random(%d, %d)\nselect parcel_id, gnr, ez, status, area_sqm from parcels where ST_Intersects(geom, ST_SetSRID(ST_MakePoint(:x / 1e7, :y / 1e7), 4326));\n", box.MinX, box.MaxX, box.MinY, box.MaxY)
	onePoint := func(n int) (string, string, []byte) {
		p := points[n%len(points)]
		return "GET", fmt.Sprintf("/cadastre/api/v1/spatial/point?lon=%.7f&lat=%.7f&radius=0&attrs_only=true&fields=parcel_id,gnr,ez,status,area_sqm&nocache=%d", p.Lon(), p.Lat(), n), nil
	}
	small, large := shrink(box, 0.2), shrink(box, 0.9)
	return []workload{
		{"1,000 points in one request, 1 client", 1, batchSQL(points), "prepared",
			r.post("/cadastre/api/v1/spatial/points", batchBody(points)), r},
		{"one point, 1 client", 1, []string{single}, "prepared", onePoint, r},
		{"one point, 16 clients", 16, []string{single}, "prepared", onePoint, r},
		{"GeoJSON of a small box, 1 client", 1, boxSQL(small), "prepared", r.box(small), r},
		{"GeoJSON of a large box, 1 client", 1, boxSQL(large), "prepared", r.box(large), r},
	}
}

func (r *harness) post(path string, body []byte) load.Request {
	return func(int) (string, string, []byte) { return "POST", path, body }
}

func (r *harness) box(b geom.Box) load.Request {
	return func(n int) (string, string, []byte) {
		return "GET", fmt.Sprintf("/cadastre/api/v1/spatial/bbox?west=%.7f&south=%.7f&east=%.7f&north=%.7f&limit=100000&format=geojson&fields=parcel_id,gnr,ez,status,area_sqm&nocache=%d",
			float64(b.MinX)/geom.Scale, float64(b.MinY)/geom.Scale, float64(b.MaxX)/geom.Scale, float64(b.MaxY)/geom.Scale, n), nil
	}
}

// scatter is the same random points every time.
func scatter(b geom.Box, n int) []geom.Point {
	rnd := rand.New(rand.NewPCG(1, 2))
	out := make([]geom.Point, n)
	for i := range out {
		out[i] = geom.Point{X: b.MinX + rnd.Int32N(b.MaxX-b.MinX), Y: b.MinY + rnd.Int32N(b.MaxY-b.MinY)}
	}
	return out
}

// shrink is the box around the same centre with a share of its sides.
func shrink(b geom.Box, share float64) geom.Box {
	dx := int32(float64(b.MaxX-b.MinX) * (1 - share) / 2)
	dy := int32(float64(b.MaxY-b.MinY) * (1 - share) / 2)
	return geom.Box{MinX: b.MinX + dx, MinY: b.MinY + dy, MaxX: b.MaxX - dx, MaxY: b.MaxY - dy}
}

func batchBody(points []geom.Point) []byte {
	type point struct {
		Lon float64 `json:"lon"`
		Lat float64 `json:"lat"`
	}
	var body struct {
		Points []point `json:"points"`
	}
	for _, p := range points {
		body.Points = append(body.Points, point{p.Lon(), p.Lat()})
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain numbers always marshal
	}
	return b
}

// batchSQL are the ways a PostGIS user would ask for 1,000 points at once.
func batchSQL(points []geom.Point) []string {
	var lon, lat []string
	for _, p := range points {
		lon = append(lon, fmt.Sprintf("%.7f", p.Lon()))
		lat = append(lat, fmt.Sprintf("%.7f", p.Lat()))
	}
	from := fmt.Sprintf("unnest(array[%s]::float8[], array[%s]::float8[]) with ordinality as q(lon, lat, n)", strings.Join(lon, ","),
		strings.Join(lat, ","))
	var out []string
	for _, test := range []string{"ST_Intersects(p.geom, %s)", "ST_Covers(p.geom, %s)", "ST_Contains(p.geom, %s)"} {
		point := "ST_SetSRID(ST_MakePoint(q.lon, q.lat), 4326)"
		out = append(out, fmt.Sprintf("select q.n, p.parcel_id, p.gnr, p.area_sqm from %s left join parcels p on %s;\n", from,
			fmt.Sprintf(test, point)))
	}
	return out
}

// boxSQL are the ways a PostGIS user would ask for the GeoJSON of a box.
func boxSQL(b geom.Box) []string {
	env := fmt.Sprintf("ST_MakeEnvelope(%.7f, %.7f, %.7f, %.7f, 4326)", float64(b.MinX)/geom.Scale, float64(b.MinY)/geom.Scale,
		float64(b.MaxX)/geom.Scale, float64(b.MaxY)/geom.Scale)
	cols := "parcel_id, gnr, ez, status, area_sqm, geom"
	return []string{
		fmt.Sprintf("select '{\"type\":\"FeatureCollection\",\"features\":[' || string_agg(ST_AsGeoJSON(t.*, 'geom', 7), ',') || ']}' from (select %s from parcels where geom && %s and ST_Intersects(geom, %s)) t;\n", cols, env, env),
		fmt.Sprintf("select parcel_id, gnr, ez, status, area_sqm, ST_AsGeoJSON(geom, 7) from parcels where geom && %s;\n", env),
	}
}
