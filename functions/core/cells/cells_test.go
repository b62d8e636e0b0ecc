package cells

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"mappe/artefacts/library"
	"mappe/artefacts/ne"
	"mappe/functions/fixture"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
	"mappe/shared/web/endpoint"
)

// post asks for cells by ids.
func post(h http.Handler, query, body string) *answerOf {
	w := fixture.Ask(h, "POST", "/api/v1/ne/cells"+query, body)
	return &answerOf{w.Code, w.Header(), w.Body.Bytes()}
}

type answerOf struct {
	code   int
	header http.Header
	body   []byte
}

// Ids of all resolutions at once, named twice and in any order, give each row once.
func TestCellsByIDs(t *testing.T) {
	h := over(t, world(t, fixture.CellsOf{}))
	tr := truthOf(builtOnes())
	lu := slices.Sorted(maps.Keys(tr.lu))
	k := slices.Sorted(maps.Keys(tr.bev))
	chunk := tr.chunks()[1]
	far, _ := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 47, Lng: 16}, ne.LURes)
	named := []hexgrid.Cell{lu[40], k[3], chunk, lu[3], lu[40], far, k[0], tr.border(t)}
	want := rowsBy(tr.lu, func(c hexgrid.Cell) bool { return slices.Contains(named, c) || parent(c, ne.ChunkRes) == chunk })
	wantK := rowsBy(tr.bev, func(c hexgrid.Cell) bool { return slices.Contains(named, c) })
	var text []string
	for _, c := range named {
		text = append(text, c.String())
	}
	g := get(h, "/cells?ids="+strings.Join(text, ","))
	p := post(h, "", ids2(named))
	for _, got := range []*answerOf{{g.Code, g.Header(), g.Body.Bytes()}, p} {
		if got.code != 200 || !bytes.Equal(got.body, append(bytes.Clone(want), wantK...)) || got.header.Get("X-NE-Layers") != "lu,bev" ||
			got.header.Get("X-NE-Missing") != "1" ||
			got.header.Get("X-NE-Rows") != fmt.Sprintf("%d,%d", len(want)/ne.LUBytes, len(wantK)/ne.KBytes) {
			t.Errorf("got %d, %d bytes of %d, %v", got.code, len(got.body), len(want)+len(wantK), got.header)
		}
	}
	var d struct {
		LU, Bev struct {
			Rows  int
			Cells []hexgrid.Cell `json:"cell_id"`
		}
		KGs     []string
		Missing []hexgrid.Cell
	}
	j := post(h, "?format=json&fields=kg_share", ids2(named))
	if err := json.Unmarshal(j.body, &struct{ Data any }{&d}); err != nil {
		t.Fatal(err)
	}
	if d.LU.Rows*ne.LUBytes != len(want) || !slices.IsSorted(d.LU.Cells) || d.Bev.Rows != 2 ||
		!slices.Equal(d.Missing, []hexgrid.Cell{far}) || len(d.KGs) == 0 || bytes.Contains(j.body, []byte("n_units")) {
		t.Errorf("got %+v", d)
	}
	if accepted := fixture.Ask(h, "POST", "/api/v1/ne/cells", ids2(named), "Accept",
		"application/json"); !strings.HasPrefix(accepted.Header().Get("Content-Type"), "application/json") {
		t.Errorf("Accept is passed over: %v", accepted.Header())
	}
	if bev := post(h, "?layers=bev", ids2([]hexgrid.Cell{chunk})); len(bev.body) != len(rowsBy(tr.bev,
		func(c hexgrid.Cell) bool { return parent(c, ne.ChunkRes) == chunk })) {
		t.Errorf("K rows of a chunk: %d bytes", len(bev.body))
	}
}

// Cells around a point and in a box are those that the grid and the box say.
func TestCellsByPlace(t *testing.T) {
	h := over(t, world(t, fixture.CellsOf{}))
	tr := truthOf(builtOnes())
	at := fixture.At(2, 2)
	centre, _ := hexgrid.PointToCell(at, ne.LURes)
	for k, n := range []int{1, 7, 19, 37} {
		w := get(h, fmt.Sprintf("/cells?lon=%.7f&lat=%.7f&k=%d", at.Lon(), at.Lat(), k))
		disk, _ := centre.GridDisk(k)
		want := rowsBy(tr.lu, func(c hexgrid.Cell) bool { return slices.Contains(disk, c) })
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) || len(want) != n*ne.LUBytes {
			t.Errorf("k=%d: %d, %d bytes", k, w.Code, w.Body.Len())
		}
	}
	for _, b := range [][4]float64{{1, 1, 3, 3}, {-1, -1, 5, 5}, {3.9, 1, 4.1, 3}} {
		sw, ne12 := fixture.At(b[0], b[1]), fixture.At(b[2], b[3])
		in := func(c hexgrid.Cell) bool {
			p, _ := c.LatLng()
			q, _ := geom.PointAt(p.Lng, p.Lat)
			return q.X >= sw.X && q.X < ne12.X && q.Y >= sw.Y && q.Y < ne12.Y
		}
		box := fmt.Sprintf("/cells?bbox=%.7f,%.7f,%.7f,%.7f", sw.Lon(), sw.Lat(), ne12.Lon(), ne12.Lat())
		want := rowsBy(tr.lu, in)
		if w := get(h, box); w.Code != 200 || !bytes.Equal(w.Body.Bytes(), want) || len(want) == 0 {
			t.Errorf("%v: %d, %d bytes, want %d", b, w.Code, w.Body.Len(), len(want))
		}
		above := map[hexgrid.Cell]bool{}
		all, _ := hexgrid.PolygonToCells(geom.MultiPolygon{{fixture.Rect(b[0], b[1], b[2], b[3])}}, ne.LURes, 1<<20)
		for _, c := range all {
			above[parent(c, ne.KRes)] = true
		}
		if w := get(h, box+"&layers=bev"); !bytes.Equal(w.Body.Bytes(), rowsBy(tr.bev, func(c hexgrid.Cell) bool { return above[c] })) {
			t.Errorf("%v: K rows: %d bytes", b, w.Body.Len())
		}
		list := ask[chunkList](t, h, strings.Replace(box, "?", "?list=1&", 1))
		for i, c := range list.Chunks {
			w := get(h, "/chunk/"+c.String())
			if tag := w.Header().Get("ETag"); tag == "" != (list.ETags[i] == nil) || tag != "" && tag != *list.ETags[i] {
				t.Errorf("%v: chunk %s has the tag %s, the list says %v", b, c, tag, list.ETags[i])
			}
		}
		if len(list.Chunks) == 0 || len(list.Chunks) != len(list.ETags) {
			t.Errorf("%v: %+v", b, list)
		}
	}
}

// Every limit one above and at it.
func TestLimitsOfSelections(t *testing.T) {
	s := world(t, fixture.CellsOf{})
	h := over(t, s)
	centre, _ := hexgrid.PointToCell(fixture.At(2, 2), ne.LURes)
	disk, err := centre.GridDisk(80)
	if err != nil || len(disk) < maxPostIDs+1 {
		t.Fatal(err, len(disk))
	}
	if p := post(h, "", ids2(disk[:maxPostIDs])); p.code != 200 {
		t.Errorf("16,384 ids: %d %.300s", p.code, p.body)
	}
	if p := post(h, "", ids2(disk[:maxPostIDs+1])); p.code != 413 || !bytes.Contains(p.body, []byte("16385")) {
		t.Errorf("16,385 ids: %d %.300s", p.code, p.body)
	}
	short := func(n int) string { // the URL stays below its own limit
		return "/cells?ids=" + strings.TrimSuffix(strings.Repeat(centre.String()+",", n), ",")
	}
	if w := get(h, short(490)); w.Code != 200 || len(w.Body.Bytes()) != ne.LUBytes {
		t.Errorf("490 ids: %d", w.Code)
	}
	if w := get(h, short(512)); w.Code != 414 || !strings.Contains(refusal(t, w).Error, "POST") || w.Header().Get("X-Request-Id") == "" {
		t.Errorf("a long URL: %d %s", w.Code, w.Body)
	}
	exact := short(490)
	exact += "&nocache=" + strings.Repeat("x", maxURL-len("/api/v1/ne"+exact)-len("&nocache="))
	if w := get(h, exact); w.Code != 200 {
		t.Errorf("8,000 bytes: %d", w.Code)
	}
	if w := get(h, exact+"x"); w.Code != 414 {
		t.Errorf("8,001 bytes: %d", w.Code)
	}
	// Only without the limit of the URL that of the ids is met.
	e := cellsGet()
	e.Gate = nil
	open, err := ungated(s, e)
	if err != nil {
		t.Fatal(err)
	}
	if w := get(open, short(maxGetIDs)); w.Code != 200 {
		t.Errorf("512 ids: %d", w.Code)
	}
	if w := get(open, short(maxGetIDs+1)); w.Code != 413 || !strings.Contains(refusal(t, w).Error, "513") {
		t.Errorf("513 ids: %d %s", w.Code, w.Body)
	}
	lon, lat := 15.0, 48.0
	for span, want := range map[float64]int{0.05: 413, 0.0501: 413, 0.02: 200} { // 0.05 degrees both ways have too many cells
		w := get(h, fmt.Sprintf("/cells?bbox=%g,%g,%g,%g", lon, lat, lon+span, lat+span))
		if w.Code != want {
			t.Errorf("span %g: want %d, got %d %.200s", span, want, w.Code, w.Body)
		}
		if want == 413 {
			var split [][4]float64
			if err := json.Unmarshal(refusal(t, w).Split, &split); err != nil || len(split) != 4 || split[0][0] != lon ||
				split[3][3] != lat+span {
				t.Errorf("span %g: split %v %v", span, split, err)
			}
		}
	}
	for _, tiny := range []string{"", "&list=1", "&format=json"} { // a box between two centres
		if w := get(h, "/cells?bbox=15.0000001,48.0000001,15.0000002,48.0000002"+tiny); w.Code != 200 {
			t.Errorf("a tiny box %s: %d %s", tiny, w.Code, w.Body)
		}
	}
	if w := get(h, fmt.Sprintf("/cells?bbox=%g,%g,%g,%g", lon, lat, lon+0.05, lat+0.004)); w.Code != 200 {
		t.Errorf("a flat box: %d %.200s", w.Code, w.Body)
	}
	for query, want := range map[string]string{
		"": "ids", "ids=x": "resolution 9, 10, 12", "ids=" + parent(centre, 11).String(): "resolution",
		"ids=" + centre.String() + ",": "ids", "lon=15": "lat", "lat=48": "lon",
		"lon=15&lat=48&k=4": "k", "lon=15&lat=48&k=-1": "k", "lon=48&lat=15": "swapped", "lon=15&lat=48&bbox=15,48,15.01,48.01": "exclude",
		"bbox=15,48,15": "bbox", "bbox=15,48,14,49": "bbox",
		"bbox=15,48,15,48": "bbox", "bbox=NaN,48,15,49": "bbox", "ids=" + centre.String() + "&k=1": "lon",
		"ids=" + centre.String() + "&fields=lu": "format=json", "lon=15&lat=48&layers=chg": "layers",
		"lon=15&lat=91": "lat",
	} {
		if w := get(h, "/cells?"+query); w.Code != 400 || !strings.Contains(refusal(t, w).Error, want) {
			t.Errorf("%s: want 400 and %q, got %d %s", query, want, w.Code, w.Body)
		}
	}
	for body, want := range map[string]string{
		"": "empty", "{}": "ids", `{"ids":[]}`: "ids", `{"ids":["8c"]}`: "ids[0]", `{"ids":[1]}`: "text", `{"cells":[]}`: "cells",
		"[": "JSON", `{"ids":["` + centre.String() + `","` + parent(centre, 8).String() + `"]}`: "ids[1]",
	} {
		if p := post(h, "", body); p.code != 400 || !bytes.Contains(p.body, []byte(want)) {
			t.Errorf("%s: want 400 and %q, got %d %s", body, want, p.code, p.body)
		}
	}
	if p := post(h, "", strings.Repeat(" ", 600<<10)+"{}"); p.code != 413 {
		t.Errorf("a body of 600 KB: %d", p.code)
	}
	pentagons, _ := hexgrid.Pentagons(ne.LURes)
	if p := post(h, "?format=json", ids2(pentagons)); p.code != 200 || !bytes.Contains(p.body, []byte(`"rows":0`)) {
		t.Errorf("pentagons: %d %.200s", p.code, p.body)
	}
}

// ungated serves one endpoint alone.
func ungated(s store.Store, e endpoint.Endpoint) (http.Handler, error) {
	lib, err := fixture.Open(s)
	if err != nil {
		return nil, err
	}
	service := New(Deps{Library: lib, Now: today})
	service.Endpoints = []endpoint.Endpoint{e}
	return service.Handler()
}

// A request that would read too much is told what to ask instead.
func TestTooMuchToRead(t *testing.T) {
	much := &tooMuch{rows: maxRows + 1}
	cells := make([]hexgrid.Cell, 11)
	f := refused(much, &selection{ids: cells}).Error()
	if !strings.Contains(f, "180000 rows") || !strings.Contains(f, "positions") {
		t.Error(f)
	}
	b := box{15, 48, 15.04, 48.02}
	if f := refused(&tooMuch{kgs: maxKGs + 1}, &selection{box: &b}).Error(); !strings.Contains(f, "64 KGs") {
		t.Error(f)
	}
	// 88 small KGs side by side: 64 of them can be asked for, not more.
	many := fixture.Many(70)
	s := world(t, fixture.CellsOf{})
	if err := fixture.Publish(s, many); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddCells(s, many, fixture.CellsOf{}); err != nil {
		t.Fatal(err)
	}
	h := over(t, s)
	at := func(n int) (ids []hexgrid.Cell) {
		for i := range n {
			c, _ := hexgrid.PointToCell(fixture.At(float64(2*i)+1, 1), ne.LURes)
			ids = append(ids, c)
		}
		return ids
	}
	if p := post(h, "", ids2(at(50))); p.code != 200 || len(p.body) != 50*ne.LUBytes {
		t.Errorf("50 KGs: %d, %d bytes", p.code, len(p.body))
	}
	p := post(h, "", ids2(at(70)))
	if p.code != 413 || !bytes.Contains(p.body, []byte(`"split":[[0,35],[35,70]]`)) {
		t.Errorf("70 KGs: %d %s", p.code, p.body)
	}
}

// breaking fails the at-th read, counted from 1.
type breaking struct {
	store.Store
	at, reads atomic.Int64
}

func (b *breaking) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	if b.reads.Add(1) == b.at.Load() {
		return nil, errors.New("the network broke")
	}
	return b.Store.Get(ctx, key, o)
}

// Whichever read of the store fails, the answer is whole or says that it cannot be given now; the next one is whole.
func TestEveryReadFailsOnce(t *testing.T) {
	tr := truthOf(builtOnes())
	s := world(t, fixture.CellsOf{Changes: changesOf(tr)})
	c := tr.border(t)
	chunk := parent(c, ne.ChunkRes)
	for _, path := range []string{"", "/manifest?since=" + secondAt, "/88801", "/88801?layers=bev", "/88801/head", "/88801?format=json",
		"/chunk/" + chunk.String(), "/chunk/" + chunk.String() + "?format=json&layers=lu,chg",
		"/cell/" + c.String(), "/cells?ids=" + c.String() + "," + chunk.String(), "/stats?kg=88801,88802"} {
		want := ""
		for at := int64(0); ; at++ {
			b := &breaking{Store: s}
			lib, err := library.Open(t.Context(), b, library.Options{})
			if err != nil {
				t.Fatal(err)
			}
			h := fixture.Handler(t, New(Deps{Library: lib, Now: today}))
			b.reads.Store(0)
			b.at.Store(at)
			w := get(h, path)
			reads := b.reads.Load()
			b.at.Store(0)
			if body := untimed(w.Body.String()); at == 0 {
				want = body
			} else if w.Code == 200 && body != want || w.Code != 200 && (w.Code != 503 || w.Header().Get("Retry-After") == "" ||
				strings.Contains(body, "network")) {
				t.Errorf("%s, read %d of %d fails: got %d %.300s", path, at, reads, w.Code, body)
			}
			if again := get(h, path); again.Code != 200 || untimed(again.Body.String()) != want {
				t.Errorf("%s, after read %d failed: got %d %.300s", path, at, again.Code, again.Body)
			}
			if at > reads {
				break
			}
		}
	}
}

// untimed is an answer without what differs between equal ones.
func untimed(body string) string {
	head, rest, ok := strings.Cut(body, `"query_time_ms":`)
	if !ok {
		return body
	}
	return head + strings.TrimLeft(rest, "0123456789.")
}

// What an answer costs: reads of objects when nothing is in memory, and none when all is.
func TestReads(t *testing.T) {
	tr := truthOf(builtOnes())
	s := world(t, fixture.CellsOf{Changes: changesOf(tr)})
	chunk := parent(tr.border(t), ne.ChunkRes).String()
	for path, want := range map[string]int64{
		"": 1, "/manifest": 1, "/manifest?since=" + secondAt: 2, // the list; the log
		"/88801": 2, "/88801/head": 3, // the object; its header and the dictionary
		"/chunk/" + chunk:                    1 + 1 + 2,     // list, dictionary, two containers: small ones are read whole
		"/cell/" + tr.border(t).String():     1 + 1 + 2 + 2, // two objects of changes
		"/cells?ids=" + chunk:                1 + 1 + 2,
		"/stats":                             1 + 2, // list, directory and section of the sums
		"/stats?kg=88801":                    1 + 2,
		"/stats?kg=88801,88802":              1 + 2, // list, directory, the sections of both in one read
		"/dict/" + dictOf(t, s):              2,
		"/cells?ids=" + chunk + "&list=true": 1 + 1 + 2,
	} {
		counted := &storetest.Counting{Store: s}
		h := over(t, counted)
		counted.Reset()
		if w := get(h, path); w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		if got := counted.Reads().Gets; got != want {
			t.Errorf("%s: want %d reads, got %d", path, want, got)
		}
		counted.Reset()
		get(h, path)
		if got := counted.Reads().Gets; got != 0 && path != "/88801" { // stored bytes are passed on, not kept
			t.Errorf("%s again: %d reads", path, got)
		}
	}
}

// Sums of many KGs are read as they are published, not from what changed in each: the list, the directory of the sums, and
// in one read the sections of KGs that lie close to each other in it.
func TestReadsOfTheSumsOfManyKGs(t *testing.T) {
	list := fixture.Many(60)
	changes := map[austria.KGCode][]ne.Change{}
	var codes []string
	for _, snap := range list {
		row := ne.ParseLU(fixture.CellRows(snap)[0].Chunks[0].Rows)
		before := row
		before.Use = [9]uint8{4: 255}
		changes[snap.KG.Code] = []ne.Change{{Cell: row.Cell, Status: ne.Confirmed, Since: "2026-10-01", LastChange: "2026-10-01",
			Before: ne.StatOf(&before), After: ne.StatOf(&row)}}
		codes = append(codes, string(snap.KG.Code))
	}
	s := mem.New()
	if err := fixture.Publish(s, list); err != nil {
		t.Fatal(err)
	}
	if err := fixture.AddCells(s, list, fixture.CellsOf{Changes: changes, Log: threePublications()}); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2, 20, 60} {
		counted := &storetest.Counting{Store: s}
		h := over(t, counted)
		counted.Reset()
		d := ask[statsData](t, h, "/stats?kg="+strings.Join(codes[:n], ","))
		if got := counted.Reads().Gets; got != 3 {
			t.Errorf("%d KGs: %d reads, want 3", n, got)
		}
		if cells := d.Change.Confirmed.Cells; cells < 1 || cells > n || d.KGs != n {
			t.Errorf("%d KGs: %d cells changed", n, cells)
		}
	}
}

func dictOf(t testing.TB, s store.Store) string {
	return ask[overviewData](t, over(t, s), "").Dict.ID
}

func TestRound(t *testing.T) {
	if s := strconv.FormatFloat(round(-0.01, 1), 'f', -1, 64); s != "0" {
		t.Errorf("got %s", s)
	}
}
