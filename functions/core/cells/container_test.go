package cells

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"mappe/artefacts/ne"
	"mappe/functions/fixture"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

func TestOverview(t *testing.T) {
	h := over(t, world(t, fixture.CellsOf{}))
	d := ask[overviewData](t, h, "")
	if d.Frozen.Pin != ne.Pin() || d.Frozen.Layout != ne.Layout || d.Counts.KGs != 4 || d.Counts.Built != 3 || d.Counts.Unbuilt != 1 ||
		d.Counts.Rows == 0 || d.ObsPublic || *d.GeneratedAt != thirdAt {
		t.Errorf("got %+v", d)
	}
	if w := get(h, strings.TrimPrefix(d.Dict.URL, "/api/v1/ne")); w.Code != 200 || ne.DictID(w.Body.Bytes()) != d.Dict.ID ||
		w.Header().Get("X-NE-Dict") != d.Dict.ID || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("dictionary: %d %v", w.Code, w.Header())
	}
	for id, want := range map[string]int{"0123456789abcdef": 404, "0123": 400, "0123456789ABCDEF": 400, "0123456789abcdeg": 400} {
		if w := get(h, "/dict/"+id); w.Code != want {
			t.Errorf("dictionary %s: want %d, got %d %s", id, want, w.Code, w.Body)
		}
	}
}

// A generation without cells has none built.
func TestGenerationWithoutCells(t *testing.T) {
	s := mem.New()
	if err := fixture.Publish(s, fixture.Snapshots(), unbuilt); err != nil {
		t.Fatal(err)
	}
	h := over(t, s)
	if d := ask[overviewData](t, h, ""); d.Counts.Built != 0 || d.Counts.Unbuilt != 4 || d.Dict != nil || d.GeneratedAt != nil {
		t.Errorf("got %+v", d)
	}
	if d := ask[manifestData](t, h, "/manifest"); len(d.KGs) != 4 || d.KGs[0].Status != statusUnbuilt {
		t.Errorf("got %+v", d)
	}
	if w := get(h, "/88801"); w.Code != 404 || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
}

func TestContainer(t *testing.T) {
	s := world(t, fixture.CellsOf{})
	h := over(t, s)
	w := get(h, "/88801")
	whole := w.Body.Bytes()
	head, err := ne.ParseFront(whole, int64(len(whole)))
	if err != nil || w.Code != 200 || w.Header().Get("Content-Type") != ne.MediaType || head.KG != "88801" ||
		w.Header().Get("X-NE-Dict") != head.Dict {
		t.Fatal(w.Code, err, w.Header())
	}
	tag := w.Header().Get("ETag")
	if again := get(h, "/88801", "If-None-Match", tag); again.Code != 304 || again.Body.Len() != 0 {
		t.Errorf("want 304, got %d", again.Code)
	}
	if part := get(h, "/88801", "Range", "bytes=5-104", "If-Range", tag); part.Code != 206 ||
		!bytes.Equal(part.Body.Bytes(), whole[5:105]) {
		t.Errorf("want bytes 5 to 104, got %d, %d bytes", part.Code, part.Body.Len())
	}
	if none := get(h, "/88801", "Range", fmt.Sprintf("bytes=%d-", len(whole))); none.Code != 416 {
		t.Errorf("a range behind the end: want 416, got %d", none.Code)
	}
	if other := get(h, "/88802").Header().Get("ETag"); other == tag {
		t.Error("two containers, one ETag")
	}
	got := ask[headData](t, h, "/88801/head")
	if got.Bytes != int64(len(whole)) || got.Start != head.Start() || got.Header.Generation != head.Generation ||
		len(got.Sections) != len(head.Sections) || got.Sections[0].SHA256 != head.Sections[0].SHA256 {
		t.Errorf("head: got %+v", got)
	}
	sum := ""
	for _, k := range ask[manifestData](t, h, "/manifest").KGs {
		if k.Code == "88801" {
			sum = k.SHA256
		}
	}
	named := get(h, "/88801?sha256="+sum)
	if !bytes.Equal(named.Body.Bytes(), whole) || named.Header().Get("ETag") != tag ||
		named.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("by its sum: got %d, %d bytes, %v", named.Code, named.Body.Len(), named.Header())
	}
	if part := get(h, "/88801?sha256="+sum, "Range", "bytes=5-104", "If-Range", tag); part.Code != 206 ||
		!bytes.Equal(part.Body.Bytes(), whole[5:105]) {
		t.Errorf("a part by its sum: got %d, %d bytes", part.Code, part.Body.Len())
	}
	if now := get(h, "/88801?sha256="+sum, "Cache-Control", "no-cache"); strings.Contains(now.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("asked past caches: %v", now.Header())
	}
	other := sum[1:] + string('0'+(sum[0]+1)%8)
	for query, status := range map[string]int{"sha256=" + other: 409, "sha256=" + strings.ToUpper(sum) + "A": 400, "sha256=12": 400,
		"layers=lu&sha256=" + sum: 400, "format=json&sha256=" + sum: 400} {
		w := get(h, "/88801?"+query)
		if w.Code != status || w.Header().Get("Cache-Control") != "no-store" ||
			status == 409 && (!strings.Contains(w.Body.String(), "manifest") || !strings.Contains(w.Body.String(), sum)) {
			t.Errorf("%s: want %d, got %d %v %s", query, status, w.Code, w.Header(), w.Body)
		}
	}
	if w := get(h, "/88801?sha256="+other, "If-None-Match", tag); w.Code != 409 {
		t.Errorf("another sum with the tag of what is published: want 409, got %d", w.Code)
	}
	for path, want := range map[string]int{"/88803": 404, "/88803/head": 404, "/12345": 404, "/x": 400, "/88801?layers=chg": 400,
		"/88801?format=csv": 400, "/88801?fields=lu": 400, "/88801?nothing=1": 400} {
		w := get(h, path)
		f := refusal(t, w)
		if w.Code != want || (w.Header().Get("Retry-After") != "") != strings.HasPrefix(path, "/88803") ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: want %d, got %d %v %+v", path, want, w.Code, w.Header(), f)
		}
	}
}

// The container of some layers is one that the decoder reads, whatever part of it is asked for.
func TestContainerOfSomeLayers(t *testing.T) {
	chunk := truthOf(builtOnes()).chunks()[0]
	seen := append(childRow(chunk), 7, 0)
	s := world(t, fixture.CellsOf{Obs: obsOf("88801", chunk, seen)})
	h := over(t, s)
	dict := get(h, "/dict/"+ask[overviewData](t, h, "").Dict.ID).Body.Bytes()
	u, err := ne.NewUnpacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	whole := get(h, "/88801").Body.Bytes()
	full, err := ne.ParseFront(whole, int64(len(whole)))
	if err != nil || len(full.Sections) != 3 {
		t.Fatal(err)
	}
	tags := map[string]string{}
	for _, layers := range []string{"lu", "bev", "obs", "lu,bev", "lu,obs", "obs,lu", "lu,bev,obs"} {
		w := get(h, "/88801?layers="+layers)
		b := w.Body.Bytes()
		head, err := ne.ParseFront(b, int64(len(b)))
		if err != nil || len(head.Sections) != strings.Count(layers, ",")+1 {
			t.Fatalf("%s: %d %v", layers, w.Code, err)
		}
		for i := range head.Sections {
			section := &head.Sections[i]
			var rows []byte
			for c := range section.Chunks {
				at, n := section.Range(c, c+1)
				r, err := section.Unpack(c, b[head.Start()+at:head.Start()+at+n], u)
				if err != nil {
					t.Fatalf("%s: %v", layers, err)
				}
				rows = append(rows, r...)
			}
			if want := full.Section(section.Layer); want.SHA256 != section.SHA256 || want.Rows*want.RecordBytes != len(rows) {
				t.Errorf("%s: %s has other rows", layers, section.Layer)
			}
		}
		for from := 0; from < len(b); from += 1 + len(b)/7 {
			for _, to := range []int{from, min(from+9, len(b)-1), len(b) - 1} {
				part := get(h, "/88801?layers="+layers, "Range", fmt.Sprintf("bytes=%d-%d", from, to))
				if part.Code != 206 || !bytes.Equal(part.Body.Bytes(), b[from:to+1]) {
					t.Fatalf("%s: bytes %d to %d: %d, %d bytes", layers, from, to, part.Code, part.Body.Len())
				}
			}
		}
		if was, ok := tags[w.Header().Get("ETag")]; ok && was != "lu,obs" {
			t.Errorf("%s and %s have one ETag", layers, was)
		}
		tags[w.Header().Get("ETag")] = layers
	}
	if whole := get(h, "/88801?layers=lu,bev,obs").Body.Bytes(); !bytes.Equal(whole, get(h, "/88801").Body.Bytes()) {
		t.Error("the container of all layers is not the stored one")
	}
	if d := ask[overviewData](t, h, ""); !d.ObsPublic || d.Counts.ObsRows != 1 {
		t.Errorf("observations are released: %+v", d)
	}
}

func TestContainerAsJSON(t *testing.T) {
	h := over(t, world(t, fixture.CellsOf{}))
	d := ask[map[string]json.RawMessage](t, h, "/00804?format=json&fields=lu,kg_share,orient_coh,unit_p10")
	var lu struct {
		Rows   int
		Cells  []string `json:"cell_id"`
		Share  []int    `json:"kg_share"`
		LU     [][]int
		Orient []*int `json:"orient_coh"`
		Land   []int
	}
	var bev struct {
		Cells []string `json:"cell_id"`
		P10   []*int   `json:"unit_p10"`
		P50   []int    `json:"unit_p50"`
	}
	if err := json.Unmarshal(d["lu"], &lu); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(d["bev"], &bev); err != nil {
		t.Fatal(err)
	}
	var rows []byte
	for _, c := range fixture.CellRows(builtOnes()[slices.IndexFunc(builtOnes(), isFernau)])[0].Chunks {
		rows = append(rows, c.Rows...)
	}
	if lu.Rows*ne.LUBytes != len(rows) || lu.Land != nil || len(lu.LU) != 9 || bev.P50 != nil || len(bev.P10) == 0 || bev.P10[0] != nil {
		t.Fatalf("%d rows of %d bytes, %d columns, %v", lu.Rows, len(rows), len(lu.LU), bev)
	}
	for i := range lu.Rows {
		r := ne.ParseLU(rows[i*ne.LUBytes:])
		if lu.Cells[i] != r.Cell.String() || lu.Share[i] != int(r.KGShare) || lu.LU[2][i] != int(r.Use[2]) || lu.Orient[i] != nil {
			t.Fatalf("row %d: %+v", i, r)
		}
	}
}

func TestManifest(t *testing.T) {
	s := world(t, fixture.CellsOf{Pending: pendingOf("88801", unbuilt)})
	h := over(t, s)
	d := ask[manifestData](t, h, "/manifest")
	var status []string
	for _, k := range d.KGs {
		status = append(status, string(k.Code)+" "+string(k.Status))
	}
	if got := strings.Join(status, ", "); got != "00804 built, 88801 partial, 88802 built, 88803 unbuilt" || d.Delta ||
		*d.GeneratedAt != thirdAt || d.Retention != 604800 {
		t.Fatalf("got %s %+v", got, d)
	}
	head := ask[headData](t, h, "/88801/head")
	k := d.KGs[1]
	if k.Generation != head.Generation || k.Bytes != head.Bytes || k.LU.Digest != head.Sections[0].SHA256[:16] ||
		k.Bev.Rows != head.Sections[1].Rows || len(k.Pending) != 1 {
		t.Errorf("got %+v", k)
	}
	for _, c := range []struct {
		since string
		delta bool
		codes string
	}{
		{thirdAt, true, ""}, {secondAt, true, "88801"}, {firstAt, true, "88801 88802"}, {"2026-10-31T05:00:00%2B01:00", true, "88801"},
		{"2026-10-23T04:00:00.000Z", false, "00804 88801 88802 88803"}, {"2026-10-31T04:00:00.001Z", false, "00804 88801 88802 88803"},
		{"2026-11-01T12:00:00Z", false, "00804 88801 88802 88803"},
	} {
		d := ask[manifestData](t, h, "/manifest?since="+c.since)
		var codes []string
		for _, k := range d.KGs {
			codes = append(codes, string(k.Code))
		}
		if strings.Join(codes, " ") != c.codes || d.Delta != c.delta || d.Counts.Built != 3 {
			t.Errorf("since %s: want %v %s, got %v %v", c.since, c.delta, c.codes, d.Delta, codes)
		}
	}
	for _, since := range []string{"2026-11-01T12:00:01Z", "yesterday", "2026-11-01", ""} {
		if w := get(h, "/manifest?since="+since); w.Code != 400 || !strings.Contains(refusal(t, w).Error, "since") {
			t.Errorf("since %q: got %d %s", since, w.Code, w.Body)
		}
	}
	short := ask[manifestData](t, h, "/manifest?fields=digests")
	if len(short.KGs) != 3 || short.KGs[1].Generation != k.Generation || short.KGs[1].Status != "" || short.KGs[1].LU.Rows != 0 ||
		short.KGs[1].LU.Digest != k.LU.Digest {
		t.Errorf("digests: %+v", short.KGs)
	}
	tag := get(h, "/manifest").Header().Get("ETag")
	if w := get(h, "/manifest", "If-None-Match", tag); w.Code != 304 {
		t.Errorf("want 304, got %d", w.Code)
	}
	if get(h, "/manifest?fields=digests").Header().Get("ETag") == tag {
		t.Error("two forms, one ETag")
	}
}

// A KG that is no more is told to who follows, and a log that is lost means everything.
func TestManifestOfWhatIsGone(t *testing.T) {
	log := threePublications()
	log.Entries[2].Cells = append(log.Entries[2].Cells, "99999")
	s := world(t, fixture.CellsOf{Log: log})
	d := ask[manifestData](t, over(t, s), "/manifest?fields=digests&since="+secondAt)
	if len(d.KGs) != 2 || d.KGs[1].Status != statusGone || !d.Delta {
		t.Errorf("got %+v", d.KGs)
	}
	for info, err := range s.List(t.Context(), "national/publications") {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), info.Key); err != nil {
			t.Fatal(err)
		}
	}
	if d := ask[manifestData](t, over(t, s), "/manifest?since="+secondAt); d.Delta || len(d.KGs) != 4 {
		t.Errorf("without a log: %+v", d)
	}
}

// A container of other bytes in the right number is not handed out by its sum, under which caches would keep it for ever.
func TestDamagedContainerByItsSum(t *testing.T) {
	s := world(t, fixture.CellsOf{})
	key := keyOf(t, s, "cells/88801/")
	body, _, err := store.ReadAll(t.Context(), s, key, 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(body))
	body[len(body)/2] ^= 1
	if _, err := s.Put(t.Context(), key, body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	h := over(t, s)
	for _, header := range [][]string{nil, {"Range", "bytes=0-9"}} {
		w := get(h, "/88801?sha256="+sum, header...)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Cache-Control") != "no-store" ||
			!strings.Contains(w.Body.String(), `"reason":"damaged"`) {
			t.Errorf("%v: got %d %v, %d bytes", header, w.Code, w.Header(), w.Body.Len())
		}
	}
}

// A container that is lost or was changed is 503, not another answer; repeating does not help, and the reason is said.
func TestLostContainer(t *testing.T) {
	for _, damage := range []bool{false, true} {
		s := world(t, fixture.CellsOf{})
		key := keyOf(t, s, "cells/88801/")
		body, _, err := store.ReadAll(t.Context(), s, key, 1<<20, store.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if damage {
			if _, err := s.Put(t.Context(), key, body[:len(body)-3], store.PutOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		h := over(t, s)
		for _, path := range []string{"/88801", "/88801/head", "/88801?layers=lu", "/88801?format=json"} {
			if w := get(h, path); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "" ||
				!strings.Contains(w.Body.String(), map[bool]string{false: `"reason":"lost"`, true: `"reason":"damaged"`}[damage]) ||
				strings.Contains(w.Body.String(), "cells/") {
				t.Errorf("%s, damaged %v: got %d %s", path, damage, w.Code, w.Body)
			}
		}
		if w := get(h, "/88802"); w.Code != 200 {
			t.Errorf("another KG: got %d", w.Code)
		}
	}
}
