package rowschema

import (
	"fmt"
	"slices"
	"strings"
)

// Epoch is one ingest epoch: a change of the processing that data either carries or lacks.
type Epoch struct {
	ID           EpochID `json:"id"`
	Meaning      string  `json:"meaning"`
	AtServeTime  bool    `json:"applied_at_serve_time"` // also mended while serving, for every KG
	ByOverlay    bool    `json:"corrected_by_overlay"`  // reported per row by landuse_areas_source
	NeedsRebuild bool    `json:"needs_reprocess"`       // only a reprocess brings it
}

// EpochID names an epoch; the order of the constants is the order in time.
type EpochID string

// The epochs, oldest first.
const (
	PipelineV6Union      EpochID = "pipeline_v6_union"
	BulkV7Zenodo         EpochID = "bulk_v7_zenodo"
	LandUseAreaCalc      EpochID = "landuse_area_calc"
	MultipolygonGeometry EpochID = "multipolygon_geometry"
	AddressPointJoin     EpochID = "address_point_join"
	NSCodeTable          EpochID = "ns_code_table"
	LandUseTileClip      EpochID = "landuse_tile_clip"
	RingOrder            EpochID = "ring_order"
	TilePartitionV1      EpochID = "tile_partition_v1"
)

// epochs is the catalogue. The first two are whole generations of data, the others fixes.
var epochs = [...]Epoch{
	{ID: PipelineV6Union, Meaning: "pre-archive generations; matches no KG today"},
	{ID: BulkV7Zenodo, Meaning: "country-wide run of March 2026; processing_version inspire-v2"},
	{ID: LandUseAreaCalc, Meaning: "land-use polygon areas computed at processing time", NeedsRebuild: true},
	{ID: MultipolygonGeometry, Meaning: "multi-part parcels no longer truncated", AtServeTime: true},
	{ID: AddressPointJoin, Meaning: "address points joined to the containing parcel", NeedsRebuild: true},
	{ID: NSCodeTable, Meaning: "corrected land-use code table", NeedsRebuild: true},
	{ID: LandUseTileClip, Meaning: "loss of land-use area at tile edges mended", ByOverlay: true},
	{ID: RingOrder, Meaning: "ring order normalised", AtServeTime: true},
	{ID: TilePartitionV1, Meaning: "parcels assembled from a partition by tiles, which closes coverage holes", NeedsRebuild: true},
}

// firstFix is the position of the oldest epoch that is a fix and not a generation.
const firstFix = 2

// AllEpochs is the catalogue, oldest first.
func AllEpochs() []Epoch { return slices.Clone(epochs[:]) }

// ParseEpoch reads the id of an epoch.
func ParseEpoch(id string) (EpochID, error) {
	if i := EpochID(id).index(); i < 0 {
		return "", fmt.Errorf("ingest epoch %q is not known: expected one of %s to %s", id, epochs[0].ID, epochs[len(epochs)-1].ID)
	}
	return EpochID(id), nil
}

func (id EpochID) index() int {
	return slices.IndexFunc(epochs[:], func(e Epoch) bool { return e.ID == id })
}

// A snapshot notes its generation and, behind plus signs, fixes that were brought to it later:
// "bulk_v7_zenodo+address_point_join".

// Generation is the generation of the data without later fixes.
func (id EpochID) Generation() EpochID {
	g, _, _ := strings.Cut(string(id), "+")
	return EpochID(g)
}

// With notes that a fix was brought to the data; one that it carries changes nothing.
func (id EpochID) With(fix EpochID) EpochID {
	if id.Has(fix) {
		return id
	}
	return id + "+" + fix
}

// Has says whether the data carries a fix.
func (id EpochID) Has(fix EpochID) bool {
	have, _ := id.Fixes()
	return slices.Contains(have, fix)
}

// Fixes lists the fixes that data of a generation carries, and those it lacks, each oldest first. An
// unknown generation carries none but those that were brought to it.
func (id EpochID) Fixes() (have, missing []EpochID) {
	have, missing = []EpochID{}, []EpochID{}
	later := strings.Split(string(id), "+")[1:]
	for i, e := range epochs[firstFix:] {
		if i+firstFix <= id.Generation().index() || slices.Contains(later, string(e.ID)) {
			have = append(have, e.ID)
		} else {
			missing = append(missing, e.ID)
		}
	}
	return have, missing
}
