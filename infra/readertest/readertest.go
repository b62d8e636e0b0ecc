// Package readertest makes small manuscripts for the tests of shared/book: Word files, OpenDocument texts and
// e-books from pieces of XML. Only tests use it.
package readertest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
)

// Part is a part of an archive.
type Part struct {
	Name, Body string
	Store      bool // not packed
}

// Zip packs parts in their order.
func Zip(parts ...Part) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		h := &zip.FileHeader{Name: p.Name, Method: zip.Deflate}
		if p.Store {
			// Written raw, so that no descriptor follows: the first bytes tell what the archive is.
			h.Method = zip.Store
			h.CompressedSize64, h.UncompressedSize64, h.CRC32 = uint64(len(p.Body)), uint64(len(p.Body)), crc32.ChecksumIEEE([]byte(p.Body))
			w, err := z.CreateRaw(h)
			must(err)
			_, err = w.Write([]byte(p.Body))
			must(err)
			continue
		}
		w, err := z.CreateHeader(h)
		must(err)
		_, err = w.Write([]byte(p.Body))
		must(err)
	}
	must(z.Close())
	return b.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// PNG is a picture of one grey.
func PNG(width, height int) string {
	var b bytes.Buffer
	must(png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.String()
}

// LyingJPEG is a picture that states in its EXIF data that it lies on its side: width and height are those
// of its rows and columns, not of what is seen.
func LyingJPEG(width, height int) string {
	var b bytes.Buffer
	must(jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, width, height)), nil))
	const exif = "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	return "\xff\xd8\xff\xe1\x00" + string(rune(len(exif)+2)) + exif + b.String()[2:]
}

// The namespaces of a Word file.
const (
	WordNS = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
		`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ` +
		`xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ` +
		`xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
		`xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" ` +
		`xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ` +
		`xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ` +
		`xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ` +
		`xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
		`xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ` +
		`xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"`
	StrictNS = `xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main" ` +
		`xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"`
	relType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	head    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
)

// Word is a Word file in pieces: the inside of each part.
type Word struct {
	Body      string
	Styles    string
	Numbering string
	Footnotes string // w:footnote elements
	Endnotes  string
	Comments  string
	Rels      string // more Relationship elements of the main part
	Main      string // name of the main part; word/document.xml where ""
	NS        string
	More      []Part
}

// Bytes packs the file.
func (w Word) Bytes() []byte { return Zip(w.Parts()...) }

// Parts are the parts of the file.
func (w Word) Parts() []Part {
	main, ns := w.Main, w.NS
	if main == "" {
		main = "word/document.xml"
	}
	if ns == "" {
		ns = WordNS
	}
	dir, base := main[:strings.LastIndex(main, "/")+1], main[strings.LastIndex(main, "/")+1:]
	rels := w.Rels
	var parts []Part
	add := func(kind, element, body string) {
		if body == "" {
			return
		}
		rels += fmt.Sprintf(`<Relationship Id="part-%s" Type="%s%s" Target="%s.xml"/>`, kind, relType, kind, kind)
		parts = append(parts, Part{Name: dir + kind + ".xml", Body: head + "<w:" + element + " " + ns + ">" + body + "</w:" + element +
			">"})
	}
	add("styles", "styles", w.Styles)
	add("numbering", "numbering", w.Numbering)
	add("footnotes", "footnotes", w.Footnotes)
	add("endnotes", "endnotes", w.Endnotes)
	add("comments", "comments", w.Comments)
	first := []Part{
		{Name: "[Content_Types].xml", Body: head +
			`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/` + main + `" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{Name: "_rels/.rels", Body: relations(`<Relationship Id="rId1" Type="` + relType + `officeDocument" Target="` + main + `"/>`)},
		{Name: main, Body: head + "<w:document " + ns + "><w:body>" + w.Body + "</w:body></w:document>"},
		{Name: dir + "_rels/" + base + ".rels", Body: relations(rels)},
	}
	return append(append(first, parts...), w.More...)
}

func relations(body string) string {
	return head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + body + `</Relationships>`
}

// P is a paragraph of runs in a style.
func P(style string, runs ...string) string {
	props := ""
	if style != "" {
		props = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return "<w:p>" + props + strings.Join(runs, "") + "</w:p>"
}

// R is a run; props are the inside of its w:rPr.
func R(text, props string) string {
	if props != "" {
		props = "<w:rPr>" + props + "</w:rPr>"
	}
	return "<w:r>" + props + `<w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

// Style is a style of paragraphs.
func Style(id, name, based, props string) string {
	if based != "" {
		based = `<w:basedOn w:val="` + based + `"/>`
	}
	return `<w:style w:type="paragraph" w:styleId="` + id + `"><w:name w:val="` + name + `"/>` + based + props + `</w:style>`
}

// Field is a complex field with a result.
func Field(code, result string) string {
	return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">` + code +
		`</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + result + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
}

// Drawing is an inline picture.
func Drawing(rel, alt string, widthMM int) string {
	return fmt.Sprintf(`<w:r><w:drawing><wp:inline><wp:extent cx="%d" cy="1"/><wp:docPr id="1" name="p" descr="%s"/><a:graphic><a:graphicData uri="u"><pic:pic><pic:blipFill><a:blip r:embed="%s"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`, widthMM*36000, alt, rel)
}

// OpenText is an OpenDocument text: the insides of office:text and of the automatic styles.
func OpenText(body, styles string, more ...Part) []byte {
	ns := `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ` +
		`xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
		`xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" ` +
		`xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"`
	parts := []Part{
		{Name: "mimetype", Body: "application/vnd.oasis.opendocument.text", Store: true},
		{Name: "content.xml", Body: head + `<office:document-content ` + ns + `><office:automatic-styles>` + styles +
			`</office:automatic-styles><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`},
		{Name: "META-INF/manifest.xml",
			Body: head + `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`},
	}
	return Zip(append(parts, more...)...)
}

// EBook is an e-book of pages: the insides of their bodies.
func EBook(pages ...string) []byte {
	parts := []Part{
		{Name: "mimetype", Body: "application/epub+zip", Store: true},
		{Name: "META-INF/container.xml",
			Body: head + `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
	}
	items, spine := "", ""
	for i, p := range pages {
		name := fmt.Sprintf("p%d", i+1)
		items += `<item id="` + name + `" href="` + name + `.xhtml" media-type="application/xhtml+xml"/>`
		spine += `<itemref idref="` + name + `"/>`
		parts = append(parts, Part{Name: "OEBPS/" + name + ".xhtml",
			Body: head + `<!DOCTYPE html>` +
				`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>t</title></head><body>` +
				p + `</body></html>`})
	}
	opf := head + `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>A Book</dc:title><dc:creator>Anna Autor</dc:creator><dc:language>de-AT</dc:language></metadata><manifest>` +
		items + `<item id="css" href="s.css" media-type="text/css"/></manifest><spine>` + spine + `</spine></package>`
	parts = append(parts, Part{Name: "OEBPS/book.opf", Body: opf},
		Part{Name: "OEBPS/s.css", Body: ".kursiv { font-style: italic } p.mitte { text-align: center } .kap { font-variant: small-caps }"})
	return Zip(parts...)
}
