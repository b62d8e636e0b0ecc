package endpoint

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/web/format"
)

// Text describes the service in plain text (Markdown) for programs that read text, which have little room: what several
// endpoints share is said once, in sections of parameters, rows and notes that they refer to. The same table gives the
// same text.
//
// A text of more than mostText bytes has of each description the first sentence; that of one tag has the whole.
func (s *Service) Text(base string) (string, error) {
	text, err := s.textOf(base, "", false)
	if err == nil && len(text) > mostText {
		text, err = s.textOf(base, "", true)
	}
	return text, err
}

// mostText bounds the text of a service, so that it fits beside a conversation: some 14,000 tokens, without the contract
// of sibling services.
const mostText = 57_000

// textOf is the text of the endpoints of a tag, of all where it is "".
func (s *Service) textOf(base, tag string, brief bool) (string, error) {
	all := slices.Concat(s.Endpoints, s.Described)
	if tag != "" {
		all = slices.DeleteFunc(all, func(e Endpoint) bool { return e.Tag != tag })
	}
	t := &serviceText{brief: brief}
	if !brief {
		t.notes = notesOf(all)
	}
	ops := make([]*operation, len(all))
	var tags []string
	for i, e := range all {
		o, err := described(e)
		if err != nil {
			return "", err
		}
		ops[i] = o
		t.count(o)
		if !slices.Contains(tags, e.Tag) {
			tags = append(tags, e.Tag)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\nBase URL: %s\nOpenAPI 3.1: %s/openapi.json\nPage to try the endpoints: %s%s\n", s.Title, s.Description,
		cmp.Or(base, "/"), base, base, s.docsPath())
	if s.Notice.License != "" {
		fmt.Fprintf(&b, "Licence of the data: %s\n", s.Notice.String())
	}
	b.WriteString("\n" + conventions)
	if brief {
		b.WriteString("- This text has the first sentence of each description, and of rows that several endpoints give all columns that any of them has; ?tag=TAG gives the endpoints under the heading TAG in full, with examples.\n")
	}
	t.write(&b)
	for _, tag := range tags {
		fmt.Fprintf(&b, "\n## %s\n", cmp.Or(tag, "Endpoints"))
		for _, o := range ops {
			if o.e.Tag == tag {
				t.endpoint(&b, o)
			}
		}
	}
	return b.String(), nil
}

// serviceText is what the endpoints of a service share.
type serviceText struct {
	params shared
	bodies shared
	rows   rowTypes
	notes  notes
	brief  bool
	long   []longOf // of the endpoints so far
}

func (t *serviceText) count(o *operation) {
	for i, s := range o.specs {
		if !s.hidden {
			t.params.add(s.name, t.param(s, o.path[i]))
		}
	}
	if o.e.Body != nil {
		t.bodies.add(sharedBody, bodyText(o.e.Body.bodySpec()))
	}
	for _, k := range o.e.Answer.Rows {
		t.rows.add(k)
	}
}

// sharedBody is the name of bodies that several endpoints take.
const sharedBody = "shared"

// bodyText is the text of a body.
func bodyText(b *bodySpec) string {
	text := fmt.Sprintf(", %s, at most %d bytes: %s", cmp.Or(b.media, "application/json"), b.maxBytes, b.doc)
	if b.carried != nil {
		text += " (Parameters may stand in the body too" + b.carried.where() + ".)"
	}
	return text
}

// param is the text of a parameter.
func (t *serviceText) param(s *spec, path bool) string {
	if !t.brief {
		return s.text(path)
	}
	short := *s
	short.doc = firstSentence(s.doc)
	return short.text(path)
}

// write says what is shared.
func (t *serviceText) write(b *strings.Builder) {
	t.params.write(b, "Parameters that several endpoints have", "param ")
	t.bodies.write(b, "Bodies that several endpoints take", "body ")
	t.rows.write(b)
	if len(t.notes.all) > 0 {
		b.WriteString("\n## Notes\n")
		for i, n := range t.notes.all {
			fmt.Fprintf(b, "\n[%d] %s\n", i+1, n)
		}
	}
}

// endpoint writes one endpoint.
func (t *serviceText) endpoint(b *strings.Builder, o *operation) {
	e := o.e
	fmt.Fprintf(b, "\n### %s %s\n%s.\n", e.Method, e.Path, strings.TrimSuffix(e.Summary, "."))
	doc := t.notes.rest(e.Doc)
	if t.brief {
		doc = firstSentence(doc)
	}
	if doc != "" {
		fmt.Fprintf(b, "%s\n", doc)
	}
	var named []string
	for i, s := range o.specs {
		if s.hidden {
			continue
		}
		text := t.param(s, o.path[i])
		if label := t.params.label(s.name, text); label != "" {
			named = append(named, label)
			continue
		}
		fmt.Fprintf(b, "- %s%s\n", s.name, text)
	}
	if named, like := t.beyond(e, named); like != "" {
		fmt.Fprintf(b, "- param %s\n", strings.Join(append([]string{"all of " + like}, named...), ", "))
	} else if len(named) > 0 {
		fmt.Fprintf(b, "- param %s\n", strings.Join(named, ", "))
	}
	if e.Body != nil {
		text := bodyText(e.Body.bodySpec())
		if label := t.bodies.label(sharedBody, text); label != "" {
			text = " " + label
		}
		fmt.Fprintf(b, "- body%s\n", text)
	}
	for _, k := range e.Answer.Rows {
		text := k.Name
		if !t.brief {
			text = t.rows.of(k)
		}
		fmt.Fprintf(b, "- rows %s\n", text)
	}
	if e.Bearer != nil {
		fmt.Fprintf(b, "- needs the %s token: Authorization: Bearer TOKEN\n", e.Bearer.Name)
	}
	if e.Example == "" || (e.Example == e.Path || t.brief) && e.ExampleBody == "" {
		return
	}
	fmt.Fprintf(b, "- example: %s", e.Example)
	if e.Method != http.MethodGet && e.ExampleBody != "" {
		fmt.Fprintf(b, " with the body %s", e.ExampleBody)
	}
	b.WriteString("\n")
}

// longList is from how many parameters on a list is referred to.
const longList = 12

// beyond are the named parameters that an endpoint has beyond those of an earlier one, which it has all: the one with the longest
// list. like names it; "" if no earlier endpoint does.
func (t *serviceText) beyond(e *Endpoint, named []string) (rest []string, like string) {
	best := longList - 1
	for _, l := range t.long {
		if len(l.named) > best && !slices.ContainsFunc(l.named, func(name string) bool { return !slices.Contains(named, name) }) {
			best, like = len(l.named), l.of
			rest = slices.DeleteFunc(slices.Clone(named), func(name string) bool { return slices.Contains(l.named, name) })
		}
	}
	t.long = append(t.long, longOf{e.Method + " " + e.Path, named})
	return rest, like
}

// longOf is the list of an endpoint.
type longOf struct {
	of    string
	named []string
}

// firstSentence is the beginning of a description up to the end of its first sentence.
func firstSentence(doc string) string {
	for i := range doc {
		if doc[i] != '.' || i+1 < len(doc) && doc[i+1] != ' ' {
			continue
		}
		word := doc[strings.LastIndexAny(doc[:i], " (\n")+1 : i]
		if len(word) > 1 && !slices.Contains([]string{"St", "Gr", "Str", "Nr", "Mozartg", "Bahnhofpl"}, word) {
			return doc[:i+1]
		}
	}
	return doc
}

// rowTypes are the row types of a service, each with the columns that it has anywhere.
type rowTypes struct{ list []rowTypeText }

type rowTypeText struct {
	name    string
	columns []string
	times   int
}

func (s *rowTypes) add(k *format.RowType) {
	i := slices.IndexFunc(s.list, func(t rowTypeText) bool { return t.name == k.Name })
	if i < 0 {
		s.list = append(s.list, rowTypeText{name: k.Name})
		i = len(s.list) - 1
	}
	t := &s.list[i]
	t.times++
	for _, c := range format.FieldNames(k) {
		if !slices.Contains(t.columns, c) {
			t.columns = append(t.columns, c)
		}
	}
}

// of says which columns of its row type the rows have.
func (s *rowTypes) of(k *format.RowType) string {
	own := format.FieldNames(k)
	whole := k.Name + ": " + strings.Join(own, ", ")
	i := slices.IndexFunc(s.list, func(t rowTypeText) bool { return t.name == k.Name })
	if s.list[i].times < 2 {
		return whole
	}
	without := slices.DeleteFunc(slices.Clone(s.list[i].columns), func(c string) bool { return slices.Contains(own, c) })
	if len(without) == 0 {
		return k.Name
	}
	if less := k.Name + " without " + strings.Join(without, ", "); len(less) < len(whole) {
		return less
	}
	return whole
}

func (s *rowTypes) write(b *strings.Builder) {
	title := "\n## Rows\n\n"
	for _, t := range s.list {
		if t.times > 1 {
			fmt.Fprintf(b, "%s- %s: %s\n", title, t.name, strings.Join(t.columns, ", "))
			title = ""
		}
	}
}

// shared are the texts of parameters; those that come twice are said once. A text that says the same of parameters of
// several names, which stand in it as NAME, is one.
type shared struct {
	list  []sharedText
	times map[string]int // by text
}

type sharedText struct{ name, text string }

// unnamed is the text of a parameter without its name.
func unnamed(name, text string) string {
	return strings.ReplaceAll(text, " "+name+" ", " NAME ")
}

func (s *shared) add(name, text string) {
	text = unnamed(name, text)
	if s.times == nil {
		s.times = map[string]int{}
	}
	s.times[text]++
	if t := (sharedText{name, text}); !slices.Contains(s.list, t) {
		s.list = append(s.list, t)
	}
}

// label is the name of a shared text: that of the parameter, with a number where parameters of this name have several
// texts; "" of a text that comes once.
func (s *shared) label(name, text string) string {
	text = unnamed(name, text)
	n, found := 0, 0
	for _, t := range s.list {
		if t.name == name && s.times[t.text] > 1 {
			if n++; t.text == text {
				found = n
			}
		}
	}
	switch found {
	case 0:
		return ""
	case 1:
		return name
	}
	return name + "#" + strconv.Itoa(found)
}

func (s *shared) write(b *strings.Builder, title, kind string) {
	names := map[string][]string{}
	var texts []string
	for _, t := range s.list {
		if s.times[t.text] < 2 {
			continue
		}
		if names[t.text] == nil {
			texts = append(texts, t.text)
		}
		names[t.text] = append(names[t.text], s.label(t.name, t.text))
	}
	if len(texts) == 0 {
		return
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(names[a][0], names[b][0]) })
	fmt.Fprintf(b, "\n## %s\n\nAn endpoint refers to them by \"%sNAME\".\n\n", title, kind)
	for _, text := range texts {
		fmt.Fprintf(b, "- %s%s\n", strings.Join(names[text], ", "), text)
	}
}

// notes are the parts of descriptions that several endpoints have in common.
type notes struct {
	all []string
	of  map[string]int // by line: the number of its note, from 1
}

// notesOf finds the runs of lines that stand in several descriptions.
func notesOf(all []Endpoint) notes {
	count, pairs := map[string]int{}, map[[2]string]int{}
	docs := make([][]string, len(all))
	for i, e := range all {
		docs[i] = docLines(e.Doc)
		seen := map[string]bool{}
		for k, line := range docs[i] {
			if seen[line] {
				continue
			}
			seen[line] = true
			count[line]++
			if k > 0 {
				pairs[[2]string{docs[i][k-1], line}]++
			}
		}
	}
	n := notes{of: map[string]int{}}
	for _, lines := range docs {
		before := ""
		for _, line := range lines {
			switch {
			case count[line] < 2:
				before = ""
				continue
			case n.of[line] > 0:
			case before != "" && count[before] == count[line] && pairs[[2]string{before, line}] == count[line]:
				at := n.of[before]
				n.of[line] = at
				n.all[at-1] += " " + line
			default:
				n.all = append(n.all, line)
				n.of[line] = len(n.all)
			}
			before = line
		}
	}
	return n
}

// docLines are the lines of a description that say something.
func docLines(doc string) (lines []string) {
	for line := range strings.SplitSeq(doc, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// rest is a description with numbers for the notes in it.
func (n *notes) rest(doc string) string {
	var out []string
	last := 0
	for _, line := range docLines(doc) {
		at := n.of[line]
		switch {
		case at == 0:
			out = append(out, line)
		case at != last:
			out = append(out, "["+strconv.Itoa(at)+"]")
		}
		last = at
	}
	return strings.Join(out, " ")
}

// text describes a parameter, without its name.
func (s *spec) text(path bool) string {
	kind := s.typ
	if s.list {
		kind = "comma list"
	}
	if len(s.enum) > 0 {
		kind += ", one of " + strings.Join(s.enum, "|")
	}
	if path {
		kind += ", in the path"
	} else if s.required {
		kind += ", required"
	}
	if s.hasDefault && s.def != "" {
		kind += ", default " + s.def
	}
	if !s.list && s.typ != "string" {
		kind += s.bounds()
	}
	also := ""
	if len(s.aliases) > 0 {
		also = " Also written " + strings.Join(s.aliases, ", ") + "."
	}
	return fmt.Sprintf(" (%s): %s%s", kind, s.doc, also)
}
