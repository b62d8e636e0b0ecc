package kgbuild

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/artefacts/rowschema"
	"mappe/builders/kg"
	"mappe/builders/objects"
	"mappe/builders/source/epochs"
	"mappe/shared/cloud/store"
)

// ImportedFrom is in the list of versions the source of a snapshot that was imported.
const ImportedFrom = "research_repository"

// epochRecipe names what in the program decides the bytes of an imported snapshot beside its file.
const epochRecipe = "epoch-1"

// shownProblems bounds how many bad features of a snapshot are named; all are counted.
const shownProblems = 5

// maxEpoch bounds the file of one KG and date: a town of 20,000 parcels has 15 MB.
const maxEpoch = 256 << 20

// Imported are the snapshots of earlier epochs that stand in the store: a publication adds them to the lists of
// versions and serves none of them.
type Imported struct {
	Notes    []keys.Epoch
	Problems []string // files and features that could not be read, as sentences
}

// Import makes the earlier snapshots of a KG, as far as they are not in the store. A file that is no snapshot is left
// out and named; the error is about the source or the store.
func Import(ctx context.Context, st store.Store, from epochs.Reader, of *Facts) (done Imported, err error) {
	list, err := from.Of(ctx, of.Code)
	if err != nil {
		return done, err
	}
	for _, f := range list {
		raw, err := readEpoch(ctx, from, f)
		if err != nil {
			return done, err
		}
		input, err := chain(epochRecipe, func(w io.Writer) error { _, err := w.Write(raw); return err })
		if err != nil {
			return done, err
		}
		note := keys.Epoch{Code: f.Code, Date: f.Date, Input: input}
		there, err := imported(ctx, st, note)
		if err == nil && !there {
			var bad *badEpoch
			problems, failed := importEpoch(ctx, st, &epoch{f, raw, note}, of)
			done.Problems = append(done.Problems, problems...)
			if errors.As(failed, &bad) {
				done.Problems = append(done.Problems, bad.Error()+"; this snapshot is left out")
				continue
			}
			err = failed
		}
		if err != nil {
			return done, err
		}
		done.Notes = append(done.Notes, note)
	}
	return done, nil
}

// imported says whether a snapshot is noted, and in the store.
func imported(ctx context.Context, st store.Store, note keys.Epoch) (bool, error) {
	b, err := objects.Read(ctx, st, note.String())
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var v rowschema.Version
	if err := json.Unmarshal(b, &v); err != nil {
		return false, fmt.Errorf("%s: %w", note, err)
	}
	info, err := store.Stat(ctx, st, v.Key)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && info.Size == v.Size, err
}

// readEpoch reads the file of a snapshot.
func readEpoch(ctx context.Context, from epochs.Reader, f epochs.File) ([]byte, error) {
	in, err := from.Open(ctx, f)
	if err != nil {
		return nil, err
	}
	defer in.Close() // read only
	b, err := io.ReadAll(io.LimitReader(in, maxEpoch+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	if len(b) > maxEpoch {
		return nil, fmt.Errorf("%s: it is above the limit of %d bytes", f.Path, maxEpoch)
	}
	return b, nil
}

// badEpoch is the error of a file that no snapshot can be made of.
type badEpoch struct{ error }

// epoch is the file of a snapshot, its bytes, and where it is noted that they were imported.
type epoch struct {
	file  epochs.File
	bytes []byte
	note  keys.Epoch
}

// importEpoch makes one snapshot, writes it and notes it.
func importEpoch(ctx context.Context, st store.Store, e *epoch, of *Facts) (problems []string, err error) {
	f := e.file
	raw, p, err := epochs.Read(bytes.NewReader(e.bytes), f)
	if err != nil {
		return nil, &badEpoch{err}
	}
	for _, q := range p.First[:min(len(p.First), shownProblems)] {
		problems = append(problems, q.Error())
	}
	if more := p.Total - shownProblems; more > 0 {
		problems = append(problems, fmt.Sprintf("%s: and %d more features like these were passed over", f.Path, more))
	}
	snap := kg.FromDrawn(kgfile.KG{Code: f.Code, Name: of.Name, GemeindeCode: of.GemeindeCode, GemeindeName: of.GemeindeName,
		DistrictName: of.DistrictName}, raw.Parcels,
		kgfile.Build{Stichtag: f.Date, AssemblyVersion: "legacy", IngestGeneration: string(raw.Generation), Source: raw.Credit})
	body, err := kgfile.Encode(snap)
	if err != nil {
		return problems, &badEpoch{fmt.Errorf("%s: %w", f.Path, err)}
	}
	key := keys.Snapshot{Code: f.Code, Date: f.Date, Sum: keys.Sum(body), Form: keys.KGS}
	if err := objects.Put(ctx, st, key, body); err != nil {
		return problems, err
	}
	sum := md5.Sum(body)
	doc, err := manifest.Encode(rowschema.Version{
		Date: f.Date, Filename: key.Name() + ".kgs", Key: key.String(), Size: int64(len(body)), MD5: hex.EncodeToString(sum[:]),
		SHA256:      objects.Sum(body),
		ParcelCount: len(snap.Parcels), ProcessingVersion: cmp.Or(raw.Processing, "inspire-v2"), Source: ImportedFrom,
		IngestGeneration: raw.Generation,
	})
	if err != nil {
		return problems, err
	}
	if err := objects.Put(ctx, st, e.note, doc); err != nil && !errors.Is(err, store.ErrPrecondition) { // somebody else has noted it
		return problems, err
	}
	return problems, nil
}
