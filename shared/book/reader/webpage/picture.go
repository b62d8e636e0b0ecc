package webpage

import (
	"golang.org/x/net/html"

	"mappe/shared/book/manuscript"
	"mappe/shared/book/reader/source"
)

// image puts a picture: alone, or into the line that is open.
func (f *flow) image(n *html.Node, src string, st state) {
	alt := source.Line(source.Clean(attr(n, "alt")))
	at := f.b.picture(f.page, src, alt, f.place())
	if at < 0 {
		if !f.some {
			f.add(&manuscript.Figure{Image: -1, Alt: alt, Place: f.place()})
		}
		return
	}
	f.ink()
	f.space()
	f.in.Link(st.href)
	f.in.Add(manuscript.InlineImage{Image: at, Alt: alt})
}

// onlyPictures gives the pictures of a line that holds nothing else.
func onlyPictures(in []manuscript.Inline) []manuscript.InlineImage {
	var out []manuscript.InlineImage
	for _, i := range in {
		switch i := i.(type) {
		case manuscript.InlineImage:
			out = append(out, i)
		case manuscript.Target, manuscript.LineBreak:
		case manuscript.Link:
			inner := onlyPictures(i.Inlines)
			if inner == nil {
				return nil
			}
			out = append(out, inner...)
		default:
			if !source.Blank([]manuscript.Inline{i}) {
				return nil
			}
		}
	}
	return out
}
