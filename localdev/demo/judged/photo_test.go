package judged

import (
	"testing"

	"mappe/shared/landscape/canopy"
)

// With an orthophoto trees are found as well, and their leaf types are told better.
func TestTreesWithAPhoto(t *testing.T) {
	s := sceneOf(t, "gate", 0, 250)
	l := Layers(s, 2, true)
	p := canopy.Default()
	plain := OfTrees(s, 2, 3, Inner(s), found(canopy.Find(l, s.Bounds(), p)))
	l.Photo = Photo(s, 2)
	p.Fused = true
	list := canopy.Find(l, s.Bounds(), p)
	r := OfTrees(s, 2, 3, Inner(s), found(list))
	confirmed := 0
	for i := range list {
		if list[i].Source == canopy.FromBoth {
			confirmed++
		}
	}
	leaf := func(r Trees) float64 { return float64(r.LeafRight) / float64(r.Matched) }
	t.Logf("F1 %.3f, without the photo %.3f; leaf type right %.3f and %.3f; %d of %d apexes confirmed", r.F1(), plain.F1(), leaf(r),
		leaf(plain), confirmed, len(list))
	if r.F1() < plain.F1()-0.02 || leaf(r) < 0.9 || confirmed < len(list)/20 {
		t.Errorf("F1 %.3f, without the photo %.3f; leaf type right %.3f; %d of %d apexes confirmed", r.F1(), plain.F1(), leaf(r), confirmed,
			len(list))
	}
}
