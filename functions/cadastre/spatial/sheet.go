package spatial

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"

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

func (s *service) sheet() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/parcels/{id}/sheet", ID: "parcel_sheet", Tag: tag,
		Summary: "A parcel as one page to print",
		Doc: `An HTML page that prints on A4, without scripts: the parcel with its neighbours and buildings drawn to a scale that the page
states. It tells areas, land use, heights with a profile along its longer axis where height models are published, addresses, the price with
what it was made of, Natura 2000 sites, protected areas and the laws that name the parcel, the nearest road, railway, stop, water and settlement, the geographical names within 500 m, the neighbours with the longest common
borders, sources, licence, the date of the data and the address of the page. Drawn to scale is the printed page at 100 %. Numbers are
written as the language writes them. 404 where there is no such parcel.`,
		Params: []endpoint.AnyParam{sheetOf, sheetLang, landprices.Year},
		Answer: endpoint.Answer{Body: "", ContentType: "text/html", Exact: true}, Example: "/api/v1/parcels/99101-1/sheet",
		Variant: s.Base, // the page names its address
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			d, err := readSheet(ctx, v, sheetOf.Of(r), landprices.Year.Of(r))
			if err != nil {
				return nil, err
			}
			d.named = cmp.Or(v.Attribution(), r.Generation.Attribution)
			query := url.Values{"lang": {string(sheetLang.Of(r))}}
			for name, values := range r.HTTP.URL.Query() {
				query[name] = values
			}
			d.address = s.Base(r) + "/api/v1/parcels/" + url.PathEscape(d.id.String()) + "/sheet?" + query.Encode()
			header := sheetPolicy.Header()
			if d.heightsUnread || d.pricesUnread || d.around.unread { // which a later request may read
				header["Cache-Control"], header["Etag"] = []string{"no-store"}, nil
			}
			for name, values := range d.gaps.Header() {
				header[name] = values
			}
			return &reply.Bytes{ContentType: htmlpage.ContentType, Body: []byte(sheetHTML(d.page(sheetLang.Of(r)), sheetLang.Of(r), "")), Header: header}, nil
		},
	}
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
