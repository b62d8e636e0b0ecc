package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"mappe/artefacts/archive"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/shared/austria"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
)

// keyword is what the deposits of a KG are found by.
func keyword(code austria.KGCode, of string) string {
	if of == "" {
		return "mappe-kg-" + string(code)
	}
	return "mappe-" + of + "-" + string(code)
}

// ofSnapshot describes the record of a snapshot for people and for the repository's search.
func (a Archive) ofSnapshot(r archive.Record, e manifest.Entry, attribution string) repository.Metadata {
	return repository.Metadata{
		Title: r.Name + ": cadastre of the Katastralgemeinde " + e.Name, UploadType: "dataset",
		Description: fmt.Sprintf("<p>Snapshot %s: %d parcels with address points, building footprints and land use, as GeoParquet, GeoJSON, GeoPackage, PMTiles and the columnar form .kgs.</p><p>%s. The data is modified: re-projected, re-assembled, quantised and enriched.</p>",
			r.Name, r.Parcels, escaped(attribution)),
		Creators: []repository.Creator{{Name: a.Creator}}, License: "cc-by-4.0", PublicationDate: r.Date, Version: r.Date,
		Keywords: []string{"cadastre", "Austria", r.Name, keyword(e.Code, "")}, Notes: "processing_version " + rowschema.ProcessingVersion,
	}
}

// ofProducts describes the record of products.
func (a Archive) ofProducts(r archive.Record, p Products) repository.Metadata {
	return repository.Metadata{Title: p.Title, UploadType: "dataset", Description: "<p>" + escaped(p.Description) + "</p>",
		Creators: []repository.Creator{{Name: a.Creator}}, License: p.License, PublicationDate: r.Date, Version: r.Date,
		Keywords: []string{"landscape", "Austria", r.Name, keyword(p.Code, p.Set)}}
}

// escaped is a text in the HTML of a description.
func escaped(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// fill brings the draft to hold exactly the files that are wanted. The one that names the record is sent last.
func (w *work) fill(ctx context.Context, d repository.Deposit) error {
	if err := w.Repository.Describe(ctx, d.ID, w.metadata()); err != nil {
		return err
	}
	draft := w.journal.Draft
	for _, f := range d.Files { // of the version before, or of another snapshot
		if !slices.ContainsFunc(draft.Files, func(want archive.File) bool { return same(f, want) }) {
			if err := w.Repository.DeleteFile(ctx, d.ID, f.ID); err != nil {
				return err
			}
		}
	}
	for i := range draft.Files {
		f := &draft.Files[len(draft.Files)-1-i]
		if slices.ContainsFunc(d.Files, func(there repository.File) bool { return same(there, *f) }) {
			continue // sent by an earlier worker
		}
		if err := w.step(ctx, 0.9*float64(i)/float64(len(draft.Files))); err != nil {
			return err
		}
		if err := w.send(ctx, d, f); err != nil {
			return err
		}
		if err := w.note(ctx); err != nil {
			return err
		}
	}
	return w.compare(ctx, d.ID)
}

// same says whether a file of the repository is known to be the wanted one.
func same(there repository.File, want archive.File) bool {
	return want.MD5 != "" && there.Name == want.Name && there.Bytes == want.Bytes && there.Checksum == want.MD5
}

// send streams a file from the store into the draft. Its bytes are compared with its name on the way: what is damaged
// in the store is not archived.
func (w *work) send(ctx context.Context, d repository.Deposit, f *archive.File) error {
	var last *hashing
	sum, err := w.Repository.Upload(ctx, d,
		repository.Source{Name: f.Name, Bytes: f.Bytes, Open: func(ctx context.Context) (io.ReadCloser, error) {
			o, err := w.Store.Get(ctx, f.Key, store.GetOptions{Plain: true})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Key, err)
			}
			if o.Size != f.Bytes {
				o.Body.Close()
				return nil, fmt.Errorf("%s: %w: %d bytes, expected %d", f.Key, ErrDamaged, o.Size, f.Bytes)
			}
			last = &hashing{ReadCloser: o.Body, sum: sha256.New()}
			return last, nil
		}})
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(last.sum.Sum(nil)); got != f.SHA256 { // the repository has confirmed the same bytes
		return fmt.Errorf("%s: %w: SHA-256 %s", f.Key, ErrDamaged, got)
	}
	f.MD5 = sum
	return nil
}

type hashing struct {
	io.ReadCloser
	sum hash.Hash
}

func (h *hashing) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.sum.Write(p[:n])
	return n, err
}

// errOther: the draft holds something else than the journal says. It is looked at anew.
var errOther = errors.New("the draft does not hold the files of the snapshot")

// compare reads the files of the draft back: what is published next cannot be changed any more.
func (w *work) compare(ctx context.Context, id int64) error {
	d, err := w.Repository.Get(ctx, id)
	if err != nil {
		return err
	}
	want := w.journal.Draft.Files
	for _, f := range want {
		if !slices.ContainsFunc(d.Files, func(there repository.File) bool { return same(there, f) }) {
			return fmt.Errorf("deposit %d: %w: %s", id, errOther, f.Name)
		}
	}
	if len(d.Files) != len(want) {
		return fmt.Errorf("deposit %d: %w: %d files, expected %d", id, errOther, len(d.Files), len(want))
	}
	return nil
}
