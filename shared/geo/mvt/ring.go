package mvt

// Area2 is twice the signed area of a ring in tile pixels: positive for an exterior ring.
func Area2(ring []Point) int64 {
	if len(ring) < 3 {
		return 0
	}
	var sum int64
	o := ring[0] // offsets keep the products small
	for i := 1; i+1 < len(ring); i++ {
		ax, ay := int64(ring[i].X)-int64(o.X), int64(ring[i].Y)-int64(o.Y)
		bx, by := int64(ring[i+1].X)-int64(o.X), int64(ring[i+1].Y)-int64(o.Y)
		sum += ax*by - ay*bx
	}
	return sum
}

// ZeroArea says what AppendPolygon does with rings that have no area left on the pixel grid.
type ZeroArea uint8

// DropZeroArea leaves such rings out (and the whole polygon when its exterior is one); KeepZeroArea
// writes them as they stand, so that a reader can still see that the feature exists.
const (
	DropZeroArea ZeroArea = iota
	KeepZeroArea
)

// AppendPolygon appends the rings of one polygon ([0] exterior, [1:] holes) to a feature's parts,
// turned to the winding the format demands. Repeated vertices are removed. The input is not changed.
func AppendPolygon(parts [][]Point, polygon [][]Point, zero ZeroArea) [][]Point {
	for i, r := range polygon {
		ring := clean(r)
		a := Area2(ring)
		if a == 0 && (zero == DropZeroArea || len(ring) == 0) {
			if i == 0 {
				return parts
			}
			continue
		}
		if (i == 0) != (a >= 0) {
			for l, r := 1, len(ring)-1; l < r; l, r = l+1, r-1 {
				ring[l], ring[r] = ring[r], ring[l]
			}
		}
		parts = append(parts, ring)
	}
	return parts
}

func clean(ring []Point) []Point {
	out := make([]Point, 0, len(ring))
	for _, p := range ring {
		if len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	for len(out) > 1 && out[len(out)-1] == out[0] {
		out = out[:len(out)-1]
	}
	return out
}
