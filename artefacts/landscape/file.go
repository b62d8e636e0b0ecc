package landscape

import (
	"fmt"
	"io"
	"slices"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// FileFamily is the family of the file of a KG.
var FileFamily = sectionfile.Family{'l', 'k', 'g', '1'}

// KG is what analysis made of a KG.
type KG struct {
	Summary
	Fingerprint    string // of what it was made from
	Buildings      []Building
	NewBuildings   []NewBuilding
	Infrastructure []Infrastructure
	Segments       []Segment
	Parcels        []Parcel
	Trees          []Tree
	Samples        []Sample
	Changes        []Change
}

// Chunk is a section of a layer.
type Chunk struct {
	Layer string
	Rows  int
	Box   geom.Box // of what is in it
	First string   // id of the first row
}

// recordSection is the section of the summary.
const recordSection = "record"

var chunkColumns = Columns[Chunk]{
	text("layer", "", func(c *Chunk) *string { return &c.Layer }),
	text("first", "", func(c *Chunk) *string { return &c.First }),
	{Name: "box", Type: Bounds, bounds: func(c *Chunk) *geom.Box { return &c.Box }},
}

// Encode makes the file of a KG. Rows stand in the order of their layer, whatever order they are given in: parcels by number,
// all else by place. The same content gives the same bytes.
func Encode(k *KG) ([]byte, error) {
	if k.KGCode == "" {
		return nil, fmt.Errorf("landscape: a KG without a code")
	}
	var f builder
	if err := f.fill(k); err != nil {
		return nil, err
	}
	head, err := column.EncodeAlone("landscape", "head", len(f.chunks), func(w *column.Writer) {
		w.Text([]string{k.KGCode, k.Fingerprint})
		put(w, f.chunks, chunkColumns)
		rows := make([]uint64, len(f.chunks))
		for i := range f.chunks {
			rows[i] = uint64(f.chunks[i].Rows)
		}
		w.Ints(rows)
	})
	if err != nil {
		return nil, err
	}
	return sectionfile.Encode(FileFamily, head, f.sections)
}

type builder struct {
	sections []sectionfile.Section
	chunks   []Chunk
}

func (f *builder) fill(k *KG) error {
	if err := add(f, Buildings, k.Buildings); err != nil {
		return err
	}
	if err := add(f, Changes, k.Changes); err != nil {
		return err
	}
	if err := add(f, Infrastructures, k.Infrastructure); err != nil {
		return err
	}
	if err := add(f, NewBuildings, k.NewBuildings); err != nil {
		return err
	}
	for i := range k.Parcels {
		if id, err := austria.ParseParcelID(k.Parcels[i].ID); err != nil || id.KG != k.Code() {
			return fmt.Errorf("landscape: parcel %q in the file of %s", k.Parcels[i].ID, k.KGCode)
		}
	}
	if err := add(f, Parcels, k.Parcels); err != nil {
		return err
	}
	b, err := EncodeSummaries([]Summary{k.Summary})
	if err != nil {
		return err
	}
	f.sections = append(f.sections, sectionfile.Section{Name: recordSection, Body: b})
	if err := add(f, Samples, k.Samples); err != nil {
		return err
	}
	if err := add(f, Segments, k.Segments); err != nil {
		return err
	}
	return add(f, Trees, k.Trees)
}

func add[T any](f *builder, l *Layer[T], rows []T) error {
	n := 0
	for part := range slices.Chunk(l.sorted(rows), l.rows) {
		b, err := l.Encode(part)
		if err != nil {
			return err
		}
		c := Chunk{Layer: l.Name, Rows: len(part), Box: geom.EmptyBox, First: l.id(&part[0])}
		for i := range part {
			c.Box = c.Box.Union(l.box(&part[i]))
		}
		f.chunks = append(f.chunks, c)
		f.sections = append(f.sections, sectionfile.Section{Name: l.Section(n), Body: b})
		n++
	}
	return nil
}

// summaryLists are the lists of a summary.
var summaryLists = []list[Summary]{
	listOf(func(s *Summary) *[]Landcover { return &s.Landcover }, LandcoverColumns),
	listOf(func(s *Summary) *[]HansenLoss { return &s.HansenLoss }, HansenLossColumns),
	listOf(func(s *Summary) *[]Classification { return &s.Classification }, ClassificationColumns),
	listOf(func(s *Summary) *[]Divergence { return &s.Divergence }, DivergenceColumns),
}

// EncodeSummaries makes a section of summaries.
func EncodeSummaries(rows []Summary) ([]byte, error) {
	records := make([]Record, len(rows))
	for i := range rows {
		records[i] = rows[i].Record
	}
	return column.EncodeAlone("landscape", "summaries", len(rows), func(w *column.Writer) {
		put(w, records, RecordColumns)
		for _, x := range summaryLists {
			x.put(w, rows)
		}
	})
}

// DecodeSummaries reads a section of summaries of any bytes.
func DecodeSummaries(b []byte) (rows []Summary, err error) {
	err = column.DecodeAlone("landscape", "summaries", b, func(r *column.Reader, n int) {
		records := make([]Record, n)
		get(r, records, RecordColumns)
		rows = make([]Summary, n)
		for i := range rows {
			rows[i].Record = records[i]
		}
		for _, x := range summaryLists {
			if r.Err == nil {
				x.read(r, rows)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// Head is what the front of a KG's file says.
type Head struct {
	Code        austria.KGCode
	Fingerprint string
	Chunks      []Chunk // by layer, in the order of rows
}

// ParseHead reads the head of a KG's file of its directory.
func ParseHead(d *sectionfile.Directory) (*Head, error) {
	if d.Family() != FileFamily {
		return nil, fmt.Errorf("landscape: a file of the family %s: expected %s", d.Family(), FileFamily)
	}
	h := &Head{}
	err := column.DecodeAlone("landscape", "head", d.Head(), func(r *column.Reader, n int) {
		names := r.Text(2)
		h.Code, h.Fingerprint = austria.KGCode(names[0]), names[1]
		h.Chunks = make([]Chunk, n)
		get(r, h.Chunks, chunkColumns)
		for i, v := range column.Ints[uint32](r, n) {
			h.Chunks[i].Rows = int(v)
		}
	})
	if err != nil {
		return nil, err
	}
	if _, err := austria.ParseKGCode(string(h.Code)); err != nil {
		return nil, fmt.Errorf("landscape: the file of %q: %w", h.Code, err)
	}
	return h, nil
}

// Of are the chunks of a layer: the section numbers are their places in the list.
func (h *Head) Of(layer string) []Chunk {
	var out []Chunk
	for _, c := range h.Chunks {
		if c.Layer == layer {
			out = append(out, c)
		}
	}
	return out
}

// Rows is how many rows a layer has.
func (h *Head) Rows(layer string) int {
	n := 0
	for _, c := range h.Chunks {
		if c.Layer == layer {
			n += c.Rows
		}
	}
	return n
}

// File is the file of a KG that is read in place.
type File struct {
	*sectionfile.File
	*Head
}

// Open opens the file of a KG of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f, err := sectionfile.Open(r, size)
	if err != nil {
		return nil, err
	}
	h, err := ParseHead(f.Directory)
	if err != nil {
		return nil, err
	}
	return &File{f, h}, nil
}

// Summary reads the summary of the KG.
func (f *File) Summary() (*Summary, error) {
	b, err := f.named(recordSection)
	if err != nil {
		return nil, err
	}
	rows, err := DecodeSummaries(b)
	if err == nil && (len(rows) != 1 || rows[0].Code() != f.Code) {
		err = fmt.Errorf("landscape: the file of %s holds another record", f.Code)
	}
	if err != nil {
		return nil, err
	}
	return &rows[0], nil
}

func (f *File) named(section string) ([]byte, error) {
	i, ok := f.Find(section)
	if !ok {
		return nil, fmt.Errorf("landscape: no section %q", section)
	}
	return f.Section(i)
}

// Rows reads all rows of a layer.
func Rows[T any](f *File, l *Layer[T]) ([]T, error) {
	var out []T
	for n, c := range f.Of(l.Name) {
		b, err := f.named(l.Section(n))
		if err != nil {
			return nil, err
		}
		rows, _, err := l.Decode(b)
		if err != nil {
			return nil, err
		}
		if len(rows) != c.Rows {
			return nil, fmt.Errorf("landscape: %s: %d rows, the head says %d", l.Section(n), len(rows), c.Rows)
		}
		out = append(out, rows...)
	}
	return out, nil
}

// Whole reads all of a file.
func (f *File) Whole() (*KG, error) {
	s, err := f.Summary()
	if err != nil {
		return nil, err
	}
	k := &KG{Summary: *s, Fingerprint: f.Fingerprint}
	for _, read := range []func() error{
		into(f, Buildings, &k.Buildings), into(f, NewBuildings, &k.NewBuildings), into(f, Infrastructures, &k.Infrastructure),
		into(f, Segments, &k.Segments),
		into(f, Parcels, &k.Parcels), into(f, Trees, &k.Trees), into(f, Samples, &k.Samples),
		into(f, Changes, &k.Changes),
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func into[T any](f *File, l *Layer[T], to *[]T) func() error {
	return func() (err error) {
		*to, err = Rows(f, l)
		return err
	}
}
