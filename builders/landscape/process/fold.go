package process

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mappe/artefacts/landscape"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/onplane"
	"mappe/shared/landscape/segment"
)

// result is the fold of the squares of a KG.
type result struct {
	area      *area
	squares   int
	cells     int
	known     int
	terrain   relief
	objects   []object
	trees     []tree
	parcels   map[int32]*parcelPart
	buildings []building
	change    changed
	events    []event
	loss      map[int]int
	samples   []sample
	vertices  []vertex
}

// fold joins the parts of a KG, which come in the order of its squares.
func (a *area) fold(parts []*part) *result {
	r := &result{area: a, squares: len(parts), parcels: map[int32]*parcelPart{}, loss: map[int]int{}}
	for _, p := range parts {
		for i := range p.Trees {
			if t := &p.Trees[i]; t.Segment >= 0 {
				t.segment = &p.Objects[t.Segment]
			}
		}
		r.cells, r.known = r.cells+p.Cells, r.known+p.Known
		r.terrain.add(&p.Terrain)
		r.objects, r.trees, r.buildings = append(r.objects, p.Objects...), append(r.trees, p.Trees...), append(r.buildings, p.Buildings...)
		for i := range p.Parcels {
			q := &p.Parcels[i]
			if r.parcels[q.Number] == nil {
				r.parcels[q.Number] = &parcelPart{Number: q.Number}
			}
			r.parcels[q.Number].add(q)
		}
		r.change.Known, r.change.Net, r.change.Disturbed = r.change.Known+p.Change.Known, r.change.Net+p.Change.Net,
			r.change.Disturbed+p.Change.Disturbed
		r.events = append(r.events, p.Events...)
		for year, n := range p.Loss {
			r.loss[year] += n
		}
		r.samples, r.vertices = append(r.samples, p.Samples...), append(r.vertices, p.Vertices...)
	}
	r.objects = inOrder(r.objects, func(o *object) geom.Point { return o.At })
	r.trees = inOrder(r.trees, func(t *tree) geom.Point { return t.At })
	slices.SortFunc(r.vertices, func(a, b vertex) int {
		return cmp.Or(cmp.Compare(a.Parcel, b.Parcel), cmp.Compare(a.Polygon, b.Polygon), cmp.Compare(a.Ring, b.Ring), cmp.Compare(a.Step,
			b.Step))
	})
	return r
}

// kg is the result as the file of the KG holds it. The record's names and codes are those of the register.
func (r *result) kg(record landscape.Record, fingerprint string) (*landscape.KG, error) {
	k := &landscape.KG{Fingerprint: fingerprint}
	var err error
	if k.Buildings, err = r.buildingsOf(); err != nil {
		return nil, err
	}
	k.Record = record
	k.NewBuildings, k.Infrastructure = r.newBuildings(), r.infrastructure()
	k.Segments, k.Trees = slices.Grow(k.Segments, len(r.objects)), slices.Grow(k.Trees, len(r.trees))
	for i := range r.objects {
		k.Segments = append(k.Segments, segmentOf(&r.objects[i]))
	}
	k.Parcels = r.parcelsOf()
	for i := range r.trees {
		k.Trees = append(k.Trees, r.treeOf(&r.trees[i]))
	}
	for _, s := range r.samples {
		k.Samples = append(k.Samples, landscape.Sample{At: s.At, DTM: float32(s.Z)})
	}
	k.Changes = r.changes()
	k.Landcover = r.landcover()
	if r.area.layers.forest != nil {
		k.HansenLoss = r.losses(r.loss)
	}
	list := make([]*object, len(r.objects))
	for i := range r.objects {
		list[i] = &r.objects[i]
	}
	k.Classification, k.Divergence = classificationOf(list), divergenceOf(list)
	r.fill(k)
	return k, nil
}

// changes are the events as they are stored, each with a name of its own.
func (r *result) changes() (out []landscape.Change) {
	seen := map[string]int{}
	for i := range r.events {
		e := &r.events[i]
		c := landscape.Change{ID: fmt.Sprintf("E%.0fN%.0f-%s", e.X, e.Y, e.Kind), Type: e.Kind.String(), AreaSqm: e.Area, Change: e.Change,
			TerrainVolume: e.TerrainVolume, TerrainVolumeError: e.TerrainVolumeError, SurfaceVolume: e.SurfaceVolume,
			SurfaceVolumeError: e.SurfaceVolumeError, TerrainBefore: e.TerrainBefore, TerrainAfter: e.TerrainAfter,
			HeightBefore: e.HeightBefore, HeightAfter: e.HeightAfter, Confidence: e.Confidence, Evidence: strings.Join(e.Evidence, "; "),
			CutOff: e.Edge, At: e.At, Geometry: onplane.Outline(e.Event.Outline)}
		if seen[c.ID]++; seen[c.ID] > 1 {
			c.ID = fmt.Sprintf("%s-%d", c.ID, seen[c.ID])
		}
		out = append(out, c)
	}
	return out
}

// landcover is what the KG has of each type, the largest area first.
func (r *result) landcover() (out []landscape.Landcover) {
	at := map[segment.Type]int{}
	total := 0.0
	heights := map[segment.Type]float64{} // m² with heights
	for i := range r.objects {
		o := &r.objects[i]
		k, ok := at[o.Type]
		if !ok {
			k = len(out)
			at[o.Type] = k
			out = append(out, landscape.Landcover{Type: o.Type, HeightMin: math.NaN(), HeightMax: math.NaN()})
		}
		l, m2 := &out[k], float64(o.Row[segment.Area])
		l.AreaSqm += m2
		l.Objects++
		total += m2
		if mean := float64(o.Row[segment.HeightMean]); mean == mean {
			heights[o.Type] += m2
			l.HeightMean += float64(m2 * mean)
			l.HeightP90M += float64(m2 * float64(o.Row[segment.HeightP90]))
			if !(l.HeightMin <= mean) {
				l.HeightMin = mean
			}
			if top := float64(o.Row[segment.HeightMax]); !(l.HeightMax >= top) {
				l.HeightMax = top
			}
		}
	}
	for i := range out {
		l := &out[i]
		l.Fraction = l.AreaSqm / total
		known := heights[l.Type]
		l.HeightMean, l.HeightP90M = l.HeightMean/known, l.HeightP90M/known // NaN where no height is known
	}
	slices.SortFunc(out, func(a, b landscape.Landcover) int {
		return cmp.Or(cmp.Compare(b.AreaSqm, a.AreaSqm), cmp.Compare(a.Type, b.Type))
	})
	return out
}

// losses are the years of a loss of forest in pixels of 30 m of the map, which the layer holds in finer cells.
func (r *result) losses(cells map[int]int) (out []landscape.HansenLoss) {
	step := r.area.layers.forest.Step
	for year, n := range cells {
		pixels := math.Round(float64(n) * step * step / (30 * 30))
		if pixels > 0 {
			out = append(out, landscape.HansenLoss{Year: float64(year), Pixels: pixels})
		}
	}
	slices.SortFunc(out, func(a, b landscape.HansenLoss) int { return cmp.Compare(a.Year, b.Year) })
	return out
}

// lastLoss is the last year of the forest map.
func (r *result) lastLoss() int {
	year, _ := strconv.Atoi(r.area.layers.forest.Date[:4])
	return year
}

// classificationOf is how sure the model is of the types of objects.
func classificationOf(list []*object) (out []landscape.Classification) {
	at := map[segment.Type]int{}
	for _, o := range list {
		if o.ModelConfidence == 0 {
			continue
		}
		k, ok := at[o.Type]
		if !ok {
			k = len(out)
			at[o.Type] = k
			out = append(out, landscape.Classification{Type: o.Type, RFMin: math.Inf(1)})
		}
		c := &out[k]
		c.RFMean, c.RFMin, c.RFCount = c.RFMean+o.ModelConfidence, min(c.RFMin, o.ModelConfidence), c.RFCount+1
		if o.Model != o.Type {
			c.DivergedCount++
		}
	}
	for i := range out {
		out[i].RFMean /= out[i].RFCount
	}
	slices.SortFunc(out, func(a, b landscape.Classification) int { return cmp.Compare(a.Type, b.Type) })
	return out
}

// divergenceOf are the pairs of the model's type and the type in the end, where they differ.
func divergenceOf(list []*object) (out []landscape.Divergence) {
	counts := map[[2]segment.Type]float64{}
	for _, o := range list {
		if o.ModelConfidence > 0 && o.Model != o.Type {
			counts[[2]segment.Type{o.Model, o.Type}]++
		}
	}
	for pair, n := range counts {
		out = append(out, landscape.Divergence{RFType: pair[0], FinalType: pair[1], Count: n})
	}
	slices.SortFunc(out, func(a, b landscape.Divergence) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.RFType, b.RFType), cmp.Compare(a.FinalType, b.FinalType))
	})
	return out
}

// mean is a weighted mean; NaN of nothing.
type mean struct{ sum, weight float64 }

func (m *mean) add(v, weight float64) {
	if v == v && weight > 0 {
		m.sum, m.weight = m.sum+float64(v*weight), m.weight+weight
	}
}

func (m *mean) of() float64 { return m.sum / m.weight }

// fill computes the record from what was found. What no layer tells stays missing.
func (r *result) fill(k *landscape.KG) {
	rec := &k.Record
	rec.Processed = true
	rec.Tiles, rec.Segments = float64(r.squares), float64(len(r.objects))
	if g := r.area.layers.Ground; g != nil {
		rec.PrimaryYear, _ = strconv.ParseFloat(g.Date[:4], 64)
		r.fillTerrain(rec)
		r.fillTrees(rec)
		r.fillBuildings(rec, k)
	} else if p := r.area.layers.photo; p != nil {
		rec.PrimaryYear, _ = strconv.ParseFloat(p.Date[:4], 64)
	}
	if r.area.layers.EarlierGround != nil && r.change.Known > 0 {
		rec.NetVolumeChange, rec.DisturbedVolume = r.change.Net, r.change.Disturbed
	}
	r.fillCover(rec, k)
	r.fillObjects(rec)
	r.fillModel(rec)
	rec.InfrastructureCount = float64(len(k.Infrastructure))
	rec.QualityScore, rec.QualityGrade = landscape.Quality(rec)
}

func (r *result) fillTerrain(rec *landscape.Record) {
	t := &r.terrain
	rec.ElevationMin, rec.ElevationMean, rec.ElevationMax = t.elevation()
	rec.ElevationRange = rec.ElevationMax - rec.ElevationMin
	rec.SlopeMean, rec.TRIMean, rec.SteepnessMax = over(t.Slope, t.Derived), over(t.TRI, t.Derived), t.steepest()
	rec.AspectDominant, _ = t.aspect()
	rec.TerrainClass = t.class()
}

func (r *result) fillTrees(rec *landscape.Record) {
	rec.TreeCount, rec.TreeCanopySqm, rec.TreeStemVolume = float64(len(r.trees)), 0, 0
	var height mean
	for i := range r.trees {
		t := &r.trees[i]
		rec.TreeCanopySqm += t.CrownArea
		if t.Volume == t.Volume {
			rec.TreeStemVolume += t.Volume
		}
		height.add(t.Height, 1)
	}
	rec.TreeMeanHeight = height.of()
}

func (r *result) fillBuildings(rec *landscape.Record, k *landscape.KG) {
	var heights, stories mean
	var footprint, top, most float64
	roofs, pitchedRoofs, known := 0.0, 0.0, 0.0
	for i := range k.Buildings {
		b := &k.Buildings[i]
		footprint += b.FootprintSqm
		if h := float64(b.MaxHeight); h == h {
			known++
			top = max(top, h)
			heights.add(float64(b.MeanHeight), 1)
		}
		if s := float64(b.Stories); s == s {
			stories.add(s, 1)
			most = max(most, s)
		}
		if b.RoofType != "" {
			roofs++
			if b.RoofType == "pitched" {
				pitchedRoofs++
			}
		}
	}
	rec.BuildingFootprintSqm = footprint
	if n := float64(len(k.Buildings)); n > 0 {
		rec.BuildingHeightCoveragePct = 100 * known / n
		rec.BuildingMeanHeight, rec.BuildingStoriesMean, rec.BuildingPitchedPct = heights.of(), stories.of(), 100*pitchedRoofs/roofs
		if known > 0 {
			rec.BuildingMaxHeight = top
		}
		if stories.weight > 0 {
			rec.BuildingStoriesMax = most
		}
	}
	if len(r.area.layers.neighbours) == 0 {
		return
	}
	rec.NewBuildingCount, rec.NewBuildingFootprintSqm = float64(len(k.NewBuildings)), 0
	var newHeight, newStories mean
	for i := range k.NewBuildings {
		b := &k.NewBuildings[i]
		rec.NewBuildingFootprintSqm += b.AreaSqm
		newHeight.add(float64(b.MaxHeight), 1)
		newStories.add(float64(b.Stories), 1)
	}
	rec.NewBuildingMeanHeight, rec.NewBuildingStoriesMean = newHeight.of(), newStories.of()
}

// fillCover is what the shares of types say.
func (r *result) fillCover(rec *landscape.Record, k *landscape.KG) {
	if len(k.Landcover) == 0 {
		return
	}
	rec.DominantType = k.Landcover[0].Type.String()
	rec.VegetatedFraction, rec.ShannonDiversity = 0, 0
	for i := range k.Landcover {
		l := &k.Landcover[i]
		if vegetated(l.Type) {
			rec.VegetatedFraction += l.Fraction
		}
		if l.Fraction > 0 {
			rec.ShannonDiversity -= float64(l.Fraction * math.Log(l.Fraction))
		}
	}
}

// fillObjects are means over segments by their area.
func (r *result) fillObjects(rec *landscape.Record) {
	var rough, index, stable, moved, vv, vh, year, east, north, amplitude mean
	phenology := map[string]float64{}
	changed := 0.0
	for i := range r.objects {
		o := &r.objects[i]
		at := func(f int) float64 { return float64(o.Row[f]) }
		m2 := at(segment.Area)
		rough.add(at(segment.Roughness), m2)
		index.add(at(segment.NDVIFused), m2)
		stable.add(at(segment.Stability), m2)
		moved.add(at(segment.TerrainChange), m2)
		vv.add(math.Pow(10, at(segment.SARVV)/10), m2)
		vh.add(math.Pow(10, at(segment.SARVH)/10), m2)
		year.add(at(segment.HarmonicMean), m2)
		amplitude.add(at(segment.HarmonicAmplitude), m2)
		east.add(at(segment.HarmonicAmplitude)*at(segment.PhaseSin), m2)
		north.add(at(segment.HarmonicAmplitude)*at(segment.PhaseCos), m2)
		if p := o.Phenology(); p != segment.UnknownYears {
			phenology[p] += m2
		}
		if math.Abs(at(segment.HeightChange)) >= leastChange || math.Abs(at(segment.TerrainChange)) >= leastMoved {
			changed++
		}
	}
	rec.RoughnessMean, rec.NDVIMean = rough.of(), index.of()
	rec.TemporalStability, rec.DTMChangeMean = stable.of(), moved.of()
	if stable.weight > 0 {
		rec.ChangedSegments = changed
	}
	rec.SARVVMean, rec.SARVHMean = 10*math.Log10(vv.of()), 10*math.Log10(vh.of())
	rec.HarmonicMean, rec.HarmonicAmplitude = year.of(), amplitude.of()
	if c, s := north.of(), east.of(); math.Hypot(c, s) >= 0.001 {
		day := math.Atan2(s, c) / (2 * math.Pi) * 365.25
		if day < 0 {
			day += 365.25
		}
		rec.HarmonicPhase = day
	}
	for _, p := range segment.Phenologies {
		if phenology[p] > phenology[rec.PhenologyDominant] {
			rec.PhenologyDominant = p
		}
	}
}

// A segment has changed where its mean height has by leastChange metres, or its terrain by leastMoved.
const (
	leastChange = 1.0
	leastMoved  = 0.3
)

func (r *result) fillModel(rec *landscape.Record) {
	var sure, model mean
	byModel, judged, diverged := 0.0, 0.0, 0.0
	for i := range r.objects {
		o := &r.objects[i]
		sure.add(o.Confidence, float64(o.Row[segment.Area]))
		if o.By == segment.ByModel {
			byModel++
		}
		if o.ModelConfidence == 0 {
			continue
		}
		judged++
		model.add(o.ModelConfidence, 1)
		if o.Model != o.Type {
			diverged++
		}
	}
	rec.MeanConfidence = sure.of()
	if judged > 0 {
		rec.RFClassifiedPct, rec.RFMeanConfidence = 100*byModel/float64(len(r.objects)), model.of()
		rec.RFDiverged, rec.RFDivergedPct = diverged, 100*diverged/judged
	}
}

// treeOf is a tree as it is stored. What the laser scan does not tell comes of the segment that it stands in.
func (r *result) treeOf(t *tree) landscape.Tree {
	nan := float32(math.NaN())
	out := landscape.Tree{ID: t.ID(), At: t.At, Height: float32(t.Height), MeanHeight: float32(t.MeanHeight), P90: float32(t.P90),
		CrownSqm:   float32(t.CrownArea),
		RadiusMean: float32(t.RadiusMean), RadiusMax: float32(t.RadiusMax), DBH: float32(t.DBH), Volume: float32(t.Volume),
		Leaf: string(t.Leaf), LeafConf: float32(t.LeafConf),
		Species: string(t.Species), SpeciesConf: float32(t.SpeciesConf), Vitality: string(t.Vitality),
		VitalityConf:  float32(t.VitalityConf),
		Source:        string(t.Source),
		DetectionConf: float32(t.DetectionConf), Likelihood: float32(t.Likelihood), NDVIMean: nan, NDVIFused: nan, HeightChange: nan,
		Confidence: nan, RFConfidence: nan}
	if t.Colours != nil {
		out.NDVIMean, out.NDVIFused = float32(t.Colours.NDVI), float32(t.Colours.NDVI)
	}
	if s := t.segment; s != nil {
		if year := s.Row[segment.HarmonicMean]; year == year {
			if out.NDVIFused = year; out.NDVIMean == out.NDVIMean {
				out.NDVIFused = (out.NDVIMean + year) / 2
			}
		}
		out.HeightChange, out.Phenology = s.Row[segment.HeightChange], s.Phenology()
		out.Confidence, out.RFConfidence = float32(s.Confidence), modelSure(s)
	}
	return out
}

// covers are the classes of land cover by satellites.
var covers = map[int]string{10: "trees", 20: "shrubs", 30: "grass", 40: "crops", 50: "built", 60: "bare", 70: "snow", 80: "water",
	90: "wetland", 95: "mangroves", 100: "moss"}

// segmentOf is a segment as it is stored.
func segmentOf(o *object) landscape.Segment {
	f := &o.Row
	s := landscape.Segment{ID: placeID(o.X, o.Y), At: o.At, Type: o.Type, Confidence: float32(o.Confidence), Source: string(o.By),
		RFConfidence: modelSure(o),
		HeightMax:    f[segment.HeightMax], HeightMean: f[segment.HeightMean], HeightP90: f[segment.HeightP90],
		AreaSqm:     float64(f[segment.Area]),
		Compactness: f[segment.Compactness], Elongation: f[segment.Elongation], Solidity: f[segment.Solidity], Extent: f[segment.Extent],
		EdgeStrength: f[segment.EdgeStrength], SlopeMean: f[segment.SlopeMean], Roughness: f[segment.Roughness],
		NDVIMean: f[segment.NDVIMean], NDVIFused: f[segment.NDVIFused], NIRMean: f[segment.NIRMean], Brightness: f[segment.BrightnessMean],
		HeightChange: f[segment.HeightChange], DTMChange: f[segment.TerrainChange], Stability: f[segment.Stability],
		Entropy: f[segment.Entropy], Homogeneity: f[segment.Homogeneity], SARVV: f[segment.SARVV], SARVH: f[segment.SARVH],
		HarmonicAmplitude: f[segment.HarmonicAmplitude], HarmonicPhase: float32(o.PeakDay()), Phenology: o.Phenology(),
		AspectMean: float32(o.Aspect), AspectDominant: o.Sector, Elevation: f[segment.Elevation], ElevationMin: float32(o.ElevationMin),
		ElevationMax: float32(o.ElevationMax),
		TRI:          f[segment.TRI], TPI: f[segment.TPI], Curvature: f[segment.Curvature], GNDVI: float32(o.GNDVI),
		NIRStd:    f[segment.NIRSD],
		NDVIStd:   f[segment.NDVISD],
		HeightStd: f[segment.HeightSD], HeightP10: f[segment.HeightP10], Shadow: float32(o.Shadow), EdgeContrast: float32(o.EdgeContrast),
		Landcover: covers[o.Cover], LandUse: float32(math.NaN()), Geometry: o.Outline}
	if o.ModelConfidence > 0 {
		s.RFType = o.Model.String()
	}
	if o.Use != 0 {
		s.LandUse = float32(o.Use)
	}
	return s
}
