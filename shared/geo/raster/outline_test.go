package raster

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// picture is a picture of # for cells that are in, with a margin around it.
func picture(rows ...string) ([]bool, int) {
	w := len(rows[0]) + 2
	in := make([]bool, w*(len(rows)+2))
	for y, row := range rows {
		for x, c := range row {
			in[(y+1)*w+x+1] = c == '#'
		}
	}
	return in, w
}

func TestOutline(t *testing.T) {
	for name, c := range map[string]struct {
		rows            []string
		parts, rings, n int // corners in all
	}{
		"a cell":       {[]string{"#"}, 1, 1, 4},
		"an L":         {[]string{"#.", "##"}, 1, 1, 6},
		"corners":      {[]string{"#.", ".#"}, 2, 2, 8},
		"a hole":       {[]string{"###", "#.#", "###"}, 1, 2, 8},
		"two holes":    {[]string{"#####", "#.#.#", "#####"}, 1, 3, 12},
		"holes' touch": {[]string{"####", "#.##", "##.#", "####"}, 1, 3, 12},
		"an island":    {[]string{"#####", "#...#", "#.#.#", "#...#", "#####"}, 2, 3, 12},
		"nothing":      {[]string{"..."}, 0, 0, 0},
	} {
		in, w := picture(c.rows...)
		got := Outline(in, w)
		rings, corners := 0, 0
		for _, p := range got {
			rings += len(p)
			for _, r := range p {
				corners += len(r)
			}
		}
		if len(got) != c.parts || rings != c.rings || corners != c.n {
			t.Errorf("%s:\n%s\n%d parts, %d rings, %d corners, expected %d, %d, %d", name, strings.Join(c.rows, "\n"), len(got), rings,
				corners, c.parts, c.rings, c.n)
		}
	}
}

// The cells whose middles lie in the outline are those that were traced.
func TestOutlineOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		w, h := 3+r.IntN(20), 3+r.IntN(20)
		in := make([]bool, w*h)
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				in[y*w+x] = r.IntN(3) > 0
			}
		}
		var polygons []Polygon
		for _, p := range Outline(in, w) {
			var turned Polygon
			for _, ring := range p {
				var up []XY
				met := map[XY]bool{}
				for _, v := range ring {
					if met[v] {
						t.Fatalf("%d x %d: a ring meets %v twice", w, h, v)
					}
					met[v] = true
					up = append(up, XY{X: v.X, Y: float64(h) - v.Y})
				}
				turned = append(turned, up)
			}
			polygons = append(polygons, turned)
		}
		g := New(0, float64(h), 1, w, h)
		m := MaskOf(g, polygons)
		for i, want := range in {
			if got := m.Has(i%w, i/w); got != want {
				t.Fatalf("%d x %d: cell %d is %v in the outline", w, h, i, got)
			}
		}
	}
}
