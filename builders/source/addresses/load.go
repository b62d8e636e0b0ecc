package addresses

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mappe/builders/source/table"
)

type loader struct {
	r        *Register
	in       fs.FS
	files    map[string]string // table to path
	problems table.Problems
	street   map[uint32]uint32 // SKZ to name
	ort      map[uint32]uint32 // OKZ to name
}

// find looks for the tables. Of several files of one name the first in path order counts.
func (l *loader) find() error {
	err := fs.WalkDir(l.in, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base, csv := strings.CutSuffix(strings.ToUpper(path.Base(p)), ".CSV")
		if !d.IsDir() && csv && l.files[base] == "" {
			l.files[base] = p
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("address register: %w", err)
	}
	for _, must := range []string{"ADRESSE", "GEBAEUDE"} {
		if l.files[must] == "" {
			return fmt.Errorf("address register: table %s.csv is missing", must)
		}
	}
	return nil
}

// each reads a table row by row; a missing optional table is no row.
func (l *loader) each(name, columns, optional string, row func(t *table.Table)) error {
	return l.open(name, columns, optional, func(in io.Reader, o table.Options) error {
		t, err := table.New(in, o)
		if err != nil {
			return err
		}
		for t.Next() {
			if t.Rows() > maxRows {
				return tooManyRows(o.File)
			}
			row(t)
		}
		return t.Err()
	})
}

// wanted is a table with its columns.
type wanted struct{ name, columns, optional string }

// eachBlock reads a long table in blocks, as table.Blocks does.
func eachBlock[T any](l *loader, w wanted, row func(t *table.Table, to *T), then func(of *T) error) error {
	return l.open(w.name, w.columns, w.optional, func(in io.Reader, o table.Options) error {
		return table.Blocks(in, o, row, func(of *T) error {
			if err := then(of); err != nil {
				return err
			}
			if max(len(l.r.addresses), len(l.r.buildings)) > maxRows {
				return tooManyRows(o.File)
			}
			return nil
		})
	})
}

func tooManyRows(file string) error { return fmt.Errorf("%s: more than %d rows", file, maxRows) }

// open opens a table, if it is there.
func (l *loader) open(name, columns, optional string, read func(in io.Reader, o table.Options) error) error {
	p, ok := l.files[name]
	if !ok {
		return nil
	}
	f, err := l.in.Open(p)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &io.LimitedReader{R: f, N: maxTable}
	err = read(in, table.Options{File: p, Comma: ';', Columns: strings.Fields(columns), Optional: strings.Fields(optional),
		Problems: &l.problems})
	if err == nil && in.N <= 0 {
		return fmt.Errorf("%s: more than %d bytes", p, int64(maxTable))
	}
	return err
}

// number reads a key of digits and reports anything else.
func number(t *table.Table, i int, max uint64, expected string) (uint64, bool) {
	v, ok := table.Uint(t.Field(i), max)
	if !ok {
		t.Bad(i, expected)
	}
	return v, ok
}

func (l *loader) streets() error {
	l.street = map[uint32]uint32{}
	return l.each("STRASSE", "SKZ STRASSENNAME", "STRASSENNAMENZUSATZ", func(t *table.Table) {
		if k, ok := number(t, 0, 1<<32-1, "a street code of digits"); ok {
			l.street[uint32(k)] = l.r.names.add(t.Field(1))
		}
	})
}

func (l *loader) localities() error {
	l.ort = map[uint32]uint32{}
	return l.each("ORTSCHAFT", "OKZ ORTSNAME", "GKZ", func(t *table.Table) {
		if k, ok := number(t, 0, 1<<32-1, "a locality code of digits"); ok {
			l.ort[uint32(k)] = l.r.names.add(t.Field(1))
		}
	})
}

func (l *loader) municipalities() error {
	l.r.gemeinden = map[uint32]uint32{}
	return l.each("GEMEINDE", "GKZ GEMEINDENAME", "", func(t *table.Table) {
		if k, ok := number(t, 0, 99999, "a municipality code of 5 digits"); ok {
			l.r.gemeinden[uint32(k)] = l.r.names.add(t.Field(1))
		}
	})
}

// at is the address of an ADRCD, false if the register does not list it. It is looked for first at a place and behind it: the
// tables are in one order as a rule.
func (r *Register) at(adrcd uint64, place int) (int, bool) {
	for i := place; i < min(place+2, len(r.addresses)); i++ {
		if r.addresses[i].adrcd == adrcd {
			return i, true
		}
	}
	return slices.BinarySearchFunc(r.addresses, adrcd, func(a address, k uint64) int { return cmp.Compare(a.adrcd, k) })
}

// parcels reads the KG an address is booked in; the first row of an address counts.
func (l *loader) parcels() error {
	last := 0
	return l.each("ADRESSE_GST", "ADRCD KGNR", "", func(t *table.Table) {
		key, ok := number(t, 0, 1<<53, "an address code of digits")
		if !ok {
			return
		}
		kg, ok := number(t, 1, 99999, "a KG code of 1 to 5 digits")
		if !ok {
			return
		}
		i, ok := l.r.at(key, last)
		if !ok {
			return
		}
		if last = i; l.r.addresses[i].kg == 0 {
			l.r.addresses[i].kg = uint32(kg) + 1
		}
	})
}
