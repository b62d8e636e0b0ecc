// Package postgres runs a throw-away PostgreSQL server for measurements and for tests that ask PostGIS: its own data
// directory, reached by nobody else, stopped and removed at the end. It owns how a server is found, started and asked; what
// is loaded and asked its callers know.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Packages of Debian that a Cluster asks for.
const (
	Package        = "postgresql"
	PostGISPackage = "postgresql-postgis"
)

// ErrAbsent says that PostgreSQL or PostGIS is not installed.
var ErrAbsent = errors.New("is not installed")

// Find gives the folder of the newest PostgreSQL's programs, and whether PostGIS is there for it.
func Find() (bin string, postgis bool, err error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", false, fmt.Errorf("PostgreSQL (Debian package %s) %w", Package, ErrAbsent)
	}
	slices.Sort(found)
	bin = filepath.Dir(found[len(found)-1])
	_, err = os.Stat(filepath.Join("/usr/share/postgresql", filepath.Base(filepath.Dir(bin)), "extension", "postgis.control"))
	return bin, err == nil, nil
}

// Options say what a server is for.
type Options struct {
	PostGIS bool // its extension is created
	// TCP lets the server be asked through 127.0.0.1, as a measurement beside another network protocol wants it; else
	// through a socket in its own folder.
	TCP      bool
	Settings []string // further settings, as "jit=off"
}

// Cluster is a server that runs.
type Cluster struct {
	dir, bin, host string
	port           int
	as             []string // prefix that runs a command as a user PostgreSQL accepts
}

// Start makes and starts a server.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	bin, postgis, err := Find()
	if err == nil && o.PostGIS && !postgis {
		err = fmt.Errorf("PostGIS (Debian package %s) %w", PostGISPackage, ErrAbsent)
	}
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mappe-pg-*") // short: the path of a socket has at most 107 bytes
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, bin: bin, host: dir, port: 5432}
	if err := c.start(ctx, o); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context, o Options) error {
	if u, err := user.Current(); err == nil && u.Uid == "0" {
		c.as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"}
		if err := exec.CommandContext(ctx, "chown", "-R", "postgres", c.dir).Run(); err != nil {
			return err
		}
	}
	listen := "''"
	if o.TCP {
		c.host, listen = "127.0.0.1", "127.0.0.1"
		port, err := freePort()
		if err != nil {
			return err
		}
		c.port = port
	}
	data := filepath.Join(c.dir, "data")
	opts := fmt.Sprintf("-p %d -k %s -c listen_addresses=%s -c shared_buffers=512MB -c work_mem=64MB -c maintenance_work_mem=256MB -c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=8GB", c.port, c.dir, listen)
	for _, s := range o.Settings {
		opts += " -c " + s
	}
	if err := c.run(ctx, filepath.Join(c.bin, "initdb"), "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "postgres",
		"--no-sync"); err != nil {
		return err
	}
	if err := c.run(ctx, filepath.Join(c.bin, "pg_ctl"), "-D", data, "-o", opts, "-w", "-l", filepath.Join(c.dir, "log"),
		"start"); err != nil {
		return err
	}
	if o.PostGIS {
		_, err := c.Psql(ctx, "create extension postgis")
		return err
	}
	return nil
}

// Close stops the server and removes all of it.
func (c *Cluster) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	data := filepath.Join(c.dir, "data")
	if _, err := os.Stat(filepath.Join(data, "postmaster.pid")); err == nil {
		if err := c.run(ctx, filepath.Join(c.bin, "pg_ctl"), "-D", data, "-m", "immediate", "stop"); err != nil {
			return err
		}
	}
	return os.RemoveAll(c.dir)
}

func (c *Cluster) run(ctx context.Context, args ...string) error {
	args = append(slices.Clone(c.as), args...)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = c.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// client is a program of PostgreSQL, connected to the server.
func (c *Cluster) client(ctx context.Context, program string, args ...string) *exec.Cmd {
	args = append([]string{"-h", c.host, "-p", strconv.Itoa(c.port), "-U", "postgres"}, args...)
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...)
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c client_min_messages=warning")
	return cmd
}

// Psql runs a script in one session and gives the rows, a line each, columns apart by |. A script may copy files of the
// caller's with \copy.
func (c *Cluster) Psql(ctx context.Context, script string) (string, error) {
	cmd := c.client(ctx, "psql", "-v", "ON_ERROR_STOP=1", "-XqAt")
	cmd.Stdin = strings.NewReader(script)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("psql: %w: %s", err, stderr.String()[max(stderr.Len()-2000, 0):])
	}
	return string(out), nil
}

// Load is what pgbench runs: PostgreSQL's own client over its own protocol.
type Load struct {
	Script   string // in pgbench's language
	Clients  int
	Duration time.Duration
	Protocol string // simple, extended or prepared
}

// Rate is what pgbench measured.
type Rate struct {
	Mean      time.Duration
	PerSecond float64
}

var latencyLine = regexp.MustCompile(`latency average = ([0-9.]+) ms`)

// Bench runs a load.
func (c *Cluster) Bench(ctx context.Context, l Load) (Rate, error) {
	f, err := os.CreateTemp("", "mappe-pgbench-*.sql")
	if err != nil {
		return Rate{}, err
	}
	defer os.Remove(f.Name())
	if _, err := f.WriteString(l.Script); err != nil {
		return Rate{}, errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return Rate{}, err
	}
	cmd := c.client(ctx, "pgbench", "-n", "-f", f.Name(), "-c", strconv.Itoa(l.Clients), "-j", "1", "-T",
		strconv.Itoa(max(1, int(l.Duration.Seconds()))), "-M", l.Protocol, "postgres")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return Rate{}, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	m := latencyLine.FindSubmatch(out)
	if m == nil {
		return Rate{}, fmt.Errorf("pgbench printed no latency: %s", out)
	}
	ms, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		return Rate{}, err
	}
	mean := time.Duration(ms * float64(time.Millisecond))
	return Rate{mean, float64(l.Clients) / mean.Seconds()}, nil
}
