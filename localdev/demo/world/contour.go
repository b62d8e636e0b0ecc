package world

// contour draws the zero line of a field as straight pieces on a square grid of the given step
// (marching squares). Pieces of neighbouring cells share their ends exactly.
func contour(lo, hi P, step float64, f func(P) float64, emit func(a, b P)) {
	nx, ny := int((hi.X-lo.X)/step)+1, int((hi.Y-lo.Y)/step)+1
	at := func(i, j int) P { return P{lo.X + float64(i)*step, lo.Y + float64(j)*step} }
	v := make([]float64, (nx+1)*(ny+1))
	for j := 0; j <= ny; j++ {
		for i := 0; i <= nx; i++ {
			v[j*(nx+1)+i] = f(at(i, j))
		}
	}
	zero := func(i0, j0, i1, j1 int) P {
		a, b := v[j0*(nx+1)+i0], v[j1*(nx+1)+i1]
		t := a / (a - b)
		return at(i0, j0).mix(at(i1, j1), min(0.95, max(0.05, t)))
	}
	for j := 0; j < ny; j++ {
		for i := 0; i < nx; i++ {
			var cut []P
			corner := [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}
			up := func(k int) bool { c := corner[k%4]; return v[c[1]*(nx+1)+c[0]] > 0 }
			for k := 0; k < 4; k++ {
				if up(k) != up(k+1) {
					// The lower corner first, so that both cells of an edge reckon the same point.
					a, b := corner[k], corner[(k+1)%4]
					if b[0] < a[0] || b[1] < a[1] {
						a, b = b, a
					}
					cut = append(cut, zero(a[0], a[1], b[0], b[1]))
				}
			}
			switch {
			case len(cut) == 2:
				emit(cut[0], cut[1])
			case len(cut) == 4:
				emit(cut[0], cut[1])
				emit(cut[2], cut[3])
			}
		}
	}
}
