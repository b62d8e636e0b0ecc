// Package cells serves the land statistics of hexagonal cells (artefacts/ne): the containers of KGs as they are stored,
// chunks and single cells made of them, the list of what there is, and what changed. It owns the endpoints below
// /api/v1/ne, which functions/context/cells serves, and what other families read of cells: Block, LandUse, Header. It opens
// no store and computes no statistic: builders/ne does.
//
//	GET  /ne                pin of the layout, endpoints, counts, dictionaries
//	GET  /ne/manifest       the KGs with their digests, whole or those changed since a publication
//	GET  /ne/{kg}           the container of a KG, also a part of it; /head: its header
//	GET  /ne/dict/{id}      the dictionary that frames are packed with
//	GET  /ne/chunk/{h3}     the rows below a cell of resolution 9
//	GET  /ne/cell/{h3}      one cell
//	GET  /ne/cells          cells by ids, around a point, in a box; POST: by more ids
//	GET  /ne/stats          sums of what changed
//
// A cell on a border stands in the container of every KG that it touches, with equal bytes but for kg_share. Answers made
// of several containers hold it once, with the largest share. A KG that has no container is in pending_kgs wherever it
// may touch what was asked for; such an answer is partial and is not kept in caches.
//
// JSON carries the numbers of the rows as they are (shares in 255ths, units_per_reg in tenths, orient_axis in steps of
// 2°), null where a row has no value. Cell ids are hexadecimal texts.
package cells

import (
	"log/slog"
	"time"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
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
}

// Notice is the licence of the statistics. Whom to name is a property of the data: the generation says it.
var Notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/",
	Dataset: "Land statistics of hexagonal cells"}

const tag = "Cells"

// New is the service of the endpoints.
func New(d Deps) *endpoint.Service {
	if d.Now == nil {
		d.Now = time.Now
	}
	return &endpoint.Service{
		System: "context", Title: "Cells", Version: d.Version, BaseURL: d.BaseURL,
		Description: "Land statistics of hexagonal cells: containers to mirror, chunks and cells to read, and what changed.",
		Endpoints: []endpoint.Endpoint{
			overview(), manifestOf(d.Now), dict(), chunk(), cell(), cellsGet(), cellsPost(), statsOf(),
			container(), head(), // behind those whose first step is a word
		},
		Notice: Notice, Pin: generation.Pin(d.Library), Repin: generation.Repin(d.Library), Explain: generation.Fault,
		Now: d.Now, Log: d.Log,
	}
}

// envelope is the meta that JSON answers have.
type envelope struct {
	QueryTimeMs float64 `json:"query_time_ms"`
	License     struct {
		License     string `json:"license"`
		LicenseURL  string `json:"license_url"`
		Attribution string `json:"attribution"`
		Dataset     string `json:"dataset"`
		Modified    bool   `json:"modified"`
	} `json:"license"`
}

// answer is the shape of an answer {data, meta}.
type answer[T any] struct {
	Data T        `json:"data"`
	Meta envelope `json:"meta"`
}

// data is an answer {data: body, meta}.
func data(body any) *reply.Stream {
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", body)
		return j.Err()
	}}
}
