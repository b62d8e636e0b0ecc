// Package landtest makes plausible KGs and indexes of made-up countries. It is test support.
package landtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"mappe/artefacts/landscape"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/landscape/canopy"
	"mappe/shared/landscape/segment"
	"mappe/shared/landscape/terrain"
)

// Ground is the terrain of every made-up KG in metres: a plane that rises to the north-east, by degrees.
func Ground(p geom.Point) float64 { return 400 + 2000*(p.Lon()-15) + 5000*(p.Lat()-48) }

// Options say what a KG has.
type Options struct {
	Code      austria.KGCode
	Box       geom.Box
	Parcels   map[string]geom.Point // by number, with a place in it
	Buildings int
	Trees     int
	Samples   int // a side
	Seed      uint64
}

// KG makes a KG: half of it is grass, three tenths forest, the rest crops, roofs and roads.
func KG(o Options) *landscape.KG {
	m := &maker{Options: o, r: rand.New(rand.NewPCG(o.Seed, 7))}
	k := &landscape.KG{Summary: Summary(o.Code, o.Box, o.Seed), Fingerprint: "made up"}
	for number, at := range o.Parcels {
		k.Parcels = append(k.Parcels, m.parcel(number, at))
	}
	for i := range o.Buildings {
		k.Buildings = append(k.Buildings, m.building(i))
	}
	for i := range o.Trees {
		k.Trees = append(k.Trees, m.tree(i))
	}
	for i, t := range []segment.Type{segment.Grass, segment.Tree, segment.Crop, segment.Roof, segment.Road, segment.Tree} {
		k.Segments = append(k.Segments, m.segment(i, t))
	}
	at := m.place()
	k.NewBuildings = []landscape.NewBuilding{{ID: "n1", Type: segment.Roof, AreaSqm: 120, MaxHeight: 7.5, Stories: 2, RoofType: "pitched",
		Confidence: 0.8, At: at, Geometry: square(at, 600)}}
	at = m.place()
	k.Infrastructure = []landscape.Infrastructure{{ID: "i1", Type: segment.Parking, AreaSqm: 500, VolumeM3: 50, MaxHeight: 0.2,
		ParkingSpots: 20, Confidence: 0.7, At: at, Geometry: square(at, 1200)}}
	for i := range o.Samples {
		for j := range o.Samples {
			p := geom.Point{X: o.Box.MinX + int32((float64(i)+0.5)/float64(o.Samples)*float64(o.Box.MaxX-o.Box.MinX)),
				Y: o.Box.MinY + int32((float64(j)+0.5)/float64(o.Samples)*float64(o.Box.MaxY-o.Box.MinY))}
			k.Samples = append(k.Samples, landscape.Sample{At: p, DTM: float32(Ground(p))})
		}
	}
	k.BuildingCount, k.TreeCount, k.ParcelCount = float64(len(k.Buildings)), float64(len(k.Trees)), float64(len(k.Parcels))
	k.NewBuildingCount, k.InfrastructureCount, k.Record.Segments = 1, 1, float64(len(k.Segments))
	return k
}

type maker struct {
	Options
	r *rand.Rand
}

func (m *maker) place() geom.Point {
	return geom.Point{X: m.Box.MinX + m.r.Int32N(max(m.Box.MaxX-m.Box.MinX, 1)), Y: m.Box.MinY + m.r.Int32N(max(m.Box.MaxY-m.Box.MinY, 1))}
}

func square(p geom.Point, side int32) geom.MultiPolygon {
	return geom.MultiPolygon{{{p, {X: p.X + side, Y: p.Y}, {X: p.X + side, Y: p.Y + side}, {X: p.X, Y: p.Y + side}}}}
}

// Summary makes what the index has of a KG.
func Summary(code austria.KGCode, box geom.Box, seed uint64) landscape.Summary {
	r := rand.New(rand.NewPCG(seed, 24))
	s := landscape.Summary{Record: landscape.Empty(code)}
	k := &s.Record
	k.KGName, k.BBox, k.Centroid, k.Processed = "Musterdorf "+string(code), box, box.Center(), true
	k.GemeindeCode, k.GemeindeName, k.DistrictCode, k.StateCode = string(code[:1])+"9901", "Mustergemeinde", string(code[:1])+"99",
		string(code[:1])
	k.ParcelCount, k.BuildingCount, k.TotalAreaSqm = float64(100+r.IntN(3000)), float64(20+r.IntN(900)), math.Round(1e6+r.Float64()*2e7)
	k.PrimaryYear, k.DominantType = 2024, "grass"
	k.VegetatedFraction, k.ShannonDiversity, k.Segments = round(0.5+r.Float64()*0.4, 4), round(1+r.Float64(), 4), float64(1000+r.IntN(9000))
	low := math.Round(Ground(box.Center())) + float64(r.IntN(300))
	k.ElevationMin, k.ElevationMax, k.ElevationMean, k.ElevationRange = low, low+400, low+150, 400
	k.SlopeMean, k.SteepnessMax = round(r.Float64()*30, 2), round(40+r.Float64()*40, 2)
	k.AspectDominant, k.TRIMean, k.RoughnessMean = terrain.Sectors[r.IntN(9)], round(r.Float64(), 4), round(r.Float64(), 3)
	k.TerrainClass = terrain.ClassOf(k.TRIMean)
	k.NDVIMean, k.HarmonicMean, k.HarmonicAmplitude, k.HarmonicPhase = round(0.3+r.Float64()*0.5, 4), 0.5, 0.2, 190
	k.PhenologyDominant = segment.Phenologies[r.IntN(len(segment.Phenologies))]
	k.TreeCount, k.TreeCanopySqm, k.TreeMeanHeight, k.TreeStemVolume = float64(r.IntN(90000)), float64(r.IntN(5e6)),
		round(8+r.Float64()*12, 2), float64(r.IntN(90000))
	k.TemporalStability, k.NewBuildingCount, k.InfrastructureCount = 0.9, float64(r.IntN(9)), float64(r.IntN(99))
	k.MeanConfidence, k.RFMeanConfidence, k.RFClassifiedPct = round(0.4+r.Float64()*0.5, 4), round(0.4+r.Float64()*0.5, 4), 80
	k.RFDiverged, k.RFDivergedPct, k.BuildingHeightCoveragePct, k.Tiles = float64(r.IntN(300)), round(r.Float64()*20, 2), 97, 12
	left := 1.0
	for i, t := range []segment.Type{segment.Grass, segment.Tree, segment.Crop, segment.Roof, segment.Road, segment.Water} {
		share := left * (0.35 + 0.2*r.Float64())
		left -= share
		s.Landcover = append(s.Landcover, landscape.Landcover{Type: t, AreaSqm: math.Round(share * k.TotalAreaSqm),
			Fraction: round(share, 6), Objects: float64(40 * (i + 1)),
			HeightMin: 0, HeightMax: 30, HeightMean: float64(2 * i), HeightP90M: float64(3 * i)})
		s.Classification = append(s.Classification, landscape.Classification{Type: t, RFMean: round(0.4+0.6*r.Float64(), 4), RFMin: 0.2,
			RFCount: float64(40 * (i + 1)), DivergedCount: float64(i)})
	}
	s.HansenLoss = []landscape.HansenLoss{{Year: 2015, Pixels: float64(r.IntN(40))}, {Year: 2021, Pixels: float64(1 + r.IntN(90))}}
	s.Divergence = []landscape.Divergence{{RFType: segment.Crop, FinalType: segment.Grass, Count: float64(5 + r.IntN(40))},
		{RFType: segment.Path, FinalType: segment.Road, Count: float64(1 + r.IntN(4))}}
	k.QualityScore, k.QualityGrade = landscape.Quality(k)
	return s
}

func round(v float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(v*p) / p
}

func (m *maker) parcel(number string, at geom.Point) landscape.Parcel {
	var p landscape.Parcel
	landscape.ParcelColumns.Clear(&p)
	dtm := float32(round(Ground(at), 2))
	p.ID, p.AreaSqm, p.Centroid, p.Elevation = string(m.Code)+"-"+number, 8000, at, dtm
	p.VegetatedFraction, p.ForestedFraction, p.DominantType, p.Vegetated = 0.8, 0.3, "grass", true
	p.NDSMMax, p.NDSMMean, p.NDVIMean, p.TreeCount, p.TreeCanopySqm = 22.5, 4.25, 0.625, float32(m.r.IntN(30)), 2400
	p.LossPixels, p.RecentLossPixels = 2, 1
	p.ElevationMin, p.ElevationMax, p.ElevationRange = dtm-3, dtm+3, 6
	p.SlopeMean, p.AspectMean, p.AspectDominant, p.TRIMean, p.TPIMean, p.TerrainClass = 3.5, 225, "SW", 0.25, 0.01, terrain.ClassOf(0.25)
	p.Heights = [7]float32{0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0}
	p.Types = []landscape.Share{{Type: segment.Grass, AreaSqm: 5000, Fraction: 0.625}, {Type: segment.Tree, AreaSqm: 2400, Fraction: 0.3},
		{Type: segment.Roof, AreaSqm: 600, Fraction: 0.075}}
	p.Classification = []landscape.Classification{{Type: segment.Grass, RFMean: 0.75, RFMin: 0.5, RFCount: 3, DivergedCount: 1}}
	p.LossByYear = []landscape.HansenLoss{{Year: 2021, Pixels: 2}}
	p.Vertices = []landscape.Vertex{{At: at, DTM: dtm, Height: float32(math.NaN())}}
	p.TopObjects = []landscape.TopObject{{Type: segment.Roof, HeightMax: 9, HeightMean: 6, AreaSqm: 600, At: at, Confidence: 0.75,
		RFConfidence: 0.5}}
	p.TopTrees = []landscape.TopTree{{HeightMax: 22.5, HeightMean: 14, P90: 20, AreaSqm: 40, At: at, NDVIMean: 0.75, NDVIFused: 0.75,
		HeightChange: 0.5, Phenology: segment.Deciduous, Confidence: 0.75, RFConfidence: 0.5}}
	return p
}

func (m *maker) building(i int) landscape.Building {
	var b landscape.Building
	landscape.BuildingColumns.Clear(&b)
	at := m.place()
	b.ID, b.NS, b.Centroid, b.CentroidDTM = fmt.Sprintf("%s-F%d", m.Code, i+1), "41", at, float32(round(Ground(at), 2))
	b.MaxHeight, b.MeanHeight, b.DSMStd = float32(4+i%12), float32(3+i%12), 0.5
	b.RoofType, b.Stories, b.FootprintSqm = landscape.RoofTypes[i%2], float32(1+i%4), float64(60+20*(i%30))
	b.Geometry = square(at, 900)
	b.Vertices = []landscape.Vertex{{At: at, DTM: b.CentroidDTM, Height: b.MeanHeight}}
	b.Types = []landscape.Share{{Type: segment.Roof, AreaSqm: b.FootprintSqm, Fraction: 1}}
	b.Classification = []landscape.Classification{{Type: segment.Roof, RFMean: 0.75, RFMin: 0.75, RFCount: 1}}
	return b
}

func (m *maker) tree(i int) landscape.Tree {
	var t landscape.Tree
	landscape.TreeColumns.Clear(&t)
	t.ID, t.At, t.Height, t.MeanHeight, t.P90, t.CrownSqm = fmt.Sprintf("t%06d", i), m.place(), float32(5+i%30), float32(3+i%20),
		float32(4+i%28), float32(20+i%60)
	t.Leaf, t.Species, t.Vitality, t.Source, t.Phenology = string(canopy.Coniferous), string(canopy.Spruce), string(canopy.Vital),
		string(canopy.FromHeights), segment.Evergreen
	t.Confidence, t.RFConfidence, t.Likelihood, t.NDVIMean = 0.75, 0.5, 0.75, 0.75
	return t
}

func (m *maker) segment(i int, of segment.Type) landscape.Segment {
	var s landscape.Segment
	landscape.SegmentColumns.Clear(&s)
	at := m.place()
	s.ID, s.At, s.Type, s.Confidence, s.Source, s.AreaSqm = fmt.Sprintf("s%06d", i), at, of, 0.75, string(segment.ByRules),
		float64(500+250*i)
	s.HeightMax, s.HeightMean, s.HeightP90, s.Elevation, s.TRI = float32(3*i), float32(2*i), float32(2*i), float32(round(Ground(at), 2)),
		0.25
	s.ElevationMin, s.ElevationMax, s.Entropy, s.Homogeneity, s.SARVV, s.SARVH = s.Elevation-2, s.Elevation+2, 3.5, 0.25, -9.5, -15.5
	s.Geometry = square(at, 2000)
	return s
}
