package docx

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/stylename"
	"mappe/shared/book/reader/xmlpart"
)

// field is a field the reader is in. Its code comes first and is not shown; then its result.
type field struct {
	code   []byte
	result bool // the code is over
	drop   bool // the result is made anew by the press
	page   bool // the result names a page
	number bool // by its number alone
	href   string
	// A table of contents or the like: its kind, where it begins and how.
	list  string
	place manuscript.Place
	heard []byte
}

// maxFields bounds fields inside fields.
const maxFields = 64

// silent says whether text here is a field's code or a result that is left out.
func (s *story) silent() bool {
	for i := range s.fields {
		if !s.fields[i].result || s.fields[i].drop {
			return true
		}
	}
	return false
}

// target is where text here leads.
func (f *flow) target() string {
	href, _ := f.leads()
	return href
}

// leads says where text here leads and whether it is the number of that page.
func (f *flow) leads() (href string, page bool) {
	if f.href != "" {
		return f.href, false
	}
	for i := len(f.story.fields) - 1; i >= 0; i-- {
		if fl := &f.story.fields[i]; fl.href != "" {
			return fl.href, fl.page && fl.number
		}
	}
	return "", false
}

// link opens the link that text here belongs to.
func (f *flow) link() {
	if href, page := f.leads(); page {
		f.in.PageLink(href)
	} else {
		f.in.Link(href)
	}
}

// fieldChar begins, parts or ends a field.
func (f *flow) fieldChar(e xmlpart.El) {
	switch e.Attr(w, "fldCharType") {
	case "begin":
		f.begin()
	case "separate":
		f.separate()
	case "end":
		f.endField()
	}
}

func (f *flow) begin() {
	if len(f.story.fields) < maxFields {
		f.story.fields = append(f.story.fields, field{})
	}
}

func (f *flow) code(s string) {
	if n := len(f.story.fields); n > 0 && !f.story.fields[n-1].result && len(f.story.fields[n-1].code) < 4096 {
		f.story.fields[n-1].code = append(f.story.fields[n-1].code, s...)
	}
}

func (f *flow) separate() {
	if n := len(f.story.fields); n > 0 && !f.story.fields[n-1].result {
		f.evaluate(&f.story.fields[n-1])
	}
}

func (f *flow) endField() {
	n := len(f.story.fields)
	if n == 0 {
		return
	}
	if !f.story.fields[n-1].result {
		f.evaluate(&f.story.fields[n-1])
	}
	f.result(&f.story.fields[n-1])
	f.story.fields = f.story.fields[:n-1]
}

// result tells of a field that is over: a list that is left out, a page number that stays as it is. One that
// leads to its page is set anew.
func (f *flow) result(fl *field) {
	if fl.list != "" {
		f.r.log.Drop(finding.TOCField, fl.place, clean(string(fl.heard)), fl.list)
	}
	if _, anew := f.leads(); fl.page && !anew {
		if near := f.near(); near != "" {
			f.find(finding.PageReference, near, "")
		}
	}
}

// overhear keeps the text of a list that is left out, for its finding.
func (s *story) overhear(text string) {
	for i := range s.fields {
		if fl := &s.fields[i]; fl.list != "" && fl.result {
			fl.heard = append(fl.heard, text...)
			return
		}
	}
}

// closeCodes ends the codes that a paragraph leaves open: no code runs over a paragraph's end.
func (s *story) closeCodes(f *flow) {
	for n := len(s.fields); n > 0 && !s.fields[n-1].result; n = len(s.fields) {
		f.endField()
	}
}

// abandonFields ends all fields: a heading of the text is no part of a table of contents whose end is missing.
func (f *flow) abandonFields() {
	for _, fl := range f.story.fields {
		if fl.drop {
			f.endFields()
			return
		}
	}
}

// endFields ends the fields that are open.
func (f *flow) endFields() {
	for i := range f.story.fields {
		f.result(&f.story.fields[i])
	}
	f.story.fields = f.story.fields[:0]
}

// evaluate acts on the code of a field.
func (f *flow) evaluate(fl *field) {
	words := fieldWords(string(fl.code))
	fl.code = nil
	outer := f.story.silentBefore(fl)
	fl.result = true
	if len(words) == 0 {
		return
	}
	args := words[1:]
	switch strings.ToUpper(words[0]) {
	case "TOC", "INDEX", "TOA":
		fl.drop = true
		f.p.removed = true
		if !outer {
			fl.list, fl.place = strings.ToUpper(words[0]), f.place()
		}
	case "XE":
		fl.drop = true
		if !outer {
			f.indexMark(args)
		}
	case "TC", "RD", "SET", "ASK":
		fl.drop = true
	case "PAGE", "NUMPAGES", "SECTIONPAGES":
		fl.page = !outer
	case "EQ":
		f.unshown(fl, outer, strings.Join(args, " "), "an equation")
	case "AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "LISTNUM", "BARCODE", "DISPLAYBARCODE", "FORMDROPDOWN", "FORMCHECKBOX":
		f.unshown(fl, outer, f.near(), "what the field "+strings.ToUpper(words[0])+" shows")
	case "MACROBUTTON", "GOTOBUTTON":
		if len(args) > 1 && !outer { // what it shows stands in its code
			f.link()
			f.in.Text(strings.Join(args[1:], " "), 0, "")
			f.text++
		}
	case "HYPERLINK":
		fl.href = f.fieldLink(args)
	case "REF", "PAGEREF", "NOTEREF":
		fl.page = strings.EqualFold(words[0], "PAGEREF") && !outer && f.p.style.use.Use != stylename.Contents
		if len(args) > 0 && args[0] != "" && args[0][0] != '\\' {
			f.r.wanted[args[0]] = true
			fl.href = "#" + args[0]
			fl.number = !slices.Contains(args, `\p`) // else it is "on page 12" or "above"
		}
	case "SYMBOL":
		f.symbolField(args, outer)
		fl.drop = true
	}
}

// unshown tells of a field that Word draws without a result.
func (f *flow) unshown(fl *field, outer bool, excerpt, what string) {
	fl.drop = true
	if !outer {
		f.find(finding.UnsupportedObject, clip(clean(excerpt)), what)
		f.p.removed = true
	}
}

// silentBefore says whether a field around fl is not shown.
func (s *story) silentBefore(fl *field) bool {
	for i := range s.fields {
		if &s.fields[i] == fl {
			return false
		}
		if !s.fields[i].result || s.fields[i].drop {
			return true
		}
	}
	return false
}

func (f *flow) fieldLink(args []string) string {
	to, anchor := "", ""
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == `\l` && i+1 < len(args):
			i++
			anchor = args[i]
		case (args[i] == `\o` || args[i] == `\t`) && i+1 < len(args):
			i++
		case strings.HasPrefix(args[i], `\`):
		case to == "":
			to = args[i]
		}
	}
	switch {
	case to != "" && anchor != "":
		return address(to + "#" + anchor)
	case to != "":
		return address(to)
	case anchor != "":
		f.r.wanted[anchor] = true
		return "#" + anchor
	}
	return ""
}

func (f *flow) symbolField(args []string, outer bool) {
	font, code := "", ""
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == `\f` && i+1 < len(args):
			i++
			font = args[i]
		case args[i] == `\s` && i+1 < len(args):
			i++
		case code == "" && !strings.HasPrefix(args[i], `\`):
			code = args[i]
		}
	}
	if c, ok := symbolNumber(code, font); ok && !outer {
		f.link()
		f.in.Text(symbolRune(font, c), 0, "")
		f.text++
	}
}

// indexMark reads the code of an index entry: "term:sub" \t "See other" \r bookmark.
func (f *flow) indexMark(args []string) {
	var m manuscript.IndexMark
	entry, rangeOf := "", ""
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == `\t` && i+1 < len(args):
			i++
			m.See, m.SeeAlso = crossReference(args[i])
		case a == `\r` && i+1 < len(args):
			i++
			rangeOf = args[i]
		case (a == `\f` || a == `\y`) && i+1 < len(args):
			i++
		case strings.HasPrefix(a, `\`) && len(a) == 2:
		case entry == "":
			entry = a
		}
	}
	parts := splitEntry(entry)
	m.Term = parts[0]
	m.Sub = strings.Join(parts[1:], ", ")
	if m.Term == "" {
		return
	}
	if rangeOf != "" {
		f.r.wanted[rangeOf], f.r.wanted[rangeOf+"/end"] = true, true
		m.EndOf = rangeOf + "/end"
		f.r.ranges[rangeOf] = append(f.r.ranges[rangeOf], m)
	}
	f.in.Add(m)
}

// splitEntry parts an entry at its colons, those after a \ excepted.
func splitEntry(s string) []string {
	var out []string
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == ':':
			out = append(out, clean(b.String()))
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return append(out, clean(b.String()))
}

// crossReference knows see and see also in three languages.
func crossReference(s string) (see, also string) {
	s = clean(s)
	low := strings.ToLower(s)
	for _, p := range []struct {
		word string
		also bool
	}{{"see also", true}, {"siehe auch", true}, {"s. auch", true}, {"voir aussi", true}, {"see", false}, {"siehe", false}, {"s.",
		false}, {"voir", false}} {
		if strings.HasPrefix(low, p.word+" ") && len(low) == len(s) {
			rest := strings.TrimSpace(s[len(p.word):])
			if p.also {
				return "", rest
			}
			return rest, ""
		}
	}
	return s, ""
}

// fieldWords cuts the code of a field into words; what stands in quotes, straight or curly, is one.
func fieldWords(s string) []string {
	var out []string
	for {
		s = strings.TrimLeft(s, " \t\r\n\u00a0")
		if s == "" || len(out) >= 64 {
			return out
		}
		c, n := utf8.DecodeRuneInString(s)
		if c == '"' || c == '“' || c == '”' || c == '„' {
			var b strings.Builder
			s = s[n:]
			for s != "" {
				c, n = utf8.DecodeRuneInString(s)
				if c == '\\' && len(s) > 1 && (s[1] == '"' || s[1] == '\\') {
					b.WriteByte(s[1])
					s = s[2:]
					continue
				}
				if c == '"' || c == '“' || c == '”' {
					s = s[n:]
					break
				}
				b.WriteString(s[:n])
				s = s[n:]
			}
			out = append(out, b.String())
			continue
		}
		end := strings.IndexAny(s, " \t\r\n\u00a0\"")
		if end < 0 {
			end = len(s)
		}
		if end == 0 {
			end = n
		}
		out = append(out, s[:end])
		s = s[end:]
	}
}
