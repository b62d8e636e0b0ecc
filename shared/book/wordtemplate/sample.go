package wordtemplate

import (
	"strings"
)

// sample is a paragraph of the template.
type sample struct {
	style string // id; "" is Normal
	text  bilingual
	note  bool // a footnote hangs on it
	table bool // in its place stands a table
}

var noteText = bilingual{
	"A footnote is made with References, Insert Footnote. It is set at the foot of the page.",
	"Eine Fußnote entsteht mit Verweise, Fußnote einfügen. Sie wird am Fuß der Seite gesetzt.",
}

// samples are the text of the template, in the order of a book. The styles that make sections of their own
// stand in front.
var samples = []sample{
	{style: "HalfTitle", text: bilingual{"The title alone", "Nur der Titel"}},
	{style: "Title", text: bilingual{"The title of the book", "Der Titel des Buches"}},
	{style: "Subtitle", text: bilingual{"Its subtitle", "Sein Untertitel"}},
	{style: "Author", text: bilingual{"The name of the author", "Der Name der Autorin"}},
	{style: "Copyright", text: bilingual{"Rights, publisher, ISBN and whatever else belongs on this page",
		"Rechte, Verlag, ISBN und was sonst auf diese Seite gehört"}},
	{style: "Dedication", text: bilingual{"For whom the book was written", "Für wen das Buch geschrieben ist"}},
	{style: "PartTitle", text: bilingual{"Part One: The title of a part", "Erster Teil: Der Titel eines Teils"}},
	{style: "Heading1", text: bilingual{"Chapter 1: The title of a chapter", "Kapitel 1: Der Titel eines Kapitels"}},
	{style: "ChapterSubtitle", text: bilingual{"The subtitle of a chapter", "Der Untertitel eines Kapitels"}},
	{style: "Epigraph", text: bilingual{"A motto stands in front of a chapter.", "Ein Motto steht vor einem Kapitel."}},
	{style: "Attribution", text: bilingual{"Who said it", "Wer es gesagt hat"}},
	{style: "FirstParagraph", text: bilingual{
		"The first paragraph of a chapter and the first one behind a scene break are not indented. Word takes this style by itself when you press Enter behind a title.",
		"Der erste Absatz eines Kapitels und der erste nach einem Szenenwechsel haben keinen Einzug. Word nimmt diese Vorlage von selbst, wenn Sie nach einem Titel die Eingabetaste drücken."}},
	{text: bilingual{
		"All other text is set in the style Normal. Write without empty paragraphs, tabs and spaces at the beginning of a line; the indent comes from the style. Italic, bold and small capitals are kept as you set them.",
		"Aller übrige Text steht in der Vorlage Standard. Schreiben Sie ohne leere Absätze, Tabulatoren und Leerzeichen am Zeilenanfang; der Einzug kommt von der Vorlage. Kursives, Fettes und Kapitälchen bleiben, wie Sie sie setzen."}, note: true},
	{style: "SceneBreak", text: bilingual{"* * *", "* * *"}},
	{style: "FirstParagraph", text: bilingual{"Behind a scene break the story goes on.",
		"Nach einem Szenenwechsel geht die Geschichte weiter."}},
	{style: "Heading2", text: bilingual{"A heading inside a chapter", "Eine Überschrift im Kapitel"}},
	{style: "FirstParagraph", text: bilingual{"Headings of the second, third and fourth level divide a chapter.",
		"Überschriften der zweiten, dritten und vierten Ebene gliedern ein Kapitel."}},
	{style: "Heading3", text: bilingual{"A heading of the third level", "Eine Überschrift der dritten Ebene"}},
	{style: "Quote", text: bilingual{"A longer quotation stands as a paragraph of its own and is moved in.",
		"Ein längeres Zitat steht als eigener Absatz und ist eingerückt."}},
	{style: "Attribution", text: bilingual{"Where it comes from", "Woher es stammt"}},
	{style: "Heading4", text: bilingual{"A heading of the fourth level", "Eine Überschrift der vierten Ebene"}},
	{style: "Verse", text: bilingual{"Every line of a poem is a paragraph,", "Jede Zeile eines Gedichts ist ein Absatz,"}},
	{style: "Verse", text: bilingual{"its lines are never run together.", "die Zeilen laufen nie zusammen."}},
	{style: "ListBullet", text: bilingual{"a list of points", "eine Liste mit Punkten"}},
	{style: "ListBullet", text: bilingual{"with a second point", "mit einem zweiten Punkt"}},
	{style: "ListContinue", text: bilingual{"that goes on in another paragraph", "der in einem weiteren Absatz weitergeht"}},
	{style: "ListNumber", text: bilingual{"a numbered list", "eine nummerierte Liste"}},
	{style: "ListNumber", text: bilingual{"whose numbers Word counts", "deren Nummern Word zählt"}},
	{style: "Code", text: bilingual{"text   whose   spaces   are   kept", "Text,   dessen   Leerzeichen   bleiben"}},
	{style: "Caption", text: bilingual{"The caption of a table or a picture", "Die Beschriftung einer Tabelle oder eines Bildes"}},
	{table: true},
	{style: "Centered", text: bilingual{"A centred line", "Eine zentrierte Zeile"}},
	{style: "FlushRight", text: bilingual{"A line at the right edge", "Eine Zeile am rechten Rand"}},
	{style: "ChapterTitle", text: bilingual{"Epilogue", "Epilog"}},
	{style: "FirstParagraph", text: bilingual{"The style Chapter Title does the same as Heading 1.",
		"Die Vorlage Kapiteltitel bewirkt dasselbe wie Überschrift 1."}},
}

var cells = [][]bilingual{
	{{"The first row", "Die erste Zeile"}, {"is repeated on every page", "wird auf jeder Seite wiederholt"}},
	{{"A cell", "Eine Zelle"}, {"beside another", "neben einer anderen"}},
}

func (t *template) document() string {
	var b strings.Builder
	b.WriteString(head + `<w:document ` + word + `><w:body>`)
	for _, s := range samples {
		if s.table {
			t.table(&b)
			continue
		}
		text := t.pick(s.text)
		switch {
		case (s.style == "Title" || s.style == "HalfTitle") && t.spec.Title != "":
			text = t.spec.Title
		case s.style == "Subtitle" && t.spec.Subtitle != "":
			text = t.spec.Subtitle
		case s.style == "Author" && t.spec.Author != "":
			text = t.spec.Author
		}
		paragraph(&b, s.style, text, s.note)
	}
	b.WriteString(t.page() + `</w:body></w:document>`)
	return b.String()
}

func paragraph(b *strings.Builder, style, text string, note bool) {
	b.WriteString(`<w:p>`)
	if style != "" {
		b.WriteString(`<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`)
	}
	b.WriteString(`<w:r><w:t xml:space="preserve">` + escape(text) + `</w:t></w:r>`)
	if note {
		b.WriteString(`<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="1"/></w:r>`)
	}
	b.WriteString(`</w:p>`)
}

func (t *template) table(b *strings.Builder) {
	b.WriteString(`<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid><w:gridCol w:w="2400"/><w:gridCol w:w="2400"/></w:tblGrid>`)
	for i, row := range cells {
		b.WriteString(`<w:tr>`)
		if i == 0 {
			b.WriteString(`<w:trPr><w:tblHeader/></w:trPr>`)
		}
		for _, c := range row {
			b.WriteString(`<w:tc><w:tcPr><w:tcW w:w="2500" w:type="pct"/></w:tcPr>`)
			paragraph(b, "FirstParagraph", t.pick(c), false)
			b.WriteString(`</w:tc>`)
		}
		b.WriteString(`</w:tr>`)
	}
	b.WriteString(`</w:tbl>`)
}
