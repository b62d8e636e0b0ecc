package spatial

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/artefacts/proximity"
	"mappe/artefacts/rowschema"
	names "mappe/artefacts/toponyms"
	nearby "mappe/functions/core/proximity"
	"mappe/functions/core/toponyms"
	"mappe/functions/core/view"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/austria"
	"mappe/shared/book/sheet"
	"mappe/shared/book/sheet/print"
	"mappe/shared/web/htmlpage"
)

// fullest is a sheet with as much on it as there can be of everything, in long words.
func fullest(t testing.TB, l language) *sheet.Sheet {
	t.Helper()
	s := sheetStore(t)
	raised(t, s)
	v, err := fixture.Library(t, s).View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := readSheet(t.Context(), view.At(t.Context(), v), austria.ParcelID{KG: "88801", GNR: "1"}, 2024)
	if err != nil {
		t.Fatal(err)
	}
	const long = "Sankt Johann im Lorfachtal an der Großen Ache"
	for i := range 40 {
		d.addresses = append(d.addresses, kgfile.Building{Street: "Bürgermeister-Maximilian-Oberhofer-Straße", HouseNumber: "117/12a",
			PLZ: "5790", Ort: long})
		d.p.UseAreas = append(d.p.UseAreas, kgfile.CodeArea{Code: austria.LandUse(40 + i), Sqm: float64(i)})
		d.sites = append(d.sites, rowschema.SiteBrief{Code: "AT3200001", Name: long})
		d.areas = append(d.areas, &overlays.Area{Name: long, Desig: "Landschaftsschutzgebiet", DesigEng: "Landscape Protection Area"})
		d.laws = append(d.laws, overlays.Law{Name: "Verordnung über den Schutz des Wasserspenders " + long, State: "Salzburg"})
		d.around.names = append(d.around.names, toponyms.Found{Name: &names.Name{Name: long, Feature: "Fließgewässer"}, Metres: 499})
		d.around.neighbours = append(d.around.neighbours, neighbour{id: d.id, use: 52, used: true, sqm: 1e6, shared: 1e3})
	}
	d.around.neighbours, d.around.more, d.around.namesKnown = d.around.neighbours[:shownNeighbours], 32, true
	hit := proximity.Hit{Metres: 12_345, Name: long, Ref: "B 999"}
	d.around.near = &nearby.Surroundings{Road: hit, MajorRoad: hit, Rail: hit, Water: hit, Stop: hit, Station: hit, Settlement: hit}
	d.around.nearNamed = "© OpenStreetMap contributors, via Geofabrik, modified"
	d.named = "© Bundesamt für Eich- und Vermessungswesen (BEV), Kataster und Adressregister, Stichtag 1. 10. 2026, modified"
	d.kg.Name, d.kg.GemeindeName, d.kg.DistrictName = long, long, long
	d.address = "https://land.example.org/cadastre/api/v1/parcels/88801-1234%2F56/sheet?lang=de&version=2026-10-01&year=2024"
	d.price.Building.Value, d.price.Combined, d.gaps = 1e6, 2e6, view.Missing{}
	d.gaps.Note("88802", view.Cold)
	return d.page(l)
}

// TestSheetIsOnePage prints the fullest sheet in both languages.
func TestSheetIsOnePage(t *testing.T) {
	browser, pdftotext := oracles.Chromium(t), oracles.Program(t, "pdftotext")
	for _, l := range []language{german, english} {
		page, file := filepath.Join(t.TempDir(), "sheet.html"), filepath.Join(t.TempDir(), "sheet.pdf")
		if err := os.WriteFile(page, []byte(sheetHTML(fullest(t, l), l, "x")), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(browser, "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--print-to-pdf="+file,
			"file://"+page).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command(pdftotext, file, "-").CombinedOutput()
		if pages := strings.Count(string(out), "\f"); err != nil || pages != 1 {
			t.Errorf("%s: %v, %d pages, want one", l, err, pages)
		}
	}
}

// TestSheetPDF: the sheet as a file, by name and by what is accepted, always the same bytes; a program without the press refuses it.
func TestSheetPDF(t *testing.T) {
	s := sheetStore(t)
	raised(t, s)
	h := fixture.Handler(t, New(Deps{Library: fixture.Library(t, s), Sheet: print.PDF}))
	const target = "/api/v1/parcels/88801-.6%2F1/sheet"
	w := fixture.Ask(h, "GET", target+"?format=pdf", "")
	file := w.Body.Bytes()
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(file, []byte("%PDF-1.7")) ||
		w.Header().Get("Content-Disposition") != `attachment; filename="parcel-88801-.6_1.pdf"` {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	if w := fixture.Ask(h, "GET", target, "", "Accept", "application/pdf"); !bytes.Equal(w.Body.Bytes(), file) {
		t.Errorf("Accept gives another answer: %d %v", w.Code, w.Header())
	}
	page := fixture.Ask(h, "GET", target, "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if page.Header().Get("Content-Type") != htmlpage.ContentType || page.Header().Get("ETag") == w.Header().Get("ETag") ||
		page.Header().Get("Vary") != "Accept" || !strings.Contains(page.Body.String(), `sheet?format=pdf&amp;lang=de">PDF</a>`) {
		t.Errorf("the page: %v", page.Header())
	}
	h = fixture.Handler(t, New(Deps{Library: fixture.Library(t, s)}))
	if w := fixture.Ask(h, "GET", target+"?format=pdf", ""); w.Code != http.StatusBadRequest {
		t.Errorf("without the press: %d", w.Code)
	}
	for _, l := range []language{german, english} {
		if _, err := print.PDF(fullest(t, l)); err != nil {
			t.Error(err)
		}
	}
}
