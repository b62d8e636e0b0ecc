package cells

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// kgStatus is how far the cells of a KG are.
type kgStatus string

const (
	statusBuilt   kgStatus = "built"
	statusPartial kgStatus = "partial" // built, cells at the border of pending_kgs carry what is known
	statusUnbuilt kgStatus = "unbuilt"
	statusGone    kgStatus = "gone" // the KG is no more
)

// manifestFields is the closed set of fields=.
type manifestFields string

var (
	fieldsOf = endpoint.Enum("fields", "digests: of the KGs that are built only what tells whether they changed.",
		[]manifestFields{"digests"})
	since = endpoint.Parsed("since",
		"generated_at of your last answer: only KGs that changed since. A date that is older than retention_s, or none of a publication, gives everything.", parseSince, endpoint.Example("2026-11-01T04:00:00.000Z"))
)

// parseSince reads a date and gives it as publications are dated.
func parseSince(text string) (string, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "", errors.New("generated_at of an earlier answer, such as 2026-11-01T04:00:00.000Z")
	}
	return t.UTC().Format(manifest.TimeFormat), nil
}

// manifestRow is what the manifest says of a KG.
type manifestRow struct {
	Code       austria.KGCode   `json:"kg_code"`
	Status     kgStatus         `json:"status,omitempty"`
	Stichtag   string           `json:"stichtag,omitempty"`
	Generation string           `json:"generation,omitempty"` // of the container
	SHA256     string           `json:"sha256,omitempty"`     // of its bytes
	Bytes      int64            `json:"bytes,omitempty"`
	LU         *layerState      `json:"lu,omitempty"`
	Bev        *layerState      `json:"bev,omitempty"`
	Obs        *layerState      `json:"obs,omitempty"`
	Chg        *changeState     `json:"chg,omitempty"`
	Pending    []austria.KGCode `json:"pending_kgs,omitempty"`
}

// layerState is a layer of a KG; digest is the beginning of the SHA-256 of all its rows.
type layerState struct {
	Rows   int    `json:"rows,omitempty"`
	Digest string `json:"digest"`
}

// changeState is what is known of changes of a KG.
type changeState struct {
	Candidates int    `json:"candidate,omitempty"`
	Confirmed  int    `json:"confirmed,omitempty"`
	Digest     string `json:"digest"`
}

type manifestData struct {
	GeneratedAt *string        `json:"generated_at"` // of the publication; null where publications are not dated
	Generation  string         `json:"generation"`
	Retention   int            `json:"retention_s"`
	Delta       bool           `json:"delta"`
	Counts      overviewCounts `json:"counts"`
	Dict        string         `json:"dict"`
	KGs         []manifestRow  `json:"kgs"`
}

func manifestOf(now func() time.Time) endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/manifest", ID: "ne_manifest", Tag: tag,
		Summary: "Every KG with its status and digests, or those that changed",
		Doc: `kgs by code; status is built, partial (built, but pending_kgs are neighbours that are not, so that cells at their border
carry what is known), unbuilt, or gone. generation names what the container says, sha256 is that of its bytes, digest names the rows of a
layer, chg.digest what is known of changes. To follow the country, ask with since= the generated_at of your last answer: delta is true and kgs are those that
changed since; counts are of the country all the same. Publications are remembered for retention_s; a date that is older gives the
whole list and delta false. fields=digests leaves out what does not tell a change, and the KGs that are not built.`,
		Params:  []endpoint.AnyParam{fieldsOf, since},
		Answer:  endpoint.Answer{Body: answer[manifestData]{}},
		Example: "/api/v1/ne/manifest?fields=digests",
		Depends: func(ctx context.Context, r *endpoint.Request) (string, error) {
			s, err := sourceOf(ctx)
			if err != nil {
				return "", err
			}
			p := s.Pointer()
			return strings.Join([]string{s.list.key, p.Publications, p.PublishedAt, p.Generation}, " "), nil
		},
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s, err := sourceOf(ctx)
			if err != nil {
				return nil, err
			}
			if since.Given(r) && since.Of(r) > now().UTC().Format(manifest.TimeFormat) {
				return nil, since.Bad(r, "a date that is not in the future")
			}
			return s.manifest(ctx, since.Of(r), fieldsOf.Of(r) == "digests")
		},
	}
}

func (s *source) manifest(ctx context.Context, since string, digests bool) (reply.Answer, error) {
	p := s.Pointer()
	d := manifestData{
		GeneratedAt: published(p), Generation: p.Generation, Retention: int(manifest.Retention.Seconds()), Dict: s.list.Dict,
		Counts: overviewCounts{KGs: len(s.Register().KGs()), counts: s.list.counts},
	}
	d.Counts.Unbuilt = d.Counts.KGs - d.Counts.Built
	var codes []austria.KGCode
	if since != "" {
		log, err := s.log(ctx)
		if err != nil {
			return nil, err
		}
		codes, d.Delta = log.Since(since)
	}
	if !d.Delta {
		codes = s.every()
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Key("data")
		j.Object()
		j.Member("generated_at", d.GeneratedAt)
		j.Member("generation", d.Generation)
		j.Member("retention_s", d.Retention)
		j.Member("delta", d.Delta)
		j.Member("counts", d.Counts)
		j.Member("dict", d.Dict)
		j.Key("kgs")
		j.Array()
		for _, code := range codes {
			if row, ok := s.row(code, digests); ok {
				j.Any(row)
			}
		}
		j.EndArray()
		j.EndObject()
		return j.Err()
	}}, nil
}

// every lists the KGs of the register and of the list, by rising code.
func (s *source) every() []austria.KGCode {
	kgs := s.Register().KGs()
	codes := make([]austria.KGCode, 0, len(kgs)+len(s.list.KGs))
	for i := range kgs {
		codes = append(codes, kgs[i].Code)
	}
	for i := range s.list.KGs {
		codes = append(codes, s.list.KGs[i].Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// row is the row of a KG; false for one that is left out.
func (s *source) row(code austria.KGCode, digests bool) (manifestRow, bool) {
	k := s.list.Find(code)
	if k == nil {
		status := statusUnbuilt
		if s.Register().KG(code) == nil {
			status = statusGone
		}
		return manifestRow{Code: code, Status: status}, !digests || status == statusGone
	}
	row := manifestRow{Code: code, Generation: k.Generation, SHA256: k.SHA256, LU: &layerState{0, k.Digest}, Bev: &layerState{0, k.KDigest}}
	if k.ObsRows > 0 {
		row.Obs = &layerState{0, k.ObsDigest}
	}
	if k.Changes != "" {
		row.Chg = &changeState{Digest: changesDigest(k)}
	}
	if digests {
		return row, true
	}
	row.Status, row.Stichtag, row.Bytes, row.Pending = statusBuilt, k.Stichtag, k.Bytes, k.Pending
	if len(k.Pending) > 0 {
		row.Status = statusPartial
	}
	row.LU.Rows, row.Bev.Rows = k.Rows, k.KRows
	if row.Obs != nil {
		row.Obs.Rows = k.ObsRows
	}
	if row.Chg != nil {
		row.Chg.Candidates, row.Chg.Confirmed = k.Candidates, k.Confirmed
	}
	return row, true
}

// changesDigest names what is known of the changes of a KG: the sum in the key of their object.
func changesDigest(k *ne.IndexKG) string {
	key, err := keys.Parse(k.Changes)
	if c, ok := key.(keys.CellChanges); err == nil && ok {
		return c.Sum
	}
	return ""
}
