package place

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/states"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

const (
	// contractCount is the number of KGs the contract speaks of; another count means another epoch.
	contractCount = 7850
	maxCodes      = 8000
)

var (
	kgFields = endpoint.Strings("fields", "codes alone gives data {codes: [...]}; else the row fields to give, as a comma list.")
	kgCodes  = endpoint.ParsedList("codes", "Only these KGs, in this order; padded or not, unknown codes are dropped.",
		austria.ParseKGCode, endpoint.Between(1, maxCodes), endpoint.Example("99101,9901"))
	kgDistrict = endpoint.String("district",
		"Only KGs of this district: its exact name in any case, or its 3-digit code. Districts of one name are given together.",
		endpoint.Between(1, 100))
	kgDistrictNo = params.District("district_code", "Only KGs of this district", endpoint.Example("315"))
	kgGemeinde   = params.Gemeinde("gemeinde_code", "Only KGs of this municipality", endpoint.Example("31507"))
	kgState      = endpoint.Parsed("state", "Only KGs of this state: its name in any case, or its digit.", states.Parse,
		endpoint.Example("Tirol"))
)

// listEntry is the shape of one KG, for the description of the service.
type listEntry struct {
	Code         string      `json:"kg_code,omitempty"`
	Name         string      `json:"kg_name,omitempty"`
	GemeindeCode string      `json:"gemeinde_code,omitempty"`
	GemeindeName string      `json:"gemeinde_name,omitempty"`
	DistrictCode string      `json:"district_code,omitempty"`
	DistrictName string      `json:"district_name,omitempty"`
	StateCode    string      `json:"state_code,omitempty"`
	StateName    string      `json:"state_name,omitempty"`
	BBox         *[4]float64 `json:"bbox,omitempty"`     // null for a KG without an outline
	Centroid     *[2]float64 `json:"centroid,omitempty"` // likewise
}

type listBody struct {
	Data struct {
		Codes         []string    `json:"codes,omitempty"`
		Count         int         `json:"kg_count,omitempty"`
		CountContract int         `json:"kg_count_contract,omitempty"`
		Hash          string      `json:"universe_hash,omitempty"`
		Recipe        string      `json:"universe_hash_recipe,omitempty"`
		GeneratedAt   string      `json:"generated_at,omitempty"`
		PeerCheck     peerCheck   `json:"peer_check,omitempty"`
		KGs           []listEntry `json:"kgs,omitempty"`
	} `json:"data"`
	Meta struct {
		Total       int     `json:"total"`
		QueryTimeMs float64 `json:"query_time_ms"`
		License     struct {
			License     string `json:"license"`
			LicenseURL  string `json:"license_url"`
			Attribution string `json:"attribution"`
			Dataset     string `json:"dataset"`
			Modified    bool   `json:"modified"`
		} `json:"license"`
	} `json:"meta"`
}

// listRows are the rows of the list.
var listRows = rowschema.KG.Named("kg_entry", "A Katastralgemeinde.").With(rowschema.KGPlace...).Shaped(format.ShapeNone).
	Only("kg_code", "kg_name", "gemeinde_code", "gemeinde_name", "district_code", "district_name", "state_code", "state_name", "bbox",
		"centroid")

func (s *service) kgs() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kgs", ID: "kgs", Tag: "KG universe",
		Summary: "All KGs with a fingerprint of the list",
		Doc: `data {kg_count, kg_count_contract, universe_hash, universe_hash_recipe, generated_at, peer_check, kgs[]}; rows in code
order, with codes= in the order asked. kg_count and universe_hash always speak of the whole list, meta.total of the rows given.
universe_hash is the ETag and the header X-KG-Universe-Hash: another count or hash means a new epoch. generated_at is the date of
the newest snapshot. peer_check compares with the sibling service, asked at most once an hour; agree is null (header
X-KG-Universe-Peer-Agree: unknown) where no sibling is configured or none has answered yet. Filters combine; a name that no
district has gives no rows. fields=codes gives data {codes: [...]} alone.`,
		Params: []endpoint.AnyParam{kgFields, kgCodes, kgDistrict, kgDistrictNo, kgGemeinde, kgState},
		Answer: endpoint.Answer{Body: listBody{}, Headers: []endpoint.Header{
			{Name: "X-KG-Universe-Hash", Doc: "universe_hash, which is the ETag too."},
			{Name: "X-KG-Universe-Peer-Agree", Doc: "true, false, or unknown where no sibling has answered."},
		}}, Cache: endpoint.Hourly,
		Example: "/api/v1/kgs?fields=codes",
		ETag: func(ctx context.Context, r *endpoint.Request) (string, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return "", err
			}
			return v.Register().UniverseHash(), nil
		},
		Serve: s.kgList,
	}
}

func (s *service) kgList(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	l := kgListing{fields: kgFields.Of(r)}
	if slices.Contains(l.fields, "codes") {
		if len(l.fields) > 1 {
			return nil, kgFields.Bad(r, "codes alone, or row fields without it")
		}
	} else if err := format.CheckFields(l.fields, listRows.RowType); err != nil {
		return nil, err
	}
	l.reg = v.Register()
	l.kgs = chosen(l.reg, r)
	l.check = s.peer.check(l.reg.UniverseHash())
	return &reply.Stream{
		Header: http.Header{"X-Kg-Universe-Hash": {l.reg.UniverseHash()}, "X-Kg-Universe-Peer-Agree": {l.check.header()}},
		Meta:   []reply.Member{{Name: "total", Value: len(l.kgs)}},
		Write: func(j *format.JSON, _ *format.Layout) error {
			j.Key("data")
			j.Object()
			if slices.Contains(l.fields, "codes") {
				l.writeCodes(j)
			} else {
				l.writeRows(j)
			}
			j.EndObject()
			return j.Err()
		},
	}, nil
}

// kgListing is what an answer lists.
type kgListing struct {
	reg    *register.Register
	kgs    []*register.KG
	fields []string
	check  peerCheck
}

func (l *kgListing) writeCodes(j *format.JSON) {
	j.Key("codes")
	j.Array()
	for _, k := range l.kgs {
		j.String(string(k.Code))
	}
	j.EndArray()
}

func (l *kgListing) writeRows(j *format.JSON) {
	j.Member("kg_count", len(l.reg.KGs()))
	j.Member("kg_count_contract", contractCount)
	j.Member("universe_hash", l.reg.UniverseHash())
	j.Member("universe_hash_recipe", register.UniverseHashRecipe)
	j.Member("generated_at", l.reg.Stichtag()+"T00:00:00Z")
	j.Member("peer_check", l.check)
	j.Key("kgs")
	j.Array()
	layout := format.NewLayout(l.fields, listRows.RowType)
	row := listRows.Record()
	for _, k := range l.kgs {
		row.Item.KG = k
		j.Row(row, layout)
	}
	j.EndArray()
}

// chosen are the KGs that pass every filter: in code order, or as codes= asks, each once.
func chosen(reg *register.Register, r *endpoint.Request) []*register.KG {
	var rows []*register.KG
	add := func(k *register.KG) {
		if kgDistrict.Given(r) && !strings.EqualFold(k.DistrictName, kgDistrict.Of(r)) && string(k.DistrictCode) != kgDistrict.Of(r) ||
			kgDistrictNo.Given(r) && k.DistrictCode != kgDistrictNo.Of(r) ||
			kgGemeinde.Given(r) && k.GemeindeCode != kgGemeinde.Of(r) ||
			kgState.Given(r) && k.State() != kgState.Of(r) {
			return
		}
		rows = append(rows, k)
	}
	if !kgCodes.Given(r) {
		all := reg.KGs()
		for i := range all {
			add(&all[i])
		}
		return rows
	}
	seen := map[austria.KGCode]bool{}
	for _, c := range kgCodes.Of(r) {
		if k := reg.KG(c); k != nil && !seen[c] {
			seen[c] = true
			add(k)
		}
	}
	return rows
}
