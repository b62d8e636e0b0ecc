package national

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
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/keys"
	"mappe/artefacts/kgdocs"
	"mappe/artefacts/kgfile"
	"mappe/artefacts/manifest"
	"mappe/builders/kg"
	"mappe/builders/source/epochs"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
)

// importedFrom is the source of a snapshot that was imported.
const importedFrom = "research_repository"

// epochRecipe names what in the program decides the bytes of an imported snapshot beside its file.
const epochRecipe = "epoch-1"

// maxEpoch bounds the file of one KG and date: a town of 20,000 parcels has 15 MB.
const maxEpoch = 256 << 20

// imports are the snapshots of earlier epochs that stand in the store: a publication adds them to the lists of
// versions and serves none of them.
type imports struct {
	Notes    []keys.Epoch
	Problems []string // files and features that could not be read, as sentences
}

// importAll makes the earlier snapshots of the KGs, as far as they are not in the store.
func (s *Source) importAll(ctx context.Context, st store.Store, facts []Facts) (all imports, err error) {
	made := make([]imports, len(facts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i := range facts {
		g.Go(func() (err error) {
			made[i], err = s.importKG(ctx, st, &facts[i])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return imports{}, err
	}
	for _, m := range made {
		all.Notes, all.Problems = append(all.Notes, m.Notes...), append(all.Problems, m.Problems...)
	}
	return all, nil
}

// importKG makes the earlier snapshots of a KG, as far as they are not in the store. A file that is no snapshot is left
// out and named; the error is about the source or the store.
func (s *Source) importKG(ctx context.Context, st store.Store, of *Facts) (done imports, err error) {
	list, err := s.epochs.Of(ctx, of.Code)
	if err != nil {
		return done, err
	}
	for _, f := range list {
		raw, err := s.readEpoch(ctx, f)
		if err != nil {
			return done, err
		}
		input, err := chain(epochRecipe, func(w io.Writer) error { _, err := w.Write(raw); return err })
		if err != nil {
			return done, err
		}
		note := keys.Epoch{Code: f.Code, Date: f.Date, Input: input}
		_, err = st.Head(ctx, note.String())
		if errors.Is(err, store.ErrNotFound) {
			var bad *badEpoch
			problems, failed := importEpoch(ctx, st, note, bytes.NewReader(raw), f, of)
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

// readEpoch reads the file of a snapshot.
func (s *Source) readEpoch(ctx context.Context, f epochs.File) ([]byte, error) {
	in, err := s.epochs.Open(ctx, f)
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

// importEpoch makes one snapshot, writes it and notes it.
func importEpoch(ctx context.Context, st store.Store, note keys.Epoch, in io.Reader, f epochs.File, of *Facts) (problems []string, err error) {
	raw, p, err := epochs.Read(in, f)
	if err != nil {
		return nil, &badEpoch{err}
	}
	for _, q := range p.First[:min(len(p.First), shownProblems)] {
		problems = append(problems, q.Error())
	}
	if more := p.Total - shownProblems; more > 0 {
		problems = append(problems, fmt.Sprintf("%s: and %d more features like these were passed over", f.Path, more))
	}
	snap := kg.FromDrawn(kgfile.KG{Code: f.Code, Name: of.Name, GemeindeCode: of.GemeindeCode, GemeindeName: of.GemeindeName, DistrictName: of.DistrictName}, raw.Parcels,
		kgfile.Build{Stichtag: f.Date, AssemblyVersion: "legacy", IngestGeneration: string(raw.Generation), Source: raw.Credit})
	body, err := kgfile.Encode(snap)
	if err != nil {
		return problems, &badEpoch{fmt.Errorf("%s: %w", f.Path, err)}
	}
	key := keys.Snapshot{Code: f.Code, Date: f.Date, Sum: keys.Sum(body), Form: keys.KGS}
	if err := put(ctx, st, key, body); err != nil {
		return problems, err
	}
	sum := md5.Sum(body)
	doc, err := manifest.Encode(kgdocs.Version{
		Date: f.Date, Filename: key.Name() + ".kgs", Key: key.String(), Size: int64(len(body)), MD5: hex.EncodeToString(sum[:]), SHA256: sha(body),
		ParcelCount: len(snap.Parcels), ProcessingVersion: cmp.Or(raw.Processing, "inspire-v2"), Source: importedFrom, IngestGeneration: raw.Generation,
	})
	if err != nil {
		return problems, err
	}
	if err := put(ctx, st, note, doc); err != nil && !errors.Is(err, store.ErrPrecondition) { // somebody else has noted it
		return problems, err
	}
	return problems, nil
}

// addEarlier adds the earlier snapshots of a row's KG to its list of versions. Those that are not earlier than what is
// served are left out: they are no history.
func (p *Publication) addEarlier(ctx context.Context, r *row, notes []keys.Epoch) error {
	if len(notes) == 0 || r.entry.Versions.Key == "" {
		return nil
	}
	b, err := read(ctx, p.Store, r.entry.Versions.Key)
	if err != nil {
		return err
	}
	v, err := kgdocs.ParseVersions(b)
	if err != nil {
		return err
	}
	for _, note := range notes {
		if note.Date >= v.Latest {
			continue
		}
		var n kgdocs.Version
		if b, err = read(ctx, p.Store, note.String()); err != nil {
			return err
		}
		if err := json.Unmarshal(b, &n); err != nil {
			return fmt.Errorf("%s: %w", note, err)
		}
		if v, err = v.WithEarlier(n); err != nil {
			return err
		}
	}
	body, err := manifest.Encode(v)
	if err != nil {
		return err
	}
	key := keys.Versions{Code: r.entry.Code, Sum: keys.Sum(body)}
	if key.String() == r.entry.Versions.Key {
		return nil // it has them all
	}
	r.entry.Versions = objectOf(key, body)
	return put(ctx, p.Store, key, body)
}

// byKG sorts notes to their KGs.
func byKG(notes []keys.Epoch) map[austria.KGCode][]keys.Epoch {
	out := map[austria.KGCode][]keys.Epoch{}
	for _, n := range notes {
		out[n.Code] = append(out[n.Code], n)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b keys.Epoch) int { return strings.Compare(a.String(), b.String()) })
	}
	return out
}
