package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// table is the index of the country in memory.
type table struct {
	entries   []landscape.Entry // by code
	lower     []string          // names of KG and municipality, in small letters
	processed int
}

func tableOf(entries []landscape.Entry) *table {
	t := &table{entries: entries, lower: make([]string, len(entries))}
	for i := range entries {
		e := &entries[i]
		t.lower[i] = strings.ToLower(e.KGName + "\x00" + e.GemeindeName)
		if e.Processed {
			t.processed++
		}
	}
	return t
}

// find is the entry of a KG, or nil.
func (t *table) find(code austria.KGCode) *landscape.Entry {
	i, ok := slices.BinarySearchFunc(t.entries, string(code), func(e landscape.Entry, code string) int {
		return strings.Compare(e.KGCode, code)
	})
	if !ok {
		return nil
	}
	return &t.entries[i]
}

// held is the table with the KGs that the register has and the index lacks, of the two that were asked last. An index is older than
// the register until the processor makes the next one: a KG that is new meanwhile was not processed, and is no unknown one.
type held struct {
	mu    sync.Mutex
	reg   *register.Register
	index string // key; "" of no index
	was   *table // nil: the index lacks none
}

// with is a table of an index, empty of none, with all KGs of the register.
func (h *held) with(reg *register.Register, index string, t *table) *table {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reg != reg || h.index != index {
		h.reg, h.index, h.was = reg, index, nil
		var lacking []landscape.Entry
		for i := range reg.KGs() {
			if k := &reg.KGs()[i]; t.find(k.Code) == nil {
				lacking = append(lacking, landscape.Entry{Summary: landscape.Summary{Record: landscape.OfCadastre(k)}})
			}
		}
		if len(lacking) > 0 || index == "" {
			all := slices.Concat(t.entries, lacking)
			slices.SortFunc(all, func(a, b landscape.Entry) int { return strings.Compare(a.KGCode, b.KGCode) })
			h.was = tableOf(all)
		}
	}
	if h.was != nil {
		return h.was
	}
	return t
}

// country is what a request is answered from.
type country struct {
	*table
	v     *library.View
	parts *library.Parts // nil: the country has no index
	key   string         // of the index; "" likewise
}

// open is the country of the generation that a request is answered from. An index that cannot be read is a fault with
// Retry-After.
func (s *service) open(ctx context.Context) (*country, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	key, ok := v.Artefact(landscape.Artefact)
	if !ok {
		return &country{table: s.held.with(v.Register(), "", &table{}), v: v}, nil
	}
	p, err := v.Parts(ctx, key, landscape.IndexFamily)
	if err != nil {
		return nil, unread(ctx, "the search index", err)
	}
	c := &country{v: v, parts: p, key: key.String()}
	c.table, err = section(ctx, p, landscape.KGs, func(b []byte) (*table, int64, error) {
		entries, cost, err := landscape.DecodeEntries(b)
		if err != nil {
			return nil, 0, err
		}
		return tableOf(entries), cost, nil
	})
	if err == nil && c.table == nil {
		err = fmt.Errorf("%s: %w: it has no KGs", key, library.ErrDamaged)
	}
	if err != nil {
		return nil, unread(ctx, "the search index", err)
	}
	c.table = s.held.with(v.Register(), c.key, c.table)
	return c, nil
}

// section reads a section by its name; none of one that is not there.
func section[T any](ctx context.Context, p *library.Parts, name string, decode func([]byte) (T, int64, error)) (T, error) {
	var none T
	i, ok := p.Find(name)
	if !ok {
		return none, nil
	}
	got, err := library.Sections(ctx, p, []int{i}, func(_ int, b []byte) (T, int64, error) { return decode(b) })
	if err != nil {
		return none, err
	}
	return got[0], nil
}

// retryUnread is when data that could not be read is worth another try.
const retryUnread = 5 * time.Second

// unread is the fault of an object of the index that cannot be read: the processor makes it anew.
func unread(ctx context.Context, what string, err error) error {
	if ctx.Err() == nil && library.Unread(err) {
		return fault.Retry(fault.Unavailable, retryUnread, "%s cannot be read at the moment", what).Because(err)
	}
	return generation.Fault(ctx, err)
}

// need is the entry of a KG; a fault where the country has none.
func (c *country) need(code austria.KGCode) (*landscape.Entry, error) {
	if e := c.find(code); e != nil {
		return e, nil
	}
	return nil, fault.Missed("KG", string(code))
}

// absent is why the file of a KG cannot be read, by the one rule of what is missing; 0 of errors of another kind.
func absent(ctx context.Context, err error) view.Absence {
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, library.ErrDamaged):
		return view.Damaged
	case errors.Is(err, library.ErrGone):
		return view.Lost
	}
	return 0
}

// noFile is the fault of a file of a KG that cannot be read. That it is missing or damaged does not pass by repeating: the processor
// makes it anew when it next makes the index.
func noFile(ctx context.Context, code austria.KGCode, err error) error {
	why := absent(ctx, err)
	if why == 0 {
		return generation.Fault(ctx, err)
	}
	f := why.Fault(code).Because(err)
	f.Message = fmt.Sprintf("what analysis found on KG %s is %s: repeating does not help until it is analysed again", code, why)
	f.Members["processed"], f.Members["kg_code"] = true, string(code)
	return f
}

// file is the file of a processed KG. Of others it is a 404 that says processed: false.
type file struct {
	e *landscape.Entry
	p *library.Parts
	h *landscape.Head
}

func (c *country) file(ctx context.Context, code austria.KGCode) (*file, error) {
	e, err := c.need(code)
	if err != nil {
		return nil, err
	}
	if e.File == "" {
		f := fault.New(fault.NotFound, "KG %s was not processed yet: /query?kg=%s has what the cadastre knows of it", code, code)
		f.Members = map[string]any{"processed": false, "kg_code": string(code), "reason": notAnalysed}
		return nil, f
	}
	key, err := keys.Parse(e.File)
	if err != nil {
		return nil, fmt.Errorf("KG %s: %w", code, err)
	}
	p, err := c.v.Parts(ctx, key, landscape.FileFamily)
	if err != nil {
		return nil, noFile(ctx, code, err)
	}
	h, err := library.Head(p, func([]byte) (*landscape.Head, error) { return landscape.ParseHead(p.Directory) })
	if err != nil {
		return nil, noFile(ctx, code, err)
	}
	return &file{e, p, h}, nil
}

// sectionsAtOnce is how many sections of a layer are read at once where rows are only looked at: each has up to 4,096 rows.
const sectionsAtOnce = 4

// eachRow looks at the rows of those sections of a layer that are wanted: what is not kept is let go.
func eachRow[T any](ctx context.Context, f *file, l *landscape.Layer[T], wanted func(landscape.Chunk) bool, look func(*T)) error {
	chunks := f.h.Of(l.Name)
	for from := 0; from < len(chunks); from += sectionsAtOnce {
		at := -1
		got, err := rows(ctx, f, l, func(c landscape.Chunk) bool {
			at++
			return at >= from && at < from+sectionsAtOnce && wanted(c)
		})
		if err != nil {
			return err
		}
		for _, part := range got {
			for i := range part {
				look(&part[i])
			}
		}
	}
	return nil
}

// rows reads those sections of a layer of a KG that are wanted, and gives their rows one after the other.
func rows[T any](ctx context.Context, f *file, l *landscape.Layer[T], wanted func(landscape.Chunk) bool) ([][]T, error) {
	var sections []int
	for n, c := range f.h.Of(l.Name) {
		if !wanted(c) {
			continue
		}
		i, ok := f.p.Find(l.Section(n))
		if !ok {
			return nil, noFile(ctx, f.e.Code(), fmt.Errorf("%w: no section %s", library.ErrDamaged, l.Section(n)))
		}
		sections = append(sections, i)
	}
	got, err := library.Sections(ctx, f.p, sections, func(_ int, b []byte) ([]T, int64, error) { return l.Decode(b) })
	if err != nil {
		return nil, noFile(ctx, f.e.Code(), err)
	}
	return got, nil
}

// notAnalysed is the reason of a KG, or of a parcel that is newer than the analysis of its KG, of which only the cadastre tells.
const notAnalysed = "not_analysed"

func every(landscape.Chunk) bool { return true }

// sectionsOf reads the sections of KGs of a layer; each is there.
func sectionsOf[T any](ctx context.Context, p *library.Parts, l *landscape.Layer[T], codes []austria.KGCode) ([][]T, error) {
	numbers := make([]int, len(codes))
	for i, code := range codes {
		n, ok := p.Find(l.Of(code))
		if !ok {
			return nil, fmt.Errorf("%w: no section %s", library.ErrDamaged, l.Of(code))
		}
		numbers[i] = n
	}
	return library.Sections(ctx, p, numbers, func(_ int, b []byte) ([]T, int64, error) { return l.Decode(b) })
}

func yearText(y float64) string { return fmt.Sprintf("%.0f", y) }
