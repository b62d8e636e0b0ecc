// Package prices reads the published price series of a raw source directory. It owns their raw forms and their
// checks; what the numbers mean is shared/landprice, and builders/prices publishes them.
//
//	prices/source.json        {"attribution": "..."}: who is to be named for the series
//	prices/*.csv              level code kind year eur [name source note]; eur may be called eur_per_sqm
//	prices/sheets/*.csv       a sheet of the statistics office, exported as CSV: <kind>-<year>-<state>.csv (sheet.go)
//
// A folder that is missing is no error: there are then no prices. Bad rows, doubled rows and values that cannot
// be are problems; the first of doubled rows is kept.
package prices

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"mappe/artefacts/prices"
	"mappe/builders/source/table"
	"mappe/shared/austria"
	"mappe/shared/landprice"
)

// Limits of the folder.
const (
	maxFile = 64 << 20 // bytes of a file
	maxRows = 1 << 21
)

// Series are the published values of a source.
type Series struct {
	Attribution string
	Rows        []prices.Row // in the order of the artefact
}

// Read reads the folder "prices".
func Read(source fs.FS) (Series, table.Problems, error) {
	g := gatherer{seen: map[cell]bool{}}
	names, err := fs.Glob(source, "prices/*.csv")
	if err != nil {
		return Series{}, g.problems, err
	}
	sheets, err := fs.Glob(source, "prices/sheets/*.csv")
	if err != nil {
		return Series{}, g.problems, err
	}
	for _, f := range []struct {
		names []string
		read  func(name string, b []byte) error
	}{{names, g.series}, {sheets, g.sheet}} {
		for _, name := range f.names {
			b, err := readFile(source, name)
			if err == nil {
				err = f.read(name, b)
			}
			if err != nil {
				return Series{}, g.problems, err
			}
		}
	}
	s := Series{Rows: g.rows}
	prices.Sort(s.Rows)
	s.Attribution, err = attribution(source)
	return s, g.problems, err
}

func readFile(source fs.FS, name string) ([]byte, error) {
	in, err := source.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("%s is larger than %d MB, the most that is read of a price file", name, maxFile>>20)
	}
	return b, err
}

func attribution(source fs.FS) (string, error) {
	b, err := readFile(source, "prices/source.json")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var s struct {
		Attribution string `json:"attribution"`
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return "", fmt.Errorf("prices/source.json: %w", err)
	}
	return s.Attribution, nil
}

// cell is what one value is of.
type cell struct {
	level landprice.Level
	code  string
	kind  landprice.SeriesKind
	year  int
}

// gatherer collects the values of all files.
type gatherer struct {
	rows     []prices.Row
	seen     map[cell]bool
	problems table.Problems
}

// add takes a value in; "" or what is wrong with it.
func (g *gatherer) add(c cell, eur float64) string {
	c.kind = c.kind.InYear(c.year)
	switch {
	case !(eur >= 0.001 && eur <= prices.MaxEUR):
		return "a price from 0.001 to " + strconv.Itoa(prices.MaxEUR) + " EUR"
	case g.seen[c]:
		return "one row a series and year: this one repeats an earlier row"
	case len(g.rows) == maxRows:
		return "at most " + strconv.Itoa(maxRows) + " values"
	}
	g.seen[c] = true
	g.rows = append(g.rows, prices.Row{Level: c.level, Code: c.code, Kind: c.kind, Year: c.year, EUR: eur})
	return ""
}

// parseCode reads the code of an area of a level; false for another text.
func parseCode(l landprice.Level, s string) (string, bool) {
	switch l {
	case landprice.Gemeinde:
		c, err := austria.ParseGemeindeCode(s)
		return string(c), err == nil && len(s) == 5
	case landprice.Bezirk:
		c, err := austria.ParseDistrictCode(s)
		return string(c), err == nil
	case landprice.State, landprice.LiteratureState:
		return s, austria.StateCode(s).Name() != ""
	case landprice.National:
		return landprice.Country, s == "" || s == landprice.Country
	}
	return "", false
}

// parseYear reads a year that a series may have.
func parseYear(s string) (int, bool) {
	y, ok := table.Uint([]byte(s), landprice.LastYear)
	return int(y), ok && y >= landprice.FirstYear
}

// The parts of a sheet's file name.
func sheetName(name string) (kind landprice.SeriesKind, year int, state string, ok bool) {
	parts := strings.Split(strings.TrimSuffix(path.Base(name), ".csv"), "-")
	if len(parts) != 3 {
		return 0, 0, "", false
	}
	kind = landprice.ParseSeriesKind(parts[0])
	year, ok = parseYear(parts[1])
	state, known := parseCode(landprice.State, parts[2])
	return kind, year, state, ok && known && kind != landprice.KindUnknown
}
