package world

import "testing"

func TestTheValleyIsAValley(t *testing.T) {
	w := theWorld(t)
	for x := west + 100; x < east-400; x += 150 {
		a, b := riverAt(x), riverAt(x+300)
		if w.Height(b) > w.Height(a)+2 {
			t.Errorf("the river rises from %.1f to %.1f m at x=%.0f", w.Height(a), w.Height(b), x)
		}
		if up := w.Height(mainFrame(x, 2600)); up < w.Height(a)+500 {
			t.Errorf("the northern slope at x=%.0f is only %.0f m high", x, up)
		}
	}
	lowest := map[uint8]float64{54: 1400, 55: 1400, 87: 1800, 88: 2200}
	for _, u := range w.Uses {
		x, y, _ := u.Shape.Inside()
		h := w.Height(P{x * Unit / 2, y * Unit / 2})
		if low, ok := lowest[u.NS]; ok && h < low {
			t.Errorf("use %d at %.0f m: want at least %.0f", u.NS, h, low)
		}
		if (u.NS == 52 || u.NS == 48) && h > 1650 {
			t.Errorf("use %d at %.0f m: too high", u.NS, h)
		}
	}
}

func TestWaysAndPeaksAreThere(t *testing.T) {
	w := theWorld(t)
	n := map[WayKind]int{}
	for _, v := range w.Ways() {
		if len(v.Line) < 2 || v.Width < 3 {
			t.Errorf("way %q has %d points and is %.1f m wide", v.Name, len(v.Line), v.Width)
		}
		n[v.Kind]++
	}
	for k, least := range map[WayKind]int{MainRoad: 6, StreetWay: 60, Track: 40, ForestRoad: 8, Railway: 1, River: 1, Brook: 12} {
		if n[k] < least {
			t.Errorf("ways of kind %d: want at least %d, got %d", k, least, n[k])
		}
	}
	peaks := w.Peaks()
	if len(peaks) < 8 {
		t.Errorf("want at least 8 peaks, got %d", len(peaks))
	}
	for _, p := range peaks {
		if p.Height < 1700 || p.Height > 3000 {
			t.Errorf("peak of %.0f m", p.Height)
		}
	}
	t.Log(peaks)
}

func TestElevationTakesDegrees(t *testing.T) {
	w := theWorld(t)
	lon, lat := P{1200, -700}.LonLat()
	if got, want := w.Elevation(lon, lat), w.Height(P{1200, -700}); got < want-0.01 || got > want+0.01 {
		t.Errorf("want %.3f m, got %.3f", want, got)
	}
}
