package demo

import (
	"encoding/binary"
	"fmt"
	"slices"

	"mappe/artefacts/ne"
	"mappe/builders/source/observations"
	"mappe/localdev/demo/planar"
	"mappe/localdev/demo/world"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// The made-up peer has looked at the cells of these KGs in summer.
var observedKGs = []string{"99101", "99102"}

const observedOn = "2026-08-15"

// green is the usual vegetation index of a class of land use, in thousandths.
var green = map[string]int{"geb": 120, "bau": 450, "acker": 620, "gruen": 740, "wald": 830, "wasser": 30, "verkehr": 150, "alpen": 560,
	"sonst": 380}

// maxObservedCells bounds the cells of one patch of land.
const maxObservedCells = 1 << 16

// observations writes what a peer measured in cells: a vegetation index by the land use at the middle of the cell, and in
// how many of twelve pictures it was seen.
func (o *output) observations(w *world.World) error {
	index := map[hexgrid.Cell]int{}
	for _, u := range w.Uses {
		if err := observe(w, u.Parcel, world.Geometry([]planar.Poly{u.Shape}, 2), int(u.NS), index); err != nil {
			return err
		}
	}
	cells := make([]hexgrid.Cell, 0, len(index))
	for c := range index {
		cells = append(cells, c)
	}
	slices.Sort(cells)
	var rows []byte
	for _, c := range cells {
		noise := scatter(uint64(c))
		rows = binary.LittleEndian.AppendUint64(rows, uint64(c))
		rows = binary.LittleEndian.AppendUint16(rows, uint16(index[c]+int(noise%81)-30)) // -30 to 50 thousandths beside the usual
		rows = append(rows, uint8(noise>>32%10)+3)
	}
	released := true
	body, err := observations.Encode(observations.Header{
		Layer: "vegetation index, summer", RecordBytes: 11, Rows: len(cells), Source: "made-up observer of the demonstration country",
		License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Date: observedOn, Released: &released,
		Fields: []ne.Field{{Name: "cell_id", Type: "u64"}, {Name: "ndvi_1000", Type: "u16"}, {Name: "pictures", Type: "u8"}},
	}, rows)
	if err != nil {
		return fmt.Errorf("observations: %w", err)
	}
	return o.file(observations.Folder+"/vegetation"+observations.Ending, body)
}

// observe notes the index of the cells whose middle lies in a patch of land of an observed KG.
func observe(w *world.World, parcel int, shape geom.MultiPolygon, ns int, index map[hexgrid.Cell]int) error {
	if !slices.Contains(observedKGs, w.KGs[w.Parcels[parcel].KG].Code) {
		return nil
	}
	cells, err := hexgrid.PolygonToCells(shape, ne.LURes, maxObservedCells)
	if err != nil {
		return err
	}
	for _, c := range cells {
		index[c] = green[austria.LandUse(ns).Class().String()]
	}
	return nil
}

// scatter is a number that looks like chance and is always the same for a cell.
func scatter(v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}
