package rows

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A page holds the rows of all matches from offset on, limit of them, however they come in.
func TestPageIsAWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Page{Offset: rapid.IntRange(0, 30).Draw(t, "offset"), Limit: rapid.IntRange(0, 20).Draw(t, "limit")}
		var all, page []int32
		for n := int32(0); len(all) < 40; n += 10 {
			size := rapid.Int32Range(0, 10).Draw(t, "rows")
			rows := make([]int32, size)
			for i := range rows {
				rows[i] = n + int32(i)
			}
			if shown := p.shows(len(rows)); shown != (window(len(all), len(rows), p) > 0) {
				t.Fatalf("%d rows behind %d, page %d+%d: shown is %v", len(rows), len(all), p.Offset, p.Limit, shown)
			}
			if rapid.Bool().Draw(t, "as a range") {
				before := len(p.spans)
				p.AddAll(nil, "", len(rows))
				for _, s := range p.spans[before:] { // as rows of this part
					for i := s.lo; i < s.hi; i++ {
						page = append(page, n+int32(i))
					}
				}
			} else {
				before := len(p.spans)
				p.Add(nil, "", rows)
				for _, s := range p.spans[before:] {
					page = append(page, s.rows...)
				}
			}
			all = append(all, rows...)
			if n > 200 {
				break
			}
		}
		want := all[min(p.Offset, len(all)):min(p.Offset+p.Limit, len(all))]
		if !slices.Equal(page, want) || p.Total != len(all) {
			t.Fatalf("page %d+%d of %v: want %v, got %v, total %d", p.Offset, p.Limit, all, want, page, p.Total)
		}
	})
}

// window is how many of n rows behind before others stand on the page.
func window(before, n int, p *Page) int {
	return max(0, min(before+n, p.Offset+p.Limit)-max(before, p.Offset))
}
