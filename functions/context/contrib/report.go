package contrib

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"mappe/artefacts/ne"
	"mappe/functions/context/contrib/observers"
	"mappe/functions/core/cells"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

const (
	maxChunks = 10_000 // of one report: more than 1,000 km²
	maxBody   = 1 << 20
	hexDigits = 16 // of digests and generations
)

var kgCode = params.KG("kg", "The KG")

// reportBody is what an observer sends.
type reportBody struct {
	Observer string        `json:"observer" doc:"the one that the token was made for"`
	Layer    string        `json:"layer" doc:"lu, bev or obs"`
	Baseline string        `json:"baseline" doc:"generation of the container that was compared with"`
	Chunks   []reportChunk `json:"chunks" doc:"at most 10,000"`

	layer ne.Layer
	seen  observers.Seen
}

type reportChunk struct {
	H3     string `json:"h3" doc:"cell of resolution 9"`
	Digest string `json:"digest" doc:"first 16 hexadecimal digits of the SHA-256 of its rows"`
}

func isDigest(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(text) == hexDigits && hex.EncodeToString(b) == text
}

// Check reads the report.
func (b *reportBody) Check() error {
	if err := observers.CheckObserver(b.Observer); err != nil {
		return fault.BadValue("observer", b.Observer, err.Error())
	}
	var err error
	if b.layer, err = ne.ParseLayer(b.Layer); err != nil {
		return fault.BadValue("layer", b.Layer, "lu, bev or obs")
	}
	if !isDigest(b.Baseline) {
		return fault.BadValue("baseline", b.Baseline, "the generation of a container, 16 hexadecimal digits, lower case")
	}
	if n := len(b.Chunks); n == 0 || n > maxChunks {
		code := fault.TooLarge
		if n == 0 {
			code = fault.Missing
		}
		return fault.Of(code, "chunks", strconv.Itoa(n)+" chunks", "1 to "+strconv.Itoa(maxChunks)+" chunks")
	}
	b.seen = make(observers.Seen, len(b.Chunks))
	for i, c := range b.Chunks {
		at := "chunks[" + strconv.Itoa(i) + "]."
		cell, err := hexgrid.Parse(c.H3)
		if err != nil || cell.Resolution() != ne.ChunkRes {
			return fault.BadValue(at+"h3", c.H3, "an H3 cell of resolution 9")
		}
		if !isDigest(c.Digest) {
			return fault.BadValue(at+"digest", c.Digest, "16 hexadecimal digits, lower case")
		}
		if known, twice := b.seen[cell]; twice && known != c.Digest {
			return fault.BadValue(at+"h3", c.H3, "each chunk with one digest")
		}
		b.seen[cell] = c.Digest
	}
	return nil
}

var report = endpoint.Body[reportBody](`{"observer", "layer", "baseline", "chunks": [{"h3", "digest"}]}`, maxBody)

// changedChunk is a chunk that the observer sees otherwise than the baseline.
type changedChunk struct {
	H3        hexgrid.Cell `json:"h3"`
	Digest    string       `json:"digest"`    // reported
	Published *string      `json:"published"` // null: the container has no rows there
	Status    ne.Status    `json:"status"`    // confirmed: another observer has reported the same digest
}

type reportAnswer struct {
	Data struct {
		KG       austria.KGCode `json:"kg_code"`
		Layer    ne.Layer       `json:"layer"`
		Baseline string         `json:"baseline"`
		Compared int            `json:"compared"`
		Changed  []changedChunk `json:"changed"`
	} `json:"data"`
}

// reportShape is its shape, for the description of the service.
type reportShape struct {
	Data struct {
		KG       string `json:"kg_code"`
		Layer    string `json:"layer"`
		Baseline string `json:"baseline"`
		Compared int    `json:"compared"`
		Changed  []struct {
			H3        string  `json:"h3"`
			Digest    string  `json:"digest"`
			Published *string `json:"published"`
			Status    string  `json:"status"`
		} `json:"changed"`
	} `json:"data"`
}

func (s *service) report() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/contrib/api/v1/ne/{kg}/report", ID: "ne_report", Tag: "Cells",
		Summary: "Report the digests that an observer sees",
		Doc: `Needs Authorization: Bearer TOKEN, a contributor token of the observer; POST /feedback with category token asks for one.
baseline is the generation of the container that the observer compares with (/ne/{kg}/head); another one than the published is 409.
The answer lists the chunks whose digest is not that of the baseline, by cell: candidate when this observer alone sees so, confirmed
when another has reported the same digest. Sightings are kept for 180 days; a report may be sent again, and a chunk that is reported
as the baseline has it is no sighting any more.`,
		Params: []endpoint.AnyParam{kgCode}, Body: report, Gate: s.bearers,
		Answer: endpoint.Answer{Body: reportShape{}, Others: []endpoint.Other{
			{Status: http.StatusUnauthorized, Doc: "No token, or one that is unknown, revoked or expired.", Body: fault.Schema()},
			{Status: http.StatusForbidden, Doc: "The token is another observer's.", Body: fault.Schema()},
			{Status: http.StatusNotFound, Doc: "The KG is not there, or its cells are not built yet.", Body: fault.Schema()},
			{Status: http.StatusConflict, Doc: "The container has another generation than baseline; the answer names it.",
				Body: fault.Schema()},
		}},
		Example:     "/contrib/api/v1/ne/99101/report",
		ExampleBody: `{"observer":"example","layer":"lu","baseline":"0123456789abcdef","chunks":[{"h3":"891e1692d77ffff","digest":"0123456789abcdef"}]}`,
		Serve:       s.serveReport,
	}
}

func (s *service) serveReport(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	t, ok := ctx.Value(tokenKey{}).(observers.Token)
	if !ok {
		return nil, errors.New("a request came past the gate")
	}
	b := report.Of(r)
	if b.Observer != t.Observer {
		return nil, fault.New(fault.Forbidden, "the token is not that of the observer %s", b.Observer)
	}
	head, err := cells.Header(ctx, kgCode.Of(r))
	if err != nil {
		return nil, err
	}
	if head.Generation != b.Baseline {
		f := fault.New(fault.Exists, "the container of KG %s has the generation %s, not %s: compare with the published one", head.KG,
			head.Generation, b.Baseline)
		f.Members = map[string]any{"generation": head.Generation}
		return nil, f
	}
	a := reportAnswer{}
	a.Data.KG, a.Data.Layer, a.Data.Baseline, a.Data.Compared, a.Data.Changed = head.KG, b.layer, b.Baseline, len(b.seen), []changedChunk{}
	changed, same := observers.Seen{}, []hexgrid.Cell{}
	section := head.Section(b.layer)
	for c, digest := range b.seen {
		var published *string
		if section != nil {
			if i, ok := section.Find(c); ok {
				published = &section.Chunks[i].Digest
			}
		}
		if published != nil && *published == digest {
			same = append(same, c)
			continue
		}
		changed[c] = digest
		a.Data.Changed = append(a.Data.Changed, changedChunk{c, digest, published, ne.Candidate})
	}
	slices.SortFunc(a.Data.Changed, func(x, y changedChunk) int { return cmp.Compare(x.H3, y.H3) })
	seen := sightings{observers.Subject{KG: head.KG, Layer: b.layer, Baseline: b.Baseline}, t.Observer, changed, same}
	if err := s.confirm(ctx, &seen, a.Data.Changed); err != nil {
		return nil, err
	}
	return &reply.Document{Body: a}, nil
}

// sightings are what an observer has seen of a layer: chunks that are otherwise than the baseline, and those that are the same.
type sightings struct {
	subject  observers.Subject
	observer string
	changed  observers.Seen
	same     []hexgrid.Cell
}

// confirm notes the sightings, then looks who else has seen the same: of two observers at once at least the later one
// finds the other's.
func (s *service) confirm(ctx context.Context, seen *sightings, list []changedChunk) error {
	err := s.records.Note(ctx, seen.subject, seen.observer, seen.changed, seen.same)
	if errors.Is(err, observers.ErrTooMany) {
		return fault.New(fault.TooLarge,
			"the observer sees more than %d chunks of the layer otherwise than the baseline: that many are not kept", observers.MaxSeen)
	}
	if err != nil {
		return unavailable(err)
	}
	if len(list) == 0 {
		return nil
	}
	others, err := s.records.Others(ctx, seen.subject, seen.observer)
	if err != nil {
		return unavailable(err)
	}
	for i := range list {
		if others[list[i].H3][list[i].Digest] {
			list[i].Status = ne.Confirmed
		}
	}
	return nil
}
