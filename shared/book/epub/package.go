package epub

import (
	"strconv"
	"time"
)

// packageDocument writes the package: metadata, what files there are, in what order they are read.
func (k *book) packageDocument() {
	var m markup
	m.b = append(m.b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"...)
	m.start("package", "xmlns", "http://www.idpf.org/2007/opf", "version", "3.0", "unique-identifier", "id", "xml:lang", k.lang)
	m.text("\n")
	k.metadata(&m)
	m.start("manifest")
	m.text("\n")
	for _, i := range k.items {
		m.empty("item", "id", i.id, "href", i.path, "media-type", i.mediaType, "properties", i.properties)
		m.text("\n")
	}
	m.line()
	m.start("spine", "toc", "ncx")
	m.text("\n")
	for n, i := range k.items {
		if n == k.navAt {
			m.empty("itemref", "idref", "nav")
			m.text("\n")
		}
		if i.spine {
			m.empty("itemref", "idref", i.id)
			m.text("\n")
		}
	}
	m.line()
	m.line()
	k.items = append(k.items, item{path: packagePath, body: m.b})
}

const packagePath = "package.opf"

// modified is the moment of last change as the package says it.
func (k *book) modified() string { return k.opt.Created.UTC().Format(time.RFC3339)[:19] + "Z" }

func (k *book) metadata(m *markup) {
	property := func(name, value string, attrs ...string) {
		m.element("meta", value, append([]string{"property", name}, attrs...)...)
	}
	m.start("metadata", "xmlns:dc", "http://purl.org/dc/elements/1.1/")
	m.text("\n")
	m.element("dc:identifier", k.id, "id", "id")
	m.element("dc:title", k.title(), "id", "title")
	property("title-type", "main", "refines", "#title")
	if t := k.subtitle(); t != "" {
		m.element("dc:title", t, "id", "subtitle")
		property("title-type", "subtitle", "refines", "#subtitle")
	}
	m.element("dc:language", k.lang)
	if t := k.author(); t != "" {
		m.element("dc:creator", t, "id", "author")
		property("role", "aut", "refines", "#author", "scheme", "marc:relators")
	}
	if t := k.spec.Publisher; t != "" {
		m.element("dc:publisher", t)
	}
	if t := k.spec.Rights; t != "" {
		m.element("dc:rights", t)
	}
	property("dcterms:modified", k.modified())
	if len(k.pages) > 0 {
		source := k.title() + k.word.printOf
		if !k.opt.Created.IsZero() {
			source += " " + strconv.Itoa(k.opt.Created.UTC().Year())
		}
		m.element("dc:source", source, "id", "print")
		property("source-of", "pagination", "refines", "#print")
		property("pageBreakSource", source)
	}
	k.accessibility(property)
	m.empty("meta", "name", "cover", "content", "cover-image")
	m.text("\n")
	m.line()
}

// accessibility says what readers who do not see, or read with a machine, may count on (EPUB Accessibility
// 1.1). What the author has to give, alternatives for pictures, is claimed only where every picture has one.
func (k *book) accessibility(property func(name, value string, attrs ...string)) {
	property("schema:accessMode", "textual")
	alone := k.pictures == 0 || k.alts
	if k.pictures > 0 {
		property("schema:accessMode", "visual")
		property("schema:accessModeSufficient", "textual,visual")
	}
	if alone {
		property("schema:accessModeSufficient", "textual")
	}
	features := []string{"structuralNavigation", "tableOfContents", "readingOrder", "displayTransformability"}
	if len(k.pages) > 0 {
		features = append(features, "pageNavigation", "pageBreakMarkers")
	}
	if k.pictures > 0 && k.alts {
		features = append(features, "alternativeText")
	}
	for _, f := range features {
		property("schema:accessibilityFeature", f)
	}
	property("schema:accessibilityHazard", "none")
	summary := k.word.summary
	if k.pictures > 0 && k.alts {
		summary += k.word.images
	}
	property("schema:accessibilitySummary", summary)
}
