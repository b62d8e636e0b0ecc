// Package core is what the families over the published data have in common: what they stand on, the licences of the data,
// the service around the endpoints of the cadastre. What several of them read or answer is a package below it.
package core

import (
	"context"
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/shared/book/sheet"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/cloud/pause"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// Deps are what the endpoints of a family stand on. Library is required.
type Deps struct {
	Library    *library.Library
	BaseURL    string           // what stands before the paths in the outside world
	Version    string           // of the software; part of every ETag
	Now        func() time.Time // default time.Now
	Log        *slog.Logger     // default: silent
	GeoPackage reply.FileWriter // nil: format=gpkg is refused
	// Sheet sets a sheet as a PDF; nil: format=pdf is refused.
	Sheet func(*sheet.Sheet) ([]byte, error)
	// Geocoder knows places where the project's own addresses know none; nil: nobody else is asked.
	Geocoder *nominatim.Client
	// Pause waits for KGs that are being loaded; default pause.For.
	Pause func(context.Context, time.Duration) error
}

// WithDefaults are the dependencies with a clock and a pause.
func (d Deps) WithDefaults() Deps {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Pause == nil {
		d.Pause = pause.For
	}
	return d
}

// Base is endpoint.Base of a request to the service.
func (d Deps) Base(r *endpoint.Request) string { return endpoint.Base(d.BaseURL, r.HTTP) }

// Notice is the licence of the cadastre's data. Whom to name is a property of the data: the generation says it.
var Notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/"}

// RegisterNotice is the licence of what the registers say of a place. Whom to name the generation says.
var RegisterNotice = reply.Notice{License: Notice.License, LicenseURL: Notice.LicenseURL, Dataset: "Register of the Katastralgemeinden"}

// Service is a family of the cadastre as a service. of is what it is about, for its title: "search".
func (d Deps) Service(of, description string, endpoints []endpoint.Endpoint) *endpoint.Service {
	return &endpoint.Service{
		System: "cadastre", Title: "Cadastre: " + of, Description: description, Version: d.Version, BaseURL: d.BaseURL,
		Endpoints: endpoints, Notice: Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Explain: generation.Fault,
		GeoPackage: d.GeoPackage, Now: d.Now, Log: d.Log,
	}
}
