package shapefile

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// MaxAnswer bounds the unpacked files of an answer in bytes: while it is made they lie in the temporary directory, of which a function
// has 512 MB.
const MaxAnswer = 256 << 20

// Answer are the rows of one answer: format=shapefile. There is a set for each of their row types, under its name: a shapefile has one
// type of shapes, and one table. A row type without rows has no set where another has some. Rows of a type without shapes are a .dbf
// alone; a row that lacks the shape of its type has a null shape, so that no row is lost.
type Answer struct {
	Name   string // of the answer
	About  string // licence and whom to name
	Layout *format.Layout
	Rows   format.Seq
}

// Write writes the archive, with a README.txt. Nothing is written to w before the last row is read, so that an error, and a refusal of
// more than MaxAnswer, can be answered in its place. The same rows give the same bytes: the date of the members is 1980-01-01.
func (a Answer) Write(ctx context.Context, w io.Writer) error { return a.write(ctx, w, MaxAnswer) }

func (a Answer) write(ctx context.Context, w io.Writer, most int64) (err error) {
	out := bufio.NewWriterSize(w, 32<<10)
	g := &gathered{answer: a, most: most, archive: &archive{zip: &packer{out: out, day: firstDay}, time: firstDay}}
	defer func() { err = g.close(err) }()
	n := 0
	for r, rowErr := range a.Rows {
		if rowErr != nil {
			return rowErr
		}
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := g.add(r); err != nil {
			return err
		}
	}
	if len(g.sets) == 0 { // the files say what there could have been
		for _, t := range a.Layout.RowTypes {
			if _, err := g.open(t); err != nil {
				return err
			}
		}
	}
	if err := g.pack(ctx); err != nil {
		return err
	}
	if err := g.archive.zip.finish(); err != nil {
		return fmt.Errorf("shapefile: %w", err)
	}
	return out.Flush()
}

// gathered are the sets of an answer, in the order of their first rows.
type gathered struct {
	answer  Answer
	archive *archive
	most    int64
	sets    []*set
	last    *set // of the row before: rows of a row type mostly follow each other
}

// add writes a row beside.
func (g *gathered) add(r format.Row) error {
	s, err := g.open(r.RowType())
	if err == nil {
		err = s.encode(r)
	}
	if err != nil {
		return err
	}
	size := s.grown()
	for _, other := range g.sets {
		if other != s {
			size += other.size()
		}
	}
	if size > g.most {
		return fault.New(fault.TooLarge, "the shapefiles would have more than %d MB unpacked: ask for fewer rows with limit= or fewer "+
			"columns with fields=, for format=csv or format=parquet, which have no such bound, or export whole KGs", g.most>>20)
	}
	return s.take()
}

// open is the set of a row type.
func (g *gathered) open(t *format.RowType) (*set, error) {
	if g.last != nil && g.last.layout.RowTypes[0] == t {
		return g.last, nil
	}
	name, same := t.Name, 1
	for _, s := range g.sets {
		if s.layout.RowTypes[0] == t {
			g.last = s
			return s, nil
		}
		if s.layout.RowTypes[0].Name == name {
			same++
		}
	}
	l := Layer{Name: setName(name, same), Layout: g.answer.Layout.Only(t)}
	columns, shape, err := columnsOf(l.Layout)
	if err != nil {
		return nil, fmt.Errorf("shapefile: rows of type %s: %w", name, err)
	}
	s, err := g.archive.begin(l, columns, shape)
	if err != nil {
		return nil, err
	}
	g.sets, g.last = append(g.sets, s), s
	return s, nil
}

// pack writes the members of the archive.
func (g *gathered) pack(ctx context.Context) error {
	var about strings.Builder
	fmt.Fprintf(&about, "%s\r\n%s\r\n", g.answer.Name, g.answer.About)
	for _, s := range g.sets {
		Describe(&about, s.layout.RowTypes[0].Doc, s.name, s.layout)
	}
	if err := g.archive.text("README.txt", about.String()); err != nil {
		return err
	}
	for _, s := range g.sets {
		if err := g.archive.pack(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// close removes the files beside.
func (g *gathered) close(err error) error {
	for _, s := range g.sets {
		if gone := s.close(); err == nil {
			err = gone
		}
	}
	return err
}

// Describe writes what a set holds: what it is, and each column as it is named in the file and in all other forms.
func Describe(b *strings.Builder, about, name string, l *format.Layout) {
	fmt.Fprintf(b, "\r\n%s\r\n%s\r\n", name, about)
	for i, short := range namesOf(l) {
		c := l.Column(i)
		unit := ""
		if c.Unit != "" {
			unit = " [" + c.Unit + "]"
		}
		fmt.Fprintf(b, "  %-10s  %s%s: %s\r\n", short, c.Name, unit, c.Doc)
	}
}
