package national

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/objects"
	"mappe/shared/austria"
)

// readWidth is how many small objects a publication reads or writes at once.
const readWidth = 32

// row is one KG of the new generation. digest is nil until it is needed.
type row struct {
	entry  manifest.Entry
	key    string // of the digest
	digest *kgbuild.Digest
}

// merge takes this run's digests, and for every other KG that is still in the registers the live entry.
// What a digest holds is read only where the live entry came from another one.
func (p *Publication) merge(ctx context.Context, live Live, gone map[austria.KGCode]bool) ([]row, error) {
	mine := map[austria.KGCode]int{}
	rows := make([]row, 0, len(live.Manifest.KGs)+len(p.Digests)+len(p.Keys))
	for i := range p.Digests {
		d := &p.Digests[i]
		mine[d.Key.Code] = len(rows)
		rows = append(rows, row{key: d.Key.String(), digest: &d.Digest})
	}
	for _, k := range p.Keys {
		mine[k.Code] = len(rows)
		rows = append(rows, row{key: k.String()})
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	for code, i := range mine {
		was, _ := live.Manifest.Find(code)
		g.Go(func() error { return p.settle(gctx, &rows[i], was) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, e := range live.Manifest.KGs {
		if _, ok := mine[e.Code]; !ok && !gone[e.Code] {
			rows = append(rows, row{entry: e, key: e.Digest})
		}
	}
	g, gctx = errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	earlier := byKG(p.Earlier)
	for i := range rows {
		g.Go(func() error { return p.addEarlier(gctx, &rows[i], earlier[rows[i].entry.Code]) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.entry.Code, b.entry.Code) })
	return rows, nil
}

// settle finds the entry of a KG that was built in this run.
func (p *Publication) settle(ctx context.Context, r *row, was manifest.Entry) error {
	lost := was.Snapshot != "" && was.Versions.Key == "" // the list of its versions: it begins anew
	if was.Digest == r.key && !lost && (p.Stichtag == "" || was.Stichtag == p.Stichtag) {
		r.entry = was
		return nil
	}
	if err := p.load(ctx, r); err != nil {
		return err
	}
	date := cmp.Or(p.Stichtag, r.digest.Entry.Stichtag)
	if was.Forms == r.digest.Entry.Forms && was.Stichtag == date && !lost {
		// The same data from another input, a neighbour's change in a shared tile: what is served
		// of this KG stays, and with it the generation.
		r.entry = was
		return nil
	}
	// Data that did not change since an earlier date is carried over: the same files under the new date.
	r.entry = r.digest.Entry
	r.entry.District = r.digest.KG.GemeindeCode.District()
	r.entry.Stichtag, r.entry.Snapshot = date, keys.Snapshot{Code: r.entry.Code, Date: date}.Name()
	if was.Forms == r.digest.Entry.Forms { // what was made of these files for the country is looked at by its stages
		r.entry.Quality, r.entry.Artefacts = was.Quality, was.Artefacts
	}
	versions, err := p.versions(ctx, was, r.entry, *r.digest)
	if err != nil {
		return err
	}
	r.entry.Digest, r.entry.Versions = r.key, versions
	return nil
}

// load reads the row's digest unless it is there.
func (p *Publication) load(ctx context.Context, r *row) error {
	if r.digest != nil {
		return nil
	}
	d, err := kgbuild.ReadDigest(ctx, p.Store, r.key)
	if err != nil {
		return err
	}
	r.digest = &d
	return nil
}

// loadAll reads the digests that are still missing.
func (p *Publication) loadAll(ctx context.Context, rows []row) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readWidth)
	for i := range rows {
		g.Go(func() error { return p.load(ctx, &rows[i]) })
	}
	return g.Wait()
}

// versions adds the snapshot to the KG's list and writes it.
func (p *Publication) versions(ctx context.Context, was, now manifest.Entry, d kgbuild.Digest) (manifest.Object, error) {
	v := rowschema.Versions{KGCode: d.KG.Code, KGName: d.KG.Name}
	if was.Versions.Key != "" {
		b, err := objects.Read(ctx, p.Store, was.Versions.Key)
		if err != nil {
			return manifest.Object{}, err
		}
		if v, err = rowschema.ParseVersions(b); err != nil {
			return manifest.Object{}, err
		}
	}
	o := d.Entry.Forms.KGS
	v, err := v.With(rowschema.Version{
		Date: now.Stichtag, Filename: now.Snapshot + ".kgs", Key: o.Key, Size: o.Bytes, MD5: d.MD5, SHA256: o.SHA256,
		ParcelCount: d.Entry.Parcels, ProcessingVersion: rowschema.ProcessingVersion,
	}, rowschema.StampOf(d.Build.AssemblyVersion, d.Build.IngestGeneration))
	if err != nil {
		return manifest.Object{}, err
	}
	body, err := manifest.Encode(v)
	if err != nil {
		return manifest.Object{}, err
	}
	key := keys.Versions{Code: d.KG.Code, Sum: keys.Sum(body)}
	return objects.Of(key, body), objects.Put(ctx, p.Store, key, body)
}

// inputs is the fingerprint of everything the national artefacts are made of: a publication over a live
// generation of the same inputs has nothing to do.
func (p *Publication) inputs(rows []row, live manifest.Artefacts) (string, error) {
	h := sha256.New()
	w := json.NewEncoder(h)
	fmt.Fprintln(h, nationalRecipe, tilesRecipe)
	p.writeStages(h)
	// The register's form has a version of its own: its encoding of nothing tells.
	form, err := register.Encode(&register.Contents{})
	if err != nil {
		return "", err
	}
	h.Write(form)
	built := make(map[austria.KGCode]bool, len(rows))
	for i := range rows {
		built[rows[i].entry.Code] = true
		entry := rows[i].entry
		entry.Artefacts = p.withoutStages(entry.Artefacts)
		if err := w.Encode(entry); err != nil {
			return "", err
		}
	}
	country := p.Country
	country.Known = nil
	for _, f := range p.Country.Known {
		if !built[f.Code] { // a built KG's facts are in its digest
			country.Known = append(country.Known, f)
		}
	}
	slices.SortFunc(country.Known, func(a, b kgbuild.Facts) int { return cmp.Compare(a.Code, b.Code) })
	if err := w.Encode(country); err != nil {
		return "", err
	}
	kept := p.keptArtefacts(live)
	for _, kind := range kept.Kinds() {
		fmt.Fprintln(h, kind, kept[kind].SHA256)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// tilesInputs is the fingerprint of what the national tiles are merged from.
func tilesInputs(kgs []manifest.Entry) string {
	h := sha256.New()
	fmt.Fprintln(h, tilesRecipe)
	for i := range kgs {
		fmt.Fprintln(h, kgs[i].Code, kgs[i].Forms.PMTiles.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}
