package check

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/book/pdf"
)

func TestTakesWhatWriteGives(t *testing.T) {
	b := manuscriptOf(t, 2)
	for name, preset := range presets {
		got := write(t, set(t, b, specification(preset), preset), preset)
		for _, f := range Check(got, preset) {
			t.Errorf("%s: %s", name, f)
		}
		for other, k := range presets {
			if k != preset && len(Check(got, k)) == 0 {
				t.Errorf("%s passes as %s", name, other)
			}
		}
		if f := Check(split(t, got).join(), preset); len(f) > 0 {
			t.Errorf("%s put together again: %v", name, f)
		}
	}
}

func TestTitles(t *testing.T) {
	b := manuscriptOf(t, 1)
	for _, title := range []string{"", " ", "Die 📚 Mappe", "Täler (und) \\ Höhen", "a\x01b\nc", "\xff", "<&>"} {
		for name, preset := range presets {
			p := set(t, b, specification(preset), preset)
			p.Info.Title = title
			for _, f := range Check(write(t, p, preset), preset) {
				t.Errorf("%q as %s: %s", title, name, f)
			}
		}
	}
}

// mutation is a change that breaks a rule, and a part of the sentence that says so.
type mutation struct {
	what   string
	preset pdf.Preset
	change func(t *testing.T, p parts) parts
	want   string
}

func swap(old, new string) func(*testing.T, parts) parts {
	return func(t *testing.T, p parts) parts {
		p.replace(t, old, new)
		return p
	}
}

func trailer(old, new string) func(*testing.T, parts) parts {
	return func(t *testing.T, p parts) parts {
		if !strings.Contains(p.trailer, old) {
			t.Fatalf("the trailer has no %q", old)
		}
		p.trailer = strings.Replace(p.trailer, old, new, 1)
		return p
	}
}

func draw(page int, old, new string) func(*testing.T, parts) parts {
	return func(t *testing.T, p parts) parts {
		p.content(t, page, func(s string) string { return strings.Replace(s, old, new, 1) })
		return p
	}
}

// within changes the first object that has what.
func within(what, old, new string) func(*testing.T, parts) parts {
	return func(t *testing.T, p parts) parts {
		n := p.find(t, what)
		p.objects[n] = strings.Replace(p.objects[n], old, new, 1)
		return p
	}
}

// packed changes what the stream of the first object that has what holds.
func packed(what string, change func(string) string) func(*testing.T, parts) parts {
	return func(t *testing.T, p parts) parts {
		p.repack(t, p.find(t, what), change)
		return p
	}
}

// instead puts one text in the place of another of the same length.
func instead(old, new string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, new, 1) }
}

// mutations are one for each rule. Page 3 of the sample is the first of text.
var mutations = []mutation{
	{"version", pdf.X1a, func(t *testing.T, p parts) parts { p.head = strings.Replace(p.head, "1.3", "1.4", 1); return p }, "version"},
	{"version of X-4", pdf.X4, func(t *testing.T, p parts) parts { p.head = strings.Replace(p.head, "1.6", "1.7", 1); return p },
		"version"},
	{"not binary", pdf.X1a, func(t *testing.T, p parts) parts { p.head = "%PDF-1.3\n%abcd\n"; return p }, "binary"},
	{"encrypted", pdf.X1a, trailer("/ID", "/Encrypt 1 0 R/ID"), "encrypted"},
	{"no ID", pdf.X1a, trailer("/ID", "/IX"), "no ID"},
	{"updated", pdf.X1a, trailer("/ID", "/Prev 5/ID"), "changed after"},
	{"title", pdf.X1a, swap("/Title (Die Mappe)", "/Title ( )"), "Title"},
	{"created", pdf.X1a, swap("/CreationDate (D:2026", "/CreationDate (2026"), "CreationDate"},
	{"changed", pdf.X1a, swap("/ModDate (D:20261101", "/ModDate (D:20261301"), "ModDate"},
	{"key of PDF/X", pdf.X1a, swap("/GTS_PDFXVersion(PDF/X-1:2001)", ""), "GTS_PDFXVersion"},
	{"conformance", pdf.X1a, swap("(PDF/X-1a:2001)", "(PDF/X-1a:2003)"), "GTS_PDFXConformance"},
	{"trapped", pdf.X1a, swap("/Trapped/False", "/Trapped/Unknown"), "Trapped"},
	{"no intent", pdf.X1a, swap("/OutputIntents[", "/OutputIntentX["), "output intents"},
	{"no condition", pdf.X1a, swap("/OutputConditionIdentifier (FOGRA39)", "/OutputConditionIdentifier ()"), "OutputConditionIdentifier"},
	{"no registry", pdf.X1a, swap("/RegistryName(http://www.color.org)", ""), "registry"},
	{"intent of PDF/A", pdf.X1a, swap("/S/GTS_PDFX", "/S/GTS_PDFA1"), "not one of PDF/X"},
	{"no trim", pdf.X1a, swap("/TrimBox[", "/ArtBox["), "do not lie in each other"},
	{"trim beyond bleed", pdf.X1a, swap("/TrimBox[0 ", "/TrimBox[-9 "), "do not lie in each other"},
	{"bleed beyond media", pdf.X1a, swap("/BleedBox[0 0 ", "/BleedBox[0 -3 "), "do not lie in each other"},
	{"another size", pdf.X1a, func(t *testing.T, p parts) parts {
		n := p.find(t, "/Type/Page/Parent")
		p.objects[n] = strings.Replace(p.objects[n], "/TrimBox[0 ", "/TrimBox[7 ", 1)
		return p
	}, "another size"},
	{"turned", pdf.X1a, swap("/Type/Page/Parent", "/Type/Page/Rotate 90/Parent"), "Rotate"},
	{"annotation", pdf.X1a, swap("/Type/Page/Parent", "/Type/Page/Annots[]/Parent"), "annotations"},
	{"bookmarks", pdf.X1a, swap("/Type/Catalog", "/Type/Catalog/Outlines 1 0 R"), "bookmarks"},
	{"script", pdf.X1a, swap("/Type/Catalog", "/Type/Catalog/OpenAction<</S/JavaScript/JS(x)>>"), "JavaScript"},
	{"form", pdf.X1a, swap("/Type/Catalog", "/Type/Catalog/AcroForm<<>>"), "AcroForm"},
	{"attachment", pdf.X1a, swap("/Type/Catalog", "/Type/Catalog/Names<</EmbeddedFiles 1 0 R>>"), "EmbeddedFiles"},
	{"layers", pdf.X4, swap("/Type/Catalog", "/Type/Catalog/OCProperties<<>>"), "OCProperties"},
	{"transparency group", pdf.X1a, swap("/Type/Page/Parent", "/Type/Page/Group<</S/Transparency>>/Parent"), "Group"},
	{"transparent state", pdf.X1a, swap("/ProcSet", "/ExtGState<</G<</ca 0.5>>>>/ProcSet"), "ExtGState"},
	{"soft mask", pdf.X1a, swap("/Subtype/Image", "/Subtype/Image/SMask 1 0 R"), "SMask"},
	{"picture in colours", pdf.X1a, swap("/ColorSpace/DeviceGray", "/ColorSpace/DeviceRGB"), "has the colours"},
	{"picture cut", pdf.X1a, packed("/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode", func(s string) string {
		return s[:len(s)-1]
	}), "bytes, want"},
	{"another JPEG", pdf.X1a, within("/DCTDecode", "/Width 900", "/Width 901"), "another JPEG"},
	{"LZW", pdf.X1a, swap("/Filter/FlateDecode", "/Filter/LZWDecode"), "LZWDecode"},
	{"JPEG 2000", pdf.X4, swap("/Filter/DCTDecode", "/Filter/JPXDecode"), "JPXDecode"},
	{"outside stream", pdf.X1a, swap("/Filter/FlateDecode", "/F(x.bin)/Filter/FlateDecode"), "external"},
	{"font not embedded", pdf.X1a, swap("/FontFile3", "/FontFileX"), "not embedded"},
	{"font not a subset", pdf.X1a, swap("/BaseFont/MAPPEA+", "/BaseFont/"), "no subset"},
	{"font without text", pdf.X1a, swap("/ToUnicode", "/ToUnicodeX"), "what its text is"},
	{"font with too few widths", pdf.X1a, swap("/W [0[", "/W [0[1 "), "widths"},
	{"font's text wrong", pdf.X1a, func(t *testing.T, p parts) parts {
		n := p.find(t, "/Subtype/CIDFontType0C")
		p.repack(t, n+3, func(s string) string { return strings.ReplaceAll(s, "> <", ">  <") })
		return p
	}, "says the text of 0"},
	{"RGB text", pdf.X1a, draw(3, "BT\n", "1 0 0 rg BT\n"), `operator "rg"`},
	{"colour space", pdf.X4, draw(3, "BT\n", "/Lab cs BT\n"), `operator "cs"`},
	{"state", pdf.X1a, draw(3, "BT\n", "/G gs BT\n"), `operator "gs"`},
	{"inline picture", pdf.X1a, draw(3, "BT\n", "BI ID EI BT\n"), `operator "BI"`},
	{"no colour", pdf.X1a, draw(3, "0 g", "2 g"), "colour of 2"},
	{"missing glyph", pdf.X1a, draw(3, "[(", "[(\\000\\000"), "missing one"},
	{"glyph outside", pdf.X1a, draw(3, "[(", "[(\\377\\360"), "no width"},
	{"unknown font", pdf.X1a, draw(3, "/F0 ", "/F99 "), "not among its resources"},
	{"text beside the page", pdf.X1a, draw(3, "1 0 0 1 ", "1 0 0 1 -"), "beside the page"},
	{"unknown picture", pdf.X1a, draw(3, "BT\n", "q 9 0 0 9 9 9 cm /I99 Do Q BT\n"), "not among its resources"},
	{"state not restored", pdf.X1a, draw(3, "BT\n", "q BT\n"), "in the middle"},
	{"state restored twice", pdf.X1a, draw(3, "BT\n", "Q BT\n"), "Q without q"},
	{"text in text", pdf.X1a, draw(3, "BT\n", "BT BT\n"), "text object"},
	{"page without content", pdf.X1a, swap("/Contents ", "/ContentX "), "no content"},
	{"page twice", pdf.X1a, func(t *testing.T, p parts) parts {
		n := p.find(t, "/Type/Pages")
		o := p.objects[n]
		first := o[strings.Index(o, "[")+1 : strings.Index(o, " 0 R")]
		p.objects[n] = strings.Replace(o, "]", first+" 0 R]", 1)
		return p
	}, "double"},
	{"count", pdf.X1a, swap("/Count ", "/Count 1"), "counts"},
	{"unused object", pdf.X1a, func(t *testing.T, p parts) parts {
		n := len(p.objects) + 1
		p.objects[n] = strings.Replace("N 0 obj\n(x)\nendobj\n", "N", itoa(n), 1)
		p.trailer = strings.Replace(p.trailer, "/Size "+itoa(n), "/Size "+itoa(n+1), 1)
		return p
	}, "nothing asks for"},
	{"dangling reference", pdf.X1a, swap("/Type/Catalog", "/Type/Catalog/Lang 99999 0 R"), "there is no object"},
	{"two objects of one number", pdf.X1a, swap(" 0 obj", " 1 obj"), "is not at byte"},
	{"length of a stream", pdf.X1a, swap("/Length ", "/Length 1"), "object"},
	{"size", pdf.X1a, trailer("/Size ", "/Size 1"), "Size"},
	{"no profile", pdf.X4, swap("/DestOutputProfile", "/DestOutputProfilX"), "no profile"},
	{"profile for RGB", pdf.X4, packed("/N 1", instead("GRAY", "RGB ")), "profile is of class"},
	{"profile for monitors", pdf.X4, packed("/N 1", instead("prtr", "mntr")), "profile is of class"},
	{"profile without curve", pdf.X4, packed("/N 1", instead("kTRC", "xTRC")), "kTRC"},
	{"no metadata", pdf.X4, swap("/Metadata ", "/MetadatX "), "no metadata"},
	{"metadata of X-3", pdf.X4, swap(">PDF/X-4<", ">PDF/X-3<"), "GTS_PDFXVersion"},
	{"metadata of another time", pdf.X4, swap("<xmp:CreateDate>2026", "<xmp:CreateDate>2025"), "CreateDate"},
	{"metadata of another title", pdf.X4, swap(">Die Mappe<", ">Die Lappe<"), "title"},
	{"metadata not well formed", pdf.X4, swap("</rdf:RDF>", "</rdf:RXF>"), "metadata"},
	{"link to a program", pdf.Proof, swap("/A<</S/URI/URI (https:", "/A<</S/URI/URI (file::"), "leads to"},
	{"link to a file", pdf.Proof, swap("/A<</S/URI/URI (", "/A<</S/Launch/URI ("), "Launch"},
	{"note instead of a link", pdf.Proof, swap("/Subtype/Link", "/Subtype/Text"), "no link"},
	{"link to no page", pdf.Proof, func(t *testing.T, p parts) parts {
		n := p.find(t, "/Type/Catalog")
		for k, o := range p.objects {
			if i := strings.Index(o, "/Subtype/Link"); i > 0 && strings.Contains(o[i:], "/Dest[") {
				p.objects[k] = o[:i] + strings.Replace(o[i:], "/Dest[", "/Dest["+itoa(n)+" 0 R/XYZ null 0 null]/X[", 1)
			}
		}
		return p
	}, "nowhere"},
	{"bookmark to no page", pdf.Proof, func(t *testing.T, p parts) parts {
		n := p.find(t, "/Type/Outlines")
		p.objects[n-1] = strings.Replace(p.objects[n-1], "/Dest[", "/DesX[", 1)
		for k := range p.objects {
			if strings.Contains(p.objects[k], "/Title <FEFF") || strings.Contains(p.objects[k], "/Title (") &&
				strings.Contains(p.objects[k], "/Parent") {
				p.objects[k] = strings.Replace(p.objects[k], "/XYZ", "/FitB", 1)
			}
		}
		return p
	}, "bookmark"},
	{"bookmarks of a wrong count", pdf.Proof, within("/Type/Outlines", "/Count ", "/Count 1"), "stand below it"},
	{"labels", pdf.Proof, swap("/Nums[0", "/Nums[1"), "labels"},
}

func itoa(n int) string { return strconv.Itoa(n) }

func TestMutations(t *testing.T) {
	b := manuscriptOf(t, 3)
	good := map[pdf.Preset][]byte{}
	for _, preset := range presets {
		good[preset] = write(t, set(t, b, specification(preset), preset), preset)
	}
	for _, m := range mutations {
		t.Run(m.what, func(t *testing.T) {
			changed := m.change(t, split(t, good[m.preset])).join()
			if bytes.Equal(changed, good[m.preset]) {
				t.Fatal("the change changes nothing")
			}
			if got := strings.Join(Check(changed, m.preset), "\n"); !strings.Contains(got, m.want) {
				t.Errorf("%q, want %q in it", got, m.want)
			}
		})
	}
	x := good[pdf.X1a]
	for what, b := range map[string][]byte{
		"nothing": nil, "text": []byte(strings.Repeat("hello ", 100)), "cut": x[:len(x)-10], "half": x[:len(x)/2],
		"appended": append(bytes.Clone(x), "\n1 0 obj\n(x)\nendobj\nstartxref\n5\n%%EOF\n"...),
		"no table": bytes.Replace(x, []byte("\nxref\n"), []byte("\nxxxx\n"), 1),
	} {
		if len(Check(b, pdf.X1a)) == 0 {
			t.Errorf("%s: no fault", what)
		}
	}
}

// ofPDFX are rules that PDF/X adds to PDF, by the names of their mutations.
var ofPDFX = []string{
	"title", "key of PDF/X", "conformance", "trapped", "no intent", "no condition", "no registry", "intent of PDF/A", "no trim",
	"trim beyond bleed",
	"bleed beyond media", "annotation", "script", "form", "layers", "transparency group", "transparent state", "soft mask",
	"picture in colours", "font not embedded",
	"RGB text", "colour space", "no profile", "profile for RGB", "profile for monitors", "no metadata", "metadata of X-3",
	"metadata of another title",
}

// TestGeneralReadersKnowNoPDFX is why the self-check reads the file itself: a reader of PDF in general finds no
// fault where a rule of PDF/X is broken.
func TestGeneralReadersKnowNoPDFX(t *testing.T) {
	qpdf := oracles.Program(t, "qpdf")
	b := manuscriptOf(t, 2)
	good := map[pdf.Preset][]byte{}
	tried := 0
	for _, m := range mutations {
		if !slices.Contains(ofPDFX, m.what) {
			continue
		}
		tried++
		if good[m.preset] == nil {
			good[m.preset] = write(t, set(t, b, specification(m.preset), m.preset), m.preset)
		}
		changed := m.change(t, split(t, good[m.preset])).join()
		file := filepath.Join(t.TempDir(), "changed.pdf")
		if err := os.WriteFile(file, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(qpdf, "--check", file).CombinedOutput(); err != nil {
			t.Errorf("%s: qpdf finds it too: %v\n%s", m.what, err, out)
		}
		if len(Check(changed, m.preset)) == 0 {
			t.Errorf("%s: no fault", m.what)
		}
	}
	if tried != len(ofPDFX) {
		t.Errorf("%d of %d rules tried", tried, len(ofPDFX))
	}
}

// TestSecondOpinion lets qpdf and Ghostscript read the files, and the profile of X-4.
func TestSecondOpinion(t *testing.T) {
	b := manuscriptOf(t, 1)
	for name, preset := range presets {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name+".pdf")
			if err := os.WriteFile(file, write(t, set(t, b, specification(preset), preset), preset), 0o644); err != nil {
				t.Fatal(err)
			}
			if out := tool(t, "qpdf", "--check", file); !strings.Contains(out, "No syntax or stream encoding errors") {
				t.Errorf("qpdf: %s", out)
			}
			if out := tool(t, "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONWARNING", "-sDEVICE=nullpage", "-dUsePDFX3Profile=0",
				file); strings.TrimSpace(out) != "" {
				t.Errorf("gs: %s", out)
			}
		})
	}
}

func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(oracles.Program(t, name), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func FuzzCheck(f *testing.F) {
	tiny := parts{head: "%PDF-1.3\n%\xe2\xe3\xcf\xd3\n",
		trailer: "<</Size 6/Root 1 0 R/Info 2 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]>>\n",
		objects: map[int]string{
			1: "1 0 obj\n<</Type/Catalog/Pages 3 0 R/OutputIntents[<</S/GTS_PDFX/OutputConditionIdentifier(FOGRA39)/Info(x)/RegistryName(http://www.color.org)>>]>>\nendobj\n",
			2: "2 0 obj\n<</Title <FEFF0041>/CreationDate(D:20261101000000Z)/ModDate(D:20261101000000Z)/GTS_PDFXVersion(PDF/X-1:2001)/GTS_PDFXConformance(PDF/X-1a:2001)/Trapped/False>>\nendobj\n",
			3: "3 0 obj\n<</Type/Pages/Count 1/Kids[4 0 R]>>\nendobj\n",
			4: "4 0 obj\n<</Type/Page/Parent 3 0 R/MediaBox[0 0 90 90]/BleedBox[0 0 90 90]/TrimBox[0 0 90 90]/Contents 5 0 R/Resources<</ProcSet[/PDF]>>>>\nendobj\n",
			5: "5 0 obj\n<</Length 15>>\nstream\n0 g 1 1 9 9 re f\nendstream\nendobj\n",
		}}
	tiny.objects[5] = strings.Replace(tiny.objects[5], "15", itoa(len("0 g 1 1 9 9 re f")), 1)
	for k := range uint8(4) {
		f.Add(tiny.join(), k)
	}
	if got := Check(tiny.join(), pdf.X1a); len(got) > 0 {
		f.Fatalf("the seed: %v", got)
	}
	f.Fuzz(func(t *testing.T, b []byte, preset uint8) { Check(b, pdf.Preset(preset%4)) })
}

func FuzzContent(f *testing.F) {
	f.Add([]byte("0 g\nBT\n/F0 11 Tf\n1 0 0 1 72 700 Tm\n[<0001> -20 <0002>] TJ\nET\nq 9 0 0 9 9 9 cm /I0 Do Q 1 2 3 4 re f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &check{}
		f0 := &face{shown: map[int]int{}, widths: []float64{0, 500, 600}}
		c.content(&sheet{number: 1, media: box{0, 0, 500, 800}}, b, map[name]*face{"F0": f0},
			map[name]*picture{"I0": {width: 9, height: 9}})
		charStrings(b)
		cmap(string(b))
		c.profile(b, 1)
	})
}

func BenchmarkCheck(b *testing.B) {
	out := write(b, set(b, manuscriptOf(b, 18), specification(pdf.X1a), pdf.X1a), pdf.X1a)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if f := Check(out, pdf.X1a); len(f) > 0 {
			b.Fatal(f)
		}
	}
}
