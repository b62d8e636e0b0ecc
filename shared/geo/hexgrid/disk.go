package hexgrid

import "fmt"

func checkPair(c, o Cell) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	if a, b := c.Resolution(), o.Resolution(); a != b {
		return fmt.Errorf("%w: %d and %d: expected two cells of one resolution", ErrResolution, a, b)
	}
	return nil
}

// maxDisk bounds the radius of a disk: three million cells.
const maxDisk = 1000

// GridDisk is the cell and all that are at most k steps from it, nearer ones first. k is 0 to 1000.
func (c Cell) GridDisk(k int) ([]Cell, error) {
	cells, _, err := c.disk(k)
	return cells, err
}

// GridDiskDistances is GridDisk by distance: element n are the cells n steps away.
func (c Cell) GridDiskDistances(k int) ([][]Cell, error) {
	cells, ends, err := c.disk(k)
	if err != nil {
		return nil, err
	}
	rings, from := make([][]Cell, len(ends)), 0
	for n, to := range ends {
		rings[n], from = cells[from:to:to], to
	}
	return rings, nil
}

// GridRing are the cells k steps away.
func (c Cell) GridRing(k int) ([]Cell, error) {
	cells, ends, err := c.disk(k)
	if err != nil || k == 0 {
		return cells, err
	}
	return cells[ends[k-1]:], nil
}

// disk gives the cells ring by ring and where each ring ends.
func (c Cell) disk(k int) ([]Cell, []int, error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	if k < 0 || k > maxDisk {
		return nil, nil, fmt.Errorf("%w: %d steps: expected 0 to %d", ErrDomain, k, maxDisk)
	}
	cells, ends := make([]Cell, 1, min(1+3*k*(k+1), NumCells(c.Resolution()))), make([]int, 1, k+1)
	cells[0], ends[0] = c, 1
	at := c
	for n := 1; n <= k; n++ {
		var ok bool
		if at, ok = at.step(uint8(counterClockwise[0])); ok {
			cells, ok = at.appendRing(cells, n)
		}
		if !ok {
			return flood(c, k)
		}
		ends = append(ends, len(cells))
	}
	return cells, ends, nil
}

// appendRing walks the ring n steps around, from its cell on the i axis. False where a step does not tell.
func (c Cell) appendRing(b []Cell, n int) ([]Cell, bool) {
	for side := range counterClockwise {
		digit := uint8(counterClockwise[(side+2)%6])
		for range n {
			b = append(b, c)
			var ok bool
			if c, ok = c.step(digit); !ok {
				return b, false
			}
		}
	}
	return b, true
}

// flood is disk ring by ring over all neighbours: right wherever pentagons lie, and some times slower.
func flood(c Cell, k int) ([]Cell, []int, error) {
	cells, ends := []Cell{c}, []int{1}
	seen := map[Cell]bool{c: true}
	var room [6]Cell
	from := 0
	for range k {
		to := len(cells)
		for _, edge := range cells[from:to] {
			for _, n := range edge.neighbours(room[:0]) {
				if !seen[n] {
					seen[n] = true
					cells = append(cells, n)
				}
			}
		}
		from = to
		ends = append(ends, len(cells))
	}
	return cells, ends, nil
}
