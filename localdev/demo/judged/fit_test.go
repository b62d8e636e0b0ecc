package judged

import (
	"fmt"
	"slices"
	"strings"

	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/segment"
)

// Cells adds the cells of a scene that was divided into objects with these types.
func (c Confusion) Cells(s *scene.Scene, land *segment.Land, given []segment.Type) {
	for i, truth := range ClassesOf(s) {
		if k := land.Labels[i]; k > 0 {
			c[[2]segment.Type{truth, given[k-1]}]++
		}
	}
}

// Objects adds objects by what most of their cells are.
func (c Confusion) Objects(truth []Truth, given []segment.Type) {
	for i, t := range truth {
		c[[2]segment.Type{t.Type, given[i]}]++
	}
}

// Learned are the counts with the classes of a trained model in place of the types that it is not taught.
func (c Confusion) Learned() Confusion {
	out := Confusion{}
	for k, n := range c {
		a, b := k[0].Info().Learned, k[1].Info().Learned
		if a != segment.Unclassified {
			out[[2]segment.Type{a, b}] += n
		}
	}
	return out
}

// String is a table of the scores, and of each type what it was most taken for.
func (c Confusion) String() string {
	var b strings.Builder
	for _, s := range c.Scores(1) {
		fmt.Fprintf(&b, "%-13s %7d recall %.3f precision %.3f F1 %.3f ", s.Type, s.Truth, s.Recall, s.Precision, s.F1)
		type other struct {
			t segment.Type
			n int
		}
		var wrong []other
		for k, n := range c {
			if k[0] == s.Type && k[1] != s.Type {
				wrong = append(wrong, other{k[1], n})
			}
		}
		slices.SortFunc(wrong, func(a, b other) int { return (b.n-a.n)*100 + int(a.t) - int(b.t) })
		for _, w := range wrong[:min(len(wrong), 4)] {
			fmt.Fprintf(&b, " %s %d", w.t, w.n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Border says how well the borders of objects follow those of things, where a border of one lies within so many cells of
// one of the other: two cells follow each other to the east or south there with different classes, or objects.
type Border struct{ Recall, Precision float64 }

// F1 is the harmonic mean.
func (b Border) F1() float64 {
	if b.Recall+b.Precision == 0 {
		return 0
	}
	return 2 * b.Recall * b.Precision / (b.Recall + b.Precision)
}

// Borders compares the borders of objects with those of true classes and trees: what separates two crowns is a border too.
func Borders(s *scene.Scene, land *segment.Land, within int) Border {
	o := s.Options()
	cols, rows := o.Cols*scene.Side, o.Rows*scene.Side
	truth := make([]uint64, cols*rows)
	for row := range o.Rows {
		for col := range o.Cols {
			t := s.Tile(col, row, 2)
			for i, c := range t.Classes {
				at := ((o.Rows-1-row)*scene.Side+i/scene.Side)*cols + col*scene.Side + i%scene.Side
				if truth[at] = uint64(c); t.Trees[i] != 0 {
					truth[at] = t.Trees[i] | 1<<63
				}
			}
		}
	}
	true1 := edgesOf(cols, rows, func(i, j int) bool { return truth[i] != truth[j] })
	found := edgesOf(cols, rows, func(i, j int) bool { return land.Labels[i] != land.Labels[j] })
	return Border{Recall: near(true1, found, cols, rows, within), Precision: near(found, true1, cols, rows, within)}
}

// edgesOf marks the cells that differ from the next in the east or south.
func edgesOf(cols, rows int, differ func(i, j int) bool) []bool {
	out := make([]bool, cols*rows)
	for i := range out {
		out[i] = i%cols+1 < cols && differ(i, i+1) || i/cols+1 < rows && differ(i, i+cols)
	}
	return out
}

// near is the share of the marks of a that have one of b within so many cells.
func near(a, b []bool, cols, rows, within int) float64 {
	n, hit := 0, 0
	for i, mark := range a {
		if !mark {
			continue
		}
		n++
		if around(b, i, cols, rows, within) {
			hit++
		}
	}
	return float64(hit) / float64(max(n, 1))
}

func around(b []bool, i, cols, rows, within int) bool {
	for dy := -within; dy <= within; dy++ {
		for dx := -within; dx <= within; dx++ {
			x, y := i%cols+dx, i/cols+dy
			if dx*dx+dy*dy <= within*within && x >= 0 && y >= 0 && x < cols && y < rows && b[y*cols+x] {
				return true
			}
		}
	}
	return false
}

// Fit says how objects lie to the things of the truth: connected cells of one class. Under is the share of cells in objects
// of which less than three quarters are of one thing's class, Over how many objects a thing of at least so many cells is
// divided into, in the mean.
type Fit struct{ Under, Over float64 }

// FitOf measures that.
func FitOf(s *scene.Scene, land *segment.Land, truth []Truth, least int) Fit {
	var f Fit
	cells := 0.0
	for i, t := range truth {
		n := float64(land.Objects[i].Row[segment.Area])
		if cells += n; t.Purity < 0.75 {
			f.Under += n
		}
	}
	f.Under /= max(cells, 1)
	things, parts := pieces(ClassesOf(s), land, least)
	f.Over = float64(parts) / float64(max(things, 1))
	return f
}

// pieces counts connected things of the truth, and the objects that have at least half of their cells in one.
func pieces(classes []segment.Type, land *segment.Land, least int) (things, parts int) {
	cols := land.Cols
	seen := make([]bool, len(classes))
	var stack []int
	for start := range classes {
		if seen[start] {
			continue
		}
		seen[start] = true
		stack = append(stack[:0], start)
		in := map[int32]int{}
		n := 0
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n++
			in[land.Labels[i]]++
			for _, j := range [4]int{i - cols, i - 1, i + 1, i + cols} {
				if j < 0 || j >= len(classes) || (j == i-1 || j == i+1) && j/cols != i/cols || seen[j] || classes[j] != classes[i] {
					continue
				}
				seen[j] = true
				stack = append(stack, j)
			}
		}
		if n < least {
			continue
		}
		things++
		for k, c := range in {
			if k > 0 && float64(c) >= 0.5*float64(land.Objects[k-1].Row[segment.Area]) {
				parts++
			}
		}
	}
	return things, parts
}
