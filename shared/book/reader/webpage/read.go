package webpage

import (
	"golang.org/x/net/html"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// Read reads a page that is a whole manuscript.
func Read(b []byte, l source.Limits) (manuscript.Book, []finding.Finding, error) {
	var book manuscript.Book
	if len(b) > l.Part {
		return book, nil, source.Refuse(source.TooLarge, "The page has more than %s. Divide it into volumes.", source.Size(l.Part))
	}
	root, err := Parse(b, l)
	if err != nil {
		return book, nil, err
	}
	pages := Book{Pages: []Page{{Name: "page.html", Root: root}}, Sheet: Sheet{}, Limits: l, Log: source.NewLog(l),
		Pictures: source.NewPictures(l)}
	if book.Sections, book.Notes, err = pages.Read(); err != nil {
		return book, nil, err
	}
	book.Images = pages.Pictures.Images
	meta(root, &book.Meta)
	source.SettleLanguages(&book)
	source.Scale(&book)
	source.Typed(&book)
	return book, pages.Log.Found, nil
}

// meta reads what the head of a page says.
func meta(root *html.Node, m *manuscript.Meta) {
	visit(root, func(n *html.Node) {
		switch n.Data {
		case "html":
			for _, key := range []string{"xml:lang", "lang"} {
				if t := source.Tag(attr(n, key)); t != "" && m.Language == "" {
					m.Language = t
				}
			}
		case "title":
			if m.Title == "" && n.Parent != nil && n.Parent.Data == "head" {
				m.Title = textOf(n)
			}
		case "meta":
			if attr(n, "name") == "author" && m.Author == "" {
				m.Author = source.Line(source.Clean(attr(n, "content")))
			}
		}
	})
}
