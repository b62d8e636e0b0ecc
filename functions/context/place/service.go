// Package place is the place-context service: what surrounds any coordinate of Austria. It owns the endpoints, one file
// each or one for a dataset, how /context puts the blocks together, and the hourly comparison of the KG list with the
// sibling service's. What stands in the artefacts functions/core/overlayindex reads; endpoints that the cadastre has in the same
// shape are its families' (functions/core/search, functions/core/overlays). It opens no store.
//
// A point is never resolved to a KG here. A block that cannot be served is no error: it is in data.missing with its
// reason.
package place

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core"
	"mappe/functions/core/generation"
	"mappe/functions/core/overlays"
	"mappe/functions/core/search"
	"mappe/shared/cloud/nominatim"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string           // what stands before the paths in the outside world
	Version string           // of the software
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
	// Peer asks the sibling service for its list; nil where none is configured. PeerName names it.
	Peer     func(context.Context) (PeerList, error)
	PeerName string
	// Geocoder knows places where the project's own addresses know none; nil: nobody else is asked.
	Geocoder *nominatim.Client
}

type service struct {
	now   func() time.Time
	log   *slog.Logger
	peer  *peer
	names search.Lookup
}

// Endpoints are the endpoints of the family, for a service that holds more. The service has to Pin.
func Endpoints(d Deps) []endpoint.Endpoint {
	s := &service{now: d.Now, log: d.Log}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.peer = newPeer(d.PeerName, d.Peer, s.now)
	registers := search.Places(core.Deps{Library: d.Library, Now: d.Now, Log: d.Log, Geocoder: d.Geocoder})
	const prices, nature = "Land prices", "Nature"
	list := []endpoint.Endpoint{
		s.context(), s.contextPost(),
		under(noticeGemeinden, "Registers", registers[0]), under(noticeGemeinden, "Registers", overlays.GADM()), s.lookup(),
		under(noticeAddresses, "Registers", registers[1]), s.kgs(),
		under(noticePrices, prices, pricePoint()), under(noticePrices, prices, pricePredict()),
	}
	for _, e := range priceLevels() {
		list = append(list, under(noticePrices, prices, e))
	}
	return slices.Concat(list, []endpoint.Endpoint{
		under(noticeNatura, nature, overlays.NaturaPoint()), under(noticeNatura, nature, naturaSite()),
		under(noticeNatura, nature, overlays.NaturaSearch()),
		under(noticeProtected, nature, overlays.ProtectedArea()),
		under(noticeOSM, "Map", osmPoint()), under(noticeOSM, "Map", osmGeometry()), under(noticeOSM, "Map", osmStats()),
		under(noticeToponyms, "Names", toponymsNear()), under(noticeToponyms, "Names", toponymsSearch()),
		under(noticeToponyms, "Names", toponymByID()),
		under(noticeToponyms, "Names", toponymsOfKG()), under(noticeToponyms, "Names", toponymsStats()),
		under(noticeLegal, "Laws", legalOfKG()), under(noticeLegal, "Laws", legalSearch()), under(noticeLegal, "Laws", legalStats()),
	})
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	return &endpoint.Service{
		System: "context", Title: "Place context: places", Version: d.Version, BaseURL: d.BaseURL,
		Description: "What surrounds a coordinate in Austria: municipality, land price, protected areas, laws, and the registers.",
		Endpoints:   Endpoints(d), Notice: core.RegisterNotice,
		Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Explain: generation.Fault, Now: d.Now, Log: d.Log,
	}
}

// licence is meta.license.
type licence struct {
	License     string `json:"license"`
	LicenseURL  string `json:"license_url"`
	Attribution string `json:"attribution"`
	Dataset     string `json:"dataset"`
	Modified    bool   `json:"modified"`
}

// licenceMeta is the shape of the meta that every answer has.
type licenceMeta struct {
	QueryTimeMs float64 `json:"query_time_ms"`
	License     licence `json:"license"`
}

// data is an answer {data: body, meta}.
func data(body any) *reply.Stream {
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", body)
		return j.Err()
	}}
}
