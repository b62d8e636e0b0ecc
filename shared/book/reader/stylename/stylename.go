// Package stylename is the table of the named styles that the readers of word processor files know: what a
// paragraph of such a style is for, under its English, German and French names. The Word template is
// made from the same table.
package stylename

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// Use says what a style is for.
type Use uint8

// The uses.
const (
	Body Use = iota
	Heading
	Title
	Subtitle
	Author
	First
	Quote
	Epigraph
	Attribution
	Verse
	Code
	Caption
	Centered
	FlushRight
	SceneBreak
	ListContinued
	SectionSubtitle // below a heading of the first level
	SectionText     // makes a section of its own: dedication, copyright
	Contents        // an entry of a table of contents, or its heading
)

// Role is what a paragraph of the use is for.
func (u Use) Role() manuscript.Role {
	switch u {
	case Title:
		return manuscript.RoleTitle
	case Subtitle:
		return manuscript.RoleSubtitle
	case Author:
		return manuscript.RoleAuthor
	case First:
		return manuscript.RoleFirst
	case Attribution:
		return manuscript.RoleAttribution
	case Centered:
		return manuscript.RoleCentered
	case FlushRight:
		return manuscript.RoleFlushRight
	}
	return manuscript.RoleBody
}

// Style is a row of the table. The first name is the one the template writes.
type Style struct {
	Use   Use
	Level int                    // of a heading, from 1
	Kind  manuscript.SectionKind // of the section that a heading or section text begins
	Names []string
}

var table = []Style{
	{Use: Title, Names: []string{"Title", "Titel", "Titre", "Book Title", "Buchtitel", "Titre du livre"}},
	{Use: Subtitle, Names: []string{"Subtitle", "Untertitel", "Sous-titre"}},
	{Use: Author, Names: []string{"Author", "Autor", "Auteur", "By Line", "Byline"}},
	{Use: Heading, Level: 1, Kind: manuscript.KindPart, Names: []string{"Part Title", "Part", "Part Heading", "Teil", "Teiltitel",
		"Teilüberschrift", "Partie", "Titre de partie"}},
	{Use: Heading, Level: 1, Kind: manuscript.KindChapter, Names: []string{"Chapter Title", "Chapter", "Chapter Heading", "Kapitel",
		"Kapiteltitel", "Kapitelüberschrift", "Chapitre", "Titre de chapitre"}},
	{Use: Heading, Level: 1, Names: []string{"Heading 1", "Überschrift 1", "Titre 1", "Kop 1", "Titolo 1", "Título 1", "Rubrik 1",
		"Front Matter Heading", "Back Matter Heading"}},
	{Use: Heading, Level: 2, Names: []string{"Heading 2", "Überschrift 2", "Titre 2", "Kop 2", "Titolo 2", "Título 2", "Rubrik 2",
		"Subheading", "Zwischenüberschrift", "Intertitre"}},
	{Use: Heading, Level: 3, Names: []string{"Heading 3", "Überschrift 3", "Titre 3", "Kop 3", "Titolo 3", "Título 3", "Rubrik 3"}},
	{Use: Heading, Level: 4, Names: []string{"Heading 4", "Überschrift 4", "Titre 4", "Titolo 4", "Título 4"}},
	{Use: Heading, Level: 5, Names: []string{"Heading 5", "Überschrift 5", "Titre 5"}},
	{Use: Heading, Level: 6, Names: []string{"Heading 6", "Überschrift 6", "Titre 6"}},
	{Use: Heading, Level: 7, Names: []string{"Heading 7", "Überschrift 7", "Titre 7"}},
	{Use: Heading, Level: 8, Names: []string{"Heading 8", "Überschrift 8", "Titre 8"}},
	{Use: Heading, Level: 9, Names: []string{"Heading 9", "Überschrift 9", "Titre 9"}},
	{Use: SectionSubtitle, Names: []string{"Chapter Subtitle", "Kapiteluntertitel", "Sous-titre de chapitre", "Part Subtitle"}},
	{Use: SectionText, Kind: manuscript.KindHalfTitle, Names: []string{"Half Title", "Schmutztitel", "Faux-titre"}},
	{Use: SectionText, Kind: manuscript.KindCopyright, Names: []string{"Copyright", "Copyright Page", "Impressum", "Mentions légales"}},
	{Use: SectionText, Kind: manuscript.KindDedication, Names: []string{"Dedication", "Widmung", "Dédicace"}},
	{Use: First, Names: []string{"First Paragraph", "Body Text First", "Erster Absatz", "Premier paragraphe", "No Indent", "Ohne Einzug",
		"Sans retrait"}},
	{Use: Quote, Names: []string{"Quote", "Block Quote", "Block Text", "Intense Quote", "Quotations", "Quotation", "Extract", "Zitat",
		"Blockzitat", "Intensives Zitat", "Blocktext", "Citation", "Citation intense", "Bloc de texte"}},
	{Use: Epigraph, Names: []string{"Epigraph", "Motto", "Épigraphe"}},
	{Use: Attribution, Names: []string{"Attribution", "Epigraph Source", "Quote Source", "Quelle", "Zitatquelle", "Source de citation"}},
	{Use: Verse, Names: []string{"Verse", "Poem", "Poetry", "Lyrics", "Vers", "Gedicht", "Lyrik", "Poème", "Poésie"}},
	{Use: Code, Names: []string{"Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Plain Code", "Quelltext", "Quellcode",
		"HTML Vorformatiert", "Vorformatierter Text", "Préformaté HTML", "Texte préformaté"}},
	{Use: Caption, Names: []string{"Caption", "Image Caption", "Table Caption", "Figure Caption", "Figure", "Illustration", "Table",
		"Beschriftung", "Bildunterschrift", "Abbildung", "Tabelle", "Légende"}},
	{Use: Centered, Names: []string{"Centered", "Centred", "Zentriert", "Centré"}},
	{Use: FlushRight, Names: []string{"Flush Right", "Rechtsbündig", "Aligné à droite", "Signature", "Unterschrift"}},
	{Use: SceneBreak, Names: []string{"Scene Break", "Section Break", "Ornament", "Szenenwechsel", "Szenentrenner", "Changement de scène",
		"Horizontal Line", "Horizontale Linie", "Ligne horizontale"}},
	{Use: ListContinued, Names: []string{"List Continue", "List Continue 2", "List Continue 3", "Listenfortsetzung", "Liste continue"}},
	{Use: Contents, Names: []string{"TOC Heading", "Contents Heading", "Inhaltsverzeichnisüberschrift", "En-tête de table des matières",
		"TOC 1", "TOC 2", "TOC 3", "TOC 4", "TOC 5", "TOC 6", "TOC 7", "TOC 8", "TOC 9", "Table of Figures",
		"Contents 1", "Contents 2", "Contents 3", "Verzeichnis 1", "Verzeichnis 2", "Verzeichnis 3", "TM 1", "TM 2", "TM 3"}},
}

// All is the table.
func All() []Style { return table }

var byKey = func() map[string]*Style {
	m := map[string]*Style{}
	for i := range table {
		for _, n := range table[i].Names {
			m[key(n)] = &table[i]
			// Word's German and French style ids leave out letters with accents: berschrift1, Lgende.
			if id := ascii(key(n)); id != key(n) && m[id] == nil {
				m[id] = &table[i]
			}
		}
	}
	return m
}()

// Lookup knows a style by its name or id; names are compared without case, spaces, hyphens and underscores.
func Lookup(name string) (Style, bool) {
	if len(name) > 64 {
		return Style{}, false
	}
	if s := byKey[key(name)]; s != nil {
		return *s, true
	}
	return Style{}, false
}

func key(s string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case ' ', '-', '_', '\u00a0':
			return -1
		}
		return c
	}, strings.ToLower(s))
}

func ascii(s string) string {
	return strings.Map(func(c rune) rune {
		if c > 127 {
			return -1
		}
		return c
	}, s)
}
