// Package worldtest publishes a small made-up world into a store in memory, for the tests of functions:
// four KGs of known rectangles, of which one is cold. It is test support: no program imports it.
//
// The world lies around 15.0 E 48.0 N. One cell is 0.001 degrees, about 75 by 111 m.
//
//	88801 Westdorf   x 0..4, y 0..4   4 x 4 parcels, numbers 1 to 16 from the lower left, row by row
//	                                  number 6 has a hole that parcel .6/1 fills
//	                                  number 16 is two parts: its cell and a cell apart at x 6, y 6
//	88802 Ostdorf    x 4..8, y 0..4   4 x 4 parcels, numbers 1 to 16; shares the border x = 4
//	                                  parcel 99 has no area left and stands for its position
//	                                  address point 8880202-001 stands outside, at x 8.3, y 0.5
//	88803 Kaltenau   x 0..8, y -4..0  cold
//	00804 Fernau     x 40..42, y 0..2 2 x 2 parcels, municipality and state of its own
package worldtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/library"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
	"mappe/shared/geo/geom"
)

// The origin of the world and the length of a cell, in 1e-7 degrees.
const (
	X0, Y0 = 150_000_000, 480_000_000
	Cell   = 10_000
)

// Stichtag is the date of every snapshot.
const Stichtag = "2026-10-01"

// At is the position of a place in cells from the origin.
func At(x, y float64) geom.Point {
	return geom.Point{X: X0 + int32(math.Round(x*Cell)), Y: Y0 + int32(math.Round(y*Cell))}
}

// Rect is a rectangle in cells.
func Rect(x0, y0, x1, y1 float64) geom.Ring {
	return geom.Ring{At(x0, y0), At(x1, y0), At(x1, y1), At(x0, y1)}
}

// Snapshots are the KGs of the world; the cold one is among them.
func Snapshots() []*kgfile.Snapshot {
	west := grid(kgfile.KG{Code: "88801", Name: "Westdorf", GemeindeCode: "38801"}, 0, 0, 4, 4)
	edit(west, "6", func(p *kgfile.Parcel) {
		p.Geometry = geom.MultiPolygon{{Rect(1, 1, 2, 2), hole(Rect(1.25, 1.25, 1.75, 1.75))}}
		p.Inside = At(1.1, 1.1)
	})
	edit(west, "16", func(p *kgfile.Parcel) {
		p.Geometry = geom.MultiPolygon{{Rect(3, 3, 4, 4)}, {Rect(6, 6, 7, 7)}}
	})
	west.Outline = append(west.Outline, geom.Polygon{Rect(6, 6, 7, 7)})
	west.KG.Box = west.Outline.Bounds()
	west.Parcels = append(west.Parcels, parcel(".6/1", geom.MultiPolygon{{Rect(1.25, 1.25, 1.75, 1.75)}}))
	edit(west, ".6/1", func(p *kgfile.Parcel) {
		p.Status = austria.StatusG
		p.SymbolCounts = []kgfile.CodeCount{{Code: 41, N: 1}, {Code: 52, N: 2}}
		p.UseAreas = []kgfile.CodeArea{{Code: 41, Sqm: 500}, {Code: 83, Sqm: 1500}}
	})
	build(west, "1", 0.5, 0.5)
	build(west, ".6/1", 1.5, 1.5)
	finish(west)

	east := grid(kgfile.KG{Code: "88802", Name: "Ostdorf", GemeindeCode: "38801"}, 4, 0, 4, 4)
	degenerate := parcel("99", nil)
	degenerate.Inside, degenerate.Centroid, degenerate.Repairs = At(5.5, 2.5), At(5.5, 2.5), kgfile.RepairDegenerate
	degenerate.AreaSqm = 0
	east.Parcels = append(east.Parcels, degenerate)
	east.Build.Repairs = []kgfile.RepairCount{{Repair: kgfile.RepairDegenerate, N: 1}}
	build(east, "1", 4.5, 0.5)
	east.Buildings = append(east.Buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: 8_880_202, SUBCD: 1}, Parcel: -1,
		HouseNumber: "2", Street: "Dorfstraße", PLZ: "3888", Ort: "Ostdorf", ObjectType: "Nebengebäude", At: At(8.3, 0.5)})
	finish(east)

	cold := grid(kgfile.KG{Code: "88803", Name: "Kaltenau", GemeindeCode: "38802"}, 0, -4, 8, 4)
	finish(cold)
	far := grid(kgfile.KG{Code: "00804", Name: "Fernau", GemeindeCode: "48804"}, 40, 0, 2, 2)
	finish(far)
	return []*kgfile.Snapshot{far, west, east, cold}
}

func hole(r geom.Ring) geom.Ring {
	q := make(geom.Ring, len(r))
	for i := range r {
		q[i] = r[len(r)-1-i]
	}
	return q
}

// grid is a KG of nx by ny parcels whose lower left corner is at x, y. Of the KG its code, its name and its municipality are given.
func grid(kg kgfile.KG, x, y, nx, ny int) *kgfile.Snapshot {
	kg.GemeindeName, kg.DistrictName = "Gemeinde "+string(kg.GemeindeCode), "Bezirk "+string(kg.GemeindeCode.District())
	s := &kgfile.Snapshot{KG: kg}
	s.KG.Box = Rect(float64(x), float64(y), float64(x+nx), float64(y+ny)).Bounds()
	for j := range ny {
		for i := range nx {
			fx, fy := float64(x+i), float64(y+j)
			s.Parcels = append(s.Parcels, parcel(strconv.Itoa(j*nx+i+1), geom.MultiPolygon{{Rect(fx, fy, fx+1, fy+1)}}))
		}
	}
	s.Outline = geom.MultiPolygon{{Rect(float64(x), float64(y), float64(x+nx), float64(y+ny))}}
	s.Build = kgfile.Build{Stichtag: Stichtag, AssemblyVersion: "tile_partition_v1", IngestGeneration: "tile_partition_v1",
		Source: "© BEV, 2026"}
	return s
}

// parcel makes a parcel of land use 52 (forest use in this world is by number: multiples of 3 are 56).
func parcel(number string, m geom.MultiPolygon) kgfile.Parcel {
	p := kgfile.Parcel{GNR: austria.GNR(number), EZ: 7, Status: austria.StatusE, Geometry: m, AreaSqm: 8000, VertexCount: m.Vertices(),
		Compactness: 0.78, Elongation: 1.5, Shape: kgfile.ShapeRegular, DominantLandUse: 52}
	if n, err := strconv.Atoi(number); err == nil {
		p.AreaSqm = 8000 + float64(n)
		if n%3 == 0 {
			p.DominantLandUse = 56
		}
	}
	p.SymbolCounts = []kgfile.CodeCount{{Code: p.DominantLandUse, N: 1}}
	p.UseAreas = []kgfile.CodeArea{{Code: p.DominantLandUse, Sqm: p.AreaSqm}}
	if len(m) > 0 {
		b := m[0].Bounds()
		p.Centroid = geom.Point{X: b.MinX/2 + b.MaxX/2, Y: b.MinY/2 + b.MaxY/2}
		p.Inside = p.Centroid
	}
	return p
}

func edit(s *kgfile.Snapshot, number austria.GNR, f func(*kgfile.Parcel)) {
	for i := range s.Parcels {
		if s.Parcels[i].GNR == number {
			f(&s.Parcels[i])
			s.Parcels[i].VertexCount = s.Parcels[i].Geometry.Vertices()
		}
	}
}

// build puts an address point and a footprint of 0.2 by 0.2 cells on a parcel.
func build(s *kgfile.Snapshot, number austria.GNR, x, y float64) {
	edit(s, number, func(p *kgfile.Parcel) {
		p.BuildingCount, p.FootprintCount, p.BuildingAreaSqm, p.FAR = 1, 1, 334, 0.04
	})
	for i := range s.Parcels {
		if s.Parcels[i].GNR != number {
			continue
		}
		n := uint32(len(s.Footprints) + 1)
		code, _ := strconv.ParseUint(string(s.KG.Code), 10, 64)
		s.Buildings = append(s.Buildings, kgfile.Building{ID: austria.BuildingID{ADRCD: code*100 + uint64(n), SUBCD: 1}, Parcel: int32(i),
			HouseNumber: fmt.Sprint(n), Street: "Dorfstraße", PLZ: "3888", Ort: s.KG.Name, ObjectType: "Wohngebäude", At: At(x, y)})
		s.Footprints = append(s.Footprints,
			kgfile.Footprint{N: n, Parcel: int32(i), Geometry: geom.MultiPolygon{{Rect(x-0.1, y-0.1, x+0.1, y+0.1)}},
				AreaSqm: 334, PerimeterM: 74, Compactness: 0.78, Elongation: 1.5, VertexCount: 4, Size: kgfile.SizeLarge,
				Shape: kgfile.ShapeRectangular, NS: 41, Centroid: At(x, y), Inside: At(x, y)})
	}
}

func finish(s *kgfile.Snapshot) {
	k := &s.KG
	k.ParcelCount, k.BuildingCount, k.FootprintCount = len(s.Parcels), len(s.Buildings), len(s.Footprints)
	k.EZCount, k.AvgParcelsPerEZ, k.Typology, k.DominantLandUse = 1, float64(len(s.Parcels)), kgfile.RuralSettled, 52
	for i := range s.Parcels {
		k.TotalAreaSqm += s.Parcels[i].AreaSqm
	}
	k.AvgNNDistanceM, k.FootprintMedianAreaSqm = math.NaN(), math.NaN()
	k.AvgCompactness, k.MedianParcelAreaSqm = 0.78, 8008
	kgfile.Quantise(s)
	s.Folios = kgfile.Folios(s.Parcels)
}

// Publish writes the KGs, a register and the pointer. KGs that cold names have no snapshot in the store.
func Publish(s store.Store, snapshots []*kgfile.Snapshot, cold ...austria.KGCode) error {
	return publish(s, plan{snapshots: snapshots, cold: cold})
}

// PublishWith is Publish with more in the register than the KGs: municipalities, districts, localities, postal
// codes, KGs that are known by name.
func PublishWith(s store.Store, snapshots []*kgfile.Snapshot, edit func(*register.Contents), cold ...austria.KGCode) error {
	return publish(s, plan{snapshots: snapshots, edit: edit, cold: cold})
}

// Bodies are public forms of KGs, any bytes: they are passed on as they are.
type Bodies map[austria.KGCode]map[keys.Form][]byte

// PublishForms is Publish with stored forms beside the snapshots.
func PublishForms(s store.Store, snapshots []*kgfile.Snapshot, bodies Bodies, cold ...austria.KGCode) error {
	return publish(s, plan{snapshots: snapshots, bodies: bodies, cold: cold})
}

// PublishPast is Publish with earlier snapshots of KGs, whose dates are in their Build, in any order.
func PublishPast(s store.Store, snapshots, earlier []*kgfile.Snapshot, cold ...austria.KGCode) error {
	return publish(s, plan{snapshots: snapshots, earlier: earlier, cold: cold})
}

// plan is what is published.
type plan struct {
	snapshots, earlier []*kgfile.Snapshot
	bodies             Bodies
	edit               func(*register.Contents) // nil: nothing more
	cold               []austria.KGCode
	further            func(*register.Contents) (manifest.Artefacts, error) // nil: none
}

func publish(s store.Store, p plan) error {
	ctx := context.Background()
	entries, err := putForms(ctx, s, p.bodies)
	if err != nil {
		return err
	}
	if err := putVersions(ctx, s, p, &entries); err != nil {
		return err
	}
	var files []*kgfile.File
	c := register.Contents{Stichtag: Stichtag, Attribution: "© BEV, 2026", ToleranceM: 5}
	for _, snap := range p.snapshots {
		row := rowOf(snap)
		if !slices.Contains(p.cold, snap.KG.Code) {
			f, err := putBuilt(ctx, s, snap, &row)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		c.KGs = append(c.KGs, row)
	}
	if p.edit != nil {
		p.edit(&c)
	}
	artefacts, err := putColumns(ctx, s, files)
	if err != nil {
		return err
	}
	if p.further != nil {
		more, err := p.further(&c)
		if err != nil {
			return err
		}
		artefacts = artefacts.With(more)
	}
	reg, err := putRegister(ctx, s, &c)
	if err != nil {
		return err
	}
	return putGeneration(ctx, s, manifest.Manifest{Format: manifest.Format, Stichtag: Stichtag, Attribution: c.Attribution,
		KGCount: len(c.KGs), KGs: entries, Artefacts: artefacts, Register: reg})
}

// rowOf is the register's row of a KG without a snapshot.
func rowOf(snap *kgfile.Snapshot) register.KG {
	return register.KG{KG: snap.KG, DistrictCode: snap.KG.GemeindeCode.District(), Outline: register.Simplify(snap.Outline, 5),
		Centroid: geom.Point{X: snap.KG.Box.MinX/2 + snap.KG.Box.MaxX/2, Y: snap.KG.Box.MinY/2 + snap.KG.Box.MaxY/2}}
}

// putBuilt writes a snapshot of Stichtag and names it in the row of its KG.
func putBuilt(ctx context.Context, s store.Store, snap *kgfile.Snapshot, row *register.KG) (*kgfile.File, error) {
	body, err := kgfile.Encode(snap)
	if err != nil {
		return nil, err
	}
	key := keys.Snapshot{Code: snap.KG.Code, Date: Stichtag, Sum: keys.Sum(body), Form: keys.KGS}.String()
	if _, err := s.Put(ctx, key, body, store.PutOptions{Immutable: true}); err != nil {
		return nil, err
	}
	row.Snapshot = register.Object{Key: key, Date: Stichtag, Bytes: int64(len(body)), SHA256: sha256.Sum256(body)}
	row.Assembly, row.Ingest = snap.Build.AssemblyVersion, snap.Build.IngestGeneration
	return kgfile.Open(body)
}

// putRegister writes a register.
func putRegister(ctx context.Context, s store.Store, c *register.Contents) (manifest.Object, error) {
	body, err := register.Encode(c)
	if err != nil {
		return manifest.Object{}, err
	}
	sum := sha256.Sum256(body)
	key := keys.Register{Sum: keys.Sum(body)}.String()
	_, err = s.Put(ctx, key, body, store.PutOptions{Immutable: true})
	return manifest.Object{Key: key, Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}, err
}

// putGeneration writes a manifest and the pointer to it.
func putGeneration(ctx context.Context, s store.Store, m manifest.Manifest) error {
	body, err := manifest.Encode(m)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	generation := keys.Manifest{Generation: keys.Sum(body)}
	if _, err := s.Put(ctx, generation.String(), body, store.PutOptions{Immutable: true}); err != nil {
		return err
	}
	body, err = manifest.Encode(manifest.Pointer{Format: manifest.Format, Generation: generation.Generation, Manifest: generation.String(),
		ManifestSHA256: hex.EncodeToString(sum[:]), Register: m.Register.Key, RegisterSHA256: m.Register.SHA256, Stichtag: m.Stichtag,
		Attribution: m.Attribution, KGCount: m.KGCount, Artefacts: m.Artefacts})
	if err != nil {
		return err
	}
	_, err = s.Put(ctx, keys.Current{}.String(), body, store.PutOptions{})
	return err
}

// putForms writes the bodies and lists them as a manifest does.
func putForms(ctx context.Context, s store.Store, bodies Bodies) ([]manifest.Entry, error) {
	var entries []manifest.Entry
	for _, code := range slices.Sorted(maps.Keys(bodies)) {
		e := manifest.Entry{Code: code, Stichtag: Stichtag}
		for form, o := range map[keys.Form]*manifest.Object{keys.KGS: &e.Forms.KGS, keys.GeoParquet: &e.Forms.GeoParquet,
			keys.GeoJSON:    &e.Forms.GeoJSON,
			keys.GeoPackage: &e.Forms.GeoPackage, keys.PMTiles: &e.Forms.PMTiles} {
			body, given := bodies[code][form]
			sum := sha256.Sum256(body)
			*o = manifest.Object{Key: keys.Snapshot{Code: code, Date: Stichtag, Sum: keys.Sum(body), Form: form}.String(),
				Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
			if !given {
				continue // listed, and lost
			}
			if _, err := s.Put(ctx, o.Key, body, store.PutOptions{Immutable: true}); err != nil {
				return nil, err
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Many are n small KGs side by side, 81001 and on.
func Many(n int) []*kgfile.Snapshot {
	list := make([]*kgfile.Snapshot, n)
	for i := range list {
		kg := kgfile.KG{Code: austria.KGCode(fmt.Sprint(81001 + i)), Name: fmt.Sprintf("Dorf %d", i), GemeindeCode: "38801"}
		list[i] = grid(kg, 2*i, 0, 2, 2)
		finish(list[i])
	}
	return list
}

// World is the world published, with 88803 cold.
func World() (store.Store, error) {
	s := mem.New()
	return s, Publish(s, Snapshots(), "88803")
}

// Open opens a store with the default options.
func Open(s store.Store) (*library.Library, error) {
	return library.Open(context.Background(), s, library.Options{})
}
