package wordtemplate

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/spec"
)

func write(t testing.TB, language string) []byte {
	t.Helper()
	s := spec.Default()
	s.Language, s.Title, s.Author = language, "Fields & <Signs>", "Anna Huber"
	var b bytes.Buffer
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every style of the template is one the reader knows, in both languages; every use of the table that an
// author chooses has a style.
func TestStylesAreThoseOfTheReader(t *testing.T) {
	word := map[string]bool{"List Bullet": true, "List Number": true, "footnote text": true}
	uses := map[stylename.Use]bool{stylename.Body: true, stylename.Contents: true}
	for _, s := range table {
		for _, n := range []string{s.name.en, s.name.de} {
			known, ok := stylename.Lookup(n)
			if !ok && !word[n] {
				t.Errorf("%s: the reader does not know it", n)
			}
			if ok && s.outline > 0 && known.Level != s.outline {
				t.Errorf("%s: level %d, the reader takes it for %d", n, s.outline, known.Level)
			}
			if ok {
				uses[known.Use] = true
			}
		}
	}
	for _, s := range stylename.All() {
		if !uses[s.Use] {
			t.Errorf("no style for %s", s.Names[0])
		}
	}
	shown := map[string]bool{"FootnoteText": true}
	for _, s := range samples {
		shown[s.style] = true
	}
	for _, s := range table {
		if !shown[s.id] {
			t.Errorf("%s has no sample text", s.id)
		}
	}
}

// What the template says with its styles is what the reader understands.
func TestRoundTrip(t *testing.T) {
	for _, language := range []string{"en", "de-AT"} {
		b, found, err := reader.Read("template.docx", write(t, language), reader.Default())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Severity != finding.Preserved {
				t.Errorf("%s: finding %s: %s %s", language, f.Type, f.Excerpt, f.Detail)
			}
		}
		if b.Meta.Title != "Fields & <Signs>" || b.Meta.Author != "Anna Huber" {
			t.Errorf("%s: %+v", language, b.Meta)
		}
		got := map[string]int{}
		for _, s := range b.Sections {
			got["section "+s.Kind.String()]++
			count(got, s.Blocks)
		}
		for _, want := range []string{"heading 1", "heading 2", "heading 3", "quote", "epigraph", "verse", "list", "ordered list",
			"table with head", "code", "scene break", "section copyright", "section dedication", "section part"} {
			if got[want] == 0 {
				t.Errorf("%s: no %s; there are %v", language, want, got)
			}
		}
		if len(b.Notes) != 1 {
			t.Errorf("%s: %d notes", language, len(b.Notes))
		}
	}
}

func count(got map[string]int, blocks []manuscript.Block) {
	for _, x := range blocks {
		switch x := x.(type) {
		case *manuscript.Heading:
			got[fmt.Sprintf("heading %d", x.Level)]++
		case *manuscript.Quote:
			got[map[bool]string{true: "epigraph", false: "quote"}[x.Epigraph]]++
		case *manuscript.Verse:
			got["verse"]++
		case *manuscript.Code:
			got["code"]++
		case *manuscript.SceneBreak:
			got["scene break"]++
		case *manuscript.List:
			got[map[bool]string{true: "ordered list", false: "list"}[x.Ordered]]++
		case *manuscript.Table:
			got[map[bool]string{true: "table with head", false: "table"}[x.HeadRows > 0]]++
		}
	}
}

func TestSameBytes(t *testing.T) {
	if !bytes.Equal(write(t, "de"), write(t, "de")) {
		t.Error("two templates differ")
	}
}

// Programs of others open it without a warning.
func TestOthersReadIt(t *testing.T) {
	pandoc := oracles.Program(t, "pandoc")
	for _, language := range []string{"en", "de"} {
		name := filepath.Join(t.TempDir(), "t.docx")
		if err := os.WriteFile(name, write(t, language), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, warned bytes.Buffer
		cmd := exec.Command(pandoc, "-f", "docx+styles", "-t", "native", name)
		cmd.Stdout, cmd.Stderr = &out, &warned
		if err := cmd.Run(); err != nil || warned.Len() > 0 {
			t.Fatalf("%v: %s", err, warned.String())
		}
		for _, want := range []string{"OrderedList", "BulletList", "Note", "Table", "Header"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: pandoc finds no %s", language, want)
			}
		}
	}
}
