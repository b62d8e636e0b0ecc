// Package searchindex reads the national search directory (artefacts/directory) for the families that search the whole
// country: from a parcel number or the id of an address point to the KGs that have it, and the words of addresses. It owns
// how the directory is opened, which of its blocks are read, and what is said while it cannot be; what is looked for and how
// rows are drawn is the families' own (functions/core/search, functions/cadastre/query).
//
// A generation's directory is made from the KG files of that generation, as its columns are.
package searchindex

import (
	"context"
	"errors"
	"slices"
	"time"

	"mappe/artefacts/directory"
	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// Index is the search directory of a request's generation.
type Index struct {
	View  *view.View
	Parts *library.Parts
	Head  *directory.Head
	State string // names the directory, for ETags
}

// retryAfter is when a directory that cannot be read is worth another try.
const retryAfter = 5 * time.Second

// Of opens the directory; nil where the generation has none, or a date is asked for.
func Of(ctx context.Context, v *view.View) (*Index, error) {
	key, ok := v.Artefact(directory.Artefact)
	if !ok || v.Past() {
		return nil, nil
	}
	p, err := v.Parts(ctx, key, directory.Family)
	if err != nil {
		return nil, Unreadable(ctx, err)
	}
	h, err := library.Head(p, directory.ParseHead)
	if err != nil {
		return nil, Unreadable(ctx, err)
	}
	return &Index{v, p, h, key.String()}, nil
}

// Required is Of for a search that nothing else answers.
func Required(ctx context.Context, v *view.View) (*Index, error) {
	x, err := Of(ctx, v)
	if x == nil && err == nil {
		err = Unreadable(ctx, errors.New("the generation has no search directory"))
	}
	return x, err
}

// Unreadable is the answer while the directory cannot be read; one that is lost or damaged is not readable a little later.
func Unreadable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if library.Unread(err) {
		f := generation.Unread("the search index", err)
		f.Message = "the search index is not initialised: repeating does not help until it is built again"
		return f
	}
	return fault.Retry(fault.Unavailable, retryAfter, "the search index is not initialised").Because(err)
}

// Sections reads sections of the directory.
func Sections[T any](ctx context.Context, x *Index, list []int, decode func(section int, body []byte) (T, int64, error)) ([]T, error) {
	got, err := library.Sections(ctx, x.Parts, list, decode)
	if err != nil {
		return nil, Unreadable(ctx, err)
	}
	return got, nil
}

// Words gives the words and names of addresses.
func (x *Index) Words(ctx context.Context) (*directory.Index, error) {
	w, ok1 := directory.WordsSection(x.Parts.Directory)
	m, ok2 := directory.NamesSection(x.Parts.Directory)
	if !ok1 || !ok2 {
		return nil, Unreadable(ctx, errors.New("the search directory has no words or no names"))
	}
	got, err := Sections(ctx, x, []int{w, m}, func(section int, body []byte) (any, int64, error) {
		if section == w {
			return directory.OpenWords(x.Head, body)
		}
		return directory.DecodeNames(x.Head, body)
	})
	if err != nil {
		return nil, err
	}
	words, _ := got[0].(*directory.Words)
	names, _ := got[1].(*directory.Names)
	index, err := directory.NewIndex(words, names)
	if err != nil {
		return nil, Unreadable(ctx, err)
	}
	return index, nil
}

// Building is the KG that has an address point; "" where the directory knows none.
func (x *Index) Building(ctx context.Context, id austria.BuildingID) (austria.KGCode, error) {
	at, ok := directory.IDBlock(x.Parts.Directory, id)
	if !ok {
		return "", nil
	}
	got, err := Sections(ctx, x, []int{at}, func(_ int, body []byte) ([]directory.ID, int64, error) {
		return directory.DecodeIDs(x.Head, body)
	})
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(got[0], func(x directory.ID) bool { return x.ID == id })
	if i < 0 {
		return "", nil
	}
	return x.Head.KGs[got[0][i].KG], nil
}

// Uncovered are the KGs that the directory knows nothing of, by rising code: they have no snapshot.
func (x *Index) Uncovered() []austria.KGCode {
	var codes []austria.KGCode
	kgs := x.View.Register().KGs()
	at := 0
	for i := range kgs {
		for at < len(x.Head.KGs) && x.Head.KGs[at] < kgs[i].Code {
			at++
		}
		if at == len(x.Head.KGs) || x.Head.KGs[at] != kgs[i].Code {
			codes = append(codes, kgs[i].Code)
		}
	}
	return codes
}
