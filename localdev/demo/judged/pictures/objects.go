package main

import (
	"context"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"

	"mappe/artefacts/classifier"
	"mappe/artefacts/classifier/scenes"
	"mappe/localdev/demo/judged"
	"mappe/localdev/demo/scene"
	"mappe/shared/geo/raster"
	"mappe/shared/landscape/canopy"
	"mappe/shared/landscape/forest"
	"mappe/shared/landscape/segment"
)

// trees draws heights above ground, the crowns that were found and the true ones.
func (b *board) trees(context.Context) error {
	s := b.scene
	layers := judged.Layers(s, 2, true)
	heights := func(col, row int) color.RGBA {
		at := row*layers.DTM.Cols + col
		return mixed(rgb(0xffffff), rgb(0x0d3b2a), float64(layers.DSM.Z[at]-layers.DTM.Z[at])/32)
	}
	plain, ours, truth := b.panel(heights), b.panel(heights), b.panel(heights)
	var found []judged.Found
	for _, t := range canopy.Find(layers, s.Bounds(), canopy.Default()) {
		if t.Class.Rejected() || t.Likelihood < 0.35 {
			continue
		}
		found = append(found, judged.Found{X: t.X, Y: t.Y, Height: t.Height, Conifer: t.Leaf == canopy.Coniferous})
		b.circle(ours, t.X, t.Y, t.RadiusMean, rgb(0xe0531f))
	}
	own, _ := s.Owned(0, 0)
	for _, t := range own {
		if t.Stands(2) && t.Height[2] >= 3 && !t.Understorey {
			b.circle(truth, t.Crown.X, t.Crown.Y, t.Radius[2], rgb(0x1f5fe0))
		}
	}
	r := judged.OfTrees(s, 2, 3, judged.Inner(s), found)
	fmt.Printf("trees: %d in the truth, %d found; recall %.3f, precision %.3f, F1 %.3f; heights %+.2f m, standard deviation %.2f m\n",
		r.Truth, r.Found,
		r.Recall(), r.Precision(), r.F1(), r.Bias, r.SD)
	return b.save("landscape-trees.png", plain, ours, truth)
}

// objects draws what a scene was divided into by type, its true classes and what was told wrong; the curve is of all scenes.
func (b *board) objects(ctx context.Context, all []*scene.Scene) error {
	m, err := classifier.Decode(scenes.Model())
	if err != nil {
		return err
	}
	model, err := m.OfSegments()
	if err != nil {
		return err
	}
	var told judged.Classes
	for i, s := range all {
		if err := told.Add(ctx, s, judged.SegmentSource(s, 2+i%2, judged.Bare{}), model); err != nil {
			return err
		}
	}
	if err := b.types(ctx, model); err != nil {
		return err
	}
	points, expected := forest.Reliability(told.Cases, 10)
	fmt.Printf("objects of %d scenes: %d, %.3f right, macro-F1 %.3f, by rules alone %.3f; expected calibration error %.3f\n", len(all),
		len(told.Cases), told.Told.Right(), told.Told.MacroF1(5), told.Rules.MacroF1(5), expected)
	return os.WriteFile(filepath.Join(b.out, "landscape-calibration.svg"), []byte(curve(points, expected)), 0o644)
}

// types draws objects by type beside the truth.
func (b *board) types(ctx context.Context, model segment.Classifier) error {
	land, err := segment.Divide(ctx, judged.All(b.scene), segment.Default(), judged.SegmentSource(b.scene, 2, judged.Bare{}),
		func(context.Context) error { return nil })
	if err != nil {
		return err
	}
	answers := segment.Classify(land.Objects, model)
	truth := judged.ClassesOf(b.scene)
	given := func(at int) segment.Type {
		if k := land.Labels[at]; k > 0 {
			return answers[k-1].Type
		}
		return segment.Unclassified
	}
	of := func(t segment.Type) color.RGBA { return rgb(uint32(t.Info().Colour)) }
	photo := judged.SegmentSource(b.scene, 2, judged.Bare{})
	layers, err := photo(ctx, b.scene.Bounds())
	if err != nil {
		return err
	}
	bands := []*raster.Grid{layers.Red, layers.Green, layers.Blue}
	return b.save("landscape-types.jpg", b.panel(func(col, row int) color.RGBA {
		at := row*land.Cols + col
		return color.RGBA{uint8(bands[0].Z[at]), uint8(bands[1].Z[at]), uint8(bands[2].Z[at]), 255}
	}), b.panel(func(col, row int) color.RGBA {
		at := row*land.Cols + col
		if land.Labels[at] != land.Labels[at+1] || land.Labels[at] != land.Labels[at+land.Cols] {
			return mixed(of(given(at)), rgb(0), 0.35)
		}
		return of(given(at))
	}), b.panel(func(col, row int) color.RGBA { return of(truth[row*land.Cols+col]) }))
}

// curve is the reliability diagram: how often decisions of a confidence were right, bars as wide as confidences were gathered.
func curve(points []forest.Point, expected float64) string {
	const size, left, bottom = 320.0, 50.0, 40.0
	most := 1
	for _, p := range points {
		most = max(most, p.Cases)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n",
		left+size+20, size+bottom+30)
	b.WriteString(`<title>Share of right classes by confidence</title><rect width="100%" height="100%" fill="#fff"/>` + "\n")
	x, y := func(v float64) float64 { return left + v*size }, func(v float64) float64 { return 15 + size - v*size }
	for k := range 6 {
		v := float64(k) / 5
		fmt.Fprintf(&b, `<path d="M%g %gH%g M%g %gV%g" stroke="#ddd"/><text x="%g" y="%g" text-anchor="end">%.1f</text><text x="%g" y="%g" text-anchor="middle">%.1f</text>`+"\n",
			x(0), y(v), x(1), x(v), y(0), y(1), x(0)-6, y(v)+4, v, x(v), y(0)+16, v)
	}
	for _, p := range points {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#cfe0f2"/>`+"\n", x(p.From),
			y(0.3*float64(p.Cases)/float64(most)),
			(p.To-p.From)*size-1, 0.3*float64(p.Cases)/float64(most)*size)
	}
	fmt.Fprintf(&b, `<path d="M%g %gL%g %g" stroke="#888" stroke-dasharray="4 3"/>`+"\n", x(0), y(0), x(1), y(1))
	var line []string
	for _, p := range points {
		if p.Cases > 0 {
			line = append(line, fmt.Sprintf("%.1f %.1f", x(p.Confidence), y(p.Right)))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="#0b4f8a"><title>%d objects, confidence %.2f, right %.2f</title></circle>`+"\n",
				x(p.Confidence), y(p.Right), p.Cases, p.Confidence, p.Right)
		}
	}
	fmt.Fprintf(&b, `<path d="M%s" fill="none" stroke="#0b4f8a" stroke-width="2"/>`+"\n", strings.Join(line, "L"))
	fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">confidence (bars: how many objects have it)</text>`, x(0.5), y(0)+34)
	fmt.Fprintf(&b, `<text x="%g" y="%g">expected calibration error %.3f</text></svg>`+"\n", x(0)+10, y(1)+18, expected)
	return b.String()
}
