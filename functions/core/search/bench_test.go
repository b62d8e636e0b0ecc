package search

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/artefacts/library"
	"mappe/artefacts/register"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// country is a register of national size: 7,850 KGs, 2,092 municipalities, 16,988 localities, 2,236 postal codes,
// with one KG of 19,720 parcels that can be read.
func country(c *register.Contents) {
	rng := rand.New(rand.NewPCG(7, 7))
	heads, tails := []string{"St. ", "Groß-", "Klein", "Ober", "Unter", "Bad ", "Neu", "Wind"},
		[]string{"dorf", "bach", "kirchen", "ebenzell", "öd", "ham", "schlag", "reith an der Straße", "weißenberg"}
	middles := []string{"hof", "lin", "eich", "müh", "kar", "stein", "wald", "rohr", "sieg", "franz", "perl", "gunt"}
	name := func() string {
		return heads[rng.IntN(len(heads))] + middles[rng.IntN(len(middles))] + middles[rng.IntN(len(middles))] + tails[rng.IntN(len(tails))]
	}
	const municipalities, kgs, localities, codes = 2092, 7850, 16988, 2236
	gemeinde := func(i int) austria.GemeindeCode { return austria.GemeindeCode(fmt.Sprint(10101 + 38*i)) }
	for i := range municipalities {
		c.Municipalities = append(c.Municipalities, register.Municipality{Code: gemeinde(i), Name: name(),
			DistrictCode: gemeinde(i).District(), DistrictName: "Bezirk " + string(gemeinde(i).District()), At: fixture.At(1, 1)})
	}
	first := c.KGs
	c.KGs = nil
	for i := range kgs - len(first) {
		m := &c.Municipalities[i*municipalities/kgs]
		c.KGs = append(c.KGs, register.KG{KG: kgfile.KG{Code: austria.KGCode(fmt.Sprintf("%05d", 1001+i)), Name: name(),
			GemeindeCode: m.Code, GemeindeName: m.Name, DistrictName: m.DistrictName, Box: geom.EmptyBox}, DistrictCode: m.DistrictCode})
	}
	c.KGs = append(c.KGs, first...)
	for i := range localities {
		m := &c.Municipalities[i*municipalities/localities]
		c.Localities = append(c.Localities, register.Locality{OKZ: uint32(i + 1), Name: name(), GemeindeCode: m.Code, GemeindeName: m.Name,
			KG: c.KGs[i%kgs].Code, PLZ: []austria.PLZ{austria.PLZ(fmt.Sprint(1010 + i%codes))}})
	}
	for i := range codes {
		m := &c.Municipalities[i%municipalities]
		c.PLZ = append(c.PLZ, register.PostalPlace{PLZ: austria.PLZ(fmt.Sprint(1010 + i)), Place: m.Name, GemeindeCode: m.Code})
	}
}

func national(b *testing.B) (http.Handler, *library.Library) {
	b.Helper()
	o := kgtest.Large
	o.Code = "99999"
	s := mem.New()
	if err := fixture.PublishWith(s, []*kgfile.Snapshot{kgtest.Snapshot(o)}, country); err != nil {
		b.Fatal(err)
	}
	lib, err := library.Open(b.Context(), s, library.Options{})
	if err != nil {
		b.Fatal(err)
	}
	h := handler(b, Deps{Library: lib})
	get(h, "lookup?q=a") // the names are made once
	return h, lib
}

// BenchmarkSearch asks a country of national size with everything in memory.
func BenchmarkSearch(b *testing.B) {
	h, _ := national(b)
	for name, path := range map[string]string{
		"lookup":          "lookup?q=st.%20hofstein",
		"lookup_code":     "lookup?q=1010",
		"kg":              "search/kg?q=Muehstein",
		"kg_district":     "search/kg?district=101",
		"kg_suggestions":  "search/kg?q=Obermuehsteinbcah",
		"municipalities":  "search/municipalities?q=weissenberg",
		"gnr_exact":       "search/gnr?gnr=17&kg=99999",
		"gnr_star":        "search/gnr?gnr=17*&kg=99999",
		"parcel_id":       "search/parcel?id=99999-17",
		"parcel_landuse":  "search/parcel?kg=99999&landuse=52",
		"ez":              "search/ez?kg=99999&ez=7",
		"ez_list":         "search/ez?kg=99999",
		"landuse_codes":   "landuse/codes?pretty=0",
		"district_search": "search/district?q=bezirk",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := get(h, path+"&nocache=1"); w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

// BenchmarkNames is what the first search by name of a function pays, and the first lookup.
func BenchmarkNames(b *testing.B) {
	_, lib := national(b)
	v, err := lib.View(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := namesOf(v.Register()).places(); err != nil {
			b.Fatal(err)
		}
	}
}
