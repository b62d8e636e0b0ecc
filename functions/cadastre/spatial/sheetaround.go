package spatial

import (
	"cmp"
	"context"
	"errors"
	"strings"

	artefact "mappe/artefacts/proximity"
	"mappe/functions/core/proximity"
	"mappe/functions/core/toponyms"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/book/sheet"
	"mappe/shared/web/fault"
)

// nameRadius is how far in metres from the parcel's place the names of a sheet may lie.
const nameRadius = 500

// around is what surrounds a parcel. What a generation does not have is nil.
type around struct {
	near       *proximity.Surroundings
	nearNamed  string // whom to name
	names      []toponyms.Found
	namesKnown bool
	namesNamed string
	// unread says that something of it is published and could not be read.
	unread     bool
	neighbours []neighbour // the longest common border first
	more       int         // neighbours beside
}

// neighbour is a parcel that shares a border.
type neighbour struct {
	id     austria.ParcelID
	use    austria.LandUse
	used   bool // the use is known
	sqm    float64
	shared float64 // m, of border
}

// readAround finds what surrounds the parcel: the nearest of the community map, geographical names and the neighbours.
func (d *sheetData) readAround(ctx context.Context, v *view.View) error {
	for _, read := range []func(context.Context, *view.View) error{d.readNear, d.readNames} {
		err := read(ctx, v)
		if no := (*fault.Fault)(nil); errors.As(err, &no) && ctx.Err() == nil {
			d.around.unread = true
		} else if err != nil {
			return err
		}
	}
	return d.readNeighbours(ctx, v)
}

func (d *sheetData) readNear(ctx context.Context, v *view.View) error {
	n, err := proximity.Of(ctx, v.View)
	if err != nil || n == nil {
		return err
	}
	d.around.near, err = n.At(ctx, d.p.Inside)
	d.around.nearNamed = n.Attribution
	return err
}

func (d *sheetData) readNames(ctx context.Context, v *view.View) error {
	n, err := toponyms.Of(ctx, v.View)
	if err != nil || n == nil {
		return err
	}
	d.around.names, err = n.Near(ctx, d.p.Inside, nameRadius, toponyms.All)
	d.around.namesKnown, d.around.namesNamed = err == nil, n.Attribution
	return err
}

func (d *sheetData) readNeighbours(ctx context.Context, v *view.View) error {
	n, err := neighbourhoodOf(ctx, v, d.id)
	if err != nil {
		return err
	}
	found, _, err := n.find(ctx) // what is missing is noted by the plan, which reaches farther
	if err != nil {
		return err
	}
	d.around.more = max(0, len(found)-shownNeighbours)
	for _, hit := range found[:len(found)-d.around.more] {
		f, err := v.Read(ctx, n.codes[hit.KG], &d.gaps)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		parcels, err := f.Parcels()
		if err != nil {
			return err
		}
		p := &parcels[hit.Row]
		one := neighbour{id: austria.ParcelID{KG: n.codes[hit.KG], GNR: p.GNR}, sqm: p.AreaSqm, shared: hit.Rank}
		if uses := usesOf(p); len(uses) > 0 {
			one.use, one.used = uses[0].Code, true
		} else if len(p.SymbolCounts) > 0 {
			one.use, one.used = p.SymbolCounts[0].Code, true
		}
		d.around.neighbours = append(d.around.neighbours, one)
	}
	return nil
}

// surroundings tell the nearest of each kind and the names.
func (d *sheetData) surroundings(l language) sheet.Section {
	a := &d.around
	t := table{l: l}
	if s := a.near; s != nil {
		for _, one := range []struct {
			name word
			hit  *artefact.Hit
		}{{wordRoad, &s.Road}, {wordMajorRoad, &s.MajorRoad}, {wordRail, &s.Rail}, {wordStop, &s.Stop}, {wordStation, &s.Station},
			{wordWater, &s.Water}, {wordSettlement, &s.Settlement}} {
			if one.hit.Found() {
				t.line(one.name, nearest(one.hit, l))
			}
		}
	}
	if a.namesKnown {
		var list []string
		for _, n := range a.names {
			list = append(list, strings.TrimSpace(n.Name.Name+" ("+strings.TrimPrefix(n.Feature+", ", ", ")+l.figure(n.Metres, 0, "m")+")"))
		}
		t.line(wordNames, listed(list, shownNames, l))
	}
	s := t.section(wordAround)
	if len(t.rows) > 0 {
		s.Soft = append(s.Soft, wordFrom.in(l))
	}
	switch {
	case a.unread:
		s.Soft = append(s.Soft, wordAroundUnread.in(l))
	case len(t.rows) == 0:
		s.Soft = append(s.Soft, wordUnknown.in(l))
	}
	return s
}

// nearest is a feature with its distance: its name, reference and class.
func nearest(h *artefact.Hit, l language) string {
	name := cmp.Or(h.Name, h.Ref)
	if h.Ref != "" && h.Name != "" {
		name = h.Ref + " " + h.Name
	}
	text := l.figure(h.Metres, 0, "m")
	if name != "" {
		text = name + ", " + text
	}
	return text + " (" + shownWord(featureWords, h.Class.String(), l) + ")"
}

// beside lists the neighbours.
func (d *sheetData) beside(l language) sheet.Section {
	s := sheet.Section{Title: wordNeighbours.in(l), Shares: []int{16, 46, 20, 18},
		Head: []string{wordNumber.in(l), wordMainUse.in(l), wordArea.in(l), wordBorder.in(l)}}
	for _, n := range d.around.neighbours {
		number, use := string(n.id.GNR), "–"
		if n.id.KG != d.id.KG {
			number = n.id.String()
		}
		if n.used {
			use = l.use(n.use)
		}
		s.Rows = append(s.Rows, []string{number, use, l.figure(n.sqm, 0, "m²"), l.figure(n.shared, 1, "m")})
	}
	switch {
	case len(s.Rows) == 0:
		s.Soft = []string{wordNone.in(l)}
	case d.around.more > 0:
		s.Soft = []string{l.figure(float64(d.around.more), 0, "") + " " + wordMore.in(l) + "."}
	}
	return s
}
