package sibling

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

const tag = "Sibling contract"

var (
	kgCode = endpoint.Parsed("kg_code", "Code of the KG, padded or not; .json behind it changes nothing.",
		func(text string) (austria.KGCode, error) {
			return austria.ParseKGCode(strings.TrimSuffix(text, ".json"))
		}, endpoint.Required, endpoint.Example("99101"))
	parcelID = endpoint.Parsed("parcel_id", "Parcel: <kg_code>-<gnr>; a slash is %2F, once.", func(text string) (austria.ParcelID, error) {
		return austria.ParseParcelID(strings.TrimSuffix(text, ".json"))
	}, endpoint.Required, endpoint.Example("99101-1"))
	codes = endpoint.ParsedList("codes", "Codes of KGs, padded or not.", austria.ParseKGCode, endpoint.Required,
		endpoint.Between(1, MaxCodes), endpoint.Example("99101,99102"))
)

// None are the addresses of the contract for a service that has nothing of KGs.
func None(slug, dataset string) []endpoint.Endpoint {
	return Endpoints(Service{Slug: slug, Dataset: dataset, Granularity: Gemeinde})
}

// Endpoints are the addresses of the contract for a service. They stand below /llm/ of its base.
func Endpoints(s Service) []endpoint.Endpoint {
	h := &handler{s}
	all := []endpoint.Endpoint{h.kg(), h.parcel(), h.kgs(), h.manifest(), h.coverage()}
	if s.Data == nil {
		for i := range all { // nothing depends on data, and no generation is pinned
			all[i].Cache, all[i].Depends, all[i].Modified = endpoint.Own, nil, nil
			all[i].ETag = func(context.Context, *endpoint.Request) (string, error) { return "", nil }
		}
	}
	return all
}

type handler struct{ Service }

// siblingNoData is the body of a KG without data, as the contract draws it.
type siblingNoData struct {
	KGCode string `json:"kg_code"`
	Error  string `json:"error"`
}

// siblingNoParcel is that of a parcel.
type siblingNoParcel struct {
	ParcelID string `json:"parcel_id"`
	KGCode   string `json:"kg_code"`
	Error    string `json:"error"`
}

// absent is the answer that there is no data.
func absent(body any) reply.Answer {
	return &reply.Document{Status: http.StatusNotFound, Body: body, Header: http.Header{"Cache-Control": {"max-age=120"}}}
}

// siblingMetrics, siblingParcel and siblingPayload are shapes, for the description of the service.
type siblingMetrics map[string]*float64

type siblingParcel struct {
	ParcelID string         `json:"parcel_id"`
	Metrics  siblingMetrics `json:"metrics"`
}

type siblingPayload struct {
	Service      string            `json:"service"`
	Dataset      string            `json:"dataset"`
	KGCode       string            `json:"kg_code"`
	GemeindeCode *string           `json:"gemeinde_code"`
	Granularity  Granularity       `json:"granularity"`
	AsOf         string            `json:"as_of"`
	UpdatedAt    *string           `json:"updated_at"`
	Source       string            `json:"source"`
	License      string            `json:"license"`
	UnitGlossary map[string]string `json:"unit_glossary"`
	Metrics      siblingMetrics    `json:"metrics"`
	History      []map[string]any  `json:"history"`
	Parcels      []siblingParcel   `json:"parcels,omitempty"`
}

// siblingParcelPayload is the payload of a parcel.
type siblingParcelPayload struct {
	Service      string            `json:"service"`
	Dataset      string            `json:"dataset"`
	ParcelID     string            `json:"parcel_id"`
	KGCode       string            `json:"kg_code"`
	GemeindeCode *string           `json:"gemeinde_code"`
	Granularity  Granularity       `json:"granularity"`
	AsOf         string            `json:"as_of"`
	UpdatedAt    *string           `json:"updated_at"`
	Source       string            `json:"source"`
	License      string            `json:"license"`
	UnitGlossary map[string]string `json:"unit_glossary"`
	Metrics      siblingMetrics    `json:"metrics"`
}

// depends is the state of the KGs that a request names.
func (h *handler) depends(named func(*endpoint.Request) []austria.KGCode) func(context.Context, *endpoint.Request) (string, error) {
	return func(ctx context.Context, r *endpoint.Request) (string, error) {
		tag, updated, err := h.Data.State(ctx, named(r))
		r.Memo = updated
		return tag, err
	}
}

// changed is when the data of a request last changed; Depends has found it out.
func changed(_ context.Context, r *endpoint.Request) (time.Time, error) {
	t, _ := r.Memo.(time.Time)
	return t, nil
}

func oneKG(r *endpoint.Request) []austria.KGCode { return []austria.KGCode{kgCode.Of(r)} }

func (h *handler) kg() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/llm/kg/{kg_code}", ID: "llm_kg", Tag: tag, Summary: "What this service has of a KG",
		Doc: `The payload of the sibling contract, which llm.txt?section=integration of the cadastre explains. Without data: 404 with exactly
{kg_code, error: no_data}.`,
		Params: []endpoint.AnyParam{kgCode},
		Answer: endpoint.Answer{Body: siblingPayload{}, Exact: true,
			Others: []endpoint.Other{{Status: http.StatusNotFound, Doc: "The service has no data of the KG.", Body: siblingNoData{}}}},
		// without data the answer has no ETag: it changes when the data comes
		Example: "/llm/kg/99101", Depends: h.depends(oneKG), Modified: changed,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			b, err := h.block(ctx, kgCode.Of(r))
			if err != nil {
				return nil, err
			}
			if b == nil {
				return absent(siblingNoData{string(kgCode.Of(r)), "no_data"}), nil
			}
			return &reply.Stream{NoMeta: true, Write: func(j *format.JSON, _ *format.Layout) error {
				h.payload(j, b)
				return j.Err()
			}}, nil
		},
	}
}

// block is what there is of a KG.
func (h *handler) block(ctx context.Context, code austria.KGCode) (*Block, error) {
	if h.Data == nil {
		return nil, nil
	}
	return h.Data.KG(ctx, code)
}

func (h *handler) parcel() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/llm/parcel/{parcel_id}", ID: "llm_parcel", Tag: tag, Summary: "What this service has of a parcel",
		Doc:    `Without data: 404 with {parcel_id, kg_code, error: no_data}.`,
		Params: []endpoint.AnyParam{parcelID},
		Answer: endpoint.Answer{Body: siblingParcelPayload{}, Exact: true,
			Others: []endpoint.Other{{Status: http.StatusNotFound, Doc: "The service has no data of the parcel.",
				Body: siblingNoParcel{}}}},
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			b, err := h.Data.Parcel(ctx, parcelID.Of(r))
			if b == nil || err != nil {
				return "", err
			}
			return h.depends(func(*endpoint.Request) []austria.KGCode { return []austria.KGCode{parcelID.Of(r).KG} })(ctx, r)
		},
		Example: "/llm/parcel/99101-1", Modified: changed,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			id := parcelID.Of(r)
			var b *Block
			if h.Data != nil {
				var err error
				if b, err = h.Data.Parcel(ctx, id); err != nil {
					return nil, err
				}
			}
			if b == nil {
				return absent(siblingNoParcel{id.String(), string(id.KG), "no_data"}), nil
			}
			return &reply.Stream{NoMeta: true, Write: func(j *format.JSON, _ *format.Layout) error {
				h.head(j)
				j.Member("parcel_id", id.String())
				j.Member("kg_code", string(id.KG))
				own := h.Service
				own.Metrics, own.Granularity = h.ElementMetrics, Parcel
				own.data(j, b, h.ElementMetrics)
				return j.Err()
			}}, nil
		},
	}
}

func (h *handler) kgs() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/llm/kgs", ID: "llm_kgs", Tag: tag, Summary: "What this service has of up to 500 KGs",
		Doc:    `results holds the payloads of the KGs that have data, in the order asked, each once; no_data lists the other codes.`,
		Params: []endpoint.AnyParam{codes},
		Answer: endpoint.Answer{Exact: true, Body: struct {
			Results []siblingPayload `json:"results"`
			NoData  []string         `json:"no_data"`
		}{}},
		Example: "/llm/kgs?codes=99101,99102", Depends: h.depends(codes.Of), Modified: changed,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			if h.Data != nil { // what cannot be read is said before the first byte
				if _, _, err := h.Data.State(ctx, codes.Of(r)); err != nil {
					return nil, err
				}
			}
			return &reply.Stream{NoMeta: true, Write: func(j *format.JSON, _ *format.Layout) error {
					return h.results(ctx, j, codes.Of(r))
				}},
				nil
		},
	}
}

// results writes the payloads of KGs, one KG at a time.
func (h *handler) results(ctx context.Context, j *format.JSON, asked []austria.KGCode) error {
	without := []string{}
	seen := map[austria.KGCode]bool{}
	j.Key("results")
	j.Array()
	for _, code := range asked {
		if seen[code] {
			continue
		}
		seen[code] = true
		b, err := h.block(ctx, code)
		if err != nil {
			return err
		}
		if b == nil {
			without = append(without, string(code))
			continue
		}
		j.Object()
		h.payload(j, b)
		j.EndObject()
	}
	j.EndArray()
	j.Member("no_data", without)
	return j.Err()
}

// coverageURL is where the codes of the KGs with data are.
const coverageURL = "/llm/coverage.json"

type siblingSchema map[string]struct {
	Type string `json:"type"`
	Unit string `json:"unit"`
	Doc  string `json:"description"`
}

type siblingManifest struct {
	Service           string                   `json:"service"`
	Dataset           string                   `json:"dataset"`
	FinestGranularity Granularity              `json:"finest_granularity"`
	JoinKeys          []string                 `json:"join_keys"`
	KGEndpoint        string                   `json:"kg_endpoint"`
	ParcelEndpoint    string                   `json:"parcel_endpoint"`
	MetricsSchema     map[string]siblingSchema `json:"metrics_schema"`
	KGCount           int                      `json:"kg_count"`
	CoveredKGsURL     string                   `json:"covered_kgs_url"`
	License           string                   `json:"license"`
	UpdatedAt         any                      `json:"updated_at"`
}

// everything is the state of all data.
func everything(*endpoint.Request) []austria.KGCode { return nil }

func (h *handler) manifest() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/llm/manifest.json", ID: "llm_manifest", Tag: tag, Summary: "What this service has, and of how many KGs",
		Doc:     "metrics_schema explains the keys of metrics, of a KG and of its parcels or points. covered_kgs_url lists the KGs with data.",
		Answer:  endpoint.Answer{Body: siblingManifest{}, Exact: true},
		Example: "/llm/manifest.json", Depends: h.depends(everything), Modified: changed,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			all, updated, err := h.covered(ctx)
			if err != nil {
				return nil, err
			}
			base := endpoint.Prefix(r.HTTP)
			return &reply.Document{Body: siblingManifest{
				Service: h.Slug, Dataset: h.Dataset, FinestGranularity: h.Granularity, JoinKeys: JoinKeys(),
				KGEndpoint: base + "/llm/kg/{kg_code}", ParcelEndpoint: base + "/llm/parcel/{parcel_id}", MetricsSchema: h.schema(),
				KGCount: len(all), CoveredKGsURL: base + coverageURL, License: h.License, UpdatedAt: stamp(updated),
			}}, nil
		},
	}
}

// schema explains the metrics by place: kg, and parcel or point.
func (h *handler) schema() map[string]siblingSchema {
	explain := func(list []Metric) siblingSchema {
		out := siblingSchema{}
		for _, m := range list {
			e := out[m.Key]
			e.Type, e.Unit, e.Doc = "number", m.Unit, m.Doc
			out[m.Key] = e
		}
		return out
	}
	out := map[string]siblingSchema{"kg": explain(h.Metrics)}
	if h.Granularity != Gemeinde {
		out[string(h.Granularity)] = explain(h.ElementMetrics)
	}
	return out
}

func (h *handler) covered(ctx context.Context) (all []austria.KGCode, updated time.Time, err error) {
	if h.Data == nil {
		return []austria.KGCode{}, updated, nil
	}
	if all, err = h.Data.Covered(ctx); err != nil {
		return nil, updated, err
	}
	_, updated, err = h.Data.State(ctx, nil)
	return all, updated, err
}

type siblingCoverage struct {
	Service string           `json:"service"`
	KGCount int              `json:"kg_count"`
	KGCodes []austria.KGCode `json:"kg_codes"`
}

func (h *handler) coverage() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: coverageURL, ID: "llm_coverage", Tag: tag, Summary: "The KGs that this service has data of",
		Answer:  endpoint.Answer{Body: siblingCoverage{}, Exact: true},
		Example: coverageURL, Depends: h.depends(everything), Modified: changed,
		Serve: func(ctx context.Context, _ *endpoint.Request) (reply.Answer, error) {
			all, _, err := h.covered(ctx)
			if err == nil && all == nil {
				err = errors.New("the coverage is missing")
			}
			return &reply.Document{Body: siblingCoverage{h.Slug, len(all), all}}, err
		},
	}
}
