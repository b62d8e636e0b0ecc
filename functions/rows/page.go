package rows

import (
	"context"
	"math"

	"mappe/functions/view"
	"mappe/shared/austria"
	"mappe/shared/web/format"
)

// Page collects the rows of one page while matches are counted: of rows before and behind it only the number
// is kept. Its memory is four bytes a row.
type Page struct {
	Offset, Limit int
	Total         int // matches counted so far
	spans         []span
}

// span are rows of one layer of one KG that stand on the page.
type span struct {
	layer *Layer
	code  austria.KGCode
	rows  []int32 // indexes; nil means from lo up to hi
	lo    int
	hi    int
}

// Add counts matching rows and keeps those on the page. rows may be reused by the caller.
func (p *Page) Add(l *Layer, code austria.KGCode, rows []int32) {
	if lo, hi := p.window(len(rows)); lo < hi {
		p.spans = append(p.spans, span{layer: l, code: code, rows: append([]int32(nil), rows[lo:hi]...)})
	}
}

// AddAll counts n rows that all match, without having seen them.
func (p *Page) AddAll(l *Layer, code austria.KGCode, n int) {
	if lo, hi := p.window(n); lo < hi {
		p.spans = append(p.spans, span{layer: l, code: code, lo: lo, hi: hi})
	}
}

// shows says whether some of the next n matches stand on the page.
func (p *Page) shows(n int) bool {
	return n > 0 && p.Limit > 0 && p.Total < p.Offset+p.Limit && p.Total+n > p.Offset
}

// window says which of the next n matches stand on the page.
func (p *Page) window(n int) (lo, hi int) {
	lo = min(max(p.Offset-p.Total, 0), n)
	hi = n
	if end := p.Offset + p.Limit; end < math.MaxInt && end-p.Total < n {
		hi = max(end-p.Total, 0)
	}
	p.Total += n
	return lo, hi
}

// Rows streams the page: one KG is open at a time.
func (p *Page) Rows(ctx context.Context, v *view.View) format.Seq {
	return func(yield func(format.Row, error) bool) {
		var codes []austria.KGCode
		for i := range p.spans {
			if !p.spans[i].layer.Apart {
				codes = append(codes, p.spans[i].code)
			}
		}
		reads := v.Ahead(codes)
		for i := range p.spans {
			more, err := p.spans[i].draw(ctx, v, reads, yield)
			if err != nil {
				yield(nil, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// draw gives the span's rows; false says that no more are wanted.
func (s *span) draw(ctx context.Context, v *view.View, reads *view.Ahead, yield func(format.Row, error) bool) (bool, error) {
	source := s.layer.Source
	n, err := open(ctx, v, s.layer, s.code, reads)
	if err != nil {
		return false, err
	}
	if r, ok := source.(Windowed); ok {
		if err := r.Window(ctx, s.lo, min(s.hi, n)); err != nil {
			return false, err
		}
	}
	if s.rows == nil {
		for i := s.lo; i < min(s.hi, n); i++ {
			if !yield(source.Row(i), nil) {
				return false, nil
			}
		}
		return true, nil
	}
	for _, i := range s.rows {
		if !yield(source.Row(int(i)), nil) {
			return false, nil
		}
	}
	return true, nil
}

// open opens the layer's source on a KG; the number is that of the rows it has there.
func open(ctx context.Context, v *view.View, l *Layer, code austria.KGCode, reads *view.Ahead) (int, error) {
	if l.Apart {
		return l.Source.Open(nil)
	}
	reads.Next(ctx)
	f, err := v.Open(ctx, code)
	if err != nil {
		return 0, err
	}
	return stand(ctx, v, l.Source, code, f)
}
