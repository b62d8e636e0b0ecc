package preflight

import (
	"io"
	"strconv"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

// HTMLOptions are what the page says of the upload.
type HTMLOptions struct {
	Source string // name of the file
	Date   string // when it was examined, as it is shown; "" leaves it out
}

// maxShown is how many places of one type the page shows.
const maxShown = 12

// shownGroup is the findings of one type as the page shows them.
type shownGroup struct {
	Name, Severity, SeverityName, Title, Meaning, Does, Fix string
	Count, More                                             int
	Places                                                  []shownPlace
	Act                                                     bool // the author has something to do
}

type shownPlace struct {
	Where, Excerpt, Detail string
	Count                  int
}

type shownSection struct {
	Title, Kind  string
	Paras, Words string
	Share        int // of the longest section, percent
	Side         string
}

// HTML writes the report as a page that needs no script and loads nothing: it may be served with
// Content-Security-Policy default-src 'none' and the hash of its one style element; no element has a style
// attribute.
func (r Report) HTML(w io.Writer, o HTMLOptions) error {
	p := reportPage{Report: r, t: texts[r.Language()]}
	p.head(o)
	p.counts()
	groups := r.groups()
	p.first(of(groups, finding.High))
	p.tag("p", "lead", r.BookMap.Summary)
	p.list("high", of(groups, finding.High), "")
	p.list("medium", of(groups, finding.Medium), "")
	p.list("low", of(groups, finding.Low), p.t["lowlead"])
	p.kept(of(groups, finding.Preserved))
	p.bookMap()
	p.words()
	p.raw("</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, p.String())
	return err
}

// groups are the findings by severity and type, in the order of the report.
func (r Report) groups() []shownGroup {
	var all []shownGroup
	t := texts[r.language]
	for i, f := range r.Findings {
		if i == 0 || f.Type != r.Findings[i-1].Type || f.Severity != r.Findings[i-1].Severity {
			w := wordsOf(f.Type, r.language)
			all = append(all, shownGroup{Name: f.Type.String(), Severity: f.Severity.String(), SeverityName: t["s_"+f.Severity.String()],
				Title: w.title, Meaning: w.meaning, Does: w.does, Fix: w.fix, Act: f.Severity == finding.High ||
					f.Severity == finding.Medium})
		}
		g := &all[len(all)-1]
		g.Count += f.Count
		if len(g.Places) < maxShown && f.Severity != finding.Preserved {
			g.Places = append(g.Places, shownPlace{Where: where(f.Place, r.language), Excerpt: f.Excerpt, Detail: detail(f, r.language),
				Count: f.Count})
		} else {
			g.More += f.Count
		}
	}
	return all
}

// detail is what is special to a finding, in words.
func detail(f finding.Finding, language string) string {
	if f.Detail == "" {
		return ""
	}
	german := language == "de"
	switch f.Type {
	case finding.ChapterNumberGap:
		return pick(german, "es fehlt: ", "missing: ") + f.Detail
	case finding.ChapterNumberDuplicate:
		return pick(german, "Nummer ", "number ") + f.Detail
	case finding.LongChapter:
		return f.Detail + pick(german, " Wörter", " words")
	case finding.LongWord:
		return f.Detail + pick(german, " Zeichen", " characters")
	case finding.WideTable:
		return f.Detail + pick(german, " Spalten", " columns")
	case finding.MixedLanguages:
		from, to, ok := strings.Cut(f.Detail, " → ")
		if !ok {
			return f.Detail
		}
		n := 0
		if german {
			n = 1
		}
		return pick(german, "steht als ", "taken as ") + languageNames[from][n] + pick(german, ", liest sich wie ", ", reads like ") +
			languageNames[to][n]
	case finding.TOCField:
		for _, l := range listNames {
			if l.said == f.Detail {
				return pick(german, l.german, l.english)
			}
		}
	case finding.EmptyParagraphs, finding.ManualPageBreak, finding.HeadingLevelSkip, finding.RunningHeadInBody, finding.NestedTable,
		finding.PageReference:
		if german {
			return repairsGerman.Replace(f.Detail)
		}
	case finding.TrackedChange, finding.UnsupportedObject, finding.Columns, finding.DirectFormatting, finding.MissingImage,
		finding.HiddenText:
		if german {
			return readersGerman.Replace(f.Detail)
		}
	}
	return f.Detail
}

// listNames are the lists that the book makes itself, by what readers and repairs call them.
var listNames = []struct{ said, english, german string }{
	{"TOC", "table of contents", "Inhaltsverzeichnis"}, {"table-of-content", "table of contents", "Inhaltsverzeichnis"},
	{"INDEX", "index", "Register"}, {"alphabetical-index", "index", "Register"},
	{"TOA", "table of authorities", "Rechtsquellenverzeichnis"}, {"illustration-index", "list of illustrations", "Abbildungsverzeichnis"},
	{"table-index", "list of tables", "Tabellenverzeichnis"}, {"object-index", "list of objects", "Objektverzeichnis"},
	{"user-index", "list", "Verzeichnis"},
}

// repairsGerman turns what repairs and checks say of a finding into German.
var repairsGerman = strings.NewReplacer("empty paragraphs", "leere Absätze", "set as a scene break", "als Szenenwechsel gesetzt",
	"inside a chapter", "mitten im Kapitel", "level", "Ebene", " after ", " nach ",
	"taken out", "herausgenommen", " rows", " Zeilen", " columns", " Spalten", "an index with page numbers of the manuscript",
	"ein Register mit Seitenzahlen des Manuskripts", "typed by hand", "von Hand getippt")

// readersGerman turns what readers say of a finding into German.
var readersGerman = strings.NewReplacer("inserted by ", "eingefügt von ", "deleted by ", "gelöscht von ", "moved here by ",
	"hierher verschoben von ", "moved away by ", "weg verschoben von ", "formatting by ", "formatiert von ",
	"an equation", "eine Formel", "a SmartArt drawing", "eine SmartArt-Grafik", "an embedded document", "ein eingebettetes Dokument",
	"an embedded object", "ein eingebettetes Objekt", "a chart", "ein Diagramm",
	"a picture or a drawing", "ein Bild oder eine Zeichnung", "a drawing", "eine Zeichnung", "a reading above the line",
	"eine Lesung über der Zeile", "a field of a form", "ein Feld eines Formulars", "a text box in others", "ein Textfeld in anderen",
	"ink or a control", "Handschrift oder ein Steuerelement", "what the field ", "was das Feld ", " shows", " zeigt",
	"landscape pages", "Seiten im Querformat", "columns", "Spalten", "font ", "Schrift ", "colour ", "Farbe ",
	"the picture is linked, not embedded", "das Bild ist nur verknüpft", "the page does not hold the picture",
	"die Seite enthält das Bild nicht", "the pictures have more than ", "die Bilder haben zusammen mehr als ", " megapixels together",
	" Megapixel",
	"the picture of ", "das Bild von ", " by ", " mal ", " pixels is larger than ", " Pixeln ist größer als ", " megapixels or ",
	" Megapixel oder ", " pixels a side", " Pixel je Seite", "a picture at an angle of ", "ein Bild im Winkel von ",
	"the picture is broken", "das Bild ist beschädigt", "the picture is cut off", "das Bild ist abgeschnitten",
	"the file does not hold the picture", "die Datei enthält das Bild nicht", "a picture of the kind ", "ein Bild der Art ",
	" cannot be printed; save it as PNG or JPEG", " lässt sich nicht drucken; als PNG oder JPEG speichern")

// where names a place for people.
func where(p manuscript.Place, language string) string {
	t := texts[language]
	var parts []string
	if p.Section != "" {
		parts = append(parts, p.Section)
	}
	if p.Part != "" && p.Part != "body" {
		part := p.Part
		if language == "de" {
			part = strings.NewReplacer("footnote", "Fußnote", "endnote", "Endnote", "header", "Kopfzeile", "footer", "Fußzeile", "text box",
				"Textfeld", "comment", "Kommentar").Replace(part)
		}
		parts = append(parts, part)
	}
	if p.Paragraph > 0 {
		parts = append(parts, t["paragraph"]+" "+strconv.Itoa(p.Paragraph))
	}
	return strings.Join(parts, " · ")
}

func (r Report) sections() []shownSection {
	t := texts[r.language]
	longest := 1
	for _, s := range r.BookMap.Sections {
		longest = max(longest, s.Words)
	}
	mark := pick(r.language == "de", ".", ",")
	rows := make([]shownSection, len(r.BookMap.Sections))
	for i, s := range r.BookMap.Sections {
		rows[i] = shownSection{Title: s.Title, Kind: kindName(s.Kind, r.language), Paras: thousands(s.Paras, mark),
			Words: thousands(s.Words, mark), Share: s.Words * 100 / longest}
		for _, k := range manuscript.AllSectionKinds() {
			if k.String() == s.Kind {
				switch {
				case k.Front():
					rows[i].Side = "front"
				case k.Back():
					rows[i].Side = "back"
				}
			}
		}
		if s.Title == "" {
			rows[i].Title = t["untitled"]
		}
	}
	return rows
}

func kindName(kind, language string) string {
	if language == "de" {
		if n := germanKinds[kind]; n != "" {
			return n
		}
	}
	return strings.ReplaceAll(kind, "_", " ")
}

var germanKinds = map[string]string{
	"other": "ohne Zuordnung", "half_title": "Schmutztitel", "title_page": "Titelseite", "copyright": "Impressum", "dedication": "Widmung",
	"epigraph": "Motto",
	"contents": "Inhalt", "foreword": "Geleitwort", "preface": "Vorwort", "introduction": "Einleitung", "prologue": "Prolog",
	"part": "Teil", "chapter": "Kapitel",
	"epilogue": "Epilog", "afterword": "Nachwort", "acknowledgements": "Dank", "appendix": "Anhang", "glossary": "Glossar",
	"bibliography": "Literatur",
	"notes":        "Anmerkungen", "about_author": "Über den Autor", "index": "Register",
}

// texts are the words of the page itself.
var texts = map[string]map[string]string{
	"en": {
		"report": "Preflight report", "by": "by", "examined": "examined",
		"clean":   "Nothing was found. The manuscript is ready to be set.",
		"ready":   "Nothing stands in the way. The press mends the rest by itself; what is listed under “Worth a look” is for you to judge.",
		"decide":  "% things need your decision before the book is printed. Everything else is mended by the press or can wait.",
		"decide1": "One thing needs your decision before the book is printed. Everything else is mended by the press or can wait.",
		"high":    "To decide", "medium": "Worth a look", "low": "Mended for you", "kept": "Preserved",
		"s_high": "decide", "s_medium": "look", "s_low": "mended", "s_preserved": "kept",
		"first": "Decide this first", "does": "What the press does", "fix": "How to mend it in Word", "more": "more of these",
		"times": "times", "places": "Places",
		"lowlead":  "You need not do anything about these. They are listed so that you can see what was changed.",
		"keptlead": "The good news: all of this is kept as you have made it.",
		"map":      "The book as the press understands it", "section": "Section", "kind": "Kind", "paras": "Paragraphs", "words": "Words",
		"untitled": "without a title", "paragraph": "paragraph", "warnings": "Look at the structure", "notes": "Worth knowing",
		"account": "Word for word", "in": "% words stand in the file", "set": "% are set", "left": "% are left out",
		"leftlead": "All that is left out. To set it as well, switch on “Set every word” in the transmittal; hidden text and lists that the word processor makes are changed in the file.",
	},
	"de": {
		"report": "Prüfbericht", "by": "von", "examined": "geprüft",
		"clean":   "Es wurde nichts gefunden. Das Manuskript kann gesetzt werden.",
		"ready":   "Nichts steht im Weg. Das Übrige richtet die Druckerei selbst; was unter „Zum Ansehen“ steht, beurteilen Sie.",
		"decide":  "% Dinge müssen Sie entscheiden, bevor das Buch gedruckt wird. Alles andere richtet die Druckerei, oder es hat Zeit.",
		"decide1": "Eines müssen Sie entscheiden, bevor das Buch gedruckt wird. Alles andere richtet die Druckerei, oder es hat Zeit.",
		"high":    "Zu entscheiden", "medium": "Zum Ansehen", "low": "Für Sie gerichtet", "kept": "Bewahrt",
		"s_high": "entscheiden", "s_medium": "ansehen", "s_low": "gerichtet", "s_preserved": "bewahrt",
		"first": "Das zuerst entscheiden", "does": "Was die Druckerei tut", "fix": "So beheben Sie es in Word", "more": "weitere",
		"times": "mal", "places": "Stellen",
		"lowlead":  "Hier ist nichts zu tun. Die Liste zeigt, was geändert wurde.",
		"keptlead": "Die gute Nachricht: all das bleibt, wie Sie es gemacht haben.",
		"map":      "Das Buch, wie die Druckerei es versteht", "section": "Abschnitt", "kind": "Art", "paras": "Absätze", "words": "Wörter",
		"untitled": "ohne Titel", "paragraph": "Absatz", "warnings": "Zum Aufbau", "notes": "Gut zu wissen",
		"account": "Wort für Wort", "in": "% Wörter stehen in der Datei", "set": "% werden gesetzt", "left": "% werden weggelassen",
		"leftlead": "Alles, was weggelassen wird. Damit auch das gesetzt wird, im Auftrag „Jedes Wort setzen“ einschalten; verborgener Text und Verzeichnisse der Textverarbeitung werden in der Datei geändert.",
	},
}
