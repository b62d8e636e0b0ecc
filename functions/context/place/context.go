package place

import (
	"context"
	"net/http"
	"slices"

	"mappe/artefacts/library"
	"mappe/functions/core/cells"
	"mappe/functions/core/landprices"
	"mappe/functions/core/overlayindex"
	"mappe/functions/core/toponyms"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/landprice"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

// block is a part of the answer of /context.
type block string

// The blocks, in the order of the answer.
const (
	municipalityBlock block = "municipality"
	landPriceBlock    block = "land_price"
	naturaBlockName   block = "natura2000"
	protectedName     block = "protected_area"
	osmName           block = "osm"
	toponymsName      block = "toponyms"
	legalName         block = "legal"
	neName            block = "ne"
)

// maker says how a block is made and whose data it is.
type maker struct {
	name   block
	notice reply.Notice
	make   func(q *question, ctx context.Context) (value any, missing string, err error)
}

// makers say how each block is made and whose data it is. make gives the block, or the reason why it is missing; an
// error is a dataset that cannot be read at the moment.
var makers = []maker{
	{municipalityBlock, noticeGemeinden, (*question).municipality},
	{landPriceBlock, noticePrices, (*question).landPrice},
	{naturaBlockName, noticeNatura, (*question).natura},
	{protectedName, noticeProtected, (*question).protected},
	{osmName, noticeOSM, (*question).osm},
	{toponymsName, noticeToponyms, (*question).toponyms},
	{legalName, noticeLegal, (*question).legal},
	{neName, cells.Notice, (*question).cell},
}

func allBlocks() []block {
	return []block{municipalityBlock, landPriceBlock, naturaBlockName, protectedName, osmName, toponymsName, legalName, neName}
}

// Reasons why a block is missing.
const (
	notPublished   = "the dataset is not published in this generation of the data"
	outsideAustria = "the point lies outside Austria"
	cannotBeRead   = "the dataset cannot be read at the moment; ask again"
	lostOrDamaged  = "the dataset is lost or damaged: repeating does not help until it is built again"
)

// unread is the reason of a block whose dataset cannot be read.
func unread(err error) string {
	if library.Unread(err) {
		return lostOrDamaged
	}
	return cannotBeRead
}

var include = endpoint.EnumList("include", "Only these blocks, as a comma list. Default: all; legal only when kg is given.", allBlocks())

// options are what a request says of all its points.
type options struct {
	include []block
	named   bool // the client named the blocks
	price   landprice.Input
	legal   overlayindex.LegalFilter
	names   toponyms.Filter
	radius  float64 // m, of the names
	most    int     // names
}

func optionsOf(r *endpoint.Request) *options {
	o := &options{include: include.Of(r), named: include.Given(r), price: landprices.Described(r), legal: legalFilter(r),
		names: nameFilter(r), radius: contextRadius.Of(r), most: contextNames.Of(r)}
	if !o.named {
		o.include = allBlocks()
	}
	return o
}

// question is one point and what is found out about it.
type question struct {
	v           *view.View
	over        *overlayindex.Overlays
	opt         *options
	at          geom.Point
	area        float64 // m²; 0 not given
	kg          austria.KGCode
	gemeinde    *gemeinde
	unknown     error // why the municipality is not known
	attribution map[block]string
	warnings    []string // of the estimate
}

// sourceOf is a dataset that answered.
type sourceOf struct {
	Block       block  `json:"block"`
	Dataset     string `json:"dataset"`
	License     string `json:"license"`
	LicenseURL  string `json:"license_url"`
	Attribution string `json:"attribution"`
}

// answer is what surrounds one point.
type answer struct {
	at        geom.Point
	blocks    []reply.Member
	sources   []sourceOf
	notices   []reply.Notice // of the sources
	missing   map[block]string
	transient bool // a block is missing for now only
	warnings  []string
}

// contextBody is the shape of the answer, for the description of the service.
type contextBody struct {
	Data contextShape `json:"data"`
	Meta contextMeta  `json:"meta"`
}

type contextMeta struct {
	licenceMeta
	Licenses map[block]licence `json:"licenses" doc:"one for each block that answered"`
	Warnings []string          `json:"warnings,omitempty" doc:"that the class of the land price is assumed"`
}

type contextShape struct {
	Lon          degrees           `json:"lon"`
	Lat          degrees           `json:"lat"`
	Municipality *gemeinde         `json:"municipality,omitempty"`
	LandPrice    map[string]any    `json:"land_price,omitempty"`
	Natura       *naturaBlock      `json:"natura2000,omitempty"`
	Protected    *protectedBlock   `json:"protected_area,omitempty"`
	OSM          *osmBlock         `json:"osm,omitempty"`
	Toponyms     *toponymsShape    `json:"toponyms,omitempty"`
	Legal        *legalBlock       `json:"legal,omitempty"`
	NE           *cells.PointBlock `json:"ne,omitempty"`
	Sources      []sourceOf        `json:"sources"`
	Missing      map[block]string  `json:"missing" doc:"block to the reason why it is missing"`
}

type toponymsShape struct {
	Radius float64          `json:"radius_m"`
	Total  int              `json:"total"`
	Rows   []map[string]any `json:"rows" doc:"as /toponyms/near gives them"`
}

const contextDoc = `data holds the blocks asked for, sources[] of the datasets that answered, and missing with the reason for each block that
is not there: outside Austria, not published, a parameter that it needs is not given, or cannot be read at the moment (such an answer is not
to be cached). A missing block is no error. land_price needs area_sqm; without land use and buildings its class is that of the cell around the point, else
assumed, and notes and meta.warnings say so; legal needs kg. ne is the cell that the point lies in, as /ne/cell gives it. A point is never resolved to a KG. meta.license is the
strictest of the licences of the blocks, meta.licenses has one for each.`

var contextParams = slices.Concat([]endpoint.AnyParam{include}, landprices.DescribedParams(),
	[]endpoint.AnyParam{contextRadius, toponymLayers, toponymCode, contextNames, legalContext, legalType, legalLaw})

func (s *service) context() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/context", ID: "context", Tag: "Context",
		Summary: "What surrounds a place",
		Doc:     contextDoc,
		Params:  slices.Concat(position.Params(), []endpoint.AnyParam{area, legalKG}, contextParams),
		Answer:  endpoint.Answer{Body: contextBody{}},
		Example: "/api/v1/context?lon=13.2742&lat=47.3208&area_sqm=800",
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			at, err := position.Of(r)
			if err != nil {
				return nil, err
			}
			v, err := view.Of(ctx)
			if err != nil {
				return nil, err
			}
			q := &question{v: v, opt: optionsOf(r), at: at, area: area.Of(r), kg: legalKG.Of(r)}
			site := q.opt.price
			site.AreaSqm = q.area
			if f := landprices.Contradiction(&site); f != nil {
				return nil, f
			}
			a, err := s.answer(ctx, q)
			if err != nil {
				return nil, err
			}
			return a.stream(), nil
		},
	}
}

// answer makes the blocks of one point. Only the end of the request is an error.
func (s *service) answer(ctx context.Context, q *question) (*answer, error) {
	a := &answer{at: q.at, missing: map[block]string{}}
	q.attribution = map[block]string{}
	q.over = overlayindex.Of(q.v.View)
	var known bool
	var err error
	if q.gemeinde, known, err = gemeindeAt(ctx, q.v, q.over, q.at); err == nil && known && q.gemeinde == nil {
		for _, b := range q.opt.include {
			a.missing[b] = outsideAustria
		}
		return a, nil
	}
	q.unknown = err
	for _, name := range q.opt.include {
		i := slices.IndexFunc(makers, func(m maker) bool { return m.name == name })
		if i < 0 {
			a.missing[name] = notPublished
			continue
		}
		if name == legalName && q.kg == "" && !q.opt.named {
			continue
		}
		b := &makers[i]
		value, missing, err := any(nil), "", q.unknown
		if err == nil {
			value, missing, err = b.make(q, ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			s.log.WarnContext(ctx, "a block of the context cannot be read", "block", string(name), "error", err)
			a.missing[name], a.transient = unread(err), true
		case missing != "":
			a.missing[name] = missing
		default:
			a.add(b.name, b.notice, q, value)
		}
	}
	a.warnings = q.warnings
	return a, nil
}

func (a *answer) add(name block, n reply.Notice, q *question, value any) {
	if own := q.attribution[name]; own != "" {
		n.Attribution = own
	} else if n.Attribution == "" {
		n.Attribution = modified(q.v)
	}
	a.blocks = append(a.blocks, reply.Member{Name: string(name), Value: value})
	a.sources = append(a.sources, sourceOf{name, n.Dataset, n.License, n.LicenseURL, n.Attribution})
	a.notices = append(a.notices, n)
}

// modified is whom to name for what the generation holds.
func modified(v *view.View) string {
	if s := v.Register().Attribution(); s != "" {
		return s + ", modified"
	}
	return ""
}

// write writes the members of data.
func (a *answer) write(j *format.JSON) {
	j.Key("lon")
	j.Value(format.Degrees(a.at.X))
	j.Key("lat")
	j.Value(format.Degrees(a.at.Y))
	for _, b := range a.blocks {
		j.Member(b.Name, b.Value)
	}
	if a.sources == nil {
		a.sources = []sourceOf{}
	}
	j.Member("sources", a.sources)
	j.Member("missing", a.missing)
}

// licences are those of the blocks that answered.
func (a *answer) licences() map[block]licence {
	list := map[block]licence{}
	for _, s := range a.sources {
		list[s.Block] = licence{s.License, s.LicenseURL, s.Attribution, s.Dataset, true}
	}
	return list
}

func (a *answer) stream() *reply.Stream {
	r := &reply.Stream{Meta: []reply.Member{{Name: "licenses", Value: a.licences()}}, Notice: strictest(a.notices),
		Write: func(j *format.JSON, _ *format.Layout) error {
			j.Key("data")
			j.Object()
			a.write(j)
			j.EndObject()
			return j.Err()
		}}
	if a.warnings != nil {
		r.Meta = append(r.Meta, reply.Member{Name: "warnings", Value: a.warnings})
	}
	if a.transient {
		r.Header = notKept
	}
	return r
}

// notKept keeps an answer out of caches: a later identical request answers more.
var notKept = http.Header{"Cache-Control": {"no-store"}, "Etag": nil}

// strictest is the notice of an answer of several datasets: that of the share-alike one where there is one. nil keeps
// the service's.
func strictest(notices []reply.Notice) *reply.Notice {
	if len(notices) == 0 {
		return nil
	}
	n := notices[0]
	credits := []string{}
	for _, o := range notices {
		if o.License != ccBy && n.License == ccBy {
			n = o
		}
		if !slices.Contains(credits, o.Attribution) && o.Attribution != "" {
			credits = append(credits, o.Attribution)
		}
	}
	n.Dataset = "Place context"
	n.Attribution = joined(credits)
	return &n
}

func joined(credits []string) (s string) {
	for i, c := range credits {
		if i > 0 {
			s += "; "
		}
		s += c
	}
	return s
}

func (q *question) municipality(context.Context) (any, string, error) {
	if q.gemeinde == nil {
		return nil, notPublished, nil
	}
	return q.gemeinde, "", nil
}
