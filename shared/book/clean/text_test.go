package clean

import (
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
)

func para(s string) *manuscript.Paragraph {
	p := &manuscript.Paragraph{}
	for i, line := range strings.Split(s, "|") {
		if i > 0 {
			p.Inlines = append(p.Inlines, manuscript.LineBreak{})
		}
		p.Inlines = append(p.Inlines, manuscript.Text{S: line})
	}
	return p
}

// mended is a paragraph after its letters were mended.
func mended(t *testing.T, language, s string) (string, []finding.Finding) {
	t.Helper()
	b := manuscript.Book{
		Meta:     manuscript.Meta{Language: language},
		Sections: []manuscript.Section{{Title: []manuscript.Inline{manuscript.Text{S: "One Day"}}, Blocks: []manuscript.Block{para(s)}}},
	}
	got, found := Repair(b, Options{Language: language})
	return manuscript.Flow(got.Sections[0].Blocks[0].(*manuscript.Paragraph).Inlines), found
}

func TestLetters(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"double", "en", `"Come," she said, "and see."`, `“Come,” she said, “and see.”`},
		{"apostrophe", "en", `It's the dogs' bone, don't you think?`, `It’s the dogs’ bone, don’t you think?`},
		{"nested", "en", `"He said 'no' to me."`, `“He said ‘no’ to me.”`},
		{"nested at the start", "en", `"'No,' he said."`, `“‘No,’ he said.”`},
		{"elision", "en", `'Tis the season, get 'em in the '90s.`, `’Tis the season, get ’em in the ’90s.`},
		{"single first", "en-GB", `'Come,' she said.`, `‘Come,’ she said.`},
		{"inch", "en", `He was 6'2" tall.`, `He was 6′2″ tall.`},
		{"interrupted", "en", `"Wait--" he said.`, `“Wait—” he said.`},
		{"bracket", "en", `He ("Bob") came.`, `He (“Bob”) came.`},
		{"rock", "en", `Rock 'n' roll of the 1960's.`, `Rock ’n’ roll of the 1960’s.`},
		{"dots first", "en", `"...and then?" she said. "?" '...and so on,' he said.`, `“…and then?” she said. “?” ‘…and so on,’ he said.`},
		{"plural and quotation", "en", `"Where is the dogs' bowl?" 'No,' she said, 'don't.'`,
			`“Where is the dogs’ bowl?” ‘No,’ she said, ‘don’t.’`},
		{"dash and quotation", "en", `He--"no"--came. "Wait--"`, `He—“no”—came. “Wait—”`},
		{"over italics", "en", `She said "it was" so.`, `She said “it was” so.`},
		{"latex", "en", "``Come,'' she said.", `“Come,” she said.`},
		{"German", "de", `"Komm", sagte sie, "und sieh."`, `„Komm“, sagte sie, „und sieh.“`},
		{"German nested", "de", `"Er sagte 'nein' zu mir."`, `„Er sagte ‚nein‘ zu mir.“`},
		{"German apostrophe", "de", `Wie geht's dir, Hans' Bruder?`, `Wie geht’s dir, Hans’ Bruder?`},
		{"German with English marks", "de", `“Komm”, sagte sie.`, `„Komm“, sagte sie.`},
		{"German half English", "de", `„Komm”, sagte sie.`, `„Komm“, sagte sie.`},
		{"German kept", "de", `„Komm“, sagte sie. »Nein«, sagte er.`, `„Komm“, sagte sie. »Nein«, sagte er.`},
		{"guillemets", "de", `»Komm«, sagte sie. "Nein", sagte er.`, `»Komm«, sagte sie. »Nein«, sagte er.`},
		{"commas", "de", `,,Komm'', sagte sie.`, `„Komm“, sagte sie.`},
		{"dash", "en", `one--two and three -- four`, `one—two and three—four`},
		{"British dash", "en-GB", `one--two and three -- four`, "one\u00a0– two and three\u00a0– four"},
		{"German dash", "de", `Reisender --, hing und - dachte er -- das Bild`,
			"Reisender\u00a0–, hing und\u00a0– dachte er\u00a0– das Bild"},
		{"German compound", "de", `Vor- und Nachteile, Samt-Rock`, `Vor- und Nachteile, Samt-Rock`},
		{"years", "en", `1914--1918 and 3 - 5`, `1914–1918 and 3–5`},
		{"dots", "en", `Well... so. . . and then....`, `Well… so… and then….`},
		{"leaders", "en", `Chapter ........ 3`, `Chapter ........ 3`},
		{"spaces", "en", `  One  two   three `, `One two three`},
		{"tab", "en", "\tOne\ttwo", `One two`},
		{"hard spaces", "de", "Das\u00a0Haus hat 5\u00a0km und z.\u00a0B. Seite\u00a07\u00a0– ja",
			"Das Haus hat 5\u00a0km und z.\u00a0B. Seite\u00a07\u00a0– ja"},
		{"invisible", "en", "soft\u00adhyphen zero\u200bwidth \ufeffmark", "softhyphen zerowidth mark"},
		{"Persian joiner", "en", "می\u200cخواهم", "می\u200cخواهم"},
		{"accents composed", "en", "cafe\u0301", "café"},
		{"nothing", "en", `A clean line, with a dash—and “quotes” and it’s done.`, `A clean line, with a dash—and “quotes” and it’s done.`},
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

func TestLettersAreIdempotent(t *testing.T) {
	for _, s := range []string{`"It's" -- he said... 'no' `, "5'3\" and \u00a0 x", ",,Ja'' - so\u00ad"} {
		for _, l := range []string{"en", "de", "en-GB"} {
			once, _ := mended(t, l, s)
			twice, found := mended(t, l, once)
			if once != twice || len(found) > 0 {
				t.Errorf("%s %q: once %q, twice %q, findings %v", l, s, once, twice, found)
			}
		}
	}
}
