// Package headcache makes the artefact of fronts (artefacts/headcache) out of the artefacts that earlier stages made.
package headcache

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/headcache"
	"mappe/artefacts/manifest"
	"mappe/builders/stage"
	"mappe/shared/cloud/store"
)

// Stage is the stage of a publication that makes the artefact; it stands behind those of the artefacts that it repeats.
func Stage() stage.Stage {
	return stage.Stage{Artefact: headcache.Artefact, Recipe: "fronts-1", Make: build}
}

func build(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	of := map[string]headcache.Front{}
	for _, kind := range headcache.Kinds() {
		o, ok := c.Made[kind]
		if !ok {
			o, ok = c.Live[kind] // nothing in this publication makes it anew: it stays served
		}
		if !ok {
			continue
		}
		f, err := front(ctx, c.Store, o)
		if err != nil {
			return manifest.Object{}, err
		}
		if len(f.Bytes) > 0 {
			of[o.Key] = f
		}
	}
	if len(of) == 0 {
		return manifest.Object{}, nil
	}
	body, err := headcache.Encode(of)
	if err != nil {
		return manifest.Object{}, err
	}
	return c.Write(ctx, headcache.Artefact, "parts", body)
}

// front reads the beginning of an object; empty where it is too long to be held or is there no more, which is for
// those to find who read it.
func front(ctx context.Context, s store.Store, o manifest.Object) (headcache.Front, error) {
	if o.Bytes == 0 {
		return headcache.Front{}, nil
	}
	n := min(o.Bytes, headcache.MaxFront)
	b, _, err := store.ReadAll(ctx, s, o.Key, n, store.GetOptions{Range: &store.Range{Length: n}, Plain: true})
	if errors.Is(err, store.ErrNotFound) {
		return headcache.Front{}, nil
	}
	if err != nil {
		return headcache.Front{}, fmt.Errorf("read %s: %w", o.Key, err)
	}
	n, err = headcache.Length(o.Key, b, o.Bytes)
	if err != nil {
		return headcache.Front{}, err
	}
	return headcache.Front{Size: o.Bytes, Bytes: b[:n]}, nil
}
