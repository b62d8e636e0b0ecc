package national

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/columns"
	"mappe/builders/directory"
	"mappe/builders/overlays"
	"mappe/builders/prices"
	"mappe/builders/proximity"
	"mappe/builders/stage"
	"mappe/builders/toponyms"
)

// stages make the artefacts of the country, in this order.
func (p *Publication) stages() []stage.Stage {
	made := []stage.Stage{columns.Stage(), directory.Stage(), prices.Stage(p.Country.Prices)}
	made = append(made, overlays.Stages(p.Country.Overlays)...)
	made = append(made, proximity.Stages(p.Country.Proximity)...)
	return append(made, toponyms.Stages(p.Country.Toponyms)...)
}

// further runs the stages and gives what they made.
func (p *Publication) further(ctx context.Context, rows []row, contents *register.Contents, live manifest.Manifest) (manifest.Artefacts, error) {
	c := p.stageCountry(rows, contents, live)
	for _, s := range p.stages() {
		p.Observer.Phase(s.Kind)
		o, err := s.Make(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("stage %s: %w", s.Kind, err)
		}
		c.Made[s.Kind] = o
	}
	return c.Made, nil
}

func (p *Publication) stageCountry(rows []row, contents *register.Contents, live manifest.Manifest) *stage.Country {
	c := &stage.Country{Store: p.Store, Register: contents, Live: live.Artefacts, Made: manifest.Artefacts{}, Workers: runtime.GOMAXPROCS(0), Restore: p.Restore}
	at := 0
	for i := range contents.KGs {
		k := &contents.KGs[i]
		if at < len(rows) && rows[at].entry.Code == k.Code {
			c.KGs = append(c.KGs, stage.KG{Entry: rows[at].entry, Register: k})
			at++
		}
	}
	return c
}

// keptArtefacts are the artefacts that no stage makes.
func (p *Publication) keptArtefacts(live manifest.Artefacts) manifest.Artefacts {
	kept := live.With(p.Artefacts)
	for _, s := range p.stages() {
		delete(kept, s.Kind)
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// writeStages adds to a fingerprint what decides the artefacts of the stages beside the KGs and registers.
func (p *Publication) writeStages(w io.Writer) {
	for _, s := range p.stages() {
		fmt.Fprintln(w, s.Kind, s.Recipe)
	}
}
