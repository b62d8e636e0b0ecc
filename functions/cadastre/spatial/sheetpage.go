package spatial

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/functions/core"
	"mappe/functions/core/proximity"
	"mappe/shared/austria"
	"mappe/shared/book/layout/page"
	"mappe/shared/book/sheet"
)

// The bounds of lists on a sheet: an estate has hundreds of addresses, and the sheet is one page.
const (
	shownAddresses  = 4
	shownUses       = 6
	shownOver       = 3 // sites, areas and laws, of each
	shownNeighbours = 7
	shownNames      = 4
	shownText       = 70 // characters of an entry of a list
)

// page is the sheet in a language.
func (d *sheetData) page(l language) *sheet.Sheet {
	name := strings.TrimSpace("KG " + string(d.id.KG) + " " + d.kg.Name)
	s := &sheet.Sheet{Title: wordTitle.in(l) + " " + string(d.id.GNR), Aside: name,
		Info: page.Info{Title: wordTitle.in(l) + " " + d.id.String(), Subject: name, Language: string(l)},
		Plan: sheet.Figure{Drawing: sheet.Drawing{Class: "plan", Label: string(d.p.GNR) + ", 1:" + strconv.Itoa(d.plan.scale),
			Width: planWidth, Height: planHeight, Framed: true, Shapes: d.plan.shapes},
			Caption: strings.Replace(wordScale.in(l), "%s", l.figure(float64(d.plan.scale), 0, ""), 1)}}
	if at, err := time.Parse(time.DateOnly, d.build.Stichtag); err == nil { // the same data makes the same file
		s.Created = at
	}
	if !d.gaps.Ready() {
		s.Notes = append(s.Notes, wordGaps.in(l))
	}
	for _, part := range []func(language) sheet.Section{d.parcel, d.uses, d.buildings, d.heights, d.beside, d.over, d.prices,
		d.surroundings} {
		s.Sections = append(s.Sections, part(l))
	}
	s.Foot = d.sources(l)
	return s
}

// shortened bounds a text of the data.
func shortened(s string) string {
	if r := []rune(s); len(r) > shownText {
		return strings.TrimSpace(string(r[:shownText])) + " …"
	}
	return s
}

// table is the rows of a section in a language; a row without a value is left out.
type table struct {
	l    language
	rows [][]string
}

func (t *table) line(name word, value string) { t.row(name.in(t.l), value) }

func (t *table) row(name, value string) {
	if value != "" {
		t.rows = append(t.rows, []string{name, value})
	}
}

// section is one with a name column.
func (t *table) section(title word) sheet.Section {
	return sheet.Section{Title: title.in(t.l), Shares: []int{34, 66}, Rows: t.rows}
}

// listed joins the first of a list and says how many more there are.
func listed(list []string, most int, l language) string {
	for i := range list {
		list[i] = shortened(list[i])
	}
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), strconv.Itoa(more)+" "+wordMore.in(l))
	}
	return cmp.Or(strings.Join(list, "; "), wordNone.in(l))
}

func (d *sheetData) parcel(l language) sheet.Section {
	boundary := wordInTax
	if d.p.Status == austria.StatusG {
		boundary = wordInCadastre
	}
	t := table{l: l}
	t.line(wordKG, strings.TrimSpace(string(d.id.KG)+" "+d.kg.Name))
	t.line(wordGemeinde, strings.TrimSpace(string(d.kg.GemeindeCode)+" "+d.kg.GemeindeName))
	t.line(wordDistrict, d.kg.DistrictName)
	if d.p.EZ > 0 {
		t.line(wordFolio, strconv.Itoa(int(d.p.EZ)))
	}
	t.line(wordArea, l.figure(d.p.AreaSqm, 0, "m²")+wordComputed.in(l))
	t.line(wordBoundary, boundary.in(l))
	t.line(wordPosition, l.figure(d.p.Inside.Lat(), 6, "")+"°"+noBreak+"N, "+l.figure(d.p.Inside.Lon(), 6, "")+"°"+noBreak+
		word{"O", "E"}.in(l)+" (WGS84)")
	return t.section(word{})
}

// usesOf are the land uses of a parcel, the largest first.
func usesOf(p *kgfile.Parcel) []kgfile.CodeArea {
	return slices.SortedFunc(slices.Values(p.UseAreas), func(a, b kgfile.CodeArea) int {
		return cmp.Or(cmp.Compare(b.Sqm, a.Sqm), cmp.Compare(a.Code, b.Code))
	})
}

func (d *sheetData) uses(l language) sheet.Section {
	t := table{l: l}
	uses := usesOf(&d.p)
	for _, u := range uses {
		share := math.NaN()
		if d.p.AreaSqm > 0 {
			share = 100 * u.Sqm / d.p.AreaSqm
		}
		t.row(l.use(u.Code), l.figure(u.Sqm, 0, "m²")+" ("+l.figure(share, 0, "%")+")")
	}
	for _, s := range d.p.SymbolCounts {
		if !slices.ContainsFunc(uses, func(u kgfile.CodeArea) bool { return u.Code == s.Code }) {
			t.row(l.use(s.Code), strconv.Itoa(s.N)+" "+wordSymbols.in(l))
		}
	}
	if more := len(t.rows) - shownUses; more > 0 {
		t.rows = append(t.rows[:shownUses], []string{strconv.Itoa(more) + " " + wordMore.in(l), ""})
	}
	s := t.section(wordUse)
	s.Shares = []int{60, 40}
	if len(t.rows) == 0 {
		s.Soft = []string{wordNoUse.in(l)}
	}
	return s
}

func (d *sheetData) buildings(l language) sheet.Section {
	var list []string
	for _, b := range d.addresses {
		list = append(list, strings.Trim(cmp.Or(b.Street, b.Ort)+" "+b.HouseNumber+", "+string(b.PLZ)+" "+b.Ort, " ,"))
	}
	t := table{l: l}
	t.line(wordFootprints, strconv.Itoa(d.p.FootprintCount)+wordMostly.in(l))
	t.line(wordBuilt, l.figure(d.p.BuildingAreaSqm, 0, "m²"))
	t.line(wordAddresses, listed(list, shownAddresses, l))
	return t.section(wordBuildings)
}

func (d *sheetData) prices(l language) sheet.Section {
	e := d.price
	switch {
	case e == nil && d.pricesUnread:
		return sheet.Section{Title: wordPrice.in(l), Soft: []string{wordPricesUnread.in(l)}}
	case e == nil:
		return sheet.Section{Title: wordPrice.in(l), Soft: []string{wordNoPrice.in(l)}}
	}
	euro := func(v float64, decimals int) string {
		if math.IsNaN(v) {
			return ""
		}
		return l.figure(v, decimals, "€")
	}
	t := table{l: l}
	t.line(wordClass, shownWord(classWords, e.Class.String(), l)+", "+strconv.Itoa(d.in.Year))
	t.line(wordPerSqm, euro(e.BuyPerSqm, 2))
	if basis := basisWord(e, d.in.Year, l); basis != "" {
		t.line(wordInterval, euro(e.Interval.Low, 2)+" – "+euro(e.Interval.High, 2)+" ("+basis+")")
	}
	t.line(wordTotal, euro(e.BuyTotal, 0))
	t.line(wordRent, euro(e.RentPerYear, 0))
	t.line(wordConfidence, shownWord(confidenceWords, e.Confidence.String(), l))
	if b := &e.Baseline; b.Known() {
		of := strings.TrimSpace(shownWord(levelWords, b.Source.String(), l) + " " + b.Code)
		t.line(wordBaseline, fmt.Sprintf("%s/m² (%s, %s %d)", euro(b.EUR, 2), of, shownWord(methodWords, b.Method.String(), l), b.To))
	}
	if e.AppliesFactors {
		f := &e.Factors
		t.line(wordFactors, l.figure(e.Calibration, 2, "")+" × "+l.figure(f.Size, 3, "")+" × "+l.figure(f.Shape, 3, "")+" × "+
			l.figure(f.Typology, 2, "")+wordFactorsOf.in(l))
	}
	t.line(wordHouse, euro(e.Building.Value, 0))
	t.line(wordCombined, euro(e.Combined, 0))
	s := t.section(wordPrice)
	s.Soft = []string{wordCaution.in(l)}
	return s
}

func (d *sheetData) over(l language) sheet.Section {
	if !d.overKnown {
		return sheet.Section{Title: wordProtected.in(l), Soft: []string{wordUnknown.in(l)}}
	}
	var sites, areas, laws []string
	for _, s := range d.sites {
		sites = append(sites, s.Name+" ("+s.Code+")")
	}
	for _, a := range d.areas {
		areas = append(areas, strings.TrimSuffix(a.Name+", "+word{a.Desig, cmp.Or(a.DesigEng, a.Desig)}.in(l), ", "))
	}
	for _, law := range d.laws {
		laws = append(laws, strings.TrimSuffix(law.Name+", "+law.State, ", "))
	}
	t := table{l: l}
	t.line(wordNatura, listed(sites, shownOver, l))
	t.line(wordAreas, listed(areas, shownOver, l))
	t.line(wordLaws, listed(laws, shownOver, l))
	s := t.section(wordProtected)
	s.Soft = []string{wordPlaces.in(l)}
	return s
}

func (d *sheetData) sources(l language) sheet.Section {
	t := table{l: l}
	t.line(wordDate, l.date(d.build.Stichtag))
	t.line(wordCadastre, l.credit(d.named)+", "+core.Notice.License+", "+core.Notice.LicenseURL)
	if d.price != nil {
		t.line(wordPrices, l.credit(d.pricesNamed))
	}
	if r := d.relief; r != nil {
		t.line(wordHeights, wordScan.in(l)+" "+l.date(r.date)+", "+l.credit(r.named))
	}
	if a := &d.around; a.near != nil {
		t.line(wordAround, l.credit(a.nearNamed)+", "+proximity.License+", "+proximity.LicenseURL)
	}
	if a := &d.around; a.namesKnown {
		t.line(wordNames, l.credit(a.namesNamed)+", "+core.Notice.License)
	}
	t.line(wordAddress, d.address)
	s := t.section(wordSources)
	s.Shares = []int{16, 84}
	s.Soft = []string{wordLegal.in(l)}
	return s
}
