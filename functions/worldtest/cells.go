package worldtest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/ne"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/hexgrid"
)

// CellsOf is what AddCells publishes beside the rows.
type CellsOf struct {
	Changes map[austria.KGCode][]ne.Change
	Pending map[austria.KGCode][]austria.KGCode
	// Obs are rows of a layer that a peer defines, by KG and chunk: cell_id and a u16 "seen".
	Obs map[austria.KGCode]map[hexgrid.Cell][]byte
	Log manifest.Publications // its last entry dates the pointer
}

// ObsFields are the fields of CellsOf.Obs.
var ObsFields = []ne.Field{{Name: "cell_id", Type: "u64"}, {Name: "seen", Type: "u16"}}

// ObsOrigin is whose they are.
var ObsOrigin = ne.Origin{Layer: "something seen", Source: "a peer", License: "CC BY 4.0",
	LicenseURL: "https://creativecommons.org/licenses/by/4.0/", Date: "2026-09-01"}

// samplesRes is the resolution of the positions by which CellRows measures shares: 49 in a cell.
const samplesRes = ne.LURes + 2

// AddCells gives the published generation the cells of the KGs. Their rows are made up (CellRows), not those that a
// builder would compute.
func AddCells(s store.Store, snapshots []*kgfile.Snapshot, o CellsOf) error {
	ctx := context.Background()
	dict, err := cellDict()
	if err != nil {
		return err
	}
	pack, err := ne.NewPacker(dict)
	if err != nil {
		return err
	}
	index := &ne.Index{Recipe: "worldtest", Dict: ne.DictID(dict)}
	if err := putSums(s, snapshots, o.Changes); err != nil {
		return err
	}
	if len(o.Obs) > 0 {
		index.Obs = &ne.ObsLayer{Origin: ObsOrigin, RecordBytes: 10, Fields: ObsFields}
	}
	for _, snap := range slices.SortedFunc(slices.Values(snapshots),
		func(a, b *kgfile.Snapshot) int { return strings.Compare(string(a.KG.Code), string(b.KG.Code)) }) {
		code := snap.KG.Code
		rows := append(CellRows(snap), obsRows(o.Obs[code])...)
		body, err := ne.Encode(ne.Header{KG: code, Stichtag: Stichtag, Pending: o.Pending[code]}, rows, pack)
		if err != nil {
			return err
		}
		head, err := ne.ParseFront(body, int64(len(body)))
		if err != nil {
			return err
		}
		key := keys.Cells{Code: code, Date: Stichtag, Sum: keys.Sum(body)}
		if _, err := s.Put(ctx, key.String(), body, store.PutOptions{Immutable: true}); err != nil {
			return err
		}
		lu, bev := head.Section(ne.LU), head.Section(ne.Bev)
		k := ne.IndexKG{Code: code, Stichtag: Stichtag, Generation: head.Generation, Key: key.String(), Bytes: int64(len(body)),
			SHA256: fmt.Sprintf("%x", sha256.Sum256(body)), Inputs: "made up",
			Rows: lu.Rows, Digest: lu.SHA256[:16], KRows: bev.Rows, KDigest: bev.SHA256[:16], Pending: o.Pending[code]}
		if obs := head.Section(ne.Obs); obs != nil {
			k.ObsRows, k.ObsDigest = obs.Rows, obs.SHA256[:16]
		}
		if err := putChanges(ctx, s, &k, o.Changes[code]); err != nil {
			return err
		}
		index.KGs = append(index.KGs, k)
	}
	if err := putArtefact(s, ne.DictArtefact, keys.CellDict{Sum: ne.DictID(dict)}, dict); err != nil {
		return err
	}
	return AddIndex(s, index, o.Log)
}

// AddIndex gives the published generation a list of cells and a log of publications, whatever of it is in the store.
func AddIndex(s store.Store, index *ne.Index, log manifest.Publications) error {
	body, err := index.Encode()
	if err != nil {
		return err
	}
	if err := putArtefact(s, ne.Artefact, keys.National{Name: ne.Artefact, Sum: keys.Sum(body), Ext: "json"}, body); err != nil {
		return err
	}
	return putLog(context.Background(), s, log)
}

func putChanges(ctx context.Context, s store.Store, k *ne.IndexKG, list []ne.Change) error {
	if len(list) == 0 {
		return nil
	}
	c := &ne.Changes{KG: k.Code, Cells: list}
	k.Candidates, k.Confirmed = c.Counts()
	body, err := c.Encode()
	if err != nil {
		return err
	}
	key := keys.CellChanges{Code: k.Code, Date: Stichtag, Sum: keys.Sum(body)}
	k.Changes = key.String()
	_, err = s.Put(ctx, k.Changes, body, store.PutOptions{Immutable: true})
	return err
}

// putSums writes the sums of the changes, by the areas that the register has the KGs in.
func putSums(s store.Store, snapshots []*kgfile.Snapshot, changes map[austria.KGCode][]ne.Change) error {
	var sums ne.AreaSums
	for _, list := range changes {
		sums.Note(&ne.Changes{Cells: list})
	}
	for _, snap := range snapshots {
		sums.Add(ne.PlacedKG{Code: snap.KG.Code, Gemeinde: snap.KG.GemeindeCode, District: snap.KG.GemeindeCode.District()},
			&ne.Changes{Cells: changes[snap.KG.Code]})
	}
	sections, err := sums.Sections()
	if err != nil {
		return err
	}
	body, err := sectionfile.Encode(ne.SumsKind, nil, sections)
	if err != nil {
		return err
	}
	return putArtefact(s, ne.SumsArtefact, keys.National{Name: ne.SumsArtefact, Sum: keys.Sum(body), Ext: "parts"}, body)
}

// putLog writes the log of publications and dates the pointer.
func putLog(ctx context.Context, s store.Store, log manifest.Publications) error {
	if len(log.Entries) == 0 {
		return nil
	}
	log.Format = manifest.Format
	body, err := manifest.Encode(log)
	if err != nil {
		return err
	}
	key := keys.National{Name: "publications", Sum: keys.Sum(body), Ext: "json"}.String()
	if _, err := s.Put(ctx, key, body, store.PutOptions{Immutable: true}); err != nil {
		return err
	}
	return editPointer(s, func(p *manifest.Pointer) {
		p.PublishedAt, p.Publications = log.Entries[len(log.Entries)-1].At, key
	})
}

// CellRows are made-up rows of a KG: kg_share is measured by 49 positions in each cell, all of it is arable land, and
// each cell of resolution 10 with rows has seven parcels. A cell of several KGs differs in kg_share alone.
func CellRows(snap *kgfile.Snapshot) []ne.Rows {
	area := geom.NewIndex(snap.Outline)
	box := snap.Outline.Bounds()
	const margin = 4000 // units of 1e-7 degrees: 30 m and more
	ring := geom.Ring{{X: box.MinX - margin, Y: box.MinY - margin}, {X: box.MaxX + margin, Y: box.MinY - margin},
		{X: box.MaxX + margin, Y: box.MaxY + margin}, {X: box.MinX - margin, Y: box.MaxY + margin}}
	near, err := hexgrid.PolygonToCells(geom.MultiPolygon{{ring}}, ne.LURes, 1<<20)
	if err != nil {
		panic(err) // a world of the tests is small
	}
	lu := ne.Rows{Layer: ne.LU, RecordBytes: ne.LUBytes, Fields: ne.LU.Fields()}
	bev := ne.Rows{Layer: ne.Bev, RecordBytes: ne.KBytes, Fields: ne.Bev.Fields()}
	var last hexgrid.Cell
	for _, c := range near {
		inside := int64(0)
		for sample := range c.Children(samplesRes) {
			if at, err := sample.LatLng(); err == nil {
				if p, ok := geom.PointAt(at.Lng, at.Lat); ok && area.Contains(p) {
					inside++
				}
			}
		}
		if inside == 0 {
			continue
		}
		r := ne.LURow{Cell: c, KGShare: ne.Share(inside, 49), Land: 255, Cov: 255, Use: [9]uint8{2: 255}, NUnits: 1 + uint8(c>>9)%5,
			EdgeMHa:   uint16((c >> 9) % 500),
			OrientCoh: ne.None8, OrientAxis2: ne.None8}
		appendRow(&lu, c, r.Append(nil))
		if above, err := c.Parent(ne.KRes); err == nil && above != last {
			last = above
			k := ne.KRow{Cell: above, NUnits: 7, P50: 1004, RegN: 2, UnitsPerReg10: 35, StrP50: ne.None16}
			appendRow(&bev, above, k.Append(nil))
		}
	}
	return []ne.Rows{lu, bev}
}

// appendRow appends a row below its chunk; rows come by rising cell.
func appendRow(rows *ne.Rows, c hexgrid.Cell, row []byte) {
	chunk, err := c.Parent(ne.ChunkRes)
	if err != nil {
		panic(err)
	}
	if n := len(rows.Chunks); n == 0 || rows.Chunks[n-1].Cell != chunk {
		rows.Chunks = append(rows.Chunks, ne.ChunkRows{Cell: chunk})
	}
	last := &rows.Chunks[len(rows.Chunks)-1]
	last.Rows = append(last.Rows, row...)
}

func obsRows(chunks map[hexgrid.Cell][]byte) []ne.Rows {
	if len(chunks) == 0 {
		return nil
	}
	r := ne.Rows{Layer: ne.Obs, RecordBytes: 10, Fields: ObsFields, Origin: &ObsOrigin}
	for c, b := range chunks {
		r.Chunks = append(r.Chunks, ne.ChunkRows{Cell: c, Rows: b})
	}
	slices.SortFunc(r.Chunks, func(a, b ne.ChunkRows) int {
		if a.Cell < b.Cell {
			return -1
		}
		return 1
	})
	return []ne.Rows{r}
}

// cellDict is a dictionary of made-up rows.
func cellDict() ([]byte, error) {
	rnd := rand.New(rand.NewPCG(1, 2))
	samples := make([][]byte, 32)
	for i := range samples {
		for range 200 {
			samples[i] = binary.LittleEndian.AppendUint64(samples[i], 0x8c1e_0000_0000_01ff+rnd.Uint64N(1<<20)<<9)
			samples[i] = append(samples[i], make([]byte, ne.LUBytes-8)...)
		}
	}
	return ne.BuildDict(samples)
}
