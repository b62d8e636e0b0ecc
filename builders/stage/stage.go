// Package stage is what makes an artefact of the whole country out of the snapshots of its KGs: what a stage
// reads, what it gives, and how a large artefact in parts is written without being held. builders/national runs
// the stages between the KGs and the manifest; what an artefact means its own package says (builders/columns,
// builders/directory, builders/overlays).
//
// A stage is a function of the country: the same KG files, register and recipe give the same bytes. It may take
// over what the served artefact holds of KGs that did not change. Stages that read whole snapshots are Readers: one pass
// opens each snapshot once for all of them (Country.Run).
package stage

import (
	"context"
	"errors"
	"fmt"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/register"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// Stage is one artefact of the country.
type Stage struct {
	Artefact string // of the artefact, as manifest.Artefacts names it
	// names what in the program decides the bytes; a change of it makes the artefact anew
	Recipe string
	Make   func(ctx context.Context, c *Country) (manifest.Object, error) // an object without a key: there is nothing to make
	// Read begins what the stage takes of snapshots in the pass that is shared; nil: it reads none there. See Reading.
	Read func(ctx context.Context, c *Country) (Reader, error)
	// Also are further kinds of the country that Make notes in Country.Made where it has them.
	Also []string
	// PerKG are the kinds of artefacts of single KGs that Make notes in KG.Made.
	PerKG []string
	// Again says whether what is served wants the stage to run though nothing that it reads has changed. nil: never.
	Again func(live manifest.Artefacts) bool
}

// Country is what stages read.
type Country struct {
	Store    store.Store
	Register *register.Contents
	KGs      []KG               // those with a snapshot, in rising order
	Live     manifest.Artefacts // of the served generation; its objects may be gone
	// Was are the KGs of the served generation; the objects of those that changed may be gone.
	Was     map[austria.KGCode]manifest.Entry
	Made    manifest.Artefacts // by earlier stages of this publication
	Workers int                // goroutines that a stage may use, at least 1
	// Restore brings a snapshot back that is not in the store; nil: it stays missing, and the stage fails.
	Restore func(context.Context, manifest.Entry) error
	// Progress is told how far a stage is that takes long; nil: nobody.
	Progress func(done, all int)
}

// Tell says how far a stage is.
func (c *Country) Tell(done, all int) {
	if c.Progress != nil {
		c.Progress(done, all)
	}
}

// KG is a KG with a snapshot.
type KG struct {
	Entry    manifest.Entry
	Register *register.KG
	Made     manifest.Artefacts // of this KG, by the stages of this publication; nil: none
}

// Note adds an artefact of the country beside the one that a stage gives.
func (c *Country) Note(kind string, o manifest.Object) {
	if c.Made == nil {
		c.Made = manifest.Artefacts{}
	}
	c.Made[kind] = o
}

// Note adds an artefact of the KG.
func (k *KG) Note(kind string, o manifest.Object) {
	if k.Made == nil {
		k.Made = manifest.Artefacts{}
	}
	k.Made[kind] = o
}

// Open reads the KG's file.
func (c *Country) Open(ctx context.Context, k *KG) (*kgfile.File, error) {
	o := k.Entry.Forms.KGS
	b, err := objects.Read(ctx, c.Store, o.Key)
	if errors.Is(err, store.ErrNotFound) && c.Restore != nil {
		if err := c.Restore(ctx, k.Entry); err != nil {
			return nil, fmt.Errorf("its snapshot is not in the store (%s), and cannot be had: %w; bring it back with `restore %s`, or %s",
				o.Key, err, k.Entry.Code, again(k))
		}
		b, err = objects.Read(ctx, c.Store, o.Key)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("its snapshot is not in the store: bring it back with `restore %s`, or %s: %w", k.Entry.Code, again(k), err)
	}
	if err != nil {
		return nil, err
	}
	f, err := kgfile.Open(b)
	if err != nil {
		return nil, fmt.Errorf("its snapshot %s is damaged: %w; delete the object, then bring it back with `restore %s`, or %s", o.Key, err,
			k.Entry.Code, again(k))
	}
	return f, nil
}

// again is how a snapshot is had that the research repository does not have.
func again(k *KG) string { return fmt.Sprintf("build the KG with `build --kg %s`", k.Entry.Code) }

// District is a district with those of its KGs that have a snapshot.
type District struct {
	Code austria.DistrictCode
	KGs  []*KG // in rising order
}

// Districts are the districts in rising order, without those that have no KG with a snapshot.
func (c *Country) Districts() []District {
	at := map[austria.DistrictCode]int{}
	var out []District
	for i := range c.KGs {
		k := &c.KGs[i]
		n, ok := at[k.Register.DistrictCode]
		if !ok {
			n = len(out)
			at[k.Register.DistrictCode] = n
			out = append(out, District{Code: k.Register.DistrictCode})
		}
		out[n].KGs = append(out[n].KGs, k)
	}
	sortDistricts(out)
	return out
}
