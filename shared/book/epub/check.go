package epub

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Limits of what Check reads: more is a fault of its own.
const (
	maxCheckEntries = 10_000
	maxCheckBytes   = 512 << 20
	maxCheckFaults  = 100
)

// Check reads a book back by the rules that Write keeps, and says what breaks them; nothing is a good book.
// It is the self-check before a book is handed out. The rules are those of EPUB 3.3, narrowed to what Write
// uses: no scripts, no outside resources, a nav and an NCX, alternatives of pictures at least empty.
func Check(b []byte) []string {
	c := &check{files: map[string][]byte{}, docs: map[string]*doc{}, media: map[string]string{}}
	c.archive(b)
	if len(c.faults) == 0 {
		c.container()
	}
	if len(c.faults) > maxCheckFaults {
		c.faults = append(c.faults[:maxCheckFaults], "and more")
	}
	return c.faults
}

type check struct {
	faults []string
	files  map[string][]byte
	names  []string
	docs   map[string]*doc
	media  map[string]string // of the files in the manifest
	spine  []string
	nav    string
}

func (c *check) fault(format string, args ...any) {
	if len(c.faults) <= maxCheckFaults {
		c.faults = append(c.faults, fmt.Sprintf(format, args...))
	}
}

// archive reads the files. The first has to be the type of file, stored, at a fixed place, so that a program
// finds it without reading the archive.
func (c *check) archive(b []byte) {
	const kind = "application/epub+zip"
	if len(b) < 58 || string(b[:4]) != "PK\x03\x04" || string(b[30:38]) != "mimetype" || string(b[38:58]) != kind ||
		binary.LittleEndian.Uint16(b[26:]) != 8 || binary.LittleEndian.Uint16(b[28:]) != 0 || binary.LittleEndian.Uint16(b[8:]) != 0 {
		c.fault("the file does not begin with a stored mimetype of %s", kind)
		return
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		c.fault("the archive cannot be read: %v", err)
		return
	}
	if len(z.File) > maxCheckEntries {
		c.fault("the archive has %d files, allowed are %d", len(z.File), maxCheckEntries)
		return
	}
	left := int64(maxCheckBytes)
	for _, f := range z.File {
		if _, double := c.files[f.Name]; double || f.Name != path.Clean(f.Name) || strings.HasPrefix(f.Name, "/") ||
			strings.HasPrefix(f.Name, "..") || strings.ContainsAny(f.Name, `\:*?"<>|`) {
			c.fault("%q: a name that is double or not allowed", f.Name)
			return
		}
		r, err := f.Open()
		if err != nil {
			c.fault("%s: %v", f.Name, err)
			return
		}
		body, err := io.ReadAll(io.LimitReader(r, left+1))
		r.Close()
		if left -= int64(len(body)); err != nil || left < 0 {
			c.fault("%s: cannot be read, or is more than %d bytes with the files before it: %v", f.Name, maxCheckBytes, err)
			return
		}
		c.files[f.Name] = body
		c.names = append(c.names, f.Name)
	}
}

// container finds the package and goes on from there.
func (c *check) container() {
	d := c.parse("META-INF/container.xml")
	if d == nil {
		return
	}
	root := ""
	for _, e := range d.elements {
		if e.name == "rootfile" {
			if root != "" || e.attr("media-type") != "application/oebps-package+xml" {
				c.fault("META-INF/container.xml: not one package")
			}
			root = e.attr("full-path")
		}
	}
	p := c.parse(root)
	if p == nil {
		return
	}
	c.manifest(root, p)
	c.metadata(root, p)
	c.readingOrder(root, p)
	for _, name := range c.names {
		switch c.media[name] {
		case xhtml:
			c.content(name)
		case "application/x-dtbncx+xml":
			c.ncx(name, p)
		case "text/css":
			if css := strings.ToLower(string(c.files[name])); strings.Contains(css, "@import") || strings.Contains(css, "url(") ||
				strings.Contains(css, "</") {
				c.fault("%s: a style sheet that calls for other files", name)
			}
		case "image/jpeg", "image/png", "image/gif":
			if _, form, err := image.DecodeConfig(bytes.NewReader(c.files[name])); err != nil ||
				imageTypes[form].mediaType != c.media[name] {
				c.fault("%s: no picture of type %s", name, c.media[name])
			}
		}
	}
	c.navigation()
}

// manifest checks that the files of the archive are those of the manifest.
func (c *check) manifest(root string, p *doc) {
	covers := 0
	for _, e := range p.elements {
		if e.name != "item" {
			continue
		}
		name := path.Join(path.Dir(root), e.attr("href"))
		switch {
		case e.attr("id") == "" || e.attr("href") == "":
			c.fault("%s: an item without id or href", root)
		case c.media[name] != "":
			c.fault("%s: %s stands twice in the manifest", root, name)
		case c.files[name] == nil:
			c.fault("%s: %s is not in the archive", root, name)
		}
		c.media[name] = e.attr("media-type")
		switch c.media[name] {
		case xhtml, "text/css", "application/x-dtbncx+xml", "image/jpeg", "image/png", "image/gif":
		default:
			c.fault("%s: %s has the type %q, which Write does not use", root, name, c.media[name])
		}
		for _, property := range strings.Fields(e.attr("properties")) {
			switch property {
			case "nav":
				if c.nav != "" {
					c.fault("%s: more than one navigation document", root)
				}
				c.nav = name
			case "cover-image":
				covers++
			default:
				c.fault("%s: %s has the property %q", root, name, property)
			}
		}
	}
	if c.nav == "" {
		c.fault("%s: no navigation document", root)
	}
	if covers != 1 {
		c.fault("%s: %d covers, want 1", root, covers)
	}
	for _, name := range c.names {
		if c.media[name] == "" && name != root && name != "mimetype" && !strings.HasPrefix(name, "META-INF/") {
			c.fault("%s: is not in the manifest", name)
		}
	}
}

var modifiedShape = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// metadata checks what a package has to say.
func (c *check) metadata(root string, p *doc) {
	if p.elements[0].name != "package" || p.elements[0].attr("version") != "3.0" {
		c.fault("%s: not a package of version 3.0", root)
	}
	count := map[string]int{}
	for _, e := range p.elements {
		value := strings.TrimSpace(e.text)
		switch e.name {
		case "identifier", "title", "language":
			count[e.name]++
			if value == "" {
				c.fault("%s: an empty %s", root, e.name)
			}
			if e.name == "identifier" && e.attr("id") == p.elements[0].attr("unique-identifier") {
				p.uid = value
			}
			if e.name == "language" && language(value) == "" {
				c.fault("%s: %q is no language", root, value)
			}
		case "meta":
			count[e.attr("property")]++
			if e.attr("property") == "dcterms:modified" && !modifiedShape.MatchString(value) {
				c.fault("%s: modified %q is no moment", root, value)
			}
			if r := e.attr("refines"); r != "" && !p.ids[strings.TrimPrefix(r, "#")] {
				c.fault("%s: refines %q, which is not there", root, r)
			}
		}
	}
	for _, name := range []string{"identifier", "title", "language", "schema:accessMode", "schema:accessModeSufficient",
		"schema:accessibilityFeature", "schema:accessibilityHazard", "schema:accessibilitySummary"} {
		if count[name] == 0 {
			c.fault("%s: no %s", root, name)
		}
	}
	if count["dcterms:modified"] != 1 {
		c.fault("%s: %d moments of change, want 1", root, count["dcterms:modified"])
	}
	if p.uid == "" {
		c.fault("%s: no unique identifier", root)
	}
}

// readingOrder checks the spine.
func (c *check) readingOrder(root string, p *doc) {
	byID := map[string]string{}
	for _, e := range p.elements {
		if e.name == "item" {
			byID[e.attr("id")] = path.Join(path.Dir(root), e.attr("href"))
		}
		if e.name == "spine" && c.media[byID[e.attr("toc")]] != "application/x-dtbncx+xml" {
			c.fault("%s: the spine names no NCX", root)
		}
	}
	for _, e := range p.elements {
		if e.name != "itemref" {
			continue
		}
		name, ok := byID[e.attr("idref")]
		if !ok || c.media[name] != xhtml || slices.Contains(c.spine, name) {
			c.fault("%s: the spine has %q, which is double or no page", root, e.attr("idref"))
		}
		c.spine = append(c.spine, name)
	}
	for _, name := range c.names {
		if c.media[name] == xhtml && !slices.Contains(c.spine, name) {
			c.fault("%s: is not in the spine", name)
		}
	}
}

// ncx checks the contents for old readers.
func (c *check) ncx(name string, p *doc) {
	d := c.parse(name)
	if d == nil {
		return
	}
	points := 0
	for _, e := range d.elements {
		if e.name == "meta" && e.attr("name") == "dtb:uid" && strings.TrimSpace(e.attr("content")) != p.uid {
			c.fault("%s: the identifier %q is not the package's", name, e.attr("content"))
		}
		if e.name == "content" {
			points++
			c.reach(name, e.attr("src"))
		}
	}
	if points == 0 {
		c.fault("%s: no contents", name)
	}
}
