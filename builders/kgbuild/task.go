// Package kgbuild builds one KG: it brings the KG's forms, their quality report and a digest of it all into a store, from
// its tiles and address points (Build), from a file of an earlier epoch (Import), or from its served snapshot (Join).
//
// A build reads the tiles of the KG's box and takes their fingerprint together with what the registers say; where the
// store has a digest of that name, nothing is built. Else builders/kg assembles the snapshot, builders/forms writes it
// in its five forms, builders/verify judges it against the source and the live build, and last of all the digest is
// kept. A publication (builders/national) is made of digests; this package moves no pointer, opens no raw source and
// knows no other KG. builders/national and builders/processing call it.
package kgbuild

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
	"mappe/builders/objects"
	"mappe/builders/verify"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// Recipe names everything in the program that decides the bytes of a KG's forms. A change of the
// assembly or of a form changes it, and every KG is then built anew.
const Recipe = "kg-6"

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

// Settings say how the source of a KG is read, and what it is.
type Settings struct {
	Stichtag    string `json:"stichtag"`     // YYYY-MM-DD: the date of the data, and of the snapshots built from it
	Attribution string `json:"attribution"`  // "© BEV, 2026"
	ParcelZoom  int    `json:"parcel_zoom"`  // zoom the parcels are read at, 15
	LandUseZoom int    `json:"landuse_zoom"` // zoom the land use is read at, 16
}

// undated are the settings without the date, and the attribution without its year where it names that of the
// date: two sources that differ in nothing else hold the same data.
func (s Settings) undated() Settings {
	s.Attribution = strings.ReplaceAll(s.Attribution, yearOf(s.Stichtag), "YYYY")
	s.Stichtag = ""
	return s
}

// dated are the settings at the date of an earlier source that held the same data.
func (s Settings) dated(date string) Settings {
	if s.Stichtag == date {
		return s
	}
	s.Attribution = strings.ReplaceAll(s.Attribution, yearOf(s.Stichtag), yearOf(date))
	s.Stichtag = date
	return s
}

func yearOf(date string) string { return date[:min(4, len(date))] }

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
	// Restore brings a served snapshot back that was evicted, to compare the build with it; nil: nobody can.
	Restore func(context.Context, manifest.Entry) error
	Looked  Looked
	Now     func() time.Time // when the files are looked at; nil: nothing is remembered for the next look
}

// ErrNoParcels: the source's tiles, or those made of its GeoPackage, hold nothing of the KG.
var ErrNoParcels = errors.New("no parcel of the KG is in the source")

// Made is the end of a KG's build.
type Made struct {
	Digest  Digest
	Key     keys.Digest
	Reused  bool
	Quality rowschema.Quality // empty when reused
	Looked  Looked            // for the next look at the same source; none: it has to read the files
}

// Build brings one KG into the store and says under which key its digest is. The same input is
// built once: a second call, after a crash or in another run, finds the digest. Objects are written
// before the digest, so a digest never names an object that is missing.
func Build(ctx context.Context, t Task) (Made, error) {
	cover, err := t.cover()
	if err != nil {
		return Made{}, t.fail("read tiles", err)
	}
	facts, err := t.read()
	if err != nil {
		return Made{}, t.fail("fingerprint", err)
	}
	if made := t.asLooked(ctx, facts, cover); made != nil {
		return *made, nil
	}
	var began time.Time
	if t.Now != nil {
		began = t.Now()
	}
	r := newRecorder(t.Tiles, t.AcceptGaps)
	made, err := t.look(ctx, r, facts, cover)
	if err == nil && made.Quality.Verdict != rowschema.Refuse {
		made.Looked = t.remember(r, began, facts, cover, &made)
	}
	return made, err
}

// look reads the tiles of the cover and finds the build of them, or makes it.
func (t *Task) look(ctx context.Context, r *recorder, facts []byte, cover []tileName) (Made, error) {
	if err := r.prefetch(ctx, cover); err != nil {
		return Made{}, t.fail("read tiles", err)
	}
	input, err := t.fingerprint(ctx, r, facts)
	if err != nil {
		return Made{}, t.fail("read tiles", err)
	}
	known := make(map[tileName]bool, len(cover))
	for _, n := range cover {
		known[n] = true
	}
	// A digest lists the tiles that the assembly read beyond the cover. While those are unchanged the
	// digest stands; otherwise their present bytes name the next digest to look for.
	for {
		key := keys.Digest{Code: t.Facts.Code, Input: input}
		d, err := ReadDigest(ctx, t.Store, key.String())
		if errors.Is(err, store.ErrNotFound) {
			return t.build(ctx, r, key, known)
		}
		if err != nil {
			return Made{}, t.fail("read digest", err)
		}
		extra, err := extraTiles(ctx, r, d.Extra)
		if err != nil {
			return Made{}, t.fail("read tiles", err)
		}
		if extra != d.ExtraSum {
			if input, err = chain(input, func(w io.Writer) error { _, err := io.WriteString(w, extra); return err }); err != nil {
				return Made{}, t.fail("fingerprint", err)
			}
			continue
		}
		kept, err := Whole(ctx, t.Store, d.Entry)
		if err != nil {
			return Made{}, t.fail("look for the earlier build", err)
		}
		if kept && !t.Force {
			return t.reuse(ctx, d, key)
		}
		if !kept && t.Live != nil && t.Live.Forms == d.Entry.Forms {
			t.Live = nil // it is this build: there is nothing to compare, or nothing left to
		}
		// What is built again of the same input is written again under its names, which hold the date that it was built at:
		// the digest, and what is served of it, name no others.
		t.Settings = t.Settings.dated(d.Entry.Stichtag)
		return t.build(ctx, r, key, known)
	}
}

// Whole says whether the five forms of a KG and its report are in the store, as long as they were: one that was lost is
// written again by a build, one that was cut short is refused by its name.
func Whole(ctx context.Context, st store.Store, e manifest.Entry) (bool, error) {
	lengths := map[string]int64{}
	for info, err := range st.List(ctx, path.Dir(e.Forms.KGS.Key)+"/") {
		if err != nil {
			return false, err
		}
		lengths[info.Key] = info.Size
	}
	for _, o := range append(e.Forms.All(), e.Quality) {
		if n, ok := lengths[o.Key]; o.Key != "" && (!ok || n != o.Bytes) {
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
	live, err := t.live(ctx)
	if err != nil {
		return Made{}, t.fail("read the live build", err)
	}
	q := verify.KG(verify.Input{Snapshot: again, RegisterSqm: t.Facts.RegisterSqm, Live: live, AcceptGaps: t.AcceptGaps,
		Addresses: t.Addresses, Outline: t.Facts.Outline})
	if q.Verdict != rowschema.Refuse {
		return Made{Digest: d, Key: key, Reused: true}, nil
	}
	d.Entry.Quality = manifest.Object{} // it judged against another live build
	return Made{Digest: d, Key: key, Quality: q}, nil
}

func (t *Task) fail(step string, err error) error {
	return fmt.Errorf("KG %s %s: %s: %w", t.Facts.Code, t.Facts.Name, step, err)
}

// cover are the tiles of the KG's box, those of a folder together.
func (t *Task) cover() (names []tileName, err error) {
	for _, c := range []struct {
		tileset string
		zoom    int
	}{{kg.TilesetCadastre, t.Settings.ParcelZoom}, {kg.TilesetCadastre, t.Settings.LandUseZoom}, {kg.TilesetSymbols,
		t.Settings.LandUseZoom}} {
		ids, ok := mvt.Cover(t.Facts.Outline.Bounds(), uint8(c.zoom), maxCover)
		if !ok {
			return nil, fmt.Errorf("the outline covers more than %d tiles of zoom %d", maxCover, c.zoom)
		}
		for _, id := range ids {
			names = append(names, tileName{c.tileset, id})
		}
	}
	return names, nil
}

// read is what the build reads but the tiles, without the date of the source: what is equal at a new date is carried over,
// not built.
func (t *Task) read() ([]byte, error) {
	var b bytes.Buffer
	for _, part := range []any{t.Facts, t.Settings.undated(), t.Addresses} {
		if err := json.NewEncoder(&b).Encode(part); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// fingerprint covers everything the build reads but the tiles beyond the cover.
func (t *Task) fingerprint(ctx context.Context, r *recorder, facts []byte) (string, error) {
	return chain(Recipe, func(w io.Writer) error {
		if _, err := w.Write(facts); err != nil {
			return err
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
		err = fmt.Errorf("%w: %d tiles were read; %s", ErrNoParcels, report.Tiles, report.Instead)
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
	made, err := write(ctx, t.Store, snap, writing{
		Workers: t.Workers, RegisterSqm: t.Facts.RegisterSqm, Live: t.live, Accept: t.Accept, AcceptGaps: t.AcceptGaps,
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
	if made.Quality.Verdict == rowschema.Refuse {
		return made, nil // not kept: the next run judges it anew against the live build of then
	}
	switch err := objects.Put(ctx, t.Store, key, body); {
	case errors.Is(err, store.ErrPrecondition):
		// Another run built the same input at the same time and compared it with another live build:
		// its digest stands.
		made.Digest, err = ReadDigest(ctx, t.Store, key.String())
		if err != nil {
			return Made{}, t.fail("read digest", err)
		}
	case err != nil:
		return Made{}, t.fail("write digest", err)
	}
	return made, nil
}
