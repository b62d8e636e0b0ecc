package spatial

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	parcelIDs = endpoint.ParsedList("ids", "Parcel ids <kg_code>-<gnr>, comma-separated; a slash is %2F, once.", austria.ParseParcelID,
		endpoint.Required, endpoint.Between(1, maxIDs), endpoint.Example("99101-1,99101-.2%2F1"))
	parcelIDsIn  = endpoint.ParsedBody("{ids: [parcel ids]} (1 to 5000)", listBytes, idsShape{}, readIDs(austria.ParseParcelID))
	footprintIDs = endpoint.ParsedList("ids", "Footprint ids <kg_code>_fp_<n>, comma-separated.", austria.ParseFootprintID,
		endpoint.Required, endpoint.Between(1, maxIDs), endpoint.Example("99101_fp_1,99101_fp_2"))
	footprintIDsIn = endpoint.ParsedBody("{ids: [footprint ids]} (1 to 5000)", listBytes, idsShape{}, readIDs(austria.ParseFootprintID))
)

type idsShape struct {
	IDs []string `json:"ids"`
}

const batchDoc = `Order: KG code, then as asked; an id asked twice is answered once. meta.not_found lists ids that name nothing,
meta.pending_ids those of KGs that are not loaded yet; ready is then false, the header X-Data-Ready: false says so in every form, and
the identical request is complete a few seconds later.`

// batchMeta is what meta holds beside the common, for the description of the service.
type batchMeta struct {
	view.GapsMeta
	NotFound   []string `json:"not_found"`
	PendingIDs []string `json:"pending_ids"`
}

func batchEndpoint(method, path, id, summary string, k *format.RowType) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: method, Path: path, ID: id, Tag: tag, Summary: summary, Doc: batchDoc,
		Answer: endpoint.Answer{Rows: []*format.RowType{k}, Meta: batchMeta{}, Beside: view.ReadyMember{}, Headers: view.ReadyHeaders,
			Page: endpoint.Page{None: true}},
		Example: path,
	}
}

const (
	parcelBatchPath    = "/api/v1/parcels/geometry/batch"
	footprintBatchPath = "/api/v1/footprints/geometry/batch"
)

func parcelBatchGet() endpoint.Endpoint {
	e := batchEndpoint("GET", parcelBatchPath, "parcels_geometry_batch", "Polygons of up to 5,000 parcels", parcelGeometryOverlaid.RowType)
	e.Params = []endpoint.AnyParam{parcelIDs, withOverlays}
	e.Example += "?ids=99101-1"
	e.Depends = batchDepends(parcelIDs.Of, kgOfParcel)
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return parcelBatch(ctx, r, parcelIDs.Of(r))
	}
	return e
}

func parcelBatchPost() endpoint.Endpoint {
	e := batchEndpoint("POST", parcelBatchPath, "parcels_geometry_batch_post", "Polygons of up to 5,000 parcels",
		parcelGeometryOverlaid.RowType)
	e.Params = []endpoint.AnyParam{withOverlays}
	e.Body = parcelIDsIn
	e.ExampleBody = `{"ids":["99101-1"]}`
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return parcelBatch(ctx, r, parcelIDsIn.Of(r))
	}
	return e
}

func footprintBatchGet() endpoint.Endpoint {
	e := batchEndpoint("GET", footprintBatchPath, "footprints_geometry_batch", "Polygons of up to 5,000 footprints",
		footprintGeometryRows.RowType)
	e.Params = []endpoint.AnyParam{footprintIDs}
	e.Example += "?ids=99101_fp_1"
	e.Depends = batchDepends(footprintIDs.Of, kgOfFootprint)
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return footprintBatch(ctx, footprintIDs.Of(r))
	}
	return e
}

func footprintBatchPost() endpoint.Endpoint {
	e := batchEndpoint("POST", footprintBatchPath, "footprints_geometry_batch_post", "Polygons of up to 5,000 footprints",
		footprintGeometryRows.RowType)
	e.Body = footprintIDsIn
	e.ExampleBody = `{"ids":["99101_fp_1"]}`
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return footprintBatch(ctx, footprintIDsIn.Of(r))
	}
	return e
}

// batchDepends is what an answer about ids derives its ETag from: their KGs.
func batchDepends[T any](ids func(*endpoint.Request) []T, kg func(T) austria.KGCode) func(context.Context, *endpoint.Request) (string,
	error) {
	return func(ctx context.Context, r *endpoint.Request) (string, error) {
		v, err := view.Of(ctx)
		if err != nil {
			return "", err
		}
		var codes []austria.KGCode
		for _, id := range ids(r) {
			codes = append(codes, kg(id))
		}
		slices.Sort(codes)
		codes = slices.Compact(codes)
		over, err := dependsOnOverlays(ctx, v, r, codes)
		return v.Depends(codes) + over, err
	}
}

// badID is the fault of an id of the wrong kind.
func badID(member string, err error) error {
	var e *austria.Error
	if errors.As(err, &e) {
		return fault.BadValue(member, e.Value, e.Expected)
	}
	return fault.BadValue(member, "", err.Error())
}

// idList are ids of one table of KGs: how an id names its KG and its row.
type idList[T comparable] struct {
	ids  []T
	kg   func(T) austria.KGCode
	name func(T) string
	find func(*kgfile.File, T) (row int, ok bool, err error)
}

// batch is what is known of a list of ids.
type batch struct {
	v                 *view.View
	layer             rows.Layer
	page              rows.Page
	notFound, pending []string
	gaps              view.Missing
}

// answer locates the ids, KG by KG, and answers with their rows.
func (l *idList[T]) answer(ctx context.Context, source rows.Source) (reply.Answer, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	b := &batch{v: v, layer: rows.Layer{Source: source}, page: rows.Page{Limit: maxIDs}, notFound: []string{}, pending: []string{}}
	groups := l.byKG()
	codes := make([]austria.KGCode, len(groups))
	for i, ids := range groups {
		codes[i] = l.kg(ids[0])
	}
	reads := v.Ahead(codes)
	for i, ids := range groups {
		reads.Next(ctx)
		if err := l.locate(ctx, b, codes[i], ids); err != nil {
			return nil, err
		}
	}
	return b.gaps.MarkBeside(&reply.Rows{
		Total: b.page.Total, Geometry: true, Rows: b.page.Rows(ctx, v), RowTypes: []*format.RowType{source.RowType()},
		Meta: []reply.Member{{Name: "not_found", Value: b.notFound}, {Name: "pending_ids", Value: b.pending}},
	}), nil
}

// byKG groups the ids by KG code, each once and as asked within its KG.
func (l *idList[T]) byKG() [][]T {
	seen := make(map[T]bool, len(l.ids))
	once := make([]T, 0, len(l.ids))
	for _, id := range l.ids {
		if !seen[id] {
			seen[id] = true
			once = append(once, id)
		}
	}
	slices.SortStableFunc(once, func(a, b T) int { return cmp.Compare(l.kg(a), l.kg(b)) })
	var groups [][]T
	for len(once) > 0 {
		end := slices.IndexFunc(once, func(id T) bool { return l.kg(id) != l.kg(once[0]) })
		if end < 0 {
			end = len(once)
		}
		groups = append(groups, once[:end])
		once = once[end:]
	}
	return groups
}

// locate finds the rows of ids of one KG.
func (l *idList[T]) locate(ctx context.Context, b *batch, code austria.KGCode, ids []T) error {
	f, err := b.v.Read(ctx, code, &b.gaps)
	if err != nil && !errors.Is(err, library.ErrUnknownKG) {
		return err
	}
	if f == nil {
		names := &b.notFound
		if b.gaps.Has(code) {
			names = &b.pending
		}
		for _, id := range ids {
			*names = append(*names, l.name(id))
		}
		return nil
	}
	found := make([]int32, 0, len(ids))
	for _, id := range ids {
		row, ok, err := l.find(f, id)
		if err != nil {
			return err
		}
		if ok {
			found = append(found, int32(row))
		} else {
			b.notFound = append(b.notFound, l.name(id))
		}
	}
	b.page.Add(&b.layer, code, found)
	return nil
}

func parcelBatch(ctx context.Context, r *endpoint.Request, ids []austria.ParcelID) (reply.Answer, error) {
	l := idList[austria.ParcelID]{ids: ids, kg: kgOfParcel, name: austria.ParcelID.String,
		find: func(f *kgfile.File, id austria.ParcelID) (int, bool, error) { return f.ParcelByGNR(id.GNR) }}
	return l.answer(ctx, rows.Parcels(choose(overlaid(r), parcelGeometryOverlaid, parcelGeometryRows).Record()))
}

func footprintBatch(ctx context.Context, ids []austria.FootprintID) (reply.Answer, error) {
	l := idList[austria.FootprintID]{ids: ids, kg: kgOfFootprint, name: austria.FootprintID.String,
		find: func(f *kgfile.File, id austria.FootprintID) (int, bool, error) { return f.FootprintByN(id.N) }}
	return l.answer(ctx, rows.Footprints(footprintGeometryRows.Record()))
}

func kgOfParcel(id austria.ParcelID) austria.KGCode       { return id.KG }
func kgOfFootprint(id austria.FootprintID) austria.KGCode { return id.KG }
