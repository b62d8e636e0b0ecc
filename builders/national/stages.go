package national

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"

	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/areas"
	"mappe/builders/columns"
	"mappe/builders/directory"
	"mappe/builders/headcache"
	"mappe/builders/landscape"
	cells "mappe/builders/ne"
	"mappe/builders/overlays"
	"mappe/builders/prices"
	"mappe/builders/proximity"
	"mappe/builders/rasters"
	"mappe/builders/relief"
	"mappe/builders/stage"
	"mappe/builders/toponyms"
	"mappe/shared/austria"
)

// stages make the artefacts of the country, in this order.
func (p *Publication) stages() []stage.Stage {
	made := []stage.Stage{columns.Stage(), directory.Stage(), prices.Stage(p.Country.Prices)}
	made = append(made, overlays.Stages(p.Country.Overlays)...)
	made = append(made, proximity.Stages(p.Country.Proximity)...)
	made = append(made, toponyms.Stages(p.Country.Toponyms)...)
	made = append(made, rasters.Stages(p.Country.Rasters)...)
	made = append(made, relief.Stages(p.Country.Terrain, p.Country.Rasters)...) // it reads the tiles of the rasters
	made = append(made, areas.Stage())
	made = append(made, landscape.Stages(p.Country.Classifier)...)
	made = append(made, cells.Stages(p.Country.Observations)...)
	return append(made, headcache.Stage()) // it repeats what the others made
}

// further runs the stages and gives what they made; what they made of single KGs stands in kgs then.
func (p *Publication) further(ctx context.Context, rows []row, contents *register.Contents, live manifest.Manifest,
	kgs []manifest.Entry) (manifest.Artefacts, error) {
	c := p.stageCountry(rows, contents, live)
	c.Progress = p.Observer.Step
	if err := c.Run(ctx, p.stages(), p.Observer.Phase); err != nil {
		return nil, err
	}
	made := map[austria.KGCode]manifest.Artefacts{}
	for i := range c.KGs {
		made[c.KGs[i].Entry.Code] = c.KGs[i].Made
	}
	for i := range kgs {
		kgs[i].Artefacts = p.withoutStages(kgs[i].Artefacts).With(made[kgs[i].Code])
	}
	return c.Made, nil
}

// withoutStages leaves out the artefacts of a KG that stages make.
func (p *Publication) withoutStages(a manifest.Artefacts) manifest.Artefacts {
	if len(a) == 0 {
		return nil
	}
	a = maps.Clone(a)
	for _, s := range p.stages() {
		for _, kind := range s.PerKG {
			delete(a, kind)
		}
	}
	if len(a) == 0 {
		return nil
	}
	return a
}

func (p *Publication) stageCountry(rows []row, contents *register.Contents, live manifest.Manifest) *stage.Country {
	c := &stage.Country{Store: p.Store, Register: contents, Live: live.Artefacts, Made: manifest.Artefacts{},
		Was: make(map[austria.KGCode]manifest.Entry, len(live.KGs)), Workers: runtime.GOMAXPROCS(0), Restore: p.Restore}
	for _, k := range live.KGs {
		c.Was[k.Code] = k
	}
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
		delete(kept, s.Artefact)
		for _, kind := range s.Also {
			delete(kept, kind)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// writeStages adds to a fingerprint what decides the artefacts of the stages beside the KGs and registers.
func (p *Publication) writeStages(w io.Writer) {
	for _, s := range p.stages() {
		fmt.Fprintln(w, s.Artefact, s.Recipe)
	}
}

// again says whether a stage wants to run though nothing that it reads has changed.
func (p *Publication) again(live manifest.Artefacts) bool {
	return slices.ContainsFunc(p.stages(), func(s stage.Stage) bool { return s.Again != nil && s.Again(live) })
}
