package epubin

import (
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/reader/source"
)

func TestRead(t *testing.T) {
	b, found, err := Read(EBook(
		`<section epub:type="titlepage"><h1>A Book</h1><p>Anna</p></section>`,
		`<section epub:type="dedication"><p class="mitte">For <span class="kursiv">Ben</span></p></section>`,
		`<nav epub:type="toc"><ol><li><a href="p4.xhtml">One</a></li></ol></nav>`,
		`<section epub:type="part"><h2>Part I</h2></section>`,
		`<section epub:type="chapter"><h3 id="c1">One</h3><p>a<a epub:type="noteref" href="p6.xhtml#n1">1</a> see <a href="p5.xhtml#c2">two</a>&nbsp;<a id="x"/>b</p><h4>Sub</h4><hr/></section><section epub:type="chapter"><h3 id="c2">Two</h3><p>c</p></section>`,
		`<aside epub:type="footnote" id="n1"><p>A note.</p></aside>`,
	), source.Default())
	if err != nil {
		t.Fatal(err)
	}
	want := "§title_page |A Book\np Anna\n§dedication |\npa2 For </Ben>\n§part |Part I\n§chapter |One\np a[note 0] see [two→#p5-c2]\u00a0b\nh1 Sub\nscene * * *\n§chapter |[#p5-c2]Two\np c\nnote 0 false\np A note.\n"
	if got := Outline(b); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := Told(found), "toc_field:One"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	if b.Meta.Title != "A Book" || b.Meta.Author != "Anna Autor" || b.Meta.Language != "de-AT" {
		t.Errorf("meta %+v", b.Meta)
	}
	Sound(t, b, found)
}

func TestProtectedBooksAreRefused(t *testing.T) {
	container := Part{Name: "META-INF/container.xml",
		Body: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`}
	encrypted := func(how string) Part {
		return Part{Name: "META-INF/encryption.xml",
			Body: `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="` + how + `"/></enc:EncryptedData></encryption>`}
	}
	Refuses(t, Read, map[string]Refusal{
		"encrypted": {Zip(container, encrypted("http://www.w3.org/2001/04/xmlenc#aes256-cbc")), source.Encrypted},
		"rights":    {Zip(container, Part{Name: "META-INF/rights.xml", Body: "<a/>"}), source.Encrypted},
		// what is missing is the package document
		"an obfuscated font": {Zip(container, encrypted("http://www.idpf.org/2008/embedding")), source.Broken},
	})
}

func FuzzRead(f *testing.F) {
	f.Add(`<section epub:type="chapter"><h2>a</h2><p>b<a epub:type="noteref" href="#n">1</a></p></section>`,
		`<aside epub:type="footnote" id="n">c</aside>`)
	f.Fuzz(func(t *testing.T, one, two string) { Withstands(t, Read, EBook(one, two)) })
}

// shelf is an e-book of the given items and spine; parts are its files, and each page says what it is.
func shelf(manifest, spine string, parts ...Part) []byte {
	return Zip(append([]Part{
		{Name: "META-INF/container.xml",
			Body: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/a.opf"/></rootfiles></container>`},
		{Name: "book/a.opf", Body: `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>` + manifest + `</manifest><spine>` +
			spine + `</spine></package>`},
	}, parts...)...)
}

// TestWhatIsRead: the pages of the spine in their order, in the first form that can be read (EPUB 3.3, 5.6 and 5.7);
// the cover is not part of the book.
func TestWhatIsRead(t *testing.T) {
	page := func(name, s string) Part {
		return Part{Name: "book/" + name, Body: `<html xmlns="http://www.w3.org/1999/xhtml"><body>` + s + `</body></html>`}
	}
	item := func(id, href, media, more string) string {
		return `<item id="` + id + `" href="` + href + `" media-type="` + media + `" ` + more + `/>`
	}
	const xhtml, ref = "application/xhtml+xml", `<itemref idref="`
	one, two := page("one.xhtml", "<p>One.</p>"), page("two two.xhtml", "<p>Two.</p>")
	png := Part{Name: "book/p.png", Body: PNG(40, 30)}
	both := item("a", "one.xhtml", xhtml, "") + item("b", "two%20two.xhtml", xhtml, "")
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"in the order of the spine", shelf(both, ref+`b"/>`+ref+`a"/>`, one, two), "p Two.\n§other |\np One.\n"},
		{"a page twice is read once", shelf(both, ref+`a"/>`+ref+`a"/>`, one, two), "p One.\n"},
		{"a page that is not there", shelf(both, ref+`a"/>`+ref+`b"/>`, one), "p One.\n"},
		{"a page outside of the spine", shelf(both, ref+`a"/>`, one, two), "p One.\n"},
		{"the navigation document is no page",
			shelf(item("n", "one.xhtml", xhtml, `properties="nav"`)+item("b", "two%20two.xhtml", xhtml, ""), ref+`n"/>`+ref+`b"/>`, one,
				two), "p Two.\n"},
		{"the page of a cover", shelf(item("cover", "c.xhtml", xhtml, "")+both, ref+`cover"/>`+ref+`a"/>`,
			page("c.xhtml", `<img src="p.png"/>`), png, one), "p One.\n"},
		{"a page called cover that has words", shelf(item("cover", "c.xhtml", xhtml, ""), ref+`cover"/>`,
			page("c.xhtml", "<p>The cover of the pot.</p>")), "p The cover of the pot.\n"},
		{"a page that is a picture", shelf(item("p", "p.png", "image/png", "")+both, ref+`a"/>`+ref+`p"/>`, one, png),
			"p One.\nfig 0 0mm alt= caption=\n"},
		{"a page in another form", shelf(item("v", "v.mp4", "video/mp4", `fallback="a"`)+both, ref+`v"/>`, one,
			Part{Name: "book/v.mp4", Body: "x"}), "p One.\n"},
		{"forms that lead in a circle",
			shelf(item("v", "v.mp4", "video/mp4", `fallback="w"`)+item("w", "v.mp4", "video/mp4", `fallback="v"`)+both,
				ref+`v"/>`+ref+`a"/>`, one, Part{Name: "book/v.mp4", Body: "x"}), "p One.\n"},
		{"a page of before EPUB", shelf(item("a", "one.xhtml", "text/x-oeb1-document", ""), ref+`a"/>`, one), "p One.\n"},
	} {
		b, _, err := Read(c.file, source.Default())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := Outline(b); got != "§other |\n"+c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	Refuses(t, Read, map[string]Refusal{
		"no page that can be read": {shelf(item("v", "v.mp4", "video/mp4", ""), ref+`v"/>`, Part{Name: "book/v.mp4", Body: "x"}),
			source.Broken},
		"an empty spine": {shelf(both, "", one, two), source.Broken},
		"no container":   {Zip(one), source.Broken},
		"a package that is no XML": {Zip(Part{Name: "META-INF/container.xml",
			Body: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`}, Part{Name: "a.opf", Body: "<package>"}), source.Broken},
		"a page that is encrypted": {shelf(both, ref+`a"/>`, one,
			Part{Name: "META-INF/encryption.xml",
				Body: `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><enc:CipherData><enc:CipherReference URI="book/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`}), source.Encrypted},
	})
}
