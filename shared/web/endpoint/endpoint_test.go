package endpoint

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// The made-up service of the tests: places on a line, number n at lon 13+n/1000, lat 47.
var placeType = format.NewRowType("place", "A place.", format.ShapePoint,
	format.Column{Name: "id", Doc: "Number of the place."},
	format.Column{Name: "n", Type: format.TypeInt},
	format.Column{Name: "area_sqm", Type: format.TypeFloat, Decimals: 2, Unit: "m²"},
	format.Column{Name: "lon", Type: format.TypeDegrees},
	format.Column{Name: "lat", Type: format.TypeDegrees},
	format.Column{Name: "tags", Type: format.TypeJSON, Shape: map[string]int{}},
)

type place struct{ n int }

func (p *place) RowType() *format.RowType { return placeType }
func (p *place) at() geom.Point           { return geom.Point{X: 130000000 + int32(p.n)*10000, Y: 470000000} }
func (p *place) Geometry() format.Geometry {
	return format.PointGeometry(p.at())
}
func (p *place) Value(c int) format.Value {
	switch c {
	case 0:
		return format.String("p" + strings.Repeat("x", p.n%3))
	case 1:
		return format.Int(int64(p.n))
	case 2:
		return format.Float(float64(p.n)*1.5, 2)
	case 3:
		return format.Degrees(p.at().X)
	case 4:
		return format.Degrees(p.at().Y)
	}
	return format.RawJSON(`{"a":1}`)
}

func places(from, to int) format.Seq {
	return func(yield func(format.Row, error) bool) {
		var p place
		for p.n = from; p.n < to; p.n++ {
			if !yield(&p, nil) {
				return
			}
		}
	}
}

type layer string

var (
	pWest   = Float("west", "Western edge.", Required, Alias("minlon"), Between(-180, 180))
	pCount  = Int("count", "How many places match.", Between(0, 1000000), Default("10"))
	pLayers = EnumList("layers", "Layers.", []layer{"parcels", "buildings"}, Alias("layer"), Synonym("parcel", "parcels"),
		Synonym("building", "buildings"), Default("parcels"))
	pKG     = Parsed("kg", "KG code.", austria.ParseKGCode, Example("01004"))
	pParcel = Parsed("parcel_id", "Parcel id.", austria.ParseParcelID)
	pFlag   = Bool("has_buildings", "Only with buildings.")
)

type pointsBody struct {
	Points []struct {
		Lon float64 `json:"lon"`
		Lat float64 `json:"lat"`
	} `json:"points"`
	Radius float64 `json:"radius,omitempty"`
}

var bPoints = Body[pointsBody]("{points: [{lon, lat}]}", 1<<16)

func testService() *Service {
	served := 0
	return &Service{
		System: "cadastre", Title: "Test", Version: "1.2.3",
		Notice: reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Attribution: "© BEV, 2026"},
		Pin: func(ctx context.Context) (context.Context, reply.Generation, error) {
			return ctx, reply.Generation{ID: "g1"}, nil
		},
		NewID: func() string { return "id-1" },
		Now:   func() time.Time { return time.Unix(1000, 0) },
		Log:   slog.New(slog.NewTextHandler(io.Discard, nil)),
		Endpoints: []Endpoint{
			{Method: "GET", Path: "/api/v1/places", ID: "places", Summary: "Places", Params: []AnyParam{pWest, pCount, pLayers, pKG, pFlag},
				Answer: Answer{Rows: []*format.RowType{placeType}}, Example: "/api/v1/places?west=1",
				Serve: func(ctx context.Context, r *Request) (reply.Answer, error) {
					served++
					return &reply.Rows{Rows: places(0, pCount.Of(r)), Total: reply.CountRows,
						Header: http.Header{"X-Served": {string(rune('0' + served))}}}, nil
				}},
			{Method: "GET", Path: "/api/v1/parcel/{parcel_id}", ID: "parcel", Params: []AnyParam{pParcel},
				Serve: func(ctx context.Context, r *Request) (reply.Answer, error) {
					return &reply.Document{Body: map[string]string{"id": pParcel.Of(r).String()}}, nil
				}},
			{Method: "POST", Path: "/api/v1/points", ID: "points", Body: bPoints,
				Answer: Answer{Rows: []*format.RowType{placeType}, JSONOnly: true, Page: Page{None: true}},
				Serve: func(ctx context.Context, r *Request) (reply.Answer, error) {
					b := bPoints.Of(r)
					return &reply.Stream{Write: func(j *format.JSON, l *format.Layout) error {
						j.Key("results")
						j.Array()
						for i := range b.Points {
							j.Object()
							j.Key("id")
							j.Int(i)
							j.Key("places")
							j.Array()
							j.Row(&place{i}, l)
							j.EndArray()
							j.EndObject()
						}
						j.EndArray()
						return nil
					}, Geometry: true, Meta: []reply.Member{{Name: "point_count", Value: len(b.Points)}}}, nil
				}},
			{Method: "GET", Path: "/api/v1/debug/inflight", ID: "inflight", Cache: Live,
				Serve: func(ctx context.Context, r *Request) (reply.Answer, error) {
					return &reply.Document{Body: map[string]int{"requests": 0}}, nil
				}},
		},
	}
}

func handler(t testing.TB) http.Handler {
	t.Helper()
	h, err := testService().Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(h http.Handler, url string, headers ...string) *httptest.ResponseRecorder {
	return do(h, "GET", url, "", headers...)
}

func do(h http.Handler, method, url, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
