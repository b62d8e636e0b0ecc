package search

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/pin"
	"mappe/shared/cloud/pause"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

const tag = "Search"

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library    *library.Library
	BaseURL    string           // what stands before the paths in the outside world
	Version    string           // of the software; part of every ETag
	Now        func() time.Time // default time.Now
	Log        *slog.Logger     // default: silent
	GeoPackage reply.FileWriter // nil: format=gpkg is refused
	// Pause waits between two looks at a KG that is being loaded; default: a timer that ends with the context.
	Pause func(context.Context, time.Duration) error
}

type service struct {
	lib   *library.Library
	names directory
	now   func() time.Time
	pause func(context.Context, time.Duration) error
}

// Notice is the licence of the cadastre's data. Whom to name is a property of the data: the generation says it.
var Notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/"}

// Endpoints are the endpoints of the family, in the order of the specification, for a service that holds more
// than this family. The service has to Pin.
func Endpoints(d Deps) []endpoint.Endpoint {
	s := &service{lib: d.Library, now: d.Now, pause: d.Pause}
	if s.now == nil {
		s.now = time.Now
	}
	if s.pause == nil {
		s.pause = pause.For
	}
	return []endpoint.Endpoint{
		gnr(), s.ez(), parcel(), feature(), s.district(), s.kg(), s.municipalities(), s.lookup(), landuseCodes(),
	}
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	return &endpoint.Service{
		System: "cadastre", Title: "Cadastre: search", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Parcels, folios, KGs, municipalities and districts by number, code and name.",
		Endpoints:   Endpoints(d), Notice: Notice, Pin: pin.To(d.Library), Repin: pin.Former(d.Library), GeoPackage: d.GeoPackage, Now: d.Now, Log: d.Log,
	}
}
