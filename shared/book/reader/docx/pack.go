package docx

import (
	"errors"
	"net/url"
	"path"
	"strings"

	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// relation is where an id of a part leads.
type relation struct {
	kind     string // last word of the type: styles, image, hyperlink
	target   string // name of a part, or the address where it is outside
	external bool
}

// part is a part with its relations.
type part struct {
	name string
	text string
	rels map[string]relation
	list []relation // in the order of the file
}

// byKind is the first part of this kind that the part refers to; "" if it refers to no part of this kind.
func (p *part) byKind(kind string) string {
	for _, r := range p.list {
		if r.kind == kind && !r.external {
			return r.target
		}
	}
	return ""
}

// pack is the package of a Word file.
type pack struct {
	*source.Archive
	limits source.Limits
}

// open finds the main part. Files of other kinds in the same clothes are refused by what they are.
func open(b []byte, l source.Limits) (*pack, *part, error) {
	arch, err := source.OpenArchive(b, l)
	if err != nil {
		return nil, nil, err
	}
	k := &pack{arch, l}
	root, err := k.relations("", "_rels/.rels")
	if err != nil {
		return nil, nil, err
	}
	name := (&part{list: root}).byKind("officeDocument")
	if name == "" || !k.Has(name) {
		name = "word/document.xml"
	}
	if err := k.refuseKind(name); err != nil {
		return nil, nil, err
	}
	if !k.Has(name) {
		return nil, nil, source.Refuse(source.Broken,
			"The file holds no document text (the part %q is missing). Open it in Word, save it as Word Document (.docx) and upload the new copy.", path.Base(name))
	}
	main, err := k.open(name)
	return k, main, err
}

// refuseKind refuses what is no plain Word document, by the content types and parts of the package.
func (k *pack) refuseKind(main string) error {
	b, err := k.Part("[Content_Types].xml")
	if err != nil {
		return err
	}
	types := strings.ToLower(xmlpart.Decode(b))
	macros := strings.Contains(types, "macroenabled.main+xml") || strings.Contains(types, "macroenabledtemplate.main+xml")
	for _, n := range k.Names() {
		macros = macros || strings.EqualFold(path.Base(n), "vbaProject.bin")
	}
	switch {
	case macros:
		return source.Refuse(source.Macros,
			"The file holds macros (.docm). Save it as Word Document (.docx), which leaves them out, and upload that.")
	case strings.Contains(types, "spreadsheetml.sheet.main+xml") || k.Has("xl/workbook.xml"):
		return source.Refuse(source.NotText, "The file is an Excel workbook, no manuscript. Upload the text as .docx.")
	case strings.Contains(types, "presentationml.presentation.main+xml") || k.Has("ppt/presentation.xml"):
		return source.Refuse(source.NotText, "The file is a PowerPoint presentation, no manuscript. Upload the text as .docx.")
	}
	return nil
}

// open reads a part and its relations; nil where the part is missing.
func (k *pack) open(name string) (*part, error) {
	if name == "" || !k.Has(name) {
		return nil, nil
	}
	b, err := k.Part(name)
	if err != nil {
		return nil, err
	}
	p := &part{name: name, text: xmlpart.Decode(b), rels: map[string]relation{}}
	dir, base := path.Split(name)
	raw, err := k.Part(dir + "_rels/" + base + ".rels")
	if err != nil {
		return nil, err
	}
	if raw != nil {
		if err := k.addRelations(p, dir, raw); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (k *pack) relations(dir, name string) ([]relation, error) {
	raw, err := k.Part(name)
	if err != nil || raw == nil {
		return nil, err
	}
	p := &part{rels: map[string]relation{}}
	err = k.addRelations(p, dir, raw)
	return p.list, err
}

func (k *pack) addRelations(p *part, dir string, raw []byte) error {
	root, err := xmlpart.Parse(xmlpart.Decode(raw), names, k.limits)
	if err != nil {
		return wrap("_rels", err)
	}
	for e := root.First(); e.Ok(); e = e.Next() {
		if !e.Is(pkg, "Relationship") {
			continue
		}
		r := relation{kind: path.Base(e.Attr(none, "Type")), target: e.Attr(none, "Target"),
			external: e.Attr(none, "TargetMode") == "External"}
		if !r.external {
			if t, err := url.PathUnescape(r.target); err == nil {
				r.target = t
			}
			r.target = strings.ReplaceAll(r.target, `\`, "/")
			if !strings.HasPrefix(r.target, "/") {
				r.target = dir + r.target
			}
			r.target = strings.TrimPrefix(path.Clean("/"+r.target), "/")
		}
		id := e.Attr(none, "Id")
		if _, twice := p.rels[id]; !twice {
			p.rels[id] = r
		}
		p.list = append(p.list, r)
	}
	return nil
}

// wrap says which part of a file is no XML; refusals stay as they are.
func wrap(name string, err error) error {
	var refused source.Refused
	if err == nil || errors.As(err, &refused) {
		return err
	}
	return source.Refuse(source.Broken,
		"The file is damaged: its part %q cannot be read (%v). Open it in your word processor, save it anew and upload the new copy.",
		path.Base(name), err)
}
