package landscape

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/rasters"
	"mappe/builders/national"
	"mappe/functions/fixture"
	"mappe/infra/oracles"
	"mappe/shared/geo/raster"
)

// field is the colour of a field of 40 m of the orthophoto: red by its column, green by its row.
func field(x, y float64) []uint8 {
	return []uint8{uint8(40 + 10*(int(math.Floor(x/40))&15)), uint8(40 + 10*(int(math.Floor(y/40))&15)), 90, 120}
}

// The orthophoto is handed out in the cells that the KG was analysed in, cut to the KG.
func TestTheOrthophotoOfAKG(t *testing.T) {
	s := villageWorld(t)
	west, south := middle(5, 1)
	box := raster.Box{West: west, South: south, East: west + 160, North: south + 120}
	if err := fixture.AddBytes(s, fixture.Bytes{Layer: rasters.Ortho, Date: "2024-06-25", Box: box, Samples: field}); err != nil {
		t.Fatal(err)
	}
	live, err := national.ReadLive(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := national.Add(t.Context(), s, live.Pointer.Artefacts, nil); err != nil {
		t.Fatal(err)
	}
	p := &handedOut{store: s, dir: t.TempDir()}
	_, p.records = withProducts(t, s, village)
	p.read(t)
	b, err := os.ReadFile(p.path("ortho.tif"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := cog.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	im := &f.Images[0]
	got, err := cog.ReadSamples[uint8](f, bytes.NewReader(b), im, im.Whole())
	if err != nil || got.Bands != 4 || math.Abs(got.Step-0.8) > 1e-9 {
		t.Fatalf("%d bands in cells of %g m, %v", got.Bands, got.Step, err)
	}
	known, where := 0, got.Grid()
	for i := range got.Cols * got.Rows {
		x, y := where.Centre(i%got.Cols, i/got.Cols)
		pix := got.Pix[i*4 : i*4+4]
		if pix[3] == 0 {
			continue
		}
		known++
		edge := math.Min(math.Mod(x, 40), math.Mod(y, 40)) < 1 || math.Max(math.Mod(x, 40), math.Mod(y, 40)) > 39
		if x < box.West || x > box.East || y < box.South || y > box.North {
			t.Fatalf("a pixel at %.1f, %.1f, where no photograph is", x, y)
		}
		if !edge && !bytes.Equal(pix, field(x, y)) {
			t.Fatalf("pixel at %.1f, %.1f: %v, want %v", x, y, pix, field(x, y))
		}
	}
	near(t, "m² of the photograph", float64(known)*0.64, 160*120, 300)
	if o := p.entry.Products.Of("ortho.png"); o == nil || o.Bytes < 1000 {
		t.Errorf("preview %+v", o)
	}
	out, err := exec.Command(oracles.Program(t, "gdalinfo"), p.path("ortho.tif")).CombinedOutput()
	if err != nil || strings.Contains(string(out), "Warning") || strings.Contains(string(out), "ERROR") ||
		!strings.Contains(string(out), "ColorInterp=Red") || !strings.Contains(string(out), "Band 4 Block=512x512 Type=Byte") {
		t.Errorf("gdalinfo: %v\n%s", err, out)
	}
	inTheFullFile(t, p, got)
}

// inTheFullFile proves that GDAL reads the colours of the orthophoto from the full GeoPackage, and where there are any.
func inTheFullFile(t *testing.T, p *handedOut, want *raster.Samples[uint8]) {
	t.Helper()
	raw := filepath.Join(t.TempDir(), "raw")
	out, err := exec.Command(oracles.Program(t, "gdal_translate"), "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP",
		"GPKG:"+p.path("full.gpkg")+":ortho",
		raw).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("gdal_translate: %v\n%s", err, out)
	}
	b, err := os.ReadFile(raw)
	if err != nil || len(b) != 4*want.Cols*want.Rows {
		t.Fatalf("%d bytes of %d x %d cells, %v", len(b), want.Cols, want.Rows, err)
	}
	where := want.Grid()
	for i := range want.Cols * want.Rows {
		got, pix := b[4*i:4*i+4], want.Pix[4*i:4*i+4]
		if (got[3] != 0) != (pix[3] != 0) {
			t.Fatalf("cell %d: opacity %d, the GeoTIFF has %v", i, got[3], pix)
		}
		x, y := where.Centre(i%want.Cols, i/want.Cols)
		if dx, dy := math.Mod(x, 40), math.Mod(y, 40); pix[3] == 0 || min(dx, dy) < 8 || max(dx, dy) > 32 {
			continue // beside another field a JPEG has other colours
		}
		for k := range 3 {
			if d := int(got[k]) - int(pix[k]); d < -6 || d > 6 {
				t.Fatalf("cell %d: %v, the GeoTIFF has %v", i, got, pix)
			}
		}
	}
}
