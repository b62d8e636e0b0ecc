// Package rowstest is the one contract suite of rows.Source and rows.Windowed. Every implementation runs it.
package rowstest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Run holds a source that reads KG files to the contract. fresh gives one that does not stand on a KG.
func Run(t *testing.T, fresh func(t *testing.T) rows.Source) {
	first, second, empty := file(t, "99001", 60), file(t, "99002", 35), emptyFile(t)
	run(t, first, fresh)
	t.Run("the rows are those of the KG that is open", func(t *testing.T) {
		s := fresh(t)
		want, other := all(t, s, first), all(t, s, second)
		if slices.Equal(want, other) {
			t.Fatal("two KGs have the same rows")
		}
		if n := mustOpen(t, s, empty); n != 0 {
			t.Errorf("a KG without rows: got %d", n)
		}
		same(t, "after another KG", want, all(t, s, first))
		same(t, "of a source that stood nowhere before", other, all(t, fresh(t), second))
	})
}

// RunExternal holds a source whose rows are in no KG file to the contract.
func RunExternal(t *testing.T, fresh func(t *testing.T) rows.Source) { run(t, nil, fresh) }

func run(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source)
	}{
		{"rows have the type of the source", rowTypes},
		{"values have the types of their columns", types},
		{"rows are drawn in any order, and again", anyOrder},
		{"two sources do not disturb each other", sideBySide},
		{"a window changes no row", windows},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, f, fresh) })
	}
}

func file(t *testing.T, code austria.KGCode, parcels int) *kgfile.File {
	t.Helper()
	return encoded(t, kgtest.Snapshot(kgtest.Options{Code: code, Parcels: parcels, Segments: 2, AreaKm2: 1, Seed: uint64(parcels)}))
}

func emptyFile(t *testing.T) *kgfile.File {
	t.Helper()
	return encoded(t, &kgfile.Snapshot{KG: kgfile.KG{Code: "99003"}, Build: kgfile.Build{Stichtag: "2026-10-01",
		IngestGeneration: string(rowschema.TilePartitionV1)}})
}

func encoded(t *testing.T, s *kgfile.Snapshot) *kgfile.File {
	t.Helper()
	body, err := kgfile.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kgfile.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustOpen(t *testing.T, s rows.Source, f *kgfile.File) int {
	t.Helper()
	n, err := s.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// opened has a source stand on a file that has rows of it; a windowed one is told of all of them.
func opened(t *testing.T, s rows.Source, f *kgfile.File) int {
	t.Helper()
	n := mustOpen(t, s, f)
	if n < 2 {
		t.Fatalf("%d rows: want some more", n)
	}
	window(t, s, 0, n)
	return n
}

func window(t *testing.T, s rows.Source, lo, hi int) {
	t.Helper()
	if w, ok := s.(rows.Windowed); ok {
		if err := w.Window(t.Context(), lo, hi); err != nil {
			t.Fatal(err)
		}
	}
}

// text is a row as it is written, and its geometry.
func text(t *testing.T, r format.Row) string {
	t.Helper()
	var out bytes.Buffer
	b := format.NewBuffer(&out)
	if err := format.WriteNDJSON(b, format.NewLayout(nil, r.RowType()), format.Rows([]format.Row{r})); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String() + fmt.Sprint(r.Geometry())
}

func all(t *testing.T, s rows.Source, f *kgfile.File) []string {
	t.Helper()
	list := make([]string, opened(t, s, f))
	for i := range list {
		list[i] = text(t, s.Row(i))
	}
	return list
}

func same(t *testing.T, what string, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%s: want %d rows, got %d", what, len(want), len(got))
	}
	for i := range want {
		if want[i] != got[i] {
			t.Fatalf("%s: row %d: want\n%s\ngot\n%s", what, i, want[i], got[i])
		}
	}
}

func rowTypes(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source) {
	s := fresh(t)
	before := s.RowType()
	for i := range opened(t, s, f) {
		r := s.Row(i)
		if r.RowType() != before || s.RowType() != before {
			t.Fatalf("row %d: want the type %s, got %s of a source of %s", i, before.Name, r.RowType().Name, s.RowType().Name)
		}
		if g := r.Geometry(); g.Shape != format.ShapeNone && g.Shape != before.Shape {
			t.Fatalf("row %d: want the shape %d or none, got %d", i, before.Shape, g.Shape)
		}
	}
}

func types(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source) {
	s := fresh(t)
	for i := range opened(t, s, f) {
		r := s.Row(i)
		for k, c := range r.RowType().Columns {
			v := r.Value(k)
			ok := true
			switch c.Type {
			case format.TypeString:
				_, ok = v.Str()
			case format.TypeInt:
				_, ok = v.Int64()
			case format.TypeFloat, format.TypeDegrees:
				_, ok = v.Float64()
			}
			if !ok && !v.IsNull() {
				t.Fatalf("row %d, %s: its value has another type than its column", i, c.Name)
			}
		}
	}
}

func anyOrder(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source) {
	s := fresh(t)
	want := all(t, s, f)
	got := make([]string, len(want))
	for i := len(got) - 1; i >= 0; i-- {
		got[i] = text(t, s.Row(i))
		if again := text(t, s.Row(i)); again != got[i] {
			t.Fatalf("row %d drawn twice: want\n%s\ngot\n%s", i, got[i], again)
		}
	}
	same(t, "backwards", want, got)
	same(t, "opened again", want, all(t, s, f))
}

func sideBySide(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source) {
	want := all(t, fresh(t), f)
	a, b := fresh(t), fresh(t)
	n := opened(t, a, f)
	opened(t, b, f)
	for i := range n {
		row := a.Row(i)
		b.Row(n - 1 - i)
		if got := text(t, row); got != want[i] {
			t.Fatalf("row %d beside row %d of another source: want\n%s\ngot\n%s", i, n-1-i, want[i], got)
		}
	}
}

// windows holds for each source: for one that reads nothing, a window is nothing.
func windows(t *testing.T, f *kgfile.File, fresh func(t *testing.T) rows.Source) {
	s := fresh(t)
	want := all(t, s, f)
	for _, size := range []int{1, 2, 7} {
		for from := range 2 { // pages begin anywhere
			var got []string
			for lo := from; lo < len(want); lo += size {
				hi := min(lo+size, len(want))
				window(t, s, lo, hi)
				for i := lo; i < hi; i++ {
					got = append(got, text(t, s.Row(i)))
				}
			}
			same(t, fmt.Sprintf("windows of %d from %d", size, from), want[from:], got)
		}
	}
}
