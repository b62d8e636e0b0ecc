// Package proxy is what the cadastre answers under the landscape service's prefix: its own endpoints under other paths,
// of the same generation, and one that hands requests on. It is a family of the landscape service, so that the function
// that reads rasters links nothing of the cadastre.
package proxy

import (
	"strings"

	"mappe/functions/core"
	"mappe/functions/core/generation"
	"mappe/functions/core/landuse"
	"mappe/functions/core/overlays"
	"mappe/functions/core/search"
	"mappe/functions/family"
	"mappe/shared/web/endpoint"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "cadastre-proxy", Program: "functions/cadastre/proxy/lambda", Prefix: "/landscape",
	Paths: []string{"/api/v1/cadastre/*"},
	Needs: family.Needs{Store: true, Warmup: true},
}

const tag = "Cadastre"

// New is the family as a service of its own.
func New(d core.Deps) *endpoint.Service {
	d = d.WithDefaults()
	under := func(path string, e endpoint.Endpoint) endpoint.Endpoint {
		_, query, given := strings.Cut(e.Example, "?")
		e.Path, e.Example, e.Tag, e.Notice = path, path, tag, &core.Notice
		if given {
			e.Example += "?" + query
		}
		e.ID = "cadastre_" + e.ID
		return e
	}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: the cadastre", Version: d.Version, BaseURL: d.BaseURL,
		Description: "What the cadastre answers of laws, protected areas and land use, under the paths of the landscape service.",
		Endpoints: []endpoint.Endpoint{
			under("/api/v1/cadastre/legal/search", overlays.LegalSearch()),
			under("/api/v1/cadastre/protected_areas", overlays.ProtectedArea()),
			under("/api/v1/cadastre/landuse/distribution", landuse.Distribution()),
			under("/api/v1/cadastre/landuse/codes", search.LandUseCodes()),
			newProxy(d).endpoint(),
		},
		Notice: core.Notice,
		Pin:    generation.Pin(d.Library), Repin: generation.Repin(d.Library), Explain: generation.Fault, GeoPackage: d.GeoPackage,
		Now: d.Now, Log: d.Log,
	}
}
