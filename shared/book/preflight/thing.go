package preflight

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/spec"
)

// Resolution in pixels to the inch: below the first print looks blocky, below the second soft.
const (
	minDPI  = 200
	goodDPI = 300
)

// measure is the width of the text in millimetres, rows its height, by the rules of the design.
func (x *exam) measure() (width, height float64) {
	s := x.spec
	or := func(v, otherwise float64) float64 {
		if v > 0 {
			return v
		}
		return otherwise
	}
	width = s.Trim.WidthMM - or(s.Margins.InnerMM, 19.05) - or(s.Margins.OuterMM, max(12.7, s.Trim.WidthMM*0.11))
	height = s.Trim.HeightMM - or(s.Margins.TopMM, max(17.64, s.Trim.HeightMM*0.11)) - or(s.Margins.BottomMM,
		max(17.64, s.Trim.HeightMM*0.12))
	return width, height
}

// picture checks a figure at the size it is set.
func (x *exam) picture(index int, alt string, widthMM float64, place manuscript.Place) {
	if alt == "" {
		name := ""
		if index >= 0 && index < len(x.book.Images) {
			name = x.book.Images[index].Name
		}
		x.add(finding.MissingAltText, place, name, "")
	}
	if index < 0 || index >= len(x.book.Images) {
		return
	}
	img := &x.book.Images[index]
	x.colour(index, place)
	if img.Width <= 0 || img.Height <= 0 {
		return
	}
	width, height := x.measure()
	w := widthMM
	if w <= 0 {
		w = float64(img.Width) / spec.PixelsPerInch * 25.4
	}
	w = min(w, width)
	if h := w * float64(img.Height) / float64(img.Width); h > height {
		w *= height / h
	}
	dpi := int(math.Round(float64(img.Width) * 25.4 / w))
	if dpi >= goodDPI-1 {
		return
	}
	f := finding.New(finding.LowResImage, place, firstOf(alt, img.Name))
	f.Detail = fmt.Sprintf("%d dpi, %d mm", dpi, int(math.Round(w)))
	if dpi >= minDPI {
		f.Severity = finding.Medium
	}
	x.tell(f)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (x *exam) colour(index int, place manuscript.Place) {
	if index >= 0 && index < len(x.book.Images) && !x.book.Images[index].Gray && x.book.Images[index].Width > 0 {
		x.add(finding.ColourImage, place, x.book.Images[index].Name, "")
	}
}

// mostColumns bounds the columns that are counted.
const mostColumns = 200

// table checks whether the longest words of its columns stand beside each other.
func (x *exam) table(t *manuscript.Table) {
	rows, columns := t.Grid(mostColumns)
	widest := make([]int, columns) // characters of the longest word by column
	for _, r := range rows {
		for _, c := range r {
			if c.Columns == 1 {
				widest[c.Column] = max(widest[c.Column], longestWord(c.Blocks, 2))
			}
		}
	}
	// Small type: notes are set at 82 % of the size, tables of more than five columns at 85 % of that.
	size := x.spec.SizePt * 0.82
	if len(widest) > 5 {
		size *= 0.85
	}
	sum := 0.0
	for _, n := range widest {
		// A word that can be divided needs half its length; digits and letters are half an em wide.
		sum += float64(max(n, 1))*0.48*size + 0.9*size
	}
	width, _ := x.measure()
	width *= 72 / 25.4
	if sum-0.9*size > width || len(widest) > manuscript.MaxColumns {
		x.add(finding.WideTable, t.Place, manuscript.Plain(t.Caption), strconv.Itoa(len(widest)))
	}
}

func longestWord(blocks []manuscript.Block, depth int) (n int) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			for _, w := range strings.FieldsFunc(manuscript.Plain(b.Inlines), func(c rune) bool {
				return c == ' ' || c == '\u00a0' ||
					c == '-' || c == '–' || c == '/'
			}) {
				c := utf8.RuneCountInString(w)
				if c > 12 { // it is divided
					c = max(12, c/2)
				}
				n = max(n, c)
			}
		case *manuscript.Table:
			if depth > 0 {
				return 40
			}
		}
	}
	return n
}

// structure looks at the chapters: their numbers and their lengths.
func (x *exam) structure() {
	defer x.lengths()
	for i := range x.book.Sections { // of numbers that are not all understood nothing is claimed
		if sec := &x.book.Sections[i]; sec.Number == "" && clean.Counts(manuscript.Line(sec.Title)) {
			return
		}
	}
	var numbers []int // sections of one sequence, as indexes
	flush := func() {
		x.sequence(numbers)
		numbers = numbers[:0]
	}
	last := 0
	for i := range x.book.Sections {
		sec := &x.book.Sections[i]
		v := clean.Value(sec.Number)
		if sec.Kind == manuscript.KindPart || v == 0 || sec.Kind != manuscript.KindChapter {
			continue
		}
		if v == 1 && last > 1 && i > 0 && partBefore(x.book.Sections, i) { // numbered anew in each part
			flush()
		}
		numbers = append(numbers, i)
		last = v
	}
	flush()
	numbers = numbers[:0]
	for i := range x.book.Sections {
		if sec := &x.book.Sections[i]; sec.Kind == manuscript.KindPart && clean.Value(sec.Number) > 0 {
			numbers = append(numbers, i)
		}
	}
	flush()
}

func partBefore(sections []manuscript.Section, i int) bool {
	for i--; i >= 0; i-- {
		if sections[i].Kind == manuscript.KindPart {
			return true
		}
		if sections[i].Kind == manuscript.KindChapter {
			return false
		}
	}
	return false
}

// sequence tells of numbers that are missing or stand twice.
func (x *exam) sequence(at []int) {
	seen := map[int]bool{}
	highest := 0
	for _, i := range at {
		seen[clean.Value(x.book.Sections[i].Number)] = true
	}
	met := map[int]bool{}
	for n, i := range at {
		sec := &x.book.Sections[i]
		x.title = sec.Called()
		v := clean.Value(sec.Number)
		if met[v] {
			x.add(finding.ChapterNumberDuplicate, sec.Place, sec.Called(), sec.Number)
		}
		met[v] = true
		if from := highest + 1; v > from && (n > 0 || v == 2) {
			var missing []string
			for k := from; k < v && len(missing) < 20; k++ {
				if !seen[k] {
					missing = append(missing, strconv.Itoa(k))
				}
			}
			if len(missing) > 0 {
				x.add(finding.ChapterNumberGap, sec.Place, sec.Called(), strings.Join(missing, ", "))
			}
		}
		highest = max(highest, v)
	}
	x.title = ""
}

// A chapter is very long when it has this many words and this many times the median.
const (
	longChapter  = 8000
	timesLonger  = 3
	minChapters  = 4
	hugeChapter  = 40_000
	minHugeOther = 2
)

func (x *exam) lengths() {
	var words []int
	for i := range x.book.Sections {
		if x.book.Sections[i].Kind == manuscript.KindChapter {
			words = append(words, x.rows[i].Words)
		}
	}
	if len(words) < minHugeOther {
		return
	}
	sorted := slices.Clone(words)
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	for i := range x.book.Sections {
		if x.book.Sections[i].Kind != manuscript.KindChapter {
			continue
		}
		n := x.rows[i].Words
		if n >= longChapter && n > timesLonger*median && len(words) >= minChapters || n >= hugeChapter && n > timesLonger*median {
			x.title = x.rows[i].Title
			x.add(finding.LongChapter, x.book.Sections[i].Place, x.rows[i].Title, strconv.Itoa(n))
			x.title = ""
		}
	}
}

// notes tells of notes nothing refers to.
func (x *exam) notes() {
	for i := range x.book.Notes {
		if !x.cited[i] && len(x.book.Notes[i].Blocks) > 0 {
			p, _ := x.book.Notes[i].Blocks[0].(*manuscript.Paragraph)
			text := ""
			if p != nil {
				text = manuscript.Plain(p.Inlines)
			}
			x.add(finding.NoteWithoutReference, x.book.Notes[i].Place, text, "")
		}
	}
}
