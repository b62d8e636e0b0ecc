package archive

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"

	"mappe/artefacts/archive"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
)

// adopt looks in the repository for the records of a KG that has no journal: it has none yet, or it is gone. One of the wanted files is
// noted as what it is; of others the newest is noted, which the next is a version of.
func (w *work) adopt(ctx context.Context) error {
	found, err := w.Repository.Find(ctx, keyword(w.journal.Code, w.of))
	if err != nil {
		return err
	}
	for _, d := range found {
		if !d.Submitted {
			continue
		}
		w.newest = max(w.newest, d.ID)
		if d, err = w.Repository.Get(ctx, d.ID); err != nil {
			return err
		}
		r, same, err := w.holds(ctx, d)
		if err != nil {
			return err
		}
		if same {
			w.journal.Concept, w.journal.Records = d.Concept, []archive.Record{r}
			return w.note(ctx)
		}
	}
	return nil
}

// holds says whether a published record holds the wanted files, byte for byte, and gives it as a journal has it.
func (w *work) holds(ctx context.Context, d repository.Deposit) (archive.Record, bool, error) {
	r := w.want
	r.ID, r.DOI, r.Files = d.ID, d.DOI, nil
	there := map[string]repository.File{}
	for _, f := range d.Files {
		there[f.Name] = f
	}
	for _, f := range w.want.Files {
		if has, ok := there[f.Name]; !ok || has.Bytes != f.Bytes || len(there) != len(w.want.Files) {
			return r, false, nil
		}
	}
	for _, f := range w.want.Files {
		sum, err := w.md5Of(ctx, f.Key)
		if err != nil || sum != there[f.Name].Checksum {
			return r, false, err
		}
		f.MD5 = sum
		r.Files = append(r.Files, f)
	}
	return r, true, nil
}

// md5Of is the MD5 of an object: the repository knows no other sum.
func (w *work) md5Of(ctx context.Context, key string) (string, error) {
	o, err := w.Store.Get(ctx, key, store.GetOptions{Plain: true})
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	defer o.Body.Close() // read only
	sum := md5.New()
	if _, err := io.Copy(sum, o.Body); err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
