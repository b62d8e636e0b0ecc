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

// MinInnerMM and the others are the least margins the printer takes, beside the spine by page count.
// Sources: kdp.amazon.com (paperback margins), help.ingramspark.com (0.5 inch for text).
func (p Printer) MinOuterMM(bleed bool) float64 {
	switch {
	case p == PrinterIngram:
		return 12.7
	case p == PrinterKDP && bleed:
		return 9.6
	}
	return 6.4
}
