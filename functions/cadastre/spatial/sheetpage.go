package spatial

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/functions/core"
	"mappe/shared/austria"
	"mappe/shared/web/htmlpage"
)

//go:embed sheet.css
var sheetCSS string

var (
	sheetStyle  = htmlpage.Style + sheetCSS
	sheetPolicy = htmlpage.Policy{Styles: []string{sheetStyle}, Images: []string{"data:"}}
)

// sheetWriter puts a sheet together; every text is escaped by the method that writes it.
type sheetWriter struct {
	strings.Builder
	l language
}

func (w *sheetWriter) section(title word, body func()) {
	w.WriteString("<section>\n<h2>" + html.EscapeString(title.in(w.l)) + "</h2>\n")
	body()
	w.WriteString("</section>\n")
}

func (w *sheetWriter) table(rows func()) {
	w.WriteString("<table>\n")
	rows()
	w.WriteString("</table>\n")
}

// row is a line of a table; a row without a value is left out.
func (w *sheetWriter) row(name, value string) {
	if value != "" {
		w.WriteString("<tr><th scope=\"row\">" + html.EscapeString(name) + "</th><td>" + html.EscapeString(value) + "</td></tr>\n")
	}
}

func (w *sheetWriter) line(name word, value string) { w.row(name.in(w.l), value) }

func (w *sheetWriter) soft(text string) {
	w.WriteString(`<p class="soft">` + html.EscapeString(text) + "</p>\n")
}

// page is the sheet in a language.
func (d *sheetData) page(l language) string {
	w := &sheetWriter{l: l}
	title := wordTitle.in(l) + " " + d.id.String()
	w.WriteString(htmlpage.HeadIn(string(l), title, sheetStyle))
	w.WriteString("<main>\n<header><h1>" + html.EscapeString(wordTitle.in(l)+" "+string(d.id.GNR)) + "</h1><p>" +
		html.EscapeString(strings.TrimSpace("KG "+string(d.id.KG)+" "+d.kg.Name)) + "</p></header>\n")
	w.WriteString("<figure>" + d.plan.svg + "<figcaption>" +
		html.EscapeString(strings.Replace(wordScale.in(l), "%s", l.figure(float64(d.plan.scale), 0, ""), 1)) + "</figcaption></figure>\n")
	if !d.gaps.Ready() {
		w.soft(wordGaps.in(l))
	}
	w.WriteString("<div class=\"cols\">\n<div>\n")
	d.writeParcel(w)
	d.writeUse(w)
	d.writeBuildings(w)
	d.writeRelief(w)
	w.WriteString("</div>\n<div>\n")
	d.writePrice(w)
	d.writeOver(w)
	d.writeSources(w)
	w.WriteString("</div>\n</div>\n</main>\n</body>\n</html>\n")
	return w.String()
}

func (d *sheetData) writeParcel(w *sheetWriter) {
	boundary := wordInTax
	if d.p.Status == austria.StatusG {
		boundary = wordInCadastre
	}
	w.table(func() {
		w.line(wordNumber, string(d.id.GNR))
		w.line(wordKG, strings.TrimSpace(string(d.id.KG)+" "+d.kg.Name))
		w.line(wordGemeinde, strings.TrimSpace(string(d.kg.GemeindeCode)+" "+d.kg.GemeindeName))
		w.line(wordDistrict, d.kg.DistrictName)
		if d.p.EZ > 0 {
			w.line(wordFolio, strconv.Itoa(int(d.p.EZ)))
		}
		w.line(wordArea, w.l.figure(d.p.AreaSqm, 0, "m²"))
		w.line(wordBoundary, boundary.in(w.l))
		w.line(wordPosition, w.l.figure(d.p.Inside.Lat(), 6, "")+"° N, "+w.l.figure(d.p.Inside.Lon(), 6, "")+"° "+word{"O", "E"}.in(w.l))
	})
}

func (d *sheetData) writeUse(w *sheetWriter) {
	w.section(wordUse, func() {
		if len(d.p.UseAreas) == 0 && len(d.p.SymbolCounts) == 0 {
			w.soft(wordNoUse.in(w.l))
			return
		}
		w.table(func() {
			uses := slices.SortedFunc(slices.Values(d.p.UseAreas), func(a, b kgfile.CodeArea) int {
				return cmp.Or(cmp.Compare(b.Sqm, a.Sqm), cmp.Compare(a.Code, b.Code))
			})
			for _, u := range uses {
				share := math.NaN()
				if d.p.AreaSqm > 0 {
					share = 100 * u.Sqm / d.p.AreaSqm
				}
				w.row(w.l.use(u.Code), w.l.figure(u.Sqm, 0, "m²")+" ("+w.l.figure(share, 0, "%")+")")
			}
			for _, s := range d.p.SymbolCounts {
				if !slices.ContainsFunc(uses, func(u kgfile.CodeArea) bool { return u.Code == s.Code }) {
					w.row(w.l.use(s.Code), strconv.Itoa(s.N)+" "+wordSymbols.in(w.l))
				}
			}
		})
	})
}

// shownAddresses bounds the addresses of a sheet: an estate has hundreds.
const shownAddresses = 8

func (d *sheetData) writeBuildings(w *sheetWriter) {
	w.section(wordBuildings, func() {
		var list []string
		for _, b := range d.addresses[:min(len(d.addresses), shownAddresses)] {
			list = append(list, strings.Trim(cmp.Or(b.Street, b.Ort)+" "+b.HouseNumber+", "+string(b.PLZ)+" "+b.Ort, " ,"))
		}
		if more := len(d.addresses) - len(list); more > 0 {
			list = append(list, strconv.Itoa(more)+" "+wordMore.in(w.l))
		}
		w.table(func() {
			w.line(wordFootprints, strconv.Itoa(d.p.FootprintCount))
			w.line(wordBuilt, w.l.figure(d.p.BuildingAreaSqm, 0, "m²"))
			w.line(wordAddresses, cmp.Or(strings.Join(list, "; "), wordNone.in(w.l)))
		})
	})
}

func (d *sheetData) writePrice(w *sheetWriter) {
	w.section(wordPrice, func() {
		e := d.price
		switch {
		case e == nil && d.pricesUnread:
			w.soft(wordPricesUnread.in(w.l))
			return
		case e == nil:
			w.soft(wordNoPrice.in(w.l))
			return
		}
		euro := func(v float64, decimals int) string {
			if math.IsNaN(v) {
				return ""
			}
			return w.l.figure(v, decimals, "€")
		}
		w.table(func() {
			w.line(wordYear, strconv.Itoa(d.in.Year))
			w.line(wordClass, shownWord(classWords, e.Class.String(), w.l))
			w.line(wordPerSqm, euro(e.BuyPerSqm, 2))
			if e.IntervalBasis(d.in.Year) != "" {
				w.line(wordInterval, euro(e.Interval.Low, 2)+" – "+euro(e.Interval.High, 2))
			}
			w.line(wordTotal, euro(e.BuyTotal, 0))
			w.line(wordRent, euro(e.RentPerYear, 0))
			w.line(wordConfidence, shownWord(confidenceWords, e.Confidence.String(), w.l))
			if b := &e.Baseline; b.Known() {
				of := strings.TrimSpace(shownWord(levelWords, b.Source.String(), w.l) + " " + b.Code)
				w.line(wordBaseline, fmt.Sprintf("%s/m² (%s, %s %d)", euro(b.EUR, 2), of,
					shownWord(methodWords, b.Method.String(), w.l), b.To))
			}
			if e.AppliesFactors {
				f := &e.Factors
				w.line(wordFactors, w.l.figure(e.Calibration, 2, "")+" × "+w.l.figure(f.Size, 3, "")+" × "+
					w.l.figure(f.Shape, 3, "")+" × "+w.l.figure(f.Typology, 2, ""))
			}
			w.line(wordHouse, euro(e.Building.Value, 0))
			w.line(wordCombined, euro(e.Combined, 0))
		})
		w.soft(wordCaution.in(w.l))
	})
}

func (d *sheetData) writeOver(w *sheetWriter) {
	w.section(wordProtected, func() {
		if !d.overKnown {
			w.soft(wordUnknown.in(w.l))
			return
		}
		var sites, areas, laws []string
		for _, s := range d.sites {
			sites = append(sites, s.Name+" ("+s.Code+")")
		}
		for _, a := range d.areas {
			areas = append(areas, strings.TrimSuffix(a.Name+", "+word{a.Desig, cmp.Or(a.DesigEng, a.Desig)}.in(w.l), ", "))
		}
		for _, law := range d.laws {
			laws = append(laws, strings.TrimSuffix(law.Name+", "+law.State, ", "))
		}
		w.table(func() {
			for _, one := range []struct {
				name word
				list []string
			}{{wordNatura, sites}, {wordAreas, areas}, {wordLaws, laws}} {
				w.line(one.name, cmp.Or(strings.Join(one.list, "; "), wordNone.in(w.l)))
			}
		})
	})
}

func (d *sheetData) writeSources(w *sheetWriter) {
	w.section(wordSources, func() {
		w.table(func() {
			w.line(wordDate, w.l.date(d.build.Stichtag))
			w.line(wordSources, d.named)
			w.line(wordLicence, core.Notice.License+", "+core.Notice.LicenseURL)
			if d.price != nil {
				w.line(wordPrices, d.pricesNamed)
			}
			w.line(wordAddress, d.address)
		})
		w.soft(wordLegal.in(w.l))
	})
}
