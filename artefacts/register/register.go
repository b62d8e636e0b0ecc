package register

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/internal/outline"
	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/packtree"
)

// Register is an open register. All methods are safe for concurrent use; slices belong to it and are
// never changed by callers.
type Register struct {
	contents Contents
	universe string
	kgs, gem *outlines
	byCode   byCode
	kgTree   *packtree.Tree // over the KGs' boxes, outlines included
	gemTree  func() *packtree.Tree
	blind    map[austria.GemeindeCode][]int // KGs without any outline

	index      func() *index
	derived    derived
	localities func() ([]Locality, error)
	plz        func() ([]PostalPlace, error)
}

// outlines keeps polygons packed until one is asked for.
type outlines struct {
	packed []byte
	end    []uint32
	boxes  []geom.Box
	done   []atomic.Pointer[geom.MultiPolygon]
}

func (o *outlines) get(i int) geom.MultiPolygon {
	if m := o.done[i].Load(); m != nil {
		return *m
	}
	a := uint32(0)
	if i > 0 {
		a = o.end[i-1]
	}
	m := outline.Parse(o.packed[a:o.end[i]], o.boxes[i])
	o.done[i].Store(&m)
	return m
}

// Stichtag is the newest snapshot date.
func (r *Register) Stichtag() string { return r.contents.Stichtag }

// Attribution is the source notice with its year.
func (r *Register) Attribution() string { return r.contents.Attribution }

// UniverseHash is the hash of all KG codes; see the function UniverseHash.
func (r *Register) UniverseHash() string { return r.universe }

// ToleranceM is the greatest distance of stored outlines from the true ones, in metres.
func (r *Register) ToleranceM() float64 { return r.contents.ToleranceM }

// KGs are all KGs by rising code.
func (r *Register) KGs() []KG { return r.contents.KGs }

// Index is the place of a KG among KGs: where it stands, or would stand.
func (r *Register) Index(code austria.KGCode) (int, bool) {
	if i, ok := r.byCode.of(code); ok {
		return i, true
	}
	kgs := r.contents.KGs // each of some hundred bytes: not copied
	return sort.Find(len(kgs), func(i int) int { return strings.Compare(string(code), string(kgs[i].Code)) })
}

// KG finds a KG; nil if the register does not list it.
func (r *Register) KG(code austria.KGCode) *KG {
	if i, ok := r.Index(code); ok {
		return &r.contents.KGs[i]
	}
	return nil
}

// Outline is the simplified outline of a KG, nil when unknown.
func (r *Register) Outline(code austria.KGCode) geom.MultiPolygon {
	if i, ok := r.Index(code); ok {
		return r.kgs.get(i)
	}
	return nil
}

// OutlineToleranceM is how far in metres Outline may lie from the true outline of a KG.
func (r *Register) OutlineToleranceM(code austria.KGCode) float64 {
	if i, ok := r.Index(code); ok {
		return r.tolerance(i)
	}
	return r.contents.ToleranceM
}

func (r *Register) tolerance(i int) float64 {
	return cmp.Or(r.contents.KGs[i].ToleranceM, r.contents.ToleranceM)
}

// KGsInBox are the KGs whose box shares a point with q, by rising code.
func (r *Register) KGsInBox(q geom.Box) []austria.KGCode {
	var hits []int
	r.kgTree.Search(q, func(i int) bool { hits = append(hits, i); return true })
	slices.Sort(hits)
	out := make([]austria.KGCode, len(hits))
	for k, i := range hits {
		out[k] = r.contents.KGs[i].Code
	}
	return out
}

// Municipalities are all municipalities by rising code.
func (r *Register) Municipalities() []Municipality { return r.contents.Municipalities }

func (r *Register) municipality(c austria.GemeindeCode) (int, bool) {
	return slices.BinarySearchFunc(r.contents.Municipalities, c, func(m Municipality, c austria.GemeindeCode) int {
		return strings.Compare(string(m.Code), string(c))
	})
}

// Municipality finds a municipality; nil if the register does not list it.
func (r *Register) Municipality(c austria.GemeindeCode) *Municipality {
	if i, ok := r.municipality(c); ok {
		return &r.contents.Municipalities[i]
	}
	return nil
}

// MunicipalityOutline is the simplified outline of a municipality, nil when unknown.
func (r *Register) MunicipalityOutline(c austria.GemeindeCode) geom.MultiPolygon {
	if i, ok := r.municipality(c); ok {
		return r.gem.get(i)
	}
	return nil
}

// Districts are all districts by rising code.
func (r *Register) Districts() []District { return r.contents.Districts }

// Localities are all localities by rising OKZ, decoded on first use.
func (r *Register) Localities() ([]Locality, error) { return r.localities() }

// PLZ are all postal places, decoded on first use.
func (r *Register) PLZ() ([]PostalPlace, error) { return r.plz() }

// Contents gives everything back with its outlines, as it was encoded.
func (r *Register) Contents() (*Contents, error) {
	c := r.contents
	var err1, err2 error
	c.Localities, err1 = r.localities()
	c.PLZ, err2 = r.plz()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	c.KGs = slices.Clone(c.KGs)
	for i := range c.KGs {
		c.KGs[i].Outline = r.kgs.get(i)
	}
	c.Municipalities = slices.Clone(c.Municipalities)
	for i := range c.Municipalities {
		c.Municipalities[i].Outline = r.gem.get(i)
	}
	return &c, nil
}

// Open reads a register. Foreign bytes give an error, never a panic or an unbounded allocation. data
// is kept and must not change.
func Open(data []byte) (*Register, error) {
	secs, err := format.Disassemble(data)
	if err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	r := &Register{blind: map[austria.GemeindeCode][]int{}}
	if err := r.decode(secs); err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	c := &r.contents
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	if err := r.pack(); err != nil {
		return nil, err
	}
	r.index = sync.OnceValue(func() *index { return indexOf(c.KGs) })
	r.derived = derivedOf(len(c.KGs))
	r.localities = later(secs[secLocalities], readLocalities)
	r.plz, err = postal(secs[secPLZ], secs[secPLZWeights])
	return r, err
}

// decode reads the sections that every request needs; the others are decoded on first use.
func (r *Register) decode(secs []column.Section) error {
	c := &r.contents
	if secs[secOutlines].Rows != secs[secKGs].Rows || secs[secMunicipalityOutlines].Rows != secs[secMunicipalities].Rows {
		return errors.New("rows and outlines differ in number")
	}
	decode := []func(*column.Reader, int){
		func(d *column.Reader, _ int) {
			t := d.Text(3)
			c.Stichtag, c.Attribution, r.universe = t[0], t[1], t[2]
			c.ToleranceM = column.Value(column.Ints[uint64](d, 1)[0], perMetre)
		},
		func(d *column.Reader, n int) { c.KGs = readKGs(d, n) },
		func(d *column.Reader, n int) { r.kgs = readOutlines(d, n) },
		func(d *column.Reader, n int) { c.Municipalities = readMunicipalities(d, n) },
		func(d *column.Reader, n int) { r.gem = readOutlines(d, n) },
		func(d *column.Reader, n int) { c.Districts = readDistricts(d, n) },
	}
	if secs[secTolerances].Body != nil {
		if secs[secTolerances].Rows != secs[secKGs].Rows {
			return errors.New("rows and tolerances differ in number")
		}
		decode = append(decode, nil, nil, func(d *column.Reader, _ int) { readTolerances(d, c.KGs) })
	}
	if secs[secProvenance].Body != nil {
		if secs[secProvenance].Rows != secs[secKGs].Rows {
			return errors.New("rows and provenance differ in number")
		}
		decode = append(decode, func(d *column.Reader, _ int) { readProvenance(d, c.KGs) })
	}
	for i, f := range decode {
		if f == nil {
			continue // decoded on first use
		}
		if err := secs[i].Read(f); err != nil {
			return err
		}
	}
	return nil
}

// pack packs the boxes of KGs and municipalities into trees, and compares the hash of the KGs' codes with the head's.
func (r *Register) pack() error {
	c := &r.contents
	codes := make([]austria.KGCode, len(c.KGs))
	boxes := make([]geom.Box, len(c.KGs))
	for i := range c.KGs {
		k := &c.KGs[i]
		codes[i] = k.Code
		boxes[i] = k.Box.Union(r.kgs.boxes[i])
		if boxes[i].Empty() {
			r.blind[k.GemeindeCode] = append(r.blind[k.GemeindeCode], i)
		} else if t := r.tolerance(i); t > c.ToleranceM {
			boxes[i] = crs.Grow(boxes[i], t)
		}
	}
	if h := UniverseHash(codes); h != r.universe {
		return fmt.Errorf("register: KG codes have the hash %s, the head says %s", h, r.universe)
	}
	r.byCode = byCodeOf(codes)
	r.kgTree = packtree.Pack(boxes)
	r.gemTree = sync.OnceValue(func() *packtree.Tree { return packtree.Pack(r.gem.boxes) })
	return nil
}

// postal reads postal places, with their weights where the register has them.
func postal(places, weights column.Section) (func() ([]PostalPlace, error), error) {
	read := later(places, readPLZ)
	switch {
	case weights.Body == nil:
		return read, nil
	case weights.Rows != places.Rows:
		return nil, fmt.Errorf("register: postal places and their weights differ in number")
	}
	return weighted(read, later(weights, func(d *column.Reader, n int) []uint32 { return column.Ints[uint32](d, n) })), nil
}

// weighted are postal places with their weights.
func weighted(places func() ([]PostalPlace, error), weights func() ([]uint32, error)) func() ([]PostalPlace, error) {
	return sync.OnceValues(func() ([]PostalPlace, error) {
		p, err := places()
		if err != nil {
			return nil, err
		}
		w, err := weights()
		if err != nil {
			return nil, err
		}
		for i := range p {
			p[i].Weight = w[i]
		}
		return p, nil
	})
}

// later decodes a table on its first use.
func later[T any](s column.Section, read func(*column.Reader, int) []T) func() ([]T, error) {
	return sync.OnceValues(func() (rows []T, err error) {
		if err = s.Read(func(d *column.Reader, n int) { rows = read(d, n) }); err != nil {
			return nil, fmt.Errorf("register: %w", err)
		}
		return rows, nil
	})
}
