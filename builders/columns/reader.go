package columns

import (
	"context"
	"sync"

	"mappe/artefacts/columns"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
)

// reader makes the artefact of the files of the pass.
type reader struct {
	c      *stage.Country
	served *served
	whole  bool // the served artefact is the result
	work   []*work
	at     map[austria.DistrictCode]*work

	mu    sync.Mutex // of the spool
	spool *spooled
}

// work is a district on its way.
type work struct {
	stage.District
	sum   string
	taken bool            // the served artefact has the district as it is
	keeps map[string]bool // KG files whose rows it has
	mu    sync.Mutex
	rows  map[austria.KGCode]kgRows // that were read
	asked int                       // of how many KGs it is known whether they are read
	wants int                       // of them, those whose file is read
	made  *district                 // without its sections, which stand in the spool
}

func begin(ctx context.Context, c *stage.Country) (stage.Reader, error) {
	r := &reader{c: c, served: openServed(ctx, c), at: map[austria.DistrictCode]*work{}}
	var sums []string
	for _, d := range c.Districts() {
		w := &work{District: d, sum: fingerprint(d.Code, entries(&d)), rows: map[austria.KGCode]kgRows{}}
		r.work, r.at[d.Code], sums = append(r.work, w), w, append(sums, w.sum)
	}
	if r.whole = r.served.whole(sums); r.whole {
		return r, nil
	}
	for _, w := range r.work {
		if w.taken = r.served.has(w.Code, w.sum); !w.taken {
			w.keeps = r.served.keeps(c, w.Code)
		}
	}
	var err error
	r.spool, err = newSpool()
	return r, err
}

// Wants implements stage.Reader.
func (r *reader) Wants(ctx context.Context, k *stage.KG) (bool, error) {
	w := r.at[k.Register.DistrictCode]
	if r.whole || w.taken {
		return false, nil
	}
	want := !w.keeps[kept(k.Entry)]
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	if want {
		w.wants++
		return true, nil
	}
	return false, r.complete(ctx, w)
}

// Take implements stage.Reader.
func (r *reader) Take(ctx context.Context, k *stage.KG, f *kgfile.File) error {
	w := r.at[k.Register.DistrictCode]
	rows, err := read(f, w.Code)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows[k.Entry.Code] = rows
	return r.complete(ctx, w)
}

// complete makes a district when the last of its KGs is there.
func (r *reader) complete(ctx context.Context, w *work) error {
	if w.asked < len(w.KGs) || len(w.rows) < w.wants {
		return nil
	}
	rows := r.served.rows(r.c, w.Code)
	d, err := build(ctx, r.c, &w.District, w.sum, func(k *stage.KG) (kgRows, bool) {
		if x, ok := w.rows[k.Entry.Code]; ok {
			return x, true
		}
		x, ok := rows[kept(k.Entry)]
		return x, ok
	})
	if err != nil {
		return err
	}
	w.rows = nil
	return r.keep(w, d)
}

// keep puts the sections of a district into the spool.
func (r *reader) keep(w *work, d *district) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.spool.add(d)
	d.sections, w.made = nil, d
	return err
}

// Finish implements stage.Reader.
func (r *reader) Finish(ctx context.Context) (manifest.Object, error) {
	if r.whole {
		return r.c.Live[columns.Artefact], nil
	}
	var head []columns.Part
	var all summaries
	err := stage.InOrder(ctx, len(r.work), r.c.Workers, func(ctx context.Context, i int) (*district, error) {
		w := r.work[i]
		if w.made != nil {
			return w.made, nil
		}
		if d := r.served.take(ctx, w.Code, w.sum); d != nil {
			return d, nil
		}
		return build(ctx, r.c, &w.District, w.sum, func(*stage.KG) (kgRows, bool) { return kgRows{}, false })
	}, func(i int, d *district) error {
		head, all.kgs, all.built = append(head, d.part), append(all.kgs, d.kgs...), append(all.built, d.built...)
		if r.work[i].made != nil {
			return nil
		}
		return r.keep(r.work[i], d)
	})
	if err != nil {
		return manifest.Object{}, err
	}
	front, err := columns.EncodeHead(head)
	if err != nil {
		return manifest.Object{}, err
	}
	return r.c.WriteParts(ctx, columns.Artefact, columns.Family, front, func(b *sectionfile.Builder) error {
		return write(b, r.spool, head, &all)
	})
}

// Close implements stage.Reader.
func (r *reader) Close() {
	if r.spool != nil {
		r.spool.close()
	}
}
