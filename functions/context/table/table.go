// Package table lists the families of the place context: those that answer from the data, beside the leading one, which
// describes them all. functions/families takes them to serve them, the leading family's program to describe them.
package table

import (
	"log/slog"

	"mappe/artefacts/library"
	"mappe/functions/context/cells"
	"mappe/functions/context/contrib"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/context/place"
	"mappe/functions/family"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/web/endpoint"
)

// Deps are what the families are given.
type Deps struct {
	Library   *library.Library
	Observers *observers.Records // who may report on cells, and what they have seen; nil: reports are refused
	Log       *slog.Logger
	Geocoder  *nominatim.Client // of place.Deps
}

// Members are the families over the data.
func Members(d Deps) []family.Member {
	return []family.Member{
		{Family: cells.Family, Service: cells.New(cells.Deps{Library: d.Library, Log: d.Log})},
		{Family: contrib.Family, Service: contrib.New(contrib.Deps{Library: d.Library, Records: d.Observers, Log: d.Log})},
		{Family: place.Family, Service: place.New(place.Deps{Library: d.Library, Log: d.Log, Geocoder: d.Geocoder})},
	}
}

// Endpoints are those of Members, for their description.
func Endpoints() (all []endpoint.Endpoint) {
	for _, m := range Members(Deps{}) {
		all = append(all, m.Service.Endpoints...)
	}
	return all
}
