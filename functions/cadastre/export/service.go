package export

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/pin"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

const tag = "Export"

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string           // what stands before the paths in the outside world
	Version string           // of the software; part of every ETag
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
	// Writers bounds the GeoPackages that are written at once, each a temporary file of at most some 200 MB;
	// default 2. Further requests wait.
	Writers int
}

// notice is the licence of the cadastre's data. Whom to name is a property of the data: the generation says it.
var notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/"}

// Endpoints are the endpoints of the family. The service has to Pin.
func Endpoints(d Deps) []endpoint.Endpoint {
	if d.Writers < 1 {
		d.Writers = 2
	}
	return []endpoint.Endpoint{geoJSON(), geoPackage(make(chan struct{}, d.Writers))}
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	return &endpoint.Service{
		System: "cadastre", Title: "Cadastre: exports", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Whole KGs, municipalities, districts, states and postal codes as GeoJSON and GeoPackage.",
		Endpoints:   Endpoints(d), Notice: notice, Pin: pin.To(d.Library), Repin: pin.Former(d.Library), Now: d.Now, Log: d.Log,
	}
}
