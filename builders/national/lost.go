package national

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	rasterbuild "mappe/builders/rasters"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// lost looks for what a publication can make again and what is not in the store any more, whole: the register, lists, tiles and artefacts
// of the country, artefacts of its KGs, and lists of versions of KGs that this run has built. It takes them out of what is served, so
// that no stage takes them over, and says whether there are any. The forms of a snapshot are looked at when a KG is built, and the files
// below latest/ after a publication. Folders are listed, a thousand objects in a request.
func (p *Publication) lost(ctx context.Context, live Live) (Live, bool, error) {
	if live.etag == store.Absent {
		return live, false, nil
	}
	there, err := p.listed(ctx)
	if err != nil {
		return live, false, err
	}
	gone := func(o manifest.Object) bool {
		size, ok := there[o.Key]
		return o.Key != "" && (!ok || size != o.Bytes)
	}
	m := &live.Manifest
	lost := gone(m.Register) || gone(m.KGList) || gone(m.Metrics) || gone(m.Places)
	if gone(m.Tiles) {
		m.Tiles, m.TilesInputs, lost = manifest.Object{}, "", true
	}
	made, ofKGs := p.madeByStages()
	m.Artefacts = maps.Clone(m.Artefacts)
	tiles, err := p.lostTiles(ctx, m.Artefacts[rasters.Artefact], gone)
	if err != nil {
		return live, false, err
	}
	for kind, o := range m.Artefacts {
		if made[kind] && (gone(o) || kind == rasters.Artefact && tiles) {
			delete(m.Artefacts, kind)
			lost = true
		}
	}
	mine := p.codes()
	m.KGs = slices.Clone(m.KGs)
	for i := range m.KGs {
		e := &m.KGs[i]
		if mine[e.Code] && gone(e.Versions) {
			e.Versions, lost = manifest.Object{}, true
		}
		if slices.ContainsFunc(ofKGs, func(kind string) bool { return gone(e.Artefacts[kind]) }) {
			e.Artefacts, lost = p.withoutStages(e.Artefacts), true
		}
	}
	return live, lost, nil
}

// listed are the sizes of the objects in the folders that publications write.
func (p *Publication) listed(ctx context.Context) (map[string]int64, error) {
	folders := []string{"register/", "national/", "prices/", "cells/", "rasters/", "kg/"}
	found := make([]map[string]int64, len(folders))
	g, ctx := errgroup.WithContext(ctx)
	for i, folder := range folders {
		g.Go(func() error {
			found[i] = map[string]int64{}
			for info, err := range p.Store.List(ctx, folder) {
				if err != nil {
					return err
				}
				if folder != "kg/" || strings.HasSuffix(info.Key, ".json") { // the lists of versions, among the forms
					found[i][info.Key] = info.Size
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, more := range found[1:] {
		maps.Copy(found[0], more)
	}
	return found[0], nil
}

// madeByStages are the kinds of artefacts of the country that stages make, and those of KGs.
func (p *Publication) madeByStages() (country map[string]bool, ofKGs []string) {
	country = map[string]bool{}
	for _, s := range p.stages() {
		country[s.Artefact] = true
		for _, kind := range s.Also {
			country[kind] = true
		}
		ofKGs = append(ofKGs, s.PerKG...)
	}
	return country, ofKGs
}

// lostTiles says whether a tile of rasters is gone that the source can give again.
func (p *Publication) lostTiles(ctx context.Context, index manifest.Object, gone func(manifest.Object) bool) (bool, error) {
	if index.Key == "" || gone(index) {
		return false, nil
	}
	layers, err := rasterbuild.ReadIndex(ctx, p.Store, index)
	if errors.Is(err, rasterbuild.ErrIndex) {
		return true, nil
	}
	for _, l := range layers {
		for _, t := range l.Tiles {
			if gone(t.Object) {
				return true, nil
			}
		}
	}
	return false, err
}

// codes are the KGs that this run has built.
func (p *Publication) codes() map[austria.KGCode]bool {
	mine := map[austria.KGCode]bool{}
	for i := range p.Digests {
		mine[p.Digests[i].Key.Code] = true
	}
	for _, k := range p.Keys {
		mine[k.Code] = true
	}
	return mine
}
