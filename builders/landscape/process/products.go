package process

import (
	"context"
	"fmt"
	"math"

	"mappe/artefacts/library"
	"mappe/builders/landscape/index"
	"mappe/builders/landscape/products"
	"mappe/shared/cloud/landprocess"
)

// products makes the files that an analysed KG is handed out as, unless those there are were made of the same, and uploads
// what is not in the research repository. It says in words what was done.
func (w *Worker) products(ctx context.Context, v *library.View, assigned landprocess.Assignment, c *landprocess.Current) (text string,
	err error) {
	defer w.guarded(ctx, c.KG, &err)
	e, _, err := w.Records.Entry(ctx, c.KG)
	if err != nil {
		return "", err
	}
	s, err := w.source(ctx, v, &e)
	if err != nil {
		return "", err
	}
	whole, err := w.handedOut(ctx, &e, s.Row)
	if err != nil {
		return "", err
	}
	if !whole || e.Products.Input != s.Input() {
		before := e.Products
		if e.Products, err = products.Make(ctx, w.Store, s, products.Tell(w.telling(assigned, c))); err != nil {
			return "", fmt.Errorf("products: %w", err)
		}
		if err := products.Tables(ctx, w.Store, s); err != nil {
			return "", err
		}
		e.Products.Keep(before)
		e.Products.At = w.now().UTC()
		if err := w.Records.Put(ctx, e); err != nil {
			return "", err
		}
		if err := products.Clear(ctx, w.Store, c.KG, e.Products.Input); err != nil {
			return "", err
		}
		text = fmt.Sprintf("; %d files of %.1f MB", len(e.Products.Files), float64(e.Products.Bytes())/1e6)
	}
	if w.Archive == nil || e.Products.Published() {
		return text, nil
	}
	tell := w.telling(assigned, c)
	for _, set := range e.Products.Sets() {
		if err := w.upload(ctx, tell, s, &e, set); err != nil {
			return "", fmt.Errorf("upload: %w", err)
		}
	}
	return text + "; uploaded", nil
}

// upload puts a set into the research repository and notes where its files are there.
func (w *Worker) upload(ctx context.Context, tell Progress, s *products.Source, e *landprocess.Entry, set landprocess.Set) error {
	a := *w.Archive
	a.Step = func(ctx context.Context, done float64) error {
		return tell(ctx, "uploading "+string(set), int(math.Round(100*done)), 100)
	}
	r, err := a.PutProducts(ctx, s.Deposit(e.Products, set))
	if err != nil {
		return err
	}
	addresses, err := a.Addresses(ctx, r)
	if err != nil {
		return err
	}
	for i := range e.Products.Files {
		f := &e.Products.Files[i]
		if f.Set != set {
			continue
		}
		if f.URL = addresses[f.File]; f.URL == "" {
			return fmt.Errorf("record %d does not name %s", r.ID, f.File)
		}
	}
	return w.Records.Put(ctx, *e)
}

// source opens an analysed KG with what it was analysed from.
func (w *Worker) source(ctx context.Context, v *library.View, e *landprocess.Entry) (*products.Source, error) {
	k, err := index.Read(ctx, w.Store, e.KG, e.Key)
	if err != nil {
		return nil, err
	}
	a, err := open(ctx, v, e.KG)
	if err != nil {
		return nil, err
	}
	l := a.layers
	s := &products.Source{KG: k, Made: e.SHA256, Row: v.Register().KG(e.KG), File: a.file, Outline: a.outline, Rasters: l.Mosaic,
		Ground: l.Ground, Surface: l.Top, Photo: l.photo, NDVI: l.ndvi, SAR: l.sar, Cover: l.cover, Forest: l.forest,
		Credit:  v.Pointer().Attribution,
		Credits: l.credits(), MapCredit: l.mapCredit}
	if l.photo != nil {
		s.PhotoStep = photoStep(l.photo)
	}
	return s, nil
}
