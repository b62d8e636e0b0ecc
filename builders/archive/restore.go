package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/archive"
	"mappe/artefacts/keys"
	"mappe/artefacts/manifest"
	"mappe/builders/objects"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/spool"
	"mappe/shared/cloud/store"
)

// ErrNotArchived: the snapshot is in no record of the repository.
var ErrNotArchived = errors.New("the snapshot is not archived")

// Restore copies the files of a snapshot back that are not in the store. It changes no generation: the objects have the
// names and the bytes that they had. ErrNotArchived.
func (a Archive) Restore(ctx context.Context, e manifest.Entry) (restored int, err error) {
	j, _, err := readJournal(ctx, a.Store, e.Code)
	if err != nil {
		return 0, err
	}
	want := archive.RecordOf(e)
	r, ok := j.Find(want.Sum())
	if !ok {
		return 0, fmt.Errorf("KG %s: %s: %w", e.Code, e.Snapshot, ErrNotArchived)
	}
	var missing []archive.File
	for _, f := range want.Files {
		if there, err := whole(ctx, a.Store, f); err != nil {
			return 0, err
		} else if !there {
			missing = append(missing, f)
		}
	}
	if len(missing) == 0 {
		return 0, nil
	}
	record, err := a.Repository.Record(ctx, r.ID)
	if err != nil {
		return 0, err
	}
	for i, f := range missing {
		if a.Step != nil {
			if err := a.Step(ctx, float64(i)/float64(len(missing))); err != nil {
				return i, err
			}
		}
		if err := a.restore(ctx, r, record, f); err != nil {
			return i, fmt.Errorf("%s: %w", f.Key, err)
		}
	}
	return len(missing), nil
}

// whole says whether the store has an object, as long as it was.
func whole(ctx context.Context, st store.Store, f archive.File) (bool, error) {
	info, err := store.Stat(ctx, st, f.Key)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && info.Size == f.Bytes, err
}

// restore downloads a file beside the store, compares it with its name and puts it in its place. A record that was
// published under another date has the same bytes under other names.
func (a Archive) restore(ctx context.Context, r archive.Record, record repository.Record, f archive.File) error {
	key, err := keys.Parse(f.Key)
	if err != nil {
		return err
	}
	name := ""
	for _, had := range r.Files {
		if had.SHA256 == f.SHA256 {
			name = had.Name
		}
	}
	for _, there := range record.Files {
		if there.Name == name && there.Bytes == f.Bytes {
			return a.fetch(ctx, there, key, f)
		}
	}
	return fmt.Errorf("record %d: %w", r.ID, ErrNotArchived)
}

func (a Archive) fetch(ctx context.Context, there repository.RecordFile, key keys.Key, f archive.File) (err error) {
	tmp, err := spool.NewFile("")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tmp.Close()) }()
	sum := sha256.New()
	if _, err := a.Repository.Download(ctx, there, io.MultiWriter(tmp, sum)); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("%w: the repository has SHA-256 %s", ErrDamaged, got)
	}
	return objects.PutFrom(ctx, a.Store, key, tmp, f.Bytes)
}
