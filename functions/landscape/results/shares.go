package results

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"mappe/functions/core/shares"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// rows are the shares of a list.
var rows = format.NewSchema("share", "A result that is kept under a name.", format.Drawing[shares.Share]{}, format.Fields[shares.Share]{
	{Column: format.Column{Name: "name", Doc: "Name: /share/{name} is the result."},
		Get: func(h *shares.Share) format.Value { return format.String(h.Name) }},
	{Column: format.Column{Name: "kind", Doc: "Kind of the question: that of its endpoint."},
		Get: func(h *shares.Share) format.Value { return format.String(h.Kind) }},
	{Column: format.Column{Name: "bytes", Type: format.TypeInt, Unit: "B", Doc: "Size of the JSON."},
		Get: func(h *shares.Share) format.Value { return format.Int(h.Bytes) }},
	{Column: format.Column{Name: "created_at", Doc: "When it was asked for, RFC 3339."},
		Get: func(h *shares.Share) format.Value { return format.String(stamp(h.Created)) }},
	{Column: format.Column{Name: "expires_at", Doc: "When it is forgotten, RFC 3339; null where it stays."},
		Get: func(h *shares.Share) format.Value {
			if h.Expires.IsZero() {
				return format.Null
			}
			return format.String(stamp(h.Expires))
		}},
})

func stamp(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }

func (d Deps) list() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/shares", ID: "shares", Tag: tagShares, Summary: "Results that are shared",
		Doc: "The results that an operator gave a name, and those of tasks that were asked with listed=true, the newest first. The result of " +
			"another task is found by its name alone, " +
			"auto-{task_id}: areas that people draw and the properties of what they upload are not for everybody.",
		Answer: endpoint.Answer{Rows: []*format.RowType{rows.RowType}, Page: endpoint.Page{Default: 100, Max: 1000}}, Cache: endpoint.Live,
		Example: "/api/v1/shares",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if d.Desk == nil {
				return nil, none()
			}
			all, err := d.Desk.Shares().List(ctx)
			if err != nil {
				return nil, shareFault(err, "")
			}
			lo := min(r.Offset, len(all))
			page := all[lo : lo+min(r.Limit, len(all)-lo)]
			return &reply.Rows{Total: len(all), Rows: func(yield func(format.Row, error) bool) {
				row := rows.Record()
				for i := range page {
					row.Item = page[i]
					if !yield(row, nil) {
						return
					}
				}
			}}, nil
		},
	}
}

var shareName = endpoint.String("name", "The share: "+shares.NameForm+".", endpoint.Between(1, 80),
	endpoint.Example("auto-0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11"))

// shareShape is a share as it is answered.
type shareShape struct {
	Name       string          `json:"name"`
	ExpiresAt  *string         `json:"expires_at" doc:"when it is forgotten; null where it stays"`
	Kind       string          `json:"kind" doc:"of the question: that of its endpoint"`
	CreatedAt  string          `json:"created_at"`
	Generation string          `json:"generation" doc:"of the data that was read"`
	Software   string          `json:"software"`
	Question   any             `json:"question" doc:"area and parameters as they were understood"`
	Geometry   json.RawMessage `json:"geometry" doc:"the area as GeoJSON, where the answer is about one; null otherwise"`
	Result     any             `json:"result" doc:"as the endpoint would have answered"`
}

// moved is the answer of a share that was renamed.
var moved = endpoint.Other{Status: http.StatusPermanentRedirect, Doc: "The share has another name now, at Location."}

func (d Deps) share() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/share/{name}", ID: "share", Tag: tagShares, Summary: "A shared result",
		Doc: "The result with what was asked, from which state of the data and by which software. A share that was renamed is found by its " +
			"old names too. One of more than 64 MB is a 303 to the store that it is kept in, where that has addresses; name and end are then " +
			"those that it was saved with.",
		Params: []endpoint.AnyParam{shareName, away}, Cache: endpoint.Live, Answer: endpoint.Answer{Body: shareShape{}, Exact: true,
			Others: []endpoint.Other{moved, elsewhere}},
		Example: "/api/v1/share/auto-0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			h, other, err := d.named(ctx, r, "")
			if err != nil || other != nil {
				return other, err
			}
			a, err := d.whole(ctx, h, shareName.Of(r), away.Of(r))
			return a, shareFault(err, shareName.Of(r))
		},
	}
}

// whole is a share under a name as an answer: a large one is fetched from the store where that has addresses, or streamed.
func (d Deps) whole(ctx context.Context, h shares.Share, name string, away bool) (reply.Answer, error) {
	s := d.Desk.Shares()
	object, err := s.Object(ctx, h)
	if err != nil {
		return nil, err
	}
	header := credited(h, http.Header{})
	if away {
		at, err := s.Address(ctx, h, object.Size())
		if err != nil {
			return nil, err
		}
		if at != "" {
			return &reply.Redirect{Location: at, Status: http.StatusSeeOther, Header: header}, nil
		}
	}
	front, err := shares.Front(name, h.Expires)
	if err != nil {
		return nil, err
	}
	if !s.Large(object.Size()) {
		body, err := object.Read(ctx)
		return &reply.Bytes{ContentType: "application/json", Body: append(front, body...), Header: header}, err
	}
	first := int64(len(front))
	return &reply.Content{ContentType: "application/json", Size: first + object.Size(), Header: header,
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			if offset >= first {
				return object.Open(ctx, offset-first, length)
			}
			own := front[offset:min(first, offset+length)]
			if int64(len(own)) == length {
				return io.NopCloser(bytes.NewReader(own)), nil
			}
			rest, err := object.Open(ctx, 0, length-int64(len(own)))
			return behind{io.MultiReader(bytes.NewReader(own), rest), rest}, err
		}}, nil
}

// behind is a body with bytes before it.
type behind struct {
	io.Reader
	io.Closer
}

// named is the share of a request, or where it is now; behind follows the name in the path.
func (d Deps) named(ctx context.Context, r *endpoint.Request, behind string) (h shares.Share, other reply.Answer, err error) {
	if d.Desk == nil {
		return h, nil, none()
	}
	name := shareName.Of(r)
	h, err = d.Desk.Shares().Find(ctx, name)
	if id, auto := strings.CutPrefix(name, shares.Auto); auto && errors.Is(err, shares.ErrNotFound) {
		h, err = d.ofTask(ctx, id)
	}
	if err != nil {
		return h, nil, shareFault(err, name)
	}
	if h.Moved == "" {
		return h, nil, nil
	}
	to := endpoint.Prefix(r.HTTP) + "/api/v1/share/" + h.Moved + behind
	if q := r.HTTP.URL.RawQuery; q != "" {
		to += "?" + q
	}
	return h, &reply.Redirect{Location: to, Status: http.StatusPermanentRedirect}, nil
}

// ofTask is the share of a task by the id that a client gave it.
func (d Deps) ofTask(ctx context.Context, id string) (shares.Share, error) {
	t, err := d.Desk.Find(ctx, id)
	if errors.Is(err, tasks.ErrNotFound) || err == nil && t.Status() != tasks.Done {
		return shares.Share{}, shares.ErrNotFound
	}
	if err != nil {
		return shares.Share{}, err
	}
	return d.Desk.Shares().Find(ctx, t.Share())
}

var (
	types = endpoint.Strings("types", "Only features of these types, separated by commas.",
		endpoint.Example("earthwork_cut,earthwork_fill"))
	heightMin = endpoint.Float("height_min", "Only features at least so high.", endpoint.Unit("m"), endpoint.Between(0, 10_000),
		endpoint.Example("5"))
)

func (d Deps) download() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/share/{name}/download.gpkg", ID: "share_gpkg", Tag: tagShares,
		Summary: "A shared result as GeoPackage",
		Doc: `The features of the result as layers by their geometry, with their properties as columns and a default style for QGIS
(layer_styles). A result without features is its area with the figures as columns. types and height_min are refused where the result has no
types or heights; a feature whose height is not known is left out by height_min.`,
		Params: []endpoint.AnyParam{shareName, types, heightMin}, Cache: endpoint.Live,
		Answer:  endpoint.Answer{ContentType: "application/geopackage+sqlite3", Exact: true, Others: []endpoint.Other{moved}},
		Example: "/api/v1/share/auto-0b7d4a52-6f0e-4c0b-9d55-0a1f5c1f7a11/download.gpkg",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			h, other, err := d.named(ctx, r, "/download.gpkg")
			if err != nil || other != nil {
				return other, err
			}
			f := shares.Filter{Types: types.Of(r)}
			if heightMin.Given(r) {
				least := heightMin.Of(r)
				f.HeightMin = &least
			}
			if len(f.Types) > 0 && h.Layer.Type == "" {
				return nil, types.Clash(r, "no types: the features of this share have none")
			}
			if f.HeightMin != nil && len(h.Layer.Height) == 0 {
				return nil, heightMin.Clash(r, "no least height: the features of this share have none")
			}
			file, err := d.Desk.Shares().GeoPackage(ctx, h, f)
			if err != nil {
				return nil, shareFault(err, shareName.Of(r))
			}
			return &reply.Content{ContentType: "application/geopackage+sqlite3", Filename: shareName.Of(r) + ".gpkg", Size: file.Size,
				Header: credited(h, http.Header{}), Done: func() { d.closed(file) },
				Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
					return io.NopCloser(io.NewSectionReader(file, offset, length)), nil
				}}, nil
		},
	}
}

// closed removes a file that was sent. That it cannot be is only told in the log: the answer has gone out.
func (d Deps) closed(file io.Closer) {
	if err := file.Close(); err != nil && d.Log != nil {
		d.Log.Warn("a file that was sent is left behind", "error", err)
	}
}
