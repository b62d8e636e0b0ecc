package worldtest

import (
	"context"
	"errors"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/artefacts/landscape/landtest"
	"mappe/artefacts/register"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// AddLandscape gives the published generation a search index of the landscape, in which KG 88801 was processed: its parcels,
// and some buildings, trees and objects of plausible figures. The others have what the register knows.
func AddLandscape(s store.Store, reg *register.Register) error {
	k, err := Processed(reg)
	if err != nil {
		return err
	}
	return AddProcessed(s, reg, k)
}

// AddProcessed is AddLandscape with another KG that was processed.
func AddProcessed(s store.Store, reg *register.Register, k *landscape.KG) error {
	body, err := landscape.Encode(k)
	if err != nil {
		return err
	}
	key := keys.Landscape{Code: k.Code(), Date: Stichtag, Sum: keys.Sum(body)}
	if _, err := s.Put(context.Background(), key.String(), body, store.PutOptions{Immutable: true}); err != nil {
		return err
	}
	x := landscape.NewIndexBuilder()
	for i := range reg.KGs() {
		if g := &reg.KGs()[i]; g.Code != k.Code() {
			x.Unprocessed(landscape.OfCadastre(g))
		}
	}
	if err := x.Add(k, key.String()); err != nil {
		return err
	}
	index, err := x.Encode()
	if err != nil {
		return err
	}
	return AddLandscapeIndex(s, index)
}

// AddLandscapeIndex gives the published generation a search index of the landscape.
func AddLandscapeIndex(s store.Store, body []byte) error {
	return addArtefact(s, landscape.Artefact, body)
}

// Processed is the KG of the world that was processed.
func Processed(reg *register.Register) (*landscape.KG, error) {
	for _, snap := range Snapshots() {
		if snap.KG.Code == "88801" {
			return ProcessedOf(reg, snap), nil
		}
	}
	return nil, errors.New("the world has no KG 88801")
}

// ProcessedOf is a KG of the register as if it had been processed.
func ProcessedOf(reg *register.Register, snap *kgfile.Snapshot) *landscape.KG {
	g, parcels := reg.KG(snap.KG.Code), map[string]geom.Point{}
	for i := range snap.Parcels {
		parcels[string(snap.Parcels[i].GNR)] = snap.Parcels[i].Centroid
	}
	k := landtest.KG(landtest.Options{Code: g.Code, Box: g.Box, Parcels: parcels, Buildings: 30, Trees: 40, Samples: 12, Seed: 1})
	known := landscape.OfCadastre(g)
	k.KGName, k.GemeindeCode, k.GemeindeName, k.DistrictCode, k.DistrictName = known.KGName, known.GemeindeCode, known.GemeindeName,
		known.DistrictCode, known.DistrictName
	k.StateCode, k.StateName, k.Centroid, k.TotalAreaSqm = known.StateCode, known.StateName, known.Centroid, known.TotalAreaSqm
	return k
}
