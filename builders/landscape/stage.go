package landscape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"mappe/artefacts/classifier"
	"mappe/artefacts/manifest"
	"mappe/builders/stage"
)

// SourceFile is where a raw source has a model.
const SourceFile = "landscape/classifier.parts"

// Source is the model of a raw source.
type Source struct {
	Body []byte `json:"-"`
	Sum  string
}

// ErrModel is the error of a model that cannot be used.
var ErrModel = errors.New("model of segments")

// Read reads the model of a raw source; nil where it has none. A model that cannot be used is an ErrModel that names the file.
func Read(files fs.FS) (*Source, error) {
	b, err := fs.ReadFile(files, SourceFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := classifier.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", SourceFile, ErrModel, err)
	}
	if _, err := m.OfSegments(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", SourceFile, ErrModel, err)
	}
	sum := sha256.Sum256(b)
	return &Source{b, hex.EncodeToString(sum[:8])}, nil
}

// Stages make the artefact of a source; none of no source.
func Stages(s *Source) []stage.Stage {
	if s == nil {
		return nil
	}
	return []stage.Stage{{Artefact: classifier.Artefact, Recipe: recipe + " " + s.Sum, Make: func(ctx context.Context,
		c *stage.Country) (manifest.Object, error) {
		return c.Write(ctx, classifier.Artefact, "parts", s.Body)
	}}}
}
