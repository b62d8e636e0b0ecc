package export

import (
	"context"
	"slices"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// sizedForm is a form of an export, by the last part of its path.
type sizedForm string

// The forms.
const (
	asGeoJSON    sizedForm = "geojson"
	asGeoPackage sizedForm = "gpkg"
	asFlatGeobuf sizedForm = "flatgeobuf"
	asShapefile  sizedForm = "shapefile"
	asDXF        sizedForm = "dxf"
	asKML        sizedForm = "kml"
	asCSV        sizedForm = "csv"
	asXLSX       sizedForm = "xlsx"
)

var (
	pForm = endpoint.Enum("form", "Form of the export: the last part of its path.", []sizedForm{asGeoJSON, asGeoPackage, asFlatGeobuf,
		asShapefile, asDXF, asKML, asCSV, asXLSX}, endpoint.Default(string(asGeoPackage)))
	pSized = endpoint.EnumList("layers",
		"Layers of the export; where it is absent those that the form has by default. A GeoPackage has its six whatever is asked for.",
		append(allLayers(), kgOutlines, boroughs), endpoint.Alias("layer"))
)

// sizeBody is what is known of an export before it is asked for.
type sizeBody struct {
	Form    string `json:"form"`
	KGs     int    `json:"kgs" doc:"KGs of the area"`
	Missing int    `json:"kgs_not_at_hand" doc:"those of them that cannot be read at present; KGs that were not built yet count no bytes"`
	// Unavailable are those of Missing that are in no file.
	Unavailable int    `json:"kgs_unavailable_count" doc:"those of kgs_not_at_hand that nothing loads here, or whose snapshot is lost or damaged: the file will be without them; the others are in it when they are loaded in time"`
	Bytes       int64  `json:"bytes" doc:"of the file as it is saved, unpacked where it is sent compressed"`
	Estimated   bool   `json:"estimated" doc:"true: bytes is estimated from the rows and vertices of up to 12 of the KGs, in WGS84 or the usual system of the form, and of up to 12 KGs within a fifth; false: it is that of the stored file"`
	From        string `json:"from" enum:"store,answer,job,none" doc:"store: the file is there; answer: it is written for the request; job: a job writes it; none: it is too large, split lists smaller requests"`
	Split       any    `json:"split,omitempty" doc:"areas that together are the same, each small enough"`
}

const sizeDoc = `How large an export will be, and how it comes, without making it: the size of a stored file (of GeoJSON, which is stored compressed, that of the
file a browser saves), or an estimate from the rows and vertices of the KGs, of more than 12 from those of 12 of them. Answers quickly for the
whole country.

`

func (d Deps) size() endpoint.Endpoint {
	return view.Versioned(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/size", ID: "export_size", Tag: tag, Summary: "Size of an export", Doc: sizeDoc + area.Doc,
		Params:  append(slices.Clip(area.Params), pForm, pSized),
		Answer:  endpoint.Answer{Body: sizeBody{}, Headers: view.ReadyHeaders},
		Example: "/api/v1/export/size?kg=99101&form=shapefile",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			p := &plan{view: v}
			if p.named, err = area.Required(v.Register(), r); err != nil {
				return nil, err
			}
			w, err := wantedOf(r)
			if err != nil {
				return nil, err
			}
			w.jobs = d.Queue != nil
			body, err := p.sizeOf(ctx, w)
			if err != nil {
				return nil, err
			}
			body.Form = string(pForm.Of(r))
			return &reply.Document{Body: body, Header: p.gaps.Header()}, nil
		},
	})
}

// wantedOf is what the form of a request wants of its KGs.
func wantedOf(r *endpoint.Request) (want, error) {
	form, layers := pForm.Of(r), pSized.Of(r)
	refuse := func(list []layer) error {
		for _, l := range layers {
			if !slices.Contains(list, l) {
				return pSized.Bad(r, "layers that the form "+string(form)+" has")
			}
		}
		return nil
	}
	switch form {
	case asGeoPackage:
		return want{form: keys.GeoPackage, layers: fileLayers(), size: filePerByte, asMade: true}, refuse(fileLayers())
	case asGeoJSON:
		if len(layers) == 0 {
			layers = []layer{parcels}
		}
		return want{form: keys.GeoJSON, layers: layers, size: sizeOf(layers, false), asMade: slices.Equal(layers, []layer{parcels})},
			refuse(allLayers())
	case asFlatGeobuf:
		if len(layers) == 0 {
			layers = []layer{parcels}
		}
		if len(layers) > 1 {
			return want{}, pSized.Bad(r, "one layer: a FlatGeobuf has one")
		}
		of, err := rowschema.ParseLayer(string(layers[0]))
		if err != nil {
			return want{}, refuse(fileLayers())
		}
		return want{form: flatGeobuf, layers: layers, size: estimate{fgbPerByte[of]}}, nil
	}
	f := fileFormOf(map[sizedForm]keys.Form{asShapefile: shapefiles.form, asDXF: drawings.form, asKML: places.form,
		asCSV: commaTables.form, asXLSX: workbooks.form}[form])
	if len(layers) == 0 {
		layers = f.usual
	}
	var e estimate
	for _, l := range layers {
		e = append(e, f.perByte[l])
	}
	return want{form: f.form, layers: layers, size: e, most: f.most}, refuse(f.all)
}

// sizeOfStored notes the size of the stored file as it is saved.
func (p *plan) sizeOfStored(ctx context.Context, form keys.Form, body *sizeBody) (err error) {
	body.Bytes, body.Estimated, body.From = p.stored.Bytes, false, "store"
	if form == keys.GeoJSON {
		body.Bytes, err = p.unpacked(ctx, *p.stored)
	}
	return err
}

// sizeOf says how large an export is and how it comes.
func (p *plan) sizeOf(ctx context.Context, w want) (*sizeBody, error) {
	reg := p.view.Register()
	body := &sizeBody{KGs: len(p.named), Estimated: true, From: "answer"}
	if w.asMade && len(p.named) == 1 && p.view.Serves(p.named[0]) {
		if err := p.look(ctx, w.form); err != nil {
			return nil, err
		}
	}
	if p.stored != nil { // whole, whether the snapshot that it was made of can be read or not
		return body, p.sizeOfStored(ctx, w.form, body)
	}
	absent, err := p.view.AbsentOf(ctx, p.named)
	if err != nil {
		return nil, err
	}
	gone := make([]austria.KGCode, len(absent))
	for i, a := range absent {
		p.gaps.Note(a.Code, a.Why)
		gone[i] = a.Code
	}
	most := inAnswer
	_, body.Bytes = w.size.split(reg, p.named, most)
	if w.size.check(reg, p.named, most) != nil {
		body.From = "none"
		if w.jobs {
			most, body.From = w.inJob(), "job"
		}
		if w.size.check(reg, p.named, most) != nil {
			body.From = "none"
			body.Split, _ = w.size.split(reg, p.named, most)
		}
	}
	known := len(p.missing())
	if n, ok, err := p.counted(ctx, w, gone); err != nil {
		return nil, err
	} else if ok {
		body.Bytes = n
	}
	body.Missing, body.Unavailable = len(absent)+len(p.missing())-known, len(p.gaps.Unavailable())
	return body, nil
}
