package manuscript

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestGrid(t *testing.T) {
	cell := func(columns, rows int) Cell { return Cell{ColSpan: columns, RowSpan: rows} }
	table := Table{HeadRows: 1, Rows: []Row{
		{[]Cell{cell(2, 4), cell(1, 1)}},             // the head's cell ends with the head
		{[]Cell{cell(1, 3), cell(1, 1), cell(1, 1)}}, // A over three rows
		{[]Cell{cell(1, 2), cell(1, 1)}},             // behind A
		{[]Cell{cell(1, 9)}},                         // behind A and B; ends with the table
	}}
	rows, columns := table.Grid(24)
	want := [][]string{{"0 2×1", "2 1×1"}, {"0 1×3", "1 1×1", "2 1×1"}, {"1 1×2", "2 1×1"}, {"2 1×1"}}
	if columns != 3 || len(rows) != len(want) {
		t.Fatalf("%d rows of %d columns", len(rows), columns)
	}
	for i := range rows {
		for k, p := range rows[i] {
			if got := fmt.Sprintf("%d %d×%d", p.Column, p.Columns, p.Rows); got != want[i][k] {
				t.Errorf("row %d, cell %d: %s, want %s", i, k, got, want[i][k])
			}
		}
	}
	if _, columns := table.Grid(2); columns != 2 {
		t.Errorf("%d columns, two were asked for", columns)
	}
}

// TestNoCellsOverlap: whatever spans are given, no place of the grid belongs to two cells.
func TestNoCellsOverlap(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		table := Table{HeadRows: r.IntN(4) - 1, Rows: make([]Row, r.IntN(9))}
		for i := range table.Rows {
			for range r.IntN(7) {
				table.Rows[i].Cells = append(table.Rows[i].Cells, Cell{ColSpan: r.IntN(5) - 1, RowSpan: r.IntN(5) - 1})
			}
		}
		if seed%10 == 0 && len(table.Rows) > 0 {
			table.Rows[0].Cells = append(table.Rows[0].Cells, Cell{ColSpan: 1 << 60, RowSpan: 1 << 60})
		}
		rows, columns := table.Grid(12)
		taken := map[[2]int]bool{}
		for i := range rows {
			for _, p := range rows[i] {
				for y := range p.Rows {
					for x := range p.Columns {
						at := [2]int{i + y, p.Column + x}
						if taken[at] || at[0] >= len(table.Rows) || at[1] >= columns || columns > 12 ||
							i < table.Head() && at[0] >= table.Head() {
							t.Fatalf("seed %d: row %d, %+v of %d columns", seed, i, p, columns)
						}
						taken[at] = true
					}
				}
			}
		}
	}
}
