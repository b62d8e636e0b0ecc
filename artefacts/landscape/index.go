package landscape

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/landscape/segment"
)

// IndexFamily is the family of the file of the index, Artefact that of the artefact in a manifest.
var IndexFamily = sectionfile.Family{'l', 'i', 'd', '1'}

// Artefact is the kind under which a generation names the index.
const Artefact = "landscape-index"

// Tops is how many things of a kind and type the lists of the country name at most.
const Tops = 1000

// Entry is what the index has of a KG.
type Entry struct {
	Summary
	File        string // key of its file; "" where it was not processed
	Fingerprint string // of what the file was made from
}

// The sections of the index that are not of one KG or one list.
const (
	kgsSection    = "kgs"
	buildingRange = "ranges-buildings"
	parcelRange   = "ranges-parcels"
)

// KGs is the section of all KGs.
const KGs = kgsSection

// Built are the columns of buildings that the country can be searched by.
var Built = &Layer[Building]{Name: "buildings", Columns: pick(BuildingColumns, "building_id", "ns", "roof_type_hint", "max_height_m",
	"mean_height_m", "stories_est", "footprint_area_sqm", "centroid", "centroid_dtm_m"),
	id: func(b *Building) string { return b.ID }, compare: Buildings.compare}

// Land are the columns of parcels that the country can be searched by: all but lists.
var Land = &Layer[Parcel]{Name: "parcels", Columns: ParcelColumns, id: func(p *Parcel) string { return p.ID }, compare: Parcels.compare}

func pick[T any](c Columns[T], names ...string) (out Columns[T]) {
	for _, name := range names {
		k := c.Find(name)
		if k == nil {
			panic("landscape: no column is named " + name)
		}
		out = append(out, *k)
	}
	return out
}

// Of is the name of the section of a KG.
func (l *Layer[T]) Of(code austria.KGCode) string { return l.Name + "-" + string(code) }

// Range are the least and the greatest value of each numeric column of a layer in a KG; NaN where none has one.
type Range struct {
	Code   austria.KGCode
	Rows   int
	Bounds [][2]float64
}

// Numbers are the numeric columns.
func (c Columns[T]) Numbers() (out Columns[T]) {
	for i := range c {
		if c[i].Numeric() {
			out = append(out, c[i])
		}
	}
	return out
}

// RangeOf measures rows.
func RangeOf[T any](code austria.KGCode, rows []T, columns Columns[T]) Range {
	r := Range{Code: code, Rows: len(rows)}
	for _, c := range columns.Numbers() {
		low, high := math.NaN(), math.NaN()
		for i := range rows {
			v := c.Round(c.get(&rows[i]))
			if v != v {
				continue
			}
			if !(low <= v) {
				low = v
			}
			if !(high >= v) {
				high = v
			}
		}
		r.Bounds = append(r.Bounds, [2]float64{low, high})
	}
	return r
}

func encodeRanges[T any](list []Range, columns Columns[T]) ([]byte, error) {
	numbers := columns.Numbers()
	return column.EncodeAlone("landscape", "ranges", len(list), func(w *column.Writer) {
		column.Texts(w, list, func(r *Range) string { return string(r.Code) })
		v := make([]uint64, len(list))
		for i := range list {
			v[i] = uint64(list[i].Rows)
		}
		w.Ints(v)
		for k := range numbers {
			for side := range 2 {
				for i := range list {
					u, err := numbers[k].steps(list[i].Bounds[k][side])
					if err != nil {
						w.Fail("%v", err)
					}
					v[i] = u
				}
				w.Ints(v)
			}
		}
	})
}

// DecodeRanges reads the ranges of a layer of any bytes, and says what they take in memory.
func DecodeRanges[T any](l *Layer[T], b []byte) (list []Range, cost int64, err error) {
	numbers := l.Columns.Numbers()
	err = column.DecodeAlone("landscape", "ranges", b, func(r *column.Reader, n int) {
		list = make([]Range, n)
		r.EachText(n, func(i int, s string) { list[i].Code = austria.KGCode(s) })
		for i, v := range column.Ints[uint32](r, n) {
			list[i].Rows, list[i].Bounds = int(v), make([][2]float64, len(numbers))
		}
		for k := range numbers {
			for side := range 2 {
				for i, u := range column.Ints[uint64](r, n) {
					if u > 1<<53 {
						r.Fail("%s: %d steps", numbers[k].Name, u)
						return
					}
					list[i].Bounds[k][side] = numbers[k].value(u)
				}
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return list, int64(len(list))*int64(64+16*len(numbers)) + 64, nil
}

// RangeSection is the section of the ranges of a layer.
func (l *Layer[T]) RangeSection() string { return "ranges-" + l.Name }

// Top is a thing of a KG in a list of the country.
type Top[T any] struct {
	KG   austria.KGCode
	Item T
}

// TopList is a list of the country: the Tops things that are first by a measure, the greatest first.
type TopList[T any] struct {
	Name    string
	layer   *Layer[T]
	measure func(*T) float64
	kind    func(*T) segment.Type // of lists that are parted by type; nil: it is one list
}

// The lists of the country.
var (
	TopTrees = &TopList[Tree]{"trees", &Layer[Tree]{Name: "trees", Columns: TreeColumns, id: func(t *Tree) string { return t.ID }},
		func(t *Tree) float64 { return float64(t.Height) }, nil}
	TopObjects = &TopList[Segment]{"objects", &Layer[Segment]{Name: "objects", Columns: SegmentColumns, id: func(s *Segment) string {
		return s.ID
	}}, func(s *Segment) float64 { return s.AreaSqm }, func(s *Segment) segment.Type { return s.Type }}
	TopNewBuildings = &TopList[NewBuilding]{"new_buildings", &Layer[NewBuilding]{Name: "new_buildings", Columns: NewBuildingColumns,
		id: func(b *NewBuilding) string { return b.ID }}, func(b *NewBuilding) float64 { return b.AreaSqm }, nil}
	TopInfrastructure = &TopList[Infrastructure]{"infrastructure",
		&Layer[Infrastructure]{Name: "infrastructure", Columns: InfrastructureColumns, id: func(i *Infrastructure) string { return i.ID }},
		func(i *Infrastructure) float64 { return i.AreaSqm }, nil}
)

// Section is the name of the section of a list; of lists that are parted by type, that of the type.
func (l *TopList[T]) Section(t segment.Type) string {
	if l.kind == nil {
		return "top-" + l.Name
	}
	return fmt.Sprintf("top-%s-%03d", l.Name, int(t))
}

// Columns are those of the things.
func (l *TopList[T]) Columns() Columns[T] { return l.layer.Columns }

// Compare is the order of the list: by the measure, the greatest first, then by KG and id.
func (l *TopList[T]) Compare(a, b *Top[T]) int {
	return cmp.Or(cmp.Compare(l.measure(&b.Item), l.measure(&a.Item)), cmp.Compare(a.KG, b.KG),
		cmp.Compare(l.layer.id(&a.Item), l.layer.id(&b.Item)))
}

func (l *TopList[T]) encode(rows []Top[T]) ([]byte, error) {
	items := make([]T, len(rows))
	for i := range rows {
		items[i] = rows[i].Item
	}
	return column.EncodeAlone("landscape", l.Name, len(rows), func(w *column.Writer) {
		column.Texts(w, rows, func(t *Top[T]) string { return string(t.KG) })
		put(w, items, l.layer.Columns)
	})
}

// Decode reads a section of a list of any bytes, and says what it takes in memory.
func (l *TopList[T]) Decode(b []byte) (rows []Top[T], cost int64, err error) {
	err = column.DecodeAlone("landscape", l.Name, b, func(r *column.Reader, n int) {
		rows = make([]Top[T], n)
		r.EachText(n, func(i int, s string) { rows[i].KG = austria.KGCode(s) })
		items := make([]T, n)
		get(r, items, l.layer.Columns)
		for i := range items {
			rows[i].Item = items[i]
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return rows, int64(len(rows)) * int64(unsafe.Sizeof(Top[T]{})), nil
}

// IndexBuilder folds KGs into the index of the country. What it holds of a KG that it was given is its summary, its columns
// compressed and its share of the lists.
type IndexBuilder struct {
	entries         []Entry
	built, land     []sectionfile.Section
	builtIn, landIn []Range
	best            []Best
	trees           tops[Tree]
	objects         tops[Segment]
	newBuildings    tops[NewBuilding]
	infrastructure  tops[Infrastructure]
	earlier         *Earlier // that unchanged KGs are taken over from; nil: none
}

// NewIndexBuilder makes an empty one.
func NewIndexBuilder() *IndexBuilder {
	return &IndexBuilder{trees: newTops(TopTrees), objects: newTops(TopObjects), newBuildings: newTops(TopNewBuildings),
		infrastructure: newTops(TopInfrastructure)}
}

// Unprocessed adds a KG with what the cadastre knows of it.
func (x *IndexBuilder) Unprocessed(r Record) {
	x.entries = append(x.entries, Entry{Summary: Summary{Record: r}})
}

// Add adds a processed KG; file is the key of its file. Its quality is computed of the record.
func (x *IndexBuilder) Add(k *KG, file string) error {
	k.Processed = true
	k.QualityScore, k.QualityGrade = Quality(&k.Record)
	x.entries = append(x.entries, Entry{k.Summary, file, k.Fingerprint})
	code := k.Code()
	if len(k.Buildings) > 0 {
		b, err := Built.Encode(Buildings.sorted(k.Buildings))
		if err != nil {
			return err
		}
		x.built, x.builtIn = append(x.built, sectionfile.Section{Name: Built.Of(code), Body: b}),
			append(x.builtIn, RangeOf(code, k.Buildings, Built.Columns))
	}
	if len(k.Parcels) > 0 {
		b, err := Land.Encode(Parcels.sorted(k.Parcels))
		if err != nil {
			return err
		}
		x.land, x.landIn = append(x.land, sectionfile.Section{Name: Land.Of(code), Body: b}),
			append(x.landIn, RangeOf(code, k.Parcels, Land.Columns))
		x.best = append(x.best, bestOf(code, k.Parcels))
	}
	x.trees.add(code, k.Trees)
	x.objects.add(code, k.Segments)
	x.newBuildings.add(code, k.NewBuildings)
	x.infrastructure.add(code, k.Infrastructure)
	return nil
}

// Encode makes the file. KGs stand by code, in whatever order they were added. ErrShort.
func (x *IndexBuilder) Encode() ([]byte, error) {
	for _, l := range x.lists() {
		if l.short() {
			return nil, ErrShort
		}
	}
	slices.SortFunc(x.entries, func(a, b Entry) int { return cmp.Compare(a.KGCode, b.KGCode) })
	for i := 1; i < len(x.entries); i++ {
		if x.entries[i-1].KGCode == x.entries[i].KGCode {
			return nil, fmt.Errorf("landscape: KG %s was added twice", x.entries[i].KGCode)
		}
	}
	byName := func(a, b sectionfile.Section) int { return cmp.Compare(a.Name, b.Name) }
	byCode := func(a, b Range) int { return cmp.Compare(a.Code, b.Code) }
	slices.SortFunc(x.built, byName)
	slices.SortFunc(x.land, byName)
	slices.SortFunc(x.builtIn, byCode)
	slices.SortFunc(x.landIn, byCode)
	slices.SortFunc(x.best, func(a, b Best) int { return cmp.Compare(a.Code, b.Code) })
	kgs, err := encodeEntries(x.entries)
	if err != nil {
		return nil, err
	}
	builtIn, err := encodeRanges(x.builtIn, Built.Columns)
	if err != nil {
		return nil, err
	}
	landIn, err := encodeRanges(x.landIn, Land.Columns)
	if err != nil {
		return nil, err
	}
	figures, err := figuresOf(x.built)
	if err != nil {
		return nil, err
	}
	sections := slices.Concat(x.built, figures, []sectionfile.Section{{Name: kgsSection, Body: kgs}}, x.land,
		[]sectionfile.Section{{Name: buildingRange, Body: builtIn}, {Name: parcelRange, Body: landIn}})
	for _, l := range x.lists() {
		more, err := l.sections()
		if err != nil {
			return nil, err
		}
		sections = append(sections, more...)
	}
	best, err := encodeBest(x.best)
	if err != nil {
		return nil, err
	}
	sections = append(sections, sectionfile.Section{Name: WorthSection, Body: best})
	return sectionfile.Encode(IndexFamily, nil, sections)
}

// lists are the lists of the country, by the names of their sections.
func (x *IndexBuilder) lists() []gathered {
	return []gathered{&x.infrastructure, &x.newBuildings, &x.objects, &x.trees}
}

func encodeEntries(entries []Entry) ([]byte, error) {
	rows, records := make([]Summary, len(entries)), make([]Record, len(entries))
	for i := range entries {
		rows[i], records[i] = entries[i].Summary, entries[i].Record
	}
	return column.EncodeAlone("landscape", kgsSection, len(rows), func(w *column.Writer) {
		column.Texts(w, entries, func(e *Entry) string { return e.File })
		column.Texts(w, entries, func(e *Entry) string { return e.Fingerprint })
		put(w, records, RecordColumns)
		for _, l := range summaryLists {
			l.put(w, rows)
		}
	})
}

// DecodeEntries reads the section of all KGs of any bytes, by rising code, and says what they take in memory.
func DecodeEntries(b []byte) (entries []Entry, cost int64, err error) {
	err = column.DecodeAlone("landscape", kgsSection, b, func(r *column.Reader, n int) {
		entries = make([]Entry, n)
		r.EachText(n, func(i int, s string) { entries[i].File = s })
		r.EachText(n, func(i int, s string) { entries[i].Fingerprint = s })
		records, rows := make([]Record, n), make([]Summary, n)
		get(r, records, RecordColumns)
		for _, l := range summaryLists {
			if r.Err == nil {
				cost += l.read(r, rows)
			}
		}
		for i := range entries {
			entries[i].Summary = rows[i]
			entries[i].Record = records[i]
			if i > 0 && entries[i-1].KGCode >= entries[i].KGCode {
				r.Fail("KG %.20q does not stand behind %.20q", entries[i].KGCode, entries[i-1].KGCode)
				return
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return entries, cost + int64(len(entries))*int64(unsafe.Sizeof(Entry{})+96), nil
}

// ReadEntries reads the KGs of a whole index.
func ReadEntries(b []byte) ([]Entry, error) {
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	i, ok := f.Find(kgsSection)
	if !ok || f.Family() != IndexFamily {
		return nil, fmt.Errorf("landscape: a file of the family %s without KGs: expected an index", f.Family())
	}
	body, err := f.Section(i)
	if err != nil {
		return nil, err
	}
	entries, _, err := DecodeEntries(body)
	return entries, err
}
