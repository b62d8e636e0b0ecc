package preflight

import (
	"slices"
	"strings"
	"testing"

	"mappe/localdev/demo/sample"
	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// least is the recall and the precision each type of finding has to reach on planted faults.
const least = 0.98

// tally counts one type: planted faults, those that were found at their place, and what was reported.
type tally struct{ planted, matched, reported int }

// score examines manuscripts with planted faults and compares what is told with the truth. read turns a
// made-up manuscript into what its reader gives.
func score(t *testing.T, plant []finding.Type, read func(sample.Manuscript) (manuscript.Book, []finding.Finding)) map[finding.Type]*tally {
	t.Helper()
	return scoreOf(t, plant, true, read)
}

// scoreOf does it with and without notes, tables and pictures; a format that is not whole has none of them,
// and no sizes of type.
func scoreOf(t *testing.T, plant []finding.Type, whole bool,
	read func(sample.Manuscript) (manuscript.Book, []finding.Finding)) map[finding.Type]*tally {
	t.Helper()
	tallies := map[finding.Type]*tally{}
	of := func(ty finding.Type) *tally {
		if tallies[ty] == nil {
			tallies[ty] = &tally{}
		}
		return tallies[ty]
	}
	for seed := uint64(1); seed <= 2; seed++ {
		for _, language := range []string{"en", "de"} {
			for _, rich := range []bool{false, whole} {
				m := sample.Make(sample.Options{Language: language, Words: 40000, Seed: seed, Rich: rich, Sizes: whole, Plant: plant})
				raw, found := read(m)
				book, more := clean.Repair(raw, clean.Options{})
				if manuscript.Base(book.Meta.Language) != language {
					t.Errorf("seed %d %s: the language was taken for %s", seed, language, book.Meta.Language)
				}
				r := Examine(book, slices.Concat(found, more), spec.Default())
				used := match(m.Truth, r.Findings)
				for i, p := range m.Truth {
					of(p.Type).planted += p.Count
					if used.found[i] {
						of(p.Type).matched += p.Count
					}
				}
				for i, f := range r.Findings {
					if f.Severity == finding.Preserved {
						continue
					}
					of(f.Type).reported += f.Count
					if !used.told[i] {
						t.Logf("seed %d %s rich %v: %s ×%d told without a plant: %q %s %+v", seed, language, rich, f.Type, f.Count,
							f.Excerpt, f.Detail, f.Place)
					}
				}
				for ty, n := range m.Kept {
					if got := r.Summary.ByType[ty.String()]; got != n {
						t.Errorf("seed %d %s rich %v: %s: got %d preserved, want %d", seed, language, rich, ty, got, n)
					}
				}
			}
		}
	}
	return tallies
}

// pairs says which plants were found and which findings stand for a plant.
type pairs struct{ found, told map[int]bool }

// match pairs plants with findings of their type, count and place, as many as possible: letters beside one
// fault may stand beside another as well.
func match(plants []sample.Plant, found []finding.Finding) pairs {
	taken := map[int]int{} // finding to plant
	fits := func(p sample.Plant, f finding.Finding) bool {
		return f.Type == p.Type && f.Count == p.Count && strings.Contains(f.Excerpt, strings.Join(strings.Fields(p.Near), " "))
	}
	var take func(i int, tried map[int]bool) bool
	take = func(i int, tried map[int]bool) bool {
		for j, f := range found {
			if tried[j] || !fits(plants[i], f) {
				continue
			}
			tried[j] = true
			if other, ok := taken[j]; !ok || take(other, tried) {
				taken[j] = i
				return true
			}
		}
		return false
	}
	for i := range plants {
		take(i, map[int]bool{})
	}
	p := pairs{map[int]bool{}, map[int]bool{}}
	for j, i := range taken {
		p.found[i], p.told[j] = true, true
	}
	return p
}

func judge(t *testing.T, tallies map[finding.Type]*tally) {
	t.Helper()
	for _, ty := range finding.AllTypes() {
		c := tallies[ty]
		if c == nil {
			continue
		}
		recall, precision := 1.0, 1.0
		if c.planted > 0 {
			recall = float64(c.matched) / float64(c.planted)
		}
		if c.reported > 0 {
			precision = float64(c.matched) / float64(c.reported)
		}
		t.Logf("%-24s planted %4d  recall %.3f  precision %.3f", ty, c.planted, recall, precision)
		if recall < least || precision < least {
			t.Errorf("%s: recall %.3f, precision %.3f, both at least %.2f (planted %d, found %d, told %d)", ty, recall, precision, least,
				c.planted, c.matched, c.reported)
		}
	}
}

// ofModel are the faults a manuscript's model can hold by itself.
var ofModel = []finding.Type{
	finding.PlaceholderText, finding.LowResImage, finding.FakeHeading, finding.ChapterNumberGap, finding.NoteWithoutText,
	finding.NoteWithoutReference,
	finding.MissingGlyph, finding.WideTable, finding.NestedTable, finding.StraightQuotes, finding.UnmatchedQuotes, finding.HeadingLevelSkip,
	finding.SoftReturn,
	finding.RunningHeadInBody, finding.MissingAltText, finding.MixedLanguages, finding.LongWord, finding.DoubleSpace, finding.EdgeSpace,
	finding.TabIndent,
	finding.SpaceIndent, finding.EmptyParagraphs, finding.ManualPageBreak, finding.DoubleHyphen, finding.ThreeDots, finding.SoftHyphen,
	finding.ZeroWidth,
	finding.NonBreakingSpace, finding.UnderlineEmphasis, finding.ManualNumbering, finding.ColourImage, finding.KeptSceneBreak,
}

func asMade(m sample.Manuscript) (manuscript.Book, []finding.Finding) { return m.Book, nil }

func TestNothingIsFoundInGoodBooks(t *testing.T) {
	for ty, c := range score(t, nil, asMade) {
		if c.reported > 0 {
			t.Errorf("%s: %d told, nothing was planted", ty, c.reported)
		}
	}
}

func TestPlantedFaults(t *testing.T) { judge(t, score(t, ofModel, asMade)) }

func TestPlantedStructure(t *testing.T) {
	for _, ty := range []finding.Type{finding.ChapterNumberDuplicate, finding.FrontMatterUnclear, finding.LongChapter} {
		judge(t, score(t, []finding.Type{ty}, asMade))
	}
}

// TestBookWithoutHeadings: where titles are only bold or only large lines, the chapters are found all the
// same and told.
func TestBookWithoutHeadings(t *testing.T) {
	for _, c := range []struct {
		language string
		look     manuscript.Paragraph
		style    manuscript.Style
	}{
		{"en", manuscript.Paragraph{}, manuscript.Bold}, {"de", manuscript.Paragraph{}, manuscript.Bold},
		{"en", manuscript.Paragraph{Scale: 1.5}, 0}, {"de", manuscript.Paragraph{Scale: 1.5}, 0},
	} {
		language := c.language
		m := sample.Make(sample.Options{Language: language, Words: 12_000, Seed: 3})
		var blocks []manuscript.Block
		titled := 0
		for _, sec := range m.Book.Sections {
			if len(sec.Title) > 0 {
				titled++
				line := sec.Title[0].(manuscript.Text)
				line.Style = c.style
				title := c.look
				title.Inlines = []manuscript.Inline{line}
				blocks = append(blocks, &manuscript.Paragraph{}, &title, &manuscript.Paragraph{})
			}
			blocks = append(blocks, sec.Blocks...)
		}
		want := len(m.Book.Sections)
		m.Book.Sections = []manuscript.Section{{Blocks: blocks}}
		b, found := clean.Repair(m.Book, clean.Options{})
		r := Examine(b, found, spec.Default())
		if got := r.Summary.ByType; got["no_headings"] != 1 || got["fake_heading"] != titled || len(r.BookMap.Sections) != want {
			t.Errorf("%s: %v and %d sections, want %d headings and %d sections", language, got, len(r.BookMap.Sections), titled, want)
			for _, s := range r.BookMap.Sections {
				t.Log(s)
			}
		}
	}
}
