package versions

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/lineage"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

var missingKGs = endpoint.Bool("missing", "true lists, in place of the totals, every KG that cannot be read at present, with the reason.",
	endpoint.Default("false"))

// missingKG is a KG that cannot be read.
type missingKG struct {
	KGCode string `json:"kg_code"`
	KGName string `json:"kg_name"`
	Reason string `json:"reason" enum:"unbuilt,cold,evicted,lost,damaged"`
	Coming bool   `json:"coming" doc:"Whether it is loaded when a request asks for it."`
}

// missingBody is the answer with missing=true.
type missingBody struct {
	Total   int          `json:"total"`
	Missing []missingKG  `json:"missing"`
	Meta    versionsMeta `json:"meta"`
}

var oneKG = params.KG("kg", "Only this KG; without it the whole country is summed up")

// countryTotals are the country's.
type countryTotals struct {
	KGs         int     `json:"kg_count"`
	With        int     `json:"kgs_with_snapshot"`
	Without     int     `json:"kgs_without_snapshot"`
	Parcels     int     `json:"parcel_count"`
	OldestServe *string `json:"oldest_snapshot"` // date of the oldest snapshot that is served; null without any
	NewestServe *string `json:"newest_snapshot"`
}

// generationCensus counts the KGs of an ingest generation.
type generationCensus struct {
	Generation rowschema.EpochID   `json:"ingest_generation"`
	Assembly   string              `json:"assembly_version"`
	KGs        int                 `json:"kg_count"`
	Parcels    int                 `json:"parcel_count"`
	Fixes      []rowschema.EpochID `json:"ingest_fixes"`
	Missing    []rowschema.EpochID `json:"ingest_fixes_missing"`
}

// datedSnapshot is one dated snapshot.
type datedSnapshot struct {
	Date              string  `json:"date"`
	Filename          string  `json:"filename"`
	Size              int64   `json:"size"`
	MD5               *string `json:"md5"` // null for a baseline: no list was kept
	SHA256            string  `json:"sha256"`
	ParcelCount       int     `json:"parcel_count"`
	ProcessingVersion string  `json:"processing_version"`
	IsLatest          bool    `json:"is_latest"`
	Source            string  `json:"source,omitempty"`
	// of a snapshot that was imported from an earlier epoch
	IngestGeneration   rowschema.EpochID   `json:"ingest_generation,omitempty"`
	IngestFixesMissing []rowschema.EpochID `json:"ingest_fixes_missing,omitempty"`
	URL                string              `json:"url"`
}

// The shapes of both answers, for the description of the service.
type (
	epochsBody struct {
		Totals      countryTotals      `json:"totals"`
		Epochs      []rowschema.Epoch  `json:"ingest_epochs"`
		Generations []generationCensus `json:"ingest_generations"`
		Meta        reply.CommonMeta   `json:"meta"`
	}
	versionsBody struct {
		KGCode  string              `json:"kg_code"`
		KGName  string              `json:"kg_name"`
		Latest  *string             `json:"latest"`
		Dates   []string            `json:"dates"`
		List    []datedSnapshot     `json:"snapshots"`
		Assem   string              `json:"assembly_version"`
		Ingest  rowschema.EpochID   `json:"ingest_generation"`
		Redone  *string             `json:"reprocessed_at"`
		Fixes   []rowschema.EpochID `json:"ingest_fixes"`
		Missing []rowschema.EpochID `json:"ingest_fixes_missing"`
		Meta    versionsMeta        `json:"meta"`
	}
	versionsMeta struct {
		reply.CommonMeta
		view.GapsMeta
	}
)

func kgVersions() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg_versions", ID: "kg_versions", Tag: tag,
		Summary: "Dated snapshots of a KG, or the epochs and generations of the country",
		Doc: `With kg: dates and snapshots, newest first, each with filename, size, md5, sha256, parcel_count, processing_version,
is_latest (the one that is served) and the url of its file; and the stamp of the served one: assembly_version, ingest_generation,
ingest_fixes and ingest_fixes_missing. A KG that was stored before snapshots were dated has one entry with source
zenodo_manifest_alias. version=DATE of the endpoints that read parcels gives the newest snapshot on or before the date.

Without kg: totals, ingest_epochs (the catalogue, oldest first) and ingest_generations (how many KGs are of which, the newest
generation first). A KG without a snapshot is in the totals only.

With missing=true: the KGs that cannot be read, by code, each with its reason: unbuilt (no snapshot, and nothing builds one here), cold (no
snapshot here; it is loaded when a request asks for it), evicted (its snapshot is in the archive, and is brought back on request), lost (its
snapshot is gone, and nothing brings it back), damaged. Lost and damaged files are known once they were read.` + view.MissingDoc,
		Params: []endpoint.AnyParam{oneKG, missingKGs},
		Answer: endpoint.Answer{Body: versionsBody{}, Headers: view.ReadyHeaders,
			Others: []endpoint.Other{{Status: 200, Doc: "Without kg.", Body: epochsBody{}},
				{Status: 200, Doc: "With missing=true.", Body: missingBody{}}}},
		Example: "/api/v1/kg_versions?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			if missingKGs.Of(r) {
				return missingOf(ctx, v, r)
			}
			if oneKG.Given(r) {
				return versionsOf(ctx, v, oneKG.Of(r))
			}
			return country(v.Register()), nil
		},
	}
}

// country is the answer without kg.
func country(reg *register.Register) reply.Answer {
	t := countryTotals{KGs: len(reg.KGs())}
	by := map[[2]string]*generationCensus{}
	for _, k := range reg.KGs() {
		if k.Snapshot.Key == "" {
			t.Without++
			continue
		}
		t.With++
		t.Parcels += k.ParcelCount
		date := k.Snapshot.Date
		if t.OldestServe == nil || date < *t.OldestServe {
			t.OldestServe = &date
		}
		if t.NewestServe == nil || date > *t.NewestServe {
			t.NewestServe = &date
		}
		key := [2]string{k.Assembly, k.Ingest}
		if by[key] == nil {
			st := lineage.StampOf(k.Assembly, k.Ingest)
			by[key] = &generationCensus{Generation: st.IngestGeneration, Assembly: st.AssemblyVersion, Fixes: st.IngestFixes,
				Missing: st.IngestFixesMissing}
		}
		by[key].KGs++
		by[key].Parcels += k.ParcelCount
	}
	list := make([]generationCensus, 0, len(by))
	for _, c := range by {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b generationCensus) int {
		return cmp.Or(cmp.Compare(len(a.Missing), len(b.Missing)), cmp.Compare(a.Generation, b.Generation),
			cmp.Compare(a.Assembly, b.Assembly))
	})
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("totals", t)
		j.Member("ingest_epochs", rowschema.AllEpochs())
		j.Member("ingest_generations", list)
		return j.Err()
	}}
}

// missingOf lists the KGs that cannot be read; no answer is kept: what can be read changes without a publication.
func missingOf(ctx context.Context, v *view.View, r *endpoint.Request) (reply.Answer, error) {
	if oneKG.Given(r) {
		return nil, missingKGs.Clash(r, "no missing=true together with kg")
	}
	absent, err := v.Absent(ctx)
	if err != nil {
		return nil, err
	}
	b := missingBody{Total: len(absent), Missing: make([]missingKG, len(absent))}
	for i, a := range absent {
		b.Missing[i] = missingKG{string(a.Code), v.Register().KG(a.Code).Name, a.Why.String(), a.Why.Coming()}
	}
	return &reply.Stream{Header: http.Header{"Cache-Control": {"no-store"}, "Etag": nil},
		Write: func(j *format.JSON, _ *format.Layout) error {
			j.Member("total", b.Total)
			j.Member("missing", b.Missing)
			return j.Err()
		}}, nil
}

// versionsOf is the answer of a KG.
func versionsOf(ctx context.Context, v *view.View, code austria.KGCode) (reply.Answer, error) {
	k, err := view.Known(v.View, code)
	if err != nil {
		return nil, err
	}
	list, err := lineage.Snapshots(ctx, v, k)
	if err != nil {
		return nil, err
	}
	var gaps view.Missing
	if len(list.Snapshots) == 0 { // asks for the KG, and says that it is missing
		if _, err := v.Read(ctx, code, &gaps); err != nil {
			return nil, err
		}
	}
	b := versionsBody{KGCode: string(code), KGName: list.KGName, Dates: []string{}, List: []datedSnapshot{},
		Assem:  list.Stamp.AssemblyVersion,
		Ingest: list.Stamp.IngestGeneration, Fixes: list.Stamp.IngestFixes, Missing: list.Stamp.IngestFixesMissing}
	if list.Latest != "" {
		at := list.Latest + "T00:00:00Z"
		b.Latest, b.Redone = &list.Latest, &at
	}
	for _, s := range lineage.Dated(list) {
		b.Dates = append(b.Dates, s.Date)
	}
	for _, s := range list.Snapshots {
		b.List = append(b.List, shown(s))
	}
	return gaps.MarkStream(&reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("kg_code", b.KGCode)
		j.Member("kg_name", b.KGName)
		j.Member("latest", b.Latest)
		j.Member("dates", b.Dates)
		j.Member("snapshots", b.List)
		j.Member("assembly_version", b.Assem)
		j.Member("ingest_generation", b.Ingest)
		j.Member("reprocessed_at", b.Redone)
		j.Member("ingest_fixes", b.Fixes)
		j.Member("ingest_fixes_missing", b.Missing)
		return j.Err()
	}}), nil
}

// shown is a snapshot as answers show it.
func shown(s rowschema.Version) datedSnapshot {
	b := datedSnapshot{Date: s.Date, Filename: s.Filename, Size: s.Size, SHA256: s.SHA256, ParcelCount: s.ParcelCount,
		ProcessingVersion: s.ProcessingVersion, IsLatest: s.Latest, Source: s.Source, URL: "/artefacts/" + s.Key}
	if b.IngestGeneration = s.IngestGeneration; s.IngestGeneration != "" {
		_, b.IngestFixesMissing = s.IngestGeneration.Fixes()
	}
	if s.MD5 != "" {
		b.MD5 = &s.MD5
	}
	return b
}
