package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/ne"
	"mappe/shared/austria"
)

// Options say what to mirror.
type Options struct {
	URL      string // of the context service: what stands before /api/v1/ne
	Dir      string
	KGs      []austria.KGCode // only these; nil: all
	Jobs     int              // containers fetched at once
	Client   *http.Client     // nil: one that waits a minute for an answer
	Progress func(done, of int, bytes int64)
	Now      func() time.Time // nil: time.Now
}

// Report is what a run did.
type Report struct {
	Delta       bool   // the service gave only what changed
	GeneratedAt string // of the publication that is here now
	Fetched     int    // containers
	Kept        int    // containers that were here already
	Removed     int    // of KGs that are no more, or not built any more
	Bytes       int64  // fetched
	KGs         int    // containers here now
}

// state is mirror.json.
type state struct {
	Format      int                       `json:"format"`
	URL         string                    `json:"url"`
	GeneratedAt string                    `json:"generated_at,omitempty"` // "": the last run did not end
	KGs         map[austria.KGCode]string `json:"kgs"`                    // generations
}

// list is a manifest of the service.
type list struct {
	Data struct {
		GeneratedAt *string `json:"generated_at"`
		Delta       bool    `json:"delta"`
		KGs         []struct {
			Code       austria.KGCode `json:"kg_code"`
			Generation string         `json:"generation"` // of the container; "": it is not built
		} `json:"kgs"`
	} `json:"data"`
}

// run is one run over a directory.
type run struct {
	Options
	remote remote
	mu     sync.Mutex
	state  state
	report Report

	dictsMu sync.Mutex // held while one is fetched: containers that need the same one wait for it
	dicts   map[string][]byte
}

// Run brings the directory to what the service publishes now. Where it fails, what was fetched stays and is told: the
// next run goes on from there.
func Run(ctx context.Context, o Options) (Report, error) {
	base, err := url.Parse(strings.TrimSuffix(o.URL, "/"))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return Report{}, fmt.Errorf("the URL is %q: expected that of a context service, such as https://data.example/context", o.URL)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(int, int, int64) {}
	}
	r := &run{Options: o, remote: newRemote(base.String()+"/api/v1/ne", o.Client, o.Now), dicts: map[string][]byte{}}
	for _, name := range []string{"kg", "dict"} {
		if err := os.MkdirAll(filepath.Join(o.Dir, name), 0o755); err != nil {
			return Report{}, err
		}
	}
	if err := r.load(base.String()); err != nil {
		return Report{}, err
	}
	l, err := r.list(ctx)
	if err != nil {
		return Report{}, err
	}
	err = r.follow(ctx, l)
	r.report.KGs = len(r.state.KGs)
	if err == nil && l.Data.GeneratedAt != nil && o.KGs == nil {
		r.state.GeneratedAt, r.report.GeneratedAt = *l.Data.GeneratedAt, *l.Data.GeneratedAt
	}
	return r.report, errors.Join(err, r.save())
}

// load reads mirror.json and forgets containers that are not here.
func (r *run) load(base string) error {
	r.state = state{Format: 1, URL: base, KGs: map[austria.KGCode]string{}}
	b, err := os.ReadFile(filepath.Join(r.Dir, "mirror.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var was state
	if err := json.Unmarshal(b, &was); err != nil || was.Format != 1 {
		return fmt.Errorf("%s is no mirror.json of this program: choose another directory", filepath.Join(r.Dir, "mirror.json"))
	}
	if was.URL != base {
		return fmt.Errorf("%s mirrors %s, not %s: choose another directory", r.Dir, was.URL, base)
	}
	for code, generation := range was.KGs {
		if _, err := austria.ParseKGCode(string(code)); err != nil {
			return fmt.Errorf("mirror.json names %.20q, which is no KG", code)
		}
		if _, err := os.Stat(r.path(code)); err == nil {
			r.state.KGs[code] = generation
		}
	}
	if len(r.state.KGs) == len(was.KGs) { // else a delta would leave a gap
		r.state.GeneratedAt = was.GeneratedAt
	}
	return nil
}

func (r *run) path(code austria.KGCode) string {
	return filepath.Join(r.Dir, "kg", string(code)+".ne")
}

// save writes mirror.json.
func (r *run) save() error {
	b, err := json.MarshalIndent(r.state, "", " ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(r.Dir, "mirror.json"), append(b, '\n'))
}

// replace writes a file whole or not at all.
func replace(path string, b []byte) error {
	if err := os.WriteFile(path+".part", b, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// list asks for what changed since the last whole run; all of it where there was none, or only some KGs are wanted.
func (r *run) list(ctx context.Context) (*list, error) {
	query := ""
	if r.state.GeneratedAt != "" && r.KGs == nil {
		query = "?since=" + url.QueryEscape(r.state.GeneratedAt)
	}
	b, err := r.remote.read(ctx, "/manifest"+query, maxManifest)
	if err != nil {
		return nil, err
	}
	l := &list{}
	if err := json.Unmarshal(b, l); err != nil {
		return nil, fmt.Errorf("the manifest of the service cannot be read: %w", err)
	}
	for _, k := range l.Data.KGs {
		if _, err := austria.ParseKGCode(string(k.Code)); err != nil {
			return nil, fmt.Errorf("the manifest of the service names %.20q, which is no KG", k.Code)
		}
	}
	r.report.Delta = l.Data.Delta
	return l, nil
}

// follow fetches what is new and removes what is no more.
func (r *run) follow(ctx context.Context, l *list) error {
	var todo []austria.KGCode
	named := map[austria.KGCode]bool{}
	for _, k := range l.Data.KGs {
		if r.KGs != nil && !slices.Contains(r.KGs, k.Code) {
			continue
		}
		named[k.Code] = k.Generation != ""
		switch {
		case k.Generation == "":
		case r.state.KGs[k.Code] == k.Generation:
			r.report.Kept++
		default:
			todo = append(todo, k.Code)
		}
	}
	for code := range r.state.KGs {
		if built, is := named[code]; is && !built || !is && !l.Data.Delta && r.KGs == nil {
			if err := os.Remove(r.path(code)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			delete(r.state.KGs, code)
			r.report.Removed++
		} else if !is {
			r.report.Kept++
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(r.Jobs, 1))
	for _, code := range todo {
		g.Go(func() error {
			bytes, generation, err := r.container(ctx, code)
			if err != nil {
				return fmt.Errorf("KG %s: %w", code, err)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.state.KGs[code] = generation
			r.report.Fetched++
			r.report.Bytes += bytes
			r.Progress(r.report.Fetched, len(todo), r.report.Bytes)
			if r.report.Fetched%saveEvery == 0 {
				return r.save()
			}
			return nil
		})
	}
	return g.Wait()
}

// saveEvery so many containers mirror.json is written, so that a killed run goes on from there.
const saveEvery = 50

// container fetches a container, holds it to its digests and puts it in its place. Where the service has published since
// the manifest was asked for, it is a newer one, which the next delta names again.
func (r *run) container(ctx context.Context, code austria.KGCode) (int64, string, error) {
	part := r.path(code) + ".part"
	n, err := r.remote.download(ctx, "/"+string(code), part)
	if err != nil {
		return n, "", err
	}
	b, err := os.ReadFile(part)
	if err != nil {
		return n, "", err
	}
	h, err := ne.Verify(b, func(id string) ([]byte, error) { return r.dict(ctx, id) })
	if err == nil && h.KG != code {
		err = fmt.Errorf("%w: it is of KG %s", ne.ErrContainer, h.KG)
	}
	if err != nil {
		os.Remove(part) // not to be continued
		return n, "", err
	}
	return n, h.Generation, os.Rename(part, r.path(code))
}

// dict is a dictionary, of the directory or else of the service.
func (r *run) dict(ctx context.Context, id string) ([]byte, error) {
	r.dictsMu.Lock()
	defer r.dictsMu.Unlock()
	if b, ok := r.dicts[id]; ok {
		return b, nil
	}
	if len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%w: %.40q is no id of a dictionary", ne.ErrContainer, id)
	}
	path := filepath.Join(r.Dir, "dict", id+".zdict")
	b, err := os.ReadFile(path)
	if err != nil || ne.DictID(b) != id {
		if b, err = r.remote.read(ctx, "/dict/"+id, ne.DictBytes); err != nil {
			return nil, err
		}
		if got := ne.DictID(b); got != id {
			return nil, fmt.Errorf("the dictionary %s of the service is %s", id, got)
		}
		if err := replace(path, b); err != nil {
			return nil, err
		}
	}
	r.dicts[id] = b
	return b, nil
}
