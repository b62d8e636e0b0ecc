package reader

import (
	"errors"
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/reader/source"
)

// TestSniff: what a file is, by its content; its name decides only between texts that look alike.
func TestSniff(t *testing.T) {
	office := func(s string) string { // the container of old Office files with a stream of a name
		var w strings.Builder
		w.WriteString("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
		for _, c := range []byte(s) {
			w.WriteByte(c)
			w.WriteByte(0)
		}
		return w.String()
	}
	part := func(name, body string) Part { return Part{Name: name, Body: body, Store: true} }
	for _, c := range []struct {
		what, name, file string
		want             Format
	}{
		{"Word", "a.docx", string(Zip(part("[Content_Types].xml", "<x/>"))), DOCX},
		{"Word under another name", "a.txt", string(Zip(part("word/document.xml", "<x/>"))), DOCX},
		{"an e-book", "a.epub", string(Zip(part("mimetype", "application/epub+zip"))), EPUB},
		{"an e-book whose type does not stand first", "a.epub", string(Zip(part("META-INF/container.xml", "<x/>"))), EPUB},
		{"an OpenDocument text", "a.odt", string(Zip(part("mimetype", "application/vnd.oasis.opendocument.text"))), ODT},
		{"an OpenDocument text without its type", "a.odt", string(Zip(part("META-INF/manifest.xml", "<x/>"), part("content.xml", "<x/>"))),
			ODT},
		{"a page", "a.txt", "\xef\xbb\xbf <!DOCTYPE html><p>x", HTML},
		{"a page of XHTML", "a", `<?xml version="1.0"?><html xmlns="x"/>`, HTML},
		{"a page that begins with a remark", "a.htm", "<!-- saved --><p>x</p>", HTML},
		{"Markdown", "a.MD", "# One\n\ntext", Markdown},
		{"text that looks like Markdown", "a.txt", "# One\n\ntext", Plain},
		{"text about pages", "a.html", "no markup here", Plain},
		{"text of one byte a letter", "a.txt", "H\xe4user und G\xe4rten", Plain},
		{"text in UTF-16", "a.txt", "\xff\xfeH\x00i\x00", Plain},
	} {
		if got, err := Sniff(c.name, []byte(c.file)); err != nil || got != c.want {
			t.Errorf("%s: %d, %v, want %d", c.what, got, err, c.want)
		}
	}
	for _, c := range []struct{ what, name, file, code string }{
		{"nothing", "a.txt", " \n", source.Empty},
		{"Rich Text", "a.rtf", `{\rtf1 x}`, source.RTF},
		{"a PDF", "a.pdf", "%PDF-1.7", source.PDF},
		{"a Word file of before 2007", "a.doc", office("WordDocument"), source.OldWord},
		{"a Word file under a password", "a.docx", office("EncryptedPackage"), source.Encrypted},
		{"an old table", "a.xls", office("Workbook"), source.NotText},
		{"an Apple Pages document", "a.pages", string(Zip(part("Index/Document.iwa", "x"))), source.Pages},
		{"an OpenDocument table", "a.ods", string(Zip(part("mimetype", "application/vnd.oasis.opendocument.spreadsheet"))), source.NotText},
		{"an archive", "a.zip", string(Zip(part("a.txt", "x"))), source.NotText},
		{"an archive that is cut off", "a.docx", "PK\x03\x04 and no end", source.Broken},
		{"an empty archive", "a.zip", "PK\x05\x06" + strings.Repeat("\x00", 18), source.Broken},
		{"a packed file", "a.txt.gz", "\x1f\x8b\x08\x00", source.NotText},
		{"another packed file", "a.7z", "7z\xbc\xaf\x27\x1c", source.NotText},
		{"a picture", "a.docx", PNG(2, 2), source.NotText},
		{"a program", "a", "\x7fELF\x02", source.NotText},
		{"Word in one XML file", "a.xml", `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>`,
			source.Unsupported},
		{"OpenDocument in one file", "a.fodt", `<?xml version="1.0"?><office:document/>`, source.Unsupported},
		{"another XML", "a.xml", `<?xml version="1.0"?><feed/>`, source.Unsupported},
		{"TeX", "a.tex", `\documentclass{book}`, source.Unsupported},
		{"bytes of no kind", "a.bin", "\x00\x01\x02\x03", source.Unknown},
	} {
		_, err := Sniff(c.name, []byte(c.file))
		var r source.Refused
		if !errors.As(err, &r) || r.Code != c.code || r.Message == "" {
			t.Errorf("%s: %v, want the code %s", c.what, err, c.code)
		}
	}
}
