package spatial

import (
	"net/http"
	"slices"

	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// gapsDoc is what every endpoint says of KGs that it cannot read.
const gapsDoc = `
A KG whose snapshot is not at hand is left out of the rows. meta.kgs_warming lists those that are being loaded: the identical
request is complete a few seconds later. meta.kgs_unavailable lists those that nothing loads here: repeating the request does not
help. Where either has an entry meta.ready is false, the header X-Data-Ready: false says so in every form, and the answer is not to
be cached. meta.total counts the rows of a KG that lies whole in the area even while they cannot be read, so that it and the pages do
not change with what is loaded.`

// readyHeader says, in forms that have no room for meta too, that an answer is partial. Complete answers
// do not carry it.
const readyHeader = "X-Data-Ready"

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
	readyMember struct {
		Ready bool `json:"ready"`
	}
	// StreamMeta is what the meta of an answer that is no envelope holds beside.
	StreamMeta struct {
		QueryTimeMs float64 `json:"query_time_ms"`
		License     string  `json:"license"`
	}
)

var readyHeaders = []endpoint.Header{{Name: readyHeader, Doc: "false where KGs that cannot be read are missing from the answer; absent where none is."}}

// codeSet gathers KG codes, each once.
type codeSet map[austria.KGCode]bool

func (c *codeSet) add(code austria.KGCode) {
	if *c == nil {
		*c = codeSet{}
	}
	(*c)[code] = true
}

// list gives them in rising order; never nil, so that JSON shows an array.
func (c codeSet) list() []austria.KGCode {
	list := make([]austria.KGCode, 0, len(c))
	for k := range c {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// gaps are the KGs that an answer could not read, and why.
type gaps struct {
	warming     codeSet // being loaded
	unavailable codeSet // nothing loads them, or their object is damaged
	unversioned codeSet // no snapshot on or before the date of version=
}

// ready says that nothing which exists is missing. A KG that has no snapshot of a date misses nothing.
func (g *gaps) ready() bool { return len(g.warming)+len(g.unavailable) == 0 }

// has says whether a KG that exists is missing.
func (g *gaps) has(code austria.KGCode) bool { return g.warming[code] || g.unavailable[code] }

func (g *gaps) merge(other gaps) {
	for to, from := range map[*codeSet]codeSet{&g.warming: other.warming, &g.unavailable: other.unavailable, &g.unversioned: other.unversioned} {
		for code := range from {
			to.add(code)
		}
	}
}

// allReady is the meta of an answer that no KG is missing from: of nearly every one.
var allReady = []reply.Member{{Name: "ready", Value: format.Bool(true)}, {Name: "kgs_warming", Value: format.RawJSON("[]")}, {Name: "kgs_unavailable", Value: format.RawJSON("[]")}}

func (g *gaps) meta() []reply.Member {
	meta := allReady
	if !g.ready() {
		meta = []reply.Member{{Name: "ready", Value: false}, {Name: "kgs_warming", Value: g.warming.list()}, {Name: "kgs_unavailable", Value: g.unavailable.list()}}
	}
	return append(slices.Clip(meta), g.unversionedMeta()...)
}

func (g *gaps) unversionedMeta() []reply.Member {
	if len(g.unversioned) == 0 {
		return nil
	}
	return []reply.Member{{Name: "kgs_without_version", Value: g.unversioned.list()}}
}

// header keeps a partial answer out of caches: a later identical request answers more.
func (g *gaps) header() http.Header {
	if g.ready() {
		return nil
	}
	return http.Header{"Cache-Control": {"no-store"}, "Etag": nil, readyHeader: {"false"}}
}

func (g *gaps) mark(r *reply.Rows) *reply.Rows {
	r.Meta = append(r.Meta, g.meta()...)
	r.Header = g.header()
	return r
}

func (g *gaps) markStream(r *reply.Stream) *reply.Stream {
	r.Meta = append(r.Meta, g.meta()...)
	r.Header = g.header()
	return r
}
