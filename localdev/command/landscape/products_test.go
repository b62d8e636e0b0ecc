package landscape

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/landscape"
	"mappe/artefacts/pmt"
	"mappe/builders/archive"
	"mappe/builders/landscape/index"
	"mappe/builders/national"
	"mappe/infra/oracles"
	standin "mappe/localdev/repository"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/raster"
)

// handedOut are the files of the village, once for all tests: analysing it takes a second.
type handedOut struct {
	store   store.Store
	records landprocess.Records
	entry   landprocess.Entry
	dir     string // its files
}

func villageProducts(t *testing.T) *handedOut {
	t.Helper()
	p := &handedOut{store: villageWorld(t), dir: t.TempDir()}
	_, p.records = withProducts(t, p.store, village)
	p.read(t)
	return p
}

func (p *handedOut) read(t *testing.T) {
	t.Helper()
	var err error
	if p.entry, _, err = p.records.Entry(t.Context(), village); err != nil || p.entry.Products == nil {
		t.Fatalf("no products: %+v %v", p.entry, err)
	}
	for _, f := range p.entry.Products.Files {
		b, _, err := store.ReadAll(t.Context(), p.store, f.Key, 64<<20, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b); int64(len(b)) != f.Bytes || hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("%s is not what is noted of it", f.Name)
		}
		if err := os.WriteFile(filepath.Join(p.dir, f.File), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *handedOut) path(name string) string { return filepath.Join(p.dir, string(village)+"-"+name) }

func TestTheProductsOfAKG(t *testing.T) {
	p := villageProducts(t)
	var names []string
	for _, f := range p.entry.Products.Files {
		names = append(names, f.Name)
	}
	// No object of the village carries traffic: there is no set under the ODbL.
	if want := []string{"dtm.tif", "slope.tif", "dsm.tif", "ndsm.tif", "full.gpkg", "light.gpkg", "summary.json", "landscape.pmtiles",
		"dtm.png", "slope.png", "ndsm.png", "segments.png", "item.json"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	t.Run("GeoTIFFs", p.rasters)
	t.Run("summary", p.summary)
	t.Run("item", p.item)
	t.Run("previews", p.previews)
	t.Run("GDAL", p.opened)
	t.Run("again", p.again)
	t.Run("tiles", p.tiles)
}

// The tiles of all KGs are served as one archive, published once.
func (p *handedOut) tiles(t *testing.T) {
	for _, want := range []string{"the tiles are served\n", "the tiles are unchanged\n"} {
		var told bytes.Buffer
		if err := joinTiles(t.Context(), p.store, p.records.Ledger, &told); err != nil || told.String() != want {
			t.Errorf("%q, want %q (%v)", told.String(), want, err)
		}
	}
	live, err := national.ReadLive(t.Context(), p.store)
	if err != nil {
		t.Fatal(err)
	}
	count := func(key string) uint64 {
		b, _, err := store.ReadAll(t.Context(), p.store, key, 1<<24, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := pmt.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		return a.Header.AddressedTiles
	}
	own, all := count(p.entry.Products.Of("landscape.pmtiles").Key), count(live.Pointer.Artefacts["landscape-tiles"].Key)
	if own == 0 || own != all {
		t.Errorf("%d tiles of a KG, %d of the country", own, all)
	}
}

// image reads a GeoTIFF whole.
func (p *handedOut) image(t *testing.T, name string) *raster.Grid {
	t.Helper()
	b, err := os.ReadFile(p.path(name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := cog.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Read(bytes.NewReader(b), &f.Images[0], 0, f.Images[0].Whole())
	if err != nil || f.EPSG != 3035 {
		t.Fatalf("EPSG %d, %v", f.EPSG, err)
	}
	return g
}

// The rasters are the land that was made up, in the KG alone.
func (p *handedOut) rasters(t *testing.T) {
	ground, top := villageGround(true), villageTop(true)
	dtm, ndsm, slope := p.image(t, "dtm.tif"), p.image(t, "ndsm.tif"), p.image(t, "slope.tif")
	known := 0
	for i, z := range dtm.Z {
		x, y := dtm.Centre(i%dtm.Cols, i/dtm.Cols)
		if z != z {
			if ndsm.Z[i] == ndsm.Z[i] || slope.Z[i] == slope.Z[i] {
				t.Fatalf("cell %d is in one raster and not in another", i)
			}
			continue
		}
		known++
		if want := ground(x, y); math.Abs(float64(z)-want) > 0.06 { // the world is sampled at its cells
			t.Fatalf("dtm at %.1f, %.1f: %g, want %g", x, y, z, want)
		}
		if want := top(x, y) - ground(x, y); math.Abs(float64(ndsm.Z[i])-want) > 0.06 {
			t.Fatalf("ndsm at %.1f, %.1f: %g, want %g", x, y, ndsm.Z[i], want)
		}
		if s := float64(slope.Z[i]); s != s || s < 5 || s > 50 {
			t.Fatalf("slope at %.1f, %.1f: %g", x, y, s)
		}
	}
	near(t, "m² of the KG", float64(known), 299*444, 500)
}

func (p *handedOut) summary(t *testing.T) {
	b, err := os.ReadFile(p.path("summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		KG        string  `json:"kg_code"`
		Trees     float64 `json:"tree_count"`
		Landcover []struct {
			Type string  `json:"object_type"`
			Max  float64 `json:"height_max"`
		}
		Parcels []struct {
			ID       string           `json:"parcel_id"`
			Areas    map[string]any   `json:"area_summary"`
			Vertices []map[string]any `json:"vertex_heights"`
		}
		Buildings []struct {
			Vertices []struct {
				Height float64 `json:"obj_height_m"`
			} `json:"vertex_heights"`
		}
		Meta map[string]string
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	if s.KG != string(village) || s.Trees != 16 || len(s.Landcover) == 0 || len(s.Parcels) != 17 || len(s.Parcels[0].Areas) == 0 ||
		len(s.Parcels[0].Vertices) != 4 || s.Parcels[0].Vertices[0]["lat"] == nil || s.Meta["license"] != "CC BY 4.0" {
		t.Errorf("%.600s", b)
	}
	near(t, "height at a corner", s.Buildings[0].Vertices[0].Height, 6, 0.3)
}

// The item names every other file of the set as it is.
func (p *handedOut) item(t *testing.T) {
	b, err := os.ReadFile(p.path("item.json"))
	if err != nil {
		t.Fatal(err)
	}
	var i struct {
		Type    string
		Version string `json:"stac_version"`
		ID      string
		BBox    []float64
		Geo     struct{ Type string } `json:"geometry"`
		Props   map[string]any        `json:"properties"`
		Links   []map[string]string
		Assets  map[string]struct {
			Href, Type string
			Roles      []string
			Size       int64  `json:"file:size"`
			Checksum   string `json:"file:checksum"`
			Shape      []int  `json:"proj:shape"`
		}
	}
	if err := json.Unmarshal(b, &i); err != nil {
		t.Fatal(err)
	}
	if i.Type != "Feature" || i.Version != "1.1.0" || i.ID == "" || len(i.BBox) != 4 || i.Geo.Type != "MultiPolygon" ||
		i.Props["datetime"] != "2024-09-15T00:00:00Z" || i.Props["license"] != "CC-BY-4.0" || i.Props["proj:code"] != "EPSG:3035" ||
		len(i.Links) == 0 || len(i.Assets["dtm"].Shape) != 2 {
		t.Errorf("%s", b)
	}
	files := p.entry.Products.Files
	if len(i.Assets) != len(files)-1 || files[len(files)-1].Name != "item.json" {
		t.Errorf("%d assets of %d files", len(i.Assets), len(files))
	}
	for name, a := range i.Assets {
		at := slices.IndexFunc(files, func(f landprocess.Product) bool { return "./"+f.File == a.Href })
		if at < 0 || files[at].Bytes != a.Size || "1220"+files[at].SHA256 != a.Checksum || a.Type == "" || len(a.Roles) == 0 {
			t.Errorf("asset %s: %+v", name, a)
		}
	}
}

// A preview has its legend beside the picture: what stands there has the colours of the ramp.
func (p *handedOut) previews(t *testing.T) {
	for _, name := range []string{"dtm.png", "ndsm.png", "slope.png", "segments.png"} {
		b, err := os.ReadFile(p.path(name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		colours := map[[3]uint32]bool{}
		size := img.Bounds().Size()
		for y := range size.Y {
			for x := 329 + 2*12; x < size.X; x++ { // beyond the picture and two margins
				r, g, b, _ := img.At(x, y).RGBA()
				colours[[3]uint32{r, g, b}] = true
			}
		}
		if size.X < 330 || size.Y < 465 || len(colours) < 5 { // paper, ink, frames of the legend and its colours
			t.Errorf("%s: %v with %d colours beside the picture", name, size, len(colours))
		}
	}
}

// columns are those that the specification names of the layers, beside those of all.
var columns = map[string][]string{
	"segments": {"Multi Polygon", "type: String", "type_code: Integer64", "group_type: String", "classifier_source: String", "harm_phase",
		"terrain_class: String",
		"curvature_mean: Real", "ETRS89-extended / LAEA Europe"},
	"segment_points": {"Geometry: Point", "type: String", "WGS 84"},
	"parcels": {"Multi Polygon", "elevation_min_m: Real", "elevation_max_m: Real", "elevation_range_m: Real", "slope_mean_deg: Real",
		"aspect_mean_deg: Real",
		"aspect_dominant: String", "tri_mean: Real", "tpi_mean: Real", "terrain_class: String", "vertex_heights: String"},
	"buildings": {"Multi Polygon", "building_id: String", "ns: String", "full_address: String", "house_number: String", "street: String",
		"postal_code: String",
		"location: String", "max_height_m: Real", "mean_height_m: Real", "dsm_std: Real", "roof_type_hint: String",
		"stories_est: Integer64",
		"footprint_area_sqm: Real", "centroid_lon: Real", "centroid_lat: Real", "centroid_dtm_m: Real", "vertex_heights: String"},
	"new_buildings": {"Multi Polygon", "area_sqm: Real"},
	"changes":       {"Multi Polygon", "type: String", "terrain_volume_m3: Real", "cut_off: Integer(Boolean)"},
	"trees":         {"Geometry: Point", "tree_id: String", "height_m: Real", "apex_lon: Real"},
	"layer_styles":  {"Feature Count: 7"},
}

// GDAL opens the full file without a warning, its layers have their columns, and its rasters the values of the GeoTIFFs.
func (p *handedOut) opened(t *testing.T) {
	ogrinfo, translate := oracles.Program(t, "ogrinfo"), oracles.Program(t, "gdal_translate")
	out, err := exec.Command(ogrinfo, "-ro", "-al", "-so", p.path("full.gpkg")).CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("Warning")) || bytes.Contains(out, []byte("ERROR")) {
		t.Fatalf("ogrinfo: %v\n%s", err, out)
	}
	told := map[string]string{}
	for part := range strings.SplitSeq(string(out), "\nLayer name: ") {
		name, text, _ := strings.Cut(part, "\n")
		told[name] = text
	}
	for name, wants := range columns {
		for _, want := range wants {
			if !strings.Contains(told[name], want) {
				t.Errorf("%s: ogrinfo does not say %q:\n%s", name, want, told[name])
			}
		}
	}
	fields := func(layer string) int { return strings.Count(told[layer], " (0.0)\n") }
	if n := fields("segments"); n != 55 || fields("segment_points") != 54 {
		t.Errorf("%d and %d columns of segments, want 55 and 54", n, fields("segment_points"))
	}
	for _, name := range []string{"dtm", "dsm", "ndsm", "slope"} {
		raw := filepath.Join(t.TempDir(), name)
		source := "GPKG:" + p.path("full.gpkg") + ":" + name
		if out, err := exec.Command(translate, "-q", "-of", "ENVI", source, raw).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("gdal_translate: %v\n%s", err, out)
		}
		b, err := os.ReadFile(raw)
		want := p.image(t, name+".tif")
		if err != nil || len(b) != 4*len(want.Z) {
			t.Fatalf("%s: %d bytes of %d cells, %v", name, len(b), len(want.Z), err)
		}
		none := math.Float32frombits(binary.LittleEndian.Uint32(b)) // the corner lies outside of the KG
		for i, z := range want.Z {
			got := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			if known := got != none; known != (z == z) || known && math.Abs(float64(got-z)) > 0.00501 {
				t.Fatalf("%s: cell %d: %g, the GeoTIFF has %g", name, i, got, z)
			}
		}
	}
}

// What is unchanged is not made again; of a set that is not whole only what is missing, with the same bytes.
func (p *handedOut) again(t *testing.T) {
	before := p.entry.Products
	counted := &counting{Store: p.store}
	w := processing{products: true, out: &bytes.Buffer{}}
	run := func() {
		t.Helper()
		if err := w.over(t.Context(), counted, p.records.Ledger, []austria.KGCode{village}); err != nil {
			t.Fatal(err)
		}
	}
	if run(); len(counted.written) != 0 {
		t.Errorf("unchanged products: %v are written", counted.written)
	}
	for _, name := range []string{"light.gpkg", "ndsm.png", "item.json"} {
		if err := p.store.Delete(t.Context(), before.Of(name).Key); err != nil {
			t.Fatal(err)
		}
	}
	p.entry.Products = nil
	if err := p.records.Put(t.Context(), p.entry); err != nil {
		t.Fatal(err)
	}
	if run(); len(counted.written) != 3 {
		t.Errorf("three files were missing: %v are written", counted.written)
	}
	if err := p.store.Delete(t.Context(), p.entry.Key); err != nil { // the file that they are made of
		t.Fatal(err)
	}
	run()
	if _, err := p.store.Head(t.Context(), p.entry.Key); err != nil {
		t.Errorf("a file that somebody has deleted is not made again: %v", err)
	}
	p.read(t)
	if !slices.Equal(p.entry.Products.Files, before.Files) {
		t.Errorf("other files: %+v, want %+v", p.entry.Products.Files, before.Files)
	}
}

// counting notes which products are written.
type counting struct {
	store.Store
	written []string
}

func (c *counting) note(key string) {
	if strings.HasPrefix(key, "products/") {
		c.written = append(c.written, filepath.Base(key))
	}
}

func (c *counting) Put(ctx context.Context, key string, body []byte, opt store.PutOptions) (store.Info, error) {
	c.note(key)
	return c.Store.Put(ctx, key, body, opt)
}

func (c *counting) PutFrom(ctx context.Context, key string, r io.ReaderAt, size int64, opt store.PutOptions) (store.Info, error) {
	c.note(key)
	return c.Store.PutFrom(ctx, key, r, size, opt)
}

// research is a stand-in of the research repository over an address of its own.
func research(t *testing.T) (*standin.Server, *httptest.Server) {
	t.Helper()
	var s *standin.Server
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { s.ServeHTTP(w, q) }))
	t.Cleanup(server.Close)
	var err error
	if s, err = standin.New(standin.Options{Dir: t.TempDir(), Base: server.URL, Token: "secret", PerMinute: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	return s, server
}

func archiveAt(st store.Store, address string) (*archive.Archive, error) {
	client, err := repository.New(repository.Options{Base: address, Token: func(context.Context) (string, error) { return "secret", nil }})
	return &archive.Archive{Store: st, Repository: client, Creator: "Mappe"}, err
}

// Products are uploaded once; the index names where they are, and there they are, byte for byte.
func TestProductsAreUploaded(t *testing.T) {
	s := villageWorld(t)
	repo, server := research(t)
	a, err := archiveAt(s, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, records := over(t, s, processing{publish: true, archive: a}, village, village)
	all, err := repo.Published()
	if err != nil || len(all) != 1 || len(all[0].Files) != 13 {
		t.Fatalf("published: %+v, %v", all, err)
	}
	if n, err := repo.Drafts(); n != 0 || err != nil {
		t.Errorf("%d drafts are left, %v", n, err)
	}
	e, _, err := records.Entry(t.Context(), village)
	if err != nil || !e.Products.Published() {
		t.Fatalf("%+v %v", e.Products, err)
	}
	live, err := national.ReadLive(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	served, err := index.Served(t.Context(), s, live.Pointer.Artefacts[landscape.Artefact])
	i := slices.IndexFunc(served, func(x landscape.Entry) bool { return x.Processed })
	if err != nil || i < 0 || served[i].FullURL != e.Products.URL("full.gpkg") || served[i].LightURL != e.Products.URL("light.gpkg") ||
		served[i].JSONURL != e.Products.URL("summary.json") || served[i].JSONURL == "" {
		t.Fatalf("the index: %v %+v", err, served)
	}
	answer, err := http.Get(served[i].FullURL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	sum := sha256.New()
	if _, err := bytesOf(answer).WriteTo(sum); err != nil || hex.EncodeToString(sum.Sum(nil)) != e.Products.Of("full.gpkg").SHA256 {
		t.Errorf("%s gives other bytes: %v", served[i].FullURL, err)
	}
}

func bytesOf(r *http.Response) *bytes.Buffer {
	var b bytes.Buffer
	_, _ = b.ReadFrom(r.Body) // what is missing changes the sum
	return &b
}
