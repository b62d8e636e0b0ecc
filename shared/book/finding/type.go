package finding

// Type is a type of finding.
type Type uint8

// The types, by severity.
const (
	TrackedChange Type = iota
	Comment
	HiddenText
	PlaceholderText
	LowResImage
	MissingImage
	UnsupportedObject
	TextBox
	FakeHeading
	NoHeadings
	ChapterNumberGap
	ChapterNumberDuplicate
	PageReference
	NoteWithoutText
	NoteWithoutReference
	MissingGlyph
	WideTable
	WordsLost
	BrokenReference
	StraightQuotes
	UnmatchedQuotes
	DirectFormatting
	HeadingLevelSkip
	SoftReturn
	RunningHeadInBody
	EmptyHeading
	LineEndHyphen
	LeftOut
	MissingAltText
	Highlight
	NestedTable
	Columns
	MixedLanguages
	LongWord
	LongChapter
	FrontMatterUnclear
	DoubleSpace
	EdgeSpace
	TabIndent
	SpaceIndent
	EmptyParagraphs
	ManualPageBreak
	DoubleHyphen
	ThreeDots
	SoftHyphen
	ZeroWidth
	NonBreakingSpace
	UnderlineEmphasis
	TOCField
	ManualNumbering
	ColourImage
	KeptItalic
	KeptBold
	KeptSmallCaps
	KeptScript
	KeptFootnote
	KeptEndnote
	KeptImage
	KeptCaption
	KeptTable
	KeptList
	KeptQuote
	KeptVerse
	KeptSceneBreak
	KeptLink
	KeptIndexEntry
	KeptForeign
)

// text is what the report says of a type.
type text struct {
	name     string // as by_type counts it
	severity Severity
	title    string
	meaning  string // one sentence for the author
	does     string // what the press does about it
	fix      string // how to mend it in Word
}

var table = [...]text{
	TrackedChange: {"tracked_change", High, "Tracked change",
		"The manuscript holds a change that nobody has accepted or refused.",
		"The press sets the text as if every change were accepted.",
		"Review > Accept > Accept All Changes, then save."},
	Comment: {"comment", High, "Comment",
		"A comment is attached to the text.",
		"Comments are left out.",
		"Answer it, then Review > Delete > Delete All Comments."},
	HiddenText: {"hidden_text", High, "Hidden text",
		"Text is formatted as hidden.",
		"Hidden text is left out.",
		"Select it, Font > clear Hidden, or delete it."},
	PlaceholderText: {"placeholder_text", High, "Placeholder",
		"The text holds a note to oneself such as TK, XXX or lorem ipsum.",
		"It is set as it stands.",
		"Replace it by the final text."},
	LowResImage: {"low_res_image", High, "Picture too coarse",
		"The picture has fewer pixels than print needs at the size it is set.",
		"It is set and will look soft or blocky.",
		"Put in a picture of at least 300 dots per inch at its printed size."},
	MissingImage: {"missing_image", High, "Picture missing",
		"A picture is linked, missing or broken.",
		"Its place stays empty in a proof; a final is refused.",
		"Insert > Pictures > This Device, so that the file itself holds the picture."},
	UnsupportedObject: {"unsupported_object", High, "Object that cannot be set",
		"An equation, chart, SmartArt drawing or embedded document stands in the text.",
		"It is left out.",
		"Replace it by a picture of it (PNG, at least 300 dots per inch)."},
	TextBox: {"text_box", High, "Text box",
		"Text stands in a text box beside the flow.",
		"Its text is set as paragraphs where the box is anchored.",
		"Move the text into the body and delete the box."},
	FakeHeading: {"fake_heading", High, "Heading by look only",
		"A short bold or large line looks like a heading but has no heading style.",
		"It is set as a heading of a section where it reads like a chapter title, otherwise as it stands.",
		"Give it the style Heading 1 (or 2)."},
	NoHeadings: {"no_headings", High, "No headings",
		"No paragraph has a heading style.",
		"The whole text becomes one chapter unless chapter lines are recognised.",
		"Give chapter titles the style Heading 1."},
	ChapterNumberGap: {"chapter_number_gap", High, "Chapter number missing",
		"The chapter numbers leave one out.",
		"Chapters are set with the numbers they have.",
		"Check whether a chapter is missing or misnumbered."},
	ChapterNumberDuplicate: {"chapter_number_duplicate", High, "Chapter number twice",
		"Two chapters have the same number.",
		"Chapters are set with the numbers they have.",
		"Correct the numbers."},
	PageReference: {"page_reference", High, "Page number of the manuscript",
		"A number is that of a page in the word processor's layout, and what it counts or leads to is not in the book.",
		"The number is set as it stands and will not be that of the printed page.",
		"Set a bookmark at the place and refer to its page, or refer to a chapter or a heading."},
	NoteWithoutText: {"note_without_text", High, "Note without text",
		"A note reference leads to no text.",
		"The reference is left out.",
		"Write the note or delete its reference."},
	NoteWithoutReference: {"note_without_reference", High, "Note without reference",
		"A note has text but nothing refers to it.",
		"The note is left out.",
		"Insert the reference or delete the note."},
	MissingGlyph: {"missing_glyph", High, "Character without a glyph",
		"The fonts of the book have no shape for a character.",
		"A proof shows its number in a frame; a final is refused.",
		"Replace the character or ask for another face."},
	WideTable: {"wide_table", High, "Table too wide",
		"A table does not fit the measure.",
		"It is set in smaller type, and cut into parts where that is not enough.",
		"Leave out a column, or make it a picture on a page of its own."},
	WordsLost: {"words_lost", High, "Words lost",
		"The book holds fewer words than the file, and nothing above says why.",
		"It is set without them.",
		"Compare the passage with the proof. Save the file anew in your word processor and upload it again; if the words are still missing, write to the studio."},
	BrokenReference: {"broken_reference", High, "Broken reference",
		"A reference leads to a place that is no longer in the file; the word processor has put its error message there.",
		"The message is set as it stands.",
		"Delete it and set the reference anew (References > Cross-reference)."},
	StraightQuotes: {"straight_quotes", Medium, "Straight quotes",
		"Quotation marks or apostrophes are typewriter ones.",
		"They are turned into the quotes of the language.",
		"AutoCorrect > AutoFormat As You Type > smart quotes."},
	UnmatchedQuotes: {"unmatched_quotes", Medium, "Quote without its partner",
		"A quotation opens and does not close, or closes without opening.",
		"It is set as it stands.",
		"Add or remove the mark."},
	DirectFormatting: {"direct_formatting", Medium, "Formatting by hand",
		"Fonts, sizes or colours are set by hand instead of by a style, or a picture is turned by a part of a quarter.",
		"It is dropped; italic, bold and small capitals are kept.",
		"Select the text and press Ctrl+Space, or use a style."},
	HeadingLevelSkip: {"heading_level_skip", Medium, "Heading level left out",
		"A heading is more than one level below the one before it.",
		"It is set one level below.",
		"Use the next heading level."},
	SoftReturn: {"soft_return", Medium, "Line break in prose",
		"A line break inside a paragraph of prose.",
		"It becomes a space, or a paragraph's end where a sentence ends before it.",
		"Replace it by a paragraph mark (Enter)."},
	RunningHeadInBody: {"running_head_in_body", Medium, "Running head in the text",
		"A short line or a page number comes back in the text as running heads do.",
		"It is taken out where it repeats a title, the author or the page's number and stands at the border of most pages that the file marks; elsewhere it is set as it stands.",
		"Delete it where it is a running head, and use Insert > Header instead."},
	EmptyHeading: {"empty_heading", Medium, "Empty heading",
		"A paragraph without text has a heading style.",
		"It is left out and begins no chapter.",
		"Delete it, or write the heading."},
	LineEndHyphen: {"line_end_hyphen", Medium, "Hyphen of an old line end",
		"A word is divided in the middle of a line, as if it had stood at a line's end.",
		"It is set as it stands.",
		"Join the two parts of the word."},
	LeftOut: {"left_out", Medium, "Text that is no part of the book",
		"Text of whoever has published the file stands before or behind the book.",
		"It is left out.",
		"Nothing to do, unless it belongs to the book: then move it inside."},
	MissingAltText: {"missing_alt_text", Medium, "Picture without description",
		"A picture has no alternative text for readers who cannot see it.",
		"The e-book carries an empty description.",
		"Right click > Edit Alt Text."},
	Highlight: {"highlight", Medium, "Highlighted text",
		"Text is highlighted.",
		"The highlighting is dropped.",
		"Home > Text Highlight Colour > No Colour."},
	NestedTable: {"nested_table", Medium, "Table in a table",
		"A cell of a table holds a table of its own.",
		"The cells of the inner table are set one below the other, row by row; a table of one cell, which only frames another, is left out.",
		"Put the inner table below the outer one, or merge the two."},
	Columns: {"columns", Medium, "Columns or landscape pages",
		"A part of the text is in columns or on landscape pages.",
		"It is set in one column, upright.",
		"Layout > Columns > One."},
	MixedLanguages: {"mixed_languages", Medium, "Several languages",
		"Parts of the text are marked as another language, or read like one.",
		"Hyphenation and quotes follow the marking.",
		"Review > Language > Set Proofing Language."},
	LongWord: {"long_word", Medium, "Very long word",
		"A word is too long for a line and cannot be divided.",
		"It is divided anywhere.",
		"Check whether a space is missing."},
	LongChapter: {"long_chapter", Medium, "Very long chapter",
		"A chapter is far longer than the others.",
		"It is set as it stands.",
		"Check whether a chapter heading has lost its style."},
	FrontMatterUnclear: {"front_matter_unclear", Medium, "Front matter not recognised",
		"Text before the first chapter is not recognised as any part of a book.",
		"It is set as a section without a heading.",
		"Give it a heading such as Preface or Dedication."},
	DoubleSpace: {"double_space", Low, "Several spaces",
		"Spaces stand in a row.",
		"They become one.",
		"Nothing to do."},
	EdgeSpace: {"edge_space", Low, "Space at a paragraph's edge",
		"A paragraph begins or ends with spaces.",
		"They are removed.",
		"Nothing to do."},
	TabIndent: {"tab_indent", Low, "Indent by tab",
		"A paragraph is indented by a tab.",
		"The tab is removed; the design indents.",
		"Nothing to do."},
	SpaceIndent: {"space_indent", Low, "Indent by spaces",
		"A paragraph is indented by spaces.",
		"The spaces are removed; the design indents.",
		"Nothing to do."},
	EmptyParagraphs: {"empty_paragraphs", Low, "Empty paragraphs",
		"Empty paragraphs make space.",
		"They are removed; a single one between scenes becomes a scene break.",
		"Nothing to do."},
	ManualPageBreak: {"manual_page_break", Low, "Page break by hand",
		"A page break stands before a chapter.",
		"It is removed; the design breaks.",
		"Nothing to do."},
	DoubleHyphen: {"double_hyphen", Low, "Hyphens for a dash",
		"Two or three hyphens stand for a dash.",
		"They become a dash of the language.",
		"Nothing to do."},
	ThreeDots: {"three_dots", Low, "Dots for an ellipsis",
		"Three full stops stand for an ellipsis.",
		"They become one.",
		"Nothing to do."},
	SoftHyphen: {"soft_hyphen", Low, "Soft hyphens",
		"Invisible hyphens are left from another setting.",
		"They are removed.",
		"Nothing to do."},
	ZeroWidth: {"zero_width", Low, "Invisible characters",
		"Characters without width are left from a copy.",
		"They are removed.",
		"Nothing to do."},
	NonBreakingSpace: {"non_breaking_space", Low, "Hard spaces",
		"Spaces that must not break stand where nothing is kept together.",
		"They become ordinary spaces; those between a number and its unit are kept.",
		"Nothing to do."},
	UnderlineEmphasis: {"underline_emphasis", Low, "Underlining",
		"Text is underlined for emphasis.",
		"It becomes italic.",
		"Nothing to do."},
	TOCField: {"toc_field", Low, "Table of contents",
		"The file holds a table of contents of its own.",
		"It is made anew with the right page numbers; what it said stands under the words left out.",
		"Nothing to do."},
	ManualNumbering: {"manual_numbering", Low, "Numbers by hand",
		"A list is numbered by hand.",
		"It becomes a list.",
		"Nothing to do."},
	ColourImage: {"colour_image", Low, "Colour picture",
		"A colour picture stands in a black interior.",
		"It is turned into greys for print; the e-book keeps the colours.",
		"Nothing to do."},
	KeptItalic:     {"italic", Preserved, "Italic", "", "Kept.", ""},
	KeptBold:       {"bold", Preserved, "Bold", "", "Kept.", ""},
	KeptSmallCaps:  {"small_caps", Preserved, "Small capitals", "", "Kept.", ""},
	KeptScript:     {"super_subscript", Preserved, "Superscript and subscript", "", "Kept.", ""},
	KeptFootnote:   {"footnote", Preserved, "Footnotes", "", "Kept.", ""},
	KeptEndnote:    {"endnote", Preserved, "Endnotes", "", "Kept.", ""},
	KeptImage:      {"image", Preserved, "Pictures", "", "Kept.", ""},
	KeptCaption:    {"caption", Preserved, "Captions", "", "Kept.", ""},
	KeptTable:      {"table", Preserved, "Tables", "", "Kept.", ""},
	KeptList:       {"list", Preserved, "Lists", "", "Kept.", ""},
	KeptQuote:      {"block_quote", Preserved, "Block quotations", "", "Kept.", ""},
	KeptVerse:      {"verse", Preserved, "Verse", "", "Kept.", ""},
	KeptSceneBreak: {"scene_break", Preserved, "Scene breaks", "", "Kept.", ""},
	KeptLink:       {"link", Preserved, "Links", "", "Kept.", ""},
	KeptIndexEntry: {"index_entry", Preserved, "Index entries", "", "Kept.", ""},
	KeptForeign:    {"foreign_language", Preserved, "Passages in another language", "", "Kept.", ""},
}

// AllTypes are all types.
func AllTypes() []Type {
	all := make([]Type, len(table))
	for i := range all {
		all[i] = Type(i)
	}
	return all
}

// ParseType knows the name of a type.
func ParseType(name string) (Type, bool) {
	for i, t := range table {
		if t.name == name {
			return Type(i), true
		}
	}
	return 0, false
}

// String is the name of the type as by_type counts it.
func (t Type) String() string { return table[t].name }

// Severity is what the type is worth where the check knows no better.
func (t Type) Severity() Severity { return table[t].severity }

// Title is a heading for the report.
func (t Type) Title() string { return table[t].title }

// Meaning is one sentence that says what was found; "" where nothing is wrong.
func (t Type) Meaning() string { return table[t].meaning }

// Does says what the press does about it.
func (t Type) Does() string { return table[t].does }

// Fix says how the author mends it in Word.
func (t Type) Fix() string { return table[t].fix }
