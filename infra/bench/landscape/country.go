package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/manifest"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/builders/objects"
	buildoverlays "mappe/builders/overlays"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

const stichtag = "2026-10-01"

func codeOf(i int) austria.KGCode { return austria.KGCode(fmt.Sprintf("%05d", 10_000+i)) }

// country is the made-up country while it is made.
type country struct {
	store    store.Store
	contents register.Contents
	kgs      []stage.KG
	index    *landscape.IndexBuilder
	sites    []overlays.Site
}

// generate publishes the country: KGs of 24 parcels with 300 buildings, 40 trees and 144 heights each.
func generate(ctx context.Context, st store.Store, n int) error {
	c := &country{store: st, index: landscape.NewIndexBuilder()}
	for i := range n {
		if err := c.add(ctx, i); err != nil {
			return err
		}
	}
	return c.publish(ctx)
}

func (c *country) add(ctx context.Context, i int) error {
	s := kgtest.Snapshot(kgtest.Options{Code: codeOf(i), Parcels: 24, Segments: 1, AreaKm2: 1, Seed: uint64(i),
		East: int32(i%88) * 160_000, North: -int32(i/88) * 110_000})
	s.KG.GemeindeCode = austria.GemeindeCode(fmt.Sprintf("%d%04d", 1+i%9, 101+i/9%800))
	body, err := kgfile.Encode(s)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	key := keys.Snapshot{Code: s.KG.Code, Date: stichtag, Sum: keys.Sum(body), Form: keys.KGS}
	o := manifest.Object{Key: key.String(), Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
	if _, err := c.store.Put(ctx, o.Key, body, store.PutOptions{Immutable: true}); err != nil {
		return err
	}
	row := register.KG{KG: s.KG, DistrictCode: s.KG.GemeindeCode.District(), Outline: register.Simplify(s.Outline, 5),
		Centroid: s.KG.Box.Center(),
		Snapshot: register.Object{Key: o.Key, Date: stichtag, Bytes: o.Bytes, SHA256: sum}}
	c.contents.KGs = append(c.contents.KGs, row)
	c.kgs = append(c.kgs, stage.KG{Entry: manifest.Entry{Code: s.KG.Code, Stichtag: stichtag, Forms: manifest.Forms{KGS: o}},
		Register: &row})
	if i%50 == 0 {
		b, m := s.KG.Box, s.KG.Box.Center()
		site := overlays.Site{Code: fmt.Sprintf("AT%07d", 1+i), Name: "Au", Type: overlays.Both, AreaHa: 25, Features: 1,
			Geometry: geom.MultiPolygon{{geom.Ring{{X: b.MinX, Y: b.MinY}, {X: m.X, Y: b.MinY}, {X: m.X, Y: m.Y}, {X: b.MinX, Y: m.Y}}}}}
		site.Box = site.Geometry.Bounds()
		c.sites = append(c.sites, site)
	}
	return c.processed(ctx, &row, s)
}

// processed writes the file of the analysis.
func (c *country) processed(ctx context.Context, row *register.KG, s *kgfile.Snapshot) error {
	parcels := map[string]geom.Point{}
	for i := range s.Parcels {
		parcels[string(s.Parcels[i].GNR)] = s.Parcels[i].Centroid
	}
	k := landtest.KG(landtest.Options{Code: row.Code, Box: row.Box, Parcels: parcels, Buildings: 300, Trees: 40, Samples: 12,
		Seed: uint64(len(c.kgs))})
	known := landscape.OfCadastre(row)
	k.KGName, k.GemeindeCode, k.DistrictCode = known.KGName, known.GemeindeCode, known.DistrictCode
	k.StateCode, k.StateName = known.StateCode, known.StateName
	k.Centroid, k.TotalAreaSqm = known.Centroid, known.TotalAreaSqm
	body, err := landscape.Encode(k)
	if err != nil {
		return err
	}
	key := keys.Landscape{Code: row.Code, Date: stichtag, Sum: keys.Sum(body)}
	if err := objects.Put(ctx, c.store, key, body); err != nil {
		return err
	}
	return c.index.Add(k, key.String())
}

func (c *country) publish(ctx context.Context) error {
	for i := range c.kgs {
		c.kgs[i].Register = &c.contents.KGs[i]
	}
	c.contents.Stichtag, c.contents.Attribution, c.contents.ToleranceM = stichtag, "made up", 5
	body, err := register.Encode(&c.contents)
	if err != nil {
		return err
	}
	reg := keys.Register{Sum: keys.Sum(body)}
	if err := objects.Put(ctx, c.store, reg, body); err != nil {
		return err
	}
	m := manifest.Manifest{Format: manifest.Format, Stichtag: stichtag, Attribution: "made up", KGCount: len(c.kgs),
		Register:  objects.Of(reg, body),
		Artefacts: manifest.Artefacts{}}
	if body, err = c.index.Encode(); err != nil {
		return err
	}
	fmt.Printf("%d KGs, an index of %.1f MB\n", len(c.kgs), float64(len(body))/1e6)
	at := keys.National{Name: landscape.Artefact, Sum: keys.Sum(body), Ext: "parts"}
	if err := objects.Put(ctx, c.store, at, body); err != nil {
		return err
	}
	m.Artefacts[landscape.Artefact] = objects.Of(at, body)
	source := &buildoverlays.Source{Source: overlays.Source{Sites: c.sites}, Sum: "made up"}
	for _, s := range buildoverlays.Stages(source) {
		if m.Artefacts[s.Artefact], err = s.Make(ctx, &stage.Country{Store: c.store, Register: &c.contents, KGs: c.kgs,
			Workers: 2}); err != nil {
			return err
		}
	}
	if body, err = manifest.Encode(m); err != nil {
		return err
	}
	generation := keys.Manifest{Generation: keys.Sum(body)}
	if err := objects.Put(ctx, c.store, generation, body); err != nil {
		return err
	}
	o := objects.Of(generation, body)
	body, err = manifest.Encode(manifest.Pointer{Format: manifest.Format, Generation: generation.Generation, Manifest: o.Key,
		ManifestSHA256: o.SHA256, Register: m.Register.Key, RegisterSHA256: m.Register.SHA256, Stichtag: stichtag, Attribution: "made up",
		KGCount: len(c.kgs), Artefacts: m.Artefacts})
	if err != nil {
		return err
	}
	_, err = c.store.Put(ctx, keys.Current{}.String(), body, store.PutOptions{})
	return err
}
