package view

import (
	"net/http"
	"slices"

	"mappe/artefacts/library"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// MissingDoc is what the description of every endpoint says of KGs that it cannot read.
const MissingDoc = `
A KG that cannot be read is left out of the rows, and the answer says so: meta.ready is false, the header X-Data-Ready: false says so in
every form, and the answer is not to be cached. meta.kgs_warming names those that are being loaded: the identical request is complete a few
seconds later; of many a request has the first 64 loaded, and goes on when it is repeated. meta.kgs_unavailable names those that nothing loads
here, that could not be built, or whose snapshot is lost or damaged: repeating does not help. Each names the first 20;
kgs_warming_count and kgs_unavailable_count are the numbers, missing_by_reason has them by reason, and GET /kg_versions?missing=true lists all.
A box, a point, a polygon, a code names only the KGs that it may reach into. meta.total counts the rows of a KG that lies whole in the
area even while they cannot be read, so that it and the pages do not change with what is loaded.`

// ReadyHeader says, in forms that have no room for meta too, that an answer is partial. Complete answers
// do not carry it.
const ReadyHeader = "X-Data-Ready"

// ReadyHeaders describe ReadyHeader.
var ReadyHeaders = []endpoint.Header{{Name: ReadyHeader,
	Doc: "false where KGs that cannot be read are missing from the answer; absent otherwise."}}

// The shapes of what answers say of KGs that are missing, for the description of the service.
type (
	GapsMeta struct {
		Ready            bool            `json:"ready"`
		Warming          []string        `json:"kgs_warming"`
		Unavailable      []string        `json:"kgs_unavailable"`
		WarmingCount     int             `json:"kgs_warming_count"`
		UnavailableCount int             `json:"kgs_unavailable_count"`
		Reasons          *MissingReasons `json:"missing_by_reason,omitempty" doc:"Where ready is false: how many KGs are missing for which reason."`
		All              string          `json:"missing_url,omitempty" doc:"Where a list is cut: the address that lists all KGs that cannot be read."`
		VersionMeta
	}
	// MissingReasons counts KGs by Absence.
	MissingReasons struct {
		Unbuilt int `json:"unbuilt,omitempty" doc:"No snapshot, and nothing builds one here."`
		Cold    int `json:"cold,omitempty" doc:"No snapshot here; it is loaded when a request asks for it."`
		Evicted int `json:"evicted,omitempty" doc:"The snapshot left the store, and is brought back when a request asks for it."`
		Lost    int `json:"lost,omitempty" doc:"The snapshot left the store, and nothing brings it back."`
		Damaged int `json:"damaged,omitempty" doc:"The snapshot cannot be read."`
	}
	// VersionMeta is what version= adds.
	VersionMeta struct {
		Version             string   `json:"version,omitempty"`
		WithoutVersion      []string `json:"kgs_without_version,omitempty" doc:"The first 20 KGs that have no snapshot on or before the date."`
		WithoutVersionCount int      `json:"kgs_without_version_count,omitempty"`
	}
	// ReadyMember is what Missing.MarkBeside adds.
	ReadyMember struct {
		Ready bool `json:"ready"`
	}
)

// Missing are the KGs that an answer could not read, and why. The zero value has none.
type Missing struct {
	why  map[austria.KGCode]Absence
	rest *library.Unbuilt // of an answer about the country or much of it: its KGs without a snapshot; none of them is in why
}

// Note notes a KG of which something else than its snapshot cannot be read: what was computed of it.
func (g *Missing) Note(code austria.KGCode, why Absence) { g.add(code, why) }

// add notes a KG. The first reason holds.
func (g *Missing) add(code austria.KGCode, why Absence) {
	if g.rest != nil {
		if _, ok := g.rest.Has(code); ok {
			return
		}
	}
	if g.why == nil {
		g.why = map[austria.KGCode]Absence{}
	}
	if _, ok := g.why[code]; !ok {
		g.why[code] = why
	}
}

// country notes a list of KGs without a snapshot. Of two lists the longer one is kept as it is.
func (g *Missing) country(u *library.Unbuilt) {
	if u.Len() == 0 || u == g.rest {
		return
	}
	if other := g.rest; other != nil {
		if g.rest = nil; other.Len() > u.Len() {
			other, u = u, other
		}
		for _, code := range other.Coming {
			g.add(code, Cold)
		}
		for _, code := range other.Staying {
			g.add(code, Unbuilt)
		}
	}
	for code := range g.why {
		if _, ok := u.Has(code); ok {
			delete(g.why, code)
		}
	}
	g.rest = u
}

// where are the KGs for which something holds, by rising code, with those of a list of the country.
func (g *Missing) where(is func(Absence) bool, rest func(*library.Unbuilt) []austria.KGCode) []austria.KGCode {
	if len(g.why) == 0 && g.rest != nil && rest != nil {
		if all := rest(g.rest); all != nil {
			return slices.Clip(all) // it is sorted
		}
	}
	list := []austria.KGCode{}
	for code, why := range g.why {
		if is(why) {
			list = append(list, code)
		}
	}
	if g.rest != nil && rest != nil {
		list = append(list, rest(g.rest)...)
	}
	slices.Sort(list)
	return list
}

// Warming are the KGs that are being loaded, by rising code; never nil, so that JSON shows an array.
func (g *Missing) Warming() []austria.KGCode {
	return g.where(Absence.Coming, func(u *library.Unbuilt) []austria.KGCode { return u.Coming })
}

// Unavailable are the KGs that exist and that nothing loads, by rising code; never nil.
func (g *Missing) Unavailable() []austria.KGCode {
	return g.where(func(a Absence) bool { return a.Exists() && !a.Coming() }, func(u *library.Unbuilt) []austria.KGCode {
		return u.Staying
	})
}

// unversioned are the KGs without a snapshot of the date.
func (g *Missing) unversioned() []austria.KGCode {
	return g.where(func(a Absence) bool { return a == Unversioned }, nil)
}

// Ready says that nothing which exists is missing. A KG that has no snapshot of a date misses nothing.
func (g *Missing) Ready() bool {
	if g.rest != nil {
		return false
	}
	for _, why := range g.why {
		if why.Exists() {
			return false
		}
	}
	return true
}

// Has says whether a KG that exists is missing.
func (g *Missing) Has(code austria.KGCode) bool { return g.Why(code).Exists() }

// Why is the absence of a KG; 0 where it is not missing.
func (g *Missing) Why(code austria.KGCode) Absence {
	if g.rest != nil {
		if coming, ok := g.rest.Has(code); ok {
			return unbuiltAs(coming)
		}
	}
	return g.why[code]
}

func unbuiltAs(coming bool) Absence {
	if coming {
		return Cold
	}
	return Unbuilt
}

// One is a KG that exists and is missing, for answers about one thing: one that never comes where there is one, which
// repeating does not help.
func (g *Missing) One() (code austria.KGCode, why Absence) {
	for _, list := range [][]austria.KGCode{g.Unavailable(), g.Warming()} {
		if len(list) > 0 {
			return list[0], g.Why(list[0])
		}
	}
	return "", 0
}

// Merge adds the gaps of another part of the answer.
func (g *Missing) Merge(other Missing) {
	if other.rest != nil {
		g.country(other.rest)
	}
	for code, why := range other.why {
		g.add(code, why)
	}
}

// allReady is the meta of an answer that no KG is missing from: of nearly every one.
var allReady = []reply.Member{{Name: "ready", Value: format.Bool(true)}, {Name: "kgs_warming", Value: format.RawJSON("[]")},
	{Name: "kgs_unavailable", Value: format.RawJSON("[]")},
	{Name: "kgs_warming_count", Value: format.RawJSON("0")}, {Name: "kgs_unavailable_count", Value: format.RawJSON("0")}}

// missingURL lists all KGs that cannot be read.
const missingURL = "/cadastre/api/v1/kg_versions?missing=true"

// Meta are the members that say what is missing: GapsMeta.
func (g *Missing) Meta() []reply.Member {
	if g.rest == nil && len(g.why) == 0 {
		return slices.Clip(allReady)
	}
	return append(append([]reply.Member{{Name: "ready", Value: g.Ready()}}, g.Lists()...), g.VersionMeta()...)
}

// Members is Meta for an error.
func (g *Missing) Members() map[string]any {
	m := map[string]any{}
	for _, member := range g.Meta() {
		m[member.Name] = member.Value
	}
	return m
}

// Lists are the members of Meta behind ready, without those of version=.
func (g *Missing) Lists() []reply.Member {
	if g.Ready() {
		return slices.Clip(allReady[1:])
	}
	listed := g.rest
	if listed == nil {
		listed = &library.Unbuilt{}
	}
	warming, warmingCount := g.few(Absence.Coming, listed.Coming)
	unavailable, unavailableCount := g.few(func(a Absence) bool { return a.Exists() && !a.Coming() }, listed.Staying)
	meta := []reply.Member{{Name: "kgs_warming", Value: warming}, {Name: "kgs_unavailable", Value: unavailable},
		{Name: "kgs_warming_count", Value: warmingCount}, {Name: "kgs_unavailable_count", Value: unavailableCount},
		{Name: "missing_by_reason", Value: g.reasons()}}
	if warmingCount > first || unavailableCount > first {
		meta = append(meta, reply.Member{Name: "missing_url", Value: missingURL})
	}
	return meta
}

// few are the first KGs for which something holds, by rising code, and their number. rest are those of a list of the
// country, of which none is in why: only its beginning is looked at.
func (g *Missing) few(is func(Absence) bool, rest []austria.KGCode) (few []austria.KGCode, n int) {
	few = []austria.KGCode{}
	for code, why := range g.why {
		if is(why) {
			few = append(few, code)
		}
	}
	n = len(few) + len(rest)
	few = append(few, firstOf(rest)...)
	slices.Sort(few)
	return firstOf(few), n
}

// reasons counts the missing KGs by reason.
func (g *Missing) reasons() *MissingReasons {
	n := map[Absence]int{}
	for _, why := range g.why {
		n[why]++
	}
	if g.rest != nil {
		n[Cold] += len(g.rest.Coming)
		n[Unbuilt] += len(g.rest.Staying)
	}
	return &MissingReasons{n[Unbuilt], n[Cold], n[Evicted], n[Lost], n[Damaged]}
}

// VersionMeta are the members about KGs without a snapshot of the date; nil if every KG has one.
func (g *Missing) VersionMeta() []reply.Member {
	list := g.unversioned()
	if len(list) == 0 {
		return nil
	}
	return []reply.Member{{Name: "kgs_without_version", Value: firstOf(list)}, {Name: "kgs_without_version_count", Value: len(list)}}
}

// Header keeps a partial answer out of caches: a later identical request answers more.
func (g *Missing) Header() http.Header {
	if g.Ready() {
		return nil
	}
	return http.Header{"Cache-Control": {"no-store"}, "Etag": nil, ReadyHeader: {"false"}}
}

// Mark says in an answer what is missing from it.
func (g *Missing) Mark(r *reply.Rows) *reply.Rows {
	r.Meta = append(r.Meta, g.Meta()...)
	r.Header = g.Header()
	return r
}

// MarkBeside is Mark with the ready flag beside data too, where map clients look for it.
func (g *Missing) MarkBeside(r *reply.Rows) *reply.Rows {
	r.Members = append(r.Members, reply.Member{Name: "ready", Value: g.Ready()})
	return g.Mark(r)
}

// MarkStream is Mark for an answer of the endpoint's own shape.
func (g *Missing) MarkStream(r *reply.Stream) *reply.Stream {
	r.Meta = append(r.Meta, g.Meta()...)
	r.Header = g.Header()
	return r
}
