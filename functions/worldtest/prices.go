package worldtest

import (
	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/prices"
	"mappe/shared/cloud/store"
	"mappe/shared/landprice"
)

// PriceRows are published prices of the world: municipality 38801 has a series of its own with a gap, 38802 and
// 48804 have none; the state 3 has farmland and forest.
func PriceRows() []prices.Row {
	var rows []prices.Row
	add := func(l landprice.Level, code string, k landprice.Kind, values map[int]float64) {
		for year, eur := range values {
			rows = append(rows, prices.Row{Level: l, Code: code, Kind: k, Year: year, EUR: eur})
		}
	}
	add(landprice.Gemeinde, "38801", landprice.BuildingLand, map[int]float64{2018: 100, 2020: 121, 2024: 150})
	add(landprice.Bezirk, "388", landprice.BuildingLand, map[int]float64{2020: 90, 2024: 110})
	add(landprice.Bezirk, "388", landprice.HousePre1960, map[int]float64{2024: 1600})
	add(landprice.Bezirk, "388", landprice.House1960To1990, map[int]float64{2024: 2000})
	add(landprice.Bezirk, "388", landprice.HousePost1991, map[int]float64{2024: 2500})
	add(landprice.State, "3", landprice.BuildingLand, map[int]float64{2020: 80, 2022: 88.2})
	add(landprice.State, "3", landprice.Arable, map[int]float64{2024: 6})
	add(landprice.State, "3", landprice.ArableRent, map[int]float64{2024: 350})
	add(landprice.State, "3", landprice.Grassland, map[int]float64{2024: 3})
	add(landprice.State, "3", landprice.GrasslandRent, map[int]float64{2024: 200})
	add(landprice.LiteratureState, "3", landprice.ForestLow, map[int]float64{2024: 1})
	add(landprice.LiteratureState, "3", landprice.ForestHigh, map[int]float64{2024: 4})
	prices.Sort(rows)
	return rows
}

// AddPrices gives the published generation prices and the tallies of the KGs.
func AddPrices(s store.Store, snapshots []*kgfile.Snapshot, rows []prices.Row) error {
	c := prices.Contents{Attribution: "made-up prices", Model: landprice.Model, Rows: rows}
	for _, snap := range snapshots {
		k := prices.KG{Code: snap.KG.Code, GemeindeCode: snap.KG.GemeindeCode}
		for i := range snap.Parcels {
			in := prices.InputOf(&snap.Parcels[i], snap.KG.Typology)
			k.Tally.Add(&in)
		}
		c.KGs = append(c.KGs, k)
	}
	body, err := prices.Encode(&c)
	if err != nil {
		return err
	}
	return putArtefact(s, prices.Artefact, keys.Prices{Name: "land", Sum: keys.Sum(body), Ext: "parts"}, body)
}
