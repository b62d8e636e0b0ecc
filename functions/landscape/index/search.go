package index

import (
	"context"
	"fmt"
	"math"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var (
	bKG   = params.KG("kg", "Only buildings of this KG")
	bRoof = endpoint.Enum("roof_type", "Only roofs of this form.", landscape.RoofTypes)
)

// builtSpans are the ranges of buildings: those of landscape.Figured.
var builtSpans = func() (out []struct {
	low, high *endpoint.Param[float64]
	number    int // of the numeric columns of ranges
}) {
	for i, name := range []string{"height", "stories", "area"} {
		f := &landscape.Figured[i]
		bound := func(side, word string) *endpoint.Param[float64] {
			return endpoint.Float(side+name, f.Name+" "+word+".", endpoint.Unit(f.Unit), endpoint.Between(0, 1e9))
		}
		number := slices.IndexFunc(landscape.Built.Columns.Numbers(), func(c landscape.Column[landscape.Building]) bool {
			return c.Name == f.Name
		})
		out = append(out, struct {
			low, high *endpoint.Param[float64]
			number    int
		}{bound("min_", "at least"), bound("max_", "at most"), number})
	}
	return out
}()

func (s *service) search() endpoint.Endpoint {
	ps := []endpoint.AnyParam{bKG, bRoof}
	for _, b := range builtSpans {
		ps = append(ps, b.low, b.high)
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/buildings/search", ID: "buildings_search", Tag: tag,
		Summary: "Buildings by height, storeys, roof and area",
		Doc: `Buildings of processed KGs that pass all filters, by KG, then from the north-west. A building whose figure is not known passes no bound of it. KGs whose
buildings cannot pass are not looked at.`,
		Params: ps, Answer: endpoint.Answer{Rows: []*format.RowType{builtRows.RowType}, JSONOnly: true,
			Page: endpoint.Page{Default: 500, Max: 5000}, Body: listedFound{}},
		Example: "/api/v1/buildings/search?min_height=5",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := s.open(ctx)
			if err != nil {
				return nil, err
			}
			if bKG.Given(r) {
				if _, err := c.need(bKG.Of(r)); err != nil {
					return nil, err
				}
			}
			return c.buildings(ctx, r)
		},
	}
}

// wanted are the filters of a request on buildings.
type wanted struct {
	kg     austria.KGCode // "": of the country
	roof   string         // "": any
	bounds []landscape.Bound
	spans  []columnRange
}

// columnRange is what a numeric column of the ranges of KGs has to reach into; NaN: open.
type columnRange struct {
	number    int
	low, high float64
}

func wantedOf(r *endpoint.Request) (w wanted) {
	if bKG.Given(r) {
		w.kg = bKG.Of(r)
	}
	if bRoof.Given(r) {
		w.roof = bRoof.Of(r)
	}
	for i, b := range builtSpans {
		s := columnRange{b.number, math.NaN(), math.NaN()}
		if b.low.Given(r) {
			s.low = b.low.Of(r)
		}
		if b.high.Given(r) {
			s.high = b.high.Of(r)
		}
		if s.low == s.low || s.high == s.high {
			w.spans, w.bounds = append(w.spans, s), append(w.bounds, landscape.NewBound(i, s.low, s.high))
		}
	}
	return w
}

// may says whether a building of a KG can pass.
func (w *wanted) may(r *landscape.Range) bool {
	if w.kg != "" && r.Code != w.kg {
		return false
	}
	for _, s := range w.spans {
		if b := r.Bounds[s.number]; !(b[0] == b[0]) || s.low > b[1] || s.high < b[0] {
			return false
		}
	}
	return true
}

// builtPage is a page of buildings as the figures find it: which rows of which KGs.
type builtPage struct {
	offset, limit, total int
	kept                 int
	codes                []austria.KGCode
	rows                 [][]int // of each of those KGs
}

// add counts the rows of a KG that pass, and keeps those on the page; pass calls its argument with each.
func (p *builtPage) add(code austria.KGCode, count int, pass func(found func(row int))) {
	at := p.total
	p.total += count
	if p.total <= p.offset || p.kept == p.limit || count == 0 {
		return
	}
	var rows []int
	pass(func(row int) {
		if at >= p.offset && p.kept < p.limit {
			rows, p.kept = append(rows, row), p.kept+1
		}
		at++
	})
	p.codes, p.rows = append(p.codes, code), append(p.rows, rows)
}

// buildings looks through the figures of the KGs whose buildings can pass, and reads the buildings of the KGs on the page.
func (c *country) buildings(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	w, p := wantedOf(r), builtPage{offset: r.Offset, limit: r.Limit}
	if c.parts != nil {
		if err := c.lookThrough(ctx, &w, &p); err != nil {
			return nil, unread(ctx, "the buildings of the country", err)
		}
	}
	var shown []landscape.Top[landscape.Building]
	for from := 0; from < len(p.codes); from += together {
		part := p.codes[from:min(from+together, len(p.codes))]
		lists, err := sectionsOf(ctx, c.parts, landscape.Built, part)
		if err != nil {
			return nil, unread(ctx, "the buildings of the country", err)
		}
		for i, code := range part {
			for _, row := range p.rows[from+i] {
				if row >= len(lists[i]) {
					return nil, unread(ctx, "the buildings of the country", fmt.Errorf("%w: %d buildings in KG %s, whose figures have more",
						library.ErrDamaged, len(lists[i]), code))
				}
				shown = append(shown, landscape.Top[landscape.Building]{KG: code, Item: lists[i][row]})
			}
		}
	}
	return write(r, builtRows, p.total, shown, func(item, of *landscape.Top[landscape.Building]) { *item = *of }), nil
}

// together is how many sections are read at once.
const together = 64

// lookThrough finds the buildings that pass.
func (c *country) lookThrough(ctx context.Context, w *wanted, p *builtPage) error {
	all, err := section(ctx, c.parts, landscape.Built.RangeSection(), func(b []byte) ([]landscape.Range, int64, error) {
		return landscape.DecodeRanges(landscape.Built, b)
	})
	if err != nil {
		return err
	}
	var groups []int // of figures
	for i := range all {
		if g := i / landscape.FigureKGs; (len(groups) == 0 || groups[len(groups)-1] != g) && w.may(&all[i]) {
			groups = append(groups, g)
		}
	}
	if _, ok := c.parts.Find(landscape.FigureSection(0)); !ok {
		return c.lookThroughKGs(ctx, all, w, p)
	}
	for from := 0; from < len(groups); from += together {
		part := groups[from:min(from+together, len(groups))]
		figures, err := c.figures(ctx, part)
		if err != nil {
			return err
		}
		for i, g := range part {
			kgs := all[g*landscape.FigureKGs : min((g+1)*landscape.FigureKGs, len(all))]
			if err := w.pass(kgs, figures[i], p); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookThroughKGs finds the buildings that pass in an index of an earlier program, which has no figures: of the buildings themselves.
func (c *country) lookThroughKGs(ctx context.Context, all []landscape.Range, w *wanted, p *builtPage) error {
	var kgs []landscape.Range
	for i := range all {
		if w.may(&all[i]) {
			kgs = append(kgs, all[i])
		}
	}
	for from := 0; from < len(kgs); from += together {
		part := kgs[from:min(from+together, len(kgs))]
		codes := make([]austria.KGCode, len(part))
		for i := range part {
			codes[i] = part[i].Code
		}
		lists, err := sectionsOf(ctx, c.parts, landscape.Built, codes)
		if err != nil {
			return err
		}
		f, err := landscape.FiguresOf(slices.Concat(lists...))
		if err != nil {
			return err
		}
		if err := w.pass(part, f, p); err != nil {
			return err
		}
	}
	return nil
}

// pass looks through the figures of some KGs.
func (w *wanted) pass(kgs []landscape.Range, f *landscape.Figures, p *builtPage) error {
	row := 0
	for i := range kgs {
		k := &kgs[i]
		from, to := row, row+k.Rows
		if row = to; to > f.Rows() {
			return fmt.Errorf("%w: %d figures of buildings where KG %s has rows %d to %d", library.ErrDamaged, f.Rows(), k.Code, from, to)
		}
		if w.may(k) {
			p.add(k.Code, f.Count(from, to, w.bounds, w.roof), func(found func(int)) {
				f.Pass(from, to, w.bounds, w.roof, func(at int) { found(at - from) })
			})
		}
	}
	return nil
}

// figures reads sections of figures; each is there.
func (c *country) figures(ctx context.Context, groups []int) ([]*landscape.Figures, error) {
	numbers := make([]int, len(groups))
	for i, g := range groups {
		n, ok := c.parts.Find(landscape.FigureSection(g))
		if !ok {
			return nil, fmt.Errorf("%w: no section %s", library.ErrDamaged, landscape.FigureSection(g))
		}
		numbers[i] = n
	}
	return library.Sections(ctx, c.parts, numbers, func(_ int, b []byte) (*landscape.Figures, int64, error) {
		return landscape.DecodeFigures(b)
	})
}
