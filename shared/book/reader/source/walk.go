package source

import "mappe/shared/book/manuscript"

// Walk gives every run of inlines of a book to f and puts what f returns in its place.
func Walk(b *manuscript.Book, f func([]manuscript.Inline) []manuscript.Inline) {
	for i := range b.Sections {
		s := &b.Sections[i]
		s.Title, s.Subtitle = walkInlines(s.Title, f), walkInlines(s.Subtitle, f)
		WalkBlocks(s.Blocks, f)
	}
	for i := range b.Notes {
		WalkBlocks(b.Notes[i].Blocks, f)
	}
}

func walkInlines(in []manuscript.Inline, f func([]manuscript.Inline) []manuscript.Inline) []manuscript.Inline {
	if len(in) == 0 {
		return in
	}
	for i := range in {
		if l, ok := in[i].(manuscript.Link); ok {
			l.Inlines = walkInlines(l.Inlines, f)
			in[i] = l
		}
	}
	return f(in)
}

// WalkBlocks does it for blocks.
func WalkBlocks(blocks []manuscript.Block, f func([]manuscript.Inline) []manuscript.Inline) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			b.Inlines = walkInlines(b.Inlines, f)
		case *manuscript.Heading:
			b.Inlines = walkInlines(b.Inlines, f)
		case *manuscript.Figure:
			b.Caption = walkInlines(b.Caption, f)
		case *manuscript.Table:
			b.Caption = walkInlines(b.Caption, f)
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					WalkBlocks(c.Blocks, f)
				}
			}
		case *manuscript.List:
			for _, item := range b.Items {
				WalkBlocks(item, f)
			}
		case *manuscript.Verse:
			for _, s := range b.Stanzas {
				for i := range s {
					s[i].Inlines = walkInlines(s[i].Inlines, f)
				}
			}
			b.Attribution = walkInlines(b.Attribution, f)
		case *manuscript.Quote:
			WalkBlocks(b.Blocks, f)
			b.Attribution = walkInlines(b.Attribution, f)
		}
	}
}
