package national

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// OutlineToleranceM is how far the register's outlines may lie from the true ones.
const OutlineToleranceM = 10

// swapAttempts bounds how often a publisher that lost the race for the pointer starts over.
const swapAttempts = 8

// Country is what the registers of a source say beside the KGs.
type Country struct {
	Municipalities []register.Municipality
	Districts      []register.District
	Localities     []register.Locality
	PLZ            []register.PostalPlace
	// Known are all KGs of the register and of the outlines: one without a snapshot is listed, cold.
	Known       []Facts
	Attribution string
}

// Publication is one publishing step.
type Publication struct {
	Store    store.Store
	Country  Country
	Digests  []Made // of the KGs built in this run; others keep what is live
	Observer Observer
}

// Live is the generation that is served, and what swapping it needs.
type Live struct {
	Pointer  manifest.Pointer
	Manifest manifest.Manifest
	etag     string // store.Absent when nothing was ever published
}

// ReadLive reads the pointer and its manifest.
func ReadLive(ctx context.Context, st store.Store) (Live, error) {
	b, info, err := store.ReadAll(ctx, st, keys.Current{}.String(), maxObject, store.GetOptions{})
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
	if b, err = read(ctx, st, l.Pointer.Manifest); err != nil {
		return Live{}, err
	}
	l.Manifest, err = manifest.ParseManifest(b)
	return l, err
}

// Publish merges the digests with what is live, writes the national artefacts and the manifest, and
// swaps the pointer. Who loses the race for the pointer merges again with the winner's generation. It
// says which generation is served and whether this call changed it.
func Publish(ctx context.Context, p Publication) (generation string, changed bool, err error) {
	for range swapAttempts {
		live, err := ReadLive(ctx, p.Store)
		if err != nil {
			return "", false, err
		}
		generation, changed, err = publishOver(ctx, p, live)
		if !errors.Is(err, store.ErrPrecondition) {
			return generation, changed, err
		}
	}
	return "", false, fmt.Errorf("the pointer was swapped by others %d times in a row: run the build again", swapAttempts)
}

func publishOver(ctx context.Context, p Publication, live Live) (string, bool, error) {
	rows, err := p.merge(ctx, live)
	if err != nil {
		return "", false, err
	}
	if len(rows) == 0 {
		return live.Pointer.Generation, false, nil
	}
	m, err := p.national(ctx, rows)
	if err != nil {
		return "", false, err
	}
	p.Observer.Phase("manifest")
	body, err := manifest.Encode(m)
	if err != nil {
		return "", false, err
	}
	key := keys.Manifest{Generation: keys.Sum(body)}
	if live.Pointer.Generation == key.Generation {
		return key.Generation, false, nil
	}
	if err := put(ctx, p.Store, key, body); err != nil {
		return "", false, err
	}
	p.Observer.Phase("pointer")
	next := manifest.Pointer{
		Format: manifest.Format, Generation: key.Generation, Manifest: key.String(), ManifestSHA256: objectOf(key, body).SHA256,
		Register: m.Register.Key, RegisterSHA256: m.Register.SHA256, Tiles: m.Tiles.Key, Stichtag: m.Stichtag, Attribution: m.Attribution,
		KGCount: m.KGCount, UniverseHash: m.UniverseHash, Previous: live.Pointer.Generation,
	}
	if body, err = manifest.Encode(next); err != nil {
		return "", false, err
	}
	h := keys.HeadersOf(keys.Current{})
	_, err = p.Store.Put(ctx, keys.Current{}.String(), body, store.PutOptions{
		Headers: store.Headers{ContentType: h.ContentType, ContentEncoding: h.ContentEncoding, CacheControl: h.CacheControl}, IfMatch: live.etag,
	})
	return key.Generation, err == nil, err
}

// row is one KG of the new generation.
type row struct {
	entry  manifest.Entry
	digest Digest
}

// merge takes this run's digests, and for every other KG the live one.
func (p *Publication) merge(ctx context.Context, live Live) ([]row, error) {
	rows := make([]row, 0, len(live.Manifest.KGs)+len(p.Digests))
	mine := map[austria.KGCode]bool{}
	for _, d := range p.Digests {
		mine[d.Key.Code] = true
		was, _ := live.Manifest.Find(d.Key.Code)
		if was.Forms == d.Digest.Entry.Forms {
			// The same data from another input, a neighbour's change in a shared tile: what is served
			// of this KG stays, and with it the generation.
			rows = append(rows, row{was, d.Digest})
			continue
		}
		entry := d.Digest.Entry
		entry.Digest = d.Key.String()
		versions, err := p.versions(ctx, was, d.Digest)
		if err != nil {
			return nil, err
		}
		entry.Versions = versions
		rows = append(rows, row{entry, d.Digest})
	}
	for _, e := range live.Manifest.KGs {
		if mine[e.Code] {
			continue
		}
		b, err := read(ctx, p.Store, e.Digest)
		if err != nil {
			return nil, fmt.Errorf("KG %s: %w", e.Code, err)
		}
		d, err := parseDigest(b)
		if err != nil {
			return nil, fmt.Errorf("KG %s: %w", e.Code, err)
		}
		rows = append(rows, row{e, d})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.entry.Code, b.entry.Code) })
	return rows, nil
}

// versions adds the snapshot to the KG's list and writes it.
func (p *Publication) versions(ctx context.Context, was manifest.Entry, d Digest) (manifest.Object, error) {
	v := kgdocs.Versions{KGCode: d.KG.Code, KGName: d.KG.Name}
	if was.Versions.Key != "" {
		b, err := read(ctx, p.Store, was.Versions.Key)
		if err != nil {
			return manifest.Object{}, err
		}
		if v, err = kgdocs.ParseVersions(b); err != nil {
			return manifest.Object{}, err
		}
	}
	o := d.Entry.Forms.KGS
	v, err := v.With(kgdocs.Version{
		Date: d.Build.Stichtag, Filename: d.Entry.Snapshot + ".kgs", Key: o.Key, Size: o.Bytes, MD5: d.MD5, SHA256: o.SHA256,
		ParcelCount: d.Entry.Parcels, ProcessingVersion: kgdocs.ProcessingVersion,
	}, kgdocs.StampOf(d.Build.AssemblyVersion, d.Build.IngestGeneration))
	if err != nil {
		return manifest.Object{}, err
	}
	body, err := manifest.Encode(v)
	if err != nil {
		return manifest.Object{}, err
	}
	key := keys.Versions{Code: d.KG.Code, Sum: keys.Sum(body)}
	return objectOf(key, body), put(ctx, p.Store, key, body)
}

// national writes the merged artefacts and fills the manifest.
func (p *Publication) national(ctx context.Context, rows []row) (manifest.Manifest, error) {
	m := manifest.Manifest{Format: manifest.Format, License: kgdocs.LicenseURL, Attribution: p.Country.Attribution}
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
		if *doc.to, err = p.write(ctx, func(sum string) keys.Key { return keys.National{Name: doc.name, Sum: sum, Ext: "json"} }, b); err != nil {
			return m, err
		}
	}
	p.Observer.Phase("tiles")
	m.Tiles, err = p.tiles(ctx, rows)
	return m, err
}

func (p *Publication) write(ctx context.Context, key func(sum string) keys.Key, body []byte) (manifest.Object, error) {
	k := key(keys.Sum(body))
	return objectOf(k, body), put(ctx, p.Store, k, body)
}

// register fills the national register: the KGs of this generation, and those known without data.
func (p *Publication) register(rows []row, m manifest.Manifest) register.Contents {
	c := register.Contents{
		Stichtag: m.Stichtag, Attribution: m.Attribution, ToleranceM: OutlineToleranceM,
		Municipalities: p.Country.Municipalities, Districts: p.Country.Districts, Localities: p.Country.Localities, PLZ: p.Country.PLZ,
	}
	built := map[austria.KGCode]bool{}
	for _, r := range rows {
		built[r.entry.Code] = true
		o := r.entry.Forms.KGS
		snapshot := register.Object{Key: o.Key, Date: r.entry.Stichtag, Bytes: o.Bytes}
		sum, _ := hex.DecodeString(o.SHA256) // written by objectOf
		copy(snapshot.SHA256[:], sum)
		c.KGs = append(c.KGs, register.KG{KG: r.digest.KG, DistrictCode: r.digest.KG.GemeindeCode.District(), Centroid: r.digest.Centroid, Snapshot: snapshot, Outline: r.digest.Outline})
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
	p := Publication{Store: st, Observer: Silent{}}
	for _, s := range snaps {
		m, err := WriteSnapshot(ctx, st, s, Writing{Workers: 2})
		if err != nil {
			return "", err
		}
		body, err := manifest.Encode(m.Digest)
		if err != nil {
			return "", err
		}
		m.Key = keys.Digest{Code: s.KG.Code, Input: keys.Sum(body)}
		if err := put(ctx, st, m.Key, body); err != nil {
			return "", err
		}
		p.Digests = append(p.Digests, m)
	}
	generation, _, err = Publish(ctx, p)
	return generation, err
}
