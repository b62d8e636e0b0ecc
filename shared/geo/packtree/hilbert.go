package packtree

import "mappe/shared/geo/geom"

// Hilbert is the place of p on the Hilbert curve of 2^16 by 2^16 cells over box. Points outside the
// box count as on its edge.
func Hilbert(p geom.Point, box geom.Box) uint32 {
	x, y := cell(p.X, box.MinX, box.MaxX), cell(p.Y, box.MinY, box.MaxY)
	var d uint32
	for s := uint32(1 << 15); s > 0; s >>= 1 {
		var rx, ry uint32
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d += s * s * ((3 * rx) ^ ry)
		if ry == 0 {
			if rx == 1 {
				x, y = 1<<16-1-x, 1<<16-1-y
			}
			x, y = y, x
		}
	}
	return d
}

func cell(v, lo, hi int32) uint32 {
	if hi <= lo || v <= lo {
		return 0
	}
	return uint32((int64(min(v, hi)) - int64(lo)) * (1<<16 - 1) / (int64(hi) - int64(lo)))
}
