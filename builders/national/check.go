package national

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"mappe/artefacts/availability"
	"mappe/artefacts/keys"
	"mappe/artefacts/landscape"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/rasters"
	"mappe/artefacts/rowschema"
	"mappe/builders/objects"
	rasterbuild "mappe/builders/rasters"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Checked is the result of reading back a whole generation.
type Checked struct {
	Generation string   `json:"generation"`
	KGs        int      `json:"kgs"`
	Objects    int      `json:"objects"`
	Bytes      int64    `json:"bytes"`
	Latest     string   `json:"latest"` // generation of the files below latest/; another one until a killed publication is repeated
	Evicted    Evicted  `json:"evicted"`
	Broken     []string `json:"broken"` // objects that are missing, and were not evicted, or hold other bytes than the manifest says
}

// Evicted are the KGs whose snapshots left the store by its budget: they are archived, and come back when they are asked for.
type Evicted struct {
	KGs     []austria.KGCode `json:"kgs"`
	Objects int              `json:"objects"`
}

// Check reads every object of the served generation and compares it with the manifest; report is
// called with each KG's quality report in rising KG order.
func Check(ctx context.Context, st store.Store, report func(rowschema.Quality)) (Checked, error) {
	live, err := ReadLive(ctx, st)
	if err != nil {
		return Checked{}, err
	}
	if live.etag == store.Absent {
		return Checked{}, fmt.Errorf("nothing is published there yet")
	}
	evicted, err := readEvicted(ctx, st)
	if err != nil {
		return Checked{}, err
	}
	c := Checked{Generation: live.Pointer.Generation, KGs: len(live.Manifest.KGs), Broken: []string{},
		Evicted: Evicted{KGs: []austria.KGCode{}}}
	m := &live.Manifest
	for _, o := range m.National() {
		c.object(ctx, st, o)
	}
	if err := c.rasters(ctx, st, m.Artefacts[rasters.Artefact]); err != nil {
		return c, err
	}
	for _, e := range m.KGs {
		if err := c.forms(ctx, st, e, evicted); err != nil {
			return c, err
		}
		c.object(ctx, st, e.Versions)
		for _, o := range e.Artefacts.All() {
			c.object(ctx, st, o)
		}
		if q, ok := c.quality(ctx, st, e.Quality); ok {
			report(q)
		}
	}
	if err := c.landscape(ctx, st, m.Artefacts[landscape.Artefact]); err != nil {
		return c, err
	}
	if err := c.latest(ctx, st, live); err != nil {
		return c, err
	}
	return c, ctx.Err()
}

// readEvicted is the index of what was evicted.
func readEvicted(ctx context.Context, st store.Store) (availability.Index, error) {
	key := keys.Availability{}.String()
	b, _, err := store.ReadAll(ctx, st, key, availability.MaxBytes, store.GetOptions{})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return availability.Index{}, nil
	case err != nil:
		return availability.Index{}, fmt.Errorf("read %s: %w", key, err)
	}
	return availability.Parse(b)
}

// forms reads the forms of a KG. Of an evicted KG those that are not there are no fault.
func (c *Checked) forms(ctx context.Context, st store.Store, e manifest.Entry, evicted availability.Index) error {
	if !evicted.Has(e.Code, e.Forms.KGS.SHA256) {
		for _, o := range e.Forms.All() {
			c.object(ctx, st, o)
		}
		return nil
	}
	c.Evicted.KGs = append(c.Evicted.KGs, e.Code)
	may := e.Forms.Evictable()
	for _, o := range e.Forms.All() {
		if slices.ContainsFunc(may, func(m manifest.Object) bool { return m.Key == o.Key }) {
			switch _, err := store.Stat(ctx, st, o.Key); {
			case errors.Is(err, store.ErrNotFound):
				c.Evicted.Objects++
				continue
			case err != nil:
				return fmt.Errorf("look for %s: %w", o.Key, err)
			}
		}
		c.object(ctx, st, o)
	}
	return nil
}

// rasters reads the tiles that the index of rasters names.
func (c *Checked) rasters(ctx context.Context, st store.Store, index manifest.Object) error {
	if index.Key == "" {
		return nil
	}
	layers, err := rasterbuild.ReadIndex(ctx, st, index)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, rasterbuild.ErrIndex) {
		return nil // the index itself is told of
	}
	if err != nil {
		return err
	}
	for _, l := range layers {
		for _, t := range l.Tiles {
			c.object(ctx, st, t.Object)
		}
	}
	return nil
}

// latest holds the files below latest/ against the generation: each once, of the right bytes, and no other.
func (c *Checked) latest(ctx context.Context, st store.Store, live Live) error {
	x, _, err := readLatest(ctx, st)
	if err != nil {
		return err
	}
	if c.Latest = x.Generation; c.Latest != c.Generation {
		return nil
	}
	want := latestOf(&live.Manifest, live.Pointer.Generation)
	left := map[string]bool{}
	for info, err := range st.List(ctx, "latest/") {
		if err != nil {
			return err
		}
		left[info.Key] = info.Key != keys.LatestIndex{}.String()
	}
	for _, e := range live.Manifest.KGs {
		objects := append(e.Forms.All(), e.Artefacts[ne.TableArtefact])
		for _, f := range want.Files[e.Code] {
			i := slices.IndexFunc(objects, func(o manifest.Object) bool { return o.Key == f.Of })
			o := objects[i]
			o.Key = f.Key
			c.object(ctx, st, o)
			left[f.Key] = false
		}
	}
	for key, stray := range left {
		if stray {
			c.Broken = append(c.Broken, key)
		}
	}
	slices.Sort(c.Broken)
	return nil
}

// object reads an object in pieces: the national tiles are some GB.
func (c *Checked) object(ctx context.Context, st store.Store, o manifest.Object) {
	h := sha256.New()
	n, err := copyTo(ctx, h, st, o.Key)
	c.count(o, n, err == nil && hex.EncodeToString(h.Sum(nil)) == o.SHA256)
}

func copyTo(ctx context.Context, w io.Writer, st store.Store, key string) (int64, error) {
	o, err := st.Get(ctx, key, store.GetOptions{Plain: true})
	if err != nil {
		return 0, err
	}
	defer o.Body.Close()
	return io.Copy(w, o.Body)
}

func (c *Checked) quality(ctx context.Context, st store.Store, o manifest.Object) (q rowschema.Quality, ok bool) {
	b, err := objects.Read(ctx, st, o.Key)
	ok = err == nil && objects.Sum(b) == o.SHA256 && json.Unmarshal(b, &q) == nil
	c.count(o, int64(len(b)), ok)
	return q, ok
}

func (c *Checked) count(o manifest.Object, n int64, ok bool) {
	if !ok {
		c.Broken = append(c.Broken, o.Key)
		return
	}
	c.Objects++
	c.Bytes += n
}
