package dkm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"mappe/builders/source/filestate"
	"mappe/builders/source/geopackage"
	"mappe/builders/source/table"
	"mappe/shared/geo/mvt"
)

// Source is the cadastral map of one or more files. It is safe for concurrent use.
type Source struct {
	files  []*geopackage.File
	layers []layer
	others []string
	state  *filestate.State // of all files before they were opened; nil where it cannot be told

	mu       sync.Mutex
	problems table.Problems
	seen     map[fault]bool // features reported already: a feature stands in many tiles
}

// fault is a feature that was left out.
type fault struct {
	layer int
	row   int64
}

// Open opens the files, which together are one map. It fails when a file is no GeoPackage, when no table holds
// parcels, or when a table's coordinates are in a system that is not known. A table without a spatial index
// gets one beside its file, which takes minutes for the country, once.
func Open(ctx context.Context, paths ...string) (*Source, error) {
	s := &Source{seen: map[fault]bool{}, state: stateOf(paths)}
	for _, p := range paths {
		f, err := geopackage.Open(ctx, p)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.files = append(s.files, f)
	}
	s.layers, s.others = choose(s.files)
	for i := range s.layers {
		if err := s.layers[i].open(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if !s.has(Parcels) {
		return nil, errors.Join(s.noParcels(paths), s.Close())
	}
	return s, nil
}

// stateOf is the state of the files with what the database may keep beside them.
func stateOf(paths []string) *filestate.State {
	var all []filestate.State
	for _, p := range paths {
		for _, beside := range []string{"", "-wal", "-journal"} {
			one, ok := filestate.Of(p + beside)
			if !ok {
				return nil
			}
			all = append(all, one)
		}
	}
	joined := filestate.Join(all...)
	return &joined
}

// State is that of the files that every tile is drawn from. It is not told when features could not be read: each build
// names them, and so has to draw the tiles.
func (s *Source) State(string, mvt.TileID) (filestate.State, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil || s.problems.Total > 0 {
		return filestate.State{}, false
	}
	return *s.state, true
}

// noParcels says what was looked for and what is there instead.
func (s *Source) noParcels(paths []string) error {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.Base(p)
	}
	there := "no table with geometries"
	if all := append(s.tables(), s.others...); len(all) > 0 {
		there = strings.Join(all, ", ")
	}
	return fmt.Errorf("%s: no table holds parcels: expected areas with the columns KG and GNR, found %s", strings.Join(names, ", "), there)
}

func (s *Source) tables() []string {
	var out []string
	for _, l := range s.layers {
		out = append(out, fmt.Sprintf("%s: table %s (%s)", l.file, l.from.Table, l.role))
	}
	return out
}

// Close closes the files.
func (s *Source) Close() error {
	var err error
	for i := range s.layers {
		if x := s.layers[i].index; x != nil {
			err = errors.Join(err, x.Close())
		}
	}
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// Held is a table that is read.
type Held struct {
	Role   Role
	File   string
	Table  string
	Rows   int64
	System string
	Index  string // where its index was made, "" when the file has its own
	Bare   bool   // described only: it has no index of its own, the first build makes one
}

// Description says what files hold without reading more than their directories.
type Description struct {
	Held    []Held
	Missing []string // roles that no table has, and what that costs
	Others  []string // tables that are not read
}

// Describe looks into the files as Open does, and makes no index.
func Describe(ctx context.Context, paths ...string) (Description, error) {
	s := &Source{}
	defer s.Close() // read only
	for _, p := range paths {
		f, err := geopackage.Open(ctx, p)
		if err != nil {
			return Description{}, err
		}
		s.files = append(s.files, f)
	}
	s.layers, s.others = choose(s.files)
	d := Description{Missing: s.Missing(), Others: s.others}
	if !s.has(Parcels) {
		return d, s.noParcels(paths)
	}
	for i := range s.layers {
		l := &s.layers[i]
		if err := l.locate(); err != nil {
			return d, err
		}
		indexed, err := l.from.Indexed(ctx)
		if err != nil {
			return d, err
		}
		n, err := l.from.Count(ctx)
		if err != nil {
			return d, err
		}
		d.Held = append(d.Held, Held{Role: l.role, File: l.file, Table: l.from.Table, Rows: n, System: l.system.String(), Bare: !indexed})
	}
	slices.SortStableFunc(d.Held, func(a, b Held) int { return int(a.Role) - int(b.Role) })
	return d, nil
}

// has says whether a table has the role.
func (s *Source) has(r Role) bool {
	return slices.ContainsFunc(s.layers, func(l layer) bool { return l.role == r })
}

// Holds lists the tables that are read, by role.
func (s *Source) Holds(ctx context.Context) ([]Held, error) {
	var out []Held
	for _, l := range s.layers {
		n, err := l.from.Count(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, Held{Role: l.role, File: l.file, Table: l.from.Table, Rows: n, System: l.system.String(), Index: l.index.Made})
	}
	slices.SortStableFunc(out, func(a, b Held) int { return int(a.Role) - int(b.Role) })
	return out, nil
}

// missing says what the absence of a role costs.
var missing = map[Role]string{
	LandUse: "no table of land use (NFL: areas with the column NS): parcels have no use areas, no building footprints and no floor area ratio",
	Labels:  "no table of number labels (GNR: points with the column GNR): labels are missing, and parcels too small to be drawn are not known",
	Symbols: "no table of land-use symbols (NSY: points with the column NS): symbols are not counted, the dominant use follows from areas alone",
}

// Missing says in plain words which roles no table has and what that costs.
func (s *Source) Missing() []string {
	var out []string
	for _, r := range AllRoles() {
		if text := missing[r]; text != "" && !s.has(r) {
			out = append(out, text)
		}
	}
	return out
}

// Problems are the features left out so far, each once.
func (s *Source) Problems() table.Problems {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.problems
	p.First = slices.Clone(p.First)
	return p
}

func (s *Source) bad(layer int, row int64, value, expected string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := (fault{layer, row}); !s.seen[k] {
		s.seen[k] = true
		l := &s.layers[layer]
		s.problems.Add(table.Problem{File: fmt.Sprintf("%s table %s row %d", l.file, l.from.Table, row), Column: l.from.Column,
			Value: value, Expected: expected})
	}
}
