package mosaic

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"mappe/artefacts/cog"
	"mappe/artefacts/keys"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rasters"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/raster"
)

// publish publishes a generation without KGs.
func publish(t testing.TB, s store.Store, a manifest.Artefacts) {
	t.Helper()
	put := func(key keys.Key, b []byte) (sum string) {
		t.Helper()
		if _, err := s.Put(t.Context(), key.String(), b, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		h := sha256.Sum256(b)
		return hex.EncodeToString(h[:])
	}
	b, err := register.Encode(&register.Contents{Stichtag: "2026-10-01", Attribution: "© BEV, 2026", ToleranceM: 2})
	if err != nil {
		t.Fatal(err)
	}
	key := keys.Register{Sum: keys.Sum(b)}
	p := manifest.Pointer{Format: 1, Generation: keys.Sum(b), Manifest: keys.Manifest{Generation: keys.Sum(b)}.String(),
		Register: key.String(), RegisterSHA256: put(key, b), Artefacts: a}
	if b, err = manifest.Encode(p); err != nil {
		t.Fatal(err)
	}
	put(keys.Current{}, b)
}

// published is a view of a generation with an index, over a store whose reads are counted.
func published(t testing.TB, s store.Store, body []byte, ext string) (*library.View, *storetest.Counting) {
	t.Helper()
	key := keys.National{Name: rasters.Artefact, Sum: keys.Sum(body), Ext: ext}
	if _, err := s.Put(t.Context(), key.String(), body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body)
	publish(t, s, manifest.Artefacts{rasters.Artefact: {Key: key.String(), Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}})
	counted := &storetest.Counting{Store: s}
	l, err := library.Open(t.Context(), counted, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counted.Reset()
	return v, counted
}

func opened(t testing.TB, v *library.View) *Mosaic {
	t.Helper()
	m, err := Open(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// national is an index of the size of the country: 84,000 km², ten layers of four dates in tiles of 1 km, whose files are
// not there. Away from the places that are asked for squares have one tile of twenty: with all of them it has 138 MB.
func national(t testing.TB) []byte {
	t.Helper()
	var layers []rasters.Listed
	k := rasters.LayerTypeOf(rasters.Ortho)
	for layer := range 10 {
		for date := range 4 {
			l := rasters.Listed{Layer: k.New(fmt.Sprintf("20%02d-09-15", 20+date), k.Credit)}
			l.Layer.Layer = fmt.Sprintf("layer%d", layer)
			layers = append(layers, l)
		}
	}
	head, err := rasters.Head(layers)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sectionfile.EncodeFilled(rasters.PartsFamily, head, func(b *sectionfile.Builder) error {
		for n := 2500; n < 2640; n += rasters.SquareKm {
			for e := 4300; e < 4900; e += rasters.SquareKm {
				of := make([]rasters.Tiles, len(layers))
				for i := range of {
					for k := range 100 {
						if (n > 2530 || e > 4420) && k%20 > 0 {
							continue
						}
						tile := rasters.Tile{E: e + k%10, N: n + k/10, Km: 1, Known: 6_250_000 - (e*n+k)%700,
							Inputs: fmt.Sprintf("%016x", uint64(e*n*100+k)*uint64(i+1)*0x9e3779b97f4a7c15)}
						sum := sha256.Sum256([]byte(tile.Inputs))
						tile.SHA256, tile.Bytes = hex.EncodeToString(sum[:]), int64(14_000_000+int(sum[0])<<12)
						of[i] = append(of[i], tile)
					}
				}
				if err := rasters.AddSquare(b, rasters.SquareName(e, n), of); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Of an index of the country an answer about one area reads one object, in at most three parts, whatever layers and dates
// it asks for and wherever it lies.
func TestReadsAtNationalSize(t *testing.T) {
	body := national(t)
	s := mem.New()
	for _, c := range []struct {
		name     string
		box      raster.Box
		gets     int64
		maxBytes int64
		tiles    int // of each layer and date
	}{
		{"within a square", raster.Box{West: 4_402_100, South: 2_512_100, East: 4_406_900, North: 2_516_900}, 2, 400_000, 25},
		{"over a border in the east", raster.Box{West: 4_408_100, South: 2_512_100, East: 4_412_900, North: 2_516_900}, 2, 700_000, 25},
		{"around a corner of four", raster.Box{West: 4_407_100, South: 2_517_100, East: 4_412_900, North: 2_522_900}, 3, 1_300_000, 36},
		{"beyond the country", raster.Box{West: 4_000_000, South: 2_517_100, East: 4_001_000, North: 2_522_900}, 1, 100_000, 0},
	} {
		v, counted := published(t, s, body, "parts")
		m := opened(t, v)
		for i := range m.Index.Layers {
			tiles, err := m.TilesIn(t.Context(), &m.Index.Layers[i], c.box)
			if err != nil || len(tiles) != c.tiles {
				t.Fatalf("%s: %d tiles, %v, expected %d", c.name, len(tiles), err, c.tiles)
			}
		}
		got := counted.Reads()
		if got.Gets != c.gets || got.Bytes > c.maxBytes || len(m.Index.Layers) != 40 {
			t.Errorf("%s: %d reads of %d bytes, expected %d and at most %d", c.name, got.Gets, got.Bytes, c.gets, c.maxBytes)
		}
		t.Logf("%s: %d reads, %d bytes of an index of %d", c.name, got.Gets, got.Bytes, len(body))
	}
}

// landcover is a layer of bytes in whole tiles around a corner of tiles, and what its cells are.
func landcover(t testing.TB, s store.Store, kind string) (l rasters.Listed, want func(x, y float64) []uint8) {
	t.Helper()
	k := rasters.LayerTypeOf(kind)
	l = rasters.Listed{Layer: k.New("2024-01-01", k.Credit)}
	want = func(x, y float64) []uint8 {
		out := make([]uint8, len(k.Bands))
		for i := range out {
			out[i] = uint8(k.NoData)
			if int(x/k.Step)%7 != 0 {
				out[i] = uint8(1 + (int(x/k.Step)+3*int(y/k.Step)+50*i)%200)
			}
		}
		return out
	}
	for _, at := range [][2]int{{4390, 2690}, {4390 + k.TileKm, 2690}, {4390, 2690 + k.TileKm}} { // the fourth is missing
		tile := rasters.Tile{E: at[0], N: at[1], Km: k.TileKm, Known: 1, Inputs: "x"}
		p, err := raster.SamplesOver[uint8](tile.Box(), k.Step, len(k.Bands))
		if err != nil {
			t.Fatal(err)
		}
		g := p.Grid()
		for row := range p.Rows {
			for col := range p.Cols {
				copy(p.Row(row)[col*p.Bands:], want(g.Centre(col, row)))
			}
		}
		body, err := cog.EncodeSamples(p, cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG, NoData: &k.NoData, Classes: k.Classes})
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(body)
		tile.SHA256, tile.Bytes = hex.EncodeToString(sum[:]), int64(len(body))
		if _, err := s.Put(t.Context(), keys.Raster{Layer: kind, Date: l.Date, E: tile.E, N: tile.N,
			Sum: tile.SHA256[:16]}.String(), body, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		l.Tiles = append(l.Tiles, tile)
	}
	return l, want
}

// A window over four tiles has the cells of three of them, band by band; where there is no tile nothing is known.
func TestWindowsOfBytes(t *testing.T) {
	for _, kind := range []string{rasters.LandCover, rasters.Ortho, rasters.Forest} {
		s := mem.New()
		l, want := landcover(t, s, kind)
		body, err := rasters.Encode([]rasters.Listed{l})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := published(t, s, body, "parts")
		m := opened(t, v)
		layer := &m.Index.Layers[0]
		k := rasters.LayerTypeOf(kind)
		mid := float64(4390+k.TileKm) * 1000
		box := raster.Box{West: mid - 90*k.Step, East: mid + 60*k.Step, South: float64(2690+k.TileKm)*1000 - 50*k.Step,
			North: float64(2690+k.TileKm)*1000 + 40*k.Step}
		bands, err := m.Bands(t.Context(), layer, box, layer.Step)
		if err != nil || len(bands) != len(k.Bands) || bands[0].Cols != 150 || bands[0].Rows != 90 {
			t.Fatalf("%s: %v", kind, err)
		}
		numbers, err := Samples[uint8](t.Context(), m, layer, box, layer.Step)
		if err != nil {
			t.Fatal(err)
		}
		for row := range 90 {
			for col := range 150 {
				x, y := bands[0].Centre(col, row)
				cell := want(x, y)
				if col >= 90 && row < 40 {
					cell = bytes.Repeat([]byte{uint8(k.NoData)}, len(cell))
				}
				if got := numbers.Row(row)[col*len(cell):][:len(cell)]; !bytes.Equal(got, cell) {
					t.Fatalf("%s: row %d, column %d: %v, expected %v", kind, row, col, got, cell)
				}
				for b, g := range bands {
					z := float64(g.Z[row*150+col])
					if none := cell[b] == uint8(k.NoData); none != math.IsNaN(z) || !none && z != float64(cell[b]) {
						t.Fatalf("%s: band %d of row %d, column %d: %g, expected %d", kind, b, row, col, z, cell[b])
					}
				}
			}
		}
		if _, err := Samples[int16](t.Context(), m, layer, box, layer.Step); err == nil {
			t.Errorf("%s: bytes are read as numbers of 16 bits", kind)
		}
		// An overview is read by range as the layer is.
		coarse := raster.Box{West: mid - 80*k.Step, East: mid, South: float64(2690)*1000 + 400*k.Step,
			North: float64(2690)*1000 + 480*k.Step}
		half, err := Samples[uint8](t.Context(), m, layer, coarse, 2*layer.Step)
		if err != nil || half.Cols != 40 || half.Rows != 40 {
			t.Fatalf("%s: %v", kind, err)
		}
		fine, err := Samples[uint8](t.Context(), m, layer, coarse, layer.Step)
		if err != nil {
			t.Fatal(err)
		}
		if k.Classes {
			for i, v := range half.Row(7)[:len(k.Bands)*40] {
				c, b := i/half.Bands, i%half.Bands
				four := []uint8{fine.Row(14)[2*c*half.Bands+b], fine.Row(14)[(2*c+1)*half.Bands+b], fine.Row(15)[2*c*half.Bands+b],
					fine.Row(15)[(2*c+1)*half.Bands+b]}
				if !bytes.Contains(four, []byte{v}) {
					t.Fatalf("%s: column %d of the overview is %d, of %v", kind, c, v, four)
				}
			}
		}
		for _, step := range []float64{layer.Step / 2, layer.Step * 3, layer.Step * 64} {
			if _, err := Samples[uint8](t.Context(), m, layer, coarse, step); err == nil {
				t.Errorf("%s: cells of %g m are read", kind, step)
			}
		}
	}
}

// A generation without rasters has none; one whose index is a list of the former form is read as before.
func TestGenerationsOfBefore(t *testing.T) {
	s := mem.New()
	g := raster.New(4_400_000, 2_700_100, 1, 100, 100)
	for i := range g.Z {
		g.Z[i] = float32(i)
	}
	body, err := cog.Encode(g, cog.Options{Packing: cog.Zstd, EPSG: rasters.EPSG})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body)
	key := keys.Raster{Layer: rasters.DTM, Date: "2022-09-15", E: 4400, N: 2700, Sum: keys.Sum(body)}
	if _, err := s.Put(t.Context(), key.String(), body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	list := fmt.Sprintf(`{"format":1,"layers":[{"layer":"dtm","date":"2022-09-15","title":"t","source":"s","attribution":"made up","step_m":1,"tiles":[`+
		`{"e":4400,"n":2700,"key":%q,"bytes":%d,"sha256":%q,"known":10000,"inputs":"i"}]}]}`, key, len(body), hex.EncodeToString(sum[:]))
	v, _ := published(t, s, []byte(list), "json")
	m := opened(t, v)
	l := m.Index.Find(rasters.DTM, "20220915")
	if l == nil || l.Count != 1 {
		t.Fatalf("%+v", m.Index)
	}
	got, err := m.Window(t.Context(), l, raster.Box{West: 4_400_010, South: 2_700_020, East: 4_400_020, North: 2_700_030})
	if err != nil || got.Z[0] != 70*100+10 {
		t.Errorf("%v, %v", got, err)
	}
	if tiles, all, err := m.First(t.Context()); err != nil || !all || len(tiles[0]) != 1 {
		t.Errorf("%v %v %v", tiles, all, err)
	}
	bare := mem.New()
	publish(t, bare, nil)
	lib, err := library.Open(t.Context(), bare, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err = lib.View(t.Context()); err != nil {
		t.Fatal(err)
	}
	m = opened(t, v)
	if tiles, all, err := m.First(t.Context()); err != nil || !all || len(tiles) != 0 || len(m.Index.Layers) != 0 {
		t.Errorf("a generation without rasters: %v %v %v", tiles, all, err)
	}
}

// An index that is lost or damaged is told of, and a tile that is not what the index says.
func TestDamagedIndexes(t *testing.T) {
	s := mem.New()
	l, _ := landcover(t, s, rasters.LandCover)
	body, err := rasters.Encode([]rasters.Listed{l})
	if err != nil {
		t.Fatal(err)
	}
	for name, hurt := range map[string][]byte{"cut off": body[:len(body)-1], "no index": []byte(strings.Repeat("x", len(body))),
		"a byte": append(append(bytes.Clone(body[:60]), body[60]^1), body[61:]...)} {
		v, _ := published(t, s, body, "parts")
		if _, err := s.Put(t.Context(), keys.National{Name: rasters.Artefact, Sum: keys.Sum(body), Ext: "parts"}.String(), hurt,
			store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(context.Background(), v); !library.Unread(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l.Tiles[0].Bytes++
	if body, err = rasters.Encode([]rasters.Listed{l}); err != nil {
		t.Fatal(err)
	}
	v, _ := published(t, s, body, "parts")
	m := opened(t, v)
	if _, err := m.Window(t.Context(), &m.Index.Layers[0], raster.Box{West: 4_390_000, South: 2_690_000, East: 4_390_100,
		North: 2_690_100}); !library.Unread(err) {
		t.Errorf("a tile of another length: %v", err)
	}
}
