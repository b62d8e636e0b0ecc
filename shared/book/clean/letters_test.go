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

// TestMarksInMarks: what opens and what closes is told from what stands beside a mark and from the quotations that
// are open.
func TestMarksInMarks(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"single marks around double ones", "en-GB", `'He said "yes" to me.'`, `‘He said “yes” to me.’`},
		{"both open at once", "en", `"'Yes' is a word," he said.`, `“‘Yes’ is a word,” he said.`},
		{"both close at once", "en", `"He said 'yes.'"`, `“He said ‘yes.’”`},
		{"a quotation that begins in a quotation's dash", "en", `"Wait--" "What?"`, `“Wait—” “What?”`},
		{"a mark of its own between spaces opens, then closes", "en", `He typed " and then " again.`, `He typed “ and then ” again.`},
		{"a quotation goes on behind a comma", "de", `"Nein", sagte sie, "nie."`, `„Nein“, sagte sie, „nie.“`},
		{"a line break is a beginning", "en", `He said|"Two," and went.`, `He said “Two,” and went.`},
		{"a slash is a beginning", "en", `and/"or"`, `and/“or”`},
		{"Swiss German where the author uses guillemets", "de-CH", `Er sagte «ja». "Nein", sagte sie.`,
			`Er sagte «ja». «Nein», sagte sie.`},
		{"Swiss German where nothing is used", "de-CH", `Er sagte "ja 'und' nein".`, `Er sagte «ja ‹und› nein».`},
		{"guillemets of ASCII", "de", `Er sagte >>ja<<. »Nein«, sagte sie.`, `Er sagte »ja«. »Nein«, sagte sie.`},
		{"guillemets that point outwards", "de", `Er sagte <<ja>>. «Nein», sagte sie.`, `Er sagte «ja». «Nein», sagte sie.`},
		{"comparisons are no guillemets", "en", `a < b > c`, `a < b > c`},
		{"backticks and quotes", "en", "`Yes,' he said.", `‘Yes,’ he said.`},
		{"accents as apostrophes", "de", `Wie geht´s, Hans?`, `Wie geht’s, Hans?`},
		{"two commas that open nothing", "de", `eins,, zwei`, `eins,, zwei`},
		{"three commas are left alone", "de", `,,,eins`, `,,,eins`},
		{"commas in English are left alone", "en", `,,one`, `,,one`},
		{"a decade", "en", `the '90s and '68, not '1990'`, `the ’90s and ’68, not ‘1990’`},
		{"words without their beginning", "en", `'twas 'til 'em 'round`, `’twas ’til ’em ’round`},
		{"German words without their beginning", "de", `So 'n Haus, 's ist gut, komm 'rein.`, `So ’n Haus, ’s ist gut, komm ’rein.`},
		{"a quotation of a word that may lose its beginning", "en", `He said 'em' and 'round' twice.`, `He said ‘em’ and ‘round’ twice.`},
		{"a single mark that nothing closes is an apostrophe", "en", `the 'ouse`, `the ’ouse`},
		{"minutes and seconds", "en", `47°16'30" N`, `47°16′30″ N`},
		{"feet alone", "en", `a wall of 6' here`, `a wall of 6′ here`},
		{"a number that ends a quotation", "en", `He said "in 1984" and "45" once.`, `He said “in 1984” and “45” once.`},
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

// TestDashesByLanguage: an em dash without spaces in American English, an en dash between spaces in British English
// and German; a German dash hangs on the word before it and never stands before a mark that closes.
func TestDashesByLanguage(t *testing.T) {
	for _, c := range []struct{ name, language, in, want string }{
		{"American with spaces", "en", "went -- and", "went—and"},
		{"British without spaces", "en-GB", "went--and", "went\u00a0– and"},
		{"three hyphens in British English are an em dash", "en-GB", "went---and", "went—and"},
		{"three hyphens in German are a German dash", "de", "ging --- und", "ging\u00a0– und"},
		{"a line of hyphens is two em dashes", "en", "Mr. B---- went", "Mr. B—— went"},
		{"behind an opening mark", "de", "(-- ja)", "(– ja)"},
		{"before a closing mark", "de", "und dann --.", "und dann\u00a0–."},
		{"at the end", "de", "und dann --", "und dann\u00a0–"},
		{"at the beginning", "de", "-- und dann", "– und dann"},
		{"years with spaces", "de", "1914 -- 1918", "1914–1918"},
		{"a hyphen that goes on elsewhere", "de", "Haus- und Hof", "Haus- und Hof"},
		{"a hyphen at the end of the text", "en", "one -", "one -"},
		{"four dots", "de", "und dann.... Aus", "und dann…. Aus"},
		{"five dots", "en", "and then..... So", "and then… So"},
		{"dots with spaces at the end", "en", "and then . . .", "and then …"},
		{"six dots are leaders", "en", "one ...... 6", "one ...... 6"},
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

// TestHardSpacesThatHold: a hard space stays where it keeps together what a line must not part.
func TestHardSpacesThatHold(t *testing.T) {
	const hard = "\u00a0"
	for _, c := range []struct{ language, in, want string }{
		{"de", "5" + hard + "kg Mehl", "5" + hard + "kg Mehl"},
		{"de", "5" + hard + "% und 20" + hard + "°C", "5" + hard + "% und 20" + hard + "°C"},
		{"de", "§" + hard + "12 und 12" + hard + "000", "§" + hard + "12 und 12" + hard + "000"},
		{"de", "€" + hard + "20 oder 20" + hard + "€", "€" + hard + "20 oder 20" + hard + "€"},
		{"de", "Dr." + hard + "Huber und z." + hard + "B. er", "Dr." + hard + "Huber und z." + hard + "B. er"},
		// a day, as DIN 5008 wants it, and the end of a sentence
		{"de", "am 3." + hard + "Mai 1914." + hard + "Er", "am 3." + hard + "Mai 1914. Er"},
		{"en", "at 3." + hard + "He", "at 3. He"},
		{"de", "Huber" + hard + "& Sohn", "Huber & Sohn"},
		{"de", "Huber &" + hard + "Sohn", "Huber &" + hard + "Sohn"},
		{"fr", "Quoi" + hard + "? «" + hard + "Oui" + hard + "»", "Quoi" + hard + "? «" + hard + "Oui" + hard + "»"},
		{"en", "What" + hard + "?", "What ?"},
		{"en", "the" + hard + hard + "end", "the end"},
		{"de", "5" + hard + " kg", "5" + hard + "kg"},
		{"de", "5\u202fkg", "5\u202fkg"},
		{"de", "5" + hard + "Donaudampfschiffe", "5 Donaudampfschiffe"}, // longer than a unit or a month
	} {
		if got, _ := mended(t, c.language, c.in); got != c.want {
			t.Errorf("%s %q\n got %q\nwant %q", c.language, c.in, got, c.want)
		}
	}
}
