package national

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/forms"
	"mappe/builders/kg"
	"mappe/builders/verify"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// Recipe names everything in the program that decides the bytes of a KG's forms. A change of the
// assembly or of a form changes it, and every KG is then built anew.
const Recipe = "kg-5"

// maxObject bounds an object that is read whole.
const maxObject = 1 << 30

// maxCover bounds the tiles of one KG's box; the largest KG needs some 2,200 at zoom 16.
const maxCover = 20_000

// Facts are what the registers say of a KG.
type Facts struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	DistrictName string
	Outline      geom.MultiPolygon // as the source draws it: its box finds the tiles, its shape stands in for a KG that is cold
	RegisterSqm  float64           // 0 when the register states none
}

// Task is the build of one KG: what both the worker pool and the cloud's map step run.
type Task struct {
	Facts      Facts
	Settings   Settings
	Tiles      kg.TileReader
	Addresses  []kg.Address // those near the KG
	Store      store.Store
	Live       *manifest.Entry // the entry served now, nil for a new KG
	Workers    int
	Accept     bool // publish although worse than the live build
	AcceptGaps bool // publish although parts of the source are missing
	Force      bool // build although the same input was built before
}

// errNoParcels: the source's tiles, or those made of its GeoPackage, hold nothing of the KG.
var errNoParcels = errors.New("no parcel of the KG is in the source")

// Made is the end of a KG's build.
type Made struct {
	Digest  Digest
	Key     keys.Digest
	Reused  bool
	Quality kgdocs.Quality // empty when reused
}

// buildKG brings one KG into the store and says under which key its digest is. The same input is
// built once: a second call, after a crash or in another run, finds the digest. Objects are written
// before the digest, so a digest never names an object that is missing.
func buildKG(ctx context.Context, t Task) (Made, error) {
	r := newRecorder(t.Tiles, t.AcceptGaps)
	known, err := t.cover(ctx, r)
	if err != nil {
		return Made{}, t.fail("read tiles", err)
	}
	input, err := t.fingerprint(ctx, r)
	if err != nil {
		return Made{}, t.fail("read tiles", err)
	}
	// A digest lists the tiles that the assembly read beyond the cover. While those are unchanged the
	// digest stands; otherwise their present bytes name the next digest to look for.
	for {
		key := keys.Digest{Code: t.Facts.Code, Input: input}
		d, err := readDigest(ctx, t.Store, key)
		if errors.Is(err, store.ErrNotFound) {
			return t.build(ctx, r, key, known)
		}
		if err != nil {
			return Made{}, t.fail("read digest", err)
		}
		if t.Force {
			return t.build(ctx, r, key, known)
		}
		extra, err := extraTiles(ctx, r, d.Extra)
		if err != nil {
			return Made{}, t.fail("read tiles", err)
		}
		if extra == d.ExtraSum {
			kept, err := whole(ctx, t.Store, d.Entry)
			if err != nil {
				return Made{}, t.fail("look for the earlier build", err)
			}
			if kept {
				return t.reuse(ctx, d, key)
			}
			if t.Live != nil && t.Live.Forms == d.Entry.Forms {
				t.Live = nil // it is this build: there is nothing to compare, or nothing left to
			}
			return t.build(ctx, r, key, known)
		}
		if input, err = chain(input, func(w io.Writer) error { _, err := io.WriteString(w, extra); return err }); err != nil {
			return Made{}, t.fail("fingerprint", err)
		}
	}
}

// whole says whether the five forms of a KG are in the store, as long as they were: one that was lost is
// written again by a build, one that was cut short is refused by its name.
func whole(ctx context.Context, st store.Store, e manifest.Entry) (bool, error) {
	lengths := map[string]int64{}
	for info, err := range st.List(ctx, path.Dir(e.Forms.KGS.Key)+"/") {
		if err != nil {
			return false, err
		}
		lengths[info.Key] = info.Size
	}
	for _, o := range e.Forms.All() {
		if n, ok := lengths[o.Key]; !ok || n != o.Bytes {
			return false, nil
		}
	}
	return true, nil
}

// reuse takes an earlier build of the same input. Where something else is served by now it is judged
// again: what was no loss then, or was accepted, may be one today.
func (t *Task) reuse(ctx context.Context, d Digest, key keys.Digest) (Made, error) {
	if t.Live == nil || t.Accept || t.Live.Forms == d.Entry.Forms {
		return Made{Digest: d, Key: key, Reused: true}, nil
	}
	again, err := snapshotOf(ctx, t.Store, &d.Entry)
	if err != nil {
		return Made{}, t.fail("read the earlier build", err)
	}
	live, err := snapshotOf(ctx, t.Store, t.Live)
	if err != nil {
		return Made{}, t.fail("read the live build", err)
	}
	q := verify.KG(verify.Input{Snapshot: again, RegisterSqm: t.Facts.RegisterSqm, Live: live, AcceptGaps: t.AcceptGaps, Addresses: t.Addresses, Outline: t.Facts.Outline})
	if q.Verdict != kgdocs.Refuse {
		return Made{Digest: d, Key: key, Reused: true}, nil
	}
	d.Entry.Quality = manifest.Object{} // it judged against another live build
	return Made{Digest: d, Key: key, Quality: q}, nil
}

func (t *Task) fail(step string, err error) error {
	return fmt.Errorf("KG %s %s: %s: %w", t.Facts.Code, t.Facts.Name, step, err)
}

// cover reads the tiles of the KG's box.
func (t *Task) cover(ctx context.Context, r *recorder) (map[tileName]bool, error) {
	known := map[tileName]bool{}
	for _, c := range []struct {
		tileset string
		zoom    int
	}{{kg.TilesetCadastre, t.Settings.ParcelZoom}, {kg.TilesetCadastre, t.Settings.LandUseZoom}, {kg.TilesetSymbols, t.Settings.LandUseZoom}} {
		ids, ok := mvt.Cover(t.Facts.Outline.Bounds(), uint8(c.zoom), maxCover)
		if !ok {
			return nil, fmt.Errorf("the outline covers more than %d tiles of zoom %d", maxCover, c.zoom)
		}
		if err := prefetch(ctx, r, c.tileset, ids, max(t.Workers, 4)); err != nil {
			return nil, err
		}
		for _, id := range ids {
			known[tileName{c.tileset, id}] = true
		}
	}
	return known, nil
}

// fingerprint covers everything the build reads but the tiles beyond the cover, and the date of the source:
// what is equal at a new date is carried over, not built.
func (t *Task) fingerprint(ctx context.Context, r *recorder) (string, error) {
	return chain(Recipe, func(w io.Writer) error {
		for _, part := range []any{t.Facts, t.Settings.undated(), t.Addresses} {
			if err := json.NewEncoder(w).Encode(part); err != nil {
				return err
			}
		}
		return r.write(ctx, w, r.names(nil))
	})
}

func (t *Task) build(ctx context.Context, r *recorder, key keys.Digest, known map[tileName]bool) (Made, error) {
	snap, report, err := kg.Assemble(ctx, kg.Input{
		Code: t.Facts.Code, Name: t.Facts.Name, GemeindeCode: t.Facts.GemeindeCode, GemeindeName: t.Facts.GemeindeName,
		DistrictName: t.Facts.DistrictName, Box: t.Facts.Outline.Bounds(), Tiles: r,
		ParcelZoom: uint8(t.Settings.ParcelZoom), LandUseZoom: uint8(t.Settings.LandUseZoom), Addresses: t.Addresses,
		Stichtag: t.Settings.Stichtag, Attribution: t.Settings.Attribution, Workers: t.Workers,
	})
	if err == nil && len(snap.Parcels) == 0 {
		err = fmt.Errorf("%w: %d tiles were read; %s", errNoParcels, report.Tiles, report.Instead)
	}
	if err != nil {
		return Made{}, t.fail("assemble", err)
	}
	extra := r.names(known)
	sum, err := extraTiles(ctx, r, extra)
	if err != nil {
		return Made{}, t.fail("read tiles", err)
	}
	report.BrokenTiles = r.broken
	r.tiles = nil // the tiles are read: free them before the forms are written
	made, err := writeSnapshot(ctx, t.Store, snap, Writing{
		Workers: t.Workers, RegisterSqm: t.Facts.RegisterSqm, Live: t.Live, Accept: t.Accept, AcceptGaps: t.AcceptGaps,
		Addresses: t.Addresses, Outline: t.Facts.Outline, Assembly: report,
	})
	if err != nil {
		return Made{}, t.fail("write", err)
	}
	made.Key, made.Digest.Extra, made.Digest.ExtraSum = key, extra, sum
	body, err := manifest.Encode(made.Digest)
	if err != nil {
		return Made{}, t.fail("digest", err)
	}
	if made.Quality.Verdict == kgdocs.Refuse {
		return made, nil // not kept: the next run judges it anew against the live build of then
	}
	switch err := put(ctx, t.Store, key, body); {
	case errors.Is(err, store.ErrPrecondition):
		// Another run built the same input at the same time and compared it with another live build:
		// its digest stands.
		made.Digest, err = readDigest(ctx, t.Store, key)
		if err != nil {
			return Made{}, t.fail("read digest", err)
		}
	case err != nil:
		return Made{}, t.fail("write digest", err)
	}
	return made, nil
}

// Writing tunes writeSnapshot.
type Writing struct {
	Workers     int
	RegisterSqm float64
	Live        *manifest.Entry
	Accept      bool
	AcceptGaps  bool
	// What the build is verified against; nil where it is not at hand.
	Addresses []kg.Address
	Outline   geom.MultiPolygon
	Assembly  *kg.Report
}

// writeSnapshot writes the five forms and the quality report of a snapshot. A refused snapshot is
// written too, apart from those that are served, so that it can be looked at; nothing points to it.
func writeSnapshot(ctx context.Context, st store.Store, snap *kgfile.Snapshot, w Writing) (Made, error) {
	files, err := forms.Write(snap, max(w.Workers, 1))
	if err != nil {
		return Made{}, err
	}
	live, err := snapshotOf(ctx, st, w.Live)
	if err != nil {
		return Made{}, err
	}
	q := verify.KG(verify.Input{
		Snapshot: snap, RegisterSqm: w.RegisterSqm, Live: live, AcceptLosses: w.Accept, AcceptGaps: w.AcceptGaps,
		Addresses: w.Addresses, Outline: w.Outline, Assembly: w.Assembly,
		FormsDiffer: forms.Parity(snap, files),
	})
	report, err := manifest.Encode(q)
	if err != nil {
		return Made{}, err
	}
	entry := manifest.Entry{Code: snap.KG.Code, Name: snap.KG.Name, Stichtag: snap.Build.Stichtag,
		Snapshot: keys.Snapshot{Code: snap.KG.Code, Date: snap.Build.Stichtag}.Name(), Parcels: len(snap.Parcels)}
	for _, f := range []struct {
		form keys.Form
		body []byte
		to   *manifest.Object
	}{
		{keys.KGS, files.KGS, &entry.Forms.KGS}, {keys.GeoParquet, files.GeoParquet, &entry.Forms.GeoParquet},
		{keys.GeoJSON, files.GeoJSON, &entry.Forms.GeoJSON}, {keys.GeoPackage, files.GeoPackage, &entry.Forms.GeoPackage},
		{keys.PMTiles, files.PMTiles, &entry.Forms.PMTiles}, {keys.Quality, report, &entry.Quality},
	} {
		snapshot := keys.Snapshot{Code: snap.KG.Code, Date: snap.Build.Stichtag, Sum: keys.Sum(f.body), Form: f.form}
		key := keys.Key(snapshot)
		if q.Verdict == kgdocs.Refuse {
			key = keys.Refused{Snapshot: snapshot}
		}
		if err := put(ctx, st, key, f.body); err != nil {
			return Made{}, err
		}
		*f.to = objectOf(key, f.body)
	}
	centroid, ok := snap.Outline.Centroid()
	if !ok {
		centroid = snap.KG.Box.Center()
	}
	sum := md5.Sum(files.KGS)
	return Made{Quality: q, Digest: Digest{
		Format: digestFormat, Entry: entry, KG: snap.KG, Centroid: centroid, Build: snap.Build, MD5: hex.EncodeToString(sum[:]),
		Outline: register.Simplify(snap.Outline, OutlineToleranceM), GapSqm: q.Coverage.GapSqm, OverlapSqm: q.Coverage.OverlapSqm,
	}}, nil
}

func objectOf(key keys.Key, body []byte) manifest.Object {
	return manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: sha(body)}
}

func sha(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func put(ctx context.Context, st store.Store, key keys.Key, body []byte) error {
	if _, err := st.Put(ctx, key.String(), body, optionsOf(key)); err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return nil
}

// putFrom is put for what does not fit in memory.
func putFrom(ctx context.Context, st store.Store, key keys.Key, r io.ReaderAt, size int64) error {
	if _, err := st.PutFrom(ctx, key.String(), r, size, optionsOf(key)); err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	return nil
}

func optionsOf(key keys.Key) store.PutOptions {
	h := keys.HeadersOf(key)
	return store.PutOptions{
		Headers:   store.Headers{ContentType: h.ContentType, ContentEncoding: h.ContentEncoding, CacheControl: h.CacheControl},
		Immutable: key.Class() == keys.Immutable,
	}
}

// snapshotOf opens the snapshot of an entry, nil without one.
func snapshotOf(ctx context.Context, st store.Store, e *manifest.Entry) (*kgfile.Snapshot, error) {
	if e == nil {
		return nil, nil
	}
	b, err := read(ctx, st, e.Forms.KGS.Key)
	if err != nil {
		return nil, err
	}
	f, err := kgfile.Open(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Forms.KGS.Key, err)
	}
	return f.Snapshot()
}

func read(ctx context.Context, st store.Store, key string) ([]byte, error) {
	b, _, err := store.ReadAll(ctx, st, key, maxObject, store.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return b, nil
}

func readDigest(ctx context.Context, st store.Store, key keys.Digest) (Digest, error) {
	b, err := read(ctx, st, key.String())
	if err != nil {
		return Digest{}, err
	}
	return parseDigest(b)
}
