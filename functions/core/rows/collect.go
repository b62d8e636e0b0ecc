package rows

import (
	"context"

	"mappe/functions/core/view"
	"mappe/shared/austria"
)

// Collect counts the matches of a layer over the query's places and keeps the page. Layers are collected in
// the order of the answer.
func (q *Query) Collect(ctx context.Context, l *Layer, p *Page) error {
	p.at = Position{Layer: q.number(l)}
	if l.External {
		n, err := l.Source.Open(nil)
		p.AddAll(l, "", n)
		return err
	}
	c := collector{q: q, layer: l, page: p, reads: q.View.Ahead(q.toRead(l, *p)).Decoding(decoder(l.Source))}
	for i := range q.Candidates {
		p.at.KG = i
		if err := c.place(ctx, &q.Candidates[i]); err != nil {
			return err
		}
	}
	return q.View.Confirm(ctx, c.counted, &q.Missing)
}

// toRead are the KGs whose files will be read, in order: those of which nobody knows how many rows match, and those whose rows stand on the
// page, were all others read. Behind an unknown one nobody knows that.
func (q *Query) toRead(l *Layer, page Page) (codes []austria.KGCode) {
	guessed := true
	for i := range q.Candidates {
		page.at.KG = i
		n := l.known(&q.Candidates[i])
		guessed = guessed && n >= 0
		if n < 0 || guessed && page.shows(n) {
			codes = append(codes, q.Candidates[i].Code)
		}
		page.window(max(n, 0))
	}
	return codes
}

// number is that of a layer of the query.
func (q *Query) number(l *Layer) int {
	for i := range q.Layers {
		if l == &q.Layers[i] {
			return i
		}
	}
	return 0
}

// collector is one walk over the places.
type collector struct {
	q       *Query
	layer   *Layer
	page    *Page
	reads   *view.Ahead
	counted []austria.KGCode // whose rows were only counted
	found   []int32          // room for the matches of a KG
}

func (c *collector) place(ctx context.Context, at *Candidate) error {
	n := c.layer.known(at)
	if n >= 0 && !c.page.shows(n) {
		c.page.window(n)
		c.counted = append(c.counted, at.Code)
		return nil
	}
	c.reads.Next(ctx)
	if err := ctx.Err(); err != nil { // files in memory are opened for a client that has left, too
		return err
	}
	f, err := c.q.View.Read(ctx, at.Code, &c.q.Missing)
	switch {
	case err != nil:
		return err
	case f == nil:
		c.page.unread(max(n, 0))
		return nil
	case n >= 0 && c.layer.Hits == nil:
		c.page.AddAll(c.layer, at.Code, n)
		return nil
	}
	found, n, all, err := c.layer.matches(at, f, c.found[:0])
	if err != nil {
		return err
	}
	if c.found = found; all {
		c.page.AddAll(c.layer, at.Code, n)
	} else {
		c.page.Add(c.layer, at.Code, found)
	}
	return nil
}
