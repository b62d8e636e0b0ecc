package manuscript

// Placed is a cell in the grid of its table. Its spans end with the grid, and at the table's head.
type Placed struct {
	*Cell
	Column, Columns, Rows int
}

// Head is how many rows are the table's head; a table of head rows alone has none.
func (t *Table) Head() int {
	if t.HeadRows <= 0 || t.HeadRows >= len(t.Rows) {
		return 0
	}
	return t.HeadRows
}

// MaxColumns is how many columns of a table the press sets; further ones are left out and preflight says so.
const MaxColumns = 24

// Grid gives the cells of every row with the columns they stand in, behind those that cells of earlier rows
// cover. Cells beyond most columns are left out.
func (t *Table) Grid(most int) (rows [][]Placed, columns int) {
	covered := make([]int, most) // the row a column is free again in
	for i := range t.Rows {
		end := len(t.Rows)
		if i < t.Head() {
			end = t.Head()
		}
		var row []Placed
		column := 0
		for k := range t.Rows[i].Cells {
			for column < most && covered[column] > i {
				column++
			}
			if column == most {
				break
			}
			c := &t.Rows[i].Cells[k]
			p := Placed{Cell: c, Column: column, Columns: 1, Rows: min(max(c.RowSpan, 1), end-i)}
			for p.Columns < min(c.ColSpan, most-column) && covered[column+p.Columns] <= i {
				p.Columns++
			}
			for n := range p.Columns {
				covered[column+n] = i + p.Rows
			}
			column += p.Columns
			columns = max(columns, column)
			row = append(row, p)
		}
		rows = append(rows, row)
	}
	return rows, columns
}
