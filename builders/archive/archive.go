// Package archive puts the served snapshot of a KG, and the products of its analysis, into the research repository and copies
// archived snapshots back. What is done stands in the KG's journal (artefacts/archive) before and after each step:
//
//	    journal                     repository
//	1   the draft is intended
//	2                               the draft is made, or found again: a new version, or a first deposit
//	3   its number
//	4                               metadata; files that are not wanted are taken out; each file is streamed in
//	5   the MD5 of each file
//	6                               the files are compared, the draft is published
//	7   the record
//	8   the line of the manifest
//
// A worker that dies between two steps is gone on from by the next. Only the draft whose number the journal holds is
// published, and a draft that may be published already is looked at before anything else, so that a snapshot is never
// published twice. A draft whose number was lost is found again by a keyword of its own, and so are the records of a KG
// whose journal is gone: the same files are not published again, others are a new version.
//
// One worker at a time archives a KG: the lease of its job says so, and a journal that another has written is an error.
package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mappe/artefacts/archive"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/shared/austria"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
)

// ErrDamaged: an object of the store is not what its name says.
var ErrDamaged = errors.New("the object is not what its name says")

// Archive is the repository with what is noted of it.
type Archive struct {
	Store      store.Store
	Repository *repository.Client
	Creator    string // who is named as the author of records
	// Step is told what is being done, and stops it by an error: the lease is lost. nil: nobody is told.
	Step func(ctx context.Context, done float64) error
}

// Put archives the served snapshot of a KG, unless its data is archived already, and gives its record.
func (a Archive) Put(ctx context.Context, e manifest.Entry, attribution string) (archive.Record, error) {
	w := work{Archive: a, want: archive.RecordOf(e)}
	w.metadata = func() repository.Metadata { return a.ofSnapshot(w.want, e, attribution) }
	if len(w.want.Files) == 0 {
		return archive.Record{}, fmt.Errorf("KG %s has no snapshot to archive", e.Code)
	}
	r, err := w.run(ctx, e.Code)
	if err != nil {
		return archive.Record{}, err
	}
	return r, a.list(ctx, w.journal)
}

// Products is a set of files that the analysis of a KG is handed out as.
type Products struct {
	Code        austria.KGCode
	Name        string // of the KG
	Set         string // of keys.ProductSets
	Date        string // YYYY-MM-DD of the snapshot
	License     string // as the repository names it: cc-by-4.0
	Title       string
	Description string         // plain text
	Files       []archive.File // the STAC item first
}

// PutProducts archives a set of products, unless they are archived already, and gives their record.
func (a Archive) PutProducts(ctx context.Context, p Products) (archive.Record, error) {
	w := work{Archive: a, of: p.Set, want: archive.Record{Date: p.Date, Name: string(p.Code) + "-" + p.Date, Files: p.Files}}
	w.metadata = func() repository.Metadata { return a.ofProducts(w.want, p) }
	if len(p.Files) == 0 {
		return archive.Record{}, fmt.Errorf("KG %s has no products to archive", p.Code)
	}
	return w.run(ctx, p.Code)
}

// Addresses are where the files of a record are downloaded, by their names.
func (a Archive) Addresses(ctx context.Context, r archive.Record) (map[string]string, error) {
	record, err := a.Repository.Record(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, f := range record.Files {
		out[f.Name] = f.Links.Self
	}
	return out, nil
}

// work is the archiving of one record.
type work struct {
	Archive
	of       string // set of products; "": a snapshot
	want     archive.Record
	metadata func() repository.Metadata
	journal  archive.Journal
	etag     string
	intended bool  // the draft was intended before: it may have been made
	newest   int64 // record of the repository that a lost journal does not name; 0: none
}

// run makes the record that is wanted, unless it is there.
func (w *work) run(ctx context.Context, code austria.KGCode) (archive.Record, error) {
	if err := w.open(ctx, code); err != nil {
		return archive.Record{}, err
	}
	if err := w.settleDraft(ctx); err != nil {
		return archive.Record{}, err
	}
	r, done := w.journal.Find(w.want.Sum())
	if !done {
		if err := w.make(ctx); err != nil {
			return archive.Record{}, err
		}
		r, _ = w.journal.Find(w.want.Sum())
	}
	return r, nil
}

// open reads the journal of the KG.
func (w *work) open(ctx context.Context, code austria.KGCode) (err error) {
	w.journal, w.etag, err = readSet(ctx, w.Store, code, w.of)
	w.intended = w.journal.Draft != nil
	if err == nil && w.etag == store.Absent {
		err = w.adopt(ctx)
	}
	return err
}

// readJournal reads the journal of the snapshots of a KG.
func readJournal(ctx context.Context, st store.Store, code austria.KGCode) (archive.Journal, string, error) {
	return readSet(ctx, st, code, "")
}

// readSet reads the journal of a set of products of a KG; of "" that of its snapshots.
func readSet(ctx context.Context, st store.Store, code austria.KGCode, of string) (archive.Journal, string, error) {
	key := keys.ArchiveJournal{Code: code, Of: of}.String()
	b, info, err := store.ReadAll(ctx, st, key, archive.MaxJournal, store.GetOptions{})
	if errors.Is(err, store.ErrNotFound) {
		return archive.Journal{Format: archive.Format, Code: code, Of: of}, store.Absent, nil
	}
	if err != nil {
		return archive.Journal{}, "", fmt.Errorf("read %s: %w", key, err)
	}
	j, err := archive.ParseJournal(b)
	if err == nil && (j.Code != code || j.Of != of) {
		err = fmt.Errorf("%s: it is of KG %s %s", key, j.Code, j.Of)
	}
	return j, info.ETag, err
}

// note writes the journal over the version that was read.
func (w *work) note(ctx context.Context) (err error) {
	w.etag, err = replace(ctx, w.Store, keys.ArchiveJournal{Code: w.journal.Code, Of: w.of}, w.journal, w.etag)
	return err
}

// replace writes a document over a version of it.
func replace(ctx context.Context, st store.Store, key keys.Key, doc any, etag string) (string, error) {
	body, err := manifest.Encode(doc)
	if err != nil {
		return "", err
	}
	opt := objects.Options(key)
	opt.IfMatch = etag
	info, err := st.Put(ctx, key.String(), body, opt)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", key, err)
	}
	return info.ETag, nil
}

func (w *work) step(ctx context.Context, done float64) error {
	if w.Step == nil {
		return ctx.Err()
	}
	return w.Step(ctx, done)
}

// settleDraft looks what became of the draft that an earlier worker has left: one that was published is noted as a
// record, whatever snapshot it holds; one that is gone is forgotten.
func (w *work) settleDraft(ctx context.Context) error {
	if w.journal.Draft == nil || w.journal.Draft.ID == 0 {
		return nil
	}
	d, err := w.Repository.Get(ctx, w.journal.Draft.ID)
	switch {
	case errors.Is(err, repository.ErrNotFound):
		w.journal.Draft, w.intended = nil, false
		return w.note(ctx)
	case err != nil:
		return err
	case d.Submitted:
		return w.published(ctx, d)
	}
	return nil
}

// make makes the record: on with the draft that there is, or from the start.
func (w *work) make(ctx context.Context) error {
	if err := w.intend(ctx); err != nil {
		return err
	}
	d, err := w.draft(ctx)
	if err != nil {
		return err
	}
	if err := w.fill(ctx, d); err != nil {
		return err
	}
	return w.publish(ctx, d.ID)
}

// intend notes which snapshot the draft is to hold. What was sent for another is sent anew.
func (w *work) intend(ctx context.Context) error {
	if d := w.journal.Draft; d != nil && d.Sum() == w.want.Sum() && d.Name == w.want.Name {
		return nil
	}
	next := w.want
	next.Files = slices.Clone(w.want.Files)
	if d := w.journal.Draft; d != nil {
		next.ID = d.ID
	}
	w.journal.Draft = &next
	return w.note(ctx)
}

// draft makes the draft, or finds the one that was made, and notes its number.
func (w *work) draft(ctx context.Context) (d repository.Deposit, err error) {
	if id := w.journal.Draft.ID; id != 0 {
		return w.Repository.Get(ctx, id)
	}
	if n := len(w.journal.Records); n > 0 {
		d, err = w.Repository.NewVersion(ctx, w.journal.Records[n-1].ID) // again gives the same one
	} else if w.newest != 0 {
		d, err = w.Repository.NewVersion(ctx, w.newest)
	} else {
		d, err = w.first(ctx)
	}
	if err != nil {
		return d, err
	}
	w.journal.Draft.ID = d.ID
	return d, w.note(ctx)
}

// first is the first deposit of a KG. One that an earlier worker may have made is looked for.
func (w *work) first(ctx context.Context) (repository.Deposit, error) {
	if w.intended {
		found, err := w.Repository.Find(ctx, keyword(w.journal.Code, w.of))
		if err != nil {
			return repository.Deposit{}, err
		}
		for _, d := range found {
			if !d.Submitted {
				return w.Repository.Get(ctx, d.ID)
			}
		}
	}
	return w.Repository.Create(ctx, w.metadata())
}

// publish publishes the draft and notes the record.
func (w *work) publish(ctx context.Context, id int64) error {
	if err := w.step(ctx, 0.95); err != nil {
		return err
	}
	d, err := w.Repository.Publish(ctx, id)
	if errors.Is(err, repository.ErrUnknown) || errors.Is(err, repository.ErrRefused) { // it may be published
		if now, again := w.Repository.Get(ctx, id); again == nil && now.Submitted {
			d, err = now, nil
		}
	}
	if err != nil {
		return err
	}
	return w.published(ctx, d)
}

// published notes the record that the draft has become.
func (w *work) published(ctx context.Context, d repository.Deposit) error {
	r := *w.journal.Draft
	r.ID, r.DOI = d.ID, d.DOI
	if w.journal.Concept == "" {
		w.journal.Concept = d.Concept
	}
	if _, there := w.journal.Find(r.Sum()); !there {
		w.journal.Records = append(w.journal.Records, r)
	}
	w.journal.Draft, w.intended = nil, false
	return w.note(ctx)
}

// listAttempts bounds how often a line is put into the manifest again that others write meanwhile.
const listAttempts = 20

// list puts the line of the KG into the manifest.
func (a Archive) list(ctx context.Context, j archive.Journal) error {
	line, ok := archive.LineOf(j)
	if !ok {
		return nil
	}
	key := keys.ArchiveManifest{}
	for range listAttempts {
		m, etag := archive.Manifest{Format: archive.Format}, store.Absent
		b, info, err := store.ReadAll(ctx, a.Store, key.String(), archive.MaxManifest, store.GetOptions{})
		switch {
		case err == nil:
			etag = info.ETag
			if m, err = archive.ParseManifest(b); err != nil {
				return err
			}
		case !errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("read %s: %w", key, err)
		}
		next, changed := m.With(line)
		if !changed {
			return nil
		}
		if _, err = replace(ctx, a.Store, key, next, etag); !errors.Is(err, store.ErrPrecondition) {
			return err
		}
	}
	return fmt.Errorf("%s was written by others %d times in a row", key, listAttempts)
}
