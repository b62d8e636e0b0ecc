package worldtest

import (
	"math"

	"mappe/artefacts/rasters"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/raster"
)

// AddVillage gives the published generation two laser scans and two orthophotos near them of a meadow around a building of KG 88801,
// 240 m from west to east. Between the dates this building and one that the cadastre does not have, 55 m to the east, are built, and
// a wood, 55 m to the west, is felled. The building stands at x, y in EPSG:3035.
func AddVillage(s store.Store) (x0, y0 float64, err error) {
	x0, y0 = Plane(0.5, 0.5)
	x0, y0 = math.Round(x0), math.Round(y0)
	v := village{x0, y0}
	box := raster.Box{West: x0 - 120, South: y0 - 110, East: x0 + 120, North: y0 + 110}
	for i, d := range []string{"2022-09-15", "2024-09-15"} {
		date := uint64(i)
		if err := AddRasters(s, Raster{Layer: rasters.DTM, Date: d, Box: box,
			Height: func(x, y float64) float64 { return v.ground(x, y, date) }},
			Raster{Layer: rasters.DSM, Date: d, Box: box, Height: func(x, y float64) float64 { return v.top(x, y, date) }}); err != nil {
			return x0, y0, err
		}
	}
	for i, d := range []string{"2022-10-27", "2024-06-25"} {
		if err := AddBytes(s, Bytes{Layer: rasters.Ortho, Date: d, Box: box, Samples: func(x, y float64) []uint8 {
			return v.photo(x, y, i)
		}}); err != nil {
			return x0, y0, err
		}
	}
	return x0, y0, nil
}

type village struct{ x0, y0 float64 }

func (v village) house(x, y float64) bool {
	return math.Abs(x-v.x0) < 7 && math.Abs(y-v.y0) < 7 || math.Abs(x-v.x0-55) < 7 && math.Abs(y-v.y0) < 7
}

func (v village) wood(x, y float64) bool { return math.Abs(x-v.x0+55) < 15 && math.Abs(y-v.y0) < 15 }

func (v village) ground(x, y float64, date uint64) float64 {
	return 700 + 3*math.Sin(x/41)*math.Cos(y/37) + 0.05*noise(x, y, date)
}

func (v village) top(x, y float64, date uint64) float64 {
	z := v.ground(x, y, date)
	switch {
	case date == 1 && v.house(x, y):
		return 706 + 3*math.Sin(v.x0/41)*math.Cos(v.y0/37)
	case date == 0 && v.wood(x, y):
		return z + 9 + 3*noise(x, y, 9)
	}
	return z + 0.1 + 0.03*noise(x, y, 7+date)
}

func (v village) photo(x, y float64, date int) []uint8 {
	switch {
	case date == 1 && v.house(x, y):
		return []uint8{150, 140, 130, 140}
	case date == 1 && v.wood(x, y):
		return []uint8{130, 118, 88, 134}
	}
	return []uint8{60, 90, 50, 120}
}

// noise is a number between -1 and 1 that looks drawn, the same for the same place.
func noise(x, y float64, salt uint64) float64 {
	k := uint64(int64(x))*0x9e3779b97f4a7c15 ^ uint64(int64(y))*0xd1b54a32d192ed03 ^ salt*0xbf58476d1ce4e5b9
	k ^= k >> 31
	k *= 0x94d049bb133111eb
	return float64(k>>11)/(1<<52) - 1
}
