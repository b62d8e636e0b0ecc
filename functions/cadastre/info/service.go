// Package info is what the cadastre says of itself and takes in: its documentation, the licences of its sources,
// reports of its users, and what it has of KGs by the sibling contract. It leads the service: openapi.json, the page to
// try the endpoints and llm.txt describe all families, whose endpoints it is given.
package info

import (
	"mappe/functions/core"
	"mappe/functions/family"
	"mappe/functions/feedback"
	"mappe/functions/licence"
	"mappe/functions/sibling"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/sentences"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-info", Program: "functions/cadastre/info/lambda", Prefix: "/cadastre",
	Needs: family.Needs{Store: true, Ledger: []string{feedback.Partition(Service)}},
}

// Service is the name under which reports are kept.
const Service = "cadastre"

// Deps are what the endpoints stand on.
type Deps struct {
	core.Deps
	Intake    *feedback.Intake    // nil: reports are refused
	Described []endpoint.Endpoint // of the other families, where nobody else adds them to the service
}

const description = "Parcels, address points, footprints and KGs of the Austrian cadastre by place, number, name and filter; exports, prices, versions. " +
	"The files behind the answers (GeoJSON, GeoParquet, GeoPackage, vector tiles of each KG) are at `/artefacts/` on the same host: `current.json` names the manifest, the manifest every file."

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	d.Deps = d.WithDefaults()
	s := d.Service("documentation", description, nil)
	s.Title, s.Described, s.German = "Cadastre", d.Described, []string{sentences.German, inGerman}
	s.Endpoints = append(feedback.New(feedback.Deps{Intake: d.Intake, Now: d.Now}), licence.Endpoint(sources))
	s.Endpoints = append(s.Endpoints, s.Documents("/api/v1/docs", sibling.Contract)...)
	s.Endpoints = append(s.Endpoints, sibling.Endpoints(contract)...)
	return s
}
