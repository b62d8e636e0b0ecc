package overlays

import (
	"context"

	"mappe/artefacts/overlays"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// live is the artefact of the served generation. One that is gone or damaged has no sections: everything is then
// made anew.
type live struct {
	file *sectionfile.File
}

func openLive(ctx context.Context, c *stage.Country) live {
	o, ok := c.Live[overlays.KGArtefact]
	if !ok {
		return live{}
	}
	f, err := sectionfile.Open(store.InPlace(ctx, c.Store, o.Key), o.Bytes)
	if err != nil || f.Family() != overlays.KGFamily {
		return live{}
	}
	return live{f}
}

// section is the live section of a KG if it was made from the same.
func (l live) section(code austria.KGCode, made overlays.Fingerprint) []byte {
	if l.file == nil {
		return nil
	}
	i, ok := l.file.Find(overlays.KGSection(code))
	if !ok {
		return nil
	}
	body, err := l.file.Section(i)
	if f, ok := overlays.Made(body); err != nil || !ok || f != made {
		return nil
	}
	return body
}
