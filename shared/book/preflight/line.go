package preflight

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/clean"
	"mappe/shared/book/finding"
	"mappe/shared/book/font"
	"mappe/shared/book/layout"
	"mappe/shared/book/manuscript"
)

// line checks the text of a paragraph; short says that it is a heading or a caption, where quotations
// and languages are not looked at.
func (x *exam) line(in []manuscript.Inline, place manuscript.Place, short bool) {
	if len(in) == 0 {
		return
	}
	text := manuscript.Plain(in)
	x.text(text, place)
	x.styles(in, place)
	if !short {
		x.quotes.paragraph(x, text, place)
		x.language(in, text, place)
	}
}

// verse checks a line of verse, whose quotations may close on a later one.
func (x *exam) verse(in []manuscript.Inline, place manuscript.Place) {
	text := manuscript.Plain(in)
	x.text(text, place)
	x.styles(in, place)
}

// maxWord is how many letters without a place to divide fit on a line of any trim.
const maxWord = 34

// text counts words and looks at characters.
func (x *exam) text(text string, place manuscript.Place) {
	start, letters, mark, wide := -1, false, false, false
	for i := 0; i <= len(text); i++ {
		var c byte = ' '
		if i < len(text) {
			c = text[i]
		}
		if c >= utf8.RuneSelf {
			if c == 0xc2 && i+1 < len(text) && text[i+1] == 0xa0 { // a hard space
				c = ' '
			} else {
				wide, letters = true, true
				if start < 0 {
					start = i
				}
				continue
			}
		}
		if c != ' ' && c != '\t' {
			if start < 0 {
				start = i
			}
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
				letters = true
			}
			if c == '[' || c == '?' && i+2 < len(text) && text[i+1] == '?' && text[i+2] == '?' {
				mark = true
			}
			if c == '!' && (strings.HasSuffix(text[:i], "Error") || strings.HasSuffix(text[:i], "Fehler")) {
				mark = true
			}
			continue
		}
		if start >= 0 {
			if letters {
				x.words++
				w := text[start:i]
				if len(w) > maxWord {
					x.longWord(w, place, text)
				}
				if first := w[0]; first < 'a' && placeholder(w) && !roman(text, start, i) {
					x.add(finding.PlaceholderText, place, clean.Around(text, start), "")
				}
			}
			start, letters = -1, false
		}
	}
	if mark || len(text) > 10 && (text[0] == 'L' || text[0] == 'l' || text[0] == 'C' || text[0] == 'K' ||
		strings.Contains(text, "orem ipsum")) {
		x.phrases(text, place)
	}
	if wide {
		x.glyphs(text, place)
	}
	x.typed(text, place)
}

// placeholder says whether a word is a note to oneself.
func placeholder(w string) bool {
	w = strings.Trim(w, ".,;:!?()[]“”\"„…—–*-/")
	switch w {
	case "TK", "TKTK", "TKTKTK", "TODO", "FIXME", "TBD", "TBA", "XXX", "XXXX", "XXXXX", "XXXXXX", "ToDo", "QQQ":
		return true
	}
	return false
}

// roman says whether XXX is the number thirty: after a word that counts.
func roman(text string, start, end int) bool {
	if !strings.Contains(text[start:end], "XXX") || strings.Contains(text[start:end], "XXXX") {
		return false
	}
	before := strings.Fields(text[:start])
	if len(before) == 0 {
		return false
	}
	switch strings.ToLower(strings.Trim(before[len(before)-1], ".,")) {
	case "chapter", "kapitel", "psalm", "book", "buch", "part", "teil", "canto", "band", "vol", "volume", "no", "nr", "section", "act",
		"plate", "tafel":
		return true
	}
	return false
}

// openers of phrases in brackets that wait for something.
var waiting = []string{"insert", "add ", "check", "todo", "tk", "xxx", "tbd", "name of", "name]", "title]", "author]", "date]", "image",
	"photo", "picture", "figure here", "citation", "source]", "reference]", "expand", "fix ", "rewrite",
	"einfügen", "bild ", "bild]", "foto", "hier ", "prüfen", "name einsetzen", "datum]", "autor]", "titel]", "noch ", "fehlt", "ergänzen",
	"abbildung einf", "quelle]", "quelle?", "???", "?]", "platzhalter", "placeholder"}

// sentences are what word processors put where an author or a cross-reference has left nothing.
var sentences = []string{"lorem ipsum", "click here to enter text", "click or tap here to enter text",
	"klicken sie hier, um text einzugeben", "klicken oder tippen sie hier", "???"}

// broken is what word processors put where a reference leads nowhere.
var broken = []string{
	"error! reference source not found", "error! bookmark not defined", "error! no text of specified style", "error! not a valid",
	"fehler! verweisquelle konnte nicht gefunden werden", "fehler! textmarke nicht definiert", "fehler! kein text mit"}

// phrases looks for placeholders of several words.
func (x *exam) phrases(text string, place manuscript.Place) {
	low := strings.ToLower(text)
	for _, p := range sentences {
		if i := strings.Index(low, p); i >= 0 {
			f := finding.New(finding.PlaceholderText, place, clean.Around(text, i))
			if p == "???" { // somebody may have said it so
				f.Severity = finding.Medium
			}
			x.tell(f)
			return
		}
	}
	for _, p := range broken {
		if i := strings.Index(low, p); i >= 0 {
			x.add(finding.BrokenReference, place, clean.Around(text, i), "")
			return
		}
	}
	for i := 0; i < len(low); i++ {
		if low[i] != '[' {
			continue
		}
		end := strings.IndexByte(low[i:], ']')
		if end < 0 {
			return
		}
		inner := low[i+1 : i+end+1]
		for _, w := range waiting {
			if strings.HasPrefix(inner, w) {
				if !placeholder(strings.ToUpper(strings.Fields(inner + " x")[0])) { // else the word was told
					x.add(finding.PlaceholderText, place, clean.Around(text, i), "")
				}
				break
			}
		}
		i += end
	}
}

// longWord tells of a word that no line holds. A hyphen, a dash, a slash and the places of the patterns divide.
func (x *exam) longWord(w string, place manuscript.Place, text string) {
	longest, run, from := 0, 0, 0
	flush := func(part string) {
		if n := utf8.RuneCountInString(part); n > maxWord && x.hyph != nil {
			at := 0
			for _, p := range x.hyph.Points(nil, part) {
				longest = max(longest, utf8.RuneCountInString(part[at:p]))
				at = p
			}
			longest = max(longest, utf8.RuneCountInString(part[at:]))
		} else {
			longest = max(longest, n)
		}
	}
	for i, c := range w {
		if strings.ContainsRune("-–—/…@.,_=&?+", c) {
			flush(w[from:i])
			from = i + utf8.RuneLen(c)
			run = 0
			continue
		}
		run++
	}
	flush(w[from:])
	if longest > maxWord {
		x.add(finding.LongWord, place, w, fmt.Sprintf("%d", utf8.RuneCountInString(w)))
	}
}

// maxMissing bounds how many characters without a glyph are told of one paragraph.
const maxMissing = 5

// glyphs looks for characters that no font of the book has.
func (x *exam) glyphs(text string, place manuscript.Place) {
	var told []rune // one finding a character, however often it stands in the paragraph
	for i, c := range text {
		if c < utf8.RuneSelf {
			continue
		}
		has, known := x.glyph[c]
		if !known {
			has = c == objectCharacter || unicode.Is(unicode.Zs, c) || font.Invisible(c) || layout.StandsIn(c)
			for _, f := range x.faces {
				has = has || f.Has(c)
			}
			x.glyph[c] = has
		}
		if !has && len(told) < maxMissing && !slices.Contains(told, c) {
			told = append(told, c)
			x.add(finding.MissingGlyph, place, clean.Around(text, i), fmt.Sprintf("%c U+%04X", c, c))
		}
	}
}

// objectCharacter stands for a thing in a text.
const objectCharacter = 0xfffc

// styles counts what is kept and follows notes, links and pictures.
func (x *exam) styles(in []manuscript.Inline, place manuscript.Place) {
	if len(in) == 1 {
		if t, ok := in[0].(manuscript.Text); ok && t.Style == 0 && t.Language == "" {
			return
		}
	}
	var last manuscript.Style
	language := ""
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.Text:
			began := i.Style &^ last
			last = i.Style
			if began != 0 {
				for _, k := range keptStyles {
					if began&k.style != 0 {
						x.keep(k.kept, place, i.S)
					}
				}
			}
			if i.Language != "" && i.Language != language && manuscript.Base(i.Language) != x.lang {
				x.keep(finding.KeptForeign, place, i.S)
			}
			language = i.Language
		case manuscript.NoteRef:
			last = 0
			if i.Note < 0 || i.Note >= len(x.book.Notes) || len(x.book.Notes[i.Note].Blocks) == 0 {
				x.add(finding.NoteWithoutText, place, manuscript.Plain(in), "")
				continue
			}
			if x.cited[i.Note] {
				continue
			}
			x.cited[i.Note] = true
			if x.book.Notes[i.Note].Endnote {
				x.keep(finding.KeptEndnote, place, "")
			} else {
				x.keep(finding.KeptFootnote, place, "")
			}
		case manuscript.Link:
			last = 0
			x.keep(finding.KeptLink, place, manuscript.Plain(i.Inlines))
			x.styles(i.Inlines, place)
			if i.Page {
				x.turns = append(x.turns, turn{strings.TrimPrefix(i.Href, "#"), manuscript.Plain(in), place})
			}
		case manuscript.Target:
			x.targets[i.Name] = true
		case manuscript.InlineImage:
			last = 0
			x.keep(finding.KeptImage, place, i.Alt)
			if i.Alt == "" {
				x.add(finding.MissingAltText, place, manuscript.Plain(in), "")
			}
			x.colour(i.Image, place)
		case manuscript.IndexMark:
			x.keep(finding.KeptIndexEntry, place, i.Term)
		}
	}
}

var keptStyles = []struct {
	style manuscript.Style
	kept  finding.Type
}{
	{manuscript.Italic, finding.KeptItalic}, {manuscript.Bold, finding.KeptBold}, {manuscript.SmallCaps, finding.KeptSmallCaps},
	{manuscript.Superscript | manuscript.Subscript, finding.KeptScript},
}

// Words a text must have before its language is guessed.
const minForeign = 12

// language tells of text that is marked as one language and reads like another, or reads like another
// than the book's without a mark.
func (x *exam) language(in []manuscript.Inline, text string, place manuscript.Place) {
	if len(in) == 1 {
		if t, ok := in[0].(manuscript.Text); ok {
			x.reads(t.S, t.Language, place)
			return
		}
	}
	marked := ""
	mixed := false
	for _, i := range in {
		if t, ok := i.(manuscript.Text); ok {
			if t.Language != "" && t.Language != marked {
				mixed = true
			}
		}
	}
	if !mixed {
		x.reads(text, "", place)
		return
	}
	for _, i := range in {
		if t, ok := i.(manuscript.Text); ok && t.Language != "" {
			x.reads(t.S, t.Language, place)
		}
	}
}

func (x *exam) reads(text, marked string, place manuscript.Place) {
	if len(text) < 5*minForeign {
		return
	}
	x.asked++
	want := x.lang
	if x.section != nil && x.section.Language != "" {
		want = manuscript.Base(x.section.Language)
	}
	if marked != "" {
		want = manuscript.Base(marked)
	}
	if short := text[:min(len(text), 200)]; len(text) > 200 { // the beginning tells mostly
		if guess, _ := clean.Guess(short); guess == want {
			return
		}
	}
	guess, hits := clean.Guess(text)
	if guess == "" || guess == want || hits < 5 || hits*7 < strings.Count(text, " ") {
		return
	}
	if _, ok := languageNames[want]; !ok {
		return
	}
	if marked == "" {
		x.strange++
	}
	x.add(finding.MixedLanguages, place, text, want+" → "+guess)
}

// wholly makes one finding of many where most of the book reads like another language than it is said to be in.
func (x *exam) wholly() {
	if x.strange < 5 || x.strange*2 < x.asked {
		return
	}
	first := true
	x.found = slices.DeleteFunc(x.found, func(f finding.Finding) bool {
		if f.Type != finding.MixedLanguages {
			return false
		}
		drop := !first
		first = false
		return drop
	})
	for i := range x.found {
		if f := &x.found[i]; f.Type == finding.MixedLanguages {
			f.Count = 1
		}
	}
}
