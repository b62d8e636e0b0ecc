package rows

import (
	"context"
	"fmt"

	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
)

// Page collects the rows of one page while matches are counted: of rows before and behind it only the number
// is kept. Its memory is four bytes a row.
type Page struct {
	Offset, Limit int
	// From is where the page begins in place of the offset. A page that follows another has it: what comes before, a KG
	// that is gone or back, moves no row to another page.
	From *Position
	// Fill has rows that cannot be read take no place on the page, so that no page is empty while rows follow. Without it
	// they keep theirs: pages by offset do not change with what can be read.
	Fill  bool
	Total int // matches counted so far

	at    Position // that is being counted: layer and KG
	shown int      // rows on the page
	end   Position // behind the last of them
	more  bool     // rows follow
	spans []span
}

// Position is a place between two rows of a query's answer: so many of the matching rows of a KG are before it.
type Position struct{ Layer, KG, Row int } // numbers of the layer and of the KG in the query

// String is the position in a cursor.
func (p Position) String() string { return fmt.Sprintf("%d.%d.%d", p.Layer, p.KG, p.Row) }

// ParsePosition reads a position; nil of "".
func ParsePosition(text string) (*Position, error) {
	if text == "" {
		return nil, nil
	}
	var p Position
	_, err := fmt.Sscanf(text, "%d.%d.%d", &p.Layer, &p.KG, &p.Row)
	if err != nil || p.String() != text || p.Layer < 0 || p.KG < 0 || p.Row < 0 {
		return nil, fault.Of(fault.BadCursor, "cursor", text, "the cursor of a next link, unchanged")
	}
	return &p, nil
}

// Next is where the page behind this one begins, and whether there is one.
func (p *Page) Next() (position string, more bool) { return p.end.String(), p.more }

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

// Returned is how many rows the page gives: fewer than stand on it where a KG of known rows cannot be read.
func (p *Page) Returned() (n int) {
	for i := range p.spans {
		if s := &p.spans[i]; s.rows == nil {
			n += s.hi - s.lo
		} else {
			n += len(s.rows)
		}
	}
	return n
}

// shows says whether some of the next n matches stand on the page.
func (p *Page) shows(n int) bool {
	lo, hi := p.cut(n)
	return lo < hi
}

// window says which of the next n matches stand on the page, and counts them.
func (p *Page) window(n int) (lo, hi int) {
	lo, hi = p.cut(n)
	if lo < hi {
		p.shown += hi - lo
		p.end = Position{p.at.Layer, p.at.KG, hi}
	}
	p.more = p.more || p.full() && hi < n && !p.before()
	p.Total += n
	return lo, hi
}

// unread counts n matches that cannot be read.
func (p *Page) unread(n int) {
	if p.Fill {
		p.Total += n
	} else {
		p.window(n)
	}
}

// full says that the page has all the rows that it may have.
func (p *Page) full() bool { return p.shown >= p.Limit }

// before says whether the KG that is being counted stands before the page.
func (p *Page) before() bool {
	return p.From != nil && (p.at.Layer < p.From.Layer || p.at.Layer == p.From.Layer && p.at.KG < p.From.KG)
}

// cut says which of the next n matches stand on the page.
func (p *Page) cut(n int) (lo, hi int) {
	switch {
	case p.before():
		return 0, 0
	case p.From == nil:
		lo = min(max(p.Offset-p.Total, 0), n)
	case p.at.Layer == p.From.Layer && p.at.KG == p.From.KG:
		lo = min(p.From.Row, n)
	}
	return lo, lo + min(n-lo, max(p.Limit-p.shown, 0))
}

// Rows streams the page: one KG is open at a time.
func (p *Page) Rows(ctx context.Context, v *view.View) format.Seq {
	return func(yield func(format.Row, error) bool) {
		var codes []austria.KGCode
		var last Source
		for i := range p.spans {
			if !p.spans[i].layer.External {
				codes, last = append(codes, p.spans[i].code), p.spans[i].layer.Source
			}
		}
		reads := v.Ahead(codes)
		if len(codes) > 0 && p.spans[0].layer.Source == last { // rows of one layer
			reads.Decoding(decoder(last))
		}
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
	if l.External {
		return l.Source.Open(nil)
	}
	reads.Next(ctx)
	f, err := v.Open(ctx, code)
	if err != nil {
		return 0, err
	}
	return stand(ctx, v, l.Source, code, f)
}
