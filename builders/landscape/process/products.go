package process

import (
	"context"
	"fmt"
	"slices"

	"mappe/artefacts/library"
	"mappe/builders/landscape/index"
	"mappe/builders/landscape/products"
	"mappe/shared/cloud/landprocess"
)

// products makes the files that an analysed KG is handed out as, unless those there are were made of the same. It says in
// words what was made.
func (w *Worker) products(ctx context.Context, v *library.View, owner string, c *landprocess.Current) (text string, err error) {
	defer w.guarded(ctx, c.KG, &err)
	e, _, err := w.Records.Entry(ctx, c.KG)
	if err != nil {
		return "", err
	}
	s, err := w.source(ctx, v, &e)
	if err != nil {
		return "", err
	}
	if e.Products != nil && e.Products.Input == s.Input() {
		return "", nil
	}
	p, err := products.Make(ctx, w.Store, s, products.Tell(w.telling(owner, c)))
	if err != nil {
		return "", fmt.Errorf("products: %w", err)
	}
	p.At = w.now().UTC()
	e.Products = p
	bytes := int64(0)
	for _, f := range p.Files {
		bytes += f.Bytes
	}
	return fmt.Sprintf("; %d files of %.1f MB", len(p.Files), float64(bytes)/1e6), w.Records.Put(ctx, e)
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
		Ground: l.ground, Surface: l.top, NDVI: l.ndvi, SAR: l.sar, Cover: l.cover, Forest: l.forest, Credit: v.Pointer().Attribution,
		Credits: slices.Clone(l.attribution), MapCredit: l.mapCredit}
	return s, nil
}
