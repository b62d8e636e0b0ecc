package clean

import "testing"

// TestNumbersOfHeadings: the line that begins a section, its number and where its title begins.
func TestNumbersOfHeadings(t *testing.T) {
	for _, c := range []struct{ line, number, title string }{
		{"Chapter 3: The Storm", "3", "The Storm"},
		{"CHAPTER III – THE STORM", "III", "THE STORM"},
		{"Chapter Three. The Storm", "Three", "The Storm"},
		{"Chapter 3 The Storm", "3", "The Storm"},
		{"Chapter\u00a03\tThe Storm", "3", "The Storm"},
		{"Chapter the Third", "Third", ""},
		{"Kapitel 3 | Der Sturm", "3", "Der Sturm"},
		{"3. Kapitel: Der Sturm", "3", "Der Sturm"},
		{"Das dritte Kapitel", "dritte", ""},
		{"Teil II", "II", ""},
		{"3) The Storm", "3", "The Storm"},
		{"III. The Storm", "III", "The Storm"},
		{"Three", "Three", ""},
		{"199", "199", ""},
		{"XCIX", "XCIX", ""},
		// What is no number of a section.
		{"", "", ""},
		{"200", "", ""},             // higher than any chapter: a year, a price
		{"IIII. The Storm", "", ""}, // no Roman number
		{"iii. the storm", "", ""},  // small Roman numbers head no chapters
		{"Third", "", ""},           // an ordinal number alone
		{"three", "", ""},           // a word in a sentence
		{"Chapter", "", ""},         // no number
		{"Chapter of Faults", "", ""},
		{"Chapter three went badly", "", ""}, // a sentence
		{"Part of the Family", "", ""},
		{"The Third Man", "", ""},
		{"Die drei Brüder", "", ""},
		{"I am here", "", ""},
		{"Mix", "", ""},
	} {
		l, ok := parseChapterLine(c.line)
		number, title := "", ""
		if ok {
			number, title = l.number, c.line[l.title:]
		}
		if number != c.number || title != c.title {
			t.Errorf("%q: number %q, title %q, want %q, %q", c.line, number, title, c.number, c.title)
		}
	}
	if l, ok := parseChapterLine("3 The Storm"); !ok || !l.loose {
		t.Error("a number and a title with nothing but a space between them may be one title")
	}
}

// TestTitlesThatSpeakOfNumbers: a number that is not understood is still a number; nothing is said of the row then.
func TestTitlesThatSpeakOfNumbers(t *testing.T) {
	for title, want := range map[string]bool{
		"Chapter Eleventy": true, "Zwote Kapitel": true, "Kapitel Zwo: Sturm": true, "Buch Zwo": true,
		"Chapter": false, "The Last Chapter": false, "A Part of It All": true, "The Storm": false, "": false,
	} {
		if got := Counts(title); got != want {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
}

// TestRomanNumbersBothWays: every number that a chapter may have reads back from its one right spelling; other
// spellings are no numbers.
func TestRomanNumbersBothWays(t *testing.T) {
	for n := 1; n <= maxNumber; n++ {
		if got := roman(toRoman(n)); got != n {
			t.Errorf("%d is %s is %d", n, toRoman(n), got)
		}
	}
	for _, s := range []string{"IIII", "VV", "IC", "XXXX", "iX", "CC", "M", "IVI", "A"} {
		if got := roman(s); got != 0 {
			t.Errorf("%s is %d", s, got)
		}
	}
	if got := roman("xiv"); got != 14 {
		t.Errorf("xiv is %d", got)
	}
}
