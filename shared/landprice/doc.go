// Package landprice is the price model of Austrian land as pure functions: which price class a parcel has,
// what a square metre of it costs in a year, what it brings in rent, what the buildings on it are worth, and
// why. It does no I/O and knows no clock; the published series come in as a Book.
//
//	class     buildings or footprints → bauland_built; else the land use decides (class.go)
//	bauland   baseline(municipality, year) × Calibration × f_size × f_shape × f_typology
//	farmland  the state's price of arable land or grassland, and its rent per hectare
//	wald      the geometric mean of the state's indicative range
//	building  footprint area × story factor × house price of the district
//	year      an observed year as it is, gaps log-linear, outside the series the clipped growth (series.go)
//
// Prices are EUR per m², rents EUR per hectare and year, areas m². An unknown number is NaN, never 0. A price
// that no series supports is NaN too: the model makes up no baseline.
//
// The constants that the specification leaves open (the exponent and the bounds of f_size, the widths of the
// intervals) stand in factors.go and interval.go, each with its reason; docs/prices.md describes the method.
package landprice
