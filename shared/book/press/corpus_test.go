package press

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/shared/book/finding"
	"mappe/shared/book/spec"
)

// refusedRightly says for each outcome of a refused file of the corpus why it is right. The detail of a Fault is
// the outcome.
var refusedRightly = map[string]string{
	"broken":                   "the archive is cut off or made up by a fuzzer, its main part is missing, or none of its pages is one that can be read (drawings, DTBook, JSON)",
	"doctype":                  "the XML declares entities, which no word processor writes and which attacks do",
	"empty":                    "no letter that is shown and no picture: tests of tables, styles and settings, hidden text, elements the format does not have, links to files elsewhere",
	"encrypted":                "its pages are encrypted, by a password or by rights management",
	"macros":                   "it holds macros",
	"no words and no pictures": "nothing but a table of contents, empty tables, or pictures that are linked and not in the file",
	"not_text":                 "a picture or another archive with the name of a document",
	"old_word":                 "a file of Word 97 with the name of another",
	"unsupported":              "a flat OpenDocument file",
}

// corpus reads the list: repository, path and outcome of the real files that were tried. A path that ends in / is a
// folder of an unpacked e-book.
func corpus(t *testing.T) (rows [][3]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/corpus.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			t.Fatalf("%q: want repository, path, outcome", line)
		}
		rows = append(rows, [3]string(f))
	}
	return rows
}

// TestCorpus: real files of the test corpora of public readers of Word, OpenDocument and EPUB files. Each is read
// with all its words, or refused for a reason that is right. The files themselves are not kept: with
// MAPPE_BOOK_CORPUS, a folder that holds them as OWNER+NAME/PATH (folders packed, as PATH.packed.epub), each that is
// there is read again.
func TestCorpus(t *testing.T) {
	rows := corpus(t)
	if len(rows) < 1000 || !slices.IsSortedFunc(rows, func(a, b [3]string) int { return strings.Compare(a[0]+"\t"+a[1], b[0]+"\t"+b[1]) }) {
		t.Errorf("%d files, want a sorted list of at least 1,000", len(rows))
	}
	dir := os.Getenv("MAPPE_BOOK_CORPUS")
	for _, r := range rows {
		if r[2] != "read" && refusedRightly[r[2]] == "" {
			t.Errorf("%s %s: %q has no reason", r[0], r[1], r[2])
		}
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, strings.Replace(r[0], "/", "+", 1), r[1])
		if strings.HasSuffix(r[1], "/") {
			path = strings.TrimSuffix(path, "/") + ".packed.epub"
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(filepath.Base(path), b); got != r[2] {
			t.Errorf("%s %s: %s, want %s", r[0], r[1], got, r[2])
		}
	}
}

// outcome is what comes of opening a file.
func outcome(name string, b []byte) string {
	s := spec.Default()
	s.Language = ""
	m, err := Open(name, b, s)
	var f *Fault
	switch {
	case errors.As(err, &f):
		return f.Detail
	case err != nil:
		return err.Error()
	}
	for _, x := range m.Found {
		if x.Type == finding.WordsLost && x.Severity == finding.High {
			return "lost " + x.Detail + ": " + x.Excerpt
		}
	}
	return "read"
}
