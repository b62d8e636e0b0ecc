package reader

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/localdev/demo/sample"
	"mappe/shared/book/manuscript"
)

var word = regexp.MustCompile(`\p{L}[\p{L}\p{M}]*`)

// words are the words of a book its notes after its sections. Digits are left
// out: lists and notes are numbered by whoever prints them.
func words(b manuscript.Book) []string {
	var s strings.Builder
	say := func(in []manuscript.Inline) { s.WriteString(manuscript.Flow(in) + "\n") }
	for i := range b.Sections {
		say(b.Sections[i].Title)
		say(b.Sections[i].Subtitle)
		for in := range manuscript.Passages(b.Sections[i].Blocks) {
			say(in)
		}
	}
	for i := range b.Notes {
		for in := range manuscript.Passages(b.Notes[i].Blocks) {
			say(in)
		}
	}
	return word.FindAllString(s.String(), -1)
}

// manuscriptText is a made-up book with everything that Markdown, Word and OpenDocument can all hold.
const manuscriptText = `---
title: Die Reise
author: Anna Autor
lang: de-AT
---

# Erstes Kapitel

Es war ein *stiller* Morgen, und **niemand** ging hinaus.[^1] Der Weg führte „über die Höhe“ hinab,
an der Mühle vorbei – und weiter.

> Wer reitet so spät
> durch Nacht und Wind?

Ein zweiter Absatz mit [einem Verweis](https://example.org/) und H~2~O und 10^3^.

## Unterwegs

1.  Brot
2.  Käse

    noch ein Absatz
3.  Wein

-   erstens
    -   darin
-   zweitens

  Ort        Höhe   Name
  ---------- ------ ----------
  Krimml     1067   Wasserfall
  Zell       757    See

| Line of verse
|    another line

***

# Zweites Kapitel

Noch ein Absatz.[^2] ~~Gestrichen.~~ [Kapitälchen]{.smallcaps} und ` + "`Code`" + `.

    eine Zeile
      zweite

[^1]: Eine Fußnote mit *Kursivem*.

[^2]: Noch eine.

    Ihr zweiter Absatz.
`

// TestPandocReadsTheSameWords reads what pandoc and LibreOffice write, and compares with the words pandoc
// reads in the same file.
func TestPandocReadsTheSameWords(t *testing.T) {
	pandoc := oracles.Program(t, "pandoc")
	dir := t.TempDir()
	src := filepath.Join(dir, "book.md")
	if err := os.WriteFile(src, []byte(manuscriptText), 0o644); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, format := range []string{"docx", "odt", "epub", "html"} {
		to := filepath.Join(dir, "book."+format)
		if out, err := exec.Command(pandoc, "-s", "-o", to, src).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		files = append(files, to)
	}
	for _, f := range files {
		t.Run(strings.TrimPrefix(f, dir), func(t *testing.T) {
			compare(t, pandoc, f)
		})
	}
	t.Run("LibreOffice", func(t *testing.T) {
		office := oracles.Program(t, "soffice")
		for _, c := range []struct{ from, to string }{{"book.odt", "docx"}, {"book.docx", "odt"}} {
			out := filepath.Join(dir, "office")
			cmd := exec.Command(office, "--headless", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--convert-to", c.to,
				"--outdir", out, filepath.Join(dir, c.from))
			cmd.Env = append(os.Environ(), "HOME="+dir)
			if log, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, log)
			}
			compare(t, pandoc, filepath.Join(out, "book."+c.to))
		}
	})
}

func compare(t *testing.T, pandoc, f string) {
	raw, err := os.ReadFile(f)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := Read(f, raw, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(pandoc, "-t", "plain", "--wrap=none", f).Output()
	if err != nil {
		t.Fatal(err)
	}
	want, got := word.FindAllString(string(text), -1), words(b)
	share := same(got, want)
	t.Logf("%d words, %.2f %% of pandoc's; %.2f %% of these are pandoc's too", len(got), 100*share, 100*same(want, got))
	if share < 0.99 {
		t.Errorf("%.2f %% of the words, want 99:\ngot  %q\nwant %q", 100*share, got, want)
	}
	// Readers here keep title and author where they stand in the text; pandoc takes them out. In a text of
	// some length they count for nothing.
	if back := same(want, got); len(want) > 1000 && back < 0.99 {
		t.Errorf("pandoc has %.2f %% of the words, want 99: it lacks %q", 100*back, lacking(want, got))
	}
	if run := float64(common(got, want)) / float64(max(len(want), 1)); len(want) > 1000 && run < 0.99 {
		t.Errorf("%.2f %% of the words stand in pandoc's order, want 99", 100*run)
	} else if len(want) > 1000 {
		t.Logf("%.2f %% in pandoc's order", 100*run)
	}
}

// lacking are the words of got that want has not, in their order.
func lacking(want, got []string) (out []string) {
	have := map[string]int{}
	for _, w := range want {
		have[strings.ToLower(w)]++
	}
	for _, w := range got {
		if have[strings.ToLower(w)]--; have[strings.ToLower(w)] < 0 {
			out = append(out, w)
		}
	}
	return out
}

// common is the length of the longest sequence of words that both have in their order.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			up := row[j+1]
			if strings.EqualFold(x, y) {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = up
		}
	}
	return row[len(b)]
}

// TestPandocReadsTheSameBooks compares books of ten pages with everything a manuscript may hold, in every
// format that both read.
func TestPandocReadsTheSameBooks(t *testing.T) {
	pandoc := oracles.Program(t, "pandoc")
	dir := t.TempDir()
	for _, language := range []string{"en", "de"} {
		m := sample.Make(sample.Options{Language: language, Words: 3000, Seed: 5, Rich: true, Matter: true})
		for name, b := range map[string][]byte{"docx": m.DOCX(), "odt": m.ODT(), "epub": m.EPUB(), "md": m.Markdown()} {
			f := filepath.Join(dir, language+"."+name)
			if err := os.WriteFile(f, b, 0o644); err != nil {
				t.Fatal(err)
			}
			t.Run(language+" "+name, func(t *testing.T) { compare(t, pandoc, f) })
		}
		page := filepath.Join(dir, language+".html")
		if out, err := exec.Command(pandoc, "-s", "-o", page, filepath.Join(dir, language+".docx")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Run(language+" html", func(t *testing.T) { compare(t, pandoc, page) })
	}
}

// same is the share of the words of want that got has too, counted as often as they come.
func same(got, want []string) float64 {
	have := map[string]int{}
	for _, w := range got {
		have[strings.ToLower(w)]++
	}
	n := 0
	for _, w := range want {
		if w = strings.ToLower(w); have[w] > 0 {
			have[w]--
			n++
		}
	}
	return float64(n) / float64(max(len(want), 1))
}
