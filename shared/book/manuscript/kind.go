package manuscript

// SectionKind says what a section is; it decides page, numbering and running head.
type SectionKind uint8

// The kinds, in the order a book has them.
const (
	KindOther SectionKind = iota
	KindHalfTitle
	KindTitlePage
	KindCopyright
	KindDedication
	KindEpigraph
	KindContents
	KindForeword
	KindPreface
	KindIntroduction
	KindPrologue
	KindPart
	KindChapter
	KindEpilogue
	KindAfterword
	KindAcknowledgements
	KindAppendix
	KindGlossary
	KindBibliography
	KindNotes
	KindAboutAuthor
	KindIndex
)

var kindNames = [...]string{
	"other", "half_title", "title_page", "copyright", "dedication", "epigraph", "contents", "foreword", "preface",
	"introduction", "prologue", "part", "chapter", "epilogue", "afterword", "acknowledgements", "appendix", "glossary",
	"bibliography", "notes", "about_author", "index",
}

// String is the name of the kind as book_map gives it.
func (k SectionKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// AllSectionKinds are all kinds.
func AllSectionKinds() []SectionKind {
	all := make([]SectionKind, len(kindNames))
	for i := range all {
		all[i] = SectionKind(i)
	}
	return all
}

// Front says whether the section stands before the body, where folios are roman. An introduction counts
// as body: it is numbered with the chapters.
func (k SectionKind) Front() bool { return k >= KindHalfTitle && k <= KindPreface }

// Back says whether the section stands after the body.
func (k SectionKind) Back() bool { return k >= KindAfterword }

// Role says what a paragraph is for.
type Role uint8

// The roles.
const (
	RoleBody        Role = iota
	RoleFirst            // first after a heading or a scene break: not indented
	RoleAttribution      // who said it
	RoleCentered
	RoleFlushRight
	RoleTitle // of the title page
	RoleSubtitle
	RoleAuthor
)

// Align is an alignment the author has set; AlignNone leaves it to the design.
type Align uint8

// The alignments.
const (
	AlignNone Align = iota
	AlignLeft
	AlignCenter
	AlignRight
	AlignJustify
)
