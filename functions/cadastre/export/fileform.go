package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"mappe/artefacts/keys"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/area"
	"mappe/functions/core/view"
	"mappe/shared/geo/crs"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// fileForm is a form of several layers that no builder stores: it is written into a file, for an answer or by a job.
type fileForm struct {
	form             keys.Form // the ending of its files too
	media            string
	path, title, doc string
	all, usual       []layer // that there are, and those without layers=
	layers           *endpoint.Param[[]layer]
	system           *endpoint.Param[crs.System] // nil: WGS84
	wkt              *endpoint.Param[string]     // nil: the form has geometry, or none
	perByte          map[layer]float64           // bytes of a layer for each byte of a KG's snapshot
	// packed says that a job stores the file with the content coding gzip.
	packed bool
	most   int64 // bytes of a file that a job writes; 0: those of inJob
	write  func(p *plan, ctx context.Context, path string, o order) error
}

// fileForms are those forms.
func fileForms() []*fileForm {
	return []*fileForm{shapefiles, drawings, places, commaTables, workbooks}
}

func fileFormOf(form keys.Form) *fileForm {
	for _, f := range fileForms() {
		if f.form == form {
			return f
		}
	}
	return nil
}

// systemParam is crs= of a form; what it is for a form of files does not depend on rows.
func systemParam(doc string, def crs.System) *endpoint.Param[crs.System] {
	codes := []string{"4258"} // ETRS89 in degrees, which is taken as WGS84
	for _, s := range crs.AllSources() {
		codes = append(codes, fmt.Sprint(int(s)))
	}
	n := len(codes) - 1
	return endpoint.Parsed("crs", doc+" EPSG code: "+strings.Join(codes[:n], ", ")+" or "+codes[n]+".", func(text string) (crs.System,
		error) {
		s, err := crs.ParseSource(text)
		if err != nil {
			return 0, errors.New("one of " + strings.Join(codes, ", "))
		}
		return s, nil
	}, endpoint.Default(fmt.Sprint(int(def))))
}

// layersParam is layers= of a form.
func layersParam(list, def []layer) *endpoint.Param[[]layer] {
	var names []string
	for _, l := range def {
		names = append(names, string(l))
	}
	return endpoint.EnumList("layers", "Layers of the file.", list, endpoint.Alias("layer"), endpoint.Default(strings.Join(names, ",")),
		endpoint.Synonym("parcel", "parcels"), endpoint.Synonym("building", "buildings"), endpoint.Synonym("footprints",
			"building_footprints"))
}

// fileLayers are the layers of rowschema by their names.
func fileLayers() (list []layer) {
	for _, l := range rowschema.AllLayers() {
		list = append(list, layer(l.String()))
	}
	return list
}

func (d Deps) fileForm(turn writers, f *fileForm) endpoint.Endpoint {
	wanted := func(r *endpoint.Request) want {
		var size estimate
		for _, l := range f.layers.Of(r) {
			size = append(size, f.perByte[l])
		}
		return want{form: f.form, size: size, job: asJob.Of(r), jobs: d.Queue != nil, most: f.most}
	}
	params := append(slices.Clip(area.Params), f.layers)
	if f.system != nil {
		params = append(params, f.system)
	}
	media, _, _ := strings.Cut(f.media, ";")
	others := jobAnswers()
	if f.wkt != nil {
		params = append(params, f.wkt)
		others = append(others, endpoint.Other{Status: 200, Doc: "The tables of several layers.", ContentType: zipType})
	}
	return view.Versioned(validated(endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/export/" + f.path, ID: "export_" + f.path, Tag: tag,
		Summary: "Whole KGs as " + f.title,
		Doc:     f.doc + fileDoc + jobDoc + area.Doc + view.MissingDoc,
		Params:  append(params, asJob),
		Answer:  endpoint.Answer{ContentType: media, Ranges: true, Headers: view.ReadyHeaders, Others: others},
		Example: "/api/v1/export/" + f.path + "?kg=99101",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			p, err := prepared(ctx, r, wanted(r))
			if err != nil {
				return nil, err
			}
			o := f.order(r, p)
			if p.job {
				return d.take(ctx, r, p, o)
			}
			media := pick(o.zipped(), zipType, f.media)
			return turn.file(ctx, p, file{media, "." + o.ext(), func(path string) error { return f.write(p, ctx, path, o) }})
		},
	}, wanted))
}

// order is what a request orders of the form.
func (f *fileForm) order(r *endpoint.Request, p *plan) order {
	o := p.order(r, f.form)
	o.shape = shape{Layers: f.sorted(f.layers.Of(r)), WKT: f.wkt != nil && f.wkt.Of(r) == "wkt"}
	if f.system != nil && f.system.Of(r) != crs.WGS84 {
		o.EPSG = int(f.system.Of(r))
	}
	return o
}

const fileDoc = `Where several KGs are asked, a feature that two of them have is written once, with the smaller KG code. Parts can be asked
for by Range. The same data gives the same bytes.

`

// sorted are the layers that were asked for, each once, in the order of the form: requests of the same layers are the same file.
func (f *fileForm) sorted(asked []layer) (list []layer) {
	for _, l := range fileOrder {
		if slices.Contains(asked, l) {
			list = append(list, l)
		}
	}
	return list
}

// file has an order of the form written by a job.
func (f *fileForm) file(ctx context.Context, p *plan, path string, o order) error {
	for _, l := range o.Layers {
		if !slices.Contains(fileOrder, l) {
			return fmt.Errorf("an export of the layers %v", o.Layers)
		}
	}
	if !f.packed || o.zipped() {
		return f.write(p, ctx, path, o)
	}
	plain := path + ".plain"
	if err := f.write(p, ctx, plain, o); err != nil {
		return err
	}
	return errors.Join(pack(ctx, plain, path), os.Remove(plain))
}

// pack compresses a file into another.
func pack(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // read only
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	z := gzip.NewWriter(out)
	_, err = io.Copy(z, during{ctx, in})
	return errors.Join(err, z.Close())
}

// during reads until a context is done.
type during struct {
	ctx context.Context
	r   io.Reader
}

func (d during) Read(b []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	return d.r.Read(b)
}
