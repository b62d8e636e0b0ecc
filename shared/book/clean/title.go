package clean

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// titles are the words by which authors head the parts of a book, in lower case, by kind.
var titles = func() map[string]manuscript.SectionKind {
	all := map[string]manuscript.SectionKind{}
	for kind, list := range map[manuscript.SectionKind]string{
		manuscript.KindHalfTitle:        "half title|schmutztitel|faux-titre",
		manuscript.KindTitlePage:        "title page|titelseite|page de titre|title|titel",
		manuscript.KindCopyright:        "copyright|copyright page|copyright notice|impressum|imprint|mentions légales|legal notice|colophon",
		manuscript.KindDedication:       "dedication|widmung|zueignung|dédicace",
		manuscript.KindEpigraph:         "epigraph|motto|épigraphe|epigraphs",
		manuscript.KindContents:         "contents|table of contents|inhalt|inhaltsverzeichnis|inhaltsübersicht|table des matières|sommaire",
		manuscript.KindForeword:         "foreword|geleitwort|zum geleit|avant-propos",
		manuscript.KindPreface:          "preface|vorwort|vorrede|vorbemerkung|préface|author's note|author’s note|a note on the text|a note on names|note to the reader|an den leser|hinweis|vorab|editor's note|editor’s note|translator's note|translator’s note|cast of characters|dramatis personae|personenverzeichnis|personen",
		manuscript.KindIntroduction:     "introduction|einleitung|einführung|einführende worte|general introduction",
		manuscript.KindPrologue:         "prologue|prolog|vorspiel|prelude|präludium",
		manuscript.KindEpilogue:         "epilogue|epilog|épilogue|nachspiel|coda|postlude",
		manuscript.KindAfterword:        "afterword|nachwort|postface|postscript|nachbemerkung|schlusswort|schlußwort|zum schluss|a final note|conclusion générale",
		manuscript.KindAcknowledgements: "acknowledgements|acknowledgments|acknowledgement|acknowledgment|danksagung|dank|danksagungen|mein dank|remerciements|thanks|with thanks",
		manuscript.KindAppendix:         "appendix|appendices|anhang|annexe|annexes|chronology|zeittafel|timeline|addendum|nachtrag",
		manuscript.KindGlossary:         "glossary|glossar|glossaire|begriffe|worterklärungen|list of terms|begriffserklärungen",
		manuscript.KindBibliography:     "bibliography|literatur|literaturverzeichnis|bibliographie|bibliografie|quellen|quellenverzeichnis|quellen und literatur|works cited|references|further reading|select bibliography|sources|weiterführende literatur",
		manuscript.KindNotes:            "notes|endnotes|anmerkungen|fußnoten|fussnoten|endnoten|notes and references",
		manuscript.KindAboutAuthor:      "about the author|about the authors|über den autor|über die autorin|über die autoren|zum autor|zur autorin|der autor|die autorin|à propos de l'auteur|à propos de l’auteur|l'auteur|l’auteur|the author|biography",
		manuscript.KindIndex:            "index|register|stichwortverzeichnis|sachregister|personenregister|namensregister|general index|sach- und personenregister",
	} {
		for _, t := range strings.Split(list, "|") {
			all[t] = kind
		}
	}
	return all
}()

// kindOf is the kind of a section by its title; false where the title says nothing.
func kindOf(title string) (manuscript.SectionKind, bool) {
	t := strings.ToLower(strings.Trim(oneLine(title), " .:–—-*"))
	if k, ok := titles[t]; ok {
		return k, true
	}
	first, end := word(t, 0)
	rest := strings.TrimSpace(t[end:])
	first = strings.TrimRight(first, ":.")
	switch first {
	case "appendix", "anhang", "annexe": // Appendix B: Tables
		letter, _ := word(rest, 0)
		if letter = strings.TrimRight(letter, ":."); len(letter) == 1 || value(letter) > 0 || strings.HasSuffix(t[:end], ":") {
			return manuscript.KindAppendix, true
		}
	case "preface", "vorwort", "préface", "foreword", "afterword", "nachwort", "introduction", "einleitung", "prologue", "prolog",
		"epilogue", "epilog":
		if rest == "" || strings.HasSuffix(t[:end], ":") || isDash([]rune(rest)[0]) {
			return titles[first], true
		}
		for _, lead := range []string{"to the ", "zur ", "zum ", "by ", "von ", "des ", "der ", "à la "} {
			if strings.HasPrefix(rest, lead) {
				return titles[first], true
			}
		}
	}
	return 0, false
}
