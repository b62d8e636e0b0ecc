// Package index answers from the search index of the landscape (artefacts/landscape): which KGs have what, and the objects on a
// KG. It reads the index of the country, which is held, and sections of the files of KGs; what stands in them builders/landscape
// made. A country without an index is answered with what the register knows: no KG of it was processed.
package index

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/tasks"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// Deps are what the endpoints stand on. Library is required.
type Deps struct {
	Library *library.Library
	BaseURL string           // what stands before the paths in the outside world
	Version string           // of the software
	Now     func() time.Time // default time.Now
	Log     *slog.Logger     // default: silent
	Tasks   *tasks.Desk      // takes what is asked in the background; nil: nothing is
}

const tag = "Search over all KGs"

var notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/",
	Dataset: "Analysed landscape by KG"}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	s := &service{desk: d.Tasks, task: task(d), now: d.Now}
	if s.now == nil {
		s.now = time.Now
	}
	return &endpoint.Service{
		System: "landscape", Title: "Landscape: search over all KGs", Version: d.Version, BaseURL: d.BaseURL,
		Description: "What was found on each KG of the country: an index of all, and the objects of one.",
		Endpoints: []endpoint.Endpoint{s.status(), s.query(), s.progress(), s.compound("GET"), s.compound("POST"), s.kg(), s.buildings(),
			s.newBuildings(), s.infrastructure(),
			s.segments(), s.layers(), s.heightfield(), s.profile(), s.parcel(), s.detail(), s.search(), s.parcels(), s.habitat(),
			s.batch("GET"), s.batch("POST"), s.landscape(), s.nature()},
		Notice: notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Explain: generation.Fault,
		Now: d.Now, Log: d.Log,
	}
}

// service is what requests share.
type service struct {
	tallies tallies
	held    held
	desk    *tasks.Desk
	task    *tasks.Task[question]
	now     func() time.Time
}
