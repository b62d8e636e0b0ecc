package library

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"

	"mappe/artefacts/keys"
	"mappe/artefacts/ne"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/cloud/store/storetest"
	"mappe/shared/geo/hexgrid"
)

// cellsOf writes a container of so many chunks, each full.
func cellsOf(t testing.TB, s store.Store, code austria.KGCode, dict []byte, chunks int) (keys.Cells, []ne.ChunkRows) {
	t.Helper()
	at, err := hexgrid.LatLngToCell(hexgrid.LatLng{Lat: 48, Lng: 15}, ne.ChunkRes)
	if err != nil {
		t.Fatal(err)
	}
	disk, err := at.GridDisk(40)
	if err != nil {
		t.Fatal(err)
	}
	disk = disk[:chunks]
	slices.Sort(disk)
	lu := ne.Rows{Layer: ne.LU, RecordBytes: ne.LUBytes, Fields: ne.LU.Fields()}
	for i, c := range disk {
		var b []byte
		for cell := range c.Children(ne.LURes) {
			b = (&ne.LURow{Cell: cell, KGShare: 255, NUnits: uint8(i)}).Append(b)
		}
		lu.Chunks = append(lu.Chunks, ne.ChunkRows{Cell: c, Rows: b})
	}
	pack, err := ne.NewPacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	body, err := ne.Encode(ne.Header{KG: code, Stichtag: "2026-10-01"}, []ne.Rows{lu}, pack)
	if err != nil {
		t.Fatal(err)
	}
	if len(dict) > 0 {
		if _, err := s.Put(t.Context(), keys.CellDict{Sum: ne.DictID(dict)}.String(), dict, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	key := keys.Cells{Code: code, Date: "2026-10-01", Sum: keys.Sum(body)}
	if _, err := s.Put(t.Context(), key.String(), body, store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	return key, lu.Chunks
}

func cellDict(t testing.TB) []byte {
	t.Helper()
	_, chunks := cellsOf(t, mem.New(), "01004", nil, 30)
	var samples [][]byte
	for _, c := range chunks {
		samples = append(samples, c.Rows)
	}
	dict, err := ne.BuildDict(samples)
	if err != nil || dict == nil {
		t.Fatal(err)
	}
	return dict
}

// byRange is a length beyond which containers are read by range.
const byRange = smallCells + 1

// A small container costs one read and another one for its dictionary; then none, whichever frames are asked for.
func TestSmallCellsAreReadWhole(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	key, chunks := cellsOf(t, s, "01004", cellDict(t), 800)
	info, err := s.Head(t.Context(), key.String())
	if err != nil || info.Size <= frontGuess || info.Size > smallCells {
		t.Fatalf("%v: %d bytes, expected more than is read of a front and less than is read whole", err, info.Size)
	}
	counted := &storetest.Counting{Store: s}
	_, v := openView(t, counted, Options{})
	counted.Reset()
	for _, i := range []int{0, 400, 799} {
		c, err := v.Cells(t.Context(), key, info.Size)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := c.Rows(t.Context(), []int{i})
		if err != nil || !bytes.Equal(rows[0].Rows, chunks[i].Rows) {
			t.Errorf("chunk %d: %v, or other rows", i, err)
		}
	}
	if got := counted.Reads().Gets; got != 2 {
		t.Errorf("%d reads, expected 2", got)
	}
}

// A container costs a read for its header, one for its dictionary and one for neighbouring frames; then none.
func TestCellsAreReadByRange(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	key, chunks := cellsOf(t, s, "01004", cellDict(t), 400)
	counted := &storetest.Counting{Store: s}
	_, v := openView(t, counted, Options{})
	for round, want := range []int64{3, 0} {
		counted.Reset()
		c, err := v.Cells(t.Context(), key, byRange)
		if err != nil {
			t.Fatal(err)
		}
		var frames []int
		for _, i := range []int{3, 4, 9} {
			n, ok := c.Frame(ne.LU, chunks[i].Cell)
			if !ok || n != i {
				t.Fatalf("chunk %d is frame %d, %v", i, n, ok)
			}
			frames = append(frames, n)
		}
		rows, err := c.Rows(t.Context(), frames)
		if err != nil {
			t.Fatal(err)
		}
		for k, i := range []int{3, 4, 9} {
			if !bytes.Equal(rows[k].Rows, chunks[i].Rows) {
				t.Errorf("chunk %d has other rows", i)
			}
		}
		if got := counted.Reads().Gets; got != want {
			t.Errorf("round %d: want %d reads, got %d", round, want, got)
		}
	}
	if c, _ := v.Cells(t.Context(), key, byRange); c == nil {
		t.Error("the container is gone")
	} else if _, ok := c.Frame(ne.Bev, chunks[0].Cell); ok {
		t.Error("a layer that is not there has a frame")
	}
}

// A header beyond the first read takes a second one.
func TestCellsWithALongHeader(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	key, chunks := cellsOf(t, s, "01004", nil, 3000)
	counted := &storetest.Counting{Store: s}
	_, v := openView(t, counted, Options{})
	counted.Reset()
	c, err := v.Cells(t.Context(), key, byRange)
	if err != nil || c.Len() != len(chunks) || counted.Reads().Gets != 2 {
		t.Fatalf("%v, %d reads", err, counted.Reads().Gets)
	}
}

// Whatever byte of a container is changed, its rows are right or it is damaged; a container of another KG is too.
func TestDamagedCells(t *testing.T) {
	dict := cellDict(t)
	s := mem.New()
	publish(t, s, 1)
	key, chunks := cellsOf(t, s, "01004", dict, 4)
	body, _, err := store.ReadAll(t.Context(), s, key.String(), 1<<20, store.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(body); at += 1 + len(body)/211 {
		hurt := bytes.Clone(body)
		hurt[at] ^= 0x15
		if err := s.Delete(t.Context(), key.String()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), key.String(), hurt, store.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		_, v := openView(t, s, Options{})
		c, err := v.Cells(t.Context(), key, byRange)
		var rows []CellRows
		if err == nil {
			rows, err = c.Rows(t.Context(), []int{0, 1, 2, 3}[:min(4, c.Len())])
		}
		if err != nil {
			if !Unread(err) {
				t.Errorf("byte %d: want damage, got %v", at, err)
			}
			continue
		}
		for i, r := range rows {
			if !bytes.Equal(r.Rows, chunks[i].Rows) {
				t.Errorf("byte %d: chunk %d has other rows and is not refused", at, i)
			}
		}
	}
	if _, err := s.Put(t.Context(), keys.Cells{Code: "01005", Date: key.Date, Sum: key.Sum}.String(), body,
		store.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	_, v := openView(t, s, Options{})
	_, err = v.Cells(t.Context(), keys.Cells{Code: "01005", Date: key.Date, Sum: key.Sum}, byRange)
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("cells of another KG: want damage, got %v", err)
	}
}

// Requests at the same time share the reads of a container.
func TestCellsAtOnce(t *testing.T) {
	s := mem.New()
	publish(t, s, 1)
	key, chunks := cellsOf(t, s, "01004", cellDict(t), 400)
	counted := &storetest.Counting{Store: s}
	_, v := openView(t, counted, Options{})
	counted.Reset()
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			c, err := v.Cells(t.Context(), key, byRange)
			if err != nil {
				t.Error(err)
				return
			}
			rows, err := c.Rows(t.Context(), []int{0, 5, 11})
			if err != nil || !bytes.Equal(rows[1].Rows, chunks[5].Rows) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := counted.Reads().Gets; got != 3 {
		t.Errorf("want 3 reads, got %d", got)
	}
}
