package worldtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/overlays"
	"mappe/artefacts/register"
	"mappe/artefacts/sectionfile"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// Over is what lies over the world:
//
//	site AT0000001 Westau (both directives)  x 0..2, y 0..4: the western half of Westdorf
//	site AT0000002 Grenzwald (birds)         x 3..5, y 0..1: a parcel of Westdorf and one of Ostdorf
//	site AT0000003 Nebenmoor (habitats)      an angle around the north-east of Ostdorf: its box meets the KG's, it does not
//	area Park                                x 1..3, y 1..3, with a hole x 1.5..2.5, y 1.5..2.5
//	area Fernschutz                          x 20..21, y 0..1
//	municipalities 38801 (x 0..8, y 0..4) and 38802 (x 0..8, y -4..0), which share a border
//	law 7: Westdorf 1, 2 (part); law 8 (a boundary): Westdorf 2 and 999, which is no parcel, and Ostdorf as a whole
func Over() *overlays.Source {
	s := &overlays.Source{
		Sites: []overlays.Site{
			{Code: "AT0000001", Name: "Westau", Type: overlays.Both, AreaHa: 6.7, Features: 2,
				Geometry: geom.MultiPolygon{{Rect(0, 0, 2, 4)}}},
			{Code: "AT0000002", Name: "Grenzwald", Type: overlays.Birds, AreaHa: 1.7, Features: 1,
				Geometry: geom.MultiPolygon{{Rect(3, 0, 5, 1)}}},
			{Code: "AT0000003", Name: "Nebenmoor", Type: overlays.Habitats, AreaHa: 3, Features: 1,
				Geometry: geom.MultiPolygon{{{At(7, 5), At(8.5, 5), At(8.5, 2), At(9, 2), At(9, 5.5), At(7, 5.5)}}}},
		},
		Areas: []overlays.Area{
			{Name: "Park", Desig: "Naturpark", DesigEng: "Nature Park", DesigType: "National", IUCN: "V", RepArea: 0.03, GISArea: 0.03,
				Realm:    "Terrestrial",
				Geometry: geom.MultiPolygon{{Rect(1, 1, 3, 3), hole(Rect(1.5, 1.5, 2.5, 2.5))}}},
			{Name: "Fernschutz", Desig: "Naturschutzgebiet", DesigEng: "Nature Conservation Area", DesigType: "National", IUCN: "IV",
				RepArea: 0.01, GISArea: 0.01, Realm: "Terrestrial",
				Geometry: geom.MultiPolygon{{Rect(20, 0, 21, 1)}}},
		},
		Municipalities: []overlays.Municipality{
			{Code: "38801", Name: "Gemeinde 38801", Geometry: geom.MultiPolygon{{Rect(0, 0, 8, 4)}}},
			{Code: "38802", Name: "Gemeinde 38802", Geometry: geom.MultiPolygon{{Rect(0, -4, 8, 0)}}},
		},
		Laws: []overlays.Law{
			{Name: "Moorverordnung", Date: "2001-01-01", URL: "https://example.org/7", Number: "7", State: "Niederösterreich",
				Context: "nature_protection"},
			{Name: "Grenzverordnung", Number: "8", State: "Niederösterreich", Context: "admin_boundary"},
		},
		Refs: []overlays.KGRefs{
			{KG: "88801", Refs: []overlays.Ref{{GNR: "1"}, {GNR: "2", Partial: true}, {GNR: "2", Law: 1, List: overlays.BoundaryWalk},
				{GNR: "999", Law: 1, List: overlays.BoundaryWalk}}},
			{KG: "88802", Refs: []overlays.Ref{{Law: 1}}},
		},
	}
	s.Sites[0].Tags.Add("floodplain")
	s.Sites[1].Tags.Add("forest")
	s.Sites[2].Tags.Add("moor")
	for i := range s.Sites {
		s.Sites[i].Box = s.Sites[i].Geometry.Bounds()
	}
	for i := range s.Areas {
		s.Areas[i].Box = s.Areas[i].Geometry.Bounds()
	}
	for i := range s.Municipalities {
		s.Municipalities[i].Box = s.Municipalities[i].Geometry.Bounds()
	}
	return s
}

// PublishOver is PublishWith with what lies over the world.
func PublishOver(s store.Store, edit func(*register.Contents), cold ...austria.KGCode) error {
	snapshots := Snapshots()
	return publish(s, plan{snapshots: snapshots, edit: edit, cold: cold, further: func(c *register.Contents) (manifest.Artefacts, error) {
		source := Over()
		a := manifest.Artefacts{}
		err := putParts(s, a, overlays.SourceArtefact, overlays.SourceKind, source.Fill)
		if err == nil {
			err = putParts(s, a, overlays.KGArtefact, overlays.KGKind, func(b *sectionfile.Builder) error {
				return fillKGs(b, c, source, snapshots)
			})
		}
		return a, err
	}})
}

func putParts(s store.Store, a manifest.Artefacts, name string, kind sectionfile.Kind, fill func(*sectionfile.Builder) error) error {
	file, err := sectionfile.EncodeFilled(kind, nil, fill)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(file)
	key := keys.National{Name: name, Sum: keys.Sum(file), Ext: "parts"}.String()
	a[name] = manifest.Object{Key: key, Bytes: int64(len(file)), SHA256: hex.EncodeToString(sum[:])}
	_, err = s.Put(context.Background(), key, file, store.PutOptions{Immutable: true})
	return err
}

// fillKGs says of the KGs with a snapshot what lies over them, by testing everything against everything.
func fillKGs(b *sectionfile.Builder, c *register.Contents, source *overlays.Source, snapshots []*kgfile.Snapshot) error {
	var index []overlays.Index
	var bodies [][]byte
	for i := range c.KGs {
		row := &c.KGs[i]
		for _, snap := range snapshots {
			if snap.KG.Code != row.Code || row.Snapshot.Key == "" {
				continue
			}
			k := kgOver(source, snap)
			k.Snapshot = row.Snapshot.SHA256
			body, err := k.Encode()
			if err != nil {
				return err
			}
			if !k.Nothing() {
				index, bodies = append(index, k.Index(row.Code)), append(bodies, body)
			}
		}
	}
	body, err := overlays.EncodeIndex(index)
	if err != nil {
		return err
	}
	if err := b.Add(overlays.IndexSection, body); err != nil {
		return err
	}
	for i, body := range bodies {
		if err := b.Add(overlays.KGSection(index[i].Code), body); err != nil {
			return err
		}
	}
	return nil
}

func kgOver(source *overlays.Source, snap *kgfile.Snapshot) *overlays.KG {
	k := &overlays.KG{Parcels: len(snap.Parcels), Laws: source.Laws}
	var near []*overlays.Site
	for i := range source.Sites {
		if s := &source.Sites[i]; s.Box.Intersects(snap.KG.Box) {
			near = append(near, s)
			k.Sites = append(k.Sites, overlays.Brief{Code: s.Code, Name: s.Name, Type: s.Type, AreaHa: s.AreaHa, Tags: s.Tags})
		}
	}
	for row := range snap.Parcels {
		for i, s := range near {
			if s.Geometry.Contains(snap.Parcels[row].Centroid) {
				k.In = append(k.In, overlays.Membership{Row: int32(row), Site: int32(i)})
				k.Sites[i].Parcels++
				k.Sites[i].Inside = true
			}
		}
	}
	for row := -1; row < len(snap.Parcels); row++ {
		for _, refs := range source.Refs {
			for _, r := range refs.Refs {
				if refs.KG == snap.KG.Code && (row < 0 && (r.GNR == "" || r.GNR == "999") || row >= 0 && snap.Parcels[row].GNR == r.GNR) {
					k.Refs = append(k.Refs, overlays.Named{Ref: r, Row: int32(row)})
				}
			}
		}
	}
	return k
}

// AddOver gives the published generation what lies over it.
func AddOver(s store.Store, source *overlays.Source) error {
	return errors.Join(addParts(s, overlays.SourceArtefact, overlays.SourceKind, nil, source.Fill), AddGrid(s, source))
}

// AddGrid gives the published generation the grid of what lies over it.
func AddGrid(s store.Store, source *overlays.Source) error {
	head, err := source.GridHead().Encode()
	if err != nil {
		return err
	}
	return addParts(s, overlays.GridArtefact, overlays.GridKind, head, source.FillGrid)
}
