package ne

import (
	"bytes"
	"context"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/builders/objects"
	"mappe/builders/stage"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// Where something changed in a KG or beside it, most of its chunks lie elsewhere: their rows are those of the container
// before. A chunk is counted again where a feature near it was added, removed or drawn otherwise since then.

// before is what a KG's container of the pass before was made of, as far as it is made of something else now.
type before struct {
	rows  *kept
	pairs []pair
}

// pair is a KG whose snapshot differs: before, nil for none, and now.
type pair struct{ was, is *kgfile.File }

// before looks whether the container of a KG was made from the snapshots of the served generation, which are at hand.
// It is nil where that is not so, or cannot be told: all chunks are counted then. now are the snapshots of the KG and of
// its neighbours.
func (p *pass) before(ctx context.Context, w *work, now []*kgfile.File) *before {
	if w.was == nil || w.served == nil || w.served.bev == nil || p.was.Recipe != Recipe {
		return nil
	}
	own, ok := p.c.Was[w.Entry.Code]
	if !ok {
		return nil
	}
	var then []*stage.KG
	for _, n := range w.near {
		if e, ok := p.c.Was[n.Entry.Code]; ok {
			then = append(then, &stage.KG{Entry: e})
		}
	}
	if fingerprint(&stage.KG{Entry: own}, then, w.was.Pending, w.seen) != w.was.Inputs {
		return nil
	}
	b := &before{rows: w.served}
	for i, n := range append([]*stage.KG{w.KG}, w.near...) {
		e := p.c.Was[n.Entry.Code]
		if e.Forms.KGS.SHA256 == n.Entry.Forms.KGS.SHA256 {
			continue
		}
		was, ok := p.openBefore(ctx, e)
		if !ok {
			return nil
		}
		b.pairs = append(b.pairs, pair{was, now[i]})
	}
	return b
}

// kept are the rows of a container by chunk; a layer that it has not, or in another form, is nil.
type kept struct {
	lu, bev map[hexgrid.Cell][]byte
	dict    string      // of the container
	frames  [][2][]byte // rows and frame of each chunk
}

// lines are the LU rows, rising; none of nil.
func (k *kept) lines() []ne.LURow {
	if k == nil {
		return nil
	}
	chunks := make([]ne.ChunkRows, 0, len(k.lu))
	for cell, rows := range k.lu {
		chunks = append(chunks, ne.ChunkRows{Cell: cell, Rows: rows})
	}
	return parsed(chunks)
}

// tell lets a packer with the container's dictionary know its frames.
func (k *kept) tell(pack *ne.Packer, dict string) {
	if k == nil || k.dict != dict {
		return
	}
	for _, f := range k.frames {
		pack.Know(f[0], f[1])
	}
}

// of are those of a chunk.
func (k *kept) of(cell hexgrid.Cell) chunkRows {
	return chunkRows{lu: k.lu[cell], bev: k.bev[cell]}
}

// same says whether a KG has the rows that its container has.
func (k *kept) same(layers []ne.Rows) bool {
	if k == nil || k.bev == nil {
		return false
	}
	for _, l := range layers {
		was := k.lu
		if l.Layer == ne.Bev {
			was = k.bev
		}
		other := func(c ne.ChunkRows) bool { return !bytes.Equal(c.Rows, was[c.Cell]) }
		if len(was) != len(l.Chunks) || slices.ContainsFunc(l.Chunks, other) {
			return false
		}
	}
	return true
}

// keepSame takes over what is served of a KG beside which something changed that its cells do not show: the date of the
// container is that since which they are what they are, and mirrors have nothing to fetch. It is nil where anything else that
// is in the container differs, or is not known.
func (p *pass) keepSame(ctx context.Context, w *work, built *computed) (*made, error) {
	if w.was == nil || p.was.Recipe != Recipe || p.was.Dict != ne.DictID(dict) || p.obs != nil || w.was.ObsDigest != "" ||
		!slices.Equal(w.wait, w.was.Pending) || !w.served.same(built.layers) || w.served.dict != p.was.Dict {
		return nil, nil
	}
	return p.keep(ctx, w)
}

// openBefore opens a snapshot of the served generation; nil where it had none, false where it is gone.
func (p *pass) openBefore(ctx context.Context, e manifest.Entry) (*kgfile.File, bool) {
	if e.Code == "" {
		return nil, true
	}
	f, err := p.opened.open(e.Forms.KGS, func() (*kgfile.File, error) {
		b, err := objects.Read(ctx, p.c.Store, e.Forms.KGS.Key)
		if err != nil {
			return nil, err
		}
		return kgfile.Open(b)
	})
	return f, err == nil
}

// chunkRadius: no cell of a chunk reaches farther from the chunk's centre, in mm.
const chunkRadius = 350_000

// around is a box that holds the chunk of a cell.
func around(c hexgrid.Cell) (rect, error) {
	centre, err := c.LatLng()
	if err != nil {
		return emptyRect, err
	}
	o := planarOf(centre)
	return rect{o.x - chunkRadius, o.y - chunkRadius, o.x + chunkRadius, o.y + chunkRadius}, nil
}

// touched are those of the chunks near which something differs, rising as they are. The features of the KGs that differ
// are noted in known, as they are now.
func (b *before) touched(chunks []hexgrid.Cell, near geom.Box, known map[*kgfile.File]*features) ([]hexgrid.Cell, error) {
	found := make([]bool, len(chunks))
	for _, p := range b.pairs {
		was := &features{}
		var err error
		if p.was != nil {
			if was, err = read(p.was, near); err != nil {
				return nil, err
			}
		}
		is, err := read(p.is, near)
		if err != nil {
			return nil, err
		}
		known[p.is] = is
		for i, c := range chunks {
			box, err := around(c)
			if err != nil {
				return nil, err
			}
			found[i] = found[i] || !was.same(is, c, box)
		}
	}
	var out []hexgrid.Cell
	for i, c := range chunks {
		if found[i] {
			out = append(out, c)
		}
	}
	return out, nil
}

// same says whether two states of a KG have the same features in the box of a chunk.
func (f *features) same(o *features, chunk hexgrid.Cell, box rect) bool {
	a, b := f.parcelGrid.near(nil, box), o.parcelGrid.near(nil, box)
	if !slices.EqualFunc(a, b, func(i, j int32) bool {
		p, q := &f.parcels[i], &o.parcels[j]
		return p.surveyed == q.surveyed && p.sqm == q.sqm && p.folio == q.folio && p.same(&q.area)
	}) {
		return false
	}
	a, b = f.useGrid.near(nil, box), o.useGrid.near(nil, box)
	return slices.EqualFunc(a, b, func(i, j int32) bool {
		p, q := &f.uses[i], &o.uses[j]
		return p.class == q.class && p.building == q.building && p.same(&q.area)
	}) && slices.Equal(f.inCells[chunk], o.inCells[chunk]) && slices.Equal(f.inUnits[chunk], o.inUnits[chunk])
}

func (a *area) same(o *area) bool { return slices.EqualFunc(a.rings, o.rings, slices.Equal) }

// boxOf holds chunks, and what comes near them; it is empty of none.
func boxOf(chunks []hexgrid.Cell) geom.Box {
	box := geom.EmptyBox
	for _, c := range chunks {
		centre, err := c.LatLng()
		if err != nil {
			continue // chunksOf gives cells
		}
		if p, ok := geom.PointAt(centre.Lng, centre.Lat); ok {
			box = box.Extend(p)
		}
	}
	if box.Empty() {
		return box
	}
	return crs.Grow(box, chunkReach)
}
