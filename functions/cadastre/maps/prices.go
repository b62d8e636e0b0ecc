package maps

import (
	"context"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/functions/core/landprices"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/mvt"
	"mappe/shared/landprice"
	"mappe/shared/web/fault"
)

// The colours of prices, as the map page has them (localdev/server/web/src/prices.js and palette.js, light); a test compares.
const (
	farZoom     = 8    // from which KGs are coloured
	parcelZoom  = 14.5 // from which parcels are
	priceYear   = 2024
	themeShare  = 0.92 // opacity of a theme
	hatchAlpha  = 141  // of the hatching: its pattern's opacity of 235 of 255, times 0.6
	maxPricedKG = 120  // KGs whose parcels one picture prices
)

// priceClass is a class of prices from a price in €/m² on.
type priceClass struct {
	from   float64
	colour color.NRGBA
}

var priceClasses = []priceClass{{0, hex("#ffffd0")}, {5, hex("#9ed8ba")}, {20, hex("#6bc5bf")}, {50, hex("#4aaabe")}, {100, hex("#3188ba")},
	{200, hex("#2b5ca9")}, {400, hex("#25307c")}, {800, hex("#161240")}}

// spread is a class of uncertainty: an estimate may be multiplied or divided by up to a factor. step are the pixels between two lines of
// its hatching, 0 of none.
type spread struct {
	upTo    float64
	step    int
	parcels string // in a legend
	kgs     string
}

var spreads = []spread{{1.33, 0, "up to a factor of 1.33", "of the municipality itself"}, {1.5, 8, "up to a factor of 1.5", "of its district"},
	{math.Inf(1), 4, "more", "of the state or country"}}

// priced is how a parcel or a KG is coloured.
type priced struct{ class, spread int8 }

// classOfPrice is the class of a price; false where the parcel has no price.
func classOfPrice(eur float64) (int8, bool) {
	for i, c := range slices.Backward(priceClasses) {
		if eur >= c.from {
			return int8(i), true
		}
	}
	return 0, false // NaN too
}

// spreadOfInterval is the class of an interval, the last where the price has no interval.
func spreadOfInterval(v landprice.Interval) int8 {
	factor := math.Inf(1)
	if v.Low > 0 && v.High >= v.Low {
		factor = math.Sqrt(v.High / v.Low)
	}
	return int8(slices.IndexFunc(spreads, func(s spread) bool { return factor <= s.upTo }))
}

// spreadOfSource is that of a published price: the municipality's own series is the surest.
func spreadOfSource(l landprice.Level) int8 {
	switch l {
	case landprice.Gemeinde:
		return 0
	case landprice.Bezirk:
		return 1
	}
	return 2
}

// priceLayer is the layer of the tiles that is coloured at a zoom, and the attribute that names its features.
func priceLayer(zoom float64) (name, key string) {
	if zoom < parcelZoom-1e-6 {
		return string(kgs), "kg_code"
	}
	return string(parcels), "parcel_id"
}

// openPrices are the prices of a request's generation; false where it has none.
func openPrices(ctx context.Context) (v *view.View, p landprices.Prices, ok bool, err error) {
	if v, err = view.Of(ctx); err != nil || !landprices.Published(v) {
		return nil, p, false, err
	}
	p, err = landprices.OpenPrices(ctx, v)
	return v, p, err == nil, err
}

// price prices what the tiles show.
func (d *drawing) price(ctx context.Context) (map[string]priced, error) {
	v, p, ok, err := openPrices(ctx)
	if err != nil || !ok {
		return nil, err
	}
	name, key := priceLayer(d.zoom)
	seen := map[string]bool{}
	for _, t := range d.tiles {
		if l := t.Layer(name); l != nil {
			k := l.Key(key)
			for i := range l.Features {
				if id, ok := l.Value(&l.Features[i], k); ok {
					seen[id.Text()] = true
				}
			}
		}
	}
	ids := slices.Sorted(maps.Keys(seen))
	if name == string(kgs) {
		return pricedKGs(v, p.Book(), ids), nil
	}
	return pricedParcels(ctx, v, p, ids)
}

// baselineOf is what building land costs in the municipality of a KG.
func baselineOf(v *view.View, book *landprice.Book, code austria.KGCode) landprice.Baseline {
	k := v.Register().KG(code)
	if k == nil {
		return landprice.Baseline{}
	}
	return book.Building(landprice.PlaceOf(k.GemeindeCode, "", ""), priceYear)
}

func pricedKGs(v *view.View, book *landprice.Book, ids []string) map[string]priced {
	out := map[string]priced{}
	for _, id := range ids {
		b := baselineOf(v, book, austria.KGCode(id))
		if class, ok := classOfPrice(b.EUR); ok && b.Known() {
			out[id] = priced{class, spreadOfSource(b.Source)}
		}
	}
	return out
}

// pricedParcels prices parcels in the order of their ids, so that a KG is opened once. A KG whose snapshot is not at hand has no prices.
func pricedParcels(ctx context.Context, v *view.View, p landprices.Prices, ids []string) (map[string]priced, error) {
	out := map[string]priced{}
	var file *kgfile.File
	var code austria.KGCode
	opened := 0
	for _, text := range ids {
		id, err := austria.ParseParcelID(text)
		if err != nil {
			continue // a tile's own id of a part that no parcel has
		}
		if id.KG != code {
			code, file = id.KG, nil
			if opened++; opened > maxPricedKG {
				return nil, fault.New(fault.TooLarge,
					"the picture shows parcels of more than %d KGs: expected a smaller picture or a smaller scale", maxPricedKG)
			}
			if v.Warm(code) {
				var none view.Missing
				if file, err = v.Read(ctx, code, &none); err != nil {
					return nil, err
				}
			}
		}
		if file == nil {
			continue
		}
		e, ok, err := estimateOf(p, file, id)
		if err != nil {
			return nil, err
		}
		if class, known := classOfPrice(e.BuyPerSqm); ok && known {
			out[text] = priced{class, spreadOfInterval(e.Interval)}
		}
	}
	return out, nil
}

// estimateOf is the estimate of a parcel; false where the KG has no such parcel.
func estimateOf(p landprices.Prices, file *kgfile.File, id austria.ParcelID) (e landprice.Estimate, ok bool, err error) {
	row, ok, err := file.ParcelByGNR(id.GNR)
	if err != nil || !ok {
		return e, false, err
	}
	_, e, err = p.OfParcel(file, row, priceYear)
	return e, true, err
}

// prices draws the colours, and then the hatching of those that are less sure.
func (d *drawing) prices() {
	name, key := priceLayer(d.zoom)
	areas := func(of func(priced) bool) (some bool) {
		d.each(d.tiles, name, func(t *tile, l *mvt.Layer, f *mvt.Feature) {
			if id, ok := l.Value(f, l.Key(key)); ok {
				if p, ok := d.priced[id.Text()]; ok && of(p) {
					d.area(t, l, f)
					some = true
				}
			}
		})
		return some
	}
	for i, c := range priceClasses {
		if areas(func(p priced) bool { return int(p.class) == i }) {
			d.canvas.Mix(c.colour)
		}
	}
	d.canvas.PaintMix(themeShare)
	for i, s := range spreads {
		if s.step > 0 && areas(func(p priced) bool { return int(p.spread) == i }) {
			d.canvas.PaintAs(s.line)
		}
	}
}

// line is the colour of a pixel of the hatching: a dark line beside a light one, so that they are seen on every colour.
func (s spread) line(x, y int) color.NRGBA {
	switch (x + y) % s.step {
	case 0:
		return color.NRGBA{A: hatchAlpha}
	case 1:
		return color.NRGBA{R: 255, G: 255, B: 255, A: hatchAlpha}
	}
	return color.NRGBA{}
}

// euros is a price in words.
func (in locale) euros(v float64) string {
	if v >= 100 {
		return in.number(v, 0)
	}
	return in.number(v, 2)
}

// priceAt is what is told of the price at a point; nil where the parcel has no price.
func priceAt(ctx context.Context, at geom.Point, q question, gaps *view.Missing) (*told, error) {
	v, p, ok, err := openPrices(ctx)
	if err != nil || !ok {
		return nil, err
	}
	name, key := priceLayer(q.zoom())
	found, err := toldAt(ctx, at, []layer{layer(name)}, 1, gaps)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	text, _ := found[0].at[key].(string)
	if name == string(kgs) {
		return q.in.baselineTold(v, p.Book(), austria.KGCode(text)), nil
	}
	id, err := austria.ParseParcelID(text)
	if err != nil {
		return nil, nil
	}
	file, err := v.Read(ctx, id.KG, gaps)
	if err != nil || file == nil {
		return nil, err
	}
	e, ok, err := estimateOf(p, file, id)
	if err != nil || !ok {
		return nil, err
	}
	return q.in.estimateTold(text, e), nil
}

// estimateTold is what is told of the price of a parcel.
func (in locale) estimateTold(id string, e landprice.Estimate) *told {
	t := &told{layer: prices}
	t.put("parcel_id", id)
	year := strconv.Itoa(priceYear)
	t.put("year", float64(priceYear))
	t.put("class", e.Class.String())
	if math.IsNaN(e.BuyPerSqm) {
		t.put("in_words", in.says("No price of {year}: the class has none, or no series supports one", "{year}", year))
		return t
	}
	t.put("buy_eur_per_sqm", rounded(e.BuyPerSqm, 2))
	t.put("buy_total_eur", rounded(e.BuyTotal, 2))
	sentence := in.of("Estimate of {year}: {eur} €/m²; {total} € for the parcel")
	if e.Interval.Low > 0 && e.Interval.High >= e.Interval.Low {
		t.put("low_eur_per_sqm", rounded(e.Interval.Low, 2))
		t.put("high_eur_per_sqm", rounded(e.Interval.High, 2))
		sentence = in.of("Estimate of {year}: {eur} €/m², from {low} to {high} €/m²; {total} € for the parcel")
	}
	t.put("confidence", e.Confidence.String())
	t.put("in_words", strings.NewReplacer("{year}", year, "{eur}", in.euros(e.BuyPerSqm), "{low}", in.euros(e.Interval.Low),
		"{high}", in.euros(e.Interval.High), "{total}", in.number(e.BuyTotal, 0)).Replace(sentence))
	return t
}

// baselineTold is what is told of building land; nil where nothing is published.
func (in locale) baselineTold(v *view.View, book *landprice.Book, code austria.KGCode) *told {
	b := baselineOf(v, book, code)
	if !b.Known() {
		return nil
	}
	t := &told{layer: prices}
	t.put("kg_code", string(code))
	t.put("gemeinde_code", string(v.Register().KG(code).GemeindeCode))
	t.put("year", float64(priceYear))
	t.put("building_land_eur_per_sqm", rounded(b.EUR, 2))
	t.put("source", b.Source.String())
	t.put("in_words", in.says("Building land in the municipality, {year}: {eur} €/m², published value {level}",
		"{year}", strconv.Itoa(priceYear), "{eur}", in.euros(b.EUR), "{level}", in.of(spreads[spreadOfSource(b.Source)].kgs)))
	return t
}

// legendOfPrices are the classes and the hatching.
func legendOfPrices(in locale) (list []entry) {
	list = append(list, entry{title: in.says("Estimate {year}, €/m²", "{year}", strconv.Itoa(priceYear)), head: true})
	for i, c := range priceClasses {
		title := ""
		switch {
		case i == 0:
			title = in.says("under {eur}", "{eur}", in.number(priceClasses[1].from, 0))
		case i == len(priceClasses)-1:
			title = in.says("{eur} and more", "{eur}", in.number(c.from, 0))
		default:
			title = in.number(c.from, 0) + " – " + in.number(priceClasses[i+1].from, 0)
		}
		list = append(list, entry{title: title, fill: c.colour})
	}
	list = append(list, entry{title: in.of("Interval of a parcel's estimate"), head: true})
	for _, s := range spreads {
		list = append(list, entry{title: in.of(s.parcels), fill: priceClasses[3].colour, lines: s})
	}
	list = append(list, entry{title: in.of("Small scales: building land, published value"), head: true})
	for _, s := range spreads {
		list = append(list, entry{title: in.of(s.kgs), fill: priceClasses[3].colour, lines: s})
	}
	return list
}
