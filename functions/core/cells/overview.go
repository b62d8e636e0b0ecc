package cells

import (
	"context"
	"strings"

	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// overviewData is the answer of /ne.
type overviewData struct {
	Frozen      frozen            `json:"frozen"`
	Endpoints   map[string]string `json:"endpoints"`
	Counts      overviewCounts    `json:"counts"`
	Dict        *dictInfo         `json:"dict"` // null where frames need none
	Layers      []layerInfo       `json:"layers"`
	ObsPublic   bool              `json:"obs_public"`
	GeneratedAt *string           `json:"generated_at"` // null where publications are not dated
	Generation  string            `json:"generation"`
	Limits      limitInfo         `json:"limits"`
}

// frozen is the pin of the layout.
type frozen struct {
	Pin    string `json:"pin"` // SHA-256 of layout
	Magic  string `json:"magic"`
	Media  string `json:"media_type"`
	Layout string `json:"layout"`
}

type overviewCounts struct {
	KGs     int `json:"kg_count"`
	Unbuilt int `json:"unbuilt"`
	counts
}

type dictInfo struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// layerInfo describes the rows of a layer.
type layerInfo struct {
	Layer       ne.Layer   `json:"layer"`
	Resolution  int        `json:"resolution,omitempty"`
	RecordBytes int        `json:"record_bytes,omitempty"`
	Fields      []ne.Field `json:"fields,omitempty"`
	Classes     []string   `json:"classes,omitempty"` // of the field lu
	Origin      *ne.Origin `json:"origin,omitempty"`  // of observations: what they are, whose and under which licence
}

type limitInfo struct {
	GetIDs    int     `json:"get_ids"`
	PostIDs   int     `json:"post_ids"`
	Rings     int     `json:"rings"`
	SpanDeg   float64 `json:"bbox_span_degrees"`
	Cells     int     `json:"cells"`
	KGs       int     `json:"kgs"`
	Rows      int     `json:"rows"`
	Retention int     `json:"retention_s"`
}

// resolutions of the rows of the layers that are defined.
var resolutions = map[ne.Layer]int{ne.LU: ne.LURes, ne.Bev: ne.KRes}

func overview() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne", ID: "ne", Tag: tag,
		Summary: "Layout, endpoints, counts and dictionaries",
		Doc: `frozen.layout is the written layout of rows and containers, frozen.pin the SHA-256 of that text: as long as the pin is
the one you know, your decoder reads everything here. dict is the dictionary that frames are packed with. obs_public says whether
observations are released; until then layers=obs gives nothing. What they are, whose and under which licence stands in origin, here and
in the header of each container.`,
		Answer:  endpoint.Answer{Body: answer[overviewData]{}},
		Example: "/api/v1/ne",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s, err := sourceOf(ctx)
			if err != nil {
				return nil, err
			}
			return data(s.overview(r)), nil
		},
	}
}

func (s *source) overview(r *endpoint.Request) *overviewData {
	base := endpoint.Prefix(r.HTTP) + "/api/v1/ne"
	p := s.Pointer()
	d := &overviewData{
		Frozen: frozen{ne.Pin(), ne.Magic, ne.MediaType, ne.Layout}, Counts: overviewCounts{KGs: len(s.Register().KGs()),
			counts: s.list.counts},
		ObsPublic: s.list.counts.ObsRows > 0, Generation: p.Generation, GeneratedAt: published(p),
		Limits: limitInfo{maxGetIDs, maxPostIDs, maxRings, maxSpan, maxCells, maxKGs, maxRows, int(manifest.Retention.Seconds())},
		Endpoints: map[string]string{
			"manifest": base + "/manifest", "container": base + "/{kg}", "head": base + "/{kg}/head", "dict": base + "/dict/{id}",
			"chunk": base + "/chunk/{h3_res9}", "cell": base + "/cell/{h3}", "cells": base + "/cells", "stats": base + "/stats",
		},
	}
	d.Counts.Unbuilt = d.Counts.KGs - d.Counts.Built
	if s.list.Dict != "" {
		d.Dict = &dictInfo{s.list.Dict, base + "/dict/" + s.list.Dict}
	}
	for _, l := range ne.AllLayers() {
		if l == ne.Obs && !d.ObsPublic {
			continue
		}
		info := layerInfo{Layer: l, Resolution: resolutions[l], RecordBytes: l.RecordBytes(), Fields: l.Fields()}
		if l == ne.LU {
			info.Classes = ne.Uses[:]
		}
		if o := s.list.Obs; l == ne.Obs && o != nil {
			info.Resolution, info.RecordBytes, info.Fields, info.Origin = ne.LURes, o.RecordBytes, o.Fields, &o.Origin
		}
		d.Layers = append(d.Layers, info)
	}
	return d
}

// published is the date of a pointer; nil where it has none.
func published(p manifest.Pointer) *string {
	if p.PublishedAt == "" {
		return nil
	}
	return &p.PublishedAt
}

// joinLayers writes layers as the parameter and the header name them.
func joinLayers(layers []ne.Layer) string {
	var names []string
	for _, l := range layers {
		names = append(names, string(l))
	}
	return strings.Join(names, ",")
}

// Examples of the documentation, in the demonstration country.
const (
	exampleCell  = "8c1e1692d7417ff"
	exampleChunk = "891e1692d77ffff"
	exampleDict  = "3a90017e3de6cd8c"
)
