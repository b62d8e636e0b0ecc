package demo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/localdev/demo/world"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// site is a Natura 2000 site of the country: the parcels that pass, in one feature or more.
type site struct {
	code, name, kind string
	takes            func(w *world.World, p *world.Parcel) bool
}

// Land-use codes of the terrain's covers.
const (
	flowingWater = 59
	forest       = 56
	alpinePeak   = 54 // pasture above the tree line
)

// Sites fit the terrain: the river, steep forest, alpine meadow. The alp is a site of both directives, drawn once
// under each.
var sites = []site{
	{"AT3299001", "Lorfachauen", "B", func(_ *world.World, p *world.Parcel) bool { return p.Use == flowingWater }},
	{"AT3299002", "Zwieslwald", "A", func(w *world.World, p *world.Parcel) bool { return p.Use == forest && w.KGs[p.KG].Code == "99205" }},
	{"AT3299003", "Quettenalm", "A", func(w *world.World, p *world.Parcel) bool {
		return p.Use == alpinePeak && w.KGs[p.KG].Code == "99204"
	}},
	{"AT3299003", "Quettenalm", "B", func(w *world.World, p *world.Parcel) bool {
		return p.Use == alpinePeak && w.KGs[p.KG].Code == "99204"
	}},
}

// OverlayTruth is what lies over a parcel.
type OverlayTruth struct {
	Parcel string   `json:"parcel_id"`
	Sites  []string `json:"sites,omitempty"`
	Laws   []string `json:"laws,omitempty"` // Gesetzesnummern
}

// overlays writes the folder overlays and truth/overlays.ndjson.
func (o *output) overlays(w *world.World, t *truth) error {
	drawn := map[string]geom.MultiPolygon{}
	var features []string
	for _, s := range sites {
		var parts []geom.MultiPolygon
		for i := range w.Parcels {
			if s.takes(w, &w.Parcels[i]) {
				parts = append(parts, t.parcel[i])
			}
		}
		m, err := geom.Dissolve(parts, 0)
		if err != nil {
			return err
		}
		drawn[s.code] = m
		features = append(features, feature(m, `"sitecode":%q,"sitename":%q,"sitetype":%q,"ms":"AT"`, s.code, s.name, s.kind))
	}
	if err := o.file("overlays/natura2000.geojson", collection(features)); err != nil {
		return err
	}
	if err := o.protected(w, t, drawn); err != nil {
		return err
	}
	laws, err := o.laws(w)
	if err != nil {
		return err
	}
	return o.overlayTruth(w, t, drawn, laws)
}

func feature(m geom.MultiPolygon, properties string, args ...any) string {
	b := fmt.Appendf(nil, `{"type":"Feature","properties":{`+properties+`},"geometry":`, args...)
	return string(append(appendGeometry(b, m), '}'))
}

func collection(features []string) []byte {
	return []byte("{\"type\":\"FeatureCollection\",\"features\":[\n" + strings.Join(features, ",\n") + "\n]}\n")
}

// protected writes a nature park around the second valley, a reserve in its forest and the protected river landscape.
func (o *output) protected(w *world.World, t *truth, drawn map[string]geom.MultiPolygon) error {
	var park []geom.MultiPolygon
	for i, k := range w.KGs {
		if k.Code == "99203" || k.Code == "99204" {
			park = append(park, t.outline[i])
		}
	}
	m, err := geom.Dissolve(park, 0)
	if err != nil {
		return err
	}
	const properties = `"wdpaid":%d,"name":%q,"desig":%q,"desig_eng":%q,"desig_type":"National","iucn_cat":%q,"realm":"Terrestrial"`
	return o.file("overlays/protected_areas.geojson", collection([]string{
		feature(m, properties, 999001, "Naturpark Quettenachtal", "Naturpark", "Nature Park", "V"),
		feature(drawn["AT3299002"], properties, 999002, "Zwieslwald", "Naturschutzgebiet", "Nature Conservation Area", "IV"),
		feature(drawn["AT3299001"], properties, 999003, "Lorfachauen", "Landschaftsschutzgebiet", "Protected Landscape", "V"),
	}))
}

// decree is a passage of a law as the files have it.
type decree struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Number  string `json:"gesetzesnummer"`
	State   string `json:"bundesland"`
	Context string `json:"context,omitempty"`
	InForce string `json:"in_force"`
	Text    string `json:"text"`
}

// laws writes two decrees and a table, and gives which laws name which parcels.
func (o *output) laws(w *world.World) (named map[string][]string, err error) {
	named = map[string][]string{}
	note := func(code, number string, gnrs ...austria.GNR) {
		for _, g := range gnrs {
			id := code + "-" + string(g)
			named[id] = append(named[id], number)
		}
	}
	row := run(w, "99205", 3)
	apart := pick(w, "99204", 4)
	texts := []decree{
		{"d1-1", "Naturschutzgebiet Zwieslwald-Verordnung", "https://example.org/recht/99900001", "99900001", world.StateName,
			"nature_protection", "2012-05-01",
			fmt.Sprintf("(1) Die Grundstücke Nr. %s bis %s, alle KG. Hinterzwiesl, werden zum Naturschutzgebiet erklärt.", row[0],
				row[len(row)-1])},
		{"d2-1", "Quellschutz-Verordnung Quettenalpe", "https://example.org/recht/99900002", "99900002", world.StateName, "", "2019-01-01",
			fmt.Sprintf("Zum Schutz des Grundwassers wird auf Teilen der Grundstücke Nr. %s und %s, KG 99204 Quettenalpe, ein Wasserschutzgebiet bestimmt (LGBl. Nr. 12/2019).", apart[0], apart[1])},
	}
	note("99205", "99900001", row...)
	note("99204", "99900002", apart[0], apart[1])
	body, err := json.MarshalIndent(texts, "", " ")
	if err != nil {
		return nil, err
	}
	if err := o.file("overlays/legal/decrees.json", append(body, '\n')); err != nil {
		return nil, err
	}
	walk := pick(w, "99201", 3)
	table := &table{}
	table.row("kg_code,kg_name,grundstueck,source_law_name,source_date,source_url,parcel_list_type,legal_context,bundesland,gesetzesnummer")
	for _, g := range walk {
		table.row("99201", "Pfarrnöd", g, "Gemeindegrenzen-Verordnung", "2005-01-01", "https://example.org/recht/99900003", "boundary_walk",
			"admin_boundary", world.StateName, "99900003")
	}
	note("99201", "99900003", walk...)
	return named, o.file("overlays/legal/references.csv", table.b)
}

// overlayTruth tests each parcel's centroid against each site without an index.
func (o *output) overlayTruth(w *world.World, t *truth, drawn map[string]geom.MultiPolygon, laws map[string][]string) error {
	var b []byte
	for i := range w.Parcels {
		p := &w.Parcels[i]
		line := OverlayTruth{Parcel: w.KGs[p.KG].Code + "-" + string(p.GNR)}
		at, _ := t.parcel[i].Centroid()
		for _, code := range []string{"AT3299001", "AT3299002", "AT3299003"} {
			if drawn[code].Contains(at) {
				line.Sites = append(line.Sites, code)
			}
		}
		line.Laws = laws[line.Parcel]
		if line.Sites == nil && line.Laws == nil {
			continue
		}
		body, err := json.Marshal(line)
		if err != nil {
			return err
		}
		b = append(append(b, body...), '\n')
	}
	return o.file("truth/overlays.ndjson", b)
}

// numbersOf are the parcel numbers of a KG.
func numbersOf(w *world.World, code string) (all []austria.GNR) {
	for i := range w.Parcels {
		if p := &w.Parcels[i]; w.KGs[p.KG].Code == code {
			all = append(all, p.GNR)
		}
	}
	return all
}

// pick are n parcel numbers of a KG, spread over it.
func pick(w *world.World, code string, n int) (list []austria.GNR) {
	all := numbersOf(w, code)
	for i := range n {
		list = append(list, all[(2*i+1)*len(all)/(2*n)])
	}
	return list
}

// run are at least n main numbers of a KG that follow each other.
func run(w *world.World, code string, n int) []austria.GNR {
	var main []int
	for _, g := range numbersOf(w, code) {
		if v, err := strconv.Atoi(string(g)); err == nil {
			main = append(main, v)
		}
	}
	slices.SortFunc(main, cmp.Compare)
	for i := range main {
		if i+n <= len(main) && main[i+n-1] == main[i]+n-1 {
			list := make([]austria.GNR, n)
			for j := range list {
				list[j] = austria.GNR(strconv.Itoa(main[i] + j))
			}
			return list
		}
	}
	return nil
}
