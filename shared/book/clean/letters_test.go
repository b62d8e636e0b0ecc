package clean

import "testing"

// TestQuotationMarks: straight marks become those of the language by where they stand; marks that the author set
// stay, in any language.
func TestQuotationMarks(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"English double", "en", `He said "yes" and went.`, `He said “yes” and went.`},
		{"English at the beginning", "en", `"Yes," he said.`, `“Yes,” he said.`},
		{"English in brackets", "en", `("so")`, `(“so”)`},
		{"English behind a dash", "en", `he—"so"—went`, `he—“so”—went`},
		{"English in each other", "en", `"He said 'yes' to me."`, `“He said ‘yes’ to me.”`},
		{"German double", "de", `Er sagte "ja" und ging.`, `Er sagte „ja“ und ging.`},
		{"German at the beginning", "de", `"Ja", sagte er.`, `„Ja“, sagte er.`},
		{"German in each other", "de", `"Er sagte 'ja' zu mir."`, `„Er sagte ‚ja‘ zu mir.“`},
		{"guillemets stay", "de", `Er sagte »ja« und ging.`, `Er sagte »ja« und ging.`},
		{"Swiss guillemets stay", "de", `Er sagte «ja» und ging.`, `Er sagte «ja» und ging.`},
		{"curly marks stay", "en", `He said “yes” and ‘no’.`, `He said “yes” and ‘no’.`},
		{"marks typed with commas", "de", `Er sagte ,,ja'' und ging.`, `Er sagte „ja“ und ging.`},
		{"marks typed with accents", "en", "He said ``yes'' and went.", `He said “yes” and went.`},
		{"an apostrophe inside a word", "en", `don't, o'clock`, `don’t, o’clock`},
		{"an apostrophe at the end of a word", "en", `the boys' house was`, `the boys’ house was`},
		{"an apostrophe before a year", "en", `in '68 they`, `in ’68 they`},
		{"a German apostrophe", "de", `Was gibt's Neues, wie geht's?`, `Was gibt’s Neues, wie geht’s?`},
		{"feet and inches have primes", "en", `5'3" tall`, `5′3″ tall`},
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

// TestDashesAndDots: hyphens that stand for dashes, and dots that stand for an ellipsis.
func TestDashesAndDots(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"two hyphens in English", "en", `He went--and came.`, `He went—and came.`},
		{"two hyphens between spaces in German", "de", `Er ging -- und kam.`, "Er ging\u00a0– und kam."},
		{"a hyphen between spaces in German", "de", `Er ging - und kam.`, "Er ging\u00a0– und kam."},
		{"a hyphen in a word stays", "en", `a well-known man`, `a well-known man`},
		{"an em dash stays", "en", `He went—and came.`, `He went—and came.`},
		{"a range of numbers", "en", `pages 3-5 and 10--12`, `pages 3-5 and 10–12`},
		{"three dots", "en", `Well... so`, `Well… so`},
		{"three dots with spaces", "en", `Well . . . so`, `Well … so`},
		{"four dots end a sentence", "en", `And then.... So`, `And then…. So`},
		{"an ellipsis stays", "en", `Well… so`, `Well… so`},
		{"two dots are no ellipsis", "en", `Well.. so`, `Well.. so`},
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

// TestSpaces: a space is one; what stands at the edges goes; hard spaces stay where a language wants them. Each
// change is told.
func TestSpaces(t *testing.T) {
	for _, c := range []struct{ name, language, in, want, told string }{
		{"two spaces", "en", "one  two", "one two", "double_space 1"},
		{"three places", "en", "one  two   three  four", "one two three four", "double_space 3"},
		{"a space at the end", "en", "one ", "one", "edge_space 1"},
		{"a space at the beginning", "en", " one", "one", "edge_space 1"},
		{"spaces as an indent", "en", "    one", "one", "space_indent 1"},
		{"a tab as an indent", "en", "\tone", "one", "tab_indent 1"},
		{"a tab and spaces as an indent", "en", "\t  one", "one", "tab_indent 1"},
		{"a line break inside a paragraph", "en", "one|two", "one two", "soft_return 1"},
		{"a tab between words", "en", "one\ttwo", "one two", ""},
		{"a hard space before a unit stays", "de", "5\u00a0km", "5\u00a0km", ""},
		{"a hard space between words goes", "en", "one\u00a0two three", "one two three", "non_breaking_space 1"},
		{"a zero-width space", "en", "Grund\u200bbuch", "Grundbuch", "zero_width 1"},
		{"a zero-width space between spaces", "en", "one \u200b two", "one two", "double_space 1, zero_width 1"},
		{"a soft hyphen", "en", "Grund\u00adbuch", "Grundbuch", "soft_hyphen 1"},
		{"a thin space stays", "en", "one\u2009two", "one\u2009two", ""},
		{"nothing to mend", "en", "one two", "one two", ""},
	} {
		got, found := mended(t, c.language, c.in)
		if told := counted(found); got != c.want || told != c.told {
			t.Errorf("%s: %q\n got %q, %q\nwant %q, %q", c.name, c.in, got, told, c.want, c.told)
		}
	}
}
