package kg

import (
	"context"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
)

// TileReader gives the bytes of a tile, unzipped, and nil for an empty tile or one of a tileset that the source does not have;
// builders/source/tiles is one. An error names the tile. Callers share the bytes and do not change them. It is safe for concurrent
// use. tiletest is the contract.
type TileReader interface {
	Tile(ctx context.Context, tileset string, id mvt.TileID) ([]byte, error)
}

// Input is everything one KG is assembled from.
type Input struct {
	Code         austria.KGCode
	Name         string
	GemeindeCode austria.GemeindeCode
	GemeindeName string
	DistrictName string

	Box         geom.Box // of the KG's outline; tiles it does not reach are found by following the parcels
	Tiles       TileReader
	ParcelZoom  uint8 // of the parcels and labels; 0 means 15
	LandUseZoom uint8 // of land use and symbols; 0 means 16

	// Addresses are the address points near the KG. Those in one of its parcels become its buildings,
	// and those that name the KG themselves do so in any case; Parcel is not read.
	Addresses []Address

	Stichtag    string // YYYY-MM-DD
	Attribution string // "© BEV, 2026"
	Workers     int    // tiles read at once; 0 means 4
}

// Address is an address point and the KG its register names for it, "" when it names none.
type Address struct {
	kgfile.Building
	KG austria.KGCode
}

// The tilesets and layers of the survey office.
const (
	TilesetCadastre = "kataster"
	TilesetSymbols  = "symbole"
	layerParcels    = "gst"
	layerLabels     = "gnr"
	layerLandUse    = "nfl"
)

// AssemblyVersion names the way parcels are put together, as the provenance fields spell it.
const AssemblyVersion = "tile_partition_v1"

// Report counts what the assembly met beside what the snapshot itself says.
type Report struct {
	Tiles            int       // tiles read, all tilesets
	ExtraTiles       int       // of them, read because a shape ran out of the first ones
	Pieces           int       // parcel pieces of this KG in the tiles
	Unnumbered       int       // parcel areas without a number and without a label: they have no id and are not rows
	BadNumbers       int       // pieces whose number no parcel can have
	BadCodes         int       // land-use features and symbols without a readable code
	OpenShapes       int       // shapes that could not be closed exactly and were put together by union
	Apart            int       // of the open shapes, those whose pieces could not be united either: they stay apart
	Junctions        int       // vertices set into borders where a neighbour has a corner
	LandUseCut       int       // land-use shapes on the parcels that end at a tile which holds nothing
	BrokenTiles      int       // tiles that could not be read and were taken for empty ones; the caller fills it in
	Unrepaired       int       // land-use shapes whose lines cross too often to be repaired: left out
	Inexact          []Inexact // parcels whose drawing could not be kept, in the order of the source
	LandUseOutside   int       // land-use shapes read that lie in none of the KG's parcels
	AddressesOutside int       // address points that name the KG but lie in none of its parcels

	Instead string // what the tiles hold when no piece is the KG's, for people; else ""
}

func (in *Input) check() error {
	if _, err := austria.ParseKGCode(string(in.Code)); err != nil {
		return err
	}
	if in.Box.Empty() {
		return fmt.Errorf("KG %s: no box to look for its tiles in", in.Code)
	}
	if in.Tiles == nil {
		return fmt.Errorf("KG %s: no tiles to read", in.Code)
	}
	if in.ParcelZoom == 0 {
		in.ParcelZoom = 15
	}
	if in.LandUseZoom == 0 {
		in.LandUseZoom = 16
	}
	if in.Workers <= 0 {
		in.Workers = 4
	}
	return nil
}
