// Package lessons takes objects of known types from made-up scenes (localdev/demo/scene), from which builders/landscape trains the
// classifier of the demo country. The scenes are of seeds that no test and no judge draws, and of other shares of woodland,
// reliefs and densities from one to the next; some of them are divided without heights, orthophoto or satellites, as land is
// where a layer is missing.
package lessons

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"mappe/builders/landscape"
	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/landscape/segment"
)

// first is the number of the first scene in the set "tune": fitting looks at those before it.
const first = 5000

// Scenes is how many scenes the model of the demo country is trained from.
const Scenes = 14

// Purity is the share of an object's cells that are of its type, at least: what is half one thing and half another teaches neither.
const Purity = 0.5

// bare are the layers that are missing from scenes, in turns.
var bare = [...]judged.Bare{{}, {}, {Photo: true}, {}, {Earlier: true}, {}, {Satellite: true}, {}, {Heights: true}, {}}

// Take takes the objects of so many scenes. progress is told how many scenes are done; nil: nobody is.
func Take(ctx context.Context, scenes int, progress func(done, total int)) (*landscape.Samples, error) {
	parts := make([]*landscape.Samples, scenes)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2) // a scene takes some 300 MB
	var mu sync.Mutex
	done := 0
	for n := range scenes {
		g.Go(func() (err error) {
			if parts[n], err = take(ctx, n); err != nil || progress == nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, scenes)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := &landscape.Samples{Source: fmt.Sprintf("%d made-up scenes of 1 km²", scenes)}
	for _, p := range parts {
		out.Append(p)
	}
	return out, nil
}

// take are the objects of a scene, which are a block.
func take(ctx context.Context, n int) (*landscape.Samples, error) {
	out := &landscape.Samples{}
	seed, err := scene.Seed("tune", "", first+n)
	if err != nil {
		return nil, err
	}
	o := scene.Default(seed, 1)
	o.Forest = 0.2 + 0.1*float64(n*3%5)
	o.Stems = [...]float64{0, 250, 0, 500, 0, 800}[n%6]
	o.Events = 22
	s, err := scene.New(o)
	if err != nil {
		return nil, err
	}
	source := judged.SegmentSource(s, 2+n%2, bare[n%len(bare)])
	land, err := segment.Divide(ctx, judged.All(s), segment.Default(), source, func(context.Context) error { return ctx.Err() })
	if err != nil {
		return nil, err
	}
	for i, t := range judged.TrueTypes(s, land) {
		if t.Purity >= Purity {
			out.Add(&land.Objects[i].Row, t.Type, int32(n))
		}
	}
	return out, nil
}

// Options are those of the demo country's model: a smaller forest than that of a real country, which travels with the sources.
func Options() landscape.Options {
	o := landscape.Default()
	o.Trees, o.Depth, o.Leaf = 60, 14, 10
	return o
}
