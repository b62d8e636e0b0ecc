package epub

import (
	"bytes"
	"strings"
	"testing"
)

func TestCheckTakesWhatWriteGives(t *testing.T) {
	for _, lang := range []string{"de", "en", ""} {
		b := sample(t, lang)
		for _, f := range Check(write(t, b, specOf(lang), Options{Created: created, Pages: pagesOf(b)})) {
			t.Errorf("%s: %s", lang, f)
		}
	}
}

// mutate gives the book with one string of one file replaced; an empty name drops the file.
func mutate(t *testing.T, book []byte, name, old, new string) []byte {
	t.Helper()
	k := &book2{}
	found := false
	names, bodies := unpack(t, book)
	for i, body := range bodies {
		if names[i] == name {
			if old == "" {
				found = true
				continue
			}
			found = bytes.Contains(body, []byte(old))
			body = bytes.Replace(body, []byte(old), []byte(new), 1)
		}
		k.names, k.bodies = append(k.names, names[i]), append(k.bodies, body)
	}
	if name != "" && !found {
		t.Fatalf("%s has no %q", name, old)
	}
	return k.pack(t)
}

// book2 is an archive as Write packs it.
type book2 struct {
	names  []string
	bodies [][]byte
}

func (k *book2) pack(t *testing.T) []byte {
	t.Helper()
	b := &book{opt: &Options{Created: created}}
	for i, n := range k.names {
		if rest, ok := strings.CutPrefix(n, "EPUB/"); ok {
			b.items = append(b.items, item{path: rest, body: k.bodies[i]})
		}
	}
	var out bytes.Buffer
	if err := b.pack(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCheckFinds(t *testing.T) {
	src := sample(t, "de")
	good := write(t, src, specOf("de"), Options{Created: created, Pages: pagesOf(src)})
	if f := Check(mutate(t, good, "", "", "")); len(f) > 0 {
		t.Fatalf("repacked: %v", f)
	}
	chapter, pkg, nav, ncx := "EPUB/s013.xhtml", "EPUB/package.opf", "EPUB/nav.xhtml", "EPUB/toc.ncx"
	for _, c := range []struct{ what, file, old, new, want string }{
		{"not well formed", chapter, "</header>", "", "element"},
		{"entity", chapter, "Untertitel", "&nbsp;", "entity"},
		{"attribute twice", chapter, `<h1 id="title">`, `<h1 id="title" id="b">`, "twice"},
		{"id twice", chapter, `id="note2"`, `id="note1"`, "double"},
		{"dead link", chapter, `href="#note2"`, `href="#note99"`, "leads nowhere"},
		{"noteref to no note", chapter, `href="#note2"`, `href="#title"`, "is not there"},
		{"backlink to no file", chapter, `href="#ref2"`, `href="gone.xhtml#ref2"`, "leads to no page"},
		{"outside picture", chapter, `src="images/i001.png"`, `src="https://example.org/i.png"`, "calls for"},
		{"missing picture", chapter, `src="images/i001.png"`, `src="images/i009.png"`, "calls for"},
		{"no alt", chapter, ` alt="Ein Verlauf"`, "", "without alt"},
		{"script", chapter, "<header>", "<header><script></script>", "<script>"},
		{"handler", chapter, "<header>", `<header onclick="x">`, "onclick"},
		{"style with address", chapter, `style="width:49%"`, `style="background:url(x)"`, "style"},
		{"link in link", chapter, `href="mailto:a@example.org">Post`, `href="mailto:a@example.org"><a href="#title">Post</a>`,
			"link in a link"},
		{"javascript", chapter, `mailto:a@example.org`, `javascript:alert(1)`, "leads to no page"},
		{"language", chapter, `xml:lang="fr"`, `xml:lang="no language"`, "no language"},
		{"page's language", chapter, ` xml:lang="de"`, "", "with its language"},
		{"document type", chapter, "<!DOCTYPE html>", `<!DOCTYPE html [<!ENTITY a "b">]>`, "document type"},
		{"page number", chapter, `aria-label="fme"`, "", "without its number"},
		{"no title", chapter, "<title>1\u2002chapter</title>", "<title> </title>", "no title"},
		{"label of nothing", chapter, `aria-labelledby="title"`, `aria-labelledby="titel"`, "names no element"},
		{"manifest without file", pkg, `href="s014.xhtml"`, `href="s099.xhtml"`, "not in the archive"},
		{"file not in manifest", pkg, `<item id="i001" href="images/i001.png" media-type="image/png"/>`, "", "not in the manifest"},
		{"wrong type", pkg, `href="images/i001.png" media-type="image/png"`, `href="images/i001.png" media-type="image/jpeg"`,
			"no picture of type"},
		{"no nav", pkg, ` properties="nav"`, "", "no navigation"},
		{"no cover", pkg, ` properties="cover-image"`, "", "0 covers"},
		{"remote property", pkg, ` properties="nav"`, ` properties="nav remote-resources"`, "property"},
		{"spine to nothing", pkg, `idref="s014"`, `idref="s099"`, "spine"},
		{"spine twice", pkg, `idref="s014"`, `idref="s013"`, "double"},
		{"no modified", pkg, `dcterms:modified`, `dcterms:created`, "moments of change"},
		{"modified", pkg, `12:00:00Z`, `12:00`, "no moment"},
		{"identifier", pkg, `unique-identifier="id"`, `unique-identifier="title"`, "unique identifier"},
		{"refines nothing", pkg, `refines="#author"`, `refines="#writer"`, "refines"},
		{"language of the book", pkg, `<dc:language>de`, `<dc:language>d e`, "no language"},
		{"version", pkg, `version="3.0"`, `version="2.0"`, "version"},
		{"accessibility", pkg, `schema:accessibilityHazard`, `schema:hazard`, "accessibilityHazard"},
		{"uid of the NCX", ncx, `urn:uuid:`, `urn:uuid:0`, "is not the package's"},
		{"NCX leads nowhere", ncx, `src="s013.xhtml"`, `src="s099.xhtml"`, "leads to no page"},
		{"order of contents", nav, `href="s008.xhtml"`, `href="s021.xhtml"`, "behind"},
		{"contents lead nowhere", nav, `href="s013.xhtml"`, `href="s099.xhtml"`, "leads to no page"},
		{"page list", nav, `s013.xhtml#page22`, `s013.xhtml#title`, "no page of the print book"},
		{"no landmarks", nav, `epub:type="landmarks"`, `epub:type="lot"`, "landmarks"},
		{"style sheet", "EPUB/style.css", "body {", "@import 'x'; body {", "style sheet"},
		{"text behind the page", chapter, "</html>", "</html>more", "text outside"},
		{"two pages in one", chapter, "</html>", "</html><html></html>", "2 root elements"},
		{"an address that no reader takes", chapter, `href="mailto:a@example.org"`, `href="https://exam ple/"`, "the address"},
		{"a note's number leads to text", chapter, `epub:type="footnote" role="doc-footnote" id="note2"`, `id="note2"`, "the note"},
		{"nested beyond reason", chapter, "<header>", "<header>" + strings.Repeat("<b>", maxCheckDepth+1), "in each other"},
		{"a picture as a style sheet", chapter, `href="style.css"`, `href="images/i001.png"`, "calls for"},
		{"item without an id", pkg, `<item id="i001"`, `<item id=""`, "without id or href"},
		{"item twice", pkg, `href="s014.xhtml"`, `href="s013.xhtml"`, "stands twice in the manifest"},
		{"a type Write does not use", pkg, `href="images/i001.png" media-type="image/png"`,
			`href="images/i001.png" media-type="image/webp"`, "does not use"},
		{"two navigation documents", pkg, `<item id="s013"`, `<item properties="nav" id="s013"`, "more than one navigation"},
		{"two covers", pkg, `<item id="i001"`, `<item properties="cover-image" id="i001"`, "2 covers"},
		{"an empty title", pkg, `id="title">Täler &amp; &lt;Höhen&gt; &quot;eins&quot;<`, `id="title"> <`, "an empty title"},
		{"no language", pkg, "<dc:language>de</dc:language>", "", "package.opf: no language"},
		{"spine without NCX", pkg, `toc="ncx"`, `toc="s013"`, "names no NCX"},
		{"a page outside of the reading order", pkg, `<itemref idref="s014"/>`, "", "is not in the spine"},
		{"an NCX without contents", ncx, "", "", "not in the archive"},
		{"missing page", chapter, "", "", "not in the archive"},
		{"missing package", pkg, "", "", "is not there"},
	} {
		got := strings.Join(Check(mutate(t, good, c.file, c.old, c.new)), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.what, got, c.want)
		}
	}
	for what, b := range map[string][]byte{
		"nothing": nil, "no zip": []byte("hello"), "cut": good[:len(good)/2], "mimetype not first": append([]byte("PK\x03\x04"),
			good[58:]...),
		"other type": bytes.Replace(good, []byte("epub+zip"), []byte("epub+zap"), 1),
	} {
		if len(Check(b)) == 0 {
			t.Errorf("%s: no fault", what)
		}
	}
}

func FuzzCheck(f *testing.F) {
	src := sample(f, "de")
	f.Add(write(f, src, specOf("de"), Options{Created: created}))
	f.Fuzz(func(t *testing.T, b []byte) { Check(b) })
}

func FuzzCheckPage(f *testing.F) {
	f.Add([]byte(`<html xmlns="http://www.w3.org/1999/xhtml" lang="de" xml:lang="de"><title>x</title><a href="#a">y</a></html>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &check{files: map[string][]byte{"p": b}, docs: map[string]*doc{}, media: map[string]string{"p": xhtml}, spine: []string{"p"},
			nav: "p"}
		c.content("p")
		if d := c.parse("p"); d != nil {
			c.manifest("p", d)
			c.metadata("p", d)
			c.readingOrder("p", d)
			c.ncx("p", d)
		}
		c.navigation()
	})
}
