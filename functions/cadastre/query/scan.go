package query

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"mappe/artefacts/columns"
	"mappe/shared/austria"
)

// want is what a scan is to find beside the number of matches.
type want struct {
	hits   bool // the first hits of the order
	totals bool // the sums of numbers
	uses   bool // the sums by land use
}

// result is what a scan found.
type result struct {
	n      int  // matches
	used   bool // uses are those of all matches
	inFile bool // hits name rows of KG files, not of the columns
	hits   []hit
	totals totals
	counts counts
	uses   map[austria.LandUse]*columns.KGUse // parcels and their areas by code
}

// totals are sums over the matches.
type totals struct {
	area            uint64 // 0.01 m²
	known           int    // matches whose area is known
	least, greatest uint64 // as columns.Table.Areas; 0 where none is known
	buildings       int
}

// scan is one walk over the places of a plan.
type scan struct {
	plan   *plan
	want   want
	best   best
	out    result
	whole  []bool // by place: every row matches
	room   *room
	rowsOf map[int32][]int32 // by place: file rows of the hits that lead found
}

// room is what a scan works in; it is lent from one to the next.
type room struct {
	rows []int32
	hits []hit
}

// mostRoom bounds the rows and hits whose memory is kept.
const mostRoom = 1 << 15

var rooms = sync.Pool{New: func() any { return new(room) }}

// leave gives the room back.
func (s *scan) leave() {
	if s.room.hits = s.best.hits; cap(s.room.hits) > mostRoom {
		s.room.hits = nil
	}
	if cap(s.room.rows) > mostRoom {
		s.room.rows = nil
	}
	rooms.Put(s.room)
}

// rowsIn is the source whose rows the hits name; nil: their KG files.
func (r *result) rowsIn(src source) source {
	if r.inFile {
		return nil
	}
	return src
}

// run looks for the matches of a plan in a source.
func run(ctx context.Context, p *plan, src source, w want) (*result, error) {
	s := &scan{plan: p, want: w, whole: make([]bool, len(p.places)), room: rooms.Get().(*room),
		out: result{uses: map[austria.LandUse]*columns.KGUse{}, used: w.uses}}
	defer s.leave()
	s.best.hits = s.room.hits[:0]
	if w.hits {
		s.best.n = p.through
	}
	if err := p.seek(ctx); err != nil {
		return nil, err
	}
	list := s.candidates()
	if leaders := s.leaders(list); leaders != nil {
		list = leaders
		switch done, err := s.lead(ctx, list); {
		case err != nil:
			return nil, err
		case done:
			return &s.out, nil
		}
	}
	if err := src.each(ctx, list, s.groups(), s.needed, s.visit); err != nil {
		return nil, err
	}
	s.out.hits = s.best.page(p.offset)
	return &s.out, nil
}

// candidates are the places that may have matches, those first whose rows are likely to lead the order: the
// others need not be read then. KGs of which every row matches are counted here.
func (s *scan) candidates() []int {
	var list []int
	for i := range s.plan.places {
		at := &s.plan.places[i]
		if s.plan.lacking != nil && s.plan.lacking[i] {
			continue
		}
		if at.sum == nil {
			list = append(list, i)
			continue
		}
		k, cut := s.passing(at)
		switch v := s.plan.filter.judge(&k, cut); {
		case v == noneFits:
			continue
		case v == allFit && at.numbers == nil && at.over == nil && s.plan.areas == nil:
			s.whole[i] = true
			s.all(&k)
		}
		list = append(list, i)
	}
	if s.plan.by != byNumber && slices.Contains(s.whole, true) {
		slices.SortStableFunc(list, func(a, b int) int {
			return cmp.Compare(s.first(a), s.first(b))
		})
	}
	return list
}

// needed says whether the rows of a place have to be looked at.
func (s *scan) needed(i int) bool {
	if !s.whole[i] {
		return true
	}
	k, _ := s.passing(&s.plan.places[i])
	return !s.best.beyond(s.plan.by, &k)
}

// passing is the summary of a place; cut says that it is of those parcels alone that has_buildings lets pass.
func (s *scan) passing(at *place) (k columns.KG, cut bool) {
	if f := s.plan.filter.Built; f != 0 && at.built != nil && !s.want.uses { // of them no land uses are summed up
		return at.built.Of(at.sum, f > 0), true
	}
	return *at.sum, false
}

// first is the least rank that a row of a place may have.
func (s *scan) first(i int) uint64 {
	k, _ := s.passing(&s.plan.places[i])
	if s.plan.by == areaAsc {
		return k.Least
	}
	return ^k.Greatest
}

// groups are the columns that are read.
func (s *scan) groups() []columns.Group {
	list := append([]columns.Group{columns.Area}, s.plan.filter.groups()...)
	if s.want.hits && s.plan.by == byNumber || slices.ContainsFunc(s.plan.places, func(p place) bool { return p.numbers != nil }) {
		list = append(list, columns.Number)
	}
	if slices.ContainsFunc(s.plan.places, func(p place) bool { return p.over != nil }) {
		list = append(list, columns.Row)
	}
	if s.plan.areas != nil {
		list = append(list, columns.At, columns.Row)
	}
	if s.want.totals && slices.Contains(s.whole, false) {
		list = append(list, columns.Built)
	}
	if s.want.uses && slices.Contains(s.whole, false) {
		list = append(list, columns.Share, columns.Use)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// visit looks at the rows of a place.
func (s *scan) visit(i int, t *columns.Table) {
	at := &s.plan.places[i]
	lo, hi := at.first, t.N
	if at.sum != nil {
		hi = lo + at.sum.Parcels
	}
	if s.whole[i] {
		if !s.needed(i) { // the places before have pushed it off the page
			return
		}
		for row := lo; row < hi; row++ {
			if f := s.plan.filter.Built; f == 0 || t.HasBuilding(row) == (f > 0) {
				s.hit(i, t, int32(row))
			}
		}
		return
	}
	for k := range at.numbers {
		lo, hi = at.numbers[k].rows(t, lo, hi)
	}
	rows := s.plan.filter.matches(t, lo, hi, s.room.rows[:0])
	s.room.rows = rows
	for k := range at.numbers {
		rows = keep(rows, func(row int32) bool { return at.numbers[k].matches(t, row) })
	}
	rows = s.plan.passing(at, t, rows)
	if s.plan.areas != nil {
		rows = s.against(at, t, rows)
	}
	s.out.n += len(rows)
	if s.want.totals {
		s.out.totals.add(t, rows)
	}
	if s.want.uses {
		s.out.use(t, rows)
	}
	for _, row := range rows {
		s.hit(i, t, row)
	}
}

func (s *scan) hit(place int, t *columns.Table, row int32) {
	if s.best.n == 0 {
		return
	}
	a, b := s.plan.by.rank(t, row)
	if s.plan.by == byDistance {
		a, b = s.plan.areas.rank(t, row), a
	}
	s.best.add(hit{a, b, int32(place), row})
}

// all counts a KG of which every row matches.
func (s *scan) all(k *columns.KG) {
	s.out.n += k.Parcels
	t := &s.out.totals
	t.area, t.buildings = t.area+k.Area, t.buildings+k.Buildings
	if k.Least > 0 { // else it was not all: see judge
		t.known += k.Parcels
		t.span(k.Least, k.Greatest)
	}
	for _, u := range k.Uses {
		if u.Parcels > 0 {
			s.out.add(u.Code, u.Parcels, u.ParcelArea)
		}
	}
}

func (t *totals) span(least, greatest uint64) {
	if t.least == 0 || least < t.least {
		t.least = least
	}
	t.greatest = max(t.greatest, greatest)
}

// add sums rows.
func (t *totals) add(table *columns.Table, rows []int32) {
	for _, i := range rows {
		if a := table.Areas[i]; a > 0 {
			t.area += a - 1
			t.known++
			t.span(a, a)
		}
		t.buildings += int(table.Buildings[i])
	}
}

// add counts parcels with a land use.
func (r *result) add(code austria.LandUse, parcels int, area uint64) {
	u := r.uses[code]
	if u == nil {
		u = &columns.KGUse{Code: code}
		r.uses[code] = u
	}
	u.Parcels += parcels
	columns.AddArea(&u.ParcelArea, area)
}

// use sums rows by land use.
func (r *result) use(t *columns.Table, rows []int32) {
	counts := make([]int, len(t.Sets))
	var sums [256]uint64
	for _, i := range rows {
		counts[t.Use[i]]++
		for e, hi := t.Shares(int(i)); e < hi; e++ {
			columns.AddArea(&sums[t.ShareCodes[e]], t.ShareAreas[e])
		}
	}
	for set, n := range counts {
		if n == 0 {
			continue
		}
		for _, c := range t.Sets[set].Codes() {
			r.add(c, n, sums[c])
			sums[c] = 0
		}
	}
}
