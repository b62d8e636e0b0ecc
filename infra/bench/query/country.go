package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"mappe/artefacts/columns"
	"mappe/artefacts/directory"
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	buildcolumns "mappe/builders/columns"
	builddirectory "mappe/builders/directory"
	buildoverlays "mappe/builders/overlays"
	"mappe/builders/stage"
	"mappe/infra/bench/postgres"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

const (
	stichtag    = "2026-10-01"
	meanParcels = 1274 // 785 KGs have 1,000,000
	// districtKGs is the mean of the country: 7,850 KGs in some 94 districts.
	districtKGs = 80
)

// country is a made-up country on its way into a store.
type country struct {
	store    store.Store
	contents register.Contents
	kgs      []stage.KG
	parcels  int
	rows     *bufio.Writer         // parcels as PostgreSQL's COPY reads them; nil for none
	uses     *bufio.Writer         // their land-use areas
	shapes   *bufio.Writer         // their geometry, for PostGIS; nil for none
	scale    float64               // of the numbers of parcels
	over     *buildoverlays.Source // what lies over the parcels; nil for nothing
}

// gemeindeOf is the municipality of a KG.
func gemeindeOf(i int) austria.GemeindeCode {
	d := i / districtKGs
	return austria.GemeindeCode(fmt.Sprintf("%d%02d%02d", 1+d%9, 1+d/9, 1+i%districtKGs/4))
}

// add makes one KG: its sizes spread as those of real ones do.
func (c *country) add(ctx context.Context, i int) error {
	share := []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.5, 2.3}[i%8]
	code := austria.KGCode(fmt.Sprintf("%05d", 10_000+i))
	s := kgtest.Snapshot(kgtest.Options{Code: code, Parcels: int(meanParcels * share * c.scale), Segments: 2, AreaKm2: 10.7 * share,
		Seed: uint64(i),
		East: int32(i%28) * 439_000, North: -int32(i/28) * 294_000})
	s.KG.GemeindeCode = gemeindeOf(i)
	s.KG.GemeindeName, s.KG.DistrictName = "Gemeinde "+string(s.KG.GemeindeCode), "Bezirk "+string(s.KG.GemeindeCode.District())
	body, err := kgfile.Encode(s)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	o := manifest.Object{Key: keys.Snapshot{Code: code, Date: stichtag, Sum: keys.Sum(body), Form: keys.KGS}.String(),
		Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
	if _, err := c.store.Put(ctx, o.Key, body, store.PutOptions{Immutable: true}); err != nil {
		return err
	}
	row := register.KG{KG: s.KG, DistrictCode: s.KG.GemeindeCode.District(), Outline: register.Simplify(s.Outline, 5),
		Centroid: s.KG.Box.Center(),
		Snapshot: register.Object{Key: o.Key, Date: stichtag, Bytes: o.Bytes, SHA256: sum}}
	c.contents.KGs = append(c.contents.KGs, row)
	c.kgs = append(c.kgs, stage.KG{Entry: manifest.Entry{Code: code, Stichtag: stichtag, Forms: manifest.Forms{KGS: o}}, Register: &row})
	c.parcels += len(s.Parcels)
	if c.rows != nil {
		c.copyRows(s)
	}
	return nil
}

// copyRows writes the parcels for PostgreSQL.
func (c *country) copyRows(s *kgfile.Snapshot) {
	for i := range s.Parcels {
		p := &s.Parcels[i]
		seen := map[austria.LandUse]bool{}
		var codes []string
		add := func(u austria.LandUse) {
			if !seen[u] {
				seen[u] = true
				codes = append(codes, u.String())
			}
		}
		for _, u := range p.SymbolCounts {
			add(u.Code)
		}
		id := string(s.KG.Code) + "-" + string(p.GNR)
		for _, u := range p.UseAreas {
			add(u.Code)
			fmt.Fprintf(c.uses, "%s\t%d\t%.2f\n", id, u.Code, u.Sqm)
		}
		if c.shapes != nil {
			fmt.Fprint(c.shapes, postgres.Row(id, postgres.MultiPolygon(p.Geometry)))
		}
		k := &s.KG
		fmt.Fprintf(c.rows, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%.2f\t%d\t%d\t{%s}\t(%.7f,%.7f)\n", id, k.Code, p.GNR, k.GemeindeCode,
			k.GemeindeCode.District(), k.GemeindeCode.State(),
			p.EZ, p.Status, p.AreaSqm, p.BuildingCount, p.FootprintCount, strings.Join(codes, ","), degrees(p.Centroid.X),
			degrees(p.Centroid.Y))
	}
}

func degrees(e7 int32) float64 { return float64(e7) / geom.Scale }

// publish makes the columns and the search directory as a publication does, and says how long the columns took.
func (c *country) publish(ctx context.Context) (time.Duration, error) {
	for i := range c.kgs {
		c.kgs[i].Register = &c.contents.KGs[i]
	}
	sc := &stage.Country{Store: c.store, Register: &c.contents, KGs: c.kgs, Workers: 2}
	start := time.Now()
	o, err := buildcolumns.Stage().Make(ctx, sc)
	took := time.Since(start)
	if err != nil {
		return took, err
	}
	found, err := builddirectory.Stage().Make(ctx, sc)
	if err != nil {
		return took, err
	}
	c.contents.Stichtag, c.contents.Attribution, c.contents.ToleranceM = stichtag, "made up", 5
	body, err := register.Encode(&c.contents)
	if err != nil {
		return took, err
	}
	reg, err := c.put(ctx, keys.Register{Sum: keys.Sum(body)}, body)
	if err != nil {
		return took, err
	}
	a := manifest.Artefacts{columns.Artefact: o, directory.Artefact: found}
	for _, further := range buildoverlays.Stages(c.over) {
		if a[further.Artefact], err = further.Make(ctx, sc); err != nil {
			return took, err
		}
	}
	if body, err = manifest.Encode(manifest.Manifest{Format: manifest.Format, Stichtag: stichtag, Attribution: "made up",
		KGCount: len(c.kgs), Register: reg, Artefacts: a}); err != nil {
		return took, err
	}
	generation := keys.Manifest{Generation: keys.Sum(body)}
	m, err := c.put(ctx, generation, body)
	if err != nil {
		return took, err
	}
	body, err = manifest.Encode(manifest.Pointer{Format: manifest.Format, Generation: generation.Generation, Manifest: m.Key,
		ManifestSHA256: m.SHA256,
		Register:       reg.Key, RegisterSHA256: reg.SHA256, Stichtag: stichtag, Attribution: "made up", KGCount: len(c.kgs), Artefacts: a})
	if err == nil {
		_, err = c.store.Put(ctx, keys.Current{}.String(), body, store.PutOptions{})
	}
	fmt.Printf("%d KGs, %d parcels: columns of %.1f MB in %.1f s, search directory of %.1f MB\n", len(c.kgs), c.parcels,
		float64(o.Bytes)/1e6, took.Seconds(), float64(found.Bytes)/1e6)
	return took, err
}

func (c *country) put(ctx context.Context, key keys.Key, body []byte) (manifest.Object, error) {
	sum := sha256.Sum256(body)
	_, err := c.store.Put(ctx, key.String(), body, store.PutOptions{Immutable: true})
	return manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}, err
}
