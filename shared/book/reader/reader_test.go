package reader

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	. "mappe/infra/readertest"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

func TestRefusalsSayWhatToDo(t *testing.T) {
	wide := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 100)
	word := string(Word{Body: P("", R("a", ""))}.Bytes())
	for _, c := range []struct {
		name, file, code, says string
	}{
		{"a.docx", "", source.Empty, "empty"},
		{"a.docx", " \n", source.Empty, "empty"},
		{"a.doc", ole + wide("WordDocument"), source.OldWord, ".docx"},
		{"a.docx", ole + wide("EncryptedPackage"), source.Encrypted, "password"},
		{"a.xls", ole + wide("Workbook"), source.NotText, ".docx"},
		{"a.rtf", `{\rtf1 a}`, source.RTF, ".docx"},
		{"a.pdf", "%PDF-1.7", source.PDF, ".docx"},
		{"a.pages", string(Zip(Part{Name: "Index/Document.iwa", Body: "x"})), source.Pages, "Export To > Word"},
		{"a.zip", string(Zip(Part{Name: "a.txt", Body: "x"})), source.NotText, "Unpack"},
		{"a.docx", word[:len(word)/2], source.Broken, "damaged"},
		{"a.docx", string(Zip()), source.Broken, "save"},
		{"a.epub", string(Zip(Part{Name: "mimetype", Body: "application/epub+zip", Store: true})), source.Broken, ".docx"},
		{"a.ods", string(Zip(Part{Name: "mimetype", Body: "application/vnd.oasis.opendocument.spreadsheet", Store: true})), source.NotText,
			".docx"},
		{"a.png", PNG(3, 3), source.NotText, ".docx"},
		{"a.bin", "\x7fELF" + ole, source.NotText, ".docx"},
		{"a.bin", "a\x00b\x01\x02", source.Unknown, ".docx"},
		{"a.xml", `<?xml version="1.0"?><a/>`, source.Unsupported, ".docx"},
		{"a.tex", `\documentclass{book}`, source.Unsupported, "Markdown"},
		{"a.docx", string(Word{Body: P("")}.Bytes()), source.Empty, "no text"},
		{"a.html", "<!DOCTYPE html><p> </p>", source.Empty, "no text"},
		{"a.odt", string(OpenText(`<text:p/>`, "")), source.Empty, "no text"},
	} {
		_, _, err := Read(c.name, []byte(c.file), Limits{})
		var r Refused
		if !errors.As(err, &r) {
			t.Errorf("%s %.20q: %v, want a refusal", c.name, c.file, err)
		} else if r.Code != c.code || !strings.Contains(r.Message, c.says) || !strings.HasSuffix(r.Message, ".") {
			t.Errorf("%s %.20q: %s %q, want %s with %q", c.name, c.file, r.Code, r.Message, c.code, c.says)
		}
	}
}

func TestContentCountsNotTheName(t *testing.T) {
	for name, f := range map[string][]byte{
		"docx":     Word{Body: P("", R("words", ""))}.Bytes(),
		"odt":      OpenText(`<text:p>words</text:p>`, ""),
		"epub":     EBook(`<p>words</p>`),
		"html":     []byte(`<!doctype html><p>words</p>`),
		"plain":    []byte("words"),
		"windows":  []byte("words \x93so\x94"),
		"UTF-16":   []byte("\xff\xfew\x00o\x00r\x00d\x00s\x00"),
		"markdown": []byte("# words"),
	} {
		for _, called := range []string{"a.md", "a.txt", "../../etc/passwd", "a.docx", ""} {
			b, found, err := Read(called, f, Limits{})
			if err != nil {
				t.Errorf("%s as %s: %v", name, called, err)
				continue
			}
			if got := words(b); !strings.Contains(strings.Join(got, " "), "words") {
				t.Errorf("%s as %s: %q", name, called, got)
			}
			Sound(t, b, found)
		}
	}
}

// bomb is a Word file whose main part unpacks to n bytes of one letter; the directory says it has said.
func bomb(n int, said uint64) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range (Word{Body: "x"}).Parts() {
		w, _ := z.Create(p.Name)
		if p.Name != "word/document.xml" {
			w.Write([]byte(p.Body))
			continue
		}
		head, tail, _ := strings.Cut(p.Body, "x</w:body>")
		w.Write([]byte(head))
		block := bytes.Repeat([]byte("<w:p></w:p>     "), 1<<16)
		for left := n; left > 0; left -= len(block) {
			w.Write(block)
		}
		w.Write([]byte("</w:body>" + tail))
	}
	z.Close()
	f := b.Bytes()
	if said > 0 {
		// The size stands in the record of the directory, 24 bytes into it.
		for at := 0; ; {
			i := bytes.Index(f[at:], []byte("PK\x01\x02"))
			if i < 0 {
				break
			}
			at += i + 4
			if bytes.HasPrefix(f[at+42:], []byte("word/document.xml")) {
				for k := range 4 {
					f[at+20+k] = byte(said >> (8 * k))
				}
			}
		}
	}
	return f
}

func TestHostileFilesEndSoon(t *testing.T) {
	many := make([]Part, 10_001)
	for i := range many {
		many[i] = Part{Name: fmt.Sprintf("word/%d.xml", i), Store: true}
	}
	parts := Word{Body: P("", R("a", ""))}.Parts()
	for name, c := range map[string]struct {
		f    []byte
		code string // "" is read
	}{
		"a bomb of 300 MB":             {bomb(300<<20, 0), source.TooLarge},
		"a bomb that says it is small": {bomb(80<<20, 1000), source.Broken},
		"10,001 entries":               {Zip(append(parts, many...)...), source.TooComplex},
		"a word of 200,000 letters":    {Word{Body: P("", R(strings.Repeat("a", 200_000), ""))}.Bytes(), ""},
		"a paragraph of 160,000 words": {Word{Body: P("", strings.Repeat(R("word ", `<w:lang w:val="en-GB"/>`), 160_000))}.Bytes(), ""},
		"160,000 looks in a paragraph": {Word{Body: P("", strings.Repeat(R("a", `<w:i/>`)+R("b", ""), 80_000))}.Bytes(), ""},
		"301,000 paragraphs":           {Word{Body: strings.Repeat("<w:p/>", 301_000)}.Bytes(), source.TooComplex},
		"100,000 notes without text": {Word{Footnotes: "<w:footnote/>",
			Body: P("", strings.Repeat(R("a", "")+`<w:r><w:footnoteReference w:id="9"/></w:r>`, 100_000))}.Bytes(), ""},
		"100,000 fields that never end": {Word{Body: P("", R("a", ""), strings.Repeat(`<w:r><w:fldChar w:fldCharType="begin"/></w:r>`,
			100_000))}.Bytes(), ""},
		"a chain of 20,000 styles": {Word{Body: P("s0", R("a", "")), Styles: styleChain(20_000)}.Bytes(), ""},
		"100,000 page breaks": {Word{Body: P("", R("a", ""), strings.Repeat(`<w:r><w:br w:type="page"/></w:r>`,
			100_000))}.Bytes(), ""},
		"100 text boxes in each other": {Word{Body: P("", R("a", ""),
			nested(`<w:r><w:pict><w:txbxContent><w:p>`, `</w:p></w:txbxContent></w:pict></w:r>`, 100))}.Bytes(), ""},
		"HTML nested 100,000 deep":   {[]byte("<!doctype html>" + strings.Repeat("<div>", 100_000) + "a"), source.Broken},
		"HTML of 20,000 open b":      {[]byte("<!doctype html>" + strings.Repeat("<p><b>a", 20_000)), "any"},
		"Markdown of quotes":         {[]byte("# a\n" + strings.Repeat(">", 100_000) + "a"), source.TooComplex},
		"Markdown of brackets":       {[]byte("# a\n" + strings.Repeat("[", 100_000) + "a"), source.TooComplex},
		"Markdown of loose brackets": {[]byte("# a\n" + strings.Repeat("[a ", 50_000)), source.TooComplex},
		"text of one line":           {[]byte(strings.Repeat("_a *b ", 300_000)), ""},
		"text of line ends":          {[]byte("a" + strings.Repeat("\n", 7_000_000)), source.TooComplex},
		"text of quotes in columns":  {[]byte(strings.Repeat("a\n\n", 301_000)), source.TooComplex},
	} {
		t.Run(name, func(t *testing.T) {
			called := "a.txt"
			if strings.HasPrefix(name, "Markdown") {
				called = "a.md"
			}
			start := time.Now()
			b, found, err := Read(called, c.f, Limits{})
			// Far above what any of them takes; what is quadratic takes minutes.
			if d := time.Since(start); d > time.Minute {
				t.Errorf("took %v", d)
			}
			var r Refused
			switch {
			case err == nil && (c.code == "" || c.code == "any"):
				Sound(t, b, found)
			case err == nil:
				t.Errorf("read, want %s", c.code)
			case !errors.As(err, &r):
				t.Errorf("%v is no refusal", err)
			case c.code != "any" && r.Code != c.code:
				t.Errorf("refused as %s (%s), want %q", r.Code, r.Message, c.code)
			}
		})
	}
}

func styleChain(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(Style(fmt.Sprintf("s%d", i), "n", fmt.Sprintf("s%d", (i+1)%n), ""))
	}
	return b.String()
}

func nested(open, end string, n int) string {
	return strings.Repeat(open, n) + R("x", "") + strings.Repeat(end, n)
}

func TestLimitsOfAnUpload(t *testing.T) {
	_, _, err := Read("a.txt", make([]byte, 101), Limits{File: 100})
	var r Refused
	if !errors.As(err, &r) || r.Code != source.TooLarge {
		t.Errorf("%v, want too_large", err)
	}
}

func TestSameFileSameBook(t *testing.T) {
	f := Word{Body: P("", R("a", `<w:lang w:val="de"/>`), R("b", `<w:lang w:val="en"/>`)),
		Footnotes: `<w:footnote w:id="1"><w:p>` + R("n", "") + `</w:p></w:footnote><w:footnote w:id="2"><w:p>` + R("m",
			"") + `</w:p></w:footnote>`}.Bytes()
	one, foundOne, _ := Read("a", f, Limits{})
	for range 5 {
		two, foundTwo, _ := Read("a", f, Limits{})
		if fmt.Sprintf("%+v", dump(one)) != fmt.Sprintf("%+v", dump(two)) || fmt.Sprint(foundOne) != fmt.Sprint(foundTwo) {
			t.Fatal("two readings differ")
		}
	}
}

func dump(b manuscript.Book) string { return fmt.Sprint(b.Meta, b.Styles, words(b)) }

func BenchmarkBomb(b *testing.B) {
	f := bomb(300<<20, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read("a.docx", f, Limits{}); err == nil {
			b.Fatal("read")
		}
	}
}

func BenchmarkBombThatLies(b *testing.B) {
	f := bomb(300<<20, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read("a.docx", f, Limits{}); err == nil {
			b.Fatal("read")
		}
	}
}

func FuzzSniffAndRead(f *testing.F) {
	f.Add("a.docx", Word{Body: P("", R("words", ""))}.Bytes())
	f.Add("a.odt", OpenText(`<text:p>words</text:p>`, ""))
	f.Add("a.epub", EBook(`<p>words</p>`))
	f.Add("a.md", []byte("# words\n\n* a\n* b[^1]\n\n[^1]: c\n"))
	f.Add("a.txt", []byte("words _and_ more\n\n   verse\n   more\n"))
	f.Add("a.html", []byte("<!doctype html><h1>a</h1><p>b<table><tr><td>c"))
	l := source.Default()
	l.Nodes, l.Blocks, l.Part, l.Total = 20_000, 2_000, 1<<20, 4<<20
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		book, found, err := Read(name, b, l)
		if err != nil {
			var r Refused
			if !errors.As(err, &r) || r.Message == "" {
				t.Fatalf("an error that is no refusal: %v", err)
			}
			return
		}
		Sound(t, book, found)
	})
}
