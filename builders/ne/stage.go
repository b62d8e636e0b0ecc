package ne

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/register"
	"mappe/builders/forms"
	"mappe/builders/source/observations"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
	"mappe/shared/geo/region"
)

// Stages make the cells of the country: the dictionary, then the container and the changes of each KG and their list,
// then the sums of the changes and what is drawn of all. obs are the observations of a peer that go into the containers; nil: without them.
func Stages(obs *observations.Layer) []stage.Stage {
	recipe := Recipe + ", sums of containers"
	if obs != nil {
		recipe += " " + obs.Sum
	}
	return []stage.Stage{
		{Artefact: ne.DictArtefact, Recipe: Recipe, Make: makeDict},
		{Artefact: ne.Artefact, Recipe: recipe, Make: func(ctx context.Context, c *stage.Country) (manifest.Object, error) {
			return makeCells(ctx, c, obs)
		}, Also: []string{ne.WaitingArtefact}, PerKG: []string{ne.KGArtefact, ne.ChangesArtefact, ne.TableArtefact, ne.CoarseArtefact},
			Again: func(live manifest.Artefacts) bool { return live[ne.WaitingArtefact].Key != "" }},
		{Artefact: ne.SumsArtefact, Recipe: sumsRecipe, Make: makeSums},
		{Artefact: ne.BaseArtefact, Recipe: baseRecipe, Make: makeBase}, // it draws what the sums name
	}
}

// maxObject bounds what is read back of earlier publications.
const maxObject = 1 << 28

// dict is the dictionary of this recipe. It was learnt from the demonstration country (BuildDict); another one would
// change the bytes of every container, so that it is kept with the program.
//
//go:embed cells1.zdict
var dict []byte

func makeDict(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	return c.Put(ctx, keys.CellDict{Sum: ne.DictID(dict)}, dict)
}

// neighbours are the KGs with a snapshot whose parcels may touch cells of a KG, in rising order.
func (p *pass) neighbours(k *stage.KG) []*stage.KG {
	p.boxed.Do(func() {
		boxes := make([]geom.Box, len(p.c.KGs))
		for i := range p.c.KGs {
			boxes[i] = p.c.KGs[i].Register.Box
		}
		p.boxes = packtree.Pack(boxes)
	})
	var found []int
	p.boxes.Search(Near(k.Register.Box), func(i int) bool {
		if p.c.KGs[i].Entry.Code != k.Entry.Code {
			found = append(found, i)
		}
		return true
	})
	slices.Sort(found)
	var out []*stage.KG
	for _, i := range found {
		out = append(out, &p.c.KGs[i])
	}
	return out
}

// cellReach is more than the diameter of a cell of resolution 12 in metres.
const cellReach = 30

// pending are the KGs without a snapshot that may touch cells of a KG.
func pending(c *stage.Country, k *stage.KG) []austria.KGCode {
	var out []austria.KGCode
	own := region.Of(k.Register.Outline)
	for i := range c.Register.KGs {
		o := &c.Register.KGs[i]
		if o.Snapshot.Key != "" || !o.Box.Intersects(crs.Grow(k.Register.Box, cellReach)) {
			continue
		}
		if reach := cellReach + tolerance(c, k.Register) + tolerance(c, o); len(o.Outline) == 0 || len(k.Register.Outline) == 0 ||
			own.Reaches(o.Outline, o.Outline.Bounds(), reach) {
			out = append(out, o.Code)
		}
	}
	return out
}

func tolerance(c *stage.Country, k *register.KG) float64 {
	return cmp.Or(k.ToleranceM, c.Register.ToleranceM)
}

// fingerprint names what the cells of a KG are made of. The date is not among it: what is the same at a later date keeps
// its container, and the date of the sources that it was made from.
func fingerprint(k *stage.KG, near []*stage.KG, pending []austria.KGCode, seen string) string {
	h := sha256.New()
	fmt.Fprintln(h, Recipe, k.Entry.Code, k.Entry.Forms.KGS.SHA256, pending)
	for _, n := range near {
		fmt.Fprintln(h, n.Entry.Code, n.Entry.Forms.KGS.SHA256)
	}
	if seen != "" {
		fmt.Fprintln(h, "observations", seen)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// pass is one run of the stage.
type pass struct {
	c   *stage.Country
	obs *observations.Layer
	was *ne.Index // of the pass before; empty in the first pass

	opened opened
	boxed  sync.Once
	boxes  *packtree.Tree // of the KGs, for neighbours
}

// open opens the snapshot of a KG.
func (p *pass) open(ctx context.Context, k *stage.KG) (*kgfile.File, error) {
	return p.opened.open(k.Entry.Forms.KGS, func() (*kgfile.File, error) { return p.c.Open(ctx, k) })
}

// work is a KG in work.
type work struct {
	*stage.KG
	near   []*stage.KG
	wait   []austria.KGCode // KGs beside it that have no snapshot
	seen   string           // its observations
	was    *ne.IndexKG      // nil: the pass before has none
	served *kept            // what its container held; nil: it is gone
}

// compute opens a KG and its neighbours and makes its rows.
func (p *pass) compute(ctx context.Context, w *work) (computed, error) {
	var none computed
	var files []*kgfile.File
	for _, k := range append([]*stage.KG{w.KG}, w.near...) {
		f, err := p.open(ctx, k)
		if err != nil {
			return none, fmt.Errorf("KG %s: %w", k.Entry.Code, err)
		}
		files = append(files, f)
	}
	rows, err := compute(ctx, files, p.before(ctx, w, files))
	if err != nil {
		return none, fmt.Errorf("cells of KG %s: %w", w.Entry.Code, err)
	}
	return rows, nil
}

// begun KGs may have been begun before the first of them is noted: at a later date most are taken over at once, and beside one that
// changed the other processors would wait for it.
const begun = 512

func makeCells(ctx context.Context, c *stage.Country, obs *observations.Layer) (manifest.Object, error) {
	var none manifest.Object
	p := pass{c: c, obs: obs}
	var err error
	if p.was, err = served(ctx, c.Store, c.Live); err != nil {
		return none, err
	}
	index := &ne.Index{Recipe: Recipe, Dict: ne.DictID(dict), Obs: describe(obs)}
	err = stage.InOrderOf(ctx, len(c.KGs), stage.Width{Workers: c.Workers, Begun: begun}, func(ctx context.Context, i int) (*made, error) {
		return p.kg(ctx, &c.KGs[i])
	}, func(i int, m *made) error {
		c.KGs[i].Note(ne.KGArtefact, m.container)
		c.KGs[i].Note(ne.TableArtefact, m.table)
		c.KGs[i].Note(ne.CoarseArtefact, m.coarse)
		if m.row.Changes != "" {
			c.KGs[i].Note(ne.ChangesArtefact, m.changes)
		}
		index.KGs = append(index.KGs, m.row)
		c.Tell(i+1, len(c.KGs))
		return nil
	})
	if err != nil {
		return none, err
	}
	body, err := index.Encode()
	if err != nil {
		return none, err
	}
	o, err := c.Write(ctx, ne.Artefact, "json", body)
	if err == nil && slices.ContainsFunc(index.KGs, func(k ne.IndexKG) bool { return k.Candidates > 0 }) {
		c.Note(ne.WaitingArtefact, o)
	}
	return o, err
}

// served is the list of the pass before, empty in the first pass, or where it cannot be read: then all is made anew and
// nothing has changed.
func served(ctx context.Context, st store.Store, live manifest.Artefacts) (*ne.Index, error) {
	o, ok := live[ne.Artefact]
	if !ok {
		return &ne.Index{}, nil
	}
	b, err := readObject(ctx, st, o.Key)
	if errors.Is(err, store.ErrNotFound) {
		return &ne.Index{}, nil
	}
	if err != nil {
		return nil, err
	}
	x, err := ne.ParseIndex(b)
	if err != nil {
		return &ne.Index{}, nil
	}
	return x, nil
}

func readObject(ctx context.Context, st store.Store, key string) ([]byte, error) {
	b, _, err := store.ReadAll(ctx, st, key, maxObject, store.GetOptions{Plain: true})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return b, nil
}

// made is what a pass has of a KG.
type made struct {
	row                ne.IndexKG
	container, changes manifest.Object
	table              manifest.Object // GeoParquet
	coarse             manifest.Object // its parts of cells of resolution 9
}

// kg makes the container of a KG, or takes over the served one, and looks what changed.
func (p *pass) kg(ctx context.Context, k *stage.KG) (*made, error) {
	w := &work{KG: k, near: p.neighbours(k), wait: pending(p.c, k), was: p.was.Find(k.Entry.Code)}
	var err error
	if w.seen, err = seenNear(p.obs, k); err != nil {
		return nil, err
	}
	inputs := fingerprint(k, w.near, w.wait, w.seen)
	if w.was != nil && w.was.Inputs == inputs && p.was.Dict == ne.DictID(dict) {
		if m, err := p.keep(ctx, w); m != nil || err != nil {
			return m, err
		}
	}
	if w.served, err = p.read(ctx, w.was); err != nil {
		return nil, err
	}
	built, err := p.compute(ctx, w)
	if err != nil {
		return nil, err
	}
	if m, err := p.keepSame(ctx, w, &built); m != nil || err != nil {
		if m != nil {
			m.row.Inputs = inputs
		}
		return m, err
	}
	m := &made{row: ne.IndexKG{Code: k.Entry.Code, Stichtag: k.Entry.Stichtag, Inputs: inputs, Pending: w.wait}}
	lines, err := p.write(ctx, w, m, built)
	if err != nil {
		return nil, err
	}
	return m, p.compare(ctx, w, m, lines)
}

// write stores the container of a KG and what is made of it, and gives its LU rows.
func (p *pass) write(ctx context.Context, w *work, m *made, built computed) ([]ne.LURow, error) {
	code, date := w.Entry.Code, w.Entry.Stichtag
	rows, err := withObservations(built.layers, p.obs)
	if err != nil {
		return nil, err
	}
	pack, err := ne.NewPacker(dict)
	if err != nil {
		return nil, err
	}
	if p.was.Recipe == Recipe {
		w.served.tell(pack, ne.DictID(dict))
	}
	body, err := ne.Encode(ne.Header{KG: code, Stichtag: date, Pending: m.row.Pending}, rows, pack)
	if err != nil {
		return nil, err
	}
	head, err := ne.ParseFront(body, int64(len(body)))
	if err != nil {
		return nil, err
	}
	if m.container, err = p.c.Put(ctx, keys.Cells{Code: code, Date: date, Sum: keys.Sum(body)}, body); err != nil {
		return nil, err
	}
	lines, areas := parsed(rows[0].Chunks), built.areas()
	table, err := forms.CellsGeoParquet(*head, p.c.Register.Attribution, lines, areas)
	if err != nil {
		return nil, err
	}
	if m.table, err = p.c.Put(ctx, keys.CellTable{Code: code, Date: date, Sum: keys.Sum(table)}, table); err != nil {
		return nil, err
	}
	if m.coarse, err = p.coarse(ctx, w.KG, lines, areas); err != nil {
		return nil, err
	}
	lu, bev := head.Section(ne.LU), head.Section(ne.Bev)
	r := &m.row
	r.Generation, r.Key, r.Bytes, r.SHA256 = head.Generation, m.container.Key, m.container.Bytes, m.container.SHA256
	r.Rows, r.Digest, r.KRows, r.KDigest = lu.Rows, lu.SHA256[:16], bev.Rows, bev.SHA256[:16]
	if obs := head.Section(ne.Obs); obs != nil {
		r.ObsRows, r.ObsDigest = obs.Rows, obs.SHA256[:16]
	}
	return lines, nil
}

// parsed are the LU rows of chunks.
func parsed(chunks []ne.ChunkRows) (out []ne.LURow) {
	for _, c := range chunks {
		for b := range slices.Chunk(c.Rows, ne.LUBytes) {
			out = append(out, ne.ParseLU(b))
		}
	}
	slices.SortFunc(out, func(a, b ne.LURow) int { return cmp.Compare(a.Cell, b.Cell) })
	return out
}

// keep takes over what is served of a KG whose inputs are the same; nil where it is gone.
func (p *pass) keep(ctx context.Context, w *work) (*made, error) {
	was, of := w.was, w.Entry.Artefacts
	m := &made{row: *was, container: of[ne.KGArtefact], changes: of[ne.ChangesArtefact], table: of[ne.TableArtefact],
		coarse: of[ne.CoarseArtefact]}
	if m.container.Key != was.Key || m.changes.Key != was.Changes || m.table.Key == "" || m.coarse.Key == "" {
		return nil, nil
	}
	m.row.SHA256 = m.container.SHA256
	if was.Candidates == 0 {
		return m, nil
	}
	if w.served == nil {
		var err error
		if w.served, err = p.read(ctx, was); err != nil {
			return nil, err
		}
	}
	return m, p.compare(ctx, w, m, w.served.lines())
}

// compare notes what changed in the cells of a KG since the pass before.
func (p *pass) compare(ctx context.Context, w *work, m *made, now []ne.LURow) error {
	was, code, date := w.was, w.Entry.Code, w.Entry.Stichtag
	if was == nil {
		return nil
	}
	known := &ne.Changes{KG: code}
	if was.Changes != "" {
		b, err := readObject(ctx, p.c.Store, was.Changes)
		if err == nil {
			known, err = ne.ParseChanges(b)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) { // what was lost begins anew
			return err
		}
	}
	changes := known.Pass(w.served.lines(), now, date)
	m.row.Changes, m.row.Candidates, m.row.Confirmed = "", 0, 0
	if len(changes.Cells) == 0 {
		return nil
	}
	m.row.Candidates, m.row.Confirmed = changes.Counts()
	body, err := changes.Encode()
	if err != nil {
		return err
	}
	m.changes, err = p.c.Put(ctx, keys.CellChanges{Code: code, Date: date, Sum: keys.Sum(body)}, body)
	m.row.Changes = m.changes.Key
	return err
}
