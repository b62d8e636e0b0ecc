// Package epubin reads e-books (EPUB 2 and 3): the pages of the spine in their order, with the style sheets
// and pictures of the book. Books under digital rights management are refused.
package epubin

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/webpage"
	"mappe/shared/book/reader/xmlpart"
)

const (
	ocf xmlpart.NS = iota + 1
	opf
	dc
	enc
	none = xmlpart.None
)

var names = xmlpart.Names{
	"urn:oasis:names:tc:opendocument:xmlns:container": ocf,
	"http://www.idpf.org/2007/opf":                    opf,
	"http://purl.org/dc/elements/1.1/":                dc,
	"http://www.w3.org/2001/04/xmlenc#":               enc,
}

type item struct {
	path, media, properties, fallback string
}

// Read reads an e-book.
func Read(b []byte, l source.Limits) (manuscript.Book, []finding.Finding, error) {
	var book manuscript.Book
	z, err := source.OpenArchive(b, l)
	if err != nil {
		return book, nil, err
	}
	locked, err := protected(z, l)
	if err != nil {
		return book, nil, err
	}
	name, err := packagePath(z, l)
	if err != nil {
		return book, nil, err
	}
	root, err := parse(z, name, l)
	if err != nil {
		return book, nil, err
	}
	book.Meta = meta(root)
	items, order := manifest(root, name)
	pages := webpage.Book{Sheet: webpage.Sheet{}, Limits: l, Log: source.NewLog(l), Pictures: source.NewPictures(l), Load: z.Part,
		Chapters: true}
	for _, id := range order {
		it := readable(items, id)
		if strings.Contains(it.properties, "nav") || !z.Has(it.path) {
			continue
		}
		if locked[it.path] && it.html() {
			return book, nil, errProtected
		}
		root, err := it.page(id, z, l)
		if err != nil {
			return book, nil, err
		}
		if root != nil {
			pages.Pages = append(pages.Pages, webpage.Page{Name: it.path, Root: root})
		}
	}
	if len(pages.Pages) == 0 {
		return book, nil, source.Refuse(source.Broken,
			"The e-book names no readable pages. Upload the manuscript it was made from, as .docx.")
	}
	for e := root.Child(opf, "manifest").First(); e.Ok(); e = e.Next() {
		if e.Attr(none, "media-type") == "text/css" {
			css, err := z.Part(resolve(name, e.Attr(none, "href")))
			if err != nil {
				return book, nil, err
			}
			pages.Sheet.Add(xmlpart.Decode(css))
		}
	}
	if book.Sections, book.Notes, err = pages.Read(); err != nil {
		return book, nil, err
	}
	book.Images = pages.Pictures.Images
	source.SettleLanguages(&book)
	source.Scale(&book)
	source.Typed(&book)
	return book, pages.Log.Found, nil
}

// page is a page of the spine; nil where it is not read: the cover, or another type.
func (it item) page(id string, z *source.Archive, l source.Limits) (*html.Node, error) {
	if strings.HasPrefix(it.media, "image/") { // a page that is a picture
		return webpage.Picture(path.Base(it.path)), nil
	}
	if !it.html() {
		return nil, nil
	}
	raw, err := z.Part(it.path)
	if err != nil {
		return nil, err
	}
	page, err := webpage.Parse(raw, l)
	if err != nil || cover(id, it, page) {
		return nil, err
	}
	return page, nil
}

func parse(z *source.Archive, name string, l source.Limits) (xmlpart.El, error) {
	b, err := z.Part(name)
	if err != nil {
		return xmlpart.El{}, err
	}
	root, err := xmlpart.ParseWeb(xmlpart.Decode(b), names, l)
	if err != nil {
		return xmlpart.El{}, source.Refuse(source.Broken,
			"The e-book is damaged: its part %q cannot be read. Upload the manuscript it was made from, as .docx.", path.Base(name))
	}
	return root, nil
}

// packagePath is the path of the package document.
func packagePath(z *source.Archive, l source.Limits) (string, error) {
	root, err := parse(z, "META-INF/container.xml", l)
	if err != nil {
		return "", err
	}
	if p := root.Find(ocf, "rootfile").Attr(none, "full-path"); p != "" && z.Has(p) {
		return p, nil
	}
	for _, n := range z.Names() {
		if strings.HasSuffix(strings.ToLower(n), ".opf") {
			return n, nil
		}
	}
	return "", source.Refuse(source.Broken,
		"The e-book is damaged: its package document is missing. Upload the manuscript it was made from, as .docx.")
}

var errProtected = source.Refuse(source.Encrypted,
	"The e-book is protected by digital rights management. Upload the manuscript it was made from, as .docx.")

// protected gives the paths of the parts that are encrypted, but for fonts whose scrambling everybody can undo, and
// refuses books of the protections that name no parts.
func protected(z *source.Archive, l source.Limits) (map[string]bool, error) {
	if z.Has("META-INF/rights.xml") || z.Has("META-INF/sinf.xml") {
		return nil, errProtected
	}
	if !z.Has("META-INF/encryption.xml") {
		return nil, nil
	}
	root, err := parse(z, "META-INF/encryption.xml", l)
	if err != nil {
		return nil, err
	}
	locked := map[string]bool{}
	for e := root.First(); e.Ok(); e = e.Next() {
		if !e.Is(enc, "EncryptedData") {
			continue
		}
		switch e.Child(enc, "EncryptionMethod").Attr(none, "Algorithm") {
		case "", "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC": // "" is packed, not encrypted
		default:
			uri := e.Find(enc, "CipherReference").Attr(none, "URI")
			if uri == "" { // what is encrypted is not said
				return nil, errProtected
			}
			locked[resolve("", uri)] = true
		}
	}
	return locked, nil
}

// maxFallbacks bounds how many other forms of a page are looked at.
const maxFallbacks = 8

// readable is the first form of a page that can be read: the page itself, or what the book offers to those who
// cannot show it.
func readable(items map[string]item, id string) item {
	first := items[id]
	for it, n := first, 0; n < maxFallbacks && it.path != ""; it, n = items[it.fallback], n+1 {
		if it.html() {
			return it
		}
	}
	return first
}

// html says whether a part is a page: also by the type that e-books had before EPUB.
func (it item) html() bool {
	return strings.Contains(it.media, "html") || it.media == "text/x-oeb1-document"
}

func meta(root xmlpart.El) manuscript.Meta {
	var m manuscript.Meta
	md := root.Child(opf, "metadata")
	if d := md.Child(opf, "dc-metadata"); d.Ok() {
		md = d
	}
	text := func(name string) string { return source.Line(source.Clean(md.Child(dc, name).AllText())) }
	m.Title, m.Author, m.Language = text("title"), text("creator"), source.Tag(text("language"))
	return m
}

// manifest lists the parts of the book and the order of its pages.
func manifest(root xmlpart.El, name string) (map[string]item, []string) {
	items := map[string]item{}
	for e := root.Child(opf, "manifest").First(); e.Ok(); e = e.Next() {
		if id := strings.TrimSpace(e.Attr(none, "id")); e.Is(opf, "item") && id != "" {
			items[id] = item{resolve(name, e.Attr(none, "href")), e.Attr(none, "media-type"), e.Attr(none, "properties"),
				strings.TrimSpace(e.Attr(none, "fallback"))}
		}
	}
	var order []string
	seen := map[string]bool{}
	for e := root.Child(opf, "spine").First(); e.Ok(); e = e.Next() {
		id := strings.TrimSpace(e.Attr(none, "idref"))
		if !e.Is(opf, "itemref") || seen[id] {
			continue
		}
		seen[id] = true
		order = append(order, id)
	}
	return items, order
}

func resolve(name, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if p, err := url.PathUnescape(href); err == nil {
		href = p
	}
	return path.Join(path.Dir(name), href)
}

// cover says whether a page holds the picture of the cover and nothing else.
func cover(id string, it item, page *html.Node) bool {
	return (strings.Contains(strings.ToLower(id), "cover") || strings.Contains(strings.ToLower(path.Base(it.path)), "cover")) &&
		!webpage.HasText(page)
}
