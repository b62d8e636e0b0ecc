package cells

import (
	"context"
	"net/http"
	"slices"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var cellID = endpoint.Parsed("h3", "Cell of resolution 12, 10 or 9.", cellOf(ne.LURes, ne.KRes, ne.ChunkRes), endpoint.Example(exampleCell))

// cellBody is the shape of the answer, for the description of the service. fields= leaves members of rows out.
type cellBody struct {
	Cell     string           `json:"cell"`
	KGs      map[string]int   `json:"kgs"` // kg_share by KG; of a cell of resolution 10 the mean
	LU       *luShape         `json:"lu,omitempty"`
	K        *kShape          `json:"k"`
	Obs      any              `json:"obs,omitempty"` // a row that a peer defines, or null
	Chg      *chgShape        `json:"chg,omitempty"`
	Children []childShape     `json:"children,omitempty"`
	Pending  []austria.KGCode `json:"pending_kgs"`
}

// luShape is a row of the layer lu.
type luShape struct {
	KGShare    int   `json:"kg_share,omitempty"`
	Land       int   `json:"land,omitempty"`
	Cov        int   `json:"cov,omitempty"`
	Flags      int   `json:"flags,omitempty"`
	LU         []int `json:"lu,omitempty"`
	StrCover   int   `json:"str_cover,omitempty"`
	StrN       int   `json:"str_n,omitempty"`
	GK         int   `json:"gk,omitempty"`
	NUnits     int   `json:"n_units,omitempty"`
	EdgeMHa    int   `json:"edge_m_ha,omitempty"`
	OrientCoh  *int  `json:"orient_coh,omitempty" nullable:"true"`
	OrientAxis *int  `json:"orient_axis,omitempty" nullable:"true"`
}

// kShape is a row of the layer bev.
type kShape struct {
	NUnits      int  `json:"n_units,omitempty"`
	P10         *int `json:"unit_p10,omitempty" nullable:"true"`
	P50         int  `json:"unit_p50,omitempty"`
	P90         *int `json:"unit_p90,omitempty" nullable:"true"`
	RegN        int  `json:"reg_n,omitempty"`
	UnitsPerReg *int `json:"units_per_reg,omitempty" nullable:"true"`
	StrN        int  `json:"str_n,omitempty"`
	StrP50      *int `json:"str_p50,omitempty" nullable:"true"`
}

type childShape struct {
	Cell string  `json:"cell"`
	LU   luShape `json:"lu"`
}

// chgShape is the shape of beside: an element is an object or null.
type chgShape struct {
	N     int   `json:"n"`
	Cells []any `json:"cells"`
}

func cell() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/cell/{h3}", ID: "ne_cell", Tag: tag,
		Summary: "One cell",
		Doc: `Resolution 12: kgs {kg: kg_share}, the row lu, the row k of the cell of resolution 10 above (null where it has fewer than
five parcels), obs (null without released observations) and chg {n, cells}: what changed, or null. Resolution 10: its row k and
children[], the rows below it. Resolution 9: 302 to the chunk. fields= chooses fields of the rows. A cell without a row is 404.`,
		Params: []endpoint.AnyParam{cellID, shownColumns},
		Answer: endpoint.Answer{Body: answer[cellBody]{},
			Others: []endpoint.Other{{Status: http.StatusFound, Doc: "A cell of resolution 9: Location is its chunk."}}},
		Example: "/api/v1/ne/cell/" + exampleCell,
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			p, err := cellPlan(ctx, r)
			if p == nil || err != nil {
				return "", err
			}
			tag := p.tag()
			for _, k := range p.kgs {
				if tag != "" {
					tag += " " + changesDigest(k)
				}
			}
			return tag, nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := cellPlan(ctx, r)
			if err != nil {
				return nil, err
			}
			c := cellID.Of(r)
			if p == nil {
				return &reply.Redirect{Location: endpoint.Prefix(r.HTTP) + "/api/v1/ne/chunk/" + c.String(), Status: http.StatusFound}, nil
			}
			return p.cell(ctx, c, shownColumns.Of(r))
		},
	}
}

// cellPlan plans the answer about a cell; nil for one of resolution 9.
func cellPlan(ctx context.Context, r *endpoint.Request) (*plan, error) {
	if p, ok := r.Memo.(*plan); ok {
		return p, nil
	}
	c := cellID.Of(r)
	if c.Resolution() == ne.ChunkRes {
		return nil, nil
	}
	w, err := wantOf(c)
	if err != nil {
		return nil, err
	}
	s, err := sourceOf(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.plan(ctx, []want{w})
	if err != nil {
		return nil, refused(err, nil)
	}
	r.Memo = p
	return p, nil
}

// wantOf is what is read for a cell of resolution 12 or 10: its row and those above and below.
func wantOf(c hexgrid.Cell) (w want, err error) {
	if w.chunk, err = c.Parent(ne.ChunkRes); err != nil {
		return w, err
	}
	above, err := c.Parent(ne.KRes)
	if err != nil {
		return w, err
	}
	w.bev, w.below = []hexgrid.Cell{above}, above
	if c.Resolution() == ne.LURes {
		w.lu, w.obs = []hexgrid.Cell{c}, true
	} else {
		w.lu = slices.Collect(c.Children(ne.LURes))
	}
	return w, nil
}

// cell answers for one cell of resolution 12 or 10.
func (p *plan) cell(ctx context.Context, c hexgrid.Cell, only []column) (reply.Answer, error) {
	got, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	tables := p.byLayer(got)
	lu := tables[ne.LU]
	if lu.len() == 0 {
		if len(p.gaps) > 0 {
			return nil, p.gaps.fault(c)
		}
		return nil, fault.New(fault.NotFound, "there is no row of cell %s", c)
	}
	all := []reply.Member{{Name: "cell", Value: c}, {Name: "kgs", Value: p.sharesOf(got[0])}}
	if c.Resolution() == ne.LURes {
		found, err := p.src.changesOf(ctx, p.kgs)
		if err != nil {
			return nil, err
		}
		all = append(all, rowMember("lu", lu, 0, only), rowMember("k", tables[ne.Bev], 0, only), rowMember("obs", tables[ne.Obs], 0, only),
			reply.Member{Name: "chg", Value: found.beside(lu.rows)})
	} else {
		all = append(all, rowMember("k", tables[ne.Bev], 0, only),
			reply.Member{Name: "children", Value: format.RawJSON(string(children(lu, only)))})
	}
	h := http.Header{}
	p.gaps.mark(h)
	a := tablesAnswer(append(all, reply.Member{Name: "pending_kgs", Value: p.gaps.codes()}))
	a.Header = h
	return a, nil
}

// byLayer merges what was read.
func (p *plan) byLayer(got [][]library.CellRows) map[ne.Layer]*gathered {
	tables := map[ne.Layer]*gathered{}
	list := p.merge(got, ne.AllLayers())
	for i := range list {
		tables[list[i].layer] = &list[i]
	}
	return tables
}

// object is a row as a JSON object; null without a row.
func (g *gathered) object(i int, only []column) []byte {
	if g == nil || i >= g.len() {
		return []byte("null")
	}
	return g.appendRow(nil, g.row(i), only)
}

// rowMember is the row of a table as a member.
func rowMember(name string, g *gathered, i int, only []column) reply.Member {
	return reply.Member{Name: name, Value: format.RawJSON(string(g.object(i, only)))}
}

// children are rows as a list of {cell, lu}.
func children(lu *gathered, only []column) []byte {
	b := []byte{'['}
	for i := range lu.len() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"cell":"`...), ne.CellOf(lu.row(i)).String()...), `","lu":`...)
		b = append(lu.appendRow(b, lu.row(i), only), '}')
	}
	return append(b, ']')
}

// sharesOf are the kg_share of the cells of the first want, by KG: of one cell its own, of several their mean.
func (p *plan) sharesOf(got []library.CellRows) map[austria.KGCode]int {
	out := map[austria.KGCode]int{}
	cells := p.wants[0].lu
	for i, f := range p.frames[0] {
		if f.layer != ne.LU {
			continue
		}
		t := table{layer: ne.LU, size: ne.LUBytes, rows: got[i].Rows}
		sum, rows := 0, 0
		for _, c := range cells {
			if row := t.find(c); row != nil {
				sum, rows = sum+int(row[shareAt]), rows+1
			}
		}
		if rows > 0 {
			out[p.kgs[f.kg].Code] = (2*sum + len(cells)) / (2 * len(cells))
		}
	}
	return out
}
