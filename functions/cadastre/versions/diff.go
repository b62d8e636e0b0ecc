package versions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/kgdiff"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/lineage"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	from = endpoint.Parsed("from",
		"The earlier state: the newest snapshot on or before this date; without it the snapshot before that of to.", view.ParseDate,
		endpoint.Example("2025-10-01"))
	to = endpoint.Parsed("to", "The later state, likewise; without it the served snapshot.", view.ParseDate,
		endpoint.Example("2026-10-01"))
	changes = endpoint.EnumList("change", "Only these changes, as a comma list.", names(kgdiff.AllChanges()))
	happens = endpoint.EnumList("event", "Only parcels with one of these events, as a comma list.", names(kgdiff.AllEvents()))
)

func names[T fmt.Stringer](all []T) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].String()
	}
	return out
}

// diffSide is one of the two snapshots.
type diffSide struct {
	Date        string `json:"date"`
	Filename    string `json:"filename"`
	ParcelCount int    `json:"parcel_count"`
}

// diffSummary sums the whole comparison up, whatever rows are asked for.
type diffSummary struct {
	Added        int     `json:"added"`
	Removed      int     `json:"removed"`
	Changed      int     `json:"changed"`
	Reshaped     int     `json:"geometry_changed"`
	Attributed   int     `json:"attributes_changed"`
	Unchanged    int     `json:"unchanged"`
	Redrawn      int     `json:"redrawn"`
	Splits       int     `json:"splits"`
	Merges       int     `json:"merges"`
	Renumbered   int     `json:"renumbered"`
	SymmetricSqm float64 `json:"symmetric_difference_sqm"`
}

type diffBeside struct {
	From    *diffSide    `json:"from" doc:"null where the KG has no snapshot here."`
	To      *diffSide    `json:"to" doc:"null where the KG has no snapshot here."`
	Summary *diffSummary `json:"summary" doc:"null where one of the snapshots cannot be read."`
}

const diffDoc = `data holds one row for each parcel number that came, went or changed, in the order of the numbers (main number, sub-number;
building plots with a dot first). geometry is that of the later state, of a removed parcel that of the earlier one.
symmetric_difference_sqm is the area that one of the two shapes covers and the other does not, in EPSG:3035; of an added or removed
parcel its area. from and to of a row list the parcels of the other snapshot on its ground, where the common area is at least a tenth
of the smaller parcel. split: an old parcel of which two or more new ones are parts (at least half of each lies in it); merge: the
reverse; renumbered: one that went and one that came are 95 % the same ground. Shapes that differ in vertices alone are not changed;
summary counts them as redrawn. Of several snapshots of one date the last published counts. Without from the first snapshot is
compared with itself: no rows. 404 where the KG has no snapshot as early as from. Where a snapshot cannot be read there are no rows,
summary is null, and meta says so.`

func (s *service) diff() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/kg/{kg}/diff", ID: "kg_diff", Tag: tag, Summary: "What changed in a KG between two dates",
		Doc: diffDoc + view.MissingDoc, Params: []endpoint.AnyParam{pathKG, from, to, changes, happens},
		Answer: endpoint.Answer{Rows: []*format.RowType{diffRows.RowType}, Beside: diffBeside{}, Meta: view.GapsMeta{},
			Headers: view.ReadyHeaders},
		Example: "/api/v1/kg/99101/diff?from=2025-10-01", Serve: s.serveDiff,
	}
}

func (s *service) serveDiff(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	k, err := view.Known(v.View, pathKG.Of(r))
	if err != nil {
		return nil, err
	}
	list, err := lineage.Snapshots(ctx, v, k)
	if err != nil {
		return nil, err
	}
	var gaps view.Missing
	if len(list.Snapshots) == 0 {
		if _, err := v.Read(ctx, k.Code, &gaps); err != nil {
			return nil, err
		}
		return gaps.Mark(unread(nil, nil)), nil
	}
	a, b, err := chosen(r, list)
	if err != nil {
		return nil, err
	}
	d, err := s.last.of(ctx, v, &gaps, k.Code, [2]rowschema.Version{a, b})
	if err != nil {
		return nil, err
	}
	if d == nil {
		return gaps.Mark(unread(side(a), side(b))), nil
	}
	return gaps.Mark(answer(r, k.Code, d, a, b)), nil
}

// unread is the answer where a snapshot cannot be read.
func unread(from, to *diffSide) *reply.Rows {
	return &reply.Rows{Rows: format.Rows([]format.Row{}), Members: []reply.Member{{Name: "from", Value: from}, {Name: "to", Value: to},
		{Name: "summary", Value: nil}}}
}

func side(s rowschema.Version) *diffSide { return &diffSide{s.Date, s.Filename, s.ParcelCount} }

// chosen are the snapshots that a request compares.
func chosen(r *endpoint.Request, list rowschema.Versions) (a, b rowschema.Version, err error) {
	all := lineage.Dated(list)
	until := list.Latest
	if to.Given(r) {
		until = to.Of(r)
	}
	later := slices.IndexFunc(all, func(s rowschema.Version) bool { return s.Date <= until })
	if later < 0 {
		return a, b, tooEarly(list, "to", until)
	}
	earlier := later + 1
	if from.Given(r) {
		if to.Given(r) && from.Of(r) > to.Of(r) {
			return a, b, from.Clash(r, "a date on or before to, "+to.Of(r))
		}
		earlier = slices.IndexFunc(all, func(s rowschema.Version) bool { return s.Date <= from.Of(r) })
		if earlier < 0 {
			return a, b, tooEarly(list, "from", from.Of(r))
		}
		if earlier < later {
			return a, b, from.Clash(r, "a date on or before the served snapshot's, "+list.Latest)
		}
	}
	if earlier >= len(all) {
		earlier = later // the first snapshot is compared with itself
	}
	return all[earlier], all[later], nil
}

// tooEarly is the 404 of a date before every snapshot.
func tooEarly(list rowschema.Versions, name, date string) error {
	all := lineage.Dated(list)
	return fault.Of(fault.NotFound, name, date, fmt.Sprintf("a date from %s on: KG %s has no earlier snapshot", all[len(all)-1].Date,
		list.KGCode))
}

// lastDiff keeps the comparison that was made last, for the pages of its rows.
type lastDiff struct {
	mu   sync.Mutex
	keys [2]string
	diff *kgdiff.Diff
}

// of compares two snapshots, the earlier one first; nil where one of them cannot be read, which gaps then say.
func (l *lastDiff) of(ctx context.Context, v *view.View, gaps *view.Missing, code austria.KGCode, of [2]rowschema.Version) (
	*kgdiff.Diff, error) {
	keys := [2]string{of[0].Key, of[1].Key}
	l.mu.Lock()
	kept := l.diff
	if l.keys != keys {
		kept = nil
	}
	l.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	older, err := v.ReadSnapshot(ctx, code, of[0], gaps)
	if err != nil {
		return nil, err
	}
	newer, err := v.ReadSnapshot(ctx, code, of[1], gaps)
	if err != nil || older == nil || newer == nil {
		return nil, err
	}
	d, err := kgdiff.Of(older, newer)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.keys, l.diff = keys, d
	l.mu.Unlock()
	return d, nil
}

// answer draws the rows that a request asks for.
func answer(r *endpoint.Request, code austria.KGCode, d *kgdiff.Diff, a, b rowschema.Version) *reply.Rows {
	var rows []*kgdiff.Row
	for i := range d.Rows {
		if wanted(r, &d.Rows[i]) {
			rows = append(rows, &d.Rows[i])
		}
	}
	out := endpoint.Listed(r, diffRows, rows, func(item *change, of **kgdiff.Row) { item.code, item.row = code, *of })
	out.Geometry, out.Name = true, fmt.Sprintf("%s-diff-%s-%s", code, a.Date, b.Date)
	out.Members = []reply.Member{{Name: "from", Value: side(a)}, {Name: "to", Value: side(b)}, {Name: "summary", Value: diffSummary{
		d.Added, d.Removed, d.Changed, d.Reshaped, d.Attributed, d.Unchanged, d.Redrawn, d.Splits, d.Merges, d.Renumbered,
		rounded(d.SymmetricSqm)}}}
	return out
}

// wanted says whether a row passes the filters.
func wanted(r *endpoint.Request, row *kgdiff.Row) bool {
	if changes.Given(r) && !slices.Contains(changes.Of(r), row.Change.String()) {
		return false
	}
	return !happens.Given(r) || slices.ContainsFunc(kgdiff.AllEvents(), func(e kgdiff.Event) bool {
		return row.Events&e != 0 && slices.Contains(happens.Of(r), e.String())
	})
}

// eventsOf are the events of a row as a comma list.
func eventsOf(e kgdiff.Event) string {
	var list []string
	for _, one := range kgdiff.AllEvents() {
		if e&one != 0 {
			list = append(list, one.String())
		}
	}
	return strings.Join(list, ",")
}

// shownParcel is the parcel of the later state, of a removed one that of the earlier.
func shownParcel(r *kgdiff.Row) *kgfile.Parcel {
	if r.After != nil {
		return r.After
	}
	return r.Before
}
