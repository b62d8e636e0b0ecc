package search

import (
	"context"

	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

func landuseText(name, doc string, get func(*austria.LandUseRow) string) format.Field[austria.LandUseRow] {
	return format.Field[austria.LandUseRow]{Column: format.Column{Name: name, Doc: doc},
		Get: func(r *austria.LandUseRow) format.Value { return format.Text(get(r)) }}
}

// landuseRows are the rows of the code table.
var landuseRows = format.NewSchema("landuse_code", "A land-use code of the cadastral map.", format.Drawing[austria.LandUseRow]{},
	format.Fields[austria.LandUseRow]{
		landuseText("code", "Code, 2 digits.", func(r *austria.LandUseRow) string { return r.Code.String() }),
		landuseText("type_name", "Name (Nutzung), German.", func(r *austria.LandUseRow) string { return r.Name }),
		landuseText("abbr", "Abbreviation.", func(r *austria.LandUseRow) string { return r.Abbr }),
		landuseText("group_name", "Group (Benützungsart), German.", func(r *austria.LandUseRow) string { return r.Group }),
		landuseText("cell_class", "One of the nine classes of the cells.", func(r *austria.LandUseRow) string { return r.Class.String() }),
		{Column: format.Column{Name: "state", Enum: []string{"current", "deleted", "legal"},
			Doc: "current; deleted: given up in 2012 and still met in the data; legal: an overlay of law, no use of land."},
			Get: func(r *austria.LandUseRow) format.Value { return format.Text(landuseStates[r.State]) }},
	})

var landuseStates = [...]string{austria.LandUseUnknown: "", austria.LandUseCurrent: "current", austria.LandUseDeleted: "deleted",
	austria.LandUseLegal: "legal"}

// LandUseCodes lists the codes of land use; the landscape service has it too.
func LandUseCodes() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/landuse/codes", ID: "landuse_codes", Tag: "Land use",
		Summary: "The land-use codes",
		Doc:     "All codes of the cadastral map with German name and abbreviation, by rising code: those in use since 2012 and those given up then. Since 2012 code 48 holds arable land and meadows together.",
		Answer:  endpoint.Answer{Rows: []*format.RowType{landuseRows.RowType}, Page: endpoint.Page{None: true}},
		Example: "/api/v1/landuse/codes",
		Serve: func(context.Context, *endpoint.Request) (reply.Answer, error) {
			all := austria.AllLandUses()
			return &reply.Rows{Total: len(all), Rows: func(yield func(format.Row, error) bool) {
				row := landuseRows.Record()
				for i := range all {
					row.Item = all[i]
					if !yield(row, nil) {
						return
					}
				}
			}}, nil
		},
	}
}
