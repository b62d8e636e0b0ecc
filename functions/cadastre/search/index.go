package search

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/directory"
	"mappe/artefacts/library"
	"mappe/functions/rows"
	"mappe/functions/view"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// searchIndex is the search directory of a request's generation.
type searchIndex struct {
	v     *view.View
	parts *library.Parts
	head  *directory.Head
	state string // names the directory, for ETags
}

// indexRetry is when a directory that cannot be read is worth another try.
const indexRetry = 5 * time.Second

// directoryOf opens the directory; nil where the generation has none, or a date is asked for.
func directoryOf(ctx context.Context, v *view.View) (*searchIndex, error) {
	key, ok := v.Artefact(directory.Artefact)
	if !ok || v.Past() {
		return nil, nil
	}
	p, err := v.Parts(ctx, key, directory.Kind)
	if err != nil {
		return nil, uninitialised(ctx, err)
	}
	h, err := library.Head(p, directory.ParseHead)
	if err != nil {
		return nil, uninitialised(ctx, err)
	}
	return &searchIndex{v, p, h, key.String()}, nil
}

// required is directoryOf for a search that nothing else answers.
func required(ctx context.Context, v *view.View) (*searchIndex, error) {
	n, err := directoryOf(ctx, v)
	if n == nil && err == nil {
		err = uninitialised(ctx, errors.New("the generation has no search directory"))
	}
	return n, err
}

// uninitialised is the answer while the directory cannot be read.
func uninitialised(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Retry(fault.Unavailable, indexRetry, "the search index is not initialised").Because(err)
}

// sections reads sections of the directory.
func sections[T any](ctx context.Context, n *searchIndex, list []int, decode func(section int, body []byte) (T, int64, error)) ([]T, error) {
	got, err := library.Sections(ctx, n.parts, list, decode)
	if err != nil {
		return nil, uninitialised(ctx, err)
	}
	return got, nil
}

// guarded runs what looks into the transducer, whose library trusts its bytes.
func guarded(ctx context.Context, f func() error) error {
	if err := library.Guarded(f); err != nil {
		if errors.Is(err, library.ErrDamaged) {
			return uninitialised(ctx, err)
		}
		return err
	}
	return nil
}

// index gives the words and names.
func (n *searchIndex) index(ctx context.Context) (*directory.Index, error) {
	w, ok1 := directory.WordsSection(n.parts.Directory)
	m, ok2 := directory.NamesSection(n.parts.Directory)
	if !ok1 || !ok2 {
		return nil, uninitialised(ctx, errors.New("the search directory has no words or no names"))
	}
	got, err := sections(ctx, n, []int{w, m}, func(section int, body []byte) (any, int64, error) {
		if section == w {
			return directory.OpenWords(n.head, body)
		}
		return directory.DecodeNames(n.head, body)
	})
	if err != nil {
		return nil, err
	}
	words, _ := got[0].(*directory.Words)
	names, _ := got[1].(*directory.Names)
	x, err := directory.NewIndex(words, names)
	if err != nil {
		return nil, uninitialised(ctx, err)
	}
	return x, nil
}

// numbered are how many parcels each KG of the head has whose number fits.
func (n *searchIndex) numbered(ctx context.Context, p numberPattern) ([]int32, error) {
	found := make([]int32, len(n.head.KGs))
	if p.exact() {
		kgs, err := n.having(ctx, austria.GNR(p))
		for _, kg := range kgs {
			found[kg]++
		}
		return found, err
	}
	prefix, _, _ := strings.Cut(string(p), "*")
	lo, hi := directory.NumberBlocks(n.parts.Directory, prefix)
	const together = 64 // blocks; what is decoded at once stays small
	for ; lo < hi; lo += together {
		var list []int
		for i := lo; i < min(lo+together, hi); i++ {
			list = append(list, i)
		}
		blocks, err := sections(ctx, n, list, func(_ int, body []byte) (*directory.Numbers, int64, error) {
			return directory.DecodeNumbers(n.head, body)
		})
		if err != nil {
			return nil, err
		}
		for _, b := range blocks {
			count(found, b, p)
		}
	}
	return found, nil
}

// count adds the numbers of a block that fit.
func count(found []int32, b *directory.Numbers, p numberPattern) {
	for i, text := range b.Texts {
		if p.matches(austria.GNR(text)) {
			for _, kg := range b.KGs(i) {
				found[kg]++
			}
		}
	}
}

// having are the KGs that have a parcel of a number, as numbers in the head.
func (n *searchIndex) having(ctx context.Context, number austria.GNR) ([]uint32, error) {
	at, ok := directory.NumberBlock(n.parts.Directory, string(number))
	if !ok {
		return nil, nil
	}
	got, err := sections(ctx, n, []int{at}, func(_ int, body []byte) (*directory.Numbers, int64, error) {
		return directory.DecodeNumbers(n.head, body)
	})
	if err != nil {
		return nil, err
	}
	i, ok := got[0].Find(string(number))
	if !ok {
		return nil, nil
	}
	return got[0].KGs(i), nil
}

// kgOf is the KG that has an address point; "" where the directory knows none.
func (n *searchIndex) kgOf(ctx context.Context, id austria.BuildingID) (austria.KGCode, error) {
	at, ok := directory.IDBlock(n.parts.Directory, id)
	if !ok {
		return "", nil
	}
	got, err := sections(ctx, n, []int{at}, func(_ int, body []byte) ([]directory.ID, int64, error) {
		return directory.DecodeIDs(n.head, body)
	})
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(got[0], func(x directory.ID) bool { return x.ID == id })
	if i < 0 {
		return "", nil
	}
	return n.head.KGs[got[0][i].KG], nil
}

// uncovered are the KGs that the directory knows nothing of, by rising code.
func (n *searchIndex) uncovered() []austria.KGCode {
	var codes []austria.KGCode
	kgs := n.v.Register().KGs()
	at := 0
	for i := range kgs {
		for at < len(n.head.KGs) && n.head.KGs[at] < kgs[i].Code {
			at++
		}
		if at == len(n.head.KGs) || n.head.KGs[at] != kgs[i].Code {
			codes = append(codes, kgs[i].Code)
		}
	}
	return codes
}

// over is a query over the KGs in which the directory found rows of a layer, and over those that it does not
// cover. hits counts the rows of each KG of the head; nil: none.
func (n *searchIndex) over(ctx context.Context, hits []int32, l rows.Layer) (*rows.Query, error) {
	counts := map[austria.KGCode]int{}
	codes := n.uncovered()
	for kg, c := range hits {
		if c > 0 {
			code := n.head.KGs[kg]
			counts[code] = int(c)
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	l.Hits = func(at *rows.Place) int {
		if c, ok := counts[at.Code]; ok {
			return c
		}
		return -1
	}
	q := &rows.Query{View: n.v, State: n.state, Layers: []rows.Layer{l}, Places: make([]rows.Place, 0, len(codes))}
	kgs, cold := n.v.Register().KGs(), view.Asking{}
	for at, i := 0, 0; i < len(codes); at++ { // both rise: a look-up for each would take longest of all
		if at == len(kgs) || kgs[at].Code > codes[i] {
			q.Named = append(q.Named, codes[i]) // the register has no such KG
			at--
			i++
			continue
		}
		if kgs[at].Code < codes[i] {
			continue
		}
		place := rows.Place{Code: codes[i], KG: &kgs[at]}
		if i++; place.KG.Snapshot.Key != "" {
			q.Places = append(q.Places, place)
			continue
		}
		if err := cold.Note(ctx, n.v, place.Code, &q.Gaps); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// nationalNumbers is the query for the parcels of a number in the whole country; nil where there is no directory.
func nationalNumbers(ctx context.Context, v *view.View, p numberPattern) (*rows.Query, error) {
	n, err := directoryOf(ctx, v)
	if n == nil {
		return nil, err
	}
	found, err := n.numbered(ctx, p)
	if err != nil {
		return nil, err
	}
	return n.over(ctx, found, rows.Layer{Source: rows.Parcels(parcelRows.Record()), Match: numbered(p)})
}

// nationalBuilding is the query for the address point of an id; nil where there is no directory.
func nationalBuilding(ctx context.Context, v *view.View, id austria.BuildingID, l rows.Layer) (*rows.Query, error) {
	n, err := directoryOf(ctx, v)
	if n == nil {
		return nil, err
	}
	code, err := n.kgOf(ctx, id)
	if err != nil {
		return nil, err
	}
	if code != "" {
		q, err := over(ctx, v, []austria.KGCode{code}, l)
		if err == nil {
			q.State = n.state
		}
		return q, err
	}
	q, err := n.over(ctx, nil, l)
	return q, err
}
