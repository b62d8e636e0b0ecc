package spec

// Default is the specification of a book nobody has specified: 5.5 × 8.5 inches, 11 on 14 points.
func Default() Spec {
	return Spec{
		Language: "en", Trim: Trim{139.7, 215.9},
		Face: "libertine", SizePt: 11, LeadingPt: 14,
		Openers: Recto, HeadVerso: HeadAuthor, HeadRecto: HeadTitle, FirstLine: FirstPlain, SceneMark: "* * *",
		ChapterLabel: true, Contents: ContentsAuto, Notes: NotesFoot, Hyphenate: true,
		Printer: PrinterPlain, PDF: PDFX1a, PageMultiple: 2,
	}
}

// trims are the page sizes that have a name.
var trims = []struct {
	name string
	trim Trim
}{
	{"5x8", Trim{127, 203.2}}, {"5.25x8", Trim{133.35, 203.2}}, {"5.5x8.5", Trim{139.7, 215.9}}, {"6x9", Trim{152.4, 228.6}},
	{"A5", Trim{148, 210}}, {"135x215", Trim{135, 215}},
}

// The closed sets by their names in a transmittal, in order of their values.
var (
	openersNames   = []string{"recto", "next_page"}
	headNames      = []string{"author", "title", "chapter", "none"}
	firstLineNames = []string{"plain", "drop_cap", "small_caps"}
	contentsNames  = []string{"auto", "yes", "no"}
	notesNames     = []string{"as_written", "foot", "end"}
	printerNames   = []string{"plain", "kdp", "ingram"}
	pdfNames       = []string{"x1a", "x4", "plain"}
	faceNames      = []string{"libertine", "stix-two"}
	languageNames  = []string{"en", "en-GB", "en-US", "de", "de-AT", "de-CH", "de-DE", "de-1901"}
)

// The least margins a printer takes. Sources: kdp.amazon.com (paperback margins), help.ingramspark.com
// (0.5 inch for text).

// MinOuterMM is the least margin at the three outer edges.
func (p Printer) MinOuterMM(bleed bool) float64 {
	switch {
	case p == PrinterIngram:
		return 12.7
	case p == PrinterKDP && bleed:
		return 9.6
	}
	return 6.4
}

// spine is the least margin at the spine of a book of so many pages, where the printer has such a rule.
func spine(pages int) float64 {
	for _, s := range []struct {
		pages int
		mm    float64
	}{{150, 9.525}, {300, 12.7}, {500, 15.875}, {700, 19.05}} {
		if pages <= s.pages {
			return s.mm
		}
	}
	return 22.225
}

// MinInnerMM is the least margin at the spine of a book of so many pages.
func (p Printer) MinInnerMM(pages int) float64 {
	switch p {
	case PrinterKDP:
		return spine(pages)
	case PrinterIngram:
		return max(spine(pages), 12.7)
	}
	return p.MinOuterMM(false)
}
