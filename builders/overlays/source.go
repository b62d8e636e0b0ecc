// Package overlays makes the three artefacts of what lies over the parcels (artefacts/overlays): it reads the folder
// overlays of a raw source through builders/source, and says of each KG which of its parcels lie in which Natura 2000
// site and are named by which law. It owns the joins; builders/national runs its stages.
//
//	overlays      the sources as one file in parts, written anew when they change
//	overlays-grid what may hold a point, by cells of a grid; written anew with the sources
//	kg-overlays   a section per KG. Map: each KG alone, from its file, the sites whose box meets its box, its
//	              references. A section whose fingerprint is that of the live one is taken over byte for byte;
//	              the KG's file is not opened then.
//
// A parcel is in a site when its centroid lies in it (document 000), exactly on the grid, half-open on borders. A KG
// is in a site when they share area: outlines and sites as they are, no tolerance. A site whose box meets the KG's
// and that shares no area with it is near only.
//
// The demo country has all of it (localdev/demo); what lacks in a source is missing from the answers, and a source
// without the folder makes an artefact of the municipalities alone.
package overlays

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"mappe/artefacts/overlays"
	"mappe/artefacts/sectionfile"
	"mappe/builders/source/legal"
	"mappe/builders/source/natura"
	"mappe/builders/source/outlines"
	"mappe/builders/source/protected"
	"mappe/builders/source/table"
)

// Source is what a raw source says.
type Source struct {
	overlays.Source
	Sum string // of all of it
}

// Read reads the folder overlays. kgs are those of the register, by which laws name parcels; drawn are the
// municipalities, which lie beside the folder. nil where there is nothing at all.
func Read(files fs.FS, kgs []legal.KG, drawn []outlines.Gemeinde, p *table.Problems) (*Source, error) {
	s := &Source{}
	err := errors.Join(
		read(files, natura.File, p, natura.Read, &s.Sites),
		read(files, protected.File, p, protected.Read, &s.Areas),
	)
	if err != nil {
		return nil, err
	}
	refs, err := legal.Read(files, legal.NewNames(kgs), p)
	if err != nil {
		return nil, err
	}
	s.Laws, s.Refs = refs.Laws, refs.KGs
	for _, g := range drawn {
		s.Municipalities = append(s.Municipalities, overlays.Municipality{Code: g.Code, Name: g.Name, Box: g.Geometry.Bounds(),
			Geometry: g.Geometry})
	}
	if s.Empty() {
		return nil, nil
	}
	s.Sum, err = sum(&s.Source)
	return s, err
}

func read[T any](files fs.FS, name string, p *table.Problems, from func(io.Reader, *table.Problems) ([]T, error), to *[]T) error {
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("overlays: %w", err)
	}
	defer f.Close()
	*to, err = from(f, p)
	return err
}

// sum is the hash of the artefact that the source makes.
func sum(s *overlays.Source) (string, error) {
	h := sha256.New()
	b, err := sectionfile.NewBuilder(overlays.SourceFamily, nil, h)
	if err != nil {
		return "", err
	}
	if err := s.Fill(b); err != nil {
		return "", err
	}
	front, err := b.Front()
	h.Write(front)
	return hex.EncodeToString(h.Sum(nil)), err
}
