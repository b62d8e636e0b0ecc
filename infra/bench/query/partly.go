package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"mappe/artefacts/library"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	buildoverlays "mappe/builders/overlays"
	"mappe/functions/cadastre/query"
	"mappe/infra/bench/postgres"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/geo/geom"
)

// A partly built country: a register of 7,850 KGs, of which five are built. Both servers are asked over 127.0.0.1 in a
// process of their own, by wrk and by pgbench, with 1 and with 16 clients one after the other.
const (
	partlyBuilt = 5
	partlyAll   = 7850
	partlyScale = 2.92 // the five KGs have 11,160 parcels
	siteCode    = "AT0000001"
)

// neighbour is the register's row of a KG that is not built: a copy of a built one's ground, elsewhere.
func neighbour(k *register.KG, i int) register.KG {
	n := register.KG{KG: k.KG}
	n.Code = austria.KGCode(fmt.Sprintf("%05d", 10_000+i))
	n.Name, n.GemeindeCode = "Katastralgemeinde "+string(n.Code), gemeindeOf(i)
	n.GemeindeName, n.DistrictName, n.DistrictCode = "Gemeinde "+string(n.GemeindeCode), "Bezirk "+string(n.GemeindeCode.District()),
		n.GemeindeCode.District()
	east, north := int32(i%88)*439_000, -int32(i/88)*294_000
	for _, p := range k.Outline {
		var q geom.Polygon
		for _, r := range p {
			moved := slices.Clone(r)
			for j := range moved {
				moved[j].X, moved[j].Y = moved[j].X+east, moved[j].Y+north
			}
			q = append(q, moved)
		}
		n.Outline = append(n.Outline, q)
	}
	n.Box = n.Outline.Bounds()
	n.Centroid = n.Box.Center()
	return n
}

// site is a Natura 2000 site over a quarter of the first KG.
func site(k *register.KG) *buildoverlays.Source {
	b, c := k.Box, k.Box.Center()
	s := overlays.Site{Code: siteCode, Name: "Au", Type: overlays.Both, AreaHa: 100, Features: 1,
		Geometry: geom.MultiPolygon{{geom.Ring{{X: b.MinX, Y: b.MinY}, {X: c.X, Y: b.MinY}, {X: c.X, Y: c.Y}, {X: b.MinX, Y: c.Y}}}}}
	s.Box = s.Geometry.Bounds()
	return &buildoverlays.Source{Source: overlays.Source{Sites: []overlays.Site{s}}, Sum: "made up"}
}

// partly makes the country in a folder, and asks both servers.
func partly(ctx context.Context, seconds int) (err error) {
	folder, err := os.MkdirTemp("", "mappe-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	st, err := dir.Open(filepath.Join(folder, "store"))
	if err != nil {
		return err
	}
	c := &country{store: st, scale: partlyScale}
	if err := c.fill(ctx, folder, partlyBuilt); err != nil {
		return err
	}
	first := c.contents.KGs[0]
	c.over = site(&first)
	for i := partlyBuilt; i < partlyAll; i++ {
		c.contents.KGs = append(c.contents.KGs, neighbour(&first, i))
	}
	if _, err := c.publish(ctx); err != nil {
		return err
	}
	pg, err := postgres.Start(ctx, postgres.Options{PostGIS: true, TCP: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.Close()) }()
	if err := loadPartly(ctx, pg, folder, c.over.Sites[0].Geometry); err != nil {
		return err
	}
	child, address, err := serveChild(ctx, filepath.Join(folder, "store"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, child.Process.Kill()); _ = child.Wait() }()
	return rivals{pg, child.Process.Pid, address, seconds}.ask(ctx, partlyQuestions(&first))
}

// serveChild runs this program again as the server.
func serveChild(ctx context.Context, data string) (*exec.Cmd, string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(ctx, self, "-serve", data)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return cmd, strings.TrimSpace(line), err
}

// serve answers until it is killed; it prints its address first. KGs without a snapshot are said to be loaded: nothing
// loads them.
func serve(ctx context.Context, data string) error {
	st, err := dir.Open(data)
	if err != nil {
		return err
	}
	lib, err := library.Open(ctx, st, library.Options{Warmup: func(austria.KGCode) {}})
	if err != nil {
		return err
	}
	h, err := query.New(query.Deps{Library: lib}).Handler()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	return (&http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}).Serve(l)
}

// loadPartly loads the parcels with their geometry and the site.
func loadPartly(ctx context.Context, pg *postgres.Cluster, folder string, site geom.MultiPolygon) error {
	script := tables + fmt.Sprintf("\n\\copy parcels from '%s'\n\\copy uses from '%s'\n", filepath.Join(folder, "parcels.tsv"),
		filepath.Join(folder, "uses.tsv")) + strings.Join(indexes, ";\n") + fmt.Sprintf(`;
create table shapes (parcel_id text primary key, geom geometry(MultiPolygon, 4326));
\copy shapes from '%s'
create table sites (code text primary key, geom geometry(MultiPolygon, 4326));
insert into sites values ('%s', '%s');
alter table parcels add column centroid geometry(Point, 4326);
update parcels set centroid = ST_SetSRID(ST_MakePoint(at[0], at[1]), 4326);
create index on parcels using gist (centroid);
vacuum full analyze;
`, filepath.Join(folder, "shapes.tsv"), siteCode, postgres.MultiPolygon(site))
	_, err := pg.Psql(ctx, script)
	return err
}

// both is a question in both languages.
type both struct {
	name, query string
	sql         []string
}

func partlyQuestions(k *register.KG) []both {
	at := k.Box.Center()
	lo, hi := geom.Point{X: at.X - 130_000, Y: at.Y - 90_000}, geom.Point{X: at.X + 130_000, Y: at.Y + 90_000}
	edges := fmt.Sprintf("west=%.7f&south=%.7f&east=%.7f&north=%.7f", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat())
	inBox := fmt.Sprintf("at <@ box '((%.7f,%.7f),(%.7f,%.7f))'", lo.Lon(), lo.Lat(), hi.Lon(), hi.Lat())
	shapes := func(where string, limit int) []string {
		return []string{fmt.Sprintf("select p.*, ST_AsGeoJSON(s.geom, 7) from (select * from parcels where %s order by area_sqm desc, parcel_id limit %d) p join shapes s using (parcel_id) order by area_sqm desc, parcel_id", where, limit),
			"select count(*), sum(area_sqm), avg(area_sqm), min(area_sqm), max(area_sqm), sum(buildings) from parcels where " + where,
			"select u.code, count(*), sum(u.use_sqm) from parcels join uses u using (parcel_id) where " + where + " group by u.code"}
	}
	ask := func(name, query, where string, stats bool) both {
		return both{name, query, question{where: where, stats: stats, uses: stats}.sql()}
	}
	sums := ask("a state's sums", "state=1&limit=1", "state='1'", true)
	sums.sql[0] = strings.Replace(sums.sql[0], "limit 100", "limit 1", 1)
	return []both{
		ask("land use and area", "landuse=52&min_area=5000", "landuse && '{52}' and area_sqm>=5000", false),
		ask("Natura 2000 site", "natura2000_site="+siteCode, "ST_Contains((select geom from sites where code='"+siteCode+"'), centroid)",
			false),
		ask("folio of a KG", "kg=10001&ez=5", "kg='10001' and ez=5", true),
		ask("box", edges, inBox, true),
		ask("KG page", "kg=10002", "kg='10002'", true),
		{"GeoJSON of a KG", "kg=10002&format=geojson&limit=1000", shapes("kg='10002'", 1000)},
		{"box with geometry", edges + "&fields=parcel_id,gnr,area_sqm,geometry", shapes(inBox, 100)},
		sums,
	}
}

// rate is what a load measured.
type rate struct {
	perSecond float64
	cpu       time.Duration // a request
}

// rivals are the two servers, each of which is asked for some seconds.
type rivals struct {
	pg      *postgres.Cluster
	pid     int    // of the own server
	address string // of it
	seconds int
}

// put puts a question to both, to PostGIS first.
func (r rivals) put(ctx context.Context, q both, clients int) (theirs, ours rate, err error) {
	theirs, err = measured(r.pg.CPU, r.seconds, func() (float64, error) {
		got, err := r.pg.Bench(ctx, postgres.Load{Script: strings.Join(q.sql, ";\n") + ";\n", Clients: clients,
			Duration: time.Duration(r.seconds) * time.Second, Protocol: "prepared"})
		return got.PerSecond, err
	})
	if err != nil {
		return theirs, ours, err
	}
	ours, err = measured(func() (time.Duration, error) { return postgres.ProcessCPU(r.pid) }, r.seconds, func() (float64, error) {
		return wrk(ctx, r.address+"/api/v1/query?nocache=1&"+q.query, clients, r.seconds)
	})
	return theirs, ours, err
}

// ask puts all questions and prints what was measured.
func (r rivals) ask(ctx context.Context, list []both) error {
	w := tabwriter.NewWriter(os.Stdout, 22, 4, 2, ' ', 0)
	fmt.Fprintln(w, "question\tclients\tPostGIS a second\tMappe a second\tratio\tPostGIS CPU\tMappe CPU\tratio")
	for _, clients := range []int{1, 16} {
		var wall, cpu []float64
		for _, q := range list {
			theirs, ours, err := r.put(ctx, q, clients)
			if err != nil {
				return err
			}
			wall, cpu = append(wall, ours.perSecond/theirs.perSecond), append(cpu, theirs.cpu.Seconds()/ours.cpu.Seconds())
			fmt.Fprintf(w, "%s\t%d\t%.0f\t%.0f\t%.2f\t%v\t%v\t%.2f\n", q.name, clients, theirs.perSecond, ours.perSecond, wall[len(wall)-1],
				theirs.cpu.Round(time.Microsecond), ours.cpu.Round(time.Microsecond), cpu[len(cpu)-1])
			if err := w.Flush(); err != nil { // a line at once
				return err
			}
		}
		slices.Sort(wall)
		slices.Sort(cpu)
		fmt.Fprintf(w, "median, least\t%d\t\t\t%.2f, %.2f\t\t\t%.2f, %.2f\n", clients, wall[len(wall)/2], wall[0], cpu[len(cpu)/2], cpu[0])
	}
	return w.Flush()
}

// measured adds to a load's rate the processor time that its server took for a request. It is looked at while the load runs:
// that of connections ends with them.
func measured(cpu func() (time.Duration, error), seconds int, load func() (float64, error)) (rate, error) {
	before, err := cpu()
	if err != nil {
		return rate{}, err
	}
	end, last := make(chan struct{}), make(chan time.Duration)
	go func() {
		most := before
		for {
			if now, err := cpu(); err == nil {
				most = max(most, now)
			}
			select {
			case <-end:
				last <- most
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	n, err := load()
	close(end)
	took := <-last - before
	return rate{n, time.Duration(float64(took) / (n * float64(seconds)))}, err
}

var wrkRate = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)

// wrk loads an address, which has to answer 200.
func wrk(ctx context.Context, address string, clients, seconds int) (float64, error) {
	res, err := http.Get(address)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if res.Body.Close(); err != nil || res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s: status %d, %v", address, res.StatusCode, err)
	}
	out, err := exec.CommandContext(ctx, "wrk", "-t1", "-c", strconv.Itoa(clients), "-d", fmt.Sprintf("%ds", seconds),
		address).CombinedOutput()
	m := wrkRate.FindSubmatch(out)
	if err != nil || m == nil || strings.Contains(string(out), "Non-2xx") {
		return 0, fmt.Errorf("wrk: %v: %s", err, out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}
