package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/functions/cadastre/area"
	"mappe/functions/view"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/gpkg"
	"mappe/shared/web/reply"
)

const geoPackageType = "application/geopackage+sqlite3"

const geoPackageDoc = `A GeoPackage of six layers, each with a spatial index: parcels, buildings (address points), building_footprints, labels,
landuse_polygons, landuse_points. The description of a layer says its licence, whom to name and the date of the data. Where several KGs are
asked, a feature that two of them have is written once, with the smaller KG code. Parts can be asked for by Range; the answer for one KG
is the file that was written when it was published. The same data gives the same bytes.

At most 50 KGs and 200 MB (by estimate) in one answer: more is a 413 that lists smaller requests.
`

// writers bounds the files that are written at once.
type writers chan struct{}

func geoPackage(turn writers) endpoint.Endpoint {
	wanted := func(*endpoint.Request) want { return want{form: keys.GeoPackage, size: filePerByte, asMade: true} }
	return view.Versioned(validated(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/gpkg", ID: "export_gpkg", Tag: tag,
		Summary: "Whole KGs as GeoPackage",
		Doc:     geoPackageDoc + area.Doc + view.GapsDoc,
		Params:  slices.Clip(area.Params),
		Answer: endpoint.Answer{
			ContentType: geoPackageType, Ranges: true, Headers: view.ReadyHeaders,
			Others: []endpoint.Other{{Status: 413, Doc: "The export is too large for one answer; split lists requests that together are the same."}},
		},
		Example: "/api/v1/export/gpkg?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := prepared(ctx, r, wanted(r))
			if err != nil {
				return nil, err
			}
			if p.stored != nil {
				return p.content(geoPackageType, "", p.filename(".gpkg")), nil
			}
			return turn.file(ctx, p)
		},
	}, wanted))
}

// file writes the GeoPackage of a plan into a temporary folder and answers with it; it is removed when the
// answer is over.
func (turn writers) file(ctx context.Context, p *plan) (_ *reply.Content, err error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	dir, err := os.MkdirTemp("", "export")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	path := filepath.Join(dir, "export.gpkg")
	if err := gpkg.WriteFile(ctx, path, p.layers(ctx)); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &reply.Content{
		ContentType: geoPackageType, Size: info.Size(), Filename: p.filename(".gpkg"), Header: p.gaps.Header(),
		Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(f, offset, length)), nil
		},
		Done: func() { f.Close(); os.RemoveAll(dir) }, // read only; what stays in the way of a temporary file is the system's
	}, nil
}

// layers are the six layers over the KGs of the plan, as builders write them of one.
func (p *plan) layers(ctx context.Context) gpkg.File {
	day, _ := time.Parse(time.DateOnly, p.stichtag) // of no KG: the zero time
	f := gpkg.File{Time: day}
	for _, l := range kgdocs.AllLayers() {
		t, kind := fileTable(l), l.Kind()
		f.Layers = append(f.Layers, gpkg.Layer{
			Name:        kind.Name,
			Description: fmt.Sprintf("%s %s, newest Stichtag %s. %s, %s (%s). %s.", kind.Doc, p.area(), p.stichtag, strings.Join(p.sources, "; "), kgdocs.License, kgdocs.LicenseURL, kgdocs.Changes),
			Layout:      format.NewLayout(nil, t.Kind()),
			Rows:        p.rows(ctx, t, new(int)),
		})
	}
	return f
}

// area names the KGs for a person.
func (p *plan) area() string {
	var list []string
	for _, c := range p.codes() {
		list = append(list, string(c))
	}
	return "KG " + strings.Join(list, ", ")
}
