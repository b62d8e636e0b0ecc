package process

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/landscape"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/segment"
)

// building is a footprint of the cadastre with what stands there. Heights are NaN where none is known.
type building struct {
	Footprint      int32
	Max, Mean, Std float64
	Ground         float64 // terrain at the centroid
	Roof           string
	Stories        float64
	Vertices       []landscape.Vertex
	Types          map[segment.Type]int // cells
	Classification []landscape.Classification
}

const (
	storey    = 3.0 // metres of a storey from floor to floor
	pitched   = 10  // degrees: roofs that are steeper by their median slope are pitched
	roofCells = 6   // of the inside of a footprint, fewer of which tell no slope
)

// buildings measures the footprints of the KG whose point on the surface lies in the square, as far as the margin reaches.
func (w *work) buildings() {
	for i := range w.prints {
		f := &w.prints[i]
		if !w.holds(onplane.XY(f.Inside)) {
			continue
		}
		w.part.Buildings = append(w.part.Buildings, w.building(int32(i), f))
	}
}

// on tells what segments lie on a building, by their cells: the area of each type, and how sure the model is of them.
func (b *building) on(cells map[int32]int, objects []object) {
	list := make([]*object, 0, len(cells))
	for _, n := range slices.Sorted(maps.Keys(cells)) {
		o := &objects[n-1]
		b.Types[o.Type] += cells[n]
		list = append(list, o)
	}
	b.Classification = classificationOf(list)
}

func (w *work) building(n int32, f *kgfile.Footprint) building {
	nan := math.NaN()
	b := building{Footprint: n, Max: nan, Mean: nan, Std: nan, Ground: nan, Stories: nan, Types: map[segment.Type]int{}}
	polygons := onplane.Polygons(f.Geometry)
	box := common(raster.BoxOf(polygons).Aligned(1), w.window)
	at := &raster.Grid{West: box.West, North: box.North, Step: 1, Cols: int(box.East - box.West), Rows: int(box.North - box.South)}
	m := raster.MaskOf(at, polygons)
	c0, r0 := int(box.West-w.window.West), int(w.window.North-box.North)
	cell := func(col, row int) int { return (r0+row)*w.mask.Cols + c0 + col }
	if w.labels != nil {
		cells := map[int32]int{}
		for row := range at.Rows {
			m.Each(row, func(from, to int) {
				for _, k := range w.labels[cell(from, row):cell(to, row)] {
					if k > 0 {
						cells[k]++
					}
				}
			})
		}
		b.on(cells, w.part.Objects)
	}
	if w.layers.Ground == nil {
		return b
	}
	c := onplane.XY(f.Centroid)
	b.Vertices = w.corners(f, polygons, c)
	if w.heights != nil {
		b.Ground = float64(w.in.DTM.Bilinear(c.X, c.Y))
		w.roof(&b, at, m, cell)
	}
	return b
}

// roof measures what stands in a footprint: of its inside where that is large enough, for cells at its edge have walls in them.
func (w *work) roof(b *building, at *raster.Grid, m *raster.Mask, cell func(col, row int) int) {
	in := func(c, r int) bool { return c >= 0 && r >= 0 && c < at.Cols && r < at.Rows && m.Has(c, r) }
	var all, inner, slopes []float64
	var surface []float64
	for row := range at.Rows {
		m.Each(row, func(from, to int) {
			for c := from; c < to; c++ {
				i := cell(c, row)
				h := float64(w.heights.Z[i])
				if h != h {
					continue
				}
				all = append(all, h)
				surface = append(surface, float64(w.in.DSM.Z[i]))
				if in(c-1, row) && in(c+1, row) && in(c, row-1) && in(c, row+1) {
					inner = append(inner, h)
					z := w.in.DSM.Z
					dx, dy := float64(z[cell(c+1, row)]-z[cell(c-1, row)])/2, float64(z[cell(c, row+1)]-z[cell(c, row-1)])/2
					if s := math.Atan(math.Sqrt(float64(dx*dx)+float64(dy*dy))) * 180 / math.Pi; s == s {
						slopes = append(slopes, s)
					}
				}
			}
		})
	}
	if len(all) == 0 {
		return
	}
	_, b.Std = meanAndSD(surface)
	b.Max = slices.Max(all)
	if len(inner) >= roofCells {
		all = inner
		b.Max = slices.Max(inner)
	}
	b.Mean, _ = meanAndSD(all)
	if len(slopes) >= roofCells {
		slices.Sort(slopes)
		if b.Roof = "flat"; slopes[len(slopes)/2] >= pitched {
			b.Roof = "pitched"
		}
	}
	if b.Max >= 1.8 { // lower ones are terraces, or have gone
		b.Stories = storiesOf(b.Mean)
	}
}

// storiesOf are the storeys below a roof of a mean height: of a pitched roof half lies above the eaves, which is what an attic
// takes.
func storiesOf(mean float64) float64 { return max(1, math.Round(mean/storey)) }

func meanAndSD(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		sd += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(sd / float64(len(v)))
}

// corners are the vertices of a footprint with the terrain there and the height of what stands a metre inside; NaN where neither is
// known.
func (w *work) corners(f *kgfile.Footprint, polygons []raster.Polygon, c raster.XY) (out []landscape.Vertex) {
	for k, polygon := range polygons {
		for r, ring := range polygon {
			for s, p := range ring {
				if len(out) == mostVertices {
					return out
				}
				v := landscape.Vertex{At: f.Geometry[k][r][s], DTM: float32(math.NaN()), Height: float32(math.NaN())}
				if w.heights != nil {
					d := max(math.Hypot(c.X-p.X, c.Y-p.Y), 1)
					inside := raster.XY{X: p.X + (c.X-p.X)/d, Y: p.Y + (c.Y-p.Y)/d}
					v.DTM = w.in.DTM.Bilinear(p.X, p.Y)
					v.Height = w.in.DSM.At(inside.X, inside.Y) - v.DTM
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// buildingsOf are the buildings as rows, by their number.
func (r *result) buildingsOf() ([]landscape.Building, error) {
	addresses, err := r.addresses()
	if err != nil {
		return nil, err
	}
	measured := map[int32]*building{}
	for i := range r.buildings {
		measured[r.buildings[i].Footprint] = &r.buildings[i]
	}
	out := make([]landscape.Building, len(r.area.prints))
	for i := range out {
		b, f := &out[i], &r.area.prints[i]
		landscape.BuildingColumns.Clear(b)
		b.ID = austria.FootprintID{KG: r.area.file.KG().Code, N: f.N}.String()
		b.NS, b.FootprintSqm, b.Centroid, b.Geometry = strconv.Itoa(int(f.NS)), f.AreaSqm, f.Centroid, f.Geometry
		if a := addresses[i]; a != nil {
			b.HouseNumber, b.Street, b.PostalCode, b.Location = a.HouseNumber, a.Street, string(a.PLZ), a.Ort
			b.FullAddress = addressOf(a)
		}
		if m := measured[int32(i)]; m != nil {
			b.MaxHeight, b.MeanHeight, b.DSMStd, b.CentroidDTM = float32(m.Max), float32(m.Mean), float32(m.Std), float32(m.Ground)
			b.RoofType, b.Stories, b.Vertices, b.Types = m.Roof, float32(m.Stories), m.Vertices, sharesOf(m.Types)
			b.Classification = m.Classification
		}
	}
	return out, nil
}

func addressOf(a *kgfile.Building) string {
	street := strings.TrimSpace(a.Street + " " + a.HouseNumber)
	place := strings.TrimSpace(string(a.PLZ) + " " + a.Ort)
	if street == "" || place == "" {
		return street + place
	}
	return street + ", " + place
}

// addresses are those of the footprints: the address point that lies in one, else the nearest one of its parcel; nil of none.
func (r *result) addresses() ([]*kgfile.Building, error) {
	points, err := r.area.file.Buildings()
	if err != nil {
		return nil, err
	}
	byParcel := map[int32][]*kgfile.Building{}
	for i := range points {
		byParcel[points[i].Parcel] = append(byParcel[points[i].Parcel], &points[i])
	}
	out := make([]*kgfile.Building, len(r.area.prints))
	for i := range r.area.prints {
		f := &r.area.prints[i]
		if f.Parcel < 0 {
			continue
		}
		best := math.Inf(1)
		for _, a := range byParcel[f.Parcel] {
			d := 0.0
			if !f.Geometry.Contains(a.At) {
				p, q := onplane.XY(a.At), onplane.XY(f.Inside)
				d = math.Hypot(p.X-q.X, p.Y-q.Y)
			}
			if d < best {
				out[i], best = a, d
			}
		}
	}
	return out, nil
}

// placeID names an object by its first cell.
func placeID(x, y float64) string {
	return "E" + strconv.Itoa(int(math.Floor(x))) + "N" + strconv.Itoa(int(math.Floor(y)))
}

const leastBuilding = 20 // m² of a building that the cadastre lacks: sheds and dormers are smaller

// newBuildings are segments of roofs where the cadastre has no building; none where its footprints are not known.
func (r *result) newBuildings() (out []landscape.NewBuilding) {
	for i := range r.objects {
		o := &r.objects[i]
		if o.Type != segment.Roof && o.Type != segment.Greenhouse || !(o.Footprint < 0.1) || o.Row[segment.Area] < leastBuilding ||
			!(o.Row[segment.HeightMean] >= 1.8) {
			continue
		}
		b := landscape.NewBuilding{ID: placeID(o.X, o.Y), Type: o.Type, AreaSqm: float64(o.Row[segment.Area]),
			MaxHeight: o.Row[segment.HeightMax],
			Stories:   float32(storiesOf(float64(o.Row[segment.HeightMean]))), Confidence: float32(o.Confidence), At: o.At,
			Geometry: o.Outline}
		if s := o.Row[segment.SurfaceSlope]; s == s {
			if b.RoofType = "flat"; o.Row[segment.Planarity] >= 0.5 || s >= pitched {
				b.RoofType = "pitched"
			}
		}
		out = append(out, b)
	}
	return out
}

// carrying says whether an object of a type carries traffic or energy.
func carrying(t segment.Type) bool {
	switch t {
	case segment.Road, segment.Path, segment.Parking, segment.Bridge, segment.Mast, segment.WindTurbine, segment.Substation,
		segment.SolarPanel:
		return true
	}
	return false
}

const spot = 25 // m² of a parking place with its share of the lanes (RVS 03.07.11: 2.5 x 5 m and half of a lane of 6 m)

func (r *result) infrastructure() (out []landscape.Infrastructure) {
	for i := range r.objects {
		o := &r.objects[i]
		if !carrying(o.Type) {
			continue
		}
		area := float64(o.Row[segment.Area])
		f := landscape.Infrastructure{ID: placeID(o.X, o.Y), Type: o.Type, AreaSqm: area, VolumeM3: math.NaN(),
			MaxHeight:    o.Row[segment.HeightMax],
			ParkingSpots: float32(math.NaN()), Confidence: float32(o.Confidence), At: o.At, Geometry: o.Outline}
		if h := float64(o.Row[segment.HeightMean]); h == h {
			f.VolumeM3 = float64(area * max(h, 0))
		}
		if o.Type == segment.Parking {
			f.ParkingSpots = float32(math.Floor(area / spot))
		}
		out = append(out, f)
	}
	return out
}

// inOrder brings things into an order by their place: from the north, then the west.
func inOrder[T any](list []T, at func(*T) geom.Point) []T {
	type place struct {
		at geom.Point
		i  int
	}
	order := make([]place, len(list)) // things are large: they are moved once
	for i := range list {
		order[i] = place{at(&list[i]), i}
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.at.Y, a.at.Y), cmp.Compare(a.at.X, b.at.X), a.i-b.i)
	})
	out := make([]T, len(list))
	for i, p := range order {
		out[i] = list[p.i]
	}
	return out
}
