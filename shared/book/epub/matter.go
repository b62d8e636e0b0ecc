package epub

import (
	"strings"

	"mappe/shared/book/manuscript"
)

// titlePage writes the title page and what stands on its back, unless the author has one.
func (k *book) titlePage() {
	if k.has(manuscript.KindTitlePage) {
		for _, i := range k.listed() {
			if k.src.Sections[i].Kind == manuscript.KindTitlePage {
				k.landmarks = append(k.landmarks, landmark{"titlepage", k.word.titlePage, k.files[i]})
				return
			}
		}
	}
	defer k.copyrightPage()
	p := k.page("title.xhtml", -1)
	p.start("section", "epub:type", "titlepage", "class", "title-page", "aria-labelledby", "title")
	p.text("\n")
	p.element("h1", k.title(), "id", "title")
	if t := k.subtitle(); t != "" {
		p.element("p", t, "class", "subtitle", "role", "doc-subtitle")
	}
	if t := k.author(); t != "" {
		p.element("p", t, "class", "author")
	}
	if t := k.spec.Publisher; t != "" {
		p.element("p", t, "class", "publisher")
	}
	p.line()
	k.add(p, "titlepage")
	k.landmarks = append(k.landmarks, landmark{"titlepage", k.word.titlePage, p.path})
}

// copyrightPage writes what the print book has on the back of its title page.
func (k *book) copyrightPage() {
	if k.has(manuscript.KindCopyright) || k.spec.Rights == "" && k.spec.Publisher == "" && k.spec.ISBN == "" {
		return
	}
	p := k.page("copyright.xhtml", -1)
	p.start("section", "epub:type", "copyright-page", "class", "copyright")
	p.text("\n")
	for _, l := range []string{k.spec.Rights, k.spec.Publisher} {
		if strings.TrimSpace(l) != "" {
			p.element("p", l)
		}
	}
	if k.spec.ISBN != "" {
		p.element("p", "ISBN "+k.spec.ISBN)
	}
	p.line()
	k.add(p, "copyright")
	k.landmarks = append(k.landmarks, landmark{"copyright-page", k.word.copyright, p.path})
}
