package spatial

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	parcelIDs      = endpoint.ParsedList("ids", "Parcel ids <kg_code>-<gnr>, comma-separated; a slash is %2F, once.", austria.ParseParcelID, endpoint.Required, endpoint.Between(1, maxIDs), endpoint.Example("99101-1,99101-.2%2F1"))
	parcelIDsIn    = endpoint.ParsedBody("{ids: [parcel ids]} (1 to 5000)", listBytes, idsShape{}, readIDs(austria.ParseParcelID))
	footprintIDs   = endpoint.ParsedList("ids", "Footprint ids <kg_code>_fp_<n>, comma-separated.", austria.ParseFootprintID, endpoint.Required, endpoint.Between(1, maxIDs), endpoint.Example("99101_fp_1,99101_fp_2"))
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
	GapsMeta
	NotFound   []string `json:"not_found"`
	PendingIDs []string `json:"pending_ids"`
}

func batchEndpoint(method, path, id, summary string, k *format.Kind) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: method, Path: path, ID: id, Tag: tag, Summary: summary, Doc: batchDoc,
		Answer:  endpoint.Answer{Rows: []*format.Kind{k}, Meta: batchMeta{}, Beside: readyMember{}, Headers: readyHeaders, Page: endpoint.Page{None: true}},
		Example: path,
	}
}

const (
	parcelBatchPath    = "/api/v1/parcels/geometry/batch"
	footprintBatchPath = "/api/v1/footprints/geometry/batch"
)

func (s *service) parcelBatchGet() endpoint.Endpoint {
	e := batchEndpoint("GET", parcelBatchPath, "parcels_geometry_batch", "Polygons of up to 5,000 parcels", parcelGeometryKind)
	e.Params = []endpoint.AnyParam{parcelIDs}
	e.Example += "?ids=99101-1"
	e.Depends = batchDepends(s, parcelIDs.Of, func(id austria.ParcelID) austria.KGCode { return id.KG })
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return parcelBatch(ctx, s, parcelIDs.Of(r))
	}
	return e
}

func (s *service) parcelBatchPost() endpoint.Endpoint {
	e := batchEndpoint("POST", parcelBatchPath, "parcels_geometry_batch_post", "Polygons of up to 5,000 parcels", parcelGeometryKind)
	e.Body = parcelIDsIn
	e.ExampleBody = `{"ids":["99101-1"]}`
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return parcelBatch(ctx, s, parcelIDsIn.Of(r))
	}
	return e
}

func (s *service) footprintBatchGet() endpoint.Endpoint {
	e := batchEndpoint("GET", footprintBatchPath, "footprints_geometry_batch", "Polygons of up to 5,000 footprints", footprintGeometryKind)
	e.Params = []endpoint.AnyParam{footprintIDs}
	e.Example += "?ids=99101_fp_1"
	e.Depends = batchDepends(s, footprintIDs.Of, func(id austria.FootprintID) austria.KGCode { return id.KG })
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return footprintBatch(ctx, s, footprintIDs.Of(r))
	}
	return e
}

func (s *service) footprintBatchPost() endpoint.Endpoint {
	e := batchEndpoint("POST", footprintBatchPath, "footprints_geometry_batch_post", "Polygons of up to 5,000 footprints", footprintGeometryKind)
	e.Body = footprintIDsIn
	e.ExampleBody = `{"ids":["99101_fp_1"]}`
	e.Serve = func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
		return footprintBatch(ctx, s, footprintIDsIn.Of(r))
	}
	return e
}

// batchDepends is what an answer about ids derives its ETag from: their KGs.
func batchDepends[T any](s *service, ids func(*endpoint.Request) []T, kg func(T) austria.KGCode) func(context.Context, *endpoint.Request) (string, error) {
	return func(ctx context.Context, r *endpoint.Request) (string, error) {
		if version.Of(r) != "" {
			return r.Generation.ID, nil
		}
		v, err := s.view(ctx)
		if err != nil {
			return "", err
		}
		var codes codeSet
		for _, id := range ids(r) {
			codes.add(kg(id))
		}
		return v.Depends(codes.list()), nil
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

// located ids of one KG.
type idSpan struct {
	kg   austria.KGCode
	rows []int32
}

// batch is what is known of a list of ids.
type batch struct {
	spans             []idSpan
	total             int
	notFound, pending []string
	gaps              gaps
}

// locateIDs finds the rows of ids, KG by KG. find gives the row of an id in an open file.
func locateIDs[T comparable](ctx context.Context, v *view, ids []T, kg func(T) austria.KGCode, name func(T) string, find func(*kgfile.File, T) (int, bool, error)) (*batch, error) {
	order := slices.Clone(ids)
	slices.SortStableFunc(order, func(a, b T) int { return cmp.Compare(kg(a), kg(b)) })
	b := &batch{notFound: []string{}, pending: []string{}}
	seen := make(map[T]bool, len(ids))
	reads := ahead{v: v}
	for i, id := range order {
		if i == 0 || kg(id) != kg(order[i-1]) {
			reads.codes = append(reads.codes, kg(id))
		}
	}
	asked := 0
	for i := 0; i < len(order); {
		code := kg(order[i])
		end := i + 1
		for end < len(order) && kg(order[end]) == code {
			end++
		}
		reads.at(ctx, asked)
		asked++
		f, err := v.read(ctx, code, &b.gaps)
		if err != nil && !errors.Is(err, library.ErrUnknownKG) {
			return nil, err
		}
		s := idSpan{kg: code}
		for _, id := range order[i:end] {
			if seen[id] {
				continue
			}
			seen[id] = true
			if f == nil {
				if b.gaps.has(code) {
					b.pending = append(b.pending, name(id))
				} else {
					b.notFound = append(b.notFound, name(id))
				}
				continue
			}
			row, ok, err := find(f, id)
			if err != nil {
				return nil, err
			}
			if !ok {
				b.notFound = append(b.notFound, name(id))
				continue
			}
			s.rows = append(s.rows, int32(row))
		}
		if len(s.rows) > 0 {
			b.spans = append(b.spans, s)
			b.total += len(s.rows)
		}
		i = end
	}
	return b, nil
}

// answer streams the rows KG by KG; row makes the row at an index of an open file.
func (b *batch) answer(ctx context.Context, v *view, open func(*kgfile.File) (func(int32) format.Row, error)) reply.Answer {
	return b.gaps.mark(readyBeside(&reply.Rows{
		Total: b.total, Geometry: true,
		Meta: []reply.Member{{Name: "not_found", Value: b.notFound}, {Name: "pending_ids", Value: b.pending}},
		Rows: func(yield func(format.Row, error) bool) {
			reads := ahead{v: v}
			for _, s := range b.spans {
				reads.codes = append(reads.codes, s.kg)
			}
			for i, s := range b.spans {
				reads.at(ctx, i)
				f, err := v.open(ctx, s.kg)
				var row func(int32) format.Row
				if err == nil {
					row, err = open(f)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				for _, i := range s.rows {
					if !yield(row(i), nil) {
						return
					}
				}
			}
		},
	}, &b.gaps))
}

// readyBeside puts the ready flag beside data too, where map clients look for it.
func readyBeside(r *reply.Rows, g *gaps) *reply.Rows {
	r.Members = append(r.Members, reply.Member{Name: "ready", Value: g.ready()})
	return r
}

func parcelBatch(ctx context.Context, s *service, ids []austria.ParcelID) (reply.Answer, error) {
	v, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	b, err := locateIDs(ctx, v, ids, func(id austria.ParcelID) austria.KGCode { return id.KG }, austria.ParcelID.String,
		func(f *kgfile.File, id austria.ParcelID) (int, bool, error) { return f.ParcelByGNR(id.GNR) })
	if err != nil {
		return nil, err
	}
	row := geometryRow{parcelRow{kind: parcelGeometryKind}}
	return b.answer(ctx, v, func(f *kgfile.File) (func(int32) format.Row, error) {
		rows, err := f.Parcels()
		row.open(f)
		return func(i int32) format.Row { row.set(&rows[i]); return &row }, err
	}), nil
}

func footprintBatch(ctx context.Context, s *service, ids []austria.FootprintID) (reply.Answer, error) {
	v, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	b, err := locateIDs(ctx, v, ids, func(id austria.FootprintID) austria.KGCode { return id.KG }, austria.FootprintID.String,
		func(f *kgfile.File, id austria.FootprintID) (int, bool, error) { return f.FootprintByN(id.N) })
	if err != nil {
		return nil, err
	}
	row := footprintRow{kind: footprintGeometryKind}
	return b.answer(ctx, v, func(f *kgfile.File) (func(int32) format.Row, error) {
		rows, err := f.Footprints()
		if err == nil {
			err = row.open(f)
		}
		return func(i int32) format.Row { row.set(&rows[i]); return &row }, err
	}), nil
}
