package national

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/builders/kgbuild"
	"mappe/builders/landscape"
	"mappe/builders/objects"
	"mappe/builders/overlays"
	"mappe/builders/prices"
	"mappe/builders/proximity"
	"mappe/builders/rasters"
	"mappe/builders/relief"
	"mappe/builders/source/observations"
	"mappe/builders/toponyms"
	"mappe/shared/austria"
	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/store"
)

// The recipes name what in the program decides the bytes of the national artefacts beside their inputs. A
// change of the register, the lists or the merging changes them; then a publication of the same inputs
// makes them anew.
const (
	nationalRecipe = "national-2"
	tilesRecipe    = "tiles-1"
)

// swapAttempts bounds how often a publisher that lost the race for the pointer starts over.
const swapAttempts = 16

// swapPause is what the pause before another attempt grows by; it is drawn at random up to that.
const swapPause = 500 * time.Millisecond

// Country is what the registers of a source say beside the KGs.
type Country struct {
	Municipalities []register.Municipality
	Districts      []register.District
	Localities     []register.Locality
	PLZ            []register.PostalPlace
	// Known are all KGs of the register and of the outlines: one without a snapshot is listed, cold.
	Known       []kgbuild.Facts
	Attribution string
	// Overlays lie over the parcels; nil where the source has none. Their sum is in the recipes of their stages.
	Overlays *overlays.Source `json:"-"`
	// Proximity are the extracts of the community map, nil without any.
	Proximity *proximity.Source `json:"-"`
	Toponyms  *toponyms.Source  `json:"-"` // nil without any
	Terrain   *relief.Source    `json:"-"` // nil without any
	Rasters   *rasters.Source   `json:"-"` // height models; nil without any: those that are served stay
	// Classifier is the model of segments; nil without any. Its sum is in the recipe of its stage.
	Classifier *landscape.Source `json:"-"`
	// Observations are those of a peer in cells; nil without any, or before they are released.
	Observations *observations.Layer `json:"-"`
	Prices       prices.Given        // published price series; none: those that are served stay
}

// Publication is one publishing step.
type Publication struct {
	Store    store.Store
	Country  Country
	Digests  []kgbuild.Made // of the KGs built in this run; others keep what is live
	Keys     []keys.Digest  // of KGs built elsewhere: their digests are read from the store where needed
	Accept   bool           // drop KGs with parcels that the registers have no more
	Stichtag string         // of the source: the date its KGs are published under; "" takes that of their files
	// Artefacts are further artefacts of the country that stand in the store already, by kind. Kinds that are
	// not named keep what is live.
	Artefacts manifest.Artefacts
	Earlier   []keys.Epoch // snapshots of earlier epochs, for the lists of versions
	// Restore brings back a served snapshot that was evicted and that an artefact of the country is made from; nil: its
	// absence fails the publication.
	Restore  func(context.Context, manifest.Entry) error
	Observer Observer         // nil: nobody is told
	Now      func() time.Time // dates the publication; nil: time.Now
}

// Published is the end of a publication.
type Published struct {
	Generation string // that is served
	Changed    bool   // by this call
	Abolished  []Abolished
}

// Live is the generation that is served, and what swapping it needs.
type Live struct {
	Pointer  manifest.Pointer
	Manifest manifest.Manifest
	etag     string // store.Absent when nothing was ever published
}

// ReadLive reads the pointer and its manifest.
func ReadLive(ctx context.Context, st store.Store) (Live, error) {
	return readLive(ctx, st, Live{})
}

// readLive is ReadLive for one who holds an earlier state: an unchanged pointer gives it back, and the
// manifest, 20 MB for the whole country, is not read again.
func readLive(ctx context.Context, st store.Store, held Live) (Live, error) {
	var opt store.GetOptions
	if held.etag != "" && held.etag != store.Absent {
		opt.IfNoneMatch = held.etag
	}
	b, info, err := store.ReadAll(ctx, st, keys.Current{}.String(), objects.Max, opt)
	if errors.Is(err, store.ErrNotModified) {
		return held, nil
	}
	if errors.Is(err, store.ErrNotFound) {
		return Live{etag: store.Absent}, nil
	}
	if err != nil {
		return Live{}, err
	}
	l := Live{etag: info.ETag}
	if l.Pointer, err = manifest.ParsePointer(b); err != nil {
		return Live{}, err
	}
	if b, err = objects.Read(ctx, st, l.Pointer.Manifest); err != nil {
		return Live{}, err
	}
	if l.Manifest, err = manifest.ParseManifest(b); err != nil {
		return Live{}, err
	}
	return l, joinParts(ctx, st, &l.Manifest)
}

// partWidth is how many parts of a manifest are read or written at once.
const partWidth = 16

// joinParts reads the parts of a manifest.
func joinParts(ctx context.Context, st store.Store, m *manifest.Manifest) error {
	bodies := make([][]byte, len(m.Parts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partWidth)
	for i, p := range m.Parts {
		g.Go(func() (err error) {
			bodies[i], err = objects.Read(ctx, st, p.Key)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return m.Join(bodies)
}

// Publish merges the digests with what is live, writes the national artefacts and the manifest, and
// swaps the pointer. Who loses the race for the pointer merges again with the winner's generation.
func Publish(ctx context.Context, p Publication) (Published, error) {
	if p.Observer == nil {
		p.Observer = silent{}
	}
	for attempt := range swapAttempts {
		if attempt > 0 { // several processes that lost do not race in step again
			if err := pause.For(ctx, rand.N(time.Duration(attempt)*swapPause)); err != nil {
				return Published{}, err
			}
		}
		live, err := ReadLive(ctx, p.Store)
		if err != nil {
			return Published{}, err
		}
		done, now, err := publishOver(ctx, p, live)
		if errors.Is(err, store.ErrPrecondition) {
			continue
		}
		if err == nil && now.etag != store.Absent {
			if err = syncLatest(ctx, p.Store, p.Observer, now); err != nil {
				err = fmt.Errorf("generation %s is published, the files below latest/ are not all of it: %w", done.Generation, err)
			}
		}
		return done, err
	}
	return Published{}, fmt.Errorf("the pointer was swapped by others %d times in a row: run the build again", swapAttempts)
}

// publishOver gives what is served then too.
func publishOver(ctx context.Context, p Publication, live Live) (Published, Live, error) {
	p.Observer.Phase("compare")
	done := Published{Generation: live.Pointer.Generation}
	abolished, err := p.abolished(ctx, live)
	if err != nil {
		return done, live, err
	}
	done.Abolished = abolished
	live, lost, err := p.lost(ctx, live)
	if err != nil {
		return done, live, err
	}
	gone := map[austria.KGCode]bool{}
	for _, a := range abolished {
		gone[a.Code] = a.Dropped
	}
	rows, err := p.merge(ctx, live, gone)
	if err != nil || len(rows) == 0 {
		return done, live, err
	}
	inputs, err := p.inputs(rows, live.Manifest.Artefacts)
	if err != nil || inputs == live.Manifest.Inputs && !lost && !p.again(live.Manifest.Artefacts) {
		return done, live, err
	}
	announced, err := announce(ctx, p.Store, time.Now)
	if err != nil {
		return done, live, err
	}
	defer announced()
	if err := p.present(ctx); err != nil {
		return done, live, err
	}
	if err := p.loadAll(ctx, rows); err != nil {
		return done, live, err
	}
	m, err := p.national(ctx, rows, live.Manifest)
	if err != nil {
		return done, live, err
	}
	m.Inputs = inputs
	now, err := p.swap(ctx, m, live)
	if err == nil {
		done.Generation, done.Changed = now.Pointer.Generation, now.Pointer.Generation != live.Pointer.Generation
	}
	return done, now, err
}

// swap writes the manifest and moves the pointer to it.
func (p *Publication) swap(ctx context.Context, m manifest.Manifest, live Live) (Live, error) {
	p.Observer.Phase("manifest")
	blobs, err := m.Split()
	if err != nil {
		return live, err
	}
	last := blobs[len(blobs)-1]
	key := last.Key.(keys.Manifest)
	if live.Pointer.Generation == key.Generation {
		return live, nil
	}
	if err := p.putParts(ctx, blobs[:len(blobs)-1], live.Manifest.Parts); err != nil {
		return live, err
	}
	if err := objects.Put(ctx, p.Store, key, last.Body); err != nil {
		return live, err
	}
	p.Observer.Phase("pointer")
	if err := published(ctx, p.Store, key.Generation); err != nil {
		return live, err
	}
	next := manifest.Pointer{
		Format: manifest.Format, Generation: key.Generation, Manifest: key.String(), ManifestSHA256: objects.Of(key, last.Body).SHA256,
		Register: m.Register.Key, RegisterSHA256: m.Register.SHA256, Tiles: m.Tiles.Key, Places: m.Places.Key, Stichtag: m.Stichtag,
		Attribution: m.Attribution,
		KGCount:     m.KGCount, UniverseHash: m.UniverseHash, Previous: live.Pointer.Generation, Artefacts: m.Artefacts,
	}
	if err := p.log(ctx, &next, m, live); err != nil {
		return live, err
	}
	body, err := manifest.Encode(next)
	if err != nil {
		return live, err
	}
	opt := objects.Options(keys.Current{})
	opt.IfMatch = live.etag
	info, err := p.Store.Put(ctx, keys.Current{}.String(), body, opt)
	return Live{Pointer: next, Manifest: m, etag: info.ETag}, err
}

// putParts writes the parts of a manifest that the live one does not have.
func (p *Publication) putParts(ctx context.Context, parts []manifest.Blob, live []manifest.Part) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partWidth)
	for _, b := range parts {
		if slices.ContainsFunc(live, func(p manifest.Part) bool { return p.Key == b.Key.String() }) {
			continue
		}
		g.Go(func() error { return objects.Put(ctx, p.Store, b.Key, b.Body) })
	}
	return g.Wait()
}

// national writes the merged artefacts and fills the manifest.
func (p *Publication) national(ctx context.Context, rows []row, live manifest.Manifest) (manifest.Manifest, error) {
	m := manifest.Manifest{Format: manifest.Format, License: rowschema.LicenseURL, Attribution: p.Country.Attribution,
		Artefacts: p.keptArtefacts(live.Artefacts)}
	for _, r := range rows {
		m.Stichtag = max(m.Stichtag, r.entry.Stichtag)
		m.KGs = append(m.KGs, r.entry)
		if m.Attribution == "" {
			m.Attribution = r.digest.Build.Source
		}
	}
	p.Observer.Phase("register")
	contents := p.register(rows, m)
	body, err := register.Encode(&contents)
	if err != nil {
		return m, err
	}
	codes := make([]austria.KGCode, len(contents.KGs))
	for i := range contents.KGs {
		codes[i] = contents.KGs[i].Code
	}
	m.KGCount, m.UniverseHash = len(codes), register.UniverseHash(codes)
	if m.Register, err = p.write(ctx, func(sum string) keys.Key { return keys.Register{Sum: sum} }, body); err != nil {
		return m, err
	}
	for _, doc := range []struct {
		name string
		body any
		to   *manifest.Object
	}{{"kgs", kgList(contents.KGs, m.UniverseHash), &m.KGList}, {"metrics", metrics(rows), &m.Metrics}} {
		b, err := json.Marshal(doc.body)
		if err != nil {
			return m, err
		}
		if *doc.to, err = p.write(ctx, func(sum string) keys.Key { return keys.National{Name: doc.name, Sum: sum, Ext: "json"} },
			b); err != nil {
			return m, err
		}
	}
	if body, err = placesOf(contents).encode(); err != nil {
		return m, err
	}
	if m.Places, err = p.write(ctx, func(sum string) keys.Key { return keys.National{Name: "places", Sum: sum, Ext: "json.gz"} },
		body); err != nil {
		return m, err
	}
	m.TilesInputs = tilesInputs(m.KGs) // stages add artefacts of KGs, which are none of theirs
	tiles := p.tilesBeside(ctx, rows, live, m.TilesInputs)
	defer tiles.stop()
	made, err := p.further(ctx, rows, &contents, live, m.KGs)
	if err != nil {
		return m, err
	}
	m.Artefacts = m.Artefacts.With(made)
	if m.TilesInputs != live.TilesInputs {
		p.Observer.Phase("tiles")
	}
	m.Tiles, err = tiles.wait()
	return m, err
}

func (p *Publication) write(ctx context.Context, key func(sum string) keys.Key, body []byte) (manifest.Object, error) {
	k := key(keys.Sum(body))
	return objects.Of(k, body), objects.Put(ctx, p.Store, k, body)
}

// register fills the national register: the KGs of this generation, and those known without data.
func (p *Publication) register(rows []row, m manifest.Manifest) register.Contents {
	c := register.Contents{
		Stichtag: m.Stichtag, Attribution: m.Attribution, ToleranceM: kgbuild.OutlineToleranceM,
		Municipalities: p.Country.Municipalities, Districts: p.Country.Districts, Localities: p.Country.Localities, PLZ: p.Country.PLZ,
	}
	built := map[austria.KGCode]bool{}
	for _, r := range rows {
		built[r.entry.Code] = true
		o := r.entry.Forms.KGS
		snapshot := register.Object{Key: o.Key, Date: r.entry.Stichtag, Bytes: o.Bytes}
		sum, _ := hex.DecodeString(o.SHA256) // written by objectOf
		copy(snapshot.SHA256[:], sum)
		c.KGs = append(c.KGs, register.KG{KG: r.digest.KG, DistrictCode: r.digest.KG.GemeindeCode.District(), Centroid: r.digest.Centroid,
			Snapshot: snapshot, Outline: r.digest.Outline,
			Assembly: r.digest.Build.AssemblyVersion, Ingest: r.digest.Build.IngestGeneration})
	}
	for _, f := range p.Country.Known {
		if !built[f.Code] {
			c.KGs = append(c.KGs, coldKG(f))
		}
	}
	slices.SortFunc(c.KGs, func(a, b register.KG) int { return cmp.Compare(a.Code, b.Code) })
	return c
}

// PublishSnapshots writes ready snapshots and serves them: for benchmarks and trials that start from a
// snapshot instead of a raw source.
func PublishSnapshots(ctx context.Context, st store.Store, snaps ...*kgfile.Snapshot) (generation string, err error) {
	p := Publication{Store: st}
	for _, s := range snaps {
		made, err := kgbuild.WriteSnapshot(ctx, st, s)
		if err != nil {
			return "", err
		}
		p.Digests = append(p.Digests, made)
	}
	done, err := Publish(ctx, p)
	return done.Generation, err
}
