package national

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/shared/cloud/store"
)

// landscape reads the files of the KGs that the search index of the landscape names, and looks whether the files are there, as long as
// they were, that the items of products name. What no index and no item names the processor's ledger knows alone: a start looks for it.
func (c *Checked) landscape(ctx context.Context, st store.Store, index manifest.Object) error {
	if index.Key != "" {
		b, err := objects.Read(ctx, st, index.Key)
		if err != nil {
			return nil // the index itself is told of
		}
		entries, err := landscape.ReadEntries(b)
		if err != nil {
			return nil // likewise
		}
		for i := range entries {
			if e := &entries[i]; e.Processed && e.File != "" {
				c.named(ctx, st, e.File)
			}
		}
	}
	return c.products(ctx, st)
}

// named reads an object whose key names its bytes.
func (c *Checked) named(ctx context.Context, st store.Store, key string) {
	b, err := objects.Read(ctx, st, key)
	k, bad := keys.Parse(key)
	c.count(manifest.Object{Key: key}, int64(len(b)), err == nil && bad == nil && keys.ContentSum(k) == keys.Sum(b))
}

// products looks for the files that the items of products name. They are listed, and not read.
func (c *Checked) products(ctx context.Context, st store.Store) error {
	sizes, items := map[string]int64{}, []string{}
	for info, err := range st.List(ctx, "products/") {
		if err != nil {
			return fmt.Errorf("list products/: %w", err)
		}
		sizes[info.Key] = info.Size
		if strings.HasSuffix(info.Key, "-item.json") {
			items = append(items, info.Key)
		}
	}
	for _, key := range items {
		var item struct {
			Assets map[string]struct {
				Href string `json:"href"`
				Size int64  `json:"file:size"`
			} `json:"assets"`
		}
		b, err := objects.Read(ctx, st, key)
		ok := err == nil && json.Unmarshal(b, &item) == nil
		c.count(manifest.Object{Key: key}, int64(len(b)), ok)
		for _, a := range item.Assets {
			file := path.Join(path.Dir(key), a.Href)
			n, there := sizes[file]
			c.count(manifest.Object{Key: file}, n, there && n == a.Size)
		}
	}
	return ctx.Err()
}
