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
	container := Part{Name: "META-INF/container.xml", Body: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`}
	encrypted := func(how string) Part {
		return Part{Name: "META-INF/encryption.xml", Body: `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="` + how + `"/></enc:EncryptedData></encryption>`}
	}
	Refuses(t, Read, map[string]Refusal{
		"encrypted":          {Zip(container, encrypted("http://www.w3.org/2001/04/xmlenc#aes256-cbc")), source.Encrypted},
		"rights":             {Zip(container, Part{Name: "META-INF/rights.xml", Body: "<a/>"}), source.Encrypted},
		"an obfuscated font": {Zip(container, encrypted("http://www.idpf.org/2008/embedding")), source.Broken}, // what is missing is the package document
	})
}

func FuzzRead(f *testing.F) {
	f.Add(`<section epub:type="chapter"><h2>a</h2><p>b<a epub:type="noteref" href="#n">1</a></p></section>`, `<aside epub:type="footnote" id="n">c</aside>`)
	f.Fuzz(func(t *testing.T, one, two string) { Withstands(t, Read, EBook(one, two)) })
}
