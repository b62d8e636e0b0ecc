package cells

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

// form is the closed set of format= of chunks and cells.
type form string

const (
	zstd     form = "zstd"
	bin      form = "bin"
	jsonForm form = "json"
)

// layerName is the closed set of layers=: those of rows, and what changed.
type layerName string

const chg layerName = "chg"

func allLayerNames() []layerName {
	var out []layerName
	for _, l := range ne.AllLayers() {
		out = append(out, layerName(l))
	}
	return append(out, chg)
}

// rowLayers are the layers of rows among names, in the order of a container; lu where nothing is named.
func rowLayers(names []layerName) []ne.Layer {
	if len(names) == 0 {
		return []ne.Layer{ne.LU}
	}
	var out []ne.Layer
	for _, l := range ne.AllLayers() {
		if slices.Contains(names, layerName(l)) {
			out = append(out, l)
		}
	}
	return out
}

var (
	chunkID   = endpoint.Parsed("h3_res9", "Cell of resolution 9.", cellOf(ne.ChunkRes), endpoint.Example(exampleChunk))
	chunkForm = endpoint.Enum("format", "zstd: the stored frames, one for each KG. bin: rows, each cell once. json: columns.",
		[]form{zstd, bin, jsonForm}, endpoint.Default(string(zstd)))
	chunkLayers = endpoint.EnumList("layers", "lu, bev, obs (once released); with json also chg, what changed.", allLayerNames(),
		endpoint.Default(string(ne.LU)))
)

// cellOf reads a cell of some resolutions.
func cellOf(resolutions ...int) func(string) (hexgrid.Cell, error) {
	names := strings.ReplaceAll(strings.Trim(fmt.Sprint(resolutions), "[]"), " ", ", ")
	expected := errors.New("an H3 cell of resolution " + names + ", 15 or 16 hexadecimal digits")
	return func(text string) (hexgrid.Cell, error) {
		c, err := hexgrid.Parse(text)
		if err != nil || !slices.Contains(resolutions, c.Resolution()) {
			return 0, expected
		}
		return c, nil
	}
}

func chunk() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/chunk/{h3_res9}", ID: "ne_chunk", Tag: tag,
		Summary: "The rows below a cell of resolution 9",
		Doc: `zstd: the frames as they are stored, one for each KG of X-NE-KGs, in that order; they need the dictionary X-NE-Dict, and
border cells stand in several of them with equal bytes but for kg_share. One layer at a time. bin: rows by rising cell_id, each cell
once with its largest kg_share; X-NE-Rows counts them, by layer where layers= names several (in the order of X-NE-Layers, one after
another). json: columns, the field lu as nine of them; X-NE-KGs says which share of the chunk lies in each KG; layers=chg adds
chg {n, cells[]}: for each row of lu what changed in its cell, or null; was are the cell's shares before the change. The ETag is made of the digests of the rows alone. A chunk
without rows is 404; where a KG that is not built may have some it is 404 with Retry-After.`,
		Params: []endpoint.AnyParam{chunkID, chunkForm, chunkLayers, shownColumns},
		Answer: endpoint.Answer{ContentType: "application/zstd", Headers: rowHeaders(), Others: []endpoint.Other{
			{Status: 200, ContentType: "application/octet-stream", Doc: "Rows."}, {Status: 200, Body: answer[map[string]any]{}},
			{Status: 404, Doc: "There are no rows of the layers below the cell, or not yet."}}},
		Example: "/api/v1/ne/chunk/" + exampleChunk + "?format=bin",
		ETag: func(ctx context.Context, r *endpoint.Request) (string, error) {
			c, err := chunkOf(ctx, r)
			if err != nil {
				return "", err
			}
			return c.tag(), nil
		},
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) { return "", nil }, // a partial answer has no identity
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			c, err := chunkOf(ctx, r)
			if err != nil {
				return nil, err
			}
			return c.answer(ctx)
		},
	}
}

// rowHeaders describe the headers of answers with rows.
func rowHeaders() []endpoint.Header {
	return []endpoint.Header{
		{Name: "X-NE-Dict", Doc: "Dictionary that frames are packed with."}, {Name: "X-NE-Frames", Doc: "Number of frames."},
		{Name: "X-NE-KGs", Doc: "zstd: the KG of each frame. json: share of the chunk in each KG, 88801=0.6123,88802=0.1200."},
		{Name: "X-NE-Layers", Doc: "Layers of the rows, in their order."}, {Name: "X-NE-Rows", Doc: "Number of rows of each layer."},
		{Name: "X-NE-Pending-KGs", Doc: "KGs that are not built and may have rows here: the answer is partial."},
	}
}

// chunkAnswer is an answer about one chunk.
type chunkAnswer struct {
	*plan
	cell    hexgrid.Cell
	form    form
	layers  []ne.Layer // of rows
	changes bool
	only    []column
}

// chunkOf plans an answer, once for ETag and body.
func chunkOf(ctx context.Context, r *endpoint.Request) (*chunkAnswer, error) {
	if c, ok := r.Memo.(*chunkAnswer); ok {
		return c, nil
	}
	names := chunkLayers.Of(r)
	c := &chunkAnswer{cell: chunkID.Of(r), form: chunkForm.Of(r), layers: rowLayers(names), changes: slices.Contains(names, chg),
		only: shownColumns.Of(r)}
	switch {
	case c.changes && c.form != jsonForm:
		return nil, chunkLayers.Clash(r, "format=json beside chg")
	case c.form == zstd && len(c.layers) > 1:
		return nil, chunkLayers.Clash(r, "one layer with format=zstd, or format=bin")
	case len(c.only) > 0 && c.form != jsonForm:
		return nil, shownColumns.Clash(r, "format=json beside it")
	}
	s, err := sourceOf(ctx)
	if err != nil {
		return nil, err
	}
	read := c.layers
	if c.form == jsonForm && !slices.Contains(read, ne.LU) { // the shares of the KGs stand in its rows
		read = append([]ne.Layer{ne.LU}, read...)
	}
	if c.plan, err = s.plan(ctx, []want{{chunk: c.cell, whole: read}}); err != nil {
		return nil, refused(err, nil)
	}
	if len(c.frames[0]) == 0 {
		return nil, c.nothing()
	}
	r.Memo = c
	return c, nil
}

// nothing is the fault of a chunk without rows.
func (c *chunkAnswer) nothing() error {
	if len(c.gaps) > 0 {
		return c.gaps.fault(c.cell)
	}
	return fault.New(fault.NotFound, "there are no rows below cell %s", c.cell)
}

// tag is the identity of the answer: the digests that it is made of and its form.
func (c *chunkAnswer) tag() string {
	tag := c.plan.tag()
	if tag == "" {
		return ""
	}
	tag += chunkSuffix(c.layers, c.form)
	if c.changes {
		tag += "-chg"
		for _, k := range c.kgs {
			tag += "-" + changesDigest(k)
		}
	}
	if len(c.only) > 0 {
		tag += "-" + strings.Join(texts(c.only), "-")
	}
	return tag
}

// chunkSuffix tells the forms of a chunk apart.
func chunkSuffix(layers []ne.Layer, f form) string {
	return "-" + strings.ReplaceAll(joinLayers(layers), ",", "-") + "-" + string(f)
}

func (c *chunkAnswer) answer(ctx context.Context) (reply.Answer, error) {
	got, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	switch c.form {
	case zstd:
		return c.stored(got[0], h), nil
	case bin:
		tables := c.merge(got, c.layers)
		c.gaps.mark(h)
		return rowBytes(tables, h), nil
	}
	return c.json(ctx, got, h)
}

// stored are the frames one after another, as they lie in the containers.
func (c *chunkAnswer) stored(got []library.CellRows, h http.Header) *reply.Bytes {
	var body []byte
	var kgs, dicts []string
	for i, f := range c.frames[0] {
		body = append(body, got[i].Packed...)
		kgs = append(kgs, string(c.kgs[f.kg].Code))
		dicts = append(dicts, c.open[f.kg].Dict)
	}
	h[framesHeader] = []string{strconv.Itoa(len(kgs))}
	h[kgsHeader] = []string{strings.Join(kgs, ",")}
	h[layersHeader] = []string{joinLayers(c.layers)}
	if one := slices.Compact(slices.Clone(dicts)); len(one) > 1 {
		h[dictHeader] = []string{strings.Join(dicts, ",")} // of each frame
	} else if len(one) == 1 && one[0] != "" {
		h[dictHeader] = one
	}
	c.gaps.mark(h)
	return &reply.Bytes{ContentType: "application/zstd", Body: body, Header: h}
}

// rowBytes are the rows of tables one after another.
func rowBytes(tables []gathered, h http.Header) *reply.Bytes {
	var body []byte
	var rows []string
	var layers []ne.Layer
	for i := range tables {
		t := &tables[i]
		if len(tables) == 1 {
			body = t.rows
		} else {
			body = append(body, t.rows...)
		}
		rows = append(rows, strconv.Itoa(t.len()))
		layers = append(layers, t.layer)
	}
	h[rowsHeader] = []string{strings.Join(rows, ",")}
	h[layersHeader] = []string{joinLayers(layers)}
	return &reply.Bytes{ContentType: "application/octet-stream", Body: body, Header: h}
}

// shares say which part of the chunk lies in each KG.
func (c *chunkAnswer) shares(got []library.CellRows) map[austria.KGCode]float64 {
	out := map[austria.KGCode]float64{}
	for i, f := range c.frames[0] {
		if f.layer != ne.LU {
			continue
		}
		sum := 0
		for at := 0; at < len(got[i].Rows); at += ne.LUBytes {
			sum += int(got[i].Rows[at+shareAt])
		}
		out[c.kgs[f.kg].Code] = round(float64(sum)/255/ne.ChunkCells, 4)
	}
	return out
}

func (c *chunkAnswer) json(ctx context.Context, got [][]library.CellRows, h http.Header) (reply.Answer, error) {
	shares := c.shares(got[0])
	layers, only := c.layers, c.only
	withIDs := c.changes && !slices.Contains(layers, ne.LU)
	if withIDs {
		layers = append([]ne.Layer{ne.LU}, layers...)
	}
	tables := c.merge(got, layers)
	list := []reply.Member{{Name: "chunk", Value: c.cell}, {Name: "kgs", Value: shares}, {Name: "pending_kgs", Value: c.gaps.codes()}}
	for i := range tables {
		t := &tables[i]
		if t.layer == ne.LU && withIDs {
			list = append(list, members([]table{t.table}, []column{cellField})...)
		} else {
			list = append(list, members([]table{t.table}, only)...)
		}
	}
	if c.changes {
		found, err := c.src.changesOf(ctx, c.kgs)
		if err != nil {
			return nil, err
		}
		list = append(list, reply.Member{Name: "chg", Value: found.beside(tables[0].rows)})
	}
	var kgs []string
	for _, code := range sortedKeys(shares) {
		kgs = append(kgs, fmt.Sprintf("%s=%.4f", code, shares[code]))
	}
	h[kgsHeader] = []string{strings.Join(kgs, ",")}
	c.gaps.mark(h)
	a := tablesAnswer(list)
	a.Header = h
	return a, nil
}
