package cells

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// What a request reads at most.
const (
	maxKGs  = 64
	maxRows = 180_000
	// openWidth is how many containers are opened or read at once.
	openWidth = 16
)

// want is what is asked for of one chunk.
type want struct {
	chunk hexgrid.Cell
	below hexgrid.Cell   // the cell of resolution 10 that holds all that is wanted; 0: the chunk
	whole []ne.Layer     // all its rows of these layers
	lu    []hexgrid.Cell // the rows of these cells of resolution 12, by rising id
	obs   bool           // of these cells observations too
	bev   []hexgrid.Cell // the rows of these cells of resolution 10
}

// layers are those that are read for a want, in the order of a container.
func (w *want) layers() []ne.Layer {
	var out []ne.Layer
	for _, l := range ne.AllLayers() {
		if slices.Contains(w.whole, l) || len(w.cells(l)) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// cells are the single cells that are wanted of a layer.
func (w *want) cells(l ne.Layer) []hexgrid.Cell {
	switch {
	case l == ne.Bev:
		return w.bev
	case l == ne.LU || w.obs:
		return w.lu
	}
	return nil
}

// frame is a chunk of a layer in the container of one KG.
type frame struct {
	kg    int // number in plan.kgs
	layer ne.Layer
	n     int // in the container
	state ne.Chunk
}

// plan is what a request reads: for each want the frames that hold its rows, by KG code.
type plan struct {
	src    *source
	wants  []want
	frames [][]frame
	kgs    []*ne.IndexKG
	open   []*library.Cells // of kgs; nil for one that is in gaps
	gaps   gaps
	lacks  []bool // by want: a KG that may have rows of it cannot be read
	rows   int    // of all frames
}

// tooMuch is why a plan is not carried out.
type tooMuch struct{ kgs, rows int }

func (e *tooMuch) Error() string {
	if e.rows > maxRows {
		return fmt.Sprintf("more than %d rows", maxRows)
	}
	return fmt.Sprintf("cells in more than %d KGs", maxKGs)
}

// plan looks up which frames hold the rows. The error is a *tooMuch where they are more than one request reads.
func (s *source) plan(ctx context.Context, wants []want) (*plan, error) {
	p := &plan{src: s, wants: wants, frames: make([][]frame, len(wants)), gaps: gaps{}, lacks: make([]bool, len(wants))}
	number := map[austria.KGCode]int{}
	near := make([][]int, len(wants))
	for i := range wants {
		around := wants[i].below
		if around == 0 {
			around = wants[i].chunk
		}
		built, pending := s.near(around)
		for _, code := range pending {
			p.gaps[code], p.lacks[i] = view.Unbuilt, true
		}
		for _, k := range built {
			n, ok := number[k.Code]
			if !ok {
				n = len(p.kgs)
				number[k.Code] = n
				p.kgs = append(p.kgs, k)
			}
			near[i] = append(near[i], n)
		}
		if len(p.kgs) > maxKGs {
			return nil, &tooMuch{kgs: len(p.kgs)}
		}
	}
	if err := p.openAll(ctx); err != nil {
		return nil, err
	}
	for i := range wants {
		p.look(i, near[i])
	}
	if p.rows > maxRows {
		return nil, &tooMuch{rows: p.rows}
	}
	return p, nil
}

// openAll opens the containers. One that is lost or damaged is a gap.
func (p *plan) openAll(ctx context.Context) error {
	p.open = make([]*library.Cells, len(p.kgs))
	lost := make([]view.Absence, len(p.kgs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(openWidth)
	for i, k := range p.kgs {
		g.Go(func() error {
			c, err := p.src.cells(ctx, k)
			if library.Unread(err) {
				lost[i] = reasonOf(err)
				return nil
			}
			p.open[i] = c
			return p.src.lost(ctx, k, err)
		})
	}
	err := g.Wait()
	for i, why := range lost {
		if why != 0 {
			p.gaps[p.kgs[i].Code] = why
		}
	}
	return err
}

// look finds the frames of a want in the containers near it.
func (p *plan) look(i int, near []int) {
	w := &p.wants[i]
	for _, kg := range near {
		c := p.open[kg]
		if c == nil {
			p.lacks[i] = true
			continue
		}
		for _, l := range w.layers() {
			n, ok := c.Frame(l, w.chunk)
			if !ok {
				continue
			}
			section, at := c.At(n)
			f := frame{kg, l, n, section.Chunks[at]}
			p.frames[i] = append(p.frames[i], f)
			p.rows += f.state.Rows
		}
	}
}

// tag is the identity of what the plan reads: the digests of its frames. "" where something is lacking.
func (p *plan) tag() string {
	if len(p.gaps) > 0 {
		return ""
	}
	if len(p.wants) == 1 {
		return p.tagOf(0)
	}
	h := sha256.New()
	for i := range p.wants {
		fmt.Fprintln(h, p.tagOf(i))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// tagOf is the identity of what is read of one chunk.
func (p *plan) tagOf(i int) string {
	if p.lacks[i] {
		return ""
	}
	h := sha256.New()
	fmt.Fprintln(h, p.wants[i].chunk)
	for _, f := range p.frames[i] {
		fmt.Fprintln(h, p.kgs[f.kg].Code, f.layer, f.state.Digest)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// read reads the frames of all wants, by the places in plan.frames.
func (p *plan) read(ctx context.Context) ([][]library.CellRows, error) {
	type place struct{ want, frame int }
	numbers := make([][]int, len(p.kgs))
	places := make([][]place, len(p.kgs))
	out := make([][]library.CellRows, len(p.wants))
	for i, frames := range p.frames {
		out[i] = make([]library.CellRows, len(frames))
		for j, f := range frames {
			numbers[f.kg] = append(numbers[f.kg], f.n)
			places[f.kg] = append(places[f.kg], place{i, j})
		}
	}
	lost := make([]view.Absence, len(p.kgs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(openWidth)
	for kg := range p.kgs {
		if len(numbers[kg]) == 0 {
			continue
		}
		g.Go(func() error {
			rows, err := p.open[kg].Rows(ctx, numbers[kg])
			if library.Unread(err) {
				lost[kg] = reasonOf(err)
				return nil
			}
			if err != nil {
				return p.src.lost(ctx, p.kgs[kg], err)
			}
			for i, at := range places[kg] {
				out[at.want][at.frame] = rows[i]
			}
			return nil
		})
	}
	err := g.Wait()
	for kg, why := range lost {
		if why != 0 {
			p.gaps[p.kgs[kg].Code] = why
		}
	}
	return out, err
}
