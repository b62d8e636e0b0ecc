// Package landprices answers what land is worth: of one parcel, of a list of parcels, of made-up parcels, and of
// municipalities, districts and states, each with the reasons. The model is shared/landprice, the published
// series and the tallies of the KGs are one artefact (artefacts/prices), which is held whole.
//
//	stats.go       the model, its constants and sources
//	parcel.go      a parcel of the cadastre; also its KG file is read
//	predict.go     a parcel described by parameters; nothing of the cadastre is read
//	batch.go       up to 1,000 of either
//	gemeinde.go bezirk.go bundesland.go   areas: products of their tallies and a year's baselines
//	validate.go    predicted against published values, over all municipalities
//
// An area costs no KG file: prices of a year are products with sums that the builder made (landprice.Tally).
// They are of the KGs with a snapshot in the served generation, whether it is at hand now or not.
package landprices
