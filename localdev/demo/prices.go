package demo

import (
	"encoding/json"
	"fmt"
	"math"

	"mappe/localdev/demo/world"
)

// PriceTruth is what the generator knows of the prices, in truth/prices.json: every series is start × growth to
// the years since 2016, so that a reader can tell what stands in a gap and what continues a series.
type PriceTruth struct {
	Series []SeriesTruth `json:"series"`
}

// SeriesTruth is one series.
type SeriesTruth struct {
	Level  string  `json:"level"`
	Code   string  `json:"code"`
	Kind   string  `json:"kind"`
	Start  float64 `json:"start_eur_2016"`
	Growth float64 `json:"growth"`
	Years  []int   `json:"years"` // that are published
}

const firstPriceYear = 2016

// priceYears are published; one is a gap, and the last is before the default year of the services.
var priceYears = []int{2016, 2017, 2018, 2020, 2021, 2022, 2023}

// at is the price of a year, in cents as it is published.
func (s *SeriesTruth) at(year int) float64 {
	return math.Round(100*s.Start*math.Pow(1+s.Growth, float64(year-firstPriceYear))) / 100
}

// prices writes the folder prices: the municipalities' building land of the last year as a sheet of the
// statistics office, all other values as CSV. The last municipality has no series of its own.
func (o *output) prices(w *world.World) error {
	t := priceTruth(w)
	last := priceYears[len(priceYears)-1]
	series, sheet := &table{}, &table{}
	series.row("level,code,kind,year,eur")
	sheet.b = fmt.Appendf(sheet.b, "Durchschnittliche Baugrundstückspreise %d,,,\nBezirk,Gemeindekennziffer,Gemeinde,EUR/m²\n", last)
	names := map[string]string{}
	for _, g := range w.Gemeinden {
		names[g.Code] = g.Name
	}
	district := world.DistrictName
	for i := range t.Series {
		s := &t.Series[i]
		for _, year := range s.Years {
			if s.Level == "gemeinde" && year == last {
				sheet.row(district, s.Code, names[s.Code], thousands(s.at(year)))
				district = "" // it stands once
				continue
			}
			series.row(s.Level, s.Code, s.Kind, year, fmt.Sprintf("%.2f", s.at(year)))
		}
	}
	truth, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		body []byte
	}{
		{"prices/source.json", []byte("{\"attribution\": \"made-up price series\"}\n")}, {"prices/series.csv", series.b},
		{fmt.Sprintf("prices/sheets/baugrund-%d-%s.csv", last, world.StateCode), sheet.b}, {"truth/prices.json", append(truth, '\n')},
	} {
		if err := o.file(f.name, f.body); err != nil {
			return err
		}
	}
	return nil
}

// thousands is a price as the sheets write it, "1,043.50" in quotes.
func thousands(eur float64) string {
	text := fmt.Sprintf("%.2f", eur)
	if n := len(text) - len(".00") - 3; n > 0 {
		text = text[:n] + "," + text[n:]
	}
	return `"` + text + `"`
}

// priceTruth are the series of the country.
func priceTruth(w *world.World) PriceTruth {
	var t PriceTruth
	add := func(level, code, kind string, start, growth float64) {
		t.Series = append(t.Series, SeriesTruth{level, code, kind, start, growth, priceYears})
	}
	for i, g := range w.Gemeinden[:len(w.Gemeinden)-1] {
		add("gemeinde", g.Code, "baugrund", 190-35*float64(i), 0.035+0.015*float64(i))
	}
	add("bezirk", world.DistrictCode, "baugrund", 150, 0.04)
	add("bezirk", world.DistrictCode, "haus_pre1960", 1750, 0.05)
	add("bezirk", world.DistrictCode, "haus_y1960_1990", 1980, 0.05)
	add("bezirk", world.DistrictCode, "haus_post1991", 2640, 0.05)
	add("bezirk", world.DistrictCode, "wohnung", 2900, 0.055)
	add("bezirk", world.DistrictCode, "wohnung_pre1960", 2300, 0.05)
	add("bezirk", world.DistrictCode, "wohnung_y1960_1990", 2500, 0.05)
	add("bezirk", world.DistrictCode, "wohnung_post1991", 3400, 0.055)
	for _, s := range []struct {
		kind          string
		start, growth float64
	}{{"baugrund", 165, 0.045}, {"acker", 4.6, 0.03}, {"gruenland", 3.1, 0.025}, {"acker_pacht", 290, 0.015}, {"gruenland_pacht", 190,
		0.01}, {"haus", 2200, 0.05}} {
		add("state", world.StateCode, s.kind, s.start, s.growth)
	}
	add("national", "AT", "baugrund", 85, 0.05)
	add("national", "AT", "haus", 1900, 0.05)
	add("literature_state", world.StateCode, "wald_von", 0.9, 0.01)
	add("literature_state", world.StateCode, "wald_bis", 2.6, 0.01)
	return t
}
