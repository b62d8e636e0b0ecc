package scene

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/infra/oracles"
	"mappe/shared/geo/crs"
)

// means are those of the pixels of a class in an orthophoto, in their bands; shaded ones too.
func means(s *Scene, o *Ortho, t *Tile, class Class) (k [4]float64, n int) {
	system := crs.System(o.RGB.EPSG)
	for i := 0; i < len(t.Classes); i += 7 {
		if t.Classes[i] != class {
			continue
		}
		x, y := system.Forward(crs.LAEA.Inverse(t.DTM.Centre(i%Side, i/Side)))
		at := int((o.RGB.North-y)/o.RGB.Step)*o.RGB.Cols + int((x-o.RGB.West)/o.RGB.Step)
		if o.NIR.Pix[at] == 0 {
			continue
		}
		for b := range 3 {
			k[b] += float64(o.RGB.Pix[at*3+b])
		}
		k[3] += float64(o.NIR.Pix[at])
		n++
	}
	for b := range k {
		k[b] /= float64(n)
	}
	return k, n
}

// Orthophotos show the classes of the truth at their places in the plane of the strip: vegetation is bright in near infrared
// and water dark, broadleaves are bare in January.
func TestOrthophotos(t *testing.T) {
	s := made(t, "gate", 20, 1, nil)
	tile := s.Tile(0, 0, 2)
	june, again := s.Ortho(0, 0, 2, 1), s.Ortho(0, 0, 2, 1)
	if !bytes.Equal(june.RGB.Pix, again.RGB.Pix) || !bytes.Equal(june.NIR.Pix, again.NIR.Pix) {
		t.Error("the same orthophoto has other bytes")
	}
	if june.RGB.EPSG != 31255 || june.RGB.Step != 1 {
		t.Errorf("EPSG:%d, pixels of %g m", june.RGB.EPSG, june.RGB.Step)
	}
	index := func(k [4]float64) float64 { return (k[3] - k[0]) / (k[3] + k[0]) }
	for _, c := range []struct {
		class     Class
		low, high float64
	}{{TreeClass, 0.25, 0.7}, {Grass, 0.15, 0.5}, {Road, -0.15, 0.1}, {RoofClass, -0.3, 0.1}} {
		if k, n := means(s, june, tile, c.class); n < 50 || index(k) < c.low || index(k) > c.high {
			t.Errorf("class %d: index %.2f of %d pixels, expected %g to %g", c.class, index(k), n, c.low, c.high)
		}
	}
	january := s.Ortho(0, 0, 0, 1)
	grass, _ := means(s, june, tile, Grass)
	if winter, _ := means(s, january, s.Tile(0, 0, 0), Grass); index(winter) > index(grass)-0.05 {
		t.Errorf("grass is as green in January (%.2f) as in June (%.2f)", index(winter), index(grass))
	}
	const want = "89477d7271b6f526"
	h := sha256.New()
	h.Write(june.RGB.Pix)
	h.Write(january.NIR.Pix)
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
		t.Errorf("digest of orthophotos %s, recorded %s", got, want)
	}
}

// A half pixel of another size shows the same land.
func TestOrthophotosOfAllSizes(t *testing.T) {
	s := made(t, "gate", 21, 1, nil)
	a, b := s.Ortho(0, 0, 2, 1), s.Ortho(0, 0, 2, 2)
	sum, n := 0.0, 0
	for row := 100; row < 900; row += 3 {
		for col := 100; col < 900; col += 3 {
			p, q := a.RGB.Pix[(row*a.RGB.Cols+col)*3+1], b.RGB.Pix[(2*row*b.RGB.Cols+2*col)*3+1]
			sum, n = sum+math.Abs(float64(p)-float64(q)), n+1
		}
	}
	if sum/float64(n) > 14 {
		t.Errorf("green differs by %.1f on average", sum/float64(n))
	}
}

func TestSatelliteLayers(t *testing.T) {
	s := made(t, "gate", 22, 1, nil)
	o, tile := s.Satellite(0, 0, 1), s.Tile(0, 0, 1)
	clear, cells := 0, 0
	for _, g := range o.NDVI {
		for _, v := range g.Z {
			if cells++; v == v {
				clear++
				if v < -0.4 || v > 1 {
					t.Fatalf("a vegetation index of %g", v)
				}
			}
		}
	}
	if share := float64(clear) / float64(cells); share < 0.4 || share > 0.8 {
		t.Errorf("%.2f of the months are clear, expected 0.6", share)
	}
	right, wooded, open := 0, []float64{}, []float64{}
	for i := range o.Prior.Pix {
		trees := 0
		for k := range 100 {
			if tile.Classes[(i/100*10+k/10)*Side+i%100*10+k%10] == TreeClass {
				trees++
			}
		}
		switch {
		case trees > 90:
			wooded = append(wooded, float64(o.VH.Z[i]))
			if o.Prior.Pix[i] == 10 {
				right++
			}
		case trees == 0:
			open = append(open, float64(o.VH.Z[i]))
		}
	}
	if share := float64(right) / float64(len(wooded)); share < 0.88 || share > 0.97 {
		t.Errorf("%.2f of the woods are known as such, expected 0.93", share)
	}
	a, _ := moments(wooded)
	if b, _ := moments(open); a < b+2 {
		t.Errorf("woods scatter %.1f dB, open land %.1f", a, b)
	}
}

// Forest loss of 30 m has the clear-cuts of the truth.
func TestForestLoss(t *testing.T) {
	s := made(t, "gate", 11, 1, func(o *Options) { o.Events = 30 })
	g := s.ForestLoss()
	found := 0
	for _, e := range s.Events(0, 2, LeastGrowth) {
		if e.Type != ForestClearcut {
			continue
		}
		b := boxOf(e.Ring)
		col, row := int(((b.west+b.east)/2-g.West)/lossStep), int((g.North-(b.south+b.north)/2)/lossStep)
		if v := g.Pix[row*g.Cols+col]; v != 23 && v != 24 {
			t.Errorf("a clear-cut of %.0f m² has the year %d", e.Area, v)
		}
		found++
	}
	if found == 0 {
		t.Error("no clear-cut")
	}
}

// The cadastre covers the tile without gaps, lacks one building in ten, and has some that are gone.
func TestVectors(t *testing.T) {
	missing, gone, all := 0, 0, 0
	for n := 30; n < 34; n++ {
		s := made(t, "gate", n, 1, nil)
		v := s.Vectors(0, 0)
		area := 0.0
		for _, p := range v.Parcels {
			area += math.Abs(areaOf(p.Ring))
		}
		if math.Abs(area-1e6) > 1.2e5 { // parcels on the border belong to one tile
			t.Errorf("parcels of %.0f m²", area)
		}
		has := map[uint64]bool{}
		for _, f := range v.Footprints {
			if has[f.ID] = true; f.Gone {
				gone++
			}
		}
		_, buildings := s.Owned(0, 0)
		for i := range buildings {
			if b := &buildings[i]; b.Stands(2) && b.Use == "house" {
				if all++; !has[b.ID] {
					missing++
				}
			}
		}
	}
	if share := float64(missing) / float64(all); all < 100 || share < 0.05 || share > 0.16 {
		t.Errorf("%d of %d houses are missing in the cadastre, expected a tenth", missing, all)
	}
	if gone == 0 {
		t.Error("no building of the cadastre is gone")
	}
}

// Pictures are read as they were written, by the project's reader and by GDAL, north-up and south-up.
func TestPicturesAreRead(t *testing.T) {
	for _, southUp := range []bool{false, true} {
		p := &Bytes{West: 1000, North: 2000, Step: 0.2, Cols: 70, Rows: 130, Bands: 3, EPSG: 31255, NoData: 0, SouthUp: southUp}
		for i := range p.Cols * p.Rows * p.Bands {
			p.Pix = append(p.Pix, uint8(mix(uint64(i))>>9|1))
		}
		b, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		f, err := cog.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if f.SouthUp != southUp || f.EPSG != 31255 || f.West != 1000 || f.North != 2000 {
			t.Errorf("south up %t, EPSG:%d, corner %g, %g", f.SouthUp, f.EPSG, f.West, f.North)
		}
		for band := range 3 {
			g, err := f.Read(bytes.NewReader(b), &f.Images[0], band, f.Images[0].Whole())
			if err != nil {
				t.Fatal(err)
			}
			for i, z := range g.Z {
				if z != float32(p.Pix[i*3+band]) {
					t.Fatalf("band %d, cell %d: %g, written %d", band, i, z, p.Pix[i*3+band])
				}
			}
		}
		program := oracles.Program(t, "gdalinfo")
		name := filepath.Join(t.TempDir(), "p.tif")
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(program, "-checksum", name).CombinedOutput()
		if err != nil || strings.Contains(string(out), "ERROR") || !strings.Contains(string(out), "31255") {
			t.Errorf("%v: %s", err, out)
		}
	}
	if _, err := (&Bytes{Cols: 2, Rows: 2, Bands: 1, Pix: make([]uint8, 3)}).Encode(); err == nil {
		t.Error("a picture that lacks a cell")
	}
}
