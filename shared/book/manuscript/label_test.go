package manuscript

import "testing"

func TestNamesOfSections(t *testing.T) {
	title := []Inline{Text{S: "The Storm"}}
	for _, c := range []struct {
		name                    string
		section                 Section
		called, labelled, plain string // plain is the line of the contents without labels
	}{
		{"a title alone", Section{Title: title}, "The Storm", "The Storm", "The Storm"},
		{"a label alone", Section{Kind: KindChapter, Label: "Chapter 3", Number: "3"}, "Chapter 3", "Chapter 3", "Chapter 3"},
		{"a number in digits", Section{Kind: KindChapter, Label: "Chapter 3", Number: "3", Title: title}, "3. The Storm",
			"Chapter 3\u2002The Storm", "3\u2002The Storm"},
		{"a number in words", Section{Kind: KindChapter, Label: "Chapter Three", Number: "Three", Title: title}, "Chapter Three: The Storm",
			"Chapter Three\u2002The Storm", "Chapter Three\u2002The Storm"},
		{"a part", Section{Kind: KindPart, Label: "Book Two", Number: "Two", Title: title}, "Book Two: The Storm",
			"Book Two\u2002The Storm", "Book Two\u2002The Storm"},
		{"neither", Section{}, "", "", ""},
	} {
		s := c.section
		if got := [3]string{s.Called(), s.Entry(true), s.Entry(false)}; got != [3]string{c.called, c.labelled, c.plain} {
			t.Errorf("%s: %q, want %q", c.name, got, [3]string{c.called, c.labelled, c.plain})
		}
	}
}

func TestBaseIsTheLanguageOfATag(t *testing.T) {
	for tag, want := range map[string]string{"de": "de", "de-AT": "de", "EN_us": "en", "": ""} {
		if got := Base(tag); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
}

func TestTrimLabel(t *testing.T) {
	for label, want := range map[string]string{"1.": "1", "Chapter 2:": "Chapter 2", "3)": "3", "(4)": "(4)", "V —": "V",
		"Chapter 6": "Chapter 6", "": ""} {
		if got := TrimLabel(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}
