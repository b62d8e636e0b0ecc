package segment

import "fmt"

// Type is what an object is, by the codes of the service.
type Type uint8

// The types. Unclassified, WindTurbine, Substation and Earthwork are beside the 25 that have been numbered first.
const (
	Unclassified Type = 0
	Tree         Type = 1
	Shrub        Type = 2
	Grass        Type = 3
	Hedge        Type = 4
	Water        Type = 5
	Roof         Type = 10
	Greenhouse   Type = 11
	SolarPanel   Type = 12
	Fence        Type = 15
	Wall         Type = 16
	Mast         Type = 17
	WindTurbine  Type = 18
	Substation   Type = 19
	Road         Type = 20
	Path         Type = 21
	Parking      Type = 22
	Bridge       Type = 23
	Crop         Type = 30
	Orchard      Type = 31
	Vineyard     Type = 32
	Garden       Type = 33
	BareSoil     Type = 40
	Rock         Type = 41
	Excavation   Type = 50
	Fill         Type = 51
	TreeLoss     Type = 52
	Construction Type = 53
	Earthwork    Type = 54
)

// Group is a kind of land that objects belong to.
type Group int

// The groups.
const (
	Forest           Group = 101
	Woodland         Group = 102
	Hedgerow         Group = 103
	Waterbody        Group = 106
	Building         Group = 110
	RoadNetwork      Group = 115
	Cropland         Group = 120
	Pasture          Group = 121
	OrchardGrove     Group = 122
	Quarry           Group = 130
	ConstructionSite Group = 131
)

// TypeInfo describes a type.
type TypeInfo struct {
	Type      Type
	Name      string
	Letter    byte   // of compact lists: lower case natural, upper case made by people, but for ways and what is grown
	Group     Group  // that an object of the type is put in; 0: none
	ManMade   bool   // roads, paths, parking places and bridges too
	Learnable bool   // a class of the trained model
	Learned   Type   // class that a model is taught of an object of this type; Unclassified: none
	Numbered  bool   // one of the 25 types
	Colour    uint32 // RGB, of maps
}

// Types are all types by code. The groups of the service overlap (a hedge is in forest, woodland and hedgerow); an object
// has one of them, the most particular: In says which others have it too.
var Types = []TypeInfo{
	{Unclassified, "unclassified", 'u', 0, false, false, Unclassified, false, 0xb0b0b0},
	{Tree, "tree", 't', Forest, false, true, Tree, true, 0x2e7d32},
	{Shrub, "shrub", 's', Woodland, false, true, Shrub, true, 0x7cb342},
	{Grass, "grass", 'g', Pasture, false, true, Grass, true, 0xaed581},
	{Hedge, "hedge", 'h', Hedgerow, false, false, Shrub, true, 0x558b2f},
	{Water, "water", 'w', Waterbody, false, true, Water, true, 0x1e88e5},
	{Roof, "roof", 'R', Building, true, true, Roof, true, 0xb71c1c},
	{Greenhouse, "greenhouse", 'G', Building, true, false, Roof, true, 0x80deea},
	{SolarPanel, "solar_panel", 'P', Building, true, false, Unclassified, true, 0x283593},
	{Fence, "fence", 'F', 0, true, false, Unclassified, true, 0x8d6e63},
	{Wall, "wall", 'W', Building, true, false, Unclassified, true, 0x6d4c41},
	{Mast, "mast", 'M', 0, true, false, Unclassified, true, 0x212121},
	{WindTurbine, "wind_turbine", 'T', 0, true, false, Unclassified, false, 0x455a64},
	{Substation, "substation", 'X', Building, true, false, Unclassified, false, 0x4a148c},
	{Road, "road", 'r', RoadNetwork, true, true, Road, true, 0x616161},
	{Path, "path", 'p', RoadNetwork, true, true, Path, true, 0xbcaaa4},
	{Parking, "parking", 'k', RoadNetwork, true, true, Parking, true, 0x9e9e9e},
	{Bridge, "bridge", 'b', 0, true, false, Road, true, 0x37474f},
	{Crop, "crop", 'c', Cropland, false, true, Crop, true, 0xfdd835},
	{Orchard, "orchard", 'o', OrchardGrove, false, true, Orchard, true, 0x9ccc65},
	{Vineyard, "vineyard", 'v', OrchardGrove, false, true, Vineyard, true, 0x8e24aa},
	{Garden, "garden", 'a', Pasture, false, true, Garden, true, 0xdce775},
	{BareSoil, "bare_soil", 'B', 0, false, true, BareSoil, true, 0xa1887f},
	{Rock, "rock", 'K', 0, false, true, Rock, true, 0xcfd8dc},
	{Excavation, "excavation", 'E', Quarry, true, false, Earthwork, true, 0xe65100},
	{Fill, "fill", 'L', Quarry, true, false, Earthwork, true, 0xffb74d},
	{TreeLoss, "tree_loss", 'l', ConstructionSite, false, true, TreeLoss, true, 0xff8a65},
	{Construction, "construction", 'C', ConstructionSite, true, false, Unclassified, true, 0xf4511e},
	{Earthwork, "earthwork", 'e', 0, true, true, Earthwork, false, 0xfb8c00},
}

// Groups are the groups with the types that are their members.
var Groups = []struct {
	Group   Group
	Name    string
	Members []Type
}{
	{Forest, "forest", []Type{Tree, Shrub, Hedge}},
	{Woodland, "woodland", []Type{Shrub, Hedge}},
	{Hedgerow, "hedgerow", []Type{Hedge}},
	{Waterbody, "waterbody", []Type{Water}},
	{Building, "building", []Type{Roof, Wall, SolarPanel, Greenhouse, Substation}},
	{RoadNetwork, "road_network", []Type{Road, Path, Parking}},
	{Cropland, "cropland", []Type{Crop, Grass}},
	{Pasture, "pasture", []Type{Grass, Garden}},
	{OrchardGrove, "orchard_grove", []Type{Orchard, Vineyard}},
	{Quarry, "quarry", []Type{Excavation, Fill}},
	{ConstructionSite, "construction_site", []Type{Construction, Excavation, Fill, TreeLoss}},
}

var byType = func() (out [256]*TypeInfo) {
	for i := range Types {
		out[Types[i].Type] = &Types[i]
	}
	return out
}()

// Info describes the type; that of unclassified for unknown codes.
func (t Type) Info() *TypeInfo {
	if k := byType[t]; k != nil {
		return k
	}
	return &Types[0]
}

func (t Type) String() string { return t.Info().Name }

// ParseType reads the name of a type.
func ParseType(name string) (Type, error) {
	for i := range Types {
		if Types[i].Name == name {
			return Types[i].Type, nil
		}
	}
	return 0, fmt.Errorf("segment: no type %q", name)
}

func (g Group) String() string {
	for i := range Groups {
		if Groups[i].Group == g {
			return Groups[i].Name
		}
	}
	return ""
}

// ParseGroup reads the name of a group.
func ParseGroup(name string) (Group, error) {
	for i := range Groups {
		if Groups[i].Name == name {
			return Groups[i].Group, nil
		}
	}
	return 0, fmt.Errorf("segment: no group %q", name)
}

// In says whether a type is a member of a group.
func (t Type) In(g Group) bool {
	for i := range Groups {
		if Groups[i].Group != g {
			continue
		}
		for _, m := range Groups[i].Members {
			if m == t {
				return true
			}
		}
	}
	return false
}

// Learnable are the classes of a trained model, by code.
func Learnable() (out []Type) {
	for i := range Types {
		if Types[i].Learnable {
			out = append(out, Types[i].Type)
		}
	}
	return out
}
