package cells

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/geo/region"
	"mappe/shared/web/fault"
)

const (
	// retryUnbuilt is when a KG that was not built may be: publications are hours apart.
	retryUnbuilt = time.Hour
	// retryComing is when one that was asked for may be.
	retryComing = 10 * time.Second
)

// source is what a request reads: one generation and the list of its cells.
type source struct {
	*library.View
	list *list
}

// list is the list of the KGs whose cells are built, and its sums.
type list struct {
	*ne.Index
	key    string // of the object; "" where the generation has no cells
	counts counts
}

// counts are the sums of a list.
type counts struct {
	Built      int   `json:"built"`
	Partial    int   `json:"partial"` // of them, those with a neighbour that is not built
	Rows       int   `json:"rows"`
	KRows      int   `json:"k_rows"`
	ObsRows    int   `json:"obs_rows"`
	Bytes      int64 `json:"bytes"`
	Candidates int   `json:"change_candidates"`
	Confirmed  int   `json:"change_confirmed"`
}

const maxList = 64 << 20

func lists(key string) library.Decoder[*list] {
	return library.Decoder[*list]{Limit: maxList, Decode: func(body []byte) (*list, int64, error) {
		x, err := ne.ParseIndex(body)
		if err != nil {
			return nil, 0, err
		}
		l := &list{Index: x, key: key, counts: counts{Built: len(x.KGs)}}
		for i := range x.KGs {
			k, c := &x.KGs[i], &l.counts
			if len(k.Pending) > 0 {
				c.Partial++
			}
			c.Rows, c.KRows, c.ObsRows, c.Bytes = c.Rows+k.Rows, c.KRows+k.KRows, c.ObsRows+k.ObsRows, c.Bytes+k.Bytes
			c.Candidates, c.Confirmed = c.Candidates+k.Candidates, c.Confirmed+k.Confirmed
		}
		return l, x.Memory(), nil
	}}
}

// sourceOf is the source of a request. A generation without cells has an empty list: no KG is built.
func sourceOf(ctx context.Context) (*source, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	return sourceIn(ctx, v)
}

func sourceIn(ctx context.Context, v *library.View) (*source, error) {
	key, ok := v.Artefact(ne.Artefact)
	if !ok {
		return &source{v, &list{Index: &ne.Index{}}}, nil
	}
	l, err := library.Get(ctx, v, key, lists(key.String()))
	if err != nil {
		return nil, generation.FaultOf(ctx, "the list of cells", err)
	}
	return &source{v, l}, nil
}

// reasonOf is why an object that the generation names cannot be read.
func reasonOf(err error) view.Absence {
	if errors.Is(err, library.ErrDamaged) {
		return view.Damaged
	}
	return view.Lost
}

// built is what the list says of a KG; the fault of one that is not built or not there. Where somebody builds KGs, one
// without a snapshot is asked for.
func (s *source) built(ctx context.Context, code austria.KGCode) (*ne.IndexKG, error) {
	if k := s.list.Find(code); k != nil {
		return k, nil
	}
	if _, err := view.Known(s.View, code); err != nil {
		return nil, err
	}
	after := retryUnbuilt
	if coming, _ := s.Unbuilt(ctx).Has(code); coming {
		s.Ask(code)
		after = retryComing
	}
	return nil, fault.Retry(fault.NotFound, after, "the cells of KG %s are not built yet", code)
}

// cells opens the container of a KG.
func (s *source) cells(ctx context.Context, k *ne.IndexKG) (*library.Cells, error) {
	key, err := keys.Parse(k.Key)
	if err != nil {
		return nil, err
	}
	c, ok := key.(keys.Cells)
	if !ok {
		return nil, errors.New("the list names " + k.Key + " as cells")
	}
	return s.Cells(ctx, c, k.Bytes)
}

// log is the log of publications; one without entries if nothing was published yet or it cannot be read: then who asks what
// changed since a publication is given everything.
func (s *source) log(ctx context.Context) (manifest.Publications, error) {
	none := manifest.Publications{}
	name := s.Pointer().Publications
	if name == "" {
		return none, nil
	}
	key, err := keys.Parse(name)
	if err != nil {
		return none, nil
	}
	l, err := library.Get(ctx, s.View, key, library.Decoder[manifest.Publications]{Limit: maxList,
		Decode: func(body []byte) (manifest.Publications, int64, error) {
			l, err := manifest.ParsePublications(body)
			return l, int64(len(body)), err
		}})
	if library.Unread(err) {
		return none, nil
	}
	return l, generation.Fault(ctx, err)
}

// chunkReach is how far in metres cells of resolution 12 lie outside the border of the cell of resolution 9 that they
// belong to, at most, and some more: the steps down to them sum to 200 m, the border is 174 m away at its middle.
const chunkReach = 50

// reachOf is the same of a cell of resolution 9 or 10.
func reachOf(c hexgrid.Cell) float64 {
	if c.Resolution() == ne.KRes {
		return chunkReach / math.Sqrt(7)
	}
	return chunkReach
}

// outlineOf is the border of a cell of resolution 9 or 10, and a box around all cells below it.
func outlineOf(c hexgrid.Cell) (geom.MultiPolygon, geom.Box) {
	border, err := c.Boundary()
	if err != nil {
		return nil, geom.EmptyBox
	}
	var r geom.Ring
	for _, p := range border {
		if q, ok := geom.PointAt(p.Lng, p.Lat); ok {
			r = append(r, q)
		}
	}
	m := geom.MultiPolygon{{r}}
	return m, crs.Grow(m.Bounds(), reachOf(c))
}

// near tells the KGs that may have rows below a cell of resolution 9 or 10, those that are built and those that are
// not, by rising code.
func (s *source) near(c hexgrid.Cell) (built []*ne.IndexKG, pending []austria.KGCode) {
	outline, box := outlineOf(c)
	if box.Empty() {
		return nil, nil
	}
	reg := s.Register()
	for _, code := range reg.KGsInBox(box) {
		k := s.list.Find(code)
		// A whole chunk takes what is built by its box: requests name hundreds of chunks, and to measure the outlines of
		// all KGs near them would take longer than to find that a container lacks the chunk.
		if m := reg.Outline(code); (k == nil || c.Resolution() > ne.ChunkRes) && len(m) > 0 &&
			!region.Of(outline).Reaches(m, m.Bounds(), reachOf(c)+reg.OutlineToleranceM(code)) {
			continue
		}
		if k != nil {
			built = append(built, k)
		} else {
			pending = append(pending, code)
		}
	}
	return built, pending
}

// gaps are the KGs that an answer lacks, and why.
type gaps map[austria.KGCode]view.Absence

// fault is the answer of a cell of which no row could be found: the KGs that may touch it are not built, or cannot be read.
func (g gaps) fault(cell hexgrid.Cell) error {
	f := fault.Retry(fault.NotFound, retryUnbuilt, "cell %s has no rows yet: KGs that may touch it are not built", cell)
	why := view.Unbuilt
	if a := g.unread(); a != 0 {
		f, why = fault.New(fault.NotFound, "the rows of cell %s cannot be read: repeating does not help until they are built again", cell),
			a
	}
	f.Members = map[string]any{"pending_kgs": g.codes(), "ready": false, "reason": why.String()}
	return f
}

// unread is why cells that were built cannot be read; 0 where none is missing.
func (g gaps) unread() (why view.Absence) {
	for _, a := range g {
		if a != view.Unbuilt {
			why = max(why, a)
		}
	}
	return why
}

// codes are the KGs by rising code; never nil, so that JSON shows an array.
func (g gaps) codes() []austria.KGCode { return append([]austria.KGCode{}, sortedKeys(g)...) }

// mark keeps a partial answer out of caches, and says in a header what it lacks.
func (g gaps) mark(h http.Header) {
	if len(g) == 0 {
		return
	}
	var names []string
	for _, c := range g.codes() {
		names = append(names, string(c))
	}
	h["Cache-Control"], h["Etag"] = []string{"no-store"}, nil
	h[pendingHeader] = []string{strings.Join(names, ",")}
}

// Headers, in the form in which net/http keeps them.
const (
	dictHeader    = "X-Ne-Dict"
	framesHeader  = "X-Ne-Frames"
	kgsHeader     = "X-Ne-Kgs"
	layersHeader  = "X-Ne-Layers"
	missingHeader = "X-Ne-Missing"
	pendingHeader = "X-Ne-Pending-Kgs"
	rowsHeader    = "X-Ne-Rows"
)
