package markdown

import (
	"regexp"
	"strings"

	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

var (
	tags     = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)
	comments = regexp.MustCompile(`(?s)<!--(.*?)-->`)
	images   = regexp.MustCompile(`(?is)<img\b[^>]*>`)
	tagName  = regexp.MustCompile(`^</?([a-zA-Z]+)`)
	quoted   = regexp.MustCompile(`(?is)\b(alt|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))`)
)

// styleOf are the tags inside of a line that a book keeps.
var styleOf = map[string]manuscript.Style{
	"i": manuscript.Italic, "em": manuscript.Italic, "cite": manuscript.Italic, "b": manuscript.Bold, "strong": manuscript.Bold,
	"sup": manuscript.Superscript, "sub": manuscript.Subscript, "u": manuscript.Underline, "ins": manuscript.Underline,
	"s": manuscript.Strike, "del": manuscript.Strike, "strike": manuscript.Strike, "code": manuscript.Monospace, "tt": manuscript.Monospace,
	"kbd": manuscript.Monospace,
}

// tag acts on a piece of HTML inside of a line and gives the style of what follows; around is that of what stands
// around the line's tags.
func (r *reader) tag(b *source.Inlines, raw string, style, around manuscript.Style) manuscript.Style {
	r.told(raw)
	m := tagName.FindStringSubmatch(raw)
	if m == nil {
		return style
	}
	name := strings.ToLower(m[1])
	switch s := styleOf[name]; {
	case name == "br":
		b.Add(manuscript.LineBreak{})
	case raw[1] == '/':
		return style&^s | around&s
	case !strings.HasSuffix(raw, "/>"):
		return style | s
	}
	return style
}

// told reports what HTML holds that is not set: remarks and pictures.
func (r *reader) told(raw string) {
	for _, m := range comments.FindAllStringSubmatch(raw, -1) {
		if said := source.Line(source.Clean(m[1])); said != "" {
			r.log.Add(finding.Comment, r.place(), "", said)
		}
	}
	for _, img := range images.FindAllString(comments.ReplaceAllString(raw, ""), -1) {
		alt, from := "", ""
		for _, m := range quoted.FindAllStringSubmatch(img, -1) {
			if value := source.Line(source.Clean(m[2] + m[3] + m[4])); strings.EqualFold(m[1], "alt") {
				alt = value
			} else {
				from = value
			}
		}
		r.log.Add(finding.MissingImage, r.place(), alt, "the picture is linked, not embedded: "+from)
	}
}

var definition = regexp.MustCompile(`(?m)^ {0,3}\[\^([^\]\n]+)\]:[ \t]*(.*)$`)

// unused reports notes that nothing refers to: the parser leaves them out.
func (r *reader) unused() {
	used := map[string]bool{}
	for _, f := range r.noteText {
		used[string(f.Ref)] = true
	}
	for _, m := range definition.FindAllSubmatch(r.src, -1) {
		name := string(m[1])
		if used[name] || r.code[strings.TrimSpace(string(m[0]))] {
			continue
		}
		used[name] = true
		r.log.Drop(finding.NoteWithoutReference, manuscript.Place{Part: "footnote " + source.Clean(name)}, source.Clean(string(m[2])), "")
	}
}
