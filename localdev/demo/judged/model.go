package judged

import (
	"context"

	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/forest"
	"mappe/shared/landscape/segment"
)

// Missing names a layer and takes it from what a source gives.
type Missing struct {
	Name string
	Take func(l *segment.Layers)
}

// AllMissing are the layers that classes are told without, nothing missing first.
func AllMissing() []Missing {
	return []Missing{
		{"nothing", func(*segment.Layers) {}},
		{"heights", func(l *segment.Layers) { l.DTM, l.DSM, l.EarlierDTM, l.EarlierDSM = nil, nil, nil, nil }},
		{"orthophoto", func(l *segment.Layers) { l.Red, l.Green, l.Blue, l.NIR = nil, nil, nil, nil }},
		{"vegetation index over the year", func(l *segment.Layers) { l.Mean, l.Cos, l.Sin = nil, nil, nil }},
		{"radar", func(l *segment.Layers) { l.VV, l.VH = nil, nil }},
		{"earlier scan", func(l *segment.Layers) { l.EarlierDTM, l.EarlierDSM = nil, nil }},
		{"cadastre", func(l *segment.Layers) { l.Buildings, l.BuildingsKnown, l.Uses = nil, false, nil }},
	}
}

// From is a source without the layer.
func (m Missing) From(source segment.Source) segment.Source {
	return func(ctx context.Context, w raster.Box) (*segment.Layers, error) {
		l, err := source(ctx, w)
		if err == nil {
			m.Take(l)
		}
		return l, err
	}
}

// Classes is how the types of objects were told: by the whole of model and rules, and by rules alone. Only objects count whose true
// type teaches a class; the types given stand for the classes that they teach.
type Classes struct {
	Told, Rules Confusion
	Cases       []forest.Case // confidence of each object, and whether its class is right
	ByModel     int           // objects that the model told
}

// Add divides a scene and adds its objects.
func (c *Classes) Add(ctx context.Context, s *scene.Scene, source segment.Source, model segment.Classifier) error {
	land, err := segment.Divide(ctx, All(s), segment.Default(), source, func(context.Context) error { return nil })
	if err != nil {
		return err
	}
	if c.Told == nil {
		c.Told, c.Rules = Confusion{}, Confusion{}
	}
	answers := segment.Classify(land.Objects, model)
	for i, t := range TrueTypes(s, land) {
		class := t.Type.Info().Learned
		if class == segment.Unclassified {
			continue
		}
		a := &answers[i]
		given := a.Type.Info().Learned
		c.Told[[2]segment.Type{class, given}]++
		c.Rules[[2]segment.Type{class, a.Rules.Type.Info().Learned}]++
		c.Cases = append(c.Cases, forest.Case{Share: a.Confidence, Right: given == class})
		if a.By == segment.ByModel {
			c.ByModel++
		}
	}
	return nil
}

// Right is the share of objects whose class is right.
func (c Confusion) Right() float64 {
	right, all := 0, 0
	for k, n := range c {
		all += n
		if k[0] == k[1] {
			right += n
		}
	}
	return float64(right) / float64(max(all, 1))
}
