package docx

import (
	"mappe/shared/book/finding"
	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
	"mappe/shared/book/reader/xmlpart"
)

// drawing reads what stands in a w:drawing, w:pict or w:object: pictures, text boxes, and what cannot be set.
func (f *flow) drawing(e xmlpart.El, l *look) {
	if f.story.silent() {
		return
	}
	if l.hidden {
		f.find(finding.HiddenText, f.near(), "a picture or a drawing")
		f.p.removed = true
		return
	}
	fig := drawn{Figure: manuscript.Figure{Image: -1, Place: f.place()}}
	if d := e.Find(wp, "docPr"); d.Ok() {
		fig.Alt = clean(d.Attr(none, "descr"))
		if fig.Alt == "" {
			fig.Alt = clean(d.Attr(none, "title"))
		}
	}
	extent := e.Find(wp, "extent")
	fig.WidthMM, fig.height = emus(extent, "cx"), emus(extent, "cy")
	if e.Name() == "object" && e.Find(o, "OLEObject").Ok() {
		f.unsupported("an embedded object (" + clean(e.Find(o, "OLEObject").Attr(none, "ProgID")) + ")")
		return
	}
	n := f.shapes(e, fig)
	switch {
	case n > 0:
	case e.Name() == "object":
		f.unsupported("an embedded object")
	case e.Find(v, "rect").Attr(o, "hr") == "t":
		f.p.rule = true
	default:
		f.unsupported("a drawing")
	}
}

func (f *flow) unsupported(what string) {
	f.find(finding.UnsupportedObject, f.near(), what)
	f.p.removed = true
}

// shapes visits pictures, text boxes and the like inside of e and counts them.
func (f *flow) shapes(e xmlpart.El, fig drawn) int {
	n := 0
	for c := e.First(); c.Ok(); c = c.Next() {
		if c.IsText() {
			continue
		}
		switch {
		case c.Is(mc, "AlternateContent"):
			n += f.shapes(choice(c), fig)
		case c.Is(pic, "pic"):
			n += f.shapes(c, fig.posed(c))
		case c.Is(a, "blip"):
			n++
			id, linked := c.Lookup(rel, "embed")
			if !linked || id == "" {
				id = c.Attr(rel, "link")
			}
			f.picture(id, fig)
		case c.Is(v, "shape"), c.Is(v, "rect"), c.Is(v, "roundrect"), c.Is(v, "oval"):
			inner := fig
			inner.Alt = clean(c.Attr(none, "alt"))
			inner.styled(c.Attr(none, "style"))
			n += f.shapes(c, inner)
			if t := c.Child(v, "textpath").Attr(none, "string"); t != "" {
				n++
				f.find(finding.TextBox, clean(t), "")
			}
		case c.Is(v, "imagedata"):
			n++
			id := c.Attr(rel, "id")
			if id == "" {
				id = c.Attr(rel, "pict")
			}
			if fig.Alt == "" {
				fig.Alt = clean(c.Attr(o, "title"))
			}
			fig.cropped(c)
			f.picture(id, fig)
		case c.Is(w, "txbxContent"), c.Is(xmlpart.Foreign, "txbxContent"): // Word in strict form uses a namespace of its own
			n++
			f.textBox(c)
		case c.Is(cht, "chart"):
			n++
			f.unsupported("a chart")
		case c.Is(dgm, "relIds"):
			n++
			f.unsupported("a SmartArt drawing")
		case c.NS() == m:
		default:
			n += f.shapes(c, fig)
		}
	}
	return n
}

// picture puts the picture a relation leads to. Pictures outside of the file are never fetched.
func (f *flow) picture(id string, fig drawn) {
	r, ok := f.story.part.rels[id]
	fault := ""
	switch {
	case !ok:
		fault = "the file does not hold the picture"
	case r.external:
		fault = "the picture is linked, not embedded: " + clip(clean(r.target))
	default:
		fig.Image, fault = f.r.pictures.AddPosed(r.target, fig.pose, func() ([]byte, error) { return f.r.pack.Part(r.target) })
	}
	if fault != "" {
		f.find(finding.MissingImage, fig.Alt, fault)
	}
	if fig.angle != 0 {
		f.find(finding.DirectFormatting, fig.Alt, source.Angle(fig.angle))
	}
	f.p.figures = append(f.p.figures, fig.Figure)
	if fig.Image >= 0 {
		f.add(manuscript.InlineImage{Image: fig.Image, Alt: fig.Alt})
	} else {
		f.p.removed = true
	}
	f.text++
}

// textBox reads the text of a box; it is set after the paragraph that holds it.
func (f *flow) textBox(e xmlpart.El) {
	if f.r.boxDepth >= 4 {
		f.r.log.Drop(finding.UnsupportedObject, f.place(), passages(e), "a text box in others")
		return
	}
	f.r.boxDepth++
	place, inside := f.place(), f.r.boxed
	inner := &flow{r: f.r, story: &story{part: f.story.part, label: "text box"}}
	inner.children(e)
	inner.end()
	f.r.boxDepth--
	items := trimItems(inner.items)
	text := ""
	for _, it := range items {
		if it.block == nil && text == "" {
			text = manuscript.Line(it.inlines)
		}
	}
	if len(items) == 0 && f.r.boxed == inside {
		f.unsupported("a drawing") // an empty box is a frame around nothing
		return
	}
	f.r.boxed++
	f.r.log.Add(finding.TextBox, place, text, "")
	f.p.boxes = append(f.p.boxes, items...)
}
