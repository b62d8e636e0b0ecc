package catalogue

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const sample = `# German sentences.
` + header + `
#: functions/context/info
msgid "Western edge."
msgstr "Westlicher Rand."

#~ msgid "Gone."
msgid ""
"One \"line\".\n"
"Two\tlines."
msgstr "Eine „Zeile“.\n"
"Zwei\\drei."
msgid "Later."
msgstr ""
`

func TestAFileAsTranslatorsProgramsWriteIt(t *testing.T) {
	want := []Entry{{"Western edge.", "Westlicher Rand."}, {"One \"line\".\nTwo\tlines.", "Eine „Zeile“.\nZwei\\drei."}, {"Later.", ""}}
	for name, file := range map[string]string{"lines that end in LF": sample, "in CR and LF": strings.ReplaceAll(sample, "\n", "\r\n")} {
		got, err := Entries(file)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: want %q, got %q, %v", name, want, got, err)
		}
	}
	c, err := Read(sample)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := c.Of("Western edge."); text != "Westlicher Rand." || !ok {
		t.Errorf("the sentence: %q, %t", text, ok)
	}
	for _, english := range []string{"Later.", "Eastern edge.", ""} {
		if text, ok := c.Of(english); ok {
			t.Errorf("%q is translated: %q", english, text)
		}
	}
}

func TestWhatNoFileOfOursHolds(t *testing.T) {
	long := `"` + strings.Repeat("a", MaxSentence/2+1) + `"` + "\n"
	for name, c := range map[string]struct{ file, want string }{
		"no header":            {"msgid \"a\"\nmsgstr \"b\"\n", "the first entry is that of the file"},
		"nothing":              {"", "without an entry about itself"},
		"another encoding":     {strings.ReplaceAll(header, "UTF-8", "ISO-8859-1"), "charset=UTF-8"},
		"bytes of it":          {header + "msgid \"\xe4\"\nmsgstr \"b\"\n", "not UTF-8"},
		"a context":            {header + "\nmsgctxt \"x\"\nmsgid \"a\"\nmsgstr \"b\"\n", `line 8: "msgctxt \"x\"": expected msgid`},
		"a plural":             {header + "\nmsgid \"a\"\nmsgid_plural \"as\"\n", `"msgid_plural \"as\"": expected`},
		"fuzzy":                {header + "\n#, fuzzy\nmsgid \"a\"\nmsgstr \"b\"\n", "line 8: the entry is marked fuzzy"},
		"twice":                {header + "\nmsgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"\n", `msgid "a" stands here for the second`},
		"no msgstr":            {header + "\nmsgid \"a\"\n\n", `msgid "a" has no msgstr`},
		"no msgstr at its end": {header + "\nmsgid \"a\"", `msgid "a" has no msgstr`},
		"msgstr alone":         {header + "\nmsgstr \"b\"\n", "expected msgid"},
		"a text alone":         {header + "\n\"b\"\n", "expected msgid"},
		"no quotes":            {header + "\nmsgid a\n", "expected a text between quotes"},
		"an open quote":        {header + "\nmsgid \"a\n", "expected a text between quotes"},
		"a quote within":       {header + "\nmsgid \"a\"b\"\n", "expected a text between quotes"},
		"another escape":       {header + "\nmsgid \"\\x41\"\n", "expected a text between quotes"},
		"a long sentence":      {header + "\nmsgid \"\"\n" + long + long + "msgstr \"b\"\n", "a sentence has more than"},
		"a large file":         {header + strings.Repeat("# comment\n", MaxBytes/10), "expected at most"},
	} {
		if got, err := Entries(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v, %q", name, c.want, err, got)
		}
	}
	if _, err := Read(sample, sample); err == nil || !strings.Contains(err.Error(), `"Western edge." stands in two files`) {
		t.Errorf("a sentence in two files: %v", err)
	}
	var many []Entry
	for i := range MaxEntries + 1 {
		many = append(many, Entry{strings.Repeat("x", i%90) + string(rune('a'+i/90)), "b"})
	}
	if _, err := Entries(Write("", many)); err == nil || !strings.Contains(err.Error(), "more than 20000 entries") {
		t.Errorf("many entries: %v", err)
	}
}

// What is written is read again.
func TestWrittenAndReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[a-zäß\"\\\\\n\t|{}]{1,40}")
		var want []Entry
		for _, english := range rapid.SliceOfNDistinct(text, 0, 8, rapid.ID).Draw(t, "english") {
			want = append(want, Entry{english, rapid.OneOf(rapid.Just(""), text).Draw(t, "text")})
		}
		file := Write("About it.\nTwo lines.", want)
		got, err := Entries(file)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("want %q, got %q, %v of\n%s", want, got, err, file)
		}
	})
}

func FuzzEntries(f *testing.F) {
	f.Add(sample)
	f.Add(header + "\nmsgid \"\"\n\"\"\nmsgstr \"\\\\\"")
	f.Fuzz(func(t *testing.T, file string) {
		list, err := Entries(file)
		if err != nil {
			return
		}
		again, err := Entries(Write("", list))
		if err != nil || !slices.Equal(again, list) {
			t.Errorf("%q is read as %q and, written again, as %q, %v", file, list, again, err)
		}
	})
}
