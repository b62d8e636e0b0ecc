package ne

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mappe/infra/oracles"
	"mappe/shared/geo/hexgrid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

// The published vectors: a container with a dictionary and one without, a chunk of two KGs, and what they say as JSON.
// They are frozen: a reader that opens them opens every container of this layout.

type vector struct {
	KG         string         `json:"kg_code"`
	Generation string         `json:"generation"`
	LU         map[string]any `json:"lu"`
	Bev        map[string]any `json:"bev"`
	Chunk      struct {
		Digest  string `json:"digest"`
		KGShare []int  `json:"kg_share"`
	} `json:"chunk"`
}

func vectorPath(name string) string { return filepath.Join("testdata", "vectors", name) }

func frozen(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(vectorPath(name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// luColumns are LU rows as the vectors write them down.
func luColumns(rows []LURow) map[string]any {
	col := func(f func(LURow) int) []int {
		out := []int{}
		for _, r := range rows {
			out = append(out, f(r))
		}
		return out
	}
	ids := []string{}
	use := make([][]int, 9)
	for _, r := range rows {
		ids = append(ids, r.Cell.String())
		for i, u := range r.Use {
			use[i] = append(use[i], int(u))
		}
	}
	return map[string]any{"rows": len(rows), "cell_id": ids, "lu": use,
		"kg_share": col(func(r LURow) int { return int(r.KGShare) }), "land": col(func(r LURow) int { return int(r.Land) }),
		"cov": col(func(r LURow) int { return int(r.Cov) }), "flags": col(func(r LURow) int { return int(r.Flags) }),
		"str_cover": col(func(r LURow) int { return int(r.StrCover) }), "str_n": col(func(r LURow) int { return int(r.StrN) }),
		"gk": col(func(r LURow) int { return int(r.GK) }), "n_units": col(func(r LURow) int { return int(r.NUnits) }),
		"edge_m_ha": col(func(r LURow) int { return int(r.EdgeMHa) }), "orient_coh": col(func(r LURow) int { return int(r.OrientCoh) }),
		"orient_axis": col(func(r LURow) int { return int(r.OrientAxis2) })}
}

func kColumns(rows []KRow) map[string]any {
	col := func(f func(KRow) int) []int {
		out := []int{}
		for _, r := range rows {
			out = append(out, f(r))
		}
		return out
	}
	ids := []string{}
	for _, r := range rows {
		ids = append(ids, r.Cell.String())
	}
	return map[string]any{"rows": len(rows), "cell_id": ids, "n_units": col(func(r KRow) int { return int(r.NUnits) }),
		"unit_p10": col(func(r KRow) int { return int(r.P10) }), "unit_p50": col(func(r KRow) int { return int(r.P50) }),
		"unit_p90": col(func(r KRow) int { return int(r.P90) }),
		"reg_n":    col(func(r KRow) int { return int(r.RegN) }), "units_per_reg": col(func(r KRow) int { return int(r.UnitsPerReg10) }),
		"str_n": col(func(r KRow) int { return int(r.StrN) }), "str_p50": col(func(r KRow) int { return int(r.StrP50) })}
}

// rowsIn unpacks a layer of a container.
func rowsIn(t testing.TB, b []byte, l Layer, dict []byte) [][]byte {
	t.Helper()
	h, err := ParseFront(b, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	u, err := NewUnpacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	s := h.Section(l)
	var out [][]byte
	for i, c := range s.Chunks {
		at, n := s.Range(i, i+1)
		rows, err := s.Unpack(i, b[h.Start()+at:h.Start()+at+n], u)
		if err != nil {
			t.Fatal(err)
		}
		res := LURes
		if l == Bev {
			res = KRes
		}
		if err := CheckRows(rows, s.RecordBytes, res, c.Cell); err != nil {
			t.Fatal(err)
		}
		out = append(out, rows)
	}
	return out
}

// described is what the vectors say of a container, packed with own, and of a chunk, packed with dict.
func described(t testing.TB, container, own, chunk, dict []byte) []byte {
	t.Helper()
	h, err := ParseFront(container, int64(len(container)))
	if err != nil {
		t.Fatal(err)
	}
	v := vector{KG: string(h.KG), Generation: h.Generation}
	var lu []LURow
	var bev []KRow
	for b := range slices.Chunk(slices.Concat(rowsIn(t, container, LU, own)...), LUBytes) {
		lu = append(lu, ParseLU(b))
	}
	for b := range slices.Chunk(slices.Concat(rowsIn(t, container, Bev, own)...), KBytes) {
		bev = append(bev, ParseK(b))
	}
	v.LU, v.Bev = luColumns(lu), kColumns(bev)
	// Of two frames of one chunk the row with the larger share counts.
	u, err := NewUnpacker(dict)
	if err != nil {
		t.Fatal(err)
	}
	all, err := u.dec.DecodeAll(chunk, nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[hexgrid.Cell][]byte{}
	for b := range slices.Chunk(all, LUBytes) {
		if k := kept[CellOf(b)]; k == nil || k[8] < b[8] {
			kept[CellOf(b)] = b
		}
	}
	var rows []byte
	first, err := lu[0].Cell.Parent(ChunkRes)
	if err != nil {
		t.Fatal(err)
	}
	for c := range first.Children(LURes) {
		if b := kept[c]; b != nil {
			rows = append(rows, b...)
			v.Chunk.KGShare = append(v.Chunk.KGShare, int(b[8]))
		}
	}
	v.Chunk.Digest = Digest(rows)
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

func TestVectors(t *testing.T) {
	if *update {
		writeVectors(t)
	}
	dict := frozen(t, "v1.zdict")
	for _, version := range []string{"v1", "v2"} {
		for name, d := range map[string][]byte{version + ".ne": dict, version + "-plain.ne": nil} {
			b := frozen(t, name)
			got := described(t, b, d, frozen(t, "v1-chunk.zst"), dict)
			if want := frozen(t, strings.TrimSuffix(name, ".ne")+".json"); !bytes.Equal(got, want) {
				t.Errorf("%s is not what is written down", name)
			}
			if _, err := Verify(b, func(string) ([]byte, error) { return dict, nil }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// writeVectors makes the vectors of the format that is written now. Those of earlier formats are frozen; the dictionary
// and the chunk, which have no header, are theirs.
func writeVectors(t *testing.T) {
	lu, k := someChunks(t, 9, 7)
	var samples [][]byte
	for _, c := range lu.Chunks {
		samples = append(samples, c.Rows)
	}
	dict, err := BuildDict(samples)
	if err != nil {
		t.Fatal(err)
	}
	few := func(r Rows) Rows { r.Chunks = r.Chunks[:3]; return r }
	for name, d := range map[string][]byte{"v2": dict, "v2-plain": nil} {
		b := container(t, d, few(lu), few(k))
		said := described(t, b, d, frozen(t, "v1-chunk.zst"), frozen(t, "v1.zdict"))
		for file, body := range map[string][]byte{name + ".ne": b, name + ".json": said} {
			if err := os.WriteFile(vectorPath(file), body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The reader in JavaScript, which was written from the layout, reads the vectors and what is packed today.
func TestJavaScriptReads(t *testing.T) {
	node, folder := oracles.Program(t, "node"), oracles.Folder(t, "artefacts/ne/javascript", "@bokuweb/zstd-wasm")
	out, err := exec.Command(node, "--test", filepath.Join(folder, "test")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lu, k := someChunks(t, 20, 11)
	dict := frozen(t, "v1.zdict")
	file := filepath.Join(t.TempDir(), "today.ne")
	if err := os.WriteFile(file, container(t, dict, lu, k), 0o644); err != nil {
		t.Fatal(err)
	}
	dictFile, err := filepath.Abs(vectorPath("v1.zdict"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--input-type=module",
		"-e", `import { readFileSync } from "node:fs"; import { readContainer } from "./index.js";
const { layers } = await readContainer(new Uint8Array(readFileSync(process.argv[1])), new Uint8Array(readFileSync(process.argv[2])));
console.log(layers.lu.rows, layers.lu.land.reduce((a, b) => a + b, 0), layers.bev.rows);`, file, dictFile)
	cmd.Dir = folder
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	rows, land, units := 0, 0, 0
	for _, c := range lu.Chunks {
		for b := range slices.Chunk(c.Rows, LUBytes) {
			rows++
			land += int(ParseLU(b).Land)
		}
	}
	for _, c := range k.Chunks {
		units += len(c.Rows) / KBytes
	}
	if want := fmt.Sprintln(rows, land, units); string(got) != want {
		t.Errorf("want %s, got %s", want, got)
	}
}
