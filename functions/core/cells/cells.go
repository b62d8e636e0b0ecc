package cells

import (
	"context"
	"net/http"
	"strconv"

	"mappe/artefacts/ne"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

const cellsDoc = `bin: rows by rising cell_id, each cell once with its largest kg_share, one layer after another in the order of X-NE-Layers;
X-NE-Rows counts the rows of each, X-NE-Missing the cells that have none. json: data {lu {rows, cell_id[], ...}, bev {...}, kgs[],
missing[], pending_kgs[]}. A request reads at most 64 KGs and 180,000 rows; what is beyond is 413 with split.`

// cellsBody is the shape of the JSON answer.
type cellsBody struct {
	LU      map[string]any `json:"lu,omitempty"`
	Bev     map[string]any `json:"bev,omitempty"`
	Obs     map[string]any `json:"obs,omitempty"`
	KGs     []string       `json:"kgs"`
	Missing []string       `json:"missing"`
	Pending []string       `json:"pending_kgs"`
}

// chunkList is the shape of list=1.
type chunkList struct {
	Chunks []hexgrid.Cell `json:"chunks"`
	ETags  []*string      `json:"etags"` // of format=zstd and the first layer; null for a chunk that is partial or has no rows
}

// chunkListShape is its shape: an ETag is a text or null.
type chunkListShape struct {
	Chunks []string `json:"chunks"`
	ETags  []any    `json:"etags"`
}

func cellsAnswer(others ...endpoint.Other) endpoint.Answer {
	return endpoint.Answer{ContentType: "application/octet-stream",
		Others: append([]endpoint.Other{{Status: 200, Body: answer[cellsBody]{}},
			{Status: 413, Doc: "Too much for one answer; split says what to ask instead."}}, others...),
		Timed:   func(r *endpoint.Request) bool { return chosenForm(r) == jsonForm },
		Headers: append(rowHeaders()[3:], endpoint.Header{Name: "X-NE-Missing", Doc: "Number of cells that have no row."})}
}

func cellsGet() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/cells", ID: "ne_cells", Tag: tag,
		Summary: "Cells by ids, around a point, or in a box",
		Doc: `Exactly one of ids=, lon= and lat= with k=, bbox=. An id of resolution 12 is its row of lu, of 10 its row of bev, of 9 the
rows below it. list=1 gives {chunks, etags}: the chunks that hold the cells, and the ETags that /ne/chunk has for them. A URL of more
than 8,000 bytes, which some 490 ids fill, is 414: use POST. ` + cellsDoc,
		Params: append(at.Params(), ids, rings, bbox, listOnly, rowForm, layers, shownColumns),
		Answer: cellsAnswer(endpoint.Other{Status: 200, Body: answer[chunkListShape]{}},
			endpoint.Other{Status: 414, Doc: "The URL is longer than 8,000 bytes."}), Gate: shortURL,
		Example: "/api/v1/ne/cells?lon=13.2742&lat=47.3208&k=2&format=json",
		Variant: func(r *endpoint.Request) string { return string(chosenForm(r)) },
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			p, err := cellsOf(ctx, r)
			if err != nil {
				return "", err
			}
			return p.tag(), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := cellsOf(ctx, r)
			if err != nil {
				return nil, err
			}
			if listOnly.Of(r) {
				return p.list(), nil
			}
			return p.answer(ctx, r)
		},
	}
}

// idsBody is the body of POST /ne/cells.
type idsBody struct {
	IDs []string `json:"ids"`

	cells []hexgrid.Cell
}

// Check reads the ids.
func (b *idsBody) Check() error {
	if n := len(b.IDs); n > maxPostIDs {
		return fault.Of(fault.TooLarge, "ids", strconv.Itoa(n)+" values", "at most "+strconv.Itoa(maxPostIDs)+" values")
	}
	if len(b.IDs) == 0 {
		return fault.Of(fault.Missing, "ids", "", "an array of cells of resolution 9, 10 and 12")
	}
	read := cellOf(ne.ChunkRes, ne.KRes, ne.LURes)
	b.cells = make([]hexgrid.Cell, len(b.IDs))
	for i, id := range b.IDs {
		c, err := read(id)
		if err != nil {
			return fault.BadValue("ids["+strconv.Itoa(i)+"]", id, err.Error())
		}
		b.cells[i] = c
	}
	return nil
}

var idList = endpoint.Body[idsBody](`{"ids": [...]}, at most 16,384 cells of resolution 9, 10 and 12`, 512<<10)

func cellsPost() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/ne/cells", ID: "ne_cells_post", Tag: tag,
		Summary: "Cells by many ids",
		Doc:     `As GET /ne/cells?ids=, with at most 16,384 ids. ` + cellsDoc,
		Params:  []endpoint.AnyParam{rowForm, layers, shownColumns}, Body: idList,
		Answer:  cellsAnswer(),
		Example: "/api/v1/ne/cells?format=json", ExampleBody: `{"ids":["` + exampleCell + `","` + exampleChunk + `"]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := plansOf(ctx, r, ofIDs(idList.Of(r).cells, layers.Of(r)))
			if err != nil {
				return nil, err
			}
			return p.answer(ctx, r)
		},
	}
}

// cellsPlan is the answer about a selection.
type cellsPlan struct {
	*plan
	*selection
}

// cellsOf plans the answer of a GET, once for ETag and body.
func cellsOf(ctx context.Context, r *endpoint.Request) (*cellsPlan, error) {
	if p, ok := r.Memo.(*cellsPlan); ok {
		return p, nil
	}
	s, err := selected(r)
	if err != nil {
		return nil, err
	}
	if listOnly.Of(r) {
		s.layers = s.layers[:1]
		for i := range s.wants {
			s.wants[i] = want{chunk: s.wants[i].chunk, whole: s.layers}
		}
	}
	p, err := plansOf(ctx, r, s)
	if err == nil {
		r.Memo = p
	}
	return p, err
}

func plansOf(ctx context.Context, r *endpoint.Request, s *selection) (*cellsPlan, error) {
	if shownColumns.Given(r) && chosenForm(r) != jsonForm {
		return nil, shownColumns.Clash(r, "format=json beside it")
	}
	src, err := sourceOf(ctx)
	if err != nil {
		return nil, err
	}
	p, err := src.plan(ctx, s.wants)
	if err != nil {
		return nil, refused(err, s)
	}
	return &cellsPlan{p, s}, nil
}

// chosenForm is format=, else what Accept would rather have.
func chosenForm(r *endpoint.Request) form {
	if rowForm.Given(r) {
		return rowForm.Of(r)
	}
	if reply.AcceptedType(r.HTTP.Header, "application/octet-stream", "application/json") == "application/json" {
		return jsonForm
	}
	return bin
}

func (p *cellsPlan) answer(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	got, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	tables := p.merge(got, p.selection.layers)
	missing := p.missing(tables)
	h := http.Header{missingHeader: {strconv.Itoa(len(missing))}}
	p.gaps.mark(h)
	if chosenForm(r) == bin {
		return rowBytes(tables, h), nil
	}
	var list []reply.Member
	for i := range tables {
		list = append(list, members([]table{tables[i].table}, shownColumns.Of(r))...)
	}
	a := tablesAnswer(append(list, reply.Member{Name: "kgs", Value: p.used(tables)}, reply.Member{Name: "missing", Value: missing},
		reply.Member{Name: "pending_kgs", Value: p.gaps.codes()}))
	a.Header = h
	return a, nil
}

// missing are the cells asked for that have no row, by rising id; a chunk lacks where it has none at all.
func (p *cellsPlan) missing(tables []gathered) []hexgrid.Cell {
	out := []hexgrid.Cell{}
	byLayer := map[ne.Layer]*table{}
	for i := range tables {
		byLayer[tables[i].layer] = &tables[i].table
	}
	for i := range p.plan.wants {
		w := &p.plan.wants[i]
		if len(w.whole) > 0 && len(p.frames[i]) == 0 {
			out = append(out, w.chunk)
		}
		for _, c := range w.bev {
			if byLayer[ne.Bev].find(c) == nil {
				out = append(out, c)
			}
		}
		for _, c := range w.lu {
			if byLayer[ne.LU].find(c) == nil {
				out = append(out, c)
			}
		}
	}
	return out
}

// used are the KGs that rows were taken from, by rising code.
func (p *cellsPlan) used(tables []gathered) []string {
	found := map[string]bool{}
	for i := range tables {
		for _, kg := range tables[i].kgs {
			found[string(p.kgs[kg].Code)] = true
		}
	}
	return append([]string{}, sortedKeys(found)...)
}

// list are the chunks of a selection with the ETags that /ne/chunk gives their stored frames.
func (p *cellsPlan) list() *reply.Stream {
	body := chunkList{Chunks: []hexgrid.Cell{}, ETags: []*string{}}
	for i := range p.plan.wants {
		body.Chunks = append(body.Chunks, p.plan.wants[i].chunk)
		body.ETags = append(body.ETags, nil)
		if tag := p.tagOf(i); tag != "" && len(p.frames[i]) > 0 {
			tag = `"` + tag + chunkSuffix(p.selection.layers, zstd) + `"`
			body.ETags[i] = &tag
		}
	}
	a := data(body)
	a.Header = http.Header{}
	p.gaps.mark(a.Header)
	return a
}
