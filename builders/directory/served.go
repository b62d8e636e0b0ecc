package directory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"mappe/artefacts/directory"
	"mappe/artefacts/manifest"
	"mappe/artefacts/sectionfile"
	"mappe/builders/stage"
	"mappe/shared/austria"
	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
)

// takeServed begins a directory with what the served one has of KGs that have not changed; nil where it has none, or cannot
// be trusted. kept are these KGs, with the names of their municipalities.
func takeServed(ctx context.Context, c *stage.Country) (b *directory.Builder, kept map[austria.KGCode]string) {
	o, ok := c.Live[directory.Artefact]
	if !ok {
		return nil, nil
	}
	kept = map[austria.KGCode]string{}
	for i := range c.KGs {
		k := &c.KGs[i]
		if was, ok := c.Was[k.Entry.Code]; ok && was.Forms.KGS.SHA256 == k.Entry.Forms.KGS.SHA256 {
			kept[k.Entry.Code] = k.Register.GemeindeName
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	at, err := spool.NewFile("")
	if err != nil {
		return nil, nil
	}
	defer at.Close()
	f, err := openServed(ctx, c, o, at)
	if err != nil {
		return nil, nil
	}
	if b, err = newBuilder(c); err != nil {
		return nil, nil
	}
	if err := b.Take(f, kept); err != nil {
		return nil, nil
	}
	return b, kept
}

// openServed copies the served directory beside this program: its blocks are thousands, and a far store takes as long for one
// as for all. It is not opened where it is not, to the byte, what the manifest says, or was made from other files than those
// of the served generation.
func openServed(ctx context.Context, c *stage.Country, o manifest.Object, at *spool.File) (*sectionfile.File, error) {
	got, err := c.Store.Get(ctx, o.Key, store.GetOptions{Plain: true})
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(at, h), got.Body)
	if err != nil {
		return nil, err
	}
	if n != o.Bytes || hex.EncodeToString(h.Sum(nil)) != o.SHA256 {
		return nil, fmt.Errorf("%s is damaged", o.Key)
	}
	f, err := sectionfile.Open(at, n)
	if err != nil {
		return nil, err
	}
	if f.Family() != directory.Family {
		return nil, fmt.Errorf("%s is no directory", o.Key)
	}
	head, err := directory.ParseHead(f.Head())
	if err != nil {
		return nil, err
	}
	was := make([]manifest.Entry, len(head.KGs))
	for i, code := range head.KGs {
		was[i] = c.Was[code]
	}
	if head.Inputs != inputs(was) {
		return nil, fmt.Errorf("%s was made from other files than those that are served", o.Key)
	}
	return f, nil
}
