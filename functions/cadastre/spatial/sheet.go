package spatial

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/landprices"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/htmlpage"
	"mappe/shared/web/params"
	"mappe/shared/web/reply"
)

// language is one that the sheet is written in.
type language string

const (
	german  language = "de"
	english language = "en"
)

var (
	sheetOf   = params.Parcel("id", "Parcel", endpoint.Required)
	sheetLang = endpoint.Enum("lang", "Language of the page: de or en.", []language{german, english}, endpoint.Default(string(german)))
)

// sheetForm is a form of the sheet.
type sheetForm string

const (
	asHTML sheetForm = "html"
	asPDF  sheetForm = "pdf"

	pdfType = "application/pdf"
)

var sheetFormat = endpoint.Enum("format", "Form of the sheet. Where it is absent, the Accept header chooses; html by default.",
	[]sheetForm{asHTML, asPDF})

// formOf is the form that a request asks for.
func formOf(r *endpoint.Request) sheetForm {
	switch {
	case sheetFormat.Given(r):
		return sheetFormat.Of(r)
	case reply.AcceptedType(r.HTTP.Header, "text/html", pdfType) == pdfType:
		return asPDF
	}
	return asHTML
}

func (s *service) sheet() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcels/{id}/sheet", ID: "parcel_sheet", Tag: tag,
		Summary: "A parcel as one page to print",
		Doc: `One A4 page, as HTML without scripts or (format=pdf) as a PDF with text, vector graphics and embedded fonts, named
parcel-{id}.pdf: the parcel with its neighbours and buildings drawn to a scale that the page states. It tells areas, land use, heights with
a profile along its longer axis where height models are published, addresses, the price with what it was made of, Natura 2000 sites,
protected areas and the laws that name the parcel, the nearest road, railway, stop, water and settlement, the geographical names within
500 m, the neighbours with the longest common borders, sources, licences, the date of the data and the address of the page. Drawn to scale
is the printed page at 100 %. Long lists are cut, and how many more there are is told. Numbers are written as the language writes them. 404
where there is no such parcel.`,
		Params: []endpoint.AnyParam{sheetOf, sheetLang, sheetFormat, landprices.Year},
		Answer: endpoint.Answer{Body: "", ContentType: "text/html", Exact: true,
			Others: []endpoint.Other{{Status: http.StatusOK, Doc: "The sheet as a PDF.", ContentType: pdfType}}},
		Example: "/api/v1/parcels/99101-1/sheet",
		Variant: func(r *endpoint.Request) string { return s.Base(r) + " " + string(formOf(r)) }, // the page names its address
		Serve:   s.serveSheet,
	}
}

func (s *service) serveSheet(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
	form := formOf(r)
	if form == asPDF && s.Sheet == nil {
		return nil, fault.Of(fault.Invalid, "format", string(form), string(asHTML)+" here")
	}
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	d, err := readSheet(ctx, v, sheetOf.Of(r), landprices.Year.Of(r))
	if err != nil {
		return nil, err
	}
	d.named = cmp.Or(v.Attribution(), r.Generation.Attribution)
	l := sheetLang.Of(r)
	query := url.Values{"lang": {string(l)}}
	for name, values := range r.HTTP.URL.Query() {
		query[name] = values
	}
	path := s.Base(r) + "/api/v1/parcels/" + url.PathEscape(d.id.String()) + "/sheet?"
	query.Set("format", string(asPDF))
	pdf := path + query.Encode()
	query.Del("format")
	d.address = path + query.Encode()
	answer := &reply.Bytes{Header: d.header()}
	page := d.page(l)
	if form == asHTML {
		maps.Copy(answer.Header, sheetPolicy.Header())
		answer.ContentType, answer.Body = htmlpage.ContentType, []byte(sheetHTML(page, l, pdf))
		return answer, nil
	}
	answer.ContentType, answer.Filename = pdfType, "parcel-"+strings.ReplaceAll(d.id.String(), "/", "_")+".pdf"
	answer.Body, err = s.Sheet(page)
	return answer, err
}

// header are the headers of a sheet in each form.
func (d *sheetData) header() http.Header {
	header := http.Header{"Vary": {"Accept"}}
	if d.heightsUnread || d.pricesUnread || d.around.unread { // which a later request may read
		header["Cache-Control"], header["Etag"] = []string{"no-store"}, nil
	}
	maps.Copy(header, d.gaps.Header())
	return header
}

// sheetData is what a sheet shows.
type sheetData struct {
	id        austria.ParcelID
	kg        kgfile.KG
	build     kgfile.Build
	p         kgfile.Parcel
	addresses []kgfile.Building
	plan      plan
	relief    *relief // nil: no heights are known
	// heightsUnread says that height models are published and could not be read, pricesUnread the same of prices.
	heightsUnread, pricesUnread bool
	gaps                        view.Missing
	address                     string // of the page
	named                       string // whom to name for the data

	in          landprice.Input
	price       *landprice.Estimate // nil: the generation has no prices
	pricesNamed string

	around around

	overKnown bool // overlays are at hand
	sites     []rowschema.SiteBrief
	areas     []*overlays.Area
	laws      []overlays.Law
}

// readSheet reads what a sheet shows, but for whom to name and its address. The prices are those of a year, 0 for the newest.
func readSheet(ctx context.Context, v *view.View, id austria.ParcelID, year int) (*sheetData, error) {
	d := &sheetData{id: id}
	f, row, err := v.Parcel(ctx, d.id)
	if err != nil {
		return nil, err
	}
	parcels, err := f.Parcels()
	if err != nil {
		return nil, err
	}
	d.kg, d.build, d.p = f.KG(), f.Build(), parcels[row]
	buildings, err := f.Buildings()
	if err != nil {
		return nil, err
	}
	for _, b := range buildings {
		if int(b.Parcel) == row {
			d.addresses = append(d.addresses, b)
		}
	}
	if err := d.readRelief(ctx, v, f.ParcelGeometry(row)); err != nil {
		return nil, err
	}
	if err := d.drawPlan(ctx, v, f, row); err != nil {
		return nil, err
	}
	if err := d.readPrice(ctx, v, f, row, year); err != nil {
		return nil, err
	}
	if err := d.readAround(ctx, v); err != nil {
		return nil, err
	}
	return d, d.readOver(ctx, v, row)
}

// readPrice values the parcel. A generation without prices has a sheet without them; one whose prices cannot be read too, which is
// noted.
func (d *sheetData) readPrice(ctx context.Context, v *view.View, f *kgfile.File, row, year int) error {
	if !landprices.Published(v) {
		return nil
	}
	p, err := landprices.OpenPrices(ctx, v)
	if no := (*fault.Fault)(nil); errors.As(err, &no) && ctx.Err() == nil {
		d.pricesUnread = true
		return nil
	}
	if err != nil {
		return err
	}
	in, e, err := p.OfParcel(f, row, year)
	d.in, d.price, d.pricesNamed = in, &e, p.Attribution()
	return err
}

// readOver finds what lies over the parcel.
func (d *sheetData) readOver(ctx context.Context, v *view.View, row int) error {
	o := overlayindex.Of(v.View)
	if !o.HasKGs() || !o.Has() {
		return nil
	}
	d.overKnown = true
	k, err := o.KG(ctx, d.id.KG)
	if err != nil {
		return err
	}
	d.sites = rowschema.BriefsOf(k, row)
	if k != nil {
		for _, n := range k.RefsOf(row) {
			if law := k.Laws[n.Law]; !slices.Contains(d.laws, law) {
				d.laws = append(d.laws, law)
			}
		}
	}
	d.areas, err = o.Here(d.p.Inside).Areas(ctx)
	return err
}
