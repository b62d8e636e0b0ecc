package export

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/view"
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

` + jobDoc

func (d Deps) geoPackage(turn writers) endpoint.Endpoint {
	wanted := func(r *endpoint.Request) want {
		return want{form: keys.GeoPackage, size: filePerByte, asMade: !asJob.Of(r), job: asJob.Of(r), jobs: d.Queue != nil}
	}
	return view.Versioned(validated(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/gpkg", ID: "export_gpkg", Tag: tag,
		Summary: "Whole KGs as GeoPackage",
		Doc:     geoPackageDoc + area.Doc + view.MissingDoc,
		Params:  append(slices.Clip(area.Params), asJob),
		Answer: endpoint.Answer{
			ContentType: geoPackageType, Ranges: true, Headers: view.ReadyHeaders,
			Others: jobAnswers(),
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
			if p.job {
				return d.take(ctx, r, p, p.order(r, keys.GeoPackage))
			}
			return turn.file(ctx, p, file{geoPackageType, ".gpkg", func(path string) error {
				return gpkg.WriteFile(ctx, path, p.layers(ctx))
			}})
		},
	}, wanted))
}

// layers are the six layers over the KGs of the plan, as builders write them of one.
func (p *plan) layers(ctx context.Context) gpkg.File {
	day, _ := time.Parse(time.DateOnly, p.stichtag) // of no KG: the zero time
	f := gpkg.File{Time: day}
	for _, l := range rowschema.AllLayers() {
		t, rowType := fileTable(l), l.RowType()
		f.Layers = append(f.Layers, gpkg.Layer{
			Name:        rowType.Name,
			Description: p.describe(rowType),
			Layout:      format.NewLayout(nil, t.RowType()),
			Rows:        p.rows(ctx, t, new(int)),
			Style:       l.Style(),
		})
	}
	return f
}

// describe says of a layer what it is of: KGs, date, whom to name, licence.
func (p *plan) describe(rowType *format.RowType) string {
	return fmt.Sprintf("%s %s, newest Stichtag %s. %s, %s (%s). %s.", rowType.Doc, p.area(), p.stichtag, strings.Join(p.sources, "; "),
		rowschema.License, rowschema.LicenseURL, rowschema.Changes)
}

// area names the KGs for a person.
func (p *plan) area() string {
	var list []string
	for _, c := range p.codes() {
		list = append(list, string(c))
	}
	const shown = 50 // names of more tell a person nothing
	text := "KG " + strings.Join(list[:min(len(list), shown)], ", ")
	if n := len(list) - shown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if missing := p.missing(); len(missing) > 0 {
		text += fmt.Sprintf(" (without %d KGs that could not be read: %s)", len(missing),
			strings.Join(missing[:min(len(missing), shown)], ", "))
	}
	return text
}

// missing are the KGs that exist and could not be read.
func (p *plan) missing() []string {
	var list []string
	for _, code := range p.named {
		if p.gaps.Has(code) {
			list = append(list, string(code))
		}
	}
	return list
}
