package demo

import (
	"fmt"
	"strings"

	"mappe/artefacts/toponyms"
	"mappe/localdev/demo/world"
)

// placeName is a geographical name of the country.
type placeName struct {
	layer         toponyms.Layer
	code          int
	what          string
	name, variant string
	slovene       string // the made-up valley has a minority
	height        int    // 9999: not known, as the survey office writes it
	at            world.P
}

// The invented names of what the generator does not name itself, in the order of the features that they are given to.
var (
	peakNames = []string{"Hoher Quetter", "Lorfacher Kogel", "Zwieslspitze", "Schattseithorn", "Brennzacher Nock", "Gföllnerkopf",
		"Oxnauer Schneid", "Kleiner Quetter", "Rettlkogel", "Mosterlspitz", "Hirnzkopf", "Kalchwand"}
	fieldNames = []string{"Sonnleitn", "Anwandern", "Krautäcker", "Moosleitn", "Rossboden", "Hofpeunt", "Langlüss", "Steinriegl",
		"Brennzacher Au", "Egartn", "Kuhtratten", "Saulachn", "Hinterm Dorf", "Mühlfeld", "Kreuzäcker",
		"Schindlbrand", "Gmoa", "Neugreut", "Haslach", "Irlbrunn"}
)

// toponyms writes the folder names: a file for each layer, as the survey office hands them out.
func (o *output) toponyms(w *world.World) error {
	files := map[toponyms.Layer][]string{}
	n := 0
	for _, p := range placeNames(w) {
		n++
		at := p.at.E7()
		files[p.layer] = append(files[p.layer], fmt.Sprintf(
			`{"type":"Feature","properties":{"F_CODE":%d.0,"F_NAME":%q,"BEDEUTUNG":"Gering bedeutend","NAME":%q,"VAR_NAME":%s,"NAME_SL":%s,"HOEHE":%d.0,"ERSTELLDAT":"2014-08-20","BEARBDAT":"%d-05-01","OBJECTID":%d.0,"GLOBALID":"{99999999-0000-4000-8000-%012X}"},"geometry":{"type":"Point","coordinates":[%.7f,%.7f]}}`,
			p.code, p.what, p.name, orNull(p.variant), orNull(p.slovene), p.height, 2015+n%11, n, n, at.Lon(), at.Lat()))
	}
	for _, l := range toponyms.AllLayers() {
		if err := o.file("names/"+l.String()+".geojson", collection(files[l])); err != nil {
			return err
		}
	}
	return nil
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return fmt.Sprintf("%q", s)
}

// placeNames are the names, in the order of what they name.
func placeNames(w *world.World) (list []placeName) {
	const unknown = 9999
	slovene := map[string]string{"Quettenach": "Kvetnje", "Lorfach": "Lorfa", "Hinterzwiesl": "Zadnji Vislin"}
	for _, l := range w.Localities {
		list = append(list, placeName{toponyms.Siedlung, 7101, "Ort", l.Name, "", slovene[l.Name], int(w.Height(l.At)), l.At})
	}
	for i, name := range []string{"Lorfachtal", "Quettental", "Schattseite"} {
		k := w.Localities[min(7*i%len(w.Localities), len(w.Localities)-1)]
		list = append(list, placeName{toponyms.Gebiet, 7202, "Tallandschaft", name, "",
			map[string]string{"Quettental": "Kvetniška dolina"}[name], unknown, k.At.East(300)})
	}
	peaks := w.Peaks()
	for i, p := range peaks[:min(len(peaks), len(peakNames))] {
		variant := ""
		if i == 0 {
			variant = "Quetterspitz"
		}
		list = append(list, placeName{toponyms.Gelaende, 7302, "Berggipfel", peakNames[i], variant,
			map[string]string{"Hoher Quetter": "Visoki Kveter"}[peakNames[i]], int(p.Height), p.At})
		if i == 0 {
			list = append(list, placeName{toponyms.Gletscher, 7401, "Gletscher", "Quetterkees", "", "Kvetrski ledenik", unknown,
				p.At.East(180)})
		}
	}
	for _, way := range w.Ways() {
		if way.Kind == world.River || way.Kind == world.Brook {
			variant := ""
			if strings.HasSuffix(way.Name, "graben") {
				variant = strings.TrimSuffix(way.Name, "graben") + "bach"
			}
			list = append(list, placeName{toponyms.Gewaesser, 7501, "Fließgewässer", way.Name, variant, "", unknown,
				way.Line[len(way.Line)/2]})
		}
	}
	for _, s := range w.Sites() {
		switch {
		case s.Kind == world.Lake:
			list = append(list, placeName{toponyms.Gewaesser, 7503, "See", s.Name, "", "", int(w.Height(s.Middle())), s.Middle()})
		case s.Kind == world.Farm && s.Name != "":
			list = append(list, placeName{toponyms.Siedlung, 7106, "Einzelhof", s.Name, "", "", unknown, s.Middle()})
		case s.Kind == world.ChurchYard:
			list = append(list, placeName{toponyms.Sonstige, 7605, "Kirche", "Pfarrkirche " + nearestLocality(w, s.Middle()), "", "",
				unknown, s.Middle()})
		}
	}
	return append(list, fields(w)...)
}

// fields are the field names: of parcels of farmland at equal steps.
func fields(w *world.World) (list []placeName) {
	var at []world.P
	for i := range w.Symbols {
		if w.Symbols[i].NS == farmland {
			at = append(at, w.Symbols[i].At)
		}
	}
	for i, name := range fieldNames {
		if len(at) > 0 {
			list = append(list, placeName{toponyms.Ried, 7701, "Riedname", name, "", "", 9999, at[(2*i+1)*len(at)/(2*len(fieldNames))]})
		}
	}
	return list
}

// farmland is the land-use code of arable land and meadows.
const farmland = 48

// nearestLocality is the name of the locality nearest to a place.
func nearestLocality(w *world.World, p world.P) string {
	best, name := -1.0, ""
	for _, l := range w.Localities {
		dx, dy := l.At.X-p.X, l.At.Y-p.Y
		if d := dx*dx + dy*dy; best < 0 || d < best {
			best, name = d, l.Name
		}
	}
	return name
}
