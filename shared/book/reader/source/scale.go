package source

import "mappe/shared/book/manuscript"

// Smallest is the size of the smallest letters a reader has met in a paragraph, in points. The zero value has
// met none.
type Smallest struct{ points float64 }

// Meet adds letters of a size; 0 points are letters of which nothing is known.
func (s *Smallest) Meet(points float64) {
	if s.points == 0 || points < s.points {
		s.points = points
	}
}

// Take gives the size and begins anew.
func (s *Smallest) Take() float64 {
	points := s.points
	s.points = 0
	return points
}

// near is by how much type may differ from that of the running text and still be the same to the eye.
const near = 0.05

// Scale turns the sizes in points that a reader has put into the Scale of paragraphs into what the model
// says there. The running text is in the size that most letters have.
func Scale(b *manuscript.Book) {
	letters := map[float64]int{}
	eachParagraph(b, func(p *manuscript.Paragraph) { letters[p.Scale] += len(manuscript.Plain(p.Inlines)) })
	body, most := 0.0, 0
	for points, n := range letters {
		if n > most || n == most && points < body {
			body, most = points, n
		}
	}
	eachParagraph(b, func(p *manuscript.Paragraph) {
		if body == 0 || p.Scale == 0 {
			p.Scale = 0
			return
		}
		if p.Scale /= body; p.Scale > 1-near && p.Scale < 1+near {
			p.Scale = 0
		}
	})
}

func eachParagraph(b *manuscript.Book, f func(*manuscript.Paragraph)) {
	for i := range b.Sections {
		paragraphs(b.Sections[i].Blocks, f)
	}
	for i := range b.Notes {
		paragraphs(b.Notes[i].Blocks, f)
	}
}

func paragraphs(blocks []manuscript.Block, f func(*manuscript.Paragraph)) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *manuscript.Paragraph:
			f(b)
		case *manuscript.Quote:
			paragraphs(b.Blocks, f)
		case *manuscript.List:
			for _, item := range b.Items {
				paragraphs(item, f)
			}
		case *manuscript.Table:
			for _, r := range b.Rows {
				for _, c := range r.Cells {
					paragraphs(c.Blocks, f)
				}
			}
		}
	}
}
