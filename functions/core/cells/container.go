package cells

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/functions/core/generation"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// containerForm is the closed set of format= of a container.
type containerForm string

const (
	formContainer containerForm = "ne"
	formJSON      containerForm = "json"
)

var (
	kgCode   = params.KG("kg", "The KG")
	kgLayers = endpoint.EnumList("layers", "Only these layers: lu, bev, obs. Observations are released or left out.", ne.AllLayers())
	kgForm   = endpoint.Enum("format", "ne: the container. json: its rows as columns, at most 180,000 rows.",
		[]containerForm{formContainer, formJSON}, endpoint.Default(string(formContainer)))
	kgSum = endpoint.Parsed("sha256", "The container whose bytes have this SHA-256, as the manifest names it: kept by "+
		"caches for ever; 409 where another one is published.", parseSum, endpoint.Example(strings.Repeat("0", 64)))
	shownColumns = endpoint.EnumList("fields", "Only these fields of the rows, in JSON; cell_id stays.", allColumns())
)

func container() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/{kg}", ID: "ne_kg", Tag: tag,
		Summary: "The container of a KG",
		Doc: `The stored container, byte for byte; layers= gives the container of those layers, with a header and a generation of its
own. Range and If-None-Match work. sha256=, of the manifest, names the container by its bytes: no cache between gives an older
one for it, and where another one is published meanwhile the answer is 409: read the manifest again. A KG whose cells are not built
is 404 with Retry-After. format=json gives the rows of each layer
as columns, {rows, cell_id[], kg_share[], ..., lu[9][]}.`,
		Params: []endpoint.AnyParam{kgCode, kgSum, kgLayers, kgForm, shownColumns},
		Answer: endpoint.Answer{ContentType: ne.MediaType, Ranges: true,
			Others: []endpoint.Other{{Status: 200, Body: answer[map[string]any]{}},
				{Status: http.StatusConflict, Doc: "Another container is published than the one that sha256 names.", Body: fault.Schema()}},
			Timed:   func(r *endpoint.Request) bool { return kgForm.Of(r) == formJSON },
			Headers: []endpoint.Header{{Name: "X-NE-Dict", Doc: "Dictionary that the frames are packed with."}}},
		Example: "/api/v1/ne/99101",
		ETag: func(ctx context.Context, r *endpoint.Request) (string, error) {
			s, k, err := bySum(ctx, r)
			if err != nil {
				return "", err
			}
			return s.tag(k, r), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s, k, err := bySum(ctx, r)
			if err != nil {
				return nil, err
			}
			switch {
			case kgSum.Given(r):
				if err := s.sound(ctx, k); err != nil {
					return nil, s.lost(ctx, k, err)
				}
				c := s.whole(k)
				if !r.Fresh { // asked past caches: not for them
					c.Header.Set("Cache-Control", "public, max-age=31536000, immutable")
				}
				return c, nil
			case kgForm.Of(r) == formJSON:
				return s.columns(ctx, k, r)
			case shownColumns.Given(r):
				return nil, shownColumns.Clash(r, "format=json beside it: a container has whole rows")
			case kgLayers.Given(r):
				return s.someLayers(ctx, k, kgLayers.Of(r))
			}
			return s.whole(k), nil
		},
	}
}

// ofKG is the source, and the KG that a request names.
func ofKG(ctx context.Context, r *endpoint.Request) (*source, *ne.IndexKG, error) {
	s, err := sourceOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	k, err := s.built(ctx, kgCode.Of(r))
	return s, k, err
}

// bySum is ofKG, where sha256= names the bytes of the container that is published.
func bySum(ctx context.Context, r *endpoint.Request) (*source, *ne.IndexKG, error) {
	s, k, err := ofKG(ctx, r)
	if err != nil || !kgSum.Given(r) {
		return s, k, err
	}
	sum := kgSum.Of(r)
	switch {
	case kgForm.Of(r) == formJSON, kgLayers.Given(r), shownColumns.Given(r):
		return nil, nil, kgSum.Clash(r, "the whole container: no format=json, layers or fields beside it")
	case k.SHA256 == "": // listed by an earlier program
		return nil, nil, fault.New(fault.Exists, "sha256 has the value %s: the SHA-256 of the container of KG %s is not known "+
			"to this publication; ask without sha256", sum, k.Code)
	case k.SHA256 != sum:
		return nil, nil, fault.New(fault.Exists, "sha256 has the value %s: the container of KG %s that is published has %s; "+
			"read the manifest again", sum, k.Code, k.SHA256)
	}
	return s, k, nil
}

// parseSum reads a SHA-256 as the manifest writes it.
func parseSum(text string) (string, error) {
	if len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return "", errors.New("64 hexadecimal digits in lower case, as the manifest has them")
	}
	return text, nil
}

// keyTag is the identity of a container: the sum in its key.
func (s *source) keyTag(k *ne.IndexKG) string {
	key, err := keys.Parse(k.Key)
	if c, ok := key.(keys.Cells); err == nil && ok {
		return c.Sum
	}
	return ""
}

// tag is the identity of an answer made of one container: the container's and what was chosen of it.
func (s *source) tag(k *ne.IndexKG, r *endpoint.Request) string {
	tag := s.keyTag(k)
	if kgLayers.Given(r) {
		tag += "-" + strings.ReplaceAll(joinLayers(sortedLayers(kgLayers.Of(r))), ",", "-")
	}
	if kgForm.Of(r) == formJSON {
		tag += "-json-" + strings.Join(texts(shownColumns.Of(r)), "-")
	}
	return tag
}

// whole is the stored container.
func (s *source) whole(k *ne.IndexKG) *reply.Content {
	o := manifest.Object{Key: k.Key, Bytes: k.Bytes}
	c := &reply.Content{ContentType: ne.MediaType, Size: k.Bytes, Filename: string(k.Code) + ".ne",
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			body, err := s.OpenRange(ctx, o, offset, length)
			return body, s.lost(ctx, k, err)
		}}
	c.Header = dictHeaders(s.list.Dict)
	return c
}

// sound holds a container to the sum that it is asked for by, once in each process: caches keep what is answered for a year, and
// would give a damaged one long after the store was repaired.
func (s *source) sound(ctx context.Context, k *ne.IndexKG) error {
	key, err := keys.Parse(k.Key)
	if err != nil {
		return err
	}
	held := func(body []byte) (none struct{}, _ int64, err error) {
		if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != k.SHA256 {
			err = fmt.Errorf("its SHA-256 is %x", sum)
		}
		return none, 0, err
	}
	_, err = library.Get(ctx, s.View, key, library.Decoder[struct{}]{Limit: k.Bytes, Decode: held})
	return err
}

// lost is the fault of a container that cannot be read.
func (s *source) lost(ctx context.Context, k *ne.IndexKG, err error) error {
	if err == nil {
		return nil
	}
	return generation.FaultOf(ctx, "the container of KG "+string(k.Code), err)
}

// someLayers is the container of some layers: a front made for them, and the stored frames.
func (s *source) someLayers(ctx context.Context, k *ne.IndexKG, layers []ne.Layer) (*reply.Content, error) {
	c, err := s.cells(ctx, k)
	if err != nil {
		return nil, s.lost(ctx, k, err)
	}
	front, pieces, err := c.Subset(layers)
	if err != nil {
		return nil, err
	}
	size := int64(len(front))
	for _, p := range pieces {
		size += p.Length
	}
	return &reply.Content{ContentType: ne.MediaType, Size: size, Filename: string(k.Code) + ".ne", Header: dictHeaders(c.Dict),
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			return s.pieced(ctx, k, front, pieces, ne.Piece{Offset: offset, Length: length})
		}}, nil
}

// pieced opens a range of a container made of a front and pieces of a stored one.
func (s *source) pieced(ctx context.Context, k *ne.IndexKG, front []byte, pieces []ne.Piece, want ne.Piece) (io.ReadCloser, error) {
	out := &joined{}
	var readers []io.Reader
	at, end := int64(0), want.Offset+want.Length
	take := func(length int64) (from, n int64) { // the part of the next length bytes that is wanted
		from = max(want.Offset-at, 0)
		n = min(end-at, length) - from
		at += length
		return from, n
	}
	if from, n := take(int64(len(front))); n > 0 {
		readers = append(readers, bytes.NewReader(front[from:from+n]))
	}
	for _, p := range pieces {
		from, n := take(p.Length)
		if n <= 0 {
			continue
		}
		body, err := s.OpenRange(ctx, manifest.Object{Key: k.Key, Bytes: k.Bytes}, p.Offset+from, n)
		if err != nil {
			out.Close()
			return nil, s.lost(ctx, k, err)
		}
		out.open = append(out.open, body)
		readers = append(readers, body)
	}
	out.Reader = io.MultiReader(readers...)
	return out, nil
}

// joined are bodies that are read one after another.
type joined struct {
	io.Reader
	open []io.Closer
}

// Close closes them all.
func (j *joined) Close() error {
	var errs []error
	for _, c := range j.open {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// columns are the rows of a container as JSON.
func (s *source) columns(ctx context.Context, k *ne.IndexKG, r *endpoint.Request) (reply.Answer, error) {
	c, err := s.cells(ctx, k)
	if err != nil {
		return nil, s.lost(ctx, k, err)
	}
	layers := kgLayers.Of(r)
	if !kgLayers.Given(r) {
		layers = ne.AllLayers()
	}
	var frames []int
	rows := 0
	for i := range c.Len() {
		if section, n := c.At(i); slices.Contains(layers, section.Layer) {
			frames = append(frames, i)
			rows += section.Chunks[n].Rows
		}
	}
	if rows > maxRows {
		return nil, fault.New(fault.TooLarge, "KG %s has %d rows, JSON gives at most %d: read the container, or one layer", k.Code, rows,
			maxRows)
	}
	got, err := c.Rows(ctx, frames)
	if err != nil {
		return nil, s.lost(ctx, k, err)
	}
	tables := joinRows(c, frames, got)
	return tablesAnswer(append([]reply.Member{{Name: "kg_code", Value: k.Code}, {Name: "generation", Value: c.Generation},
		{Name: "stichtag", Value: c.Stichtag},
		{Name: "pending_kgs", Value: c.Pending}}, members(tables, shownColumns.Of(r))...)), nil
}

// joinRows puts the rows of frames together by layer.
func joinRows(c *library.Cells, frames []int, got []library.CellRows) []table {
	var tables []table
	for i, f := range frames {
		section, _ := c.At(f)
		if n := len(tables); n == 0 || tables[n-1].layer != section.Layer {
			tables = append(tables, table{layer: section.Layer, fields: section.Fields, size: section.RecordBytes})
		}
		t := &tables[len(tables)-1]
		t.rows = append(t.rows, got[i].Rows...)
	}
	return tables
}

// headData is the answer of /ne/{kg}/head.
type headData struct {
	*ne.Header
	Bytes int64 `json:"bytes"` // of the container
	Start int64 `json:"start"` // where its sections begin
}

// headShape is its shape, for the description of the service: chunks are arrays.
type headShape struct {
	Format     int           `json:"format"`
	KG         string        `json:"kg_code"`
	Generation string        `json:"generation"`
	Stichtag   string        `json:"stichtag"`
	Dict       string        `json:"dict,omitempty"`
	Pending    []string      `json:"pending_kgs"`
	Sections   []headSection `json:"sections"`
	Bytes      int64         `json:"bytes"`
	Start      int64         `json:"start"`
}

type headSection struct {
	Layer       string     `json:"layer"`
	Encoding    string     `json:"encoding"`
	RecordBytes int        `json:"record_bytes"`
	Fields      []ne.Field `json:"fields"`
	Rows        int        `json:"rows"`
	Offset      int64      `json:"offset"`
	Length      int64      `json:"length"`
	SHA256      string     `json:"sha256"`
	Chunks      [][]any    `json:"chunks"` // [cell, rows, bytes, digest]
}

func head() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/{kg}/head", ID: "ne_kg_head", Tag: tag,
		Summary: "The header of a KG's container",
		Doc: `The header of the container: sections with layer, fields, rows, sums, and chunks as [cell, rows, bytes, digest] in the
order in which their frames lie. bytes is the length of the container, start where its sections begin: a chunk can be read from the
container by range.`,
		Params:  []endpoint.AnyParam{kgCode},
		Answer:  endpoint.Answer{Body: answer[headShape]{}},
		Example: "/api/v1/ne/99101/head",
		ETag: func(ctx context.Context, r *endpoint.Request) (string, error) {
			s, k, err := ofKG(ctx, r)
			if err != nil {
				return "", err
			}
			return s.keyTag(k) + "-head", nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s, k, err := ofKG(ctx, r)
			if err != nil {
				return nil, err
			}
			c, err := s.cells(ctx, k)
			if err != nil {
				return nil, s.lost(ctx, k, err)
			}
			return data(headData{c.Header, c.Size(), c.Start()}), nil
		},
	}
}

// sortedLayers are layers in the order of a container.
func sortedLayers(layers []ne.Layer) []ne.Layer {
	return slices.SortedFunc(slices.Values(layers), func(a, b ne.Layer) int {
		return cmp.Compare(slices.Index(ne.AllLayers(), a), slices.Index(ne.AllLayers(), b))
	})
}

// Header is the header of a KG's container, for an endpoint that compares with it; the fault of one that is not built,
// not there or not to be read.
func Header(ctx context.Context, code austria.KGCode) (*ne.Header, error) {
	s, err := sourceOf(ctx)
	if err != nil {
		return nil, err
	}
	k, err := s.built(ctx, code)
	if err != nil {
		return nil, err
	}
	c, err := s.cells(ctx, k)
	if err != nil {
		return nil, s.lost(ctx, k, err)
	}
	return c.Header, nil
}
