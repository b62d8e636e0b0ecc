package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/shared/geo/geom"
)

// postgres is a throw-away PostGIS server on a local port: its own data directory, listening on
// 127.0.0.1 only, stopped and removed at the end.
type postgres struct {
	dir, bin string
	port     int
	as       []string // prefix that runs a command as a user PostgreSQL accepts
}

// startPostgres finds Debian's PostgreSQL 15, makes a cluster and loads the parcels.
func startPostgres(ctx context.Context, dir string, port int, snap *kgfile.Snapshot) (*postgres, error) {
	p := &postgres{dir: dir, bin: "/usr/lib/postgresql/15/bin", port: port}
	if _, err := os.Stat(filepath.Join(p.bin, "pgbench")); err != nil {
		return nil, fmt.Errorf("PostgreSQL 15 with pgbench is not installed (Debian: postgresql-15-postgis-3): %w", err)
	}
	if u, err := user.Current(); err == nil && u.Uid == "0" {
		p.as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"}
		if err := exec.CommandContext(ctx, "chown", "-R", "postgres", dir).Run(); err != nil {
			return nil, err
		}
	}
	data := filepath.Join(dir, "data")
	opts := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c shared_buffers=512MB -c fsync=off", port, dir)
	for _, c := range [][]string{
		{filepath.Join(p.bin, "initdb"), "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "postgres"},
		{filepath.Join(p.bin, "pg_ctl"), "-D", data, "-o", opts, "-w", "-l", filepath.Join(dir, "log"), "start"},
	} {
		if err := p.run(ctx, c...); err != nil {
			return nil, err
		}
	}
	return p, p.load(ctx, snap)
}

func (p *postgres) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_ = p.run(ctx, filepath.Join(p.bin, "pg_ctl"), "-D", filepath.Join(p.dir, "data"), "-m", "immediate", "stop")
}

func (p *postgres) run(ctx context.Context, args ...string) error {
	args = append(append([]string{}, p.as...), args...)
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir = p.dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (p *postgres) psql(ctx context.Context, sql string) (string, error) {
	c := exec.CommandContext(ctx, filepath.Join(p.bin, "psql"), "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt", "-c", sql)
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("psql: %w: %s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

func (p *postgres) load(ctx context.Context, snap *kgfile.Snapshot) error {
	file := filepath.Join(p.dir, "parcels.tsv")
	if err := writeTSV(file, snap); err != nil {
		return err
	}
	for _, sql := range []string{
		"create extension postgis",
		"create table parcels (parcel_id text primary key, gnr text, ez int, status text, area_sqm float8, geom geometry(MultiPolygon, 4326))",
		fmt.Sprintf("copy parcels from '%s'", file),
		"create index on parcels using gist (geom)",
		"cluster parcels using parcels_geom_idx",
		"vacuum analyze parcels",
	} {
		if _, err := p.psql(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

func writeTSV(file string, snap *kgfile.Snapshot) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, p := range snap.Parcels {
		fmt.Fprintf(w, "%s-%s\t%s\t%d\t%s\t%.2f\tSRID=4326;%s\n", snap.KG.Code, p.GNR, p.GNR, p.EZ, p.Status, p.AreaSqm, wkt(p.Geometry))
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func wkt(m geom.MultiPolygon) string {
	var b strings.Builder
	b.WriteString("MULTIPOLYGON(")
	for i, p := range m {
		sep(&b, i)
		b.WriteByte('(')
		for j, r := range p {
			sep(&b, j)
			b.WriteByte('(')
			for k := 0; k <= len(r); k++ {
				sep(&b, k)
				v := r[k%len(r)]
				fmt.Fprintf(&b, "%.7f %.7f", v.Lon(), v.Lat())
			}
			b.WriteByte(')')
		}
		b.WriteByte(')')
	}
	b.WriteByte(')')
	return b.String()
}

func sep(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

var latencyLine = regexp.MustCompile(`latency average = ([0-9.]+) ms`)

// pgbench runs a script for some seconds and gives the mean latency and the rate, measured by
// PostgreSQL's own client over its own protocol.
func (p *postgres) pgbench(ctx context.Context, script string, clients int, d time.Duration, protocol string) (result, error) {
	file := filepath.Join(p.dir, "script.sql")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return result{}, err
	}
	c := exec.CommandContext(ctx, filepath.Join(p.bin, "pgbench"), "-n", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "postgres",
		"-f", file, "-c", strconv.Itoa(clients), "-j", "1", "-T", strconv.Itoa(max(1, int(d.Seconds()))), "-M", protocol, "postgres")
	out, err := c.CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	m := latencyLine.FindSubmatch(out)
	if m == nil {
		return result{}, fmt.Errorf("pgbench printed no latency: %s", out)
	}
	ms, _ := strconv.ParseFloat(string(m[1]), 64)
	mean := time.Duration(ms * float64(time.Millisecond))
	return result{mean: mean, perSecond: float64(clients) / mean.Seconds()}, nil
}
