package docx

import (
	"strings"
	"testing"

	. "mappe/infra/readertest"
	"mappe/shared/book/reader/source"
)

// novel is a Word file of n words the way Word writes one: every paragraph in several runs, each with its
// own font and language, revision marks on all, some emphasis, a note now and then.
func novel(n int) []byte {
	var body, notes strings.Builder
	words := strings.Fields("the quick brown fox jumps over a lazy dog while nobody in particular looks on from behind the old grey house")
	count, note := 0, 0
	for p := 0; count < n; p++ {
		if p%60 == 0 {
			body.WriteString(P("berschrift1", R("Chapter", "")))
			count++
		}
		body.WriteString(`<w:p w14:paraId="1A2B3C4D" w14:textId="77777777" w:rsidR="00A12B34" w:rsidRDefault="00C56D78"><w:pPr><w:spacing w:line="360" w:lineRule="auto"/><w:ind w:firstLine="720"/><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:cs="Times New Roman"/></w:rPr></w:pPr>`)
		for run := range 4 {
			props := `<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:cs="Times New Roman"/><w:sz w:val="24"/><w:lang w:val="en-GB"/>`
			if run == 2 && p%3 == 0 {
				props = `<w:i/>` + props
			}
			var text strings.Builder
			for range 18 {
				text.WriteString(words[count%len(words)])
				text.WriteByte(' ')
				count++
			}
			body.WriteString(`<w:r w:rsidRPr="00E90F12">` + strings.TrimPrefix(R(text.String(), props), "<w:r>"))
		}
		if p%10 == 0 {
			note++
			id := string(rune('0'+note%10)) + "x" + strings.Repeat("1", note/10)
			body.WriteString(`<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="` + id + `"/></w:r>`)
			notes.WriteString(`<w:footnote w:id="` + id + `">` + P("", R("A note of a few words.", "")) + `</w:footnote>`)
		}
		body.WriteString("</w:p>")
	}
	return Word{Styles: someStyles, Body: body.String(), Footnotes: notes.String(),
		NS: WordNS + ` xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`}.Bytes()
}

func BenchmarkRead100kWords(b *testing.B) {
	f := novel(100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(f, source.Default()); err != nil {
			b.Fatal(err)
		}
	}
}
