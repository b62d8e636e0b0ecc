package landscape

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/internal/column"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
)

// ErrShort is the error of an index made of an earlier one where so many things of a list of the country are gone that others have to
// be looked for in all KGs.
var ErrShort = errors.New("landscape: the lists of the earlier index do not reach")

// ErrOther is the error of an earlier index that another version of the program made, or that its state is not of.
var ErrOther = errors.New("landscape: the earlier index was made by other rules")

// StateFamily is the family of the file in which the builder keeps what is not in the index itself and makes the next one quick: what
// stands behind the lists of the country. Nobody else reads it.
var StateFamily = sectionfile.Family{'l', 'i', 's', '1'}

// rulesVersion changes with what the builder computes of the rows of a KG without a change of columns.
const rulesVersion = 1

// rules name what an index is made by: the columns of all that is in it.
func rules() string {
	h := sha256.New()
	fmt.Fprintln(h, rulesVersion, Tops)
	ruled(h, RecordColumns)
	ruled(h, Built.Columns)
	ruled(h, Land.Columns)
	ruled(h, TopTrees.layer.Columns)
	ruled(h, TopObjects.layer.Columns)
	ruled(h, TopNewBuildings.layer.Columns)
	ruled(h, TopInfrastructure.layer.Columns)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func ruled[T any](w io.Writer, columns Columns[T]) {
	for i := range columns {
		fmt.Fprintln(w, columns[i].Name, columns[i].Type, columns[i].Decimals)
	}
}

// Earlier is an index that was made before, of which the next one takes over what has not changed.
type Earlier struct {
	file            *sectionfile.File
	entries         map[austria.KGCode]*Entry
	builtIn, landIn map[austria.KGCode]Range
	best            map[austria.KGCode]Best
	spares          map[string]spare // by section of the index
}

// OpenEarlier opens an index of any bytes with the state that was kept beside it. ErrOther.
func OpenEarlier(index, state []byte) (*Earlier, error) {
	f, err := sectionfile.Open(bytes.NewReader(index), int64(len(index)))
	if err != nil {
		return nil, err
	}
	if f.Family() != IndexFamily {
		return nil, fmt.Errorf("landscape: a file of the family %s: expected an index", f.Family())
	}
	e := &Earlier{file: f, entries: map[austria.KGCode]*Entry{}, best: map[austria.KGCode]Best{}}
	if e.spares, err = readState(state, nameOf(index)); err != nil {
		return nil, err
	}
	entries, err := named(f, kgsSection, DecodeEntries)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		e.entries[entries[i].Code()] = &entries[i]
	}
	if e.builtIn, err = rangesOf(f, Built); err != nil {
		return nil, err
	}
	if e.landIn, err = rangesOf(f, Land); err != nil {
		return nil, err
	}
	best, err := named(f, WorthSection, DecodeBest)
	for _, b := range best {
		e.best[b.Code] = b
	}
	return e, err
}

// named reads a section by its name.
func named[T any](f *sectionfile.File, name string, decode func([]byte) (T, int64, error)) (v T, err error) {
	i, ok := f.Find(name)
	if !ok {
		return v, fmt.Errorf("%w: no section %s", ErrOther, name)
	}
	b, err := f.Section(i)
	if err != nil {
		return v, err
	}
	v, _, err = decode(b)
	return v, err
}

func rangesOf[T any](f *sectionfile.File, l *Layer[T]) (map[austria.KGCode]Range, error) {
	list, err := named(f, l.RangeSection(), func(b []byte) ([]Range, int64, error) { return DecodeRanges(l, b) })
	out := make(map[austria.KGCode]Range, len(list))
	for _, r := range list {
		out[r.Code] = r
	}
	return out, err
}

// Entry is that of a KG; nil where the index has none.
func (e *Earlier) Entry(code austria.KGCode) *Entry { return e.entries[code] }

// TakeOver begins the index with the lists of an earlier one, without the things of KGs that have changed; Again then adds those that
// have not. It comes before all KGs.
func (x *IndexBuilder) TakeOver(e *Earlier, unchanged func(austria.KGCode) bool) error {
	for _, l := range x.lists() {
		if err := l.takeOver(e, unchanged); err != nil {
			return err
		}
	}
	x.earlier = e
	return nil
}

// Again adds a processed KG whose file is the one that the earlier index was made of: entry is that of the earlier index, with what has
// changed in the register since.
func (x *IndexBuilder) Again(entry Entry) error {
	entry.QualityScore, entry.QualityGrade = Quality(&entry.Record)
	x.entries = append(x.entries, entry)
	code, e := entry.Code(), x.earlier
	if r, ok := e.builtIn[code]; ok {
		s, err := e.section(Built.Of(code))
		if err != nil {
			return err
		}
		x.built, x.builtIn = append(x.built, s), append(x.builtIn, r)
	}
	if r, ok := e.landIn[code]; ok {
		s, err := e.section(Land.Of(code))
		if err != nil {
			return err
		}
		x.land, x.landIn, x.best = append(x.land, s), append(x.landIn, r), append(x.best, e.best[code])
	}
	return nil
}

func (e *Earlier) section(name string) (sectionfile.Section, error) {
	i, ok := e.file.Find(name)
	if !ok {
		return sectionfile.Section{}, fmt.Errorf("landscape: the earlier index has no section %s", name)
	}
	b, err := e.file.Section(i)
	return sectionfile.Section{Name: name, Body: b}, err
}

// nameOf names an index by its bytes.
func nameOf(index []byte) string {
	sum := sha256.Sum256(index)
	return hex.EncodeToString(sum[:16])
}

// State makes the state of an index that Encode has made.
func (x *IndexBuilder) State(index []byte) ([]byte, error) {
	var list []spare
	for _, l := range x.lists() {
		more, err := l.more()
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	head, err := column.EncodeAlone("landscape", "state", len(list), func(w *column.Writer) {
		w.Text([]string{rules(), nameOf(index)})
		column.Texts(w, list, func(s *spare) string { return s.section })
		cut := make([]uint64, len(list))
		for i := range list {
			if list[i].cut {
				cut[i] = 1
			}
		}
		w.Ints(cut)
	})
	if err != nil {
		return nil, err
	}
	var sections []sectionfile.Section
	for _, s := range list {
		if s.body != nil {
			sections = append(sections, sectionfile.Section{Name: s.section, Body: s.body})
		}
	}
	return sectionfile.Encode(StateFamily, head, sections)
}

// readState reads the state of an index of any bytes.
func readState(b []byte, index string) (map[string]spare, error) {
	f, err := sectionfile.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	if f.Family() != StateFamily {
		return nil, fmt.Errorf("landscape: a file of the family %s: expected the state of an index", f.Family())
	}
	var list []spare
	var made []string
	err = column.DecodeAlone("landscape", "state", f.Head(), func(r *column.Reader, n int) {
		made = r.Text(2)
		list = make([]spare, n)
		r.EachText(n, func(i int, s string) { list[i].section = s })
		for i, v := range column.Ints[uint8](r, n) {
			list[i].cut = v == 1
		}
	})
	if err != nil {
		return nil, err
	}
	if made[0] != rules() || made[1] != index {
		return nil, ErrOther
	}
	out := make(map[string]spare, len(list))
	for _, s := range list {
		if i, ok := f.Find(s.section); ok {
			if s.body, err = f.Section(i); err != nil {
				return nil, err
			}
		}
		out[s.section] = s
	}
	return out, nil
}
