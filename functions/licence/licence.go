// Package licence is the endpoint GET /api/v1/license: whom the data of a service comes from, under which licence, and
// what whoever uses it has to do, as a table that programs read. It owns the form; each service gives its own sources.
package licence

import (
	"context"
	"slices"

	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Obligation is what a licence asks for.
type Obligation string

// The obligations.
const (
	Attribute      Obligation = "attribute"
	LinkLicence    Obligation = "link_licence"
	StateChanges   Obligation = "state_changes"
	NoEndorsement  Obligation = "no_endorsement"
	ShareAlike     Obligation = "share_alike"
	NonCommercial  Obligation = "non_commercial"
	NoneOfItsOwn   Obligation = "none"
	licenceCC4                = "CC BY 4.0"
	licenceCC4Link            = "https://creativecommons.org/licenses/by/4.0/"
)

// Terms says what an obligation asks for.
type Terms struct {
	ID   Obligation `json:"id"`
	Text string     `json:"text"`
}

// AllTerms lists the obligations with their texts.
func AllTerms() []Terms {
	return []Terms{
		{Attribute, "Name the source as attribution gives it, with the year of the data where it has one."},
		{LinkLicence, "Link the text of the licence (license_url)."},
		{StateChanges, "Say that the data was changed: it is re-projected to WGS84, re-assembled, quantised and enriched."},
		{NoEndorsement, "Do not suggest that the source supports you or your use."},
		{ShareAlike, "Pass on a database that merges this data only under the same licence."},
		{NonCommercial, "Do not use the data commercially."},
		{NoneOfItsOwn, "Nothing beyond naming the source, which is good practice."},
	}
}

// CCBY are the obligations of CC BY 4.0.
func CCBY() []Obligation { return []Obligation{Attribute, LinkLicence, StateChanges, NoEndorsement} }

// Source is one source of data.
type Source struct {
	ID          string
	Name        string // of the data
	Publisher   string
	License     string // "" is CC BY 4.0
	LicenseURL  string
	Attribution string // "" is that of the generation, which names the year
	URL         string
	UsedIn      string // endpoints, fields
	Obligations []Obligation
	// Served says whether the service serves data of the source; what it does not serve is listed where users of
	// such services expect it.
	Served  bool
	Exports bool // whether exports and archived snapshots hold data of the source
}

// row is a source in an answer, with the attribution of the generation.
type row struct {
	Source
	credit string
}

var rows = format.NewSchema("license", "A source of data.", format.Drawing[row]{}, format.Fields[row]{
	text("source_id", "Key of the source.", func(r *row) string { return r.ID }),
	text("name", "What the data is.", func(r *row) string { return r.Name }),
	text("publisher", "Who publishes it.", func(r *row) string { return r.Publisher }),
	text("license", "Its licence.", func(r *row) string { return r.License }),
	text("license_url", "Where the text of the licence is.", func(r *row) string { return r.LicenseURL }),
	text("attribution", "How the source is named.", func(r *row) string {
		if r.Attribution != "" {
			return r.Attribution
		}
		return r.credit
	}),
	text("url", "Where the source publishes.", func(r *row) string { return r.URL }),
	text("used_in", "Where the service uses it.", func(r *row) string { return r.UsedIn }),
	{Column: format.Column{Name: "obligations", Type: format.TypeJSON, Shape: []string{},
		Doc: "What the licence asks for: ids of the table obligations."},
		Get: func(r *row) format.Value { return format.RawJSON(ids(r.Obligations)) }},
	{Column: format.Column{Name: "modified", Type: format.TypeBool, Doc: "Whether the service changes the data."},
		Get: func(r *row) format.Value { return format.Bool(slices.Contains(r.Obligations, StateChanges)) }},
	{Column: format.Column{Name: "share_alike", Type: format.TypeBool,
		Doc: "Whether a merged database has to be passed on under the same licence."},
		Get: func(r *row) format.Value { return format.Bool(slices.Contains(r.Obligations, ShareAlike)) }},
	{Column: format.Column{Name: "commercial_use", Type: format.TypeBool, Doc: "Whether the data may be used commercially."},
		Get: func(r *row) format.Value { return format.Bool(!slices.Contains(r.Obligations, NonCommercial)) }},
	{Column: format.Column{Name: "served", Type: format.TypeBool, Doc: "Whether the service serves data of the source."},
		Get: func(r *row) format.Value { return format.Bool(r.Served) }},
	{Column: format.Column{Name: "in_exports", Type: format.TypeBool,
		Doc: "Whether exports and archived snapshots hold data of the source."},
		Get: func(r *row) format.Value { return format.Bool(r.Exports) }},
})

func text(name, doc string, get func(*row) string) format.Field[row] {
	return format.Field[row]{Column: format.Column{Name: name, Doc: doc}, Get: func(r *row) format.Value { return format.Text(get(r)) }}
}

// ids are obligations as a JSON array; they hold nothing that JSON escapes.
func ids(list []Obligation) string {
	out := "["
	for i, o := range list {
		if i > 0 {
			out += ","
		}
		out += `"` + string(o) + `"`
	}
	return out + "]"
}

type beside struct {
	Obligations []Terms `json:"obligations"`
}

// Endpoint is the endpoint over the sources of a service.
func Endpoint(sources []Source) endpoint.Endpoint {
	list := make([]Source, len(sources))
	for i, s := range sources {
		if s.License == "" {
			s.License, s.LicenseURL, s.Obligations = licenceCC4, licenceCC4Link, CCBY()
		}
		list[i] = s
	}
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/license", ID: "license", Tag: "Documentation",
		Summary: "Sources of the data, their licences and obligations",
		Doc: `data holds one row for each source; obligations beside it says what the ids in the column of that name ask for. Sources with
served: false are not part of the data of this service.`,
		Answer:  endpoint.Answer{Rows: []*format.RowType{rows.RowType}, Page: endpoint.Page{None: true}, Beside: beside{}},
		Example: "/api/v1/license",
		Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
			return &reply.Rows{Total: len(list), Members: []reply.Member{{Name: "obligations", Value: AllTerms()}},
				Rows: func(yield func(format.Row, error) bool) {
					rec := rows.Record()
					for _, s := range list {
						rec.Item = row{s, r.Generation.Attribution}
						if !yield(rec, nil) {
							return
						}
					}
				}}, nil
		},
	}
}
