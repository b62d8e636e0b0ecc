package process

import (
	"context"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
)

// look finds what a start of the processor was asked for: results whose files are not in the store any more, whole. The inputs of
// their KGs are forgotten, so that their turn comes; a file that is there is not made again then. Folders are listed, a thousand
// objects in a request, once for each start.
func (w *Worker) look(ctx context.Context, v *library.View) error {
	s, err := w.Records.Step(ctx, func(*landprocess.State) error { return nil })
	if err != nil || s.Look.IsZero() {
		return err
	}
	list, err := w.Records.Entries(ctx)
	if err != nil {
		return err
	}
	there := sizes{}
	for _, folder := range []string{"landscape/", "products/", "tables/"} {
		if err := there.list(ctx, w.Store, folder); err != nil {
			return err
		}
	}
	for i := range list {
		if err := w.forget(ctx, &list[i], v.Register().KG(list[i].KG), there); err != nil {
			return err
		}
	}
	_, err = w.Records.Step(ctx, func(now *landprocess.State) error { now.Looked(s.Look); return nil })
	return err
}

// forget has a KG looked at again whose files are not all there.
func (w *Worker) forget(ctx context.Context, e *landprocess.Entry, row *register.KG, there sizes) error {
	if e.Inputs == "" || row == nil || there.has(e.Key, e.Bytes) && (!w.Products || e.Products == nil || there.products(e, row)) {
		return nil
	}
	now, ok, err := w.Records.Entry(ctx, e.KG)
	if err != nil || !ok || now.Key != e.Key || now.Inputs != e.Inputs {
		return err // another worker has done it meanwhile
	}
	now.Inputs = ""
	if err := w.Records.Put(ctx, now); err != nil {
		return err
	}
	w.line(ctx, e.KG, "files of it are not in the store any more: they are made anew")
	return nil
}

// handedOut says whether the files that a KG is handed out as are there as they were noted. One of another size is taken away first:
// who makes the others would take it for what it was.
func (w *Worker) handedOut(ctx context.Context, e *landprocess.Entry, row *register.KG) (bool, error) {
	if e.Products == nil {
		return false, nil
	}
	there := sizes{}
	if err := there.list(ctx, w.Store, fmt.Sprintf("products/%s/%s/", e.KG, e.Products.Input)); err != nil {
		return false, err
	}
	for _, f := range e.Products.Files {
		if n, ok := there[f.Key]; ok && n != f.Bytes {
			if err := w.Store.Delete(ctx, f.Key); err != nil {
				return false, err
			}
		}
	}
	for _, key := range tablesOf(row) {
		if err := there.list(ctx, w.Store, key); err != nil {
			return false, err
		}
	}
	return there.products(e, row), nil
}

// sizes are those of objects in the store, by key.
type sizes map[string]int64

// list adds the objects whose keys begin with a prefix.
func (s sizes) list(ctx context.Context, st store.Store, prefix string) error {
	for info, err := range st.List(ctx, prefix) {
		if err != nil {
			return fmt.Errorf("list %s: %w", prefix, err)
		}
		s[info.Key] = info.Size
	}
	return nil
}

func (s sizes) has(key string, bytes int64) bool {
	n, ok := s[key]
	return ok && n == bytes
}

// products says whether all files of a KG are there, and its tables, whose sizes nobody notes.
func (s sizes) products(e *landprocess.Entry, row *register.KG) bool {
	for _, f := range e.Products.Files {
		if !s.has(f.Key, f.Bytes) {
			return false
		}
	}
	for _, key := range tablesOf(row) {
		if _, ok := s[key]; !ok {
			return false
		}
	}
	return true
}

// tablesOf are the keys of the tables of a KG.
func tablesOf(row *register.KG) (out []string) {
	for _, layer := range keys.Tables() {
		out = append(out, keys.Table{Layer: layer, Code: row.Code, State: row.State()}.String())
	}
	return out
}
