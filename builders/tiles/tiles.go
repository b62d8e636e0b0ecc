package tiles

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/pmt"
	"mappe/shared/geo/mvt"
)

// Options choose what is drawn. The zero value draws all layers from their lowest zooms on one worker.
type Options struct {
	Layers   []Layer // nil: all
	Workers  int     // goroutines, at least 1; the bytes do not depend on it
	FromZoom uint8   // draw every layer but labels from this zoom on instead of its own lowest; 0: its own
}

// Build draws the snapshot's archive. The same snapshot gives the same bytes.
func Build(s *kgfile.Snapshot, o Options) ([]byte, error) {
	layers := o.Layers
	if layers == nil {
		layers = AllLayers()
	}
	var d drawing
	for _, l := range layers {
		d = append(d, l.sheet(s))
	}
	jobs := d.plan(o.FromZoom)
	if len(jobs) == 0 {
		return nil, errors.New("nothing to draw")
	}
	done, err := d.draw(jobs, max(1, o.Workers))
	if err != nil {
		return nil, err
	}
	meta := newMetadata(s.Build.Source, layers)
	meta.Name, meta.Stichtag, meta.KGCode = string(s.KG.Code)+" "+s.KG.Name, s.Build.Stichtag, string(s.KG.Code)
	return pmt.Encode(pmt.Options{
		Type: pmt.MVT, TileCompression: pmt.Gzip,
		MinLon: s.KG.Box.MinX, MinLat: s.KG.Box.MinY, MaxLon: s.KG.Box.MaxX, MaxLat: s.KG.Box.MaxY,
		CenterZoom: 14, Metadata: meta,
	}, done)
}

// drawing holds the projected layers in drawing order.
type drawing []sheet

// job is one tile: which features of which layer touch it with its buffer, in drawing order.
type job struct {
	id   uint64
	at   pmt.ZXY
	rows []row
}

type row struct {
	layer   uint8
	feature int32
}

// plan assigns features to tiles, zoom by zoom, and orders the tiles as the archive wants them.
func (d drawing) plan(from uint8) []job {
	var jobs []job
	first := uint8(MinZoom)
	for i := range d {
		first = min(first, d[i].minZoom)
	}
	for z := first; z <= MaxZoom; z++ {
		index := map[pmt.ZXY]int{}
		for li := range d {
			s := &d[li]
			lowest := s.minZoom
			if from != 0 && !s.fixed {
				lowest = from
			}
			if z < lowest || z > s.maxZoom {
				continue
			}
			for fi := range s.features {
				f := &s.features[fi]
				if z < f.from || f.to != 0 && z > f.to {
					continue
				}
				tiles(f, z, func(at pmt.ZXY) {
					i, ok := index[at]
					if !ok {
						i = len(jobs)
						index[at] = i
						jobs = append(jobs, job{id: at.ID(), at: at})
					}
					jobs[i].rows = append(jobs[i].rows, row{uint8(li), int32(fi)})
				})
			}
		}
	}
	slices.SortFunc(jobs, func(a, b job) int { return cmp.Compare(a.id, b.id) })
	return jobs
}

// tiles gives the tiles that show a feature's box; a point belongs to one tile only.
func tiles(f *feature, z uint8, yield func(pmt.ZXY)) {
	b := f.box.shift(MaxZoom - z)
	buffer := int32(Buffer)
	if f.typ == mvt.Points {
		buffer = 0
	}
	last := int32(1)<<z - 1
	for y := max(0, (b.minY-buffer)>>extentBits); y <= min(last, (b.maxY+buffer)>>extentBits); y++ {
		for x := max(0, (b.minX-buffer)>>extentBits); x <= min(last, (b.maxX+buffer)>>extentBits); x++ {
			yield(pmt.ZXY{Z: z, X: uint32(x), Y: uint32(y)})
		}
	}
}

// draw encodes the jobs on several workers. Results keep the order of the jobs; a tile that shows
// nothing (only boxes touched it) is left out.
func (d drawing) draw(jobs []job, workers int) ([]pmt.Tile, error) {
	out := make([]pmt.Tile, len(jobs))
	errs := make([]error, workers)
	next := make(chan int, len(jobs))
	for i := range jobs {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			e := newEncoder()
			e.dictionaries = make([]dictionary, len(d))
			for i := range next {
				b, err := e.tile(d, &jobs[i])
				if err != nil {
					errs[w] = fmt.Errorf("tile %d/%d/%d: %w", jobs[i].at.Z, jobs[i].at.X, jobs[i].at.Y, err)
					return
				}
				out[i] = pmt.Tile{ID: jobs[i].id, Content: b}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(out, func(t pmt.Tile) bool { return t.Content == nil }), nil
}
