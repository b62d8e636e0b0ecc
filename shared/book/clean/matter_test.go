package clean

import (
	"testing"

	"mappe/shared/book/manuscript"
)

// TestKindsOfSections: a title says which part of a book a section is, in English and German; where nothing is
// known it is a chapter.
func TestKindsOfSections(t *testing.T) {
	for _, c := range []struct{ language, title, want string }{
		{"en", "Chapter 1", "chapter 1|Chapter 1"},
		{"en", "Chapter 1: The Storm", "chapter 1|The Storm"},
		{"en", "CHAPTER IV. Home", "chapter IV|Home"},
		{"en", "Chapter Twenty-One", "chapter Twenty-One|Chapter Twenty-One"},
		{"en", "Part Two: Winter", "part Two|Winter"},
		{"en", "Foreword", "foreword |Foreword"},
		{"en", "Preface", "preface |Preface"},
		{"en", "Introduction", "introduction |Introduction"},
		{"en", "Prologue", "prologue |Prologue"},
		{"en", "Epilogue", "epilogue |Epilogue"},
		{"en", "Afterword", "afterword |Afterword"},
		{"en", "Appendix A", "appendix |Appendix A"},
		{"en", "Glossary", "glossary |Glossary"},
		{"en", "Bibliography", "bibliography |Bibliography"},
		{"en", "Acknowledgements", "acknowledgements |Acknowledgements"},
		{"en", "About the Author", "about_author |About the Author"},
		{"de", "1. Kapitel", "chapter 1|1. Kapitel"},
		{"de", "Kapitel 3: Der Sturm", "chapter 3|Der Sturm"},
		{"de", "Erstes Kapitel", "chapter Erstes|Erstes Kapitel"},
		{"de", "Zweiter Teil", "part Zweiter|Zweiter Teil"},
		{"de", "Vorwort", "preface |Vorwort"},
		{"de", "Einleitung", "introduction |Einleitung"},
		{"de", "Nachwort", "afterword |Nachwort"},
		{"de", "Anhang", "appendix |Anhang"},
		{"de", "Glossar", "glossary |Glossar"},
		{"de", "Danksagung", "acknowledgements |Danksagung"},
		{"en", "The Storm", "chapter |The Storm"},
	} {
		b, _ := Repair(bookOf("# "+c.title, "@", "@"), Options{Language: c.language})
		s := b.Sections[0]
		if got := s.Kind.String() + " " + s.Number + "|" + manuscript.Flow(s.Title); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.language, c.title, got, c.want)
		}
	}
}

// TestFakeHeadings: which lines without the style of a heading begin a chapter, and which are only told.
func TestFakeHeadings(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
		found string
	}{
		{"a bold line that reads like a chapter begins one", []string{"**Chapter 1**", "@", "@", "**Chapter 2**", "@"},
			"chapter 1|Chapter 1: first p\nchapter 2|Chapter 2: first", "fake_heading 2"},
		{"a line in capitals that reads like a chapter", []string{"CHAPTER ONE", "@", "@", "CHAPTER TWO", "@"},
			"chapter ONE|CHAPTER ONE: first p\nchapter TWO|CHAPTER TWO: first", "fake_heading 2"},
		{"a bold line in a chapter is told and stays", []string{"# One Day", "@", "**A Letter**", "@"}, "chapter |One Day: first p p",
			"fake_heading 1"},
		{"a bold line that comes back is no heading", []string{"# One Day", "@", "**Stop**", "@", "**Stop**", "@"},
			"chapter |One Day: first p p p p", ""},
		{"a bold sentence is no heading",
			[]string{"# One Day", "@", "**He stopped, and nobody knew why he had stopped there of all places, in the rain.**", "@"},
			"chapter |One Day: first p p", ""},
		{"a number in the middle of a text is no heading", []string{"# One Day", "@", "12", "@"}, "chapter |One Day: first p p", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, found := Repair(bookOf(c.lines...), Options{Language: "en"})
			if got := outline(b); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if got := counted(found); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
		})
	}
}
