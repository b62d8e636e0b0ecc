package epub

import (
	_ "embed" // style.css
)

//go:embed style.css
var styleSheet []byte

const coverPath = "cover.xhtml"

// cover draws the cover and writes the page that shows it.
func (k *book) cover() error {
	png, err := drawCover(k.title(), k.subtitle(), k.author())
	if err != nil {
		return err
	}
	k.items = append(k.items,
		item{id: "css", path: "style.css", mediaType: "text/css", body: styleSheet},
		item{id: "cover-image", path: "images/cover.png", mediaType: "image/png", properties: "cover-image", body: png, stored: true})
	p := k.page(coverPath, -1)
	p.start("section", "epub:type", "cover", "class", "cover")
	p.text("\n")
	p.empty("img", "src", "images/cover.png", "alt", k.word.coverOf+k.title())
	p.text("\n")
	p.line()
	k.add(p, "cover")
	return nil
}
