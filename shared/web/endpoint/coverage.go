package endpoint

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Coverage compares the routed operations with the table of all endpoints (tab-separated: system,
// method, path, query; lines that start with # are comments). It prints each missing row and ends with
// "N of M served". Names of path values do not matter; the rows of the system "sibling" are served by
// whichever service routes them.
func Coverage(w io.Writer, table []byte, served []Route) (missing int, err error) {
	have := map[Route]bool{}
	for _, r := range served {
		r.Path = anonymous(r.Path)
		have[r] = true
		have[Route{"sibling", r.Method, r.Path}] = true
	}
	total := 0
	lines := bufio.NewScanner(bytes.NewReader(table))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 3 {
			return 0, fmt.Errorf("line %d of the endpoint table has %d columns: expected system, method, path, query", n, len(f))
		}
		total++
		if !have[Route{f[0], f[1], anonymous(f[2])}] {
			missing++
			fmt.Fprintf(w, "missing  %-10s %-6s %s\n", f[0], f[1], f[2])
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(w, "%d of %d served\n", total-missing, total)
	return missing, err
}

// Declared reads the routes that another module declares: the columns system, method and path, tab-separated; lines that start with #
// are comments. Whether they are served is tested there.
func Declared(table []byte) ([]Route, error) {
	var routes []Route
	lines := bufio.NewScanner(bytes.NewReader(table))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 3 {
			return nil, fmt.Errorf("line %d of the declared routes has %d columns: expected system, method, path", n, len(f))
		}
		routes = append(routes, Route{f[0], f[1], f[2]})
	}
	return routes, lines.Err()
}

func anonymous(path string) string { return pathValue.ReplaceAllString(path, "{}") }
