package xmlpart

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"mappe/shared/book/reader/source"
)

var testNames = Names{"urn:a": 1, "urn:b": 2}

// tokens writes tokens down, texts in a row joined.
func tokens(s string) (string, error) {
	x := NewScanner(s, testNames, source.Default())
	var b strings.Builder
	for {
		kind, err := x.Next()
		if err != nil {
			return "", err
		}
		switch kind {
		case EOF:
			return b.String(), nil
		case Start:
			b.WriteString("<" + spaceOf(x.NS) + x.Name)
			for _, a := range x.Attrs {
				b.WriteString(" " + spaceOf(a.NS) + a.Name + "=" + a.Value + "|")
			}
			b.WriteString(">")
		case End:
			b.WriteString("</" + spaceOf(x.NS) + x.Name + ">")
		case Text:
			b.WriteString(x.Text)
		}
	}
}

func spaceOf(n NS) string {
	switch n {
	case None:
		return ""
	case 1:
		return "urn:a "
	case 2:
		return "urn:b "
	}
	return "? "
}

// judged writes down what encoding/xml reads.
func judged(s string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(s))
	var b strings.Builder
	depth, roots := 0, 0
	known := func(space string) string {
		switch space {
		case "":
			return ""
		case "urn:a", "urn:b":
			return space + " "
		}
		return "? "
	}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			if roots != 1 {
				return "", errors.New("not one root")
			}
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			b.WriteString("<" + known(t.Name.Space) + t.Name.Local)
			for _, a := range t.Attr {
				if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
					continue
				}
				b.WriteString(" " + known(a.Name.Space) + a.Name.Local + "=" + a.Value + "|")
			}
			b.WriteString(">")
		case xml.EndElement:
			depth--
			b.WriteString("</" + known(t.Name.Space) + t.Name.Local + ">")
		case xml.CharData:
			if depth > 0 {
				b.Write(t)
			} else if strings.TrimSpace(string(t)) != "" {
				return "", errors.New("text outside")
			}
		case xml.Directive:
			return "", errors.New("directive")
		}
	}
}

var seeds = []string{
	`<a/>`, `<a>x</a>`, `<?xml version="1.0"?><w:a xmlns:w="urn:a" w:b="1" c='2'><w:d/>t&amp;&#65;&#x42;</w:a>`,
	`<a xmlns="urn:a"><b xmlns="urn:b"><c/></b><d xmlns=""/></a>`, "<a>\r\nx\ry</a>", `<a><![CDATA[<&>]]></a>`,
	`<!-- c --><a><!-- d --></a>`,
	`<a b="&lt;&quot;&apos;"/>`, `<x:a xmlns:x="urn:c" x:y="1"/>`, `<a  b = "1"  ></a >`, `<p:a/>`,
	`<a`, `<a>`, `</a>`, `<a></b>`, `<a b></a>`, `<a b=c></a>`, `<a>&x;</a>`, `<a>&</a>`, `x<a/>`, `<a/><b/>`, `<a b="<"/>`,
	`<a><![CDATA[</a>`, `<!DOCTYPE a><a/>`, ``, `<a/ >`, `<A xmlns:=""/>`, `<a xmlns:="urn:a"><b/></a>`,
}

func TestScannerReadsAsEncodingXML(t *testing.T) {
	for _, s := range seeds {
		want, wantErr := judged(s)
		got, err := tokens(s)
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%q: error %v, encoding/xml %v", s, err, wantErr)
		} else if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := tokens(s)
		want, wantErr := judged(s)
		if wantErr == nil && len(s) < 2000 {
			if err != nil {
				t.Fatalf("%q: %v, encoding/xml reads it", s, err)
			}
			if got != want {
				t.Fatalf("%q: %q, want %q", s, got, want)
			}
		}
		if root, err := Parse(s, testNames, source.Default()); err == nil {
			root.AllText()
			root.Find(1, "nowhere")
		}
	})
}

func TestTree(t *testing.T) {
	root, err := Parse(`<w:a xmlns:w="urn:a"><w:b w:v="1">x<w:c/>y</w:b><w:b/>z</w:a>`, testNames, source.Default())
	if err != nil {
		t.Fatal(err)
	}
	b := root.Child(1, "b")
	if got := b.Attr(1, "v"); got != "1" {
		t.Errorf("attribute %q, want 1", got)
	}
	if _, ok := b.Next().Lookup(1, "v"); ok {
		t.Error("the second b has an attribute of the first")
	}
	if got := root.AllText(); got != "xyz" {
		t.Errorf("text %q, want xyz", got)
	}
	if !root.Path(1, "b", "c").Ok() || root.Path(1, "b", "d").Ok() || !root.Find(1, "c").Ok() || root.Child(2, "b").Ok() {
		t.Error("paths lead to the wrong elements")
	}
}

func TestDecodesUTF16(t *testing.T) {
	want := `<?xml version="1.0" encoding="UTF-16"?><a>Grüße 𝄞</a>`
	units := utf16.Encode([]rune(want))
	for _, little := range []bool{true, false} {
		for _, mark := range []bool{true, false} {
			var b []byte
			put := func(u uint16) {
				if little {
					b = append(b, byte(u), byte(u>>8))
				} else {
					b = append(b, byte(u>>8), byte(u))
				}
			}
			if mark {
				put(0xfeff)
			}
			for _, u := range units {
				put(u)
			}
			if got := Decode(b); got != want {
				t.Errorf("little %v mark %v: %q", little, mark, got)
			}
		}
	}
	if got := Decode([]byte("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc</a>")); !strings.Contains(got, "ü") {
		t.Errorf("Latin 1 as %q", got)
	}
	if got := Decode([]byte("\xef\xbb\xbf<a>\xff</a>")); got != "<a>\ufffd</a>" {
		t.Errorf("broken UTF-8 as %q", got)
	}
}

func TestHostileXMLIsRefused(t *testing.T) {
	l := source.Default()
	for name, s := range map[string]string{
		"nesting":         strings.Repeat("<a>", 15_000) + strings.Repeat("</a>", 15_000),
		"entities":        `<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>`,
		"outside":         `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
		"attributes":      "<a " + attrs(100_000) + "/>",
		"declarations":    strings.Repeat(`<a xmlns:a="x" xmlns:b="x" xmlns:c="x" xmlns:d="x" xmlns:e="x">`, 500),
		"a tree of nodes": "<a>" + strings.Repeat("<b/>", 4_000_000) + "</a>",
	} {
		start := time.Now()
		_, err := Parse(s, testNames, l)
		if err == nil {
			t.Errorf("%s: read", name)
		}
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: took %v", name, d)
		}
	}
	if _, err := ParseWeb(`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://x"><html>&nbsp;&eacute;</html>`, testNames,
		l); err != nil {
		t.Errorf("a page of the web: %v", err)
	}
	if _, err := ParseWeb(`<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>`, testNames, l); err == nil {
		t.Error("declarations of entities are read")
	}
}

func attrs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("a")
		b.WriteString(strings.Repeat("x", i%7))
		b.WriteString(`="1" `)
	}
	return b.String()
}

// TestBesideEncodingXML: what of foreign files encoding/xml takes without a limit, or cannot take. It is why the
// readers have a scanner of their own, with BenchmarkScanner.
func TestBesideEncodingXML(t *testing.T) {
	utf16le := "\xff\xfe" + strings.Join(strings.Split(`<?xml version="1.0" encoding="UTF-16"?><a>b</a>`, ""), "\x00") + "\x00"
	for _, c := range []struct {
		name, part   string
		theirs, ours bool // it is read
	}{
		{"an ordinary part", `<?xml version="1.0" encoding="UTF-8"?><a b="c">d</a>`, true, true},
		{"15,000 elements in each other", strings.Repeat("<a>", 15_000) + strings.Repeat("</a>", 15_000), true, false},
		{"an element with 100,000 attributes", "<a " + attrs(100_000) + "/>", true, false},
		{"a document type that declares entities", `<!DOCTYPE a [<!ENTITY b "bbbb">]><a/>`, true, false},
		{"two roots", "<a/><b/>", true, false},
		{"text behind the root", "<a/>b", true, false},
		{"UTF-16, as some programs write parts", utf16le, false, true},
		{"Windows-1252, as old programs write them", "<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>\xe4</a>", false, true},
		{"a letter that is no UTF-8", "<a>\xff</a>", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := xml.NewDecoder(strings.NewReader(c.part))
			var err error
			for err == nil {
				_, err = d.Token()
			}
			if read := errors.Is(err, io.EOF); read != c.theirs {
				t.Errorf("encoding/xml: read %v (%v), want %v", read, err, c.theirs)
			}
			if _, err := Parse(Decode([]byte(c.part)), testNames, source.Default()); (err == nil) != c.ours {
				t.Errorf("xmlpart: %v, want read: %v", err, c.ours)
			}
		})
	}
}

func BenchmarkScanner(b *testing.B) {
	s := `<w:a xmlns:w="urn:a">` + strings.Repeat(`<w:r w:rsidR="00A"><w:rPr><w:lang w:val="en"/></w:rPr><w:t>words of a text</w:t></w:r>`,
		10_000) + `</w:a>`
	b.Run("own", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			x := NewScanner(s, testNames, source.Default())
			for k, err := x.Next(); k != EOF; k, err = x.Next() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			d := xml.NewDecoder(strings.NewReader(s))
			for _, err := d.Token(); !errors.Is(err, io.EOF); _, err = d.Token() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
