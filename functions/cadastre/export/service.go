package export

import (
	"mappe/functions/cadastre"
	"mappe/shared/web/endpoint"
)

const tag = "Export"

// Deps are what the endpoints stand on.
type Deps struct {
	cadastre.Deps
	// Writers bounds the GeoPackages that are written at once, each a temporary file of at most some 200 MB;
	// default 2. Further requests wait.
	Writers int
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	if d.Writers < 1 {
		d.Writers = 2
	}
	return d.Service("exports", "Whole KGs, municipalities, districts, states and postal codes as GeoJSON and GeoPackage.",
		[]endpoint.Endpoint{geoJSON(), geoPackage(make(chan struct{}, d.Writers))})
}
