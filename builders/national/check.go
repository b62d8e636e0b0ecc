package national

import (
	"context"
	"encoding/json"
	"fmt"

	"mappe/artefacts/kgdocs"
	"mappe/artefacts/manifest"
	"mappe/shared/cloud/store"
)

// Checked is the result of reading back a whole generation.
type Checked struct {
	Generation string   `json:"generation"`
	KGs        int      `json:"kgs"`
	Objects    int      `json:"objects"`
	Bytes      int64    `json:"bytes"`
	Broken     []string `json:"broken"` // objects that are missing or hold other bytes than the manifest says
}

// Check reads every object of the served generation and compares it with the manifest; report is
// called with each KG's quality report in rising KG order.
func Check(ctx context.Context, st store.Store, report func(kgdocs.Quality)) (Checked, error) {
	live, err := ReadLive(ctx, st)
	if err != nil {
		return Checked{}, err
	}
	if live.etag == store.Absent {
		return Checked{}, fmt.Errorf("nothing is published there yet")
	}
	c := Checked{Generation: live.Pointer.Generation, KGs: len(live.Manifest.KGs), Broken: []string{}}
	m := &live.Manifest
	for _, o := range []manifest.Object{m.Register, m.KGList, m.Metrics, m.Tiles} {
		c.object(ctx, st, o)
	}
	for _, e := range m.KGs {
		for _, o := range e.Forms.All() {
			c.object(ctx, st, o)
		}
		c.object(ctx, st, e.Versions)
		var q kgdocs.Quality
		if b := c.object(ctx, st, e.Quality); b == nil {
			continue
		} else if err := json.Unmarshal(b, &q); err != nil {
			c.Broken = append(c.Broken, e.Quality.Key)
			continue
		}
		report(q)
	}
	return c, ctx.Err()
}

func (c *Checked) object(ctx context.Context, st store.Store, o manifest.Object) []byte {
	b, err := read(ctx, st, o.Key)
	if err != nil || sha(b) != o.SHA256 {
		c.Broken = append(c.Broken, o.Key)
		return nil
	}
	c.Objects++
	c.Bytes += int64(len(b))
	return b
}
