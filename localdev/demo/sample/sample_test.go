package sample

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mappe/shared/book/finding"
)

func TestSameOptionsSameBytes(t *testing.T) {
	o := Options{Language: "de", Words: 4000, Seed: 7, Rich: true, Plant: faults}
	for name, write := range map[string]func(*Manuscript) []byte{
		"docx": (*Manuscript).DOCX, "odt": (*Manuscript).ODT, "epub": (*Manuscript).EPUB, "markdown": (*Manuscript).Markdown,
		"text": (*Manuscript).Text,
	} {
		a, b := Make(o), Make(o)
		if !bytes.Equal(write(&a), write(&b)) {
			t.Errorf("%s: two runs differ", name)
		}
	}
	other := Make(Options{Language: "de", Words: 4000, Seed: 8})
	one := Make(Options{Language: "de", Words: 4000, Seed: 7})
	if bytes.Equal(one.Text(), other.Text()) {
		t.Error("another seed gives the same book")
	}
}

func TestLengths(t *testing.T) {
	for _, want := range []int{3000, 30_000, 120_000} {
		for _, language := range []string{"en", "de"} {
			m := Make(Options{Language: language, Words: want, Seed: 1})
			got := len(strings.Fields(string(m.Text())))
			if got < want*85/100 || got > want*125/100 {
				t.Errorf("%s: %d words wanted, %d made", language, want, got)
			}
		}
	}
}

// TestProseVaries holds the texts to what typesetting is measured on: many words, few sentences twice.
func TestProseVaries(t *testing.T) {
	for _, language := range []string{"en", "de"} {
		m := Make(Options{Language: language, Words: 30_000, Seed: 2})
		text := string(m.Text())
		words, sentences, again := map[string]bool{}, map[string]bool{}, 0
		for _, w := range strings.Fields(text) {
			words[strings.ToLower(strings.Trim(w, ".,;:“”„—–"))] = true
		}
		for _, s := range strings.Split(text, ". ") {
			if sentences[s] {
				again++
			}
			sentences[s] = true
		}
		if len(words) < 650 || again*20 > len(sentences) {
			t.Errorf("%s: %d different words, %d of %d sentences stand twice", language, len(words), again, len(sentences))
		}
	}
}

func TestEveryFaultIsPlanted(t *testing.T) {
	for _, ty := range append([]finding.Type{finding.ChapterNumberGap, finding.ChapterNumberDuplicate, finding.MissingGlyph,
		finding.WideTable, finding.RunningHeadInBody, finding.LongChapter}, faults...) {
		if ty == finding.KeptSceneBreak {
			continue
		}
		m := Make(Options{Language: "en", Words: 30_000, Seed: 1, Plant: []finding.Type{ty}})
		n := 0
		for _, p := range m.Truth {
			if p.Type == ty {
				n += p.Count
			}
		}
		if n == 0 {
			t.Errorf("%s was not planted", ty)
		}
	}
}

func TestDemo(t *testing.T) {
	books := Demo()
	if len(books) != 2 || books[0].Language != "de" || books[1].Language != "en" {
		t.Fatalf("got %d books", len(books))
	}
	for _, b := range books {
		if len(b.Bytes) < 50_000 || !bytes.HasPrefix(b.Bytes, []byte("PK")) {
			t.Errorf("%s has %d bytes", b.File, len(b.Bytes))
		}
	}
}

func TestPictureIsWhatItSays(t *testing.T) {
	for _, gray := range []bool{true, false} {
		img := drawn(&dice{state: 1}, 120, 80, gray)
		if img.Width != 120 || img.Height != 80 || img.Gray != gray || img.MediaType != "image/png" || len(img.Bytes) < 100 {
			t.Errorf("gray %v: %d × %d, %d bytes", gray, img.Width, img.Height, len(img.Bytes))
		}
	}
}

// Words are as long as in novels: 4.3 to 4.4 letters in English, 4.8 to 5.2 in German.
func TestWordsAreAsLongAsInBooks(t *testing.T) {
	for language, want := range map[string][2]float64{"en": {4.2, 4.6}, "de": {4.8, 5.3}} {
		m := Make(Options{Language: language, Words: 20_000, Seed: 5})
		words, letters := 0, 0
		for _, w := range strings.FieldsFunc(string(m.Text()), func(c rune) bool { return !unicode.IsLetter(c) }) {
			words, letters = words+1, letters+utf8.RuneCountInString(w)
		}
		if mean := float64(letters) / float64(words); mean < want[0] || mean > want[1] {
			t.Errorf("%s: %.2f letters a word, want %g to %g", language, mean, want[0], want[1])
		}
	}
}
