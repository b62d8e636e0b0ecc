package kgfile

import (
	"fmt"
	"mappe/artefacts/internal/column"
	"math"
)

// The steps floats are stored in. A value is read back as step count divided by the number of steps
// in one unit, so it is the double nearest to its decimal spelling on every machine.
const (
	perSqm    = 100   // areas: 0.01 m²
	perMetre  = 100   // lengths: 0.01 m
	perRatio  = 10000 // compactness, elongation, FAR, ratios, densities, averages, entropy: 0.0001
	perDegree = 100   // label rotation: 0.01°
)

// onGrid is v as it will be read back; values that cannot be stored stay as they are (Encode refuses them).
func onGrid(v float64, per int) float64 {
	q, err := column.Steps(v, per)
	if err != nil {
		return v
	}
	return column.Value(q, per)
}

func rotationSteps(v float64) (int64, error) {
	q := math.Round(v * perDegree)
	if !(q >= -360*perDegree && q <= 360*perDegree) {
		return 0, fmt.Errorf("rotation %g is not allowed: expected -360 to 360", v)
	}
	return int64(q), nil
}

// Quantise puts every float of the snapshot on the grid it is stored in and turns empty lists into
// nil, in place, so that Encode and File.Snapshot give back exactly this value. It is idempotent. A
// builder calls it once before it writes any form, and all forms are equal to the last digit.
func Quantise(s *Snapshot) {
	g := func(per int, vs ...*float64) {
		for _, v := range vs {
			*v = onGrid(*v, per)
		}
	}
	for _, m := range AllMetrics() {
		g(m.Per, m.Of(&s.KG))
	}
	for i := range s.Parcels {
		p := &s.Parcels[i]
		g(perSqm, &p.AreaSqm, &p.BuildingAreaSqm)
		g(perRatio, &p.Compactness, &p.Elongation, &p.FAR)
		p.SymbolCounts, p.UseAreas, p.Geometry = nilIfEmpty(p.SymbolCounts), nilIfEmpty(p.UseAreas), nilIfEmpty(p.Geometry)
		quantiseUse(p.UseAreas)
	}
	for i := range s.Footprints {
		f := &s.Footprints[i]
		g(perSqm, &f.AreaSqm)
		g(perMetre, &f.PerimeterM)
		g(perRatio, &f.Compactness, &f.Elongation)
		f.Geometry = nilIfEmpty(f.Geometry)
	}
	for i := range s.LandUse {
		g(perSqm, &s.LandUse[i].AreaSqm)
		s.LandUse[i].Geometry = nilIfEmpty(s.LandUse[i].Geometry)
	}
	for i := range s.Labels {
		if q, err := rotationSteps(s.Labels[i].Rotation); err == nil {
			s.Labels[i].Rotation = float64(q) / perDegree
		}
	}
	for i := range s.Folios {
		f := &s.Folios[i]
		g(perSqm, &f.TotalAreaSqm)
		f.Parcels, f.SymbolCounts, f.UseAreas = nilIfEmpty(f.Parcels), nilIfEmpty(f.SymbolCounts), nilIfEmpty(f.UseAreas)
		quantiseUse(f.UseAreas)
	}
	s.Parcels, s.Buildings, s.Footprints = nilIfEmpty(s.Parcels), nilIfEmpty(s.Buildings), nilIfEmpty(s.Footprints)
	s.LandUse, s.Symbols, s.Folios = nilIfEmpty(s.LandUse), nilIfEmpty(s.Symbols), nilIfEmpty(s.Folios)
	s.Labels, s.Outline, s.Build.Repairs = nilIfEmpty(s.Labels), nilIfEmpty(s.Outline), nilIfEmpty(s.Build.Repairs)
}

func quantiseUse(u []CodeArea) {
	for i := range u {
		u[i].Sqm = onGrid(u[i].Sqm, perSqm)
	}
}

func nilIfEmpty[S ~[]E, E any](s S) S {
	if len(s) == 0 {
		return nil
	}
	return s
}
