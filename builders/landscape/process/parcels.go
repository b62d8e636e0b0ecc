package process

import (
	"cmp"
	"math"
	"slices"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
)

// parcelPart is what a square says of a parcel.
type parcelPart struct {
	Number       int32
	Terrain      relief
	Areas        map[segment.Type]int // cells by type
	Heights      [7]int               // cells by class of height
	Top          float64              // greatest height; NaN where none is known
	HeightSum    float64
	HeightCells  int
	NDVI         float64
	NDVICells    int
	Loss         map[int]int
	Elevation    float64 // at the centroid, where that lies in the square; NaN elsewhere
	HasElevation bool
}

func (p *parcelPart) lost(year int) {
	if p.Loss == nil {
		p.Loss = map[int]int{}
	}
	p.Loss[year]++
}

// add adds what another square says of the parcel.
func (p *parcelPart) add(o *parcelPart) {
	p.Terrain.add(&o.Terrain)
	for t, n := range o.Areas {
		if p.Areas == nil {
			p.Areas = map[segment.Type]int{}
		}
		p.Areas[t] += n
	}
	for i, n := range o.Heights {
		p.Heights[i] += n
	}
	if o.HeightCells > 0 && (p.HeightCells == 0 || o.Top > p.Top) {
		p.Top = o.Top
	}
	p.HeightSum, p.HeightCells = p.HeightSum+o.HeightSum, p.HeightCells+o.HeightCells
	p.NDVI, p.NDVICells = p.NDVI+o.NDVI, p.NDVICells+o.NDVICells
	for year, n := range o.Loss {
		if p.Loss == nil {
			p.Loss = map[int]int{}
		}
		p.Loss[year] += n
	}
	if o.HasElevation {
		p.Elevation, p.HasElevation = o.Elevation, true
	}
}

// heightClass is the class of a height, in landscape.HeightClasses.
func heightClass(h float64) int {
	for i, c := range landscape.HeightClasses {
		if h < c[1] {
			return i
		}
	}
	return len(landscape.HeightClasses) - 1
}

// ofParcels sums heights, vegetation and terrain of the parcels in the square.
func (w *work) ofParcels() {
	var p *parcelPart
	last := int32(-1) // cells of a parcel stand side by side: it is looked for once
	w.each(func(i int) {
		at := w.owner[i]
		if at < 0 {
			return
		}
		if at != last {
			p, last = w.parcel(at), at
		}
		if w.heights != nil {
			if h := float64(w.heights.Z[i]); h == h {
				if h = max(h, 0); p.HeightCells == 0 || h > p.Top {
					p.Top = h
				}
				p.HeightSum += h
				p.HeightCells++
				p.Heights[heightClass(h)]++
			}
		}
		if w.in.Red != nil {
			if red, nir := float64(w.in.Red.Z[i]), float64(w.in.NIR.Z[i]); nir+red > 0 {
				p.NDVI += (nir - red) / (nir + red)
				p.NDVICells++
			}
		}
	})
	if w.in.DTM == nil {
		return
	}
	w.relief()
}

// relief sums the terrain of the KG and of its parcels in the square: the figures of a cell serve both.
func (w *work) relief() {
	field := terrain.NewField(w.in.DTM)
	w.part.Terrain = reliefOf(field.Relief(w.mask, 0, 0))
	for i := range w.part.Parcels {
		p := &w.part.Parcels[i]
		b := common(w.boxes[p.Number].Aligned(1), w.box).Grown(1)
		at := raster.Grid{West: b.West, North: b.North, Step: 1, Cols: max(int(b.East-b.West), 0), Rows: max(int(b.North-b.South), 0)}
		m := raster.MaskOf(&at, raster.Clipped(w.planes[p.Number], w.box))
		p.Terrain = reliefOf(field.Relief(m, int(b.West-w.window.West), int(w.window.North-b.North)))
		if c := onplane.XY(w.area.parcels[p.Number].Centroid); w.holds(c) {
			p.Elevation, p.HasElevation = float64(w.in.DTM.Bilinear(c.X, c.Y)), true
		}
	}
}

// holds says whether a place lies in the square: a border belongs to the square in the east or north of it.
func (w *work) holds(p raster.XY) bool {
	return p.X >= w.box.West && p.X < w.box.East && p.Y >= w.box.South && p.Y < w.box.North
}

// overlay lays segments over parcels: cells of each type a parcel, and the parcel that most of a segment lies in.
func (w *work) overlay(l *segment.Land, objects []object) {
	c0, r0 := int(l.West-w.window.West), int(w.window.North-l.North)
	type pair struct{ object, parcel int32 }
	counts := map[pair]int{}
	w.labels = make([]int32, len(w.owner))
	for row := range l.Rows {
		from := (r0+row)*w.mask.Cols + c0
		line, owner := l.Labels[row*l.Cols:][:l.Cols], w.owner[from:][:l.Cols]
		copy(w.labels[from:], line)
		for col := 0; col < len(line); {
			is, first := pair{line[col], owner[col]}, col
			for col++; col < len(line) && line[col] == is.object && owner[col] == is.parcel; {
				col++
			}
			if is.object > 0 && is.parcel >= 0 {
				counts[is] += col - first
			}
		}
	}
	most := make([]int, len(objects))
	for _, k := range slices.SortedFunc(keysOf(counts), func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.object, b.object), cmp.Compare(a.parcel, b.parcel))
	}) {
		n, i := counts[k], int(k.object)-1
		p := w.parcel(k.parcel)
		if p.Areas == nil {
			p.Areas = map[segment.Type]int{}
		}
		p.Areas[objects[i].Type] += n
		if n > most[i] {
			most[i], objects[i].Parcel = n, k.parcel
		}
	}
}

func keysOf[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// vertex is the height of the terrain at a vertex of a parcel.
type vertex struct {
	Parcel     int32
	Polygon    int32
	Ring, Step int32
	At         geom.Point
	Z          float32
}

// mostVertices bounds the vertices of a parcel that heights are told of.
const mostVertices = 2000

// vertices reads the terrain at the vertices of parcels that lie in the square.
func (w *work) vertices() {
	if w.in.DTM == nil {
		return
	}
	for i := range w.area.parcels {
		if !w.boxes[i].Grown(1).Overlaps(w.box) {
			continue
		}
		n := 0
		for k, polygon := range w.planes[i] {
			for r, ring := range polygon {
				for s, p := range ring {
					if n++; n > mostVertices {
						break
					}
					if !w.holds(p) {
						continue
					}
					if z := w.in.DTM.Bilinear(p.X, p.Y); z == z {
						w.part.Vertices = append(w.part.Vertices,
							vertex{int32(i), int32(k), int32(r), int32(s), w.area.parcels[i].Geometry[k][r][s], z})
					}
				}
			}
		}
	}
}

// parcelsOf folds the parts of parcels to rows, in the order of the file.
func (r *result) parcelsOf() []landscape.Parcel {
	out := make([]landscape.Parcel, len(r.area.parcels))
	for i := range out {
		landscape.ParcelColumns.Clear(&out[i])
		for k := range out[i].Heights {
			out[i].Heights[k] = float32(math.NaN())
		}
		p := &r.area.parcels[i]
		out[i].ID, out[i].AreaSqm, out[i].Centroid = string(r.area.file.KG().Code)+"-"+string(p.GNR), p.AreaSqm, p.Centroid
		if part := r.parcels[int32(i)]; part != nil {
			r.fillParcel(&out[i], part)
		}
	}
	for _, v := range r.vertices {
		out[v.Parcel].Vertices = append(out[v.Parcel].Vertices, landscape.Vertex{At: v.At, DTM: v.Z, Height: float32(math.NaN())})
	}
	r.tops(out)
	return out
}

func (r *result) fillParcel(p *landscape.Parcel, part *parcelPart) {
	t := &part.Terrain
	least, mean, most := t.elevation()
	_ = mean
	p.ElevationMin, p.ElevationMax, p.ElevationRange = float32(least), float32(most), float32(most-least)
	n := t.Derived
	p.SlopeMean, p.TRIMean, p.TPIMean, p.TerrainClass = float32(over(t.Slope, n)), float32(over(t.TRI, n)), float32(over(t.TPI, n)),
		t.class()
	dominant, direction := t.aspect()
	p.AspectDominant, p.AspectMean = dominant, float32(direction)
	if part.HasElevation {
		p.Elevation = float32(part.Elevation)
	}
	if part.HeightCells > 0 {
		p.NDSMMax, p.NDSMMean = float32(part.Top), float32(part.HeightSum/float64(part.HeightCells))
		for k, n := range part.Heights {
			p.Heights[k] = float32(float64(n) / float64(part.HeightCells))
		}
		p.TreeCount = 0
	}
	if part.NDVICells > 0 {
		p.NDVIMean = float32(part.NDVI / float64(part.NDVICells))
	}
	p.Types = sharesOf(part.Areas)
	if len(p.Types) > 0 {
		var green, wooded float64
		for _, s := range p.Types {
			if vegetated(s.Type) {
				green += s.Fraction
			}
			if s.Type.In(segment.Forest) {
				wooded += s.Fraction
			}
		}
		p.VegetatedFraction, p.ForestedFraction, p.Vegetated = float32(green), float32(wooded), green > 0.5
		p.DominantType = p.Types[0].Type.String()
	}
	if r.area.layers.forest != nil {
		p.LossByYear = r.losses(part.Loss)
		total, recent := 0.0, 0.0
		for _, l := range p.LossByYear {
			total += l.Pixels
			if int(l.Year) > r.lastLoss()-5 {
				recent += l.Pixels
			}
		}
		p.LossPixels, p.RecentLossPixels = float32(total), float32(recent)
	}
}

// sharesOf are areas of types, the largest first, with their share of what was classified.
func sharesOf(cells map[segment.Type]int) (out []landscape.Share) {
	total := 0
	for _, n := range cells {
		total += n
	}
	for t, n := range cells {
		out = append(out, landscape.Share{Type: t, AreaSqm: float64(n), Fraction: float64(n) / float64(total)})
	}
	slices.SortFunc(out, func(a, b landscape.Share) int {
		return cmp.Or(cmp.Compare(b.AreaSqm, a.AreaSqm), cmp.Compare(a.Type, b.Type))
	})
	return out
}

// vegetated says whether plants cover what is of a type.
func vegetated(t segment.Type) bool {
	switch t {
	case segment.Tree, segment.Shrub, segment.Hedge, segment.Grass, segment.Garden, segment.Crop, segment.Orchard, segment.Vineyard:
		return true
	}
	return false
}

// tops adds trees, the highest trees and objects and the sureness of the model to parcels.
func (r *result) tops(out []landscape.Parcel) {
	objects, trees := map[int32][]int{}, map[int32][]int{}
	for i := range r.objects {
		if p := r.objects[i].Parcel; p >= 0 {
			objects[p] = append(objects[p], i)
		}
	}
	for i := range r.trees {
		if p := r.trees[i].Parcel; p >= 0 {
			trees[p] = append(trees[p], i)
		}
	}
	for i := range out {
		p := &out[i]
		on, standing := objects[int32(i)], trees[int32(i)]
		list := make([]*object, len(on))
		for k, n := range on {
			list[k] = &r.objects[n]
		}
		p.Classification = classificationOf(list)
		slices.SortStableFunc(list, func(a, b *object) int { return -compareKnown(a.Row[segment.HeightMax], b.Row[segment.HeightMax]) })
		for _, o := range list[:min(len(list), landscape.ParcelTops)] {
			p.TopObjects = append(p.TopObjects, landscape.TopObject{Type: o.Type, HeightMax: o.Row[segment.HeightMax],
				HeightMean: o.Row[segment.HeightMean],
				AreaSqm:    o.Row[segment.Area], At: o.At, Confidence: float32(o.Confidence), RFConfidence: modelSure(o)})
		}
		if len(standing) > 0 {
			p.TreeCount = float32(len(standing))
		}
		slices.SortStableFunc(standing, func(a, b int) int { return cmp.Compare(r.trees[b].Height, r.trees[a].Height) })
		if p.TreeCount == p.TreeCount { // without heights nothing is known of trees
			p.TreeCanopySqm = 0
		}
		for k, n := range standing {
			t := &r.trees[n]
			p.TreeCanopySqm += t.CrownArea
			if k < landscape.ParcelTops {
				l := r.treeOf(t)
				p.TopTrees = append(p.TopTrees, landscape.TopTree{HeightMax: l.Height, HeightMean: l.MeanHeight, P90: l.P90,
					AreaSqm:  l.CrownSqm,
					At:       l.At,
					NDVIMean: l.NDVIMean, NDVIFused: l.NDVIFused, HeightChange: l.HeightChange, Phenology: l.Phenology,
					Confidence:   l.Likelihood,
					RFConfidence: l.RFConfidence})
			}
		}
	}
}

// compareKnown orders numbers, NaN below all.
func compareKnown(a, b float32) int {
	switch {
	case a != a && b != b:
		return 0
	case a != a:
		return -1
	case b != b:
		return 1
	}
	return cmp.Compare(a, b)
}

// modelSure is how sure the model is of an object; NaN without one.
func modelSure(o *object) float32 {
	if o.ModelConfidence == 0 {
		return float32(math.NaN())
	}
	return float32(o.ModelConfidence)
}
