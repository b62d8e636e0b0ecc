package products

import (
	"context"
	"encoding/json"
	"errors"

	"mappe/builders/objects"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/store"
)

// damaged takes away what is there and is not as the items of the sets say, or an item that cannot be read: it is made again. Of a set that
// has no item yet nothing is known: its files were written by a worker that was interrupted, each whole.
func (w *workshop) damaged(ctx context.Context) error {
	for _, set := range []landprocess.Set{landprocess.Analysis, landprocess.Infrastructure} {
		item := w.key(itemName(set)).String()
		b, err := objects.Read(ctx, w.store, item)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		var named struct {
			Assets map[string]struct {
				Href string `json:"href"`
				Size int64  `json:"file:size"`
			} `json:"assets"`
		}
		if json.Unmarshal(b, &named) != nil {
			if err := w.store.Delete(ctx, item); err != nil {
				return err
			}
			continue
		}
		sizes := map[string]int64{}
		for _, a := range named.Assets {
			sizes[a.Href] = a.Size
		}
		for i := range w.wanted {
			key := w.key(w.wanted[i].name)
			size, ok := sizes["./"+key.File()]
			if info, err := store.Stat(ctx, w.store, key.String()); !ok || err != nil || info.Size == size {
				continue // who makes it looks again
			}
			if err := w.store.Delete(ctx, key.String()); err != nil {
				return err
			}
		}
	}
	return nil
}
