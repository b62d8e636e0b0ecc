package overlays

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/overlays"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/geo/geom"
	"mappe/shared/geo/region"
)

// maker makes the sections of KGs. It is safe for concurrent use.
type maker struct {
	source  *overlays.Source
	country *stage.Country
	sites   []site
	refs    map[austria.KGCode][]overlays.Ref
}

// site is a site with what is made of it once.
type site struct {
	*overlays.Site
	shape func() *overlays.Shape
	sum   func() [32]byte
}

func newMaker(s *overlays.Source, c *stage.Country) *maker {
	m := &maker{source: s, country: c, refs: map[austria.KGCode][]overlays.Ref{}}
	for i := range s.Sites {
		x := &s.Sites[i]
		m.sites = append(m.sites, site{x,
			sync.OnceValue(func() *overlays.Shape { return overlays.NewShape(x.Geometry) }),
			sync.OnceValue(func() [32]byte { return sumOf(x) })})
	}
	for _, k := range s.Refs {
		m.refs[k.KG] = k.Refs
	}
	return m
}

// sumOf is the hash of all that a section says of a site.
func sumOf(s *overlays.Site) [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %c %g %d ", s.Code, s.Name, s.Type, s.AreaHa, s.Tags)
	for _, r := range s.Geometry.Rings() {
		fmt.Fprintln(h, r)
	}
	return [32]byte(h.Sum(nil))
}

// nearOf are the sites whose box meets that of a KG.
func (m *maker) nearOf(k *stage.KG) (near []site) {
	for _, s := range m.sites {
		if s.Box.Intersects(k.Register.Box) {
			near = append(near, s)
		}
	}
	return near
}

// section makes the section of a KG.
func (m *maker) section(k *stage.KG, f *kgfile.File, x *kgSection) ([]byte, error) {
	out := &overlays.KG{Made: x.made, Parcels: f.NumParcels()}
	if sum, err := hex.DecodeString(k.Entry.Forms.KGS.SHA256); err == nil {
		copy(out.Snapshot[:], sum)
	}
	if err := within(f, x.near, out); err != nil {
		return nil, err
	}
	if err := m.named(f, m.refs[k.Entry.Code], out); err != nil {
		return nil, err
	}
	if err := out.Check(); err != nil {
		return nil, err
	}
	return out.Encode()
}

// fingerprint names everything that a section is made from.
func (m *maker) fingerprint(k *stage.KG, near []site, refs []overlays.Ref) (f overlays.Fingerprint, err error) {
	h := sha256.New()
	fmt.Fprintln(h, kgRecipe, k.Entry.Forms.KGS.SHA256)
	for _, s := range near {
		sum := s.sum()
		h.Write(sum[:])
	}
	w := json.NewEncoder(h)
	for _, r := range refs {
		law := m.source.Laws[r.Law]
		r.Law = 0 // its row, which other laws move
		if err := errors.Join(w.Encode(r), w.Encode(law)); err != nil {
			return f, err
		}
	}
	copy(f[:], h.Sum(nil))
	return f, nil
}

// within finds which parcels lie in which site, and with which sites the KG shares area.
func within(f *kgfile.File, near []site, out *overlays.KG) error {
	parcels, err := f.Parcels()
	if err != nil {
		return err
	}
	outline, err := f.Outline()
	if err != nil {
		return err
	}
	for i, s := range near {
		b := overlays.Brief{Code: s.Code, Name: s.Name, Type: s.Type, AreaHa: s.AreaHa, Tags: s.Tags}
		shape := s.shape()
		for row := range parcels {
			if shape.Contains(parcels[row].Centroid) {
				out.In = append(out.In, overlays.Membership{Row: int32(row), Site: int32(i)})
				b.Parcels++
			}
		}
		if b.Inside, err = overlap(s.Geometry, outline); err != nil {
			return fmt.Errorf("site %s: %w", s.Code, err)
		}
		b.Inside = b.Inside || b.Parcels > 0 // a centroid may lie outside its parcel
		out.Sites = append(out.Sites, b)
	}
	slices.SortFunc(out.In, func(a, b overlays.Membership) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Site, b.Site))
	})
	return nil
}

// overlap says whether two areas share area. The smaller one is tested against the other.
func overlap(a, b geom.MultiPolygon) (bool, error) {
	area := region.Of(a)
	in := area.Overlaps(b, b.Bounds())
	return in, area.Err()
}

// named joins references and parcels, in the order of the rows.
func (m *maker) named(f *kgfile.File, refs []overlays.Ref, out *overlays.KG) error {
	laws := map[int]int{}
	for _, r := range refs {
		at, ok := laws[r.Law]
		if !ok {
			at = len(out.Laws)
			laws[r.Law], out.Laws = at, append(out.Laws, m.source.Laws[r.Law])
		}
		n := overlays.Named{Ref: r, Row: -1}
		n.Law = at
		if r.GNR != "" {
			row, ok, err := f.ParcelByGNR(r.GNR)
			if err != nil {
				return err
			}
			if ok {
				n.Row = int32(row)
			}
		}
		out.Refs = append(out.Refs, n)
	}
	slices.SortStableFunc(out.Refs, func(a, b overlays.Named) int { return cmp.Compare(a.Row, b.Row) })
	return nil
}
