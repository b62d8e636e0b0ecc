package cells

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mappe/artefacts/ne"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/geo/hexgrid"
)

// A chunk in all forms holds what the KGs have below the cell.
func TestChunk(t *testing.T) {
	h := over(t, world(t, fixture.CellsOf{}))
	tr := truthOf(builtOnes())
	dict := get(h, "/dict/"+ask[overviewData](t, h, "").Dict.ID).Body.Bytes()
	several := false
	for _, c := range tr.chunks() {
		below := func(x hexgrid.Cell) bool { return parent(x, ne.ChunkRes) == c }
		want := rowsBy(tr.lu, below)
		w := get(h, "/chunk/"+c.String()+"?format=bin")
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) || w.Header().Get("X-NE-Rows") != strconv.Itoa(len(want)/ne.LUBytes) ||
			w.Header().Get("X-NE-Layers") != "lu" {
			t.Fatalf("%s: %d, %d bytes, want %d %v", c, w.Code, w.Body.Len(), len(want), w.Header())
		}
		both := get(h, "/chunk/"+c.String()+"?format=bin&layers=bev,lu")
		k := rowsBy(tr.bev, below)
		if !bytes.Equal(both.Body.Bytes(), append(bytes.Clone(want), k...)) ||
			both.Header().Get("X-NE-Rows") != fmt.Sprintf("%d,%d", len(want)/ne.LUBytes, len(k)/ne.KBytes) ||
			both.Header().Get("X-NE-Layers") != "lu,bev" {
			t.Errorf("%s: two layers: %v", c, both.Header())
		}
		packed := get(h, "/chunk/"+c.String())
		kgs := strings.Split(packed.Header().Get("X-NE-KGs"), ",")
		if !slices.Equal(kgs, tr.kgs[c]) || packed.Header().Get("X-NE-Frames") != strconv.Itoa(len(kgs)) ||
			packed.Header().Get("X-NE-Dict") != ne.DictID(dict) {
			t.Errorf("%s: frames %v, want %v", c, packed.Header(), tr.kgs[c])
		}
		several = several || len(kgs) > 1
		var j struct {
			Chunk hexgrid.Cell
			KGs   map[string]float64
			LU    struct {
				Rows  int
				Cells []hexgrid.Cell `json:"cell_id"`
				Share []int          `json:"kg_share"`
			}
		}
		answer := get(h, "/chunk/"+c.String()+"?format=json")
		if err := json.Unmarshal(answer.Body.Bytes(), &struct{ Data any }{&j}); err != nil {
			t.Fatal(err)
		}
		if j.Chunk != c || j.LU.Rows*ne.LUBytes != len(want) || !slices.Equal(slices.Sorted(maps.Keys(j.KGs)), kgs) {
			t.Errorf("%s: got %+v", c, j)
		}
		for i, x := range j.LU.Cells {
			if row := tr.lu[x]; row == nil || j.LU.Share[i] != int(row[8]) {
				t.Fatalf("%s: cell %s", c, x)
			}
		}
		sum := 0.0
		for x, shares := range tr.shares {
			if below(x) {
				sum += float64(shares[kgs[0]]) / 255 / ne.ChunkCells
			}
		}
		if math.Abs(sum-j.KGs[kgs[0]]) > 1e-4 || !strings.HasPrefix(answer.Header().Get("X-NE-KGs"), kgs[0]+"=0.") {
			t.Errorf("%s: share %g, want %g (%s)", c, j.KGs[kgs[0]], sum, answer.Header().Get("X-NE-KGs"))
		}
	}
	if !several {
		t.Error("no chunk lies in two KGs")
	}
}

// The frames of a chunk are those of the containers, and unpack to their rows.
func TestFramesOfAChunk(t *testing.T) {
	h := over(t, world(t, fixture.CellsOf{}))
	u, err := ne.NewUnpacker(get(h, "/dict/"+ask[overviewData](t, h, "").Dict.ID).Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	c := parent(truthOf(builtOnes()).border(t), ne.ChunkRes)
	w := get(h, "/chunk/"+c.String())
	rest := w.Body.Bytes()
	for code := range strings.SplitSeq(w.Header().Get("X-NE-KGs"), ",") {
		lu := ask[headData](t, h, "/"+code+"/head").Section(ne.LU)
		n, ok := lu.Find(c)
		if !ok {
			t.Fatal("the container has no such chunk")
		}
		frame := rest[:lu.Chunks[n].Bytes]
		rest = rest[lu.Chunks[n].Bytes:]
		if _, err := lu.Unpack(n, frame, u); err != nil {
			t.Error(err)
		}
	}
	if len(rest) != 0 {
		t.Errorf("%d bytes behind the frames", len(rest))
	}
}

func TestRefusedChunks(t *testing.T) {
	s := world(t, fixture.CellsOf{})
	h := over(t, s)
	tr := truthOf(builtOnes())
	c := tr.chunks()[0].String()
	far, _ := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47, Lng: 16}, ne.ChunkRes)
	south, _ := hexgrid.PointToCell(fixture.At(4, -2.5), ne.ChunkRes)
	pentagons, err := hexgrid.Pentagons(ne.ChunkRes)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		c + "?format=zstd&layers=lu,bev": 400, c + "?layers=chg": 400, c + "?format=bin&fields=lu": 400, c + "?layers=x": 400,
		c + "?format=csv":                  400,
		parent(tr.chunks()[0], 8).String(): 400, tr.border(t).String(): 400, "8928308280fffff0": 400, "zz": 400, "0": 400,
		"ffffffffffffffff": 400,
		far.String():       404, pentagons[3].String(): 404, south.String(): 404, tr.border(t).String() + "?format=bin": 400,
	} {
		w := get(h, "/chunk/"+path)
		f := refusal(t, w)
		if w.Code != want || (w.Header().Get("Retry-After") != "") != (path == south.String()) {
			t.Errorf("%s: want %d, got %d %v %s", path, want, w.Code, w.Header(), w.Body)
		}
		if path == south.String() && !slices.Equal(f.Pending, []string{string(unbuilt)}) {
			t.Errorf("pending: %v", f.Pending)
		}
	}
}

// An answer that lacks a KG names it and is not kept; one that lacks none is told by the digests alone.
func TestPartialAndWholeAnswers(t *testing.T) {
	tr := truthOf(builtOnes())
	h := over(t, world(t, fixture.CellsOf{}))
	var partial, whole int
	for _, c := range tr.chunks() {
		for _, format := range []string{"zstd", "bin", "json"} {
			path := "/chunk/" + c.String() + "?format=" + format
			w := get(h, path)
			switch pending := w.Header().Get("X-NE-Pending-KGs"); {
			case pending == string(unbuilt):
				partial++
				if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
					t.Errorf("%s: a partial answer is kept: %v", path, w.Header())
				}
			case pending != "":
				t.Errorf("%s: pending %s", path, pending)
			default:
				whole++
				if again := get(h, path, "If-None-Match", w.Header().Get("ETag")); again.Code != 304 {
					t.Errorf("%s: want 304, got %d", path, again.Code)
				}
			}
		}
	}
	if partial == 0 || whole == 0 {
		t.Errorf("%d partial, %d whole answers", partial, whole)
	}
	// Fernau is far from everything: what is published of others leaves its tags as they are.
	fernau := "/chunk/" + tr.chunks()[slices.IndexFunc(tr.chunks(), func(c hexgrid.Cell) bool { return tr.kgs[c][0] == "00804" })].String()
	other := over(t, world(t, fixture.CellsOf{Pending: pendingOf("88801", unbuilt), Changes: changesOf(tr)}))
	if a, b := get(h, fernau).Header().Get("ETag"), get(other, fernau).Header().Get("ETag"); a == "" || a != b {
		t.Errorf("the same rows, tags %s and %s", a, b)
	}
}

func TestCell(t *testing.T) {
	tr := truthOf(builtOnes())
	h := over(t, world(t, fixture.CellsOf{Changes: changesOf(tr)}))
	c := tr.border(t)
	type cellData struct {
		Cell     hexgrid.Cell
		KGs      map[string]int
		LU, K    map[string]any
		Obs      any
		Chg      *beside
		Children []struct {
			Cell hexgrid.Cell
			LU   map[string]any
		}
	}
	d := ask[cellData](t, h, "/cell/"+c.String())
	if d.Cell != c || !maps.Equal(d.KGs, tr.shares[c]) || d.LU["kg_share"] != float64(tr.lu[c][8]) || d.K["n_units"] != 7.0 ||
		d.K["unit_p10"] != nil || d.Obs != nil || d.LU["orient_axis"] != nil || d.LU["cell_id"] != nil {
		t.Errorf("got %+v, want %v", d, tr.shares[c])
	}
	if d.Chg == nil || d.Chg.N != 1 || d.Chg.Cells[0].Status != ne.Candidate || d.Chg.Cells[0].Earlier == nil {
		t.Errorf("chg %+v", d.Chg)
	}
	above := parent(c, ne.KRes)
	d = ask[cellData](t, h, "/cell/"+above.String()+"?fields=kg_share,reg_n")
	n := 0
	for x := range tr.lu {
		if parent(x, ne.KRes) == above {
			n++
		}
	}
	if len(d.Children) != n || len(d.Children[0].LU) != 1 || d.K["reg_n"] != 2.0 || len(d.K) != 1 || d.LU != nil || d.Chg != nil {
		t.Errorf("%d children, want %d: %+v", len(d.Children), n, d)
	}
	chunk := parent(c, ne.ChunkRes)
	if w := get(h, "/cell/"+chunk.String()); w.Code != 302 || w.Header().Get("Location") != "/api/v1/ne/chunk/"+chunk.String() {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
	far, _ := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47, Lng: 16}, ne.LURes)
	south, _ := hexgrid.PointToCell(fixture.At(4, -2.5), ne.LURes)
	for path, want := range map[string]int{far.String(): 404, parent(far, ne.KRes).String(): 404, south.String(): 404,
		parent(c, 11).String(): 400, "x": 400, c.String() + "?fields=x": 400} {
		if w := get(h, "/cell/"+path); w.Code != want || (w.Header().Get("Retry-After") != "") != (path == south.String()) {
			t.Errorf("%s: want %d, got %d %s", path, want, w.Code, w.Body)
		}
	}
}

// changesOf are changes of two cells: one that both KGs of the border have, with another status, and one of 88801 alone.
func changesOf(tr *truth) map[austria.KGCode][]ne.Change {
	var shared, own hexgrid.Cell
	for _, c := range slices.Sorted(maps.Keys(tr.shares)) {
		if s := tr.shares[c]; shared == 0 && len(s) == 2 && s["88801"] > s["88802"] {
			shared = c
		} else if own == 0 && len(s) == 1 && s["88801"] == 255 {
			own = c
		}
	}
	change := func(c hexgrid.Cell, share uint8, status ne.Status, day string, bau uint8) ne.Change {
		before, after := ne.LURow{Cell: c, KGShare: share, Land: 255, Cov: 255}, ne.LURow{Cell: c, KGShare: share, Land: 245, Cov: 255,
			StrCover: 51, StrN: 2, EdgeMHa: 3}
		before.Use[2], after.Use[2], after.Use[1] = 255, 245-bau, bau
		return ne.Change{Cell: c, Status: status, Since: day, LastChange: day, Before: ne.StatOf(&before), After: ne.StatOf(&after)}
	}
	west := []ne.Change{change(own, 255, ne.Confirmed, "2026-10-01", 102),
		change(shared, uint8(tr.shares[shared]["88801"]), ne.Confirmed, "2026-04-01", 51),
		change(shared, uint8(tr.shares[shared]["88801"]), ne.Candidate, "2026-10-01", 102)}
	slices.SortStableFunc(west, func(a, b ne.Change) int {
		switch {
		case a.Cell < b.Cell:
			return -1
		case a.Cell > b.Cell:
			return 1
		}
		return 0
	})
	return map[austria.KGCode][]ne.Change{"88801": west,
		"88802": {change(shared, uint8(tr.shares[shared]["88802"]), ne.Confirmed, "2026-07-01", 153)}}
}

func TestChangesOfAChunk(t *testing.T) {
	tr := truthOf(builtOnes())
	h := over(t, world(t, fixture.CellsOf{Changes: changesOf(tr)}))
	n := 0
	for _, c := range tr.chunks() {
		var d struct {
			LU  struct{ Rows int }
			Chg beside
		}
		if err := json.Unmarshal(get(h, "/chunk/"+c.String()+"?format=json&layers=chg").Body.Bytes(), &struct{ Data any }{&d}); err != nil {
			t.Fatal(err)
		}
		if len(d.Chg.Cells) != d.LU.Rows {
			t.Errorf("%s: %d rows, %d cells", c, d.LU.Rows, len(d.Chg.Cells))
		}
		for _, x := range d.Chg.Cells {
			if x == nil {
				continue
			}
			n++
			area := ne.CellArea(x.Cell)
			if math.Abs(x.LU[1]-0.4*area) > 0.06 || math.Abs(x.LU[2]+(112./255)*area) > 0.06 || *x.From != "acker" || *x.To != "bau" ||
				math.Abs(x.StrCover-area/5) > 0.06 || x.StrN != 2 || x.EdgeMHa != 3 {
				t.Errorf("%+v in %g m²", x, area)
			}
			if x.Earlier != nil && (x.Status != ne.Candidate || x.Earlier.Status != ne.Confirmed || x.Since != "2026-10-01") {
				t.Errorf("the KG with the larger share is not the one that counts: %+v", x)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d changes, want 2", n)
	}
}

func TestStats(t *testing.T) {
	tr := truthOf(builtOnes())
	h := over(t, world(t, fixture.CellsOf{Changes: changesOf(tr)}))
	whole := ask[statsData](t, h, "/stats")
	c := whole.Change
	if whole.Level != "nation" || whole.KGs != 4 || whole.Built != 3 || c.Confirmed.Cells != 2 || c.Candidate.Cells != 1 ||
		*c.Since != "2026-04-01" || len(whole.Pending) != 1 {
		t.Fatalf("got %+v", whole)
	}
	area := 0.0 // of the two cells: all cells of the world have nearly one area
	for x := range tr.lu {
		area = ne.CellArea(x)
		break
	}
	near := func(what string, got, shares float64) {
		if want := shares / 255 * area; math.Abs(got-want) > 0.002*math.Abs(want)+0.1 {
			t.Errorf("%s: want %g, got %g", what, want, got)
		}
	}
	near("confirmed bau", c.Confirmed.LU[1], 102+51)
	near("confirmed acker", c.Confirmed.LU[2], -(112 + 61))
	near("acker>bau", c.Confirmed.Transitions["acker>bau"], 102+51)
	near("acker>none", c.Confirmed.Transitions["acker>none"], 20)
	near("candidate", c.Candidate.Transitions["acker>bau"], 102)
	if len(c.Confirmed.Transitions) != 2 || c.Confirmed.StrN != 4 || len(c.ByDay) != 2 || c.ByDay[0].Day != "2026-04-01" ||
		c.ByDay[1].Confirmed != 1 || c.ByDay[1].Candidate != 1 {
		t.Errorf("got %+v", c)
	}
	near("by day", c.ByDay[1].ChangedM2, 112+112)
	if east := ask[statsData](t, h, "/stats?kg=88802").Change; east.Confirmed.Cells != 1 || east.Candidate.Cells != 0 ||
		*east.Since != "2026-07-01" {
		t.Errorf("the other KG: %+v", east)
	}
	for path, kgs := range map[string]int{"kg=88802,88801,88802": 2, "gemeinde=38801": 2,
		"gemeinde=gemeinde%2038801": 2, "district=Bezirk-388": 3, "district=388": 3, "state=3": 3,
		"state=Nieder%C3%B6sterreich": 3} {
		d := ask[statsData](t, h, "/stats?"+path)
		if d.KGs != kgs && !strings.HasPrefix(path, "gemeinde") || d.Change.Confirmed.Cells != 2 {
			t.Errorf("%s: %+v", path, d)
		}
	}
	// The published sums are those of the changes of the KGs, which kg= adds up when it names several.
	for path, kgs := range map[string]string{"": "00804,88801,88802", "gemeinde=38801": "88801,88802", "district=388": "88801,88802,88803",
		"state=3": "88801,88802,88803"} {
		area, added := ask[statsData](t, h, "/stats?"+path).Change, ask[statsData](t, h, "/stats?kg="+kgs).Change
		if !reflect.DeepEqual(area, added) {
			t.Errorf("%s: %+v, the KGs give %+v", path, area, added)
		}
	}
	for path, want := range map[string]int{"kg=99999": 404, "gemeinde=99999": 404, "gemeinde=Nirgends": 404,
		"district=999": 404, "kg=88801&state=3": 400,
		"kg=x": 400, "state=Bayern": 400, "kg=88801,": 400} {
		if w := get(h, "/stats?"+path); w.Code != want {
			t.Errorf("%s: want %d, got %d %s", path, want, w.Code, w.Body)
		}
	}
	if w := get(h, "/stats?kg=88801"); w.Header().Get("ETag") == "" ||
		get(h, "/stats?kg=88801", "If-None-Match", w.Header().Get("ETag")).Code != 304 {
		t.Errorf("no 304: %v", w.Header())
	}
	if w := get(h, "/stats"); w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" ||
		w.Header().Get("X-NE-Pending-KGs") != string(unbuilt) {
		t.Errorf("a partial sum is kept: %v", w.Header())
	}
}
