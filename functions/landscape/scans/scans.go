// Package scans opens the rasters of a generation for the families of the landscape: which there are, under which
// licence, and what a client is told where they cannot be read. It reads no raster.
package scans

import (
	"context"
	"math"

	"mappe/artefacts/library"
	"mappe/artefacts/library/mosaic"
	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/shared/web/reply"
)

// Notice is the licence of what is made of the rasters. Whom to name the list of rasters says.
var Notice = reply.Notice{License: "CC BY 4.0", LicenseURL: "https://creativecommons.org/licenses/by/4.0/",
	Dataset: "Airborne laser scans, analysed"}

// Source is what a request reads.
type Source struct {
	*library.View
	*mosaic.Mosaic
	List *rasters.Index
}

// Open are the rasters of the generation that a request is answered from. An index that cannot be read is a fault with
// Retry-After.
func Open(ctx context.Context) (*Source, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return nil, err
	}
	m, err := mosaic.Open(ctx, v)
	if err != nil {
		return nil, generation.FaultOf(ctx, "the index of rasters", err)
	}
	return &Source{v, m, m.Index}, nil
}

// State names the rasters of the generation that a request is answered from: whatever else is published, answers from
// them stay as they are. "" if the generation has no scans.
func State(ctx context.Context) (string, error) {
	v, err := generation.Pinned(ctx)
	if err != nil {
		return "", err
	}
	key, ok := v.Artefact(rasters.Artefact)
	if !ok {
		return "", nil
	}
	return key.String(), nil
}

// StateWithCadastre is State of answers that are made from KGs, too: for their footprints, land use or parcels.
func StateWithCadastre(ctx context.Context) (string, error) {
	of, err := State(ctx)
	if err != nil {
		return "", err
	}
	v, err := generation.Pinned(ctx)
	if err != nil {
		return "", err
	}
	return of + " " + v.Generation(), nil
}

// Round keeps so many decimals; what is no number is null.
func Round(v float64, decimals int) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	p := math.Pow10(decimals)
	v = math.Round(v*p)/p + 0
	return &v
}

// NoticeOf names who made a raster.
func NoticeOf(l *rasters.Layer) *reply.Notice {
	n := Notice
	if l.Attribution != "" {
		n.Attribution = l.Attribution + ", modified"
	}
	return &n
}
