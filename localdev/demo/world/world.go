// Package world makes up one consistent alpine valley: terrain, waters, roads, settlements, fields,
// forest and alps, divided into parcels that are a true partition. It owns what the country is like;
// localdev/demo writes it down in the forms of the real sources. Everything follows from fixed seeds:
// two builds are equal.
//
// Other parts of the project ask it for facts: Elevation, Parcels, Uses, Footprints, Streets, Addresses.
package world

import (
	"fmt"

	"mappe/localdev/demo/planar"
)

// World is the made-up country.
type World struct {
	KGs       []KG
	Gemeinden []Gemeinde

	Parcels    []Parcel    // by KG, then in the order of their numbers
	Footprints []Footprint // by parcel
	Uses       []Use       // land use without buildings, by parcel; buildings are holes in it
	Symbols    []Symbol    // by parcel
	Addresses  []Address   // by address code
	Localities []Locality
	Streets    []Street

	Outlines         [][]planar.Poly // by KG, on the z15 grid
	GemeindeOutlines [][]planar.Poly // by municipality

	river         stream
	streams       []stream
	rail          road
	roads         []road
	settlements   []settlement
	streets       []street
	shapes        []shape
	clearings     []clearing
	farmClearings int

	draft []draft // parcels before they have numbers
	house []house // buildings before parcels have numbers
}

// Build makes the country; step is told what is being made.
func Build(step func(string)) (*World, error) {
	if step == nil {
		step = func(string) {}
	}
	w := &World{KGs: kgTable(), Gemeinden: Gemeinden(), settlements: settlementTable()}
	for i := range w.settlements {
		w.settlements[i].name = settlementNames[i]
	}
	w.clearings = clearingTable()
	w.farmClearings = len(w.clearings)
	w.clearings = append(w.clearings, hamletClearings()...)
	step("waters and ways")
	w.buildWater()
	w.buildRoads()
	w.buildStreets()
	w.buildShapes()
	step("blocks")
	b, err := w.blocks()
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	step("parcels")
	if err := w.partition(b); err != nil {
		return nil, fmt.Errorf("parcels: %w", err)
	}
	step("houses")
	w.buildHouses()
	step("numbers")
	w.number()
	w.buildAddresses()
	return w, nil
}
