// Package products makes the files that the analysis of a KG is handed out as: two GeoPackages, a summary in JSON, rasters as
// cloud optimised GeoTIFFs, previews, and a STAC item that names them. builders/landscape/process says what a KG was analysed
// from and calls it; shared/cloud/landprocess keeps which files there are, builders/archive uploads them.
//
// The files of a KG lie beside each other in the store below products/{code}/{input}/, where input names what they were made
// of. The item of a set stands behind all files that it names: where it is, the set is whole. A file that is there already is not
// made again, so that a worker that died costs the file that it was making.
//
// There are two sets, for there are two licences: the analysis under CC BY 4.0, and the infrastructure, which follows from the
// community map, under the ODbL.
package products

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/artefacts/register"
	"mappe/builders/objects"
	"mappe/builders/tiles"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/raster"
)

// Recipe names the way in which the files are made: another one makes all of them anew.
const Recipe = "landscape-products-2"

// Source is an analysed KG with what it was analysed from.
type Source struct {
	KG      *landscape.KG
	Made    string       // SHA-256 of its file
	Row     *register.KG // of the cadastre
	File    *kgfile.File
	Outline []raster.Polygon // EPSG:3035
	Rasters *mosaic.Mosaic
	// The layers that it was analysed in; nil: none reaches into it.
	Ground, Surface, Photo, NDVI, SAR, Cover, Forest *rasters.Layer
	PhotoStep                                        float64  // side of the cells of the orthophoto that it was analysed in
	Credit                                           string   // of the cadastre
	Credits                                          []string // of the layers
	MapCredit                                        string   // of the community map; "": it is not used
}

// Input names what the files are made of.
func (s *Source) Input() string {
	return keys.Sum(fmt.Appendf(nil, "%s %s %s %q %q %q", Recipe, s.Made, s.Row.Snapshot.Key, s.Credit, s.Credits, s.MapCredit))
}

// Tell is told how many files are done, before each. An error of it ends the work.
type Tell func(ctx context.Context, step string, done, of int) error

// product is a file to be made.
type product struct {
	name  string // with its ending
	title string
	set   landprocess.Set
	roles []string
	about map[string]any // further members of its asset
	make  func(ctx context.Context, path string) error
}

// workshop is the making of the files of a KG.
type workshop struct {
	*Source
	store   store.Store
	input   string
	dir     string // where files lie while they are made
	done    []landprocess.Product
	wanted  []product
	rasters []*layer
}

// Make makes the files of a KG and stores them. Errors of the store may pass.
func Make(ctx context.Context, st store.Store, s *Source, tell Tell) (p *landprocess.Products, err error) {
	dir, done, err := spool.Folder("")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	w := &workshop{Source: s, store: st, input: s.Input(), dir: dir}
	w.rasters = s.layers()
	w.wanted = w.list()
	if err := w.damaged(ctx); err != nil {
		return nil, err
	}
	for i := range w.wanted {
		if err := tell(ctx, "making products", i, len(w.wanted)); err != nil {
			return nil, err
		}
		if err := w.one(ctx, &w.wanted[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", w.wanted[i].name, err)
		}
	}
	return &landprocess.Products{Input: w.input, Files: w.done}, nil
}

// Clear deletes the files of a KG that were made of older inputs, but for the set before the present one: somebody may still
// read it.
func Clear(ctx context.Context, st store.Store, code austria.KGCode, input string) error {
	made := map[string]time.Time{} // by input
	files := map[string][]string{}
	for info, err := range st.List(ctx, "products/"+string(code)+"/") {
		if err != nil {
			return err
		}
		k, err := keys.Parse(info.Key)
		p, ok := k.(keys.Product)
		if err != nil || !ok || p.Input == input {
			continue
		}
		if files[p.Input] = append(files[p.Input], info.Key); info.Modified.After(made[p.Input]) {
			made[p.Input] = info.Modified
		}
	}
	inputs := slices.SortedFunc(maps.Keys(made), func(a, b string) int { return cmp.Or(made[b].Compare(made[a]), cmp.Compare(a, b)) })
	for _, old := range inputs[min(1, len(inputs)):] {
		for _, key := range files[old] {
			if err := st.Delete(ctx, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// list are the files in the order in which they are made: a set's item behind all others of the set.
func (w *workshop) list() []product {
	out := w.rasterFiles()
	out = append(out, w.photoFiles()...)
	out = append(out, w.vectorFiles()...)
	out = append(out, product{name: "summary.json", title: "Record of the KG, its parcels and its buildings", set: landprocess.Analysis,
		roles: []string{"data"}, make: w.summary})
	if len(w.KG.Segments)+len(w.KG.Trees) > 0 {
		out = append(out, product{name: Tiles, title: "Segments and trees as vector tiles", set: landprocess.Analysis,
			roles: []string{"visual"},
			make:  w.tiles})
	}
	out = append(out, w.previews()...)
	if out = append(out, w.item(landprocess.Analysis)); len(w.KG.Infrastructure) > 0 {
		out = append(out, w.item(landprocess.Infrastructure))
	}
	return out
}

// Tiles is the name of the file of vector tiles.
const Tiles = "landscape.pmtiles"

func (w *workshop) tiles(_ context.Context, path string) error {
	b, err := tiles.Landscape(w.KG, w.credit(landprocess.Analysis), w.date(), 1)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

func (w *workshop) key(name string) keys.Product {
	return keys.Product{Code: w.Row.Code, Input: w.input, Name: name}
}

// one makes a file that is not there yet, and notes it.
func (w *workshop) one(ctx context.Context, p *product) error {
	key := w.key(p.name)
	_, err := store.Stat(ctx, w.store, key.String())
	switch {
	case err == nil:
		return w.note(ctx, p, key)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	path := w.path(p.name)
	if err := p.make(ctx, path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := objects.PutFrom(ctx, w.store, key, f, info.Size()); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, info.Size())); err != nil {
		return err
	}
	w.add(p, key, info.Size(), sum.Sum(nil))
	if filepath.Ext(path) == ".gpkg" { // the largest ones; what is made of others stays until the end
		return os.Remove(path)
	}
	return nil
}

// note notes a file that is there.
func (w *workshop) note(ctx context.Context, p *product, key keys.Product) error {
	o, err := w.store.Get(ctx, key.String(), store.GetOptions{Plain: true})
	if err != nil {
		return err
	}
	defer o.Body.Close() // read only
	sum := sha256.New()
	n, err := io.Copy(sum, o.Body)
	if err == nil && n != o.Size {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		w.add(p, key, n, sum.Sum(nil))
	}
	return err
}

func (w *workshop) add(p *product, key keys.Product, size int64, sum []byte) {
	w.done = append(w.done, landprocess.Product{Name: p.name, File: key.File(), Set: p.set, Key: key.String(), Bytes: size,
		SHA256: hex.EncodeToString(sum)})
}

func (w *workshop) path(name string) string { return filepath.Join(w.dir, name) }

// local opens a file that was made before, from the store where an earlier worker has made it.
func (w *workshop) local(ctx context.Context, name string) (*os.File, error) {
	path := w.path(name)
	if f, err := os.Open(path); err == nil || !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	o, err := w.store.Get(ctx, w.key(name).String(), store.GetOptions{Plain: true})
	if err != nil {
		return nil, err
	}
	defer o.Body.Close() // read only
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, o.Body); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
