// Package info is what the landscape service says of itself: which rasters there are and whom to name for them. It leads
// the service: openapi.json, the page to try the endpoints and llm.txt describe all families, whose endpoints it is given.
package info

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/family"
	"mappe/functions/landscape/scans"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/sentences"
)

// Family is how the endpoints are reached and what their function is given.
var Family = family.Family{
	Name: "landscape-info", Program: "functions/landscape/info/lambda", Prefix: "/landscape",
	Needs: family.Needs{Store: true, Reads: []string{"rasters"}},
}

const tag = "Data"

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library   *library.Library
	BaseURL   string              // what stands before the paths in the outside world
	Version   string              // of the software
	Now       func() time.Time    // default time.Now
	Log       *slog.Logger        // default: silent
	Described []endpoint.Endpoint // of the other families, where nobody else adds them to the service
}

const description = "What laser scans say of any area of up to 25 km² that is drawn or uploaded: elevation, slope, aspect, ruggedness and curvature, heights of points, lines and polygons, single trees, objects of 25 types, what has changed between two scans, " +
	"and the models themselves as GeoTIFF. Areas come as GeoJSON, KML, KMZ, GPX, WKT, coordinates, zipped shapefile or GeoPackage. What takes long is answered in the background and kept as a share."

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	return &endpoint.Service{
		System: "landscape", Title: "Landscape", Description: description, Version: d.Version, BaseURL: d.BaseURL, Described: d.Described,
		Endpoints: []endpoint.Endpoint{layers(), attribution()},
		Notice:    scans.Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Now: d.Now, Log: d.Log,
		Explain: generation.Fault,
		German:  []string{sentences.German, inGerman},
	}
}
