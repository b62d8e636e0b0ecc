package catalogue

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Rewording puts other sentences into an OpenAPI document. What is reworded are the document's title and all members description
// and summary, paragraph by paragraph; names, values, examples and the order of members stay as they are.
type Rewording struct {
	// Of is a paragraph in the other language; false leaves the English one. Its lines are joined to one, but those of lists and
	// tables.
	Of func(paragraph string) (string, bool)
	// Endings are sentences that stand behind many others: they are reworded by themselves.
	Endings []string
}

// Reword is the document with other sentences.
func (w Rewording) Reword(document []byte) ([]byte, error) {
	in := json.NewDecoder(bytes.NewReader(document))
	in.UseNumber()
	d := &rewriter{Rewording: w, in: in}
	if err := d.value(member{}); err != nil {
		return nil, err
	}
	return d.out.Bytes(), nil
}

// member is where a value stands: its name and that of the object around it, and whether the members of an object there have
// names that the service chose, or are values of the service and no sentences.
type member struct {
	name, around   string
	named, literal bool
}

// Members whose own members have names of the service's, and members that hold values.
var (
	ofNames  = strings.Fields("properties schemas responses headers content paths securitySchemes patternProperties $defs")
	ofValues = strings.Fields("example examples default enum const")
)

// inside is where a member of an object stands.
func (m member) inside(name string) member {
	in := member{name: name, around: m.name, literal: m.literal}
	if !m.named {
		in.named = slices.Contains(ofNames, name)
		in.literal = m.literal || slices.Contains(ofValues, name) || strings.HasPrefix(name, "x-")
	}
	return in
}

// sentence says whether a text there is one.
func (m member) sentence() bool {
	return !m.literal && (m.name == "description" || m.name == "summary" || m.name == "title" && m.around == "info")
}

// rewriter copies a document value by value.
type rewriter struct {
	Rewording
	in  *json.Decoder
	out bytes.Buffer
}

func (w *rewriter) value(m member) error {
	token, err := w.in.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		return w.members(m, v)
	case string:
		if m.sentence() {
			v = w.text(v)
		}
		token = v
	}
	return w.write(token)
}

// members copies what stands between brackets, of which the first has been read.
func (w *rewriter) members(m member, open json.Delim) error {
	w.out.WriteByte(byte(open))
	for n := 0; w.in.More(); n++ {
		if n > 0 {
			w.out.WriteByte(',')
		}
		at := member{around: m.name, literal: m.literal}
		if open == '{' {
			name, err := w.in.Token()
			if err != nil {
				return err
			}
			if err := w.write(name); err != nil {
				return err
			}
			w.out.WriteByte(':')
			at = m.inside(name.(string)) // the decoder takes nothing else for a name
		}
		if err := w.value(at); err != nil {
			return err
		}
	}
	end, err := w.in.Token()
	if err == nil {
		w.out.WriteByte(byte(end.(json.Delim)))
	}
	return err
}

func (w *rewriter) write(token json.Token) error {
	text, err := json.Marshal(token)
	w.out.Write(text)
	return err
}

var (
	emptyLine = regexp.MustCompile(`\n\s*\n`)
	lineEnd   = regexp.MustCompile(`\s*\n\s*`)
	listed    = regexp.MustCompile(`(?m)^\s*([-*#] |\||\d+\. )`)
	unit      = regexp.MustCompile(`\s*\bUnit: [^.]+\.$`) // as pages and programs read it
)

// text is a description in the other language.
func (w *rewriter) text(english string) string {
	parts := emptyLine.Split(english, -1)
	for i, p := range parts {
		parts[i] = w.paragraph(p)
	}
	return strings.Join(parts, "\n\n")
}

// paragraph is one of a description; a unit behind it stays as it is.
func (w *rewriter) paragraph(text string) string {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "\n") || !listed.MatchString(text) {
		text = lineEnd.ReplaceAllString(text, " ")
	}
	behind := ""
	for {
		if at := unit.FindStringIndex(text); at != nil {
			text, behind = text[:at[0]], text[at[0]:]+behind
			continue
		}
		i := slices.IndexFunc(w.Endings, func(e string) bool { return strings.HasSuffix(text, " "+e) })
		if i < 0 {
			return w.of(text) + behind
		}
		text, behind = strings.TrimSuffix(text, " "+w.Endings[i]), " "+w.of(w.Endings[i])+behind
	}
}

func (w *rewriter) of(text string) string {
	if other, ok := w.Of(text); ok && text != "" {
		return other
	}
	return text
}
