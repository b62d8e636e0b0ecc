package mcp

import (
	"encoding/json"
	"math"

	"mappe/artefacts/ne"
)

// cellWords is the block of the land statistics in words and units: the published record has shares in 1/255 of the cell
// and short names, which a model would have to guess.
type cellWords struct {
	Cell       string             `json:"cell"`
	About      string             `json:"about"`
	LandUse    map[string]float64 `json:"land_use_percent"`
	Declared   bool               `json:"land_use_is_declared"`
	Parcels    any                `json:"parcels_touching"` // a number, or "255 or more"
	Covered    *float64           `json:"covered_by_parcels_percent"`
	BuiltOver  *float64           `json:"built_over_percent"`
	Buildings  *int               `json:"buildings"`
	Surveyed   *float64           `json:"in_boundary_cadastre_percent"`
	Boundaries *int               `json:"parcel_boundaries_m_per_ha"`
	Around     *aroundWords       `json:"around,omitempty"`
	Changes    json.RawMessage    `json:"changes,omitempty"`
}

// aroundWords is the record of the cell of resolution 10 above.
type aroundWords struct {
	About   string `json:"about"`
	Parcels *int   `json:"parcels"`
	Median  *int   `json:"median_parcel_m2"`
	Folios  *int   `json:"folios"`
}

const (
	aboutCell   = "hexagonal cell of about 307 m² around the point; shares are of the cell"
	aboutAround = "hexagonal cell of about 1.5 ha; sizes are rounded to steps of 9 percent"
)

// uses are the words of the nine classes, in their order.
var uses = [...]string{"buildings", "built-up land, gardens and business land",
	"arable land, permanent crops and meadows (one code since 2012)", "pasture and scrub",
	"forest", "water", "traffic", "alpine pasture", "other"}

// percent is a share of 1/255 with one digit.
func percent(share int) float64 { return math.Round(1000*float64(share)/255) / 10 }

func percentOf(share *int) *float64 {
	if share == nil {
		return nil
	}
	v := percent(*share)
	return &v
}

// inWords puts the block ne of a context into words; other blocks stay as they were written. The answer itself where it has
// no such block.
func inWords(members map[string]json.RawMessage) map[string]json.RawMessage {
	var data map[string]json.RawMessage
	var block struct {
		Cell string `json:"cell"`
		LU   *struct {
			Flags    int   `json:"flags"`
			LU       []int `json:"lu"`
			Cov      *int  `json:"cov"`
			StrCover *int  `json:"str_cover"`
			StrN     *int  `json:"str_n"`
			GK       *int  `json:"gk"`
			NUnits   *int  `json:"n_units"`
			EdgeMHa  *int  `json:"edge_m_ha"`
		} `json:"lu"`
		K *struct {
			NUnits *int `json:"n_units"`
			P50    *int `json:"unit_p50"`
			RegN   *int `json:"reg_n"`
		} `json:"k"`
		Chg json.RawMessage `json:"chg"`
	}
	if json.Unmarshal(members["data"], &data) != nil || json.Unmarshal(data["ne"], &block) != nil || block.LU == nil ||
		len(block.LU.LU) != len(uses) {
		return members
	}
	w := cellWords{Cell: block.Cell, About: aboutCell, LandUse: map[string]float64{}, Declared: block.LU.Flags&ne.DeclaredUnknown == 0,
		Covered: percentOf(block.LU.Cov), BuiltOver: percentOf(block.LU.StrCover), Buildings: block.LU.StrN,
		Surveyed: percentOf(block.LU.GK), Boundaries: block.LU.EdgeMHa, Changes: block.Chg}
	for i, share := range block.LU.LU {
		if share > 0 {
			w.LandUse[uses[i]] = percent(share)
		}
	}
	switch n := block.LU.NUnits; {
	case n != nil && *n >= ne.None8:
		w.Parcels = "255 or more"
	case n != nil:
		w.Parcels = *n
	}
	if k := block.K; k != nil {
		w.Around = &aroundWords{aboutAround, k.NUnits, k.P50, k.RegN}
	}
	return replaced(members, data, w)
}

func replaced(members, data map[string]json.RawMessage, w cellWords) map[string]json.RawMessage {
	words, err := json.Marshal(w)
	if err != nil { // numbers are finite
		return members
	}
	data["ne"] = words
	whole, err := json.Marshal(data)
	if err != nil {
		return members
	}
	members["data"] = whole
	return members
}
