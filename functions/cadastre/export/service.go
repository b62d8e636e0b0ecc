package export

import (
	"mappe/functions/core"
	"mappe/shared/cloud/jobs"
	"mappe/shared/web/endpoint"
)

const tag = "Export"

// Deps are what the endpoints stand on.
type Deps struct {
	core.Deps
	// Writers bounds the files that are written at once, temporary files of at most some 200 MB
	// and some 400 MB; default 2. Further requests wait.
	Writers int
	// Queue takes the jobs (Orders, Works.NewQueue); nil: what is too large for one answer is refused.
	Queue *jobs.Queue
}

// New is the family as a service of its own.
func New(d Deps) *endpoint.Service {
	d.Deps = d.WithDefaults()
	if d.Writers < 1 {
		d.Writers = 2
	}
	turn := make(writers, d.Writers)
	return d.Service("exports", "Whole KGs, municipalities, districts, states and postal codes as GeoJSON, GeoPackage, FlatGeobuf, shapefiles, DXF, KML, CSV and XLSX.",
		[]endpoint.Endpoint{d.geoJSON(), d.geoPackage(turn), d.flatGeobuf(turn), d.fileForm(turn, shapefiles), d.fileForm(turn, drawings),
			d.fileForm(turn, places), d.fileForm(turn, commaTables), d.fileForm(turn, workbooks), d.size(), d.jobStatus(), d.jobCancel()})
}
