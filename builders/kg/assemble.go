package kg

import (
	"context"
	"fmt"

	"mappe/artefacts/kgfile"
)

// Assemble reads the tiles of one KG and makes its snapshot. The same input gives the same snapshot,
// whatever the order in which tiles arrive. Errors name the KG and, where one is at fault, tile, layer and
// feature. The floats are not yet on the file's steps: kgfile.Quantise does that.
func Assemble(ctx context.Context, in Input) (*kgfile.Snapshot, *Report, error) {
	if err := in.check(); err != nil {
		return nil, nil, err
	}
	s, rep, err := assemble(ctx, &in)
	if err != nil {
		return nil, nil, fmt.Errorf("KG %s: %w", in.Code, err)
	}
	return s, rep, nil
}

func assemble(ctx context.Context, in *Input) (*kgfile.Snapshot, *Report, error) {
	rep := &Report{}
	c, err := readCadastre(ctx, in, rep)
	if err != nil {
		return nil, nil, err
	}
	c.assemble(rep)
	s := &kgfile.Snapshot{KG: kgfile.KG{
		Code: in.Code, Name: in.Name, GemeindeCode: in.GemeindeCode, GemeindeName: in.GemeindeName, DistrictName: in.DistrictName,
	}}
	s.Parcels, s.KG.Box = c.parcelRows(in, rep)
	if len(s.Parcels) == 0 {
		s.KG.Box = in.Box
	}
	s.Outline, _ = sound(c.region.geometry(outlineOf(c.areas())))
	s.Labels = c.labelRows()
	where := newPlaces(s.Parcels)
	uses, err := landUse(ctx, in, where, rep)
	if err != nil {
		return nil, nil, err
	}
	s.Footprints, s.LandUse = useRows(uses, s.Parcels, s.KG.Box)
	if s.Symbols, err = symbols(ctx, in, where, rep); err != nil {
		return nil, nil, err
	}
	s.Buildings = c.buildings(in, where, rep)
	for i := range s.Parcels {
		p := &s.Parcels[i]
		p.DominantLandUse = dominant(p.UseAreas, p.SymbolCounts)
	}
	s.Folios = kgfile.Folios(s.Parcels)
	measure(s)
	s.Build = kgfile.Build{
		Stichtag: in.Stichtag, AssemblyVersion: AssemblyVersion, IngestGeneration: AssemblyVersion,
		Source: in.Attribution, SourceTiles: rep.Tiles, Repairs: countRepairs(s.Parcels),
	}
	s.Build.SourceParcels, s.Build.SourceLabels = c.counts()
	return s, rep, nil
}

// countRepairs counts the parcels that carry each repair, in the order of the flags, those of no parcel
// left out.
func countRepairs(parcels []kgfile.Parcel) []kgfile.RepairCount {
	var out []kgfile.RepairCount
	for bit := range 16 {
		flag, n := kgfile.Repair(1)<<bit, 0
		for i := range parcels {
			if parcels[i].Repairs&flag != 0 {
				n++
			}
		}
		if n > 0 {
			out = append(out, kgfile.RepairCount{Repair: flag, N: n})
		}
	}
	return out
}

// areas are the parcels' polygons on the grid, for work on borders.
func (c *cadastre) areas() [][]polygon {
	out := make([][]polygon, len(c.parcels))
	for i, p := range c.parcels {
		if !p.hopeless {
			out[i] = p.polys
		}
	}
	return out
}
