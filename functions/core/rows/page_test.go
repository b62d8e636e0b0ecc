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
			for _, s := range p.spans { // a KG without rows on the page is not opened for it
				if s.rows == nil && s.lo == s.hi || s.rows != nil && len(s.rows) == 0 {
					t.Fatalf("page %d+%d of %v has a part without rows", p.Offset, p.Limit, all)
				}
			}
			if n > 200 {
				break
			}
		}
		want := all[min(p.Offset, len(all)):min(p.Offset+p.Limit, len(all))]
		if !slices.Equal(page, want) || p.Total != len(all) {
			t.Fatalf("page %d+%d of %v: want %v, got %v, total %d", p.Offset, p.Limit, all, want, page, p.Total)
		}
		if _, more := p.Next(); more != (len(all) > p.Offset+p.Limit) || p.Returned() != len(page) {
			t.Fatalf("page %d+%d of %d rows has %d and tells %d; more follow: %v", p.Offset, p.Limit, len(all), len(page), p.Returned(),
				more)
		}
	})
}

// window is how many of n rows behind before others stand on the page.
func window(before, n int, p *Page) int {
	return max(0, min(before+n, p.Offset+p.Limit)-max(before, p.Offset))
}

// Pages that follow each other by position give each row once at most, and each row of a KG that is always there, whatever
// goes and comes between them.
func TestPagesFollowEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 7), 1, 8).Draw(t, "rows of the KGs")
		steady := rapid.SliceOfN(rapid.Bool(), len(sizes), len(sizes)).Draw(t, "KGs that are always there")
		limit := rapid.IntRange(1, 9).Draw(t, "limit")
		layers := rapid.IntRange(1, 2).Draw(t, "layers")
		type row struct{ layer, kg, row int }
		seen := map[row]bool{}
		var from *Position
		for pages := 0; ; pages++ {
			if pages > 300 {
				t.Fatal("the walk does not end")
			}
			p := &Page{Limit: limit, From: from}
			given := 0
			for l := range layers {
				for k, n := range sizes {
					p.at = Position{Layer: l, KG: k}
					if !steady[k] && rapid.Bool().Draw(t, "gone") {
						if rapid.Bool().Draw(t, "its rows are known") {
							p.window(n)
						}
						continue
					}
					before := len(p.spans)
					p.AddAll(nil, "", n)
					for _, s := range p.spans[before:] {
						for i := s.lo; i < s.hi; i++ {
							if r := (row{l, k, i}); seen[r] {
								t.Fatalf("%v stands twice", r)
							} else {
								seen[r] = true
							}
							given++
						}
					}
				}
			}
			if given != p.Returned() || given > limit {
				t.Fatalf("%d rows on a page of %d, %d are told", given, limit, p.Returned())
			}
			next, more := p.Next()
			if !more {
				break
			}
			var err error
			if from, err = ParsePosition(next); err != nil {
				t.Fatal(err)
			}
		}
		for l := range layers {
			for k, n := range sizes {
				for i := range n {
					if steady[k] && !seen[row{l, k, i}] {
						t.Fatalf("row %d of KG %d, layer %d is missing", i, k, l)
					}
				}
			}
		}
	})
}

func TestPositionsThatAreNone(t *testing.T) {
	for _, text := range []string{"0.0.0", "1.0.3", "0.7849.100000"} {
		if p, err := ParsePosition(text); err != nil || p.String() != text {
			t.Errorf("%s is read as %v, %v", text, p, err)
		}
	}
	if p, err := ParsePosition(""); p != nil || err != nil {
		t.Errorf("no position is read as %v, %v", p, err)
	}
	for _, text := range []string{"1", "1.2", "1.2.3.4", "-1.2.3", "1.2.x", "01.2.3", "1.2.3 "} {
		if p, err := ParsePosition(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}
