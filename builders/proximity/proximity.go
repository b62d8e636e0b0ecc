// Package proximity makes the artefact of the community map (artefacts/proximity) from OpenStreetMap extracts in the
// folder osm of a raw source: which tags make which feature, which of the country's nodes they need, how lakes of several
// ways are closed. builders/source/osm reads the files, builders/national runs the stage.
//
// An extract is read three times: relations, ways, nodes. So memory holds the features and one position for each node
// that they need, some 0.5 GB for Austria, and not the 100 million nodes of the extract. What an extract lacks is left
// out: ways are cut where it has not their nodes, lakes that do not close have no area and no border.
package proximity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"mappe/artefacts/manifest"
	"mappe/artefacts/proximity"
	"mappe/artefacts/sectionfile"
	"mappe/builders/source/osm"
	"mappe/builders/stage"
)

// The folder of a raw source, and the file in it with the notice of whom to name.
const (
	Folder          = "osm"
	attributionFile = "attribution.txt"
)

// Contributors are whom to name for OpenStreetMap where the source does not say otherwise.
const Contributors = "© OpenStreetMap contributors"

// recipe names what in the program decides the bytes beside the extracts.
const recipe = "osm-proximity-3"

// Source are the extracts of a raw source. They are read when the stage runs.
type Source struct {
	files       fs.FS
	names       []string
	attribution string
	sum         func() (string, error)
}

// Open finds the extracts; nil if the folder has no extract.
func Open(files fs.FS) (*Source, error) {
	entries, err := fs.ReadDir(files, Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Folder, err)
	}
	s := &Source{files: files, attribution: Contributors}
	for _, e := range entries {
		if _, ok := osm.FormOf(e.Name()); ok && !e.IsDir() {
			s.names = append(s.names, path.Join(Folder, e.Name()))
		}
	}
	if len(s.names) == 0 {
		return nil, nil
	}
	slices.Sort(s.names)
	if b, err := fs.ReadFile(files, path.Join(Folder, attributionFile)); err == nil && len(b) <= 1000 {
		s.attribution = strings.TrimSpace(string(b))
	}
	s.sum = sync.OnceValues(s.hash)
	return s, nil
}

// hash is that of all bytes of the extracts: a stage runs again when one changes.
func (s *Source) hash() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, s.attribution)
	for _, name := range s.names {
		f, err := s.files.Open(name)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintln(h, name)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Stages make the artefact of a source; none of no source.
func Stages(s *Source) []stage.Stage {
	if s == nil {
		return nil
	}
	sum, err := s.sum()
	if err != nil {
		sum = "unreadable" // Make says why
	}
	return []stage.Stage{{Artefact: proximity.Artefact, Recipe: recipe + " " + sum,
		Also: []string{proximity.NearestArtefact, proximity.BaseArtefact}, Make: s.write}}
}

func (s *Source) write(ctx context.Context, c *stage.Country) (manifest.Object, error) {
	country, err := s.Read()
	if err != nil {
		return manifest.Object{}, err
	}
	head, err := country.Head().Encode()
	if err != nil {
		return manifest.Object{}, err
	}
	if err := errors.Join(writeBase(ctx, c, country), writeNearest(ctx, c, country, head)); err != nil {
		return manifest.Object{}, err
	}
	return c.WriteParts(ctx, proximity.Artefact, proximity.Family, head, country.Fill)
}

// writeNearest writes osm-nearest beside the artefact; its cells are made at once as far as there are processors.
func writeNearest(ctx context.Context, c *stage.Country, country *proximity.Country, head []byte) error {
	n, err := proximity.NewNearest(country)
	if err != nil {
		return err
	}
	cells := n.Cells()
	o, err := c.WriteParts(ctx, proximity.NearestArtefact, proximity.NearestFamily, head, func(b *sectionfile.Builder) error {
		return stage.InOrder(ctx, len(cells), max(c.Workers, 1), func(_ context.Context, i int) ([]byte, error) {
			return n.Section(cells[i])
		}, func(i int, body []byte) error {
			if body == nil {
				return nil
			}
			return b.Add(proximity.Near.Section(cells[i]), body)
		})
	})
	if err != nil {
		return err
	}
	c.Note(proximity.NearestArtefact, o)
	return nil
}

// Read gathers the features of all extracts, in the order of the files. Extracts that overlap say the same things twice,
// which no distance is changed by.
func (s *Source) Read() (*proximity.Country, error) {
	all := &proximity.Country{Attribution: s.attribution}
	for _, name := range s.names {
		g := newGatherer()
		if err := g.extract(s.files, name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all.Date = max(all.Date, g.out.Date)
		if len(s.names) == 1 { // the usual case: nothing is copied
			all.Lines, all.Points, all.Areas = g.out.Lines, g.out.Points, g.out.Areas
			continue
		}
		all.Lines, all.Points, all.Areas = append(all.Lines, g.out.Lines...), append(all.Points, g.out.Points...),
			append(all.Areas, g.out.Areas...)
	}
	return all, nil
}
