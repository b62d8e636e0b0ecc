package reader

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/reader/plain"
	"mappe/shared/book/reader/source"
)

// Format is a format that is read.
type Format uint8

// The formats.
const (
	DOCX Format = iota
	ODT
	EPUB
	HTML
	Markdown
	Plain
)

const saveAs = "Open it in your word processor, save it as Word Document (.docx) and upload that."

// Sniff knows the format of a file by its content, or refuses it.
func Sniff(name string, b []byte) (Format, error) {
	has := func(s string) bool { return bytes.HasPrefix(b, []byte(s)) }
	ext := strings.ToLower(path.Ext(name))
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return 0, source.Refuse(source.Empty, "The file is empty. Check that it is the manuscript and upload it again.")
	case has("PK\x03\x04"):
		return sniffArchive(b)
	case has("PK\x05\x06"), has("PK\x07\x08"):
		return 0, source.Refuse(source.Broken, "The file is an empty or divided archive, no document. "+saveAs)
	case has("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return 0, sniffOLE(b)
	case has(`{\rtf`):
		return 0, source.Refuse(source.RTF, "The file is Rich Text (.rtf), which is not read. "+saveAs)
	case has("%PDF"):
		return 0, source.Refuse(source.PDF,
			"The file is a PDF, which holds pages and no manuscript. Upload the file it was made from, as .docx.")
	case has("\x1f\x8b"), has("7z\xbc\xaf\x27\x1c"), has("Rar!"), has("BZh"):
		return 0, source.Refuse(source.NotText, "The file is a packed archive. Unpack it and upload the manuscript itself.")
	case picture(b):
		return 0, source.Refuse(source.NotText, "The file is a picture, no manuscript. Upload the text as .docx and put pictures into it.")
	case has("\x7fELF"), has("MZ\x90"), has("\xca\xfe\xba\xbe"):
		return 0, source.Refuse(source.NotText, "The file is a program, no manuscript. Upload the text as .docx.")
	}
	text, ok := plain.Decode(b)
	if !ok {
		return 0, source.Refuse(source.Unknown,
			"The file is of a kind that is not read here. Upload the manuscript as .docx, .odt, .epub, .html, .md or .txt.")
	}
	head := strings.ToLower(strings.TrimLeft(text[:min(len(text), 4096)], " \t\r\n\ufeff"))
	switch {
	case strings.HasPrefix(head, "<?xml") && (strings.Contains(head, "mso-application") || strings.Contains(head, "pkg:package") ||
		strings.Contains(head, "wordml")):
		return 0, source.Refuse(source.Unsupported, "The file is a Word document in a single XML file, which is not read. "+saveAs)
	case strings.HasPrefix(head, "<?xml") && strings.Contains(head, "office:document"):
		return 0, source.Refuse(source.Unsupported, "The file is a flat OpenDocument file (.fodt), which is not read. "+saveAs)
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"), strings.HasPrefix(head, "<?xml") &&
		strings.Contains(head, "<html"):
		return HTML, nil
	case strings.HasPrefix(head, "<?xml"):
		return 0, source.Refuse(source.Unsupported, "The file is XML of a kind that is not read here. "+saveAs)
	case strings.HasPrefix(head, `\documentclass`), strings.HasPrefix(head, `\input`):
		return 0, source.Refuse(source.Unsupported,
			"The file is a TeX source, which is not read. Convert it to .docx or Markdown and upload that.")
	case ext == ".md", ext == ".markdown", ext == ".mdown", ext == ".mkd":
		return Markdown, nil
	case (ext == ".html" || ext == ".htm" || ext == ".xhtml") && strings.Contains(head, "<"):
		return HTML, nil
	}
	return Plain, nil
}

// sniffArchive tells zips apart, by the names of their parts.
func sniffArchive(b []byte) (Format, error) {
	has := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	head := b[:min(len(b), 256)]
	switch {
	case bytes.Contains(head, []byte("mimetypeapplication/epub+zip")):
		return EPUB, nil
	case bytes.Contains(head, []byte("mimetypeapplication/vnd.oasis.opendocument.text")):
		return ODT, nil
	case bytes.Contains(head, []byte("mimetypeapplication/vnd.oasis.opendocument")):
		return 0, source.Refuse(source.NotText,
			"The file is an OpenDocument spreadsheet, drawing or presentation, no manuscript. Upload the text as .docx or .odt.")
	case has("Index/Document.iwa"), has("Index.zip"), has("index.apxl"):
		return 0, source.Refuse(source.Pages,
			"The file is an Apple Pages document, which is not read. In Pages choose File > Export To > Word and upload that.")
	case has("[Content_Types].xml"), has("word/document.xml"), has("_rels/.rels"):
		return DOCX, nil
	case has("META-INF/container.xml"):
		return EPUB, nil
	case has("META-INF/manifest.xml") && has("content.xml"):
		return ODT, nil
	}
	if !has("PK\x05\x06") {
		return 0, source.Refuse(source.Broken, "The file is cut off: its end is missing. Upload it again, or save it again first.")
	}
	return 0, source.Refuse(source.NotText, "The file is a zip archive, no document. Unpack it and upload the manuscript itself.")
}

// sniffOLE tells what a file of the old Office container is: protected, an old Word file, or another.
func sniffOLE(b []byte) error {
	wide := func(s string) bool {
		var w []byte
		for i := 0; i < len(s); i++ {
			w = append(w, s[i], 0)
		}
		return bytes.Contains(b, w)
	}
	switch {
	case wide("EncryptedPackage"):
		return source.Refuse(source.Encrypted,
			"The file is protected by a password. In Word choose File > Info > Protect Document > Encrypt with Password, clear the password, save, and upload it again.")
	case wide("WordDocument"):
		return source.Refuse(source.OldWord,
			"The file is in Word's old format (.doc). Open it in Word, choose File > Save As > Word Document (.docx) and upload that.")
	}
	return source.Refuse(source.NotText, "The file is an old Office file, but no text document. Upload the manuscript as .docx.")
}

func picture(b []byte) bool {
	for _, m := range []string{"\x89PNG\r\n", "\xff\xd8\xff", "GIF8", "II*\x00", "MM\x00*", "BM\x36", "BM\x8a", "8BPS"} {
		if bytes.HasPrefix(b, []byte(m)) {
			return true
		}
	}
	return len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP" && !utf8.Valid(b[:12])
}
