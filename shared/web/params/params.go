// Package params is how positions, boxes and the codes of the register are given to every service: one sentence, one set of
// bounds and one error for each. A parameter is read from the address, or from a body that may hold it
// (endpoint.BodyOf.Carrying).
//
//	place = params.At("lon", "lat", "of the point")
//	sides = params.Edges("of the box")
//	bbox  = params.Box("Only what lies in this box.")
//	kg    = params.KG("kg", "Only this KG")
//
// The services of the OGC and of STAC read boxes by their standards (functions/core/geometry): a box may be a point there, or
// cross the antimeridian.
package params

import (
	"errors"
	"strings"
	"time"

	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
)

// KG is the code of a Katastralgemeinde; what says which: "Only this KG".
func KG(name, what string, opts ...endpoint.Option) *endpoint.Param[austria.KGCode] {
	return endpoint.Parsed(name, what+": its code, padded or not.", austria.ParseKGCode,
		append([]endpoint.Option{endpoint.Example("99101")}, opts...)...)
}

// KGs are several, with commas between.
func KGs(name, what string, opts ...endpoint.Option) *endpoint.Param[[]austria.KGCode] {
	return endpoint.ParsedList(name, what+": codes, padded or not, separated by commas.", austria.ParseKGCode,
		append([]endpoint.Option{endpoint.Example("99101")}, opts...)...)
}

// Parcel is the id of a parcel.
func Parcel(name, what string, opts ...endpoint.Option) *endpoint.Param[austria.ParcelID] {
	return endpoint.Parsed(name, what+": <kg_code>-<gnr>; a slash is %2F, once.", austria.ParseParcelID,
		append([]endpoint.Option{endpoint.Example("99101-1")}, opts...)...)
}

// GNR is a parcel number of a KG that is named beside it.
func GNR(name string, opts ...endpoint.Option) *endpoint.Param[austria.GNR] {
	return endpoint.Parsed(name, "Parcel number; a slash is %2F, once.", austria.ParseGNR,
		append([]endpoint.Option{endpoint.Example("1")}, opts...)...)
}

// Gemeinde is the code of a municipality.
func Gemeinde(name, what string, opts ...endpoint.Option) *endpoint.Param[austria.GemeindeCode] {
	return endpoint.Parsed(name, what+": its code, 5 digits.", austria.ParseGemeindeCode,
		append([]endpoint.Option{endpoint.Example("59902")}, opts...)...)
}

// Gemeinden are several, with commas between.
func Gemeinden(name, what string, opts ...endpoint.Option) *endpoint.Param[[]austria.GemeindeCode] {
	return endpoint.ParsedList(name, what+": 5-digit codes, separated by commas.", austria.ParseGemeindeCode,
		append([]endpoint.Option{endpoint.Example("59902")}, opts...)...)
}

// District is the code of a district.
func District(name, what string, opts ...endpoint.Option) *endpoint.Param[austria.DistrictCode] {
	return endpoint.Parsed(name, what+": its code, 3 digits.", austria.ParseDistrictCode, append([]endpoint.Option{endpoint.Example("599")},
		opts...)...)
}

// Date is a day, as YYYY-MM-DD or YYYYMMDD; its value is YYYYMMDD.
func Date(name, doc string, opts ...endpoint.Option) *endpoint.Param[string] {
	return endpoint.Parsed(name, doc, ParseDate, append([]endpoint.Option{endpoint.Example("20240915")}, opts...)...)
}

var errDate = errors.New("a date as YYYYMMDD, for example 20240915")

// ParseDate reads a day as YYYYMMDD.
func ParseDate(text string) (string, error) {
	if len(text) == len(time.DateOnly) && text[4] == '-' && text[7] == '-' {
		text = strings.ReplaceAll(text, "-", "")
	}
	if _, err := time.Parse("20060102", text); err != nil {
		return "", errDate
	}
	return text, nil
}
