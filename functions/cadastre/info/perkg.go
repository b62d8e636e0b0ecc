package info

import (
	"context"
	"slices"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/functions/core"
	"mappe/functions/core/generation"
	"mappe/functions/core/view"
	"mappe/functions/sibling"
	"mappe/shared/austria"
	"mappe/shared/web/fault"
)

// perKG is what the cadastre has of KGs, for the sibling contract.
type perKG struct{}

// measure is a number of a KG with where it is.
type measure[T any] struct {
	sibling.Metric
	get func(*T) float64
}

func count[T any](key, doc string, get func(*T) int) measure[T] {
	return measure[T]{sibling.Metric{Key: key, Doc: doc}, func(t *T) float64 { return float64(get(t)) }}
}

var kgMeasures = []measure[kgfile.KG]{
	count("parcel_count", "parcels", func(k *kgfile.KG) int { return k.ParcelCount }),
	count("building_count", "address points", func(k *kgfile.KG) int { return k.BuildingCount }),
	count("footprint_count", "building footprints", func(k *kgfile.KG) int { return k.FootprintCount }),
	count("landuse_count", "land-use polygons and symbols", func(k *kgfile.KG) int { return k.LandUseCount }),
	count("ez_count", "land-register folios", func(k *kgfile.KG) int { return k.EZCount }),
	{sibling.Metric{Key: "total_area_sqm", Unit: "m²", Doc: "area of the parcels, EPSG:3035", Decimals: 2}, func(k *kgfile.KG) float64 {
		return k.TotalAreaSqm
	}},
	{sibling.Metric{Key: "total_footprint_area_sqm", Unit: "m²", Doc: "area of the footprints", Decimals: 2}, func(k *kgfile.KG) float64 {
		return k.TotalFootprintAreaSqm
	}},
	{sibling.Metric{Key: "building_density_per_km2", Unit: "1/km²", Doc: "footprints per area", Decimals: 4}, func(k *kgfile.KG) float64 {
		return k.BuildingDensity
	}},
	{sibling.Metric{Key: "built_up_ratio", Doc: "footprint area by parcel area, 0 to 1", Decimals: 4}, func(k *kgfile.KG) float64 {
		return k.BuiltUpRatio
	}},
	{sibling.Metric{Key: "avg_nn_distance_m", Unit: "m", Doc: "mean distance from a footprint to the nearest other one", Decimals: 2},
		func(k *kgfile.KG) float64 { return k.AvgNNDistanceM }},
	{sibling.Metric{Key: "landuse_diversity", Doc: "Shannon entropy of the land-use areas, natural logarithm", Decimals: 4},
		func(k *kgfile.KG) float64 { return k.LandUseDiversity }},
	{sibling.Metric{Key: "avg_compactness", Doc: "mean of 4πA/P² of the parcels, 0 to 1", Decimals: 4}, func(k *kgfile.KG) float64 {
		return k.AvgCompactness
	}},
	{sibling.Metric{Key: "median_parcel_area_sqm", Unit: "m²", Doc: "median area of the parcels", Decimals: 2}, func(k *kgfile.KG) float64 {
		return k.MedianParcelAreaSqm
	}},
}

var parcelMeasures = []measure[kgfile.Parcel]{
	{sibling.Metric{Key: "area_sqm", Unit: "m²", Doc: "drawn area, EPSG:3035", Decimals: 2}, func(p *kgfile.Parcel) float64 {
		return p.AreaSqm
	}},
	count("building_count", "address points", func(p *kgfile.Parcel) int { return p.BuildingCount }),
	count("footprint_count", "building footprints", func(p *kgfile.Parcel) int { return p.FootprintCount }),
	{sibling.Metric{Key: "total_building_area_sqm", Unit: "m²", Doc: "footprint area on the parcel", Decimals: 2},
		func(p *kgfile.Parcel) float64 { return p.BuildingAreaSqm }},
	{sibling.Metric{Key: "compactness", Doc: "4πA/P² of the largest part: 1 circle, 0.785 square", Decimals: 4},
		func(p *kgfile.Parcel) float64 { return p.Compactness }},
	{sibling.Metric{Key: "elongation", Doc: "long by short side of the smallest rotated box", Decimals: 4}, func(p *kgfile.Parcel) float64 {
		return p.Elongation
	}},
	{sibling.Metric{Key: "far", Doc: "footprint area by parcel area", Decimals: 4}, func(p *kgfile.Parcel) float64 { return p.FAR }},
	count("vertex_count", "vertices of all rings", func(p *kgfile.Parcel) int { return p.VertexCount }),
}

// named are the metrics of measures.
func named[T any](list []measure[T]) []sibling.Metric {
	out := make([]sibling.Metric, len(list))
	for i := range list {
		out[i] = list[i].Metric
	}
	return out
}

// taken are the values of measures, in space that is used again.
func taken[T any](list []measure[T], t *T, out []float64) []float64 {
	out = out[:0]
	for i := range list {
		out = append(out, list[i].get(t))
	}
	return out
}

// contract is the cadastre as a sibling.
var contract = sibling.Service{
	Slug: "cadastre", Dataset: "Austrian cadastre: parcels, address points, footprints", Granularity: sibling.Parcel,
	License: core.Notice.License, Metrics: named(kgMeasures), ElementMetrics: named(parcelMeasures), Data: perKG{},
}

func (perKG) Covered(ctx context.Context) ([]austria.KGCode, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	all := []austria.KGCode{}
	for _, k := range v.Register().KGs() {
		if k.Snapshot.Key != "" {
			all = append(all, k.Code)
		}
	}
	return all, nil
}

// State is that of the KGs which have a snapshot. One whose snapshot is being loaded is 503: its data exists.
func (perKG) State(ctx context.Context, codes []austria.KGCode) (string, time.Time, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	if codes == nil {
		return v.Generation(), dated(v.Register().Stichtag()), nil
	}
	var have []austria.KGCode
	newest := ""
	for _, c := range codes {
		if k := v.Register().KG(c); k != nil && k.Snapshot.Key != "" {
			have, newest = append(have, c), max(newest, k.Snapshot.Date)
		}
	}
	if len(have) == 0 {
		return "", time.Time{}, nil
	}
	var gaps view.Missing
	if err := v.Confirm(ctx, have, &gaps); err != nil {
		return "", time.Time{}, err
	}
	if warming := gaps.Warming(); len(warming) > 0 {
		return "", time.Time{}, gaps.Why(warming[0]).Fault(warming[0])
	}
	if len(gaps.Unavailable()) > 0 { // nobody keeps an answer without them
		return "", time.Time{}, nil
	}
	return v.Depends(codes), dated(newest), nil
}

// dated is the beginning of a day.
func dated(date string) time.Time {
	t, _ := time.Parse(time.DateOnly, date) // zero where nothing is dated
	return t
}

// file opens a KG that has a snapshot; nil for one that has none.
func (perKG) file(ctx context.Context, code austria.KGCode) (*view.View, *register.KG, *kgfile.File, error) {
	v, err := view.Of(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	k := v.Register().KG(code)
	if k == nil || k.Snapshot.Key == "" {
		return v, nil, nil, nil
	}
	f, err := v.Need(ctx, code)
	if missed := fault.From(err); err != nil && missed.Code == fault.NotFound {
		missed.Code = fault.Unavailable // by the contract 404 says that there is no data
		return v, k, nil, missed
	}
	return v, k, f, err
}

func (d perKG) KG(ctx context.Context, code austria.KGCode) (*sibling.Block, error) {
	v, k, f, err := d.file(ctx, code)
	if f == nil || err != nil {
		return nil, err
	}
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	b := blockOf(k, f)
	b.Metrics = taken(kgMeasures, new(f.KG()), nil)
	if b.History, err = history(ctx, v, code, k.Snapshot.Date); err != nil {
		return nil, err
	}
	b.Elements = func(yield func(*sibling.Element) bool) {
		var e sibling.Element
		var id []byte
		for i := range parcels {
			id = austria.ParcelID{KG: code, GNR: parcels[i].GNR}.AppendTo(id[:0])
			e.ID, e.Metrics = string(id), taken(parcelMeasures, &parcels[i], e.Metrics)
			if !yield(&e) {
				return
			}
		}
	}
	return b, nil
}

func blockOf(k *register.KG, f *kgfile.File) *sibling.Block {
	source := f.Build().Source
	return &sibling.Block{KG: k.Code, Gemeinde: k.GemeindeCode, AsOf: k.Snapshot.Date, Updated: dated(k.Snapshot.Date),
		Source: source + ", modified"}
}

// history is what the list of snapshots says of the dates before the served one: the number of parcels. It stands
// first among the measures. Of several snapshots of a date the last published counts.
func history(ctx context.Context, v *view.View, code austria.KGCode, served string) ([]sibling.Past, error) {
	list, _, err := v.Versions(ctx, code)
	if err != nil {
		return nil, generation.Fault(ctx, err)
	}
	var past []sibling.Past
	for _, s := range list.Snapshots { // newest first
		if s.Date < served && (len(past) == 0 || past[len(past)-1].AsOf != s.Date) {
			past = append(past, sibling.Past{AsOf: s.Date, Metrics: []float64{float64(s.ParcelCount)}})
		}
	}
	slices.Reverse(past)
	return past, nil
}

func (d perKG) Parcel(ctx context.Context, id austria.ParcelID) (*sibling.Block, error) {
	_, k, f, err := d.file(ctx, id.KG)
	if f == nil || err != nil {
		return nil, err
	}
	i, ok, err := f.ParcelByGNR(id.GNR)
	if !ok || err != nil {
		return nil, err
	}
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	b := blockOf(k, f)
	b.Metrics = taken(parcelMeasures, &parcels[i], nil)
	return b, nil
}
