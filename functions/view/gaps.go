package view

import (
	"net/http"
	"slices"

	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// GapsDoc is what the description of every endpoint says of KGs that it cannot read.
const GapsDoc = `
A KG whose snapshot is not at hand is left out of the rows. meta.kgs_warming lists those that are being loaded: the identical
request is complete a few seconds later. meta.kgs_unavailable lists those that nothing loads here, or that could not be built when somebody
asked: repeating the request does not help. Where either has an entry meta.ready is false, the header X-Data-Ready: false says so in every form, and the answer is not to
be cached. meta.total counts the rows of a KG that lies whole in the area even while they cannot be read, so that it and the pages do
not change with what is loaded.`

// ReadyHeader says, in forms that have no room for meta too, that an answer is partial. Complete answers
// do not carry it.
const ReadyHeader = "X-Data-Ready"

// ReadyHeaders describe ReadyHeader.
var ReadyHeaders = []endpoint.Header{{Name: ReadyHeader, Doc: "false where KGs that cannot be read are missing from the answer; absent where none is."}}

// The shapes of what answers say of KGs that are missing, for the description of the service.
type (
	GapsMeta struct {
		Ready       bool     `json:"ready"`
		Warming     []string `json:"kgs_warming"`
		Unavailable []string `json:"kgs_unavailable"`
		VersionMeta
	}
	// VersionMeta is what version= adds.
	VersionMeta struct {
		Version        string   `json:"version,omitempty"`
		WithoutVersion []string `json:"kgs_without_version,omitempty"`
	}
	// ReadyMember is what Gaps.MarkBeside adds.
	ReadyMember struct {
		Ready bool `json:"ready"`
	}
)

// Codes is a set of KG codes.
type Codes map[austria.KGCode]bool

func (c *Codes) add(code austria.KGCode) {
	if *c == nil {
		*c = Codes{}
	}
	(*c)[code] = true
}

// List gives them in rising order; never nil, so that JSON shows an array.
func (c Codes) List() []austria.KGCode {
	list := make([]austria.KGCode, 0, len(c))
	for k := range c {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// Gaps are the KGs that an answer could not read, and why. The zero value has none.
type Gaps struct {
	warming     Codes // being loaded
	unavailable Codes // nothing loads them, their last build failed, or their object is damaged
	unversioned Codes // no snapshot on or before the date of version=
}

// Warming are the KGs that are being loaded.
func (g *Gaps) Warming() Codes { return g.warming }

// Unavailable are the KGs that nothing loads.
func (g *Gaps) Unavailable() Codes { return g.unavailable }

// Ready says that nothing which exists is missing. A KG that has no snapshot of a date misses nothing.
func (g *Gaps) Ready() bool { return len(g.warming)+len(g.unavailable) == 0 }

// Has says whether a KG that exists is missing.
func (g *Gaps) Has(code austria.KGCode) bool { return g.warming[code] || g.unavailable[code] }

// Merge adds the gaps of another part of the answer.
func (g *Gaps) Merge(other Gaps) {
	for to, from := range map[*Codes]Codes{&g.warming: other.warming, &g.unavailable: other.unavailable, &g.unversioned: other.unversioned} {
		for code := range from {
			to.add(code)
		}
	}
}

// allReady is the meta of an answer that no KG is missing from: of nearly every one.
var allReady = []reply.Member{{Name: "ready", Value: format.Bool(true)}, {Name: "kgs_warming", Value: format.RawJSON("[]")}, {Name: "kgs_unavailable", Value: format.RawJSON("[]")}}

// Meta are the members that say what is missing: GapsMeta.
func (g *Gaps) Meta() []reply.Member {
	meta := allReady
	if !g.Ready() {
		meta = []reply.Member{{Name: "ready", Value: false}, {Name: "kgs_warming", Value: g.warming.List()}, {Name: "kgs_unavailable", Value: g.unavailable.List()}}
	}
	return append(slices.Clip(meta), g.VersionMeta()...)
}

// VersionMeta is the member that lists the KGs without a snapshot of the date; nil where there is none.
func (g *Gaps) VersionMeta() []reply.Member {
	if len(g.unversioned) == 0 {
		return nil
	}
	return []reply.Member{{Name: "kgs_without_version", Value: g.unversioned.List()}}
}

// Header keeps a partial answer out of caches: a later identical request answers more.
func (g *Gaps) Header() http.Header {
	if g.Ready() {
		return nil
	}
	return http.Header{"Cache-Control": {"no-store"}, "Etag": nil, ReadyHeader: {"false"}}
}

// Mark says in an answer what is missing from it.
func (g *Gaps) Mark(r *reply.Rows) *reply.Rows {
	r.Meta = append(r.Meta, g.Meta()...)
	r.Header = g.Header()
	return r
}

// MarkBeside is Mark with the ready flag beside data too, where map clients look for it.
func (g *Gaps) MarkBeside(r *reply.Rows) *reply.Rows {
	r.Members = append(r.Members, reply.Member{Name: "ready", Value: g.Ready()})
	return g.Mark(r)
}

// MarkStream is Mark for an answer of the endpoint's own shape.
func (g *Gaps) MarkStream(r *reply.Stream) *reply.Stream {
	r.Meta = append(r.Meta, g.Meta()...)
	r.Header = g.Header()
	return r
}
