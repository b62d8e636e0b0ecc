// Package sibling is the contract by which services share what they have of a KG: the addresses below /llm/, the
// payload, and the text that explains them. It owns the form of the answers; a service gives what it has as Data. A
// service that has nothing of KGs keeps the contract too: every KG is no_data, the coverage is empty.
package sibling

import (
	"context"
	_ "embed"
	"time"

	"mappe/shared/austria"
)

// Contract is the contract in plain text; {base_url} stands for the address of the service that shows it.
//
//go:embed contract.txt
var Contract string

// MaxCodes is how many KGs one request may ask for.
const MaxCodes = 500

// Granularity is the finest place that data is of.
type Granularity string

// The granularities, the coarsest first.
const (
	Gemeinde Granularity = "gemeinde"
	Point    Granularity = "point"
	Parcel   Granularity = "parcel"
)

// JoinKeys are the keys by which data of siblings is joined.
func JoinKeys() []string { return []string{"parcel_id", "kg_code", "gemeinde_code", "ez"} }

// Metric is one number of a payload.
type Metric struct {
	Key      string // snake_case, with the unit where it has one: total_area_sqm
	Unit     string // "m²"; "" for counts and ratios
	Doc      string
	Decimals int
}

// Service is a service and what it has.
type Service struct {
	Slug, Dataset  string
	Granularity    Granularity // finest one
	License        string
	Metrics        []Metric // of a KG
	ElementMetrics []Metric // of a parcel or point
	Data           Data     // nil: it has nothing of KGs
}

// Data is what a service has of KGs. Requests come with the generation pinned that the service pins.
type Data interface {
	// Covered lists the KGs with data, rising.
	Covered(ctx context.Context) ([]austria.KGCode, error)
	// State names the state of the data of some KGs, for the ETag, and when it last changed; "" where none of them
	// has data. nil codes are all. An error says that data which exists cannot be read now.
	State(ctx context.Context, codes []austria.KGCode) (tag string, updated time.Time, err error)
	// KG gives what there is of a KG; nil where there is nothing. Its elements are read when they are asked for.
	KG(ctx context.Context, code austria.KGCode) (*Block, error)
	// Parcel gives what there is of a parcel; nil where there is nothing.
	Parcel(ctx context.Context, id austria.ParcelID) (*Block, error)
}

// Block is the data of a place. Metrics are in the order of the Service's; NaN is unknown.
type Block struct {
	KG       austria.KGCode
	Gemeinde austria.GemeindeCode
	AsOf     string // a date or a year
	Updated  time.Time
	Source   string
	Metrics  []float64
	History  []Past // rising by AsOf
	// Elements gives the parcels or points one after the other; the element may be used again. nil: none.
	Elements func(yield func(*Element) bool)
}

// Past is what was known at an earlier date; Metrics may be shorter than the Service's.
type Past struct {
	AsOf    string
	Metrics []float64
}

// Element is a parcel or point of a KG.
type Element struct {
	ID       string
	Lon, Lat int32 // of a point, 1e-7 degrees
	Metrics  []float64
}
