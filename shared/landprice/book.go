package landprice

import (
	"math"
	"strconv"
)

// Key names a series: the code is that of a municipality, district or state, or Country.
type Key struct {
	Level Level
	Code  string
	Kind  SeriesKind
}

// Book holds all series. It is never changed once it is filled, and may be read by many at once.
type Book struct {
	series map[Key]Series
	latest int
}

// NewBook is an empty book.
func NewBook() *Book { return &Book{series: map[Key]Series{}} }

// Put adds a series; an earlier one of the key is replaced.
func (b *Book) Put(k Key, s Series) {
	b.series[k] = s
	if n := len(s.points); n > 0 && k.Kind != BuildingLandSince2025 {
		b.latest = max(b.latest, s.points[n-1].Year)
	}
}

// Series is a series; an empty one where the book has none.
func (b *Book) Series(k Key) Series { return b.series[k] }

// Len counts the series.
func (b *Book) Len() int { return len(b.series) }

// Latest is the newest year that the model reads, 0 of an empty book.
func (b *Book) Latest() int { return b.latest }

// Vienna has no district prices of its own: rule 5 takes the geometric mean of these districts.
const (
	Vienna      = "900"
	viennaFirst = 910
	viennaLast  = 923
)

// Place is where something lies. Empty codes are not known.
type Place struct {
	Gemeinde, Bezirk, State string
}

// code is the place's code at a level; "" unknown.
func (p Place) code(l Level) string {
	switch l {
	case Gemeinde:
		return p.Gemeinde
	case Bezirk:
		return p.Bezirk
	case State, LiteratureState:
		return p.State
	case National:
		return Country
	}
	return ""
}

// Baseline is a published price brought to a year, and where it comes from.
type Baseline struct {
	Value
	Source Level // LevelNone: no series supports one
	Code   string
	Kind   SeriesKind // KindUnknown: a mean over several kinds
	Parts  int        // of a geometric mean over so many series; 0: one series
}

// Known says whether there is a baseline.
func (b *Baseline) Known() bool { return b.Source != LevelNone }

// The orders in which levels are asked.
var (
	localFirst = []Level{Gemeinde, Bezirk, State, National}
	districts  = []Level{Bezirk, State, National}
	states     = []Level{State, National, LiteratureState}
	literature = []Level{LiteratureState, State, National}
)

// lookup is the first baseline of the levels.
func (b *Book) lookup(kind SeriesKind, levels []Level, p Place, year int) Baseline {
	for _, l := range levels {
		if v := b.at(kind, l, p, year); v.Known() {
			return v
		}
	}
	return Baseline{}
}

// at is the baseline of one level.
func (b *Book) at(kind SeriesKind, l Level, p Place, year int) Baseline {
	code := p.code(l)
	if code == "" {
		return Baseline{}
	}
	if s := b.series[Key{l, code, kind}]; !s.Empty() {
		return Baseline{Value: s.At(year, l, b.rate(kind, l, p)), Source: l, Code: code, Kind: kind}
	}
	if l == Bezirk && code == Vienna {
		return b.vienna(kind, p, year)
	}
	return Baseline{}
}

// vienna is the geometric mean of the districts that have a series of the kind.
func (b *Book) vienna(kind SeriesKind, p Place, year int) Baseline {
	var m mean
	for d := viennaFirst; d <= viennaLast; d++ {
		p.Bezirk = strconv.Itoa(d)
		m.add(b.at(kind, Bezirk, p, year))
	}
	return m.baseline(Vienna, kind)
}

// rate is the growth that a series of a level without one of its own is continued with: that of the state,
// else of the country.
func (b *Book) rate(kind SeriesKind, own Level, p Place) Rate {
	for _, l := range []Level{State, National} {
		if l <= own {
			continue
		}
		if code := p.code(l); code != "" {
			if g, ok := b.series[Key{l, code, kind}].Growth(); ok {
				return Rate{g, l}
			}
		}
	}
	return Rate{}
}

// Building gives the price of building land.
func (b *Book) Building(p Place, year int) Baseline {
	return b.lookup(BuildingLand, localFirst, p, year)
}

// Published is the price of a kind at exactly one level, for answers that show what is published.
func (b *Book) Published(kind SeriesKind, l Level, p Place, year int) Baseline {
	return b.at(kind, l, p, year)
}

// mean is a geometric mean of baselines of one level.
type mean struct {
	logs float64
	n    int
	last Baseline
}

func (m *mean) add(v Baseline) {
	if !v.Known() {
		return
	}
	if m.n == 0 {
		m.last = v
	}
	m.logs += math.Log(v.EUR)
	m.n++
	// The mean says the weakest method and the widest span of what it is made of.
	m.last.Source = max(m.last.Source, v.Source)
	m.last.From, m.last.To = min(m.last.From, v.From), max(m.last.To, v.To)
	if v.Method > m.last.Method {
		m.last.Method, m.last.Growth, m.last.GrowthOf = v.Method, v.Growth, v.GrowthOf
	}
}

// baseline is the mean; unknown where nothing was added.
func (m *mean) baseline(code string, kind SeriesKind) Baseline {
	if m.n == 0 {
		return Baseline{}
	}
	v := m.last
	v.EUR, v.Code, v.Kind, v.Parts = math.Exp(m.logs/float64(m.n)), code, kind, m.n
	return v
}
