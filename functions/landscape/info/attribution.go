package info

import (
	"context"
	"fmt"
	"strings"

	"mappe/artefacts/rasters"
	"mappe/functions/core/generation"
	"mappe/functions/core/proximity"
	"mappe/functions/landscape/scans"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// credit is whom to name for what.
type credit struct {
	Source      string   `json:"source"`
	Used        []string `json:"used_in"`
	Attribution string   `json:"attribution"`
	License     string   `json:"license"`
	LicenseURL  string   `json:"license_url"`
	ShareAlike  bool     `json:"share_alike"`
}

var asText = endpoint.Enum("format", "text: the credits as lines to be printed beside a map.", []string{"json", "text"},
	endpoint.Default("json"))

func attribution() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/attribution", ID: "attribution", Tag: tag,
		Summary: "Whom to name",
		Doc:     `The credits of the data that the answers are made of, for programs and, with format=text, for people.`,
		Params:  []endpoint.AnyParam{asText},
		Answer: endpoint.Answer{Body: struct {
			Data []credit          `json:"data"`
			Meta reply.DatasetMeta `json:"meta"`
		}{}, Others: []endpoint.Other{{Status: 200, ContentType: "text/plain", Doc: "With format=text."}},
			Timed: func(r *endpoint.Request) bool { return asText.Of(r) != "text" }},
		Example: "/api/v1/attribution",
		Serve:   serveAttribution,
	}
}

func serveAttribution(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	s, err := scans.Open(ctx)
	if err != nil {
		return nil, err
	}
	all := creditsOf(s)
	if n, err := proximity.Of(ctx, s.View); err != nil {
		return nil, err
	} else if n != nil {
		all = append(all, credit{Source: "community map: roads, paths, railways, waters; kept apart from the others",
			Used: []string{"infrastructure"}, Attribution: n.Attribution, License: proximity.License, LicenseURL: proximity.LicenseURL,
			ShareAlike: true})
	}
	if asText.Of(r) == "text" {
		var b strings.Builder
		for _, c := range all {
			fmt.Fprintf(&b, "%s (%s): %s\n", c.Attribution, c.License, c.Source)
		}
		return &reply.Bytes{ContentType: "text/plain; charset=utf-8", Body: []byte(b.String())}, nil
	}
	return &reply.Stream{Write: func(j *format.JSON, _ *format.Layout) error {
		j.Member("data", all)
		return j.Err()
	}}, nil
}

// creditsOf are the credits of rasters and cadastre.
func creditsOf(s *scans.Source) []credit {
	all := []credit{}
	type group struct{ source, attribution string }
	seen := map[group]int{}
	for i := range s.List.Layers {
		l := &s.List.Layers[i]
		g := group{sourceOf(l), l.Attribution}
		at, ok := seen[g]
		if !ok {
			at = len(all)
			seen[g] = at
			all = append(all, credit{Source: g.source, Attribution: l.Attribution + ", modified", License: l.License,
				LicenseURL: l.LicenseURL, ShareAlike: l.ShareAlike})
		}
		all[at].Used = append(all[at].Used, l.Layer+" "+l.Dataset())
	}
	if g := generation.Of(s.View); g.Attribution != "" {
		all = append(all, credit{Source: "cadastre, registers and overlays", Used: []string{"/cadastre"},
			Attribution: s.Register().Attribution() + ", modified", License: scans.Notice.License, LicenseURL: scans.Notice.LicenseURL})
	}
	return all
}

// sourceOf is what a layer is credited as.
func sourceOf(l *rasters.Layer) string {
	switch l.Layer {
	case rasters.DTM, rasters.DSM:
		return "laser scans: terrain and surface models"
	case rasters.Ortho:
		return "orthophotos with near infrared"
	}
	name, _, _ := strings.Cut(l.Title, ",")
	return strings.ToLower(name[:1]) + name[1:]
}
