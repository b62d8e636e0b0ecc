package pdf

import (
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// info writes the document's information.
func (f *file) info() ref {
	i := f.book.Info
	var b strings.Builder
	b.WriteString("<<")
	for _, e := range []struct{ key, value string }{
		{"Title", f.title()}, {"Author", i.Author}, {"Subject", i.Subject}, {"Producer", f.opt.Producer}, {"Creator", f.opt.Producer},
	} {
		if e.value != "" {
			fmt.Fprintf(&b, "/%s %s", e.key, text(e.value))
		}
	}
	fmt.Fprintf(&b, "/CreationDate %s/ModDate %s", text(date(f.opt.Created)), text(date(f.opt.Created)))
	switch f.opt.Preset {
	case X1a:
		b.WriteString("/GTS_PDFXVersion(PDF/X-1:2001)/GTS_PDFXConformance(PDF/X-1a:2001)/Trapped/False")
	case X4:
		b.WriteString("/GTS_PDFXVersion(PDF/X-4)/Trapped/False")
	}
	b.WriteString(">>")
	return f.object("%s", b.String())
}

// title is the book's; PDF/X asks for one.
func (f *file) title() string {
	noControl := func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}
	if t := strings.TrimSpace(strings.Map(noControl, f.book.Info.Title)); t != "" {
		return t
	}
	return "Untitled"
}

func date(t time.Time) string { return t.UTC().Format("D:20060102150405Z") }

// catalog writes the root.
func (f *file) catalog(tree ref, pages []ref) ref {
	var b strings.Builder
	fmt.Fprintf(&b, "<</Type/Catalog/Pages %s", tree)
	if lang := f.book.Info.Language; lang != "" && f.opt.Preset != X1a { // Lang is of PDF 1.4
		fmt.Fprintf(&b, "/Lang %s", text(lang))
	}
	switch f.opt.Preset {
	case Proof:
		if o := f.outline(pages); o != 0 {
			fmt.Fprintf(&b, "/Outlines %s/PageMode/UseOutlines", o)
		}
		fmt.Fprintf(&b, "/ViewerPreferences<</DisplayDocTitle true>>/PageLayout/TwoPageRight%s", f.labels())
	case Sheet:
		b.WriteString("/ViewerPreferences<</DisplayDocTitle true>>")
	case X1a:
		condition := f.opt.Condition
		if condition == "" {
			condition = "FOGRA39"
		}
		fmt.Fprintf(&b, "/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier %s/OutputCondition %s/Info %s/RegistryName(http://www.color.org)>>]",
			text(condition), text(condition), text(condition))
	case X4:
		profile := f.reserve()
		f.stream(profile, "/N 1", grayProfile())
		meta := f.reserve()
		f.raw(meta, "/Type/Metadata/Subtype/XML", []byte(f.xmp()))
		fmt.Fprintf(&b, "/Metadata %s/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(Black)/Info(Black ink, 20 %% dot gain)/DestOutputProfile %s>>]", meta, profile)
	}
	b.WriteString(">>")
	return f.object("%s", b.String())
}

// labels give the pages their folios in the viewer.
func (f *file) labels() string {
	var b strings.Builder
	b.WriteString("/PageLabels<</Nums[")
	for i, p := range f.book.Pages {
		fmt.Fprintf(&b, "%d<</P %s>>", i, text(p.Folio))
	}
	b.WriteString("]>>")
	return b.String()
}

// outline writes the bookmarks and gives their root, 0 if the book has no bookmarks.
func (f *file) outline(pages []ref) ref {
	items := f.book.Outline
	if len(items) == 0 {
		return 0
	}
	root := f.reserve()
	refs := make([]ref, len(items))
	parent := make([]int, len(items)) // index of the item above, -1 for the root
	children := map[int][]int{}
	var path []int
	for i, it := range items {
		refs[i] = f.reserve()
		for len(path) > 0 && items[path[len(path)-1]].Level >= it.Level {
			path = path[:len(path)-1]
		}
		parent[i] = -1
		if len(path) > 0 {
			parent[i] = path[len(path)-1]
		}
		children[parent[i]] = append(children[parent[i]], i)
		path = append(path, i)
	}
	for i, it := range items {
		up := root
		if parent[i] >= 0 {
			up = refs[parent[i]]
		}
		f.begin(refs[i])
		f.out.printf("<</Title %s/Parent %s/Dest[%s/XYZ null %s null]", text(it.Title), up, pages[it.Page], number(f.y(it.Y)))
		siblings := children[parent[i]]
		for k, s := range siblings {
			if s != i {
				continue
			}
			if k > 0 {
				f.out.printf("/Prev %s", refs[siblings[k-1]])
			}
			if k+1 < len(siblings) {
				f.out.printf("/Next %s", refs[siblings[k+1]])
			}
		}
		if c := children[i]; len(c) > 0 {
			f.out.printf("/First %s/Last %s/Count -%d", refs[c[0]], refs[c[len(c)-1]], len(c))
		}
		f.out.printf(">>")
		f.end()
	}
	top := children[-1]
	f.begin(root)
	f.out.printf("<</Type/Outlines/First %s/Last %s/Count %d>>", refs[top[0]], refs[top[len(top)-1]], len(top))
	f.end()
	return root
}

// xmp is the metadata PDF/X-4 asks for.
func (f *file) xmp() string {
	esc := func(s string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
		return b.String()
	}
	t := f.opt.Created.UTC().Format(time.RFC3339)
	i := f.book.Info
	return `<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">` + esc(f.title()) + `</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>` + esc(i.Author) + `</rdf:li></rdf:Seq></dc:creator>
<xmp:CreateDate>` + t + `</xmp:CreateDate><xmp:ModifyDate>` + t + `</xmp:ModifyDate><xmp:MetadataDate>` + t + `</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:` + fmt.Sprintf("%x",
		f.out.sum.Sum(nil)) + `</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<pdf:Trapped>False</pdf:Trapped><pdf:Producer>` +
		esc(f.opt.Producer) + `</pdf:Producer><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`
}

// grayProfile is an ICC output profile of black ink with 20 % dot gain: header, tag table, and a tone
// curve of 256 steps (ICC.1:2001-04, monochrome output profile).
func grayProfile() []byte {
	be := binary.BigEndian
	pad := func(b []byte) []byte {
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
		return b
	}
	desc := append([]byte("desc\x00\x00\x00\x00"), be.AppendUint32(nil, 6)...)
	desc = append(desc, "Black\x00"...)
	desc = append(desc, make([]byte, 4+4+2+1+67)...) // no Unicode, no ScriptCode
	wtpt := append([]byte("XYZ \x00\x00\x00\x00"), be.AppendUint32(be.AppendUint32(be.AppendUint32(nil, 0xf6d6), 0x10000), 0xd32d)...)
	curve := be.AppendUint32([]byte("curv\x00\x00\x00\x00"), 256)
	for i := range 256 {
		// Ink of k/255 prints as ink + 4 · 0.2 · ink · (1 - ink), 20 % more in the middle. In integers, since
		// processors round fractions differently.
		k := int64(255 - i)
		ink := (k*255*10 + 8*k*(255-k)) * 65535 / (255 * 255 * 10)
		curve = be.AppendUint16(curve, uint16(65535-min(ink, 65535)))
	}
	cprt := []byte("text\x00\x00\x00\x00No copyright, use freely\x00")
	tags := []struct {
		sig  string
		data []byte
	}{{"desc", pad(desc)}, {"wtpt", pad(wtpt)}, {"kTRC", pad(curve)}, {"cprt", pad(cprt)}}
	at := uint32(128 + 4 + 12*len(tags))
	table, data := be.AppendUint32(nil, uint32(len(tags))), []byte(nil)
	for _, t := range tags {
		table = append(table, t.sig...)
		table = be.AppendUint32(be.AppendUint32(table, at+uint32(len(data))), uint32(len(t.data)))
		data = append(data, t.data...)
	}
	head := make([]byte, 128)
	be.PutUint32(head, uint32(128+len(table)+len(data)))
	be.PutUint32(head[8:], 0x02400000)
	copy(head[12:], "prtrGRAYXYZ ")
	be.PutUint16(head[24:], 2026)
	be.PutUint16(head[26:], 1)
	be.PutUint16(head[28:], 1)
	copy(head[36:], "acsp")
	be.PutUint32(head[68:], 0xf6d6)
	be.PutUint32(head[72:], 0x10000)
	be.PutUint32(head[76:], 0xd32d)
	return append(append(head, table...), data...)
}
