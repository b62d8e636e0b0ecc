package mirror

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
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
	Format      int                     `json:"format"`
	URL         string                  `json:"url"`
	GeneratedAt string                  `json:"generated_at,omitempty"` // "": the last run did not end
	KGs         map[austria.KGCode]held `json:"kgs"`
}

// stateFormat is that of mirror.json; format 1 named generations, which say nothing of a container's bytes.
const stateFormat = 2

// held is a container that is here.
type held struct {
	SHA256 string `json:"sha256"` // of its bytes
	Dict   string `json:"dict,omitempty"`
}

// list is a manifest of the service.
type list struct {
	Data struct {
		GeneratedAt *string `json:"generated_at"`
		Delta       bool    `json:"delta"`
		KGs         []struct {
			Code       austria.KGCode `json:"kg_code"`
			Generation string         `json:"generation"` // of the container; "": it is not built
			SHA256     string         `json:"sha256"`     // of the container's bytes
		} `json:"kgs"`
	} `json:"data"`
}

// at is the publication of a manifest, "" where it has none.
func (l *list) at() string {
	if l.Data.GeneratedAt == nil {
		return ""
	}
	return *l.Data.GeneratedAt
}

// errOther is what a service gives that the manifest does not name: a cache that is behind or ahead of it, a proxy that
// changes bytes.
var errOther = errors.New("the service gives other bytes than its manifest names")

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
	err = r.rounds(ctx)
	r.report.KGs = len(r.state.KGs)
	return r.report, errors.Join(err, r.save())
}

// maxRounds is how often the manifest is asked for where containers of another publication come: the second time and
// then past caches.
const maxRounds = 3

// rounds follows the manifest until all that it names has come. Only then the mirror is at its publication.
func (r *run) rounds(ctx context.Context) error {
	for round := 1; ; round++ {
		l, err := r.list(ctx, round > 1)
		if err != nil {
			return err
		}
		if err = r.follow(ctx, l); err == nil {
			if l.at() != "" && r.KGs == nil {
				r.state.GeneratedAt, r.report.GeneratedAt = l.at(), l.at()
			}
			return r.prune()
		}
		if round == maxRounds || !errors.Is(err, errOther) {
			return err
		}
	}
}

// prune removes dictionaries that no container here needs.
func (r *run) prune() error {
	needed := map[string]bool{}
	for _, h := range r.state.KGs {
		needed[h.Dict+".zdict"] = true
	}
	files, err := os.ReadDir(filepath.Join(r.Dir, "dict"))
	for _, f := range files {
		if !needed[f.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(r.Dir, "dict", f.Name())))
		}
	}
	return err
}

// load reads mirror.json and forgets containers that are not here as they came. Of a mirror.json of format 1 nothing is
// known of the bytes: all is asked for again.
func (r *run) load(base string) error {
	r.state = state{Format: stateFormat, URL: base, KGs: map[austria.KGCode]held{}}
	b, err := os.ReadFile(filepath.Join(r.Dir, "mirror.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(b, &version); err == nil && version.Format == 1 {
		return nil
	}
	var was state
	if err := json.Unmarshal(b, &was); err != nil || was.Format != stateFormat {
		return fmt.Errorf("%s is no mirror.json of this program: choose another directory", filepath.Join(r.Dir, "mirror.json"))
	}
	if was.URL != base {
		return fmt.Errorf("%s mirrors %s, not %s: choose another directory", r.Dir, was.URL, base)
	}
	for code, h := range was.KGs {
		if _, err := austria.ParseKGCode(string(code)); err != nil {
			return fmt.Errorf("mirror.json names %.20q, which is no KG", code)
		}
		if sum, err := fileSum(r.path(code)); err == nil && sum == h.SHA256 {
			r.state.KGs[code] = h
		}
	}
	if len(r.state.KGs) == len(was.KGs) { // else a delta would leave a gap
		r.state.GeneratedAt = was.GeneratedAt
	}
	return nil
}

// fileSum is the SHA-256 of a file in hex digits.
func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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

// list asks for what changed since the last whole run; all of it where there was none, or only some KGs are wanted. One
// that is older than what is here comes of a cache, and is asked for past it.
func (r *run) list(ctx context.Context, fresh bool) (*list, error) {
	l, err := r.manifest(ctx, fresh)
	if err == nil && !fresh && l.at() < r.state.GeneratedAt {
		l, err = r.manifest(ctx, true)
	}
	if err == nil && l.at() < r.state.GeneratedAt {
		return nil, fmt.Errorf("the manifest of the service is of %s, what is here of %s: nothing is changed", cmp.Or(l.at(), "no date"),
			r.state.GeneratedAt)
	}
	return l, err
}

func (r *run) manifest(ctx context.Context, fresh bool) (*list, error) {
	query := ""
	if r.state.GeneratedAt != "" && r.KGs == nil {
		query = "?since=" + url.QueryEscape(r.state.GeneratedAt)
	}
	b, err := r.remote.read(ctx, "/manifest"+query, maxManifest, fresh)
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
		if k.Generation != "" && len(k.SHA256) != 2*sha256.Size {
			return nil, fmt.Errorf("the manifest of the service names no SHA-256 for KG %s: the service has to be of the same version as this program or newer, and to have published since", k.Code)
		}
	}
	r.report.Delta = l.Data.Delta
	return l, nil
}

// follow fetches what is new and removes what is no more.
func (r *run) follow(ctx context.Context, l *list) error {
	todo, kept := map[austria.KGCode]string{}, 0 // kept: of containers that this run has not fetched
	named := map[austria.KGCode]bool{}
	for _, k := range l.Data.KGs {
		if r.KGs != nil && !slices.Contains(r.KGs, k.Code) {
			continue
		}
		named[k.Code] = k.Generation != ""
		switch {
		case k.Generation == "":
		case r.state.KGs[k.Code].SHA256 == k.SHA256:
			kept++
		default:
			todo[k.Code] = k.SHA256
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
			kept++
		}
	}
	r.report.Kept = kept - r.report.Fetched
	return r.fetch(ctx, todo)
}

// fetch fetches containers. One that comes as the manifest does not name it does not keep the others from coming.
func (r *run) fetch(ctx context.Context, todo map[austria.KGCode]string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(r.Jobs, 1))
	var others []error
	of := r.report.Fetched + len(todo)
	for _, code := range slices.Sorted(maps.Keys(todo)) {
		g.Go(func() error {
			bytes, h, err := r.container(ctx, code, todo[code])
			r.mu.Lock()
			defer r.mu.Unlock()
			r.report.Bytes += bytes
			if err != nil {
				err = fmt.Errorf("KG %s: %w", code, err)
				if errors.Is(err, errOther) {
					others = append(others, err)
					return nil
				}
				return err
			}
			r.state.KGs[code] = h
			r.report.Fetched++
			r.Progress(r.report.Fetched, of, r.report.Bytes)
			if r.report.Fetched%saveEvery == 0 {
				return r.save()
			}
			return nil
		})
	}
	err := g.Wait()
	if err == nil && len(others) > 0 {
		err = fmt.Errorf("%d containers did not come: %w", len(others), others[0])
	}
	return err
}

// saveEvery so many containers mirror.json is written, so that a killed run goes on from there.
const saveEvery = 50

// container fetches the container of which the manifest names the SHA-256, and puts it in its place. What comes with
// another sum is asked for once more from its first byte and by its sum: that address no cache has other bytes for, whatever
// it makes of headers.
func (r *run) container(ctx context.Context, code austria.KGCode, sum string) (n int64, h held, err error) {
	part := r.path(code) + ".part"
	for _, fresh := range []bool{false, true} {
		m, err := r.asked(ctx, code, sum, part, fresh)
		if n += m; err != nil {
			return n, h, err
		}
		got, err := fileSum(part)
		if err != nil {
			return n, h, err
		}
		if got == sum {
			h, err = r.place(ctx, code, part, sum)
			return n, h, err
		}
		os.Remove(part) // not to be continued
	}
	return n, h, errOther
}

// asked downloads a container, past caches by its sum; a service that knows no sums is asked past them by headers.
func (r *run) asked(ctx context.Context, code austria.KGCode, sum, part string, fresh bool) (int64, error) {
	path := "/" + string(code)
	if !fresh {
		return r.remote.download(ctx, path, part, false)
	}
	n, err := r.remote.download(ctx, path+"?sha256="+sum, part, true)
	switch refusedWith(err) {
	case http.StatusConflict: // another one is published meanwhile
		return n, errOther
	case http.StatusBadRequest:
		return r.remote.download(ctx, path, part, true)
	}
	return n, err
}

// place holds a container to its digests and puts it in its place.
func (r *run) place(ctx context.Context, code austria.KGCode, part, sum string) (held, error) {
	b, err := os.ReadFile(part)
	if err != nil {
		return held{}, err
	}
	head, err := ne.Verify(b, func(id string) ([]byte, error) { return r.dict(ctx, id) })
	if err == nil && head.KG != code {
		err = fmt.Errorf("%w: it is of KG %s", ne.ErrContainer, head.KG)
	}
	if err != nil {
		os.Remove(part) // not to be continued
		return held{}, err
	}
	return held{sum, head.Dict}, os.Rename(part, r.path(code))
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
		for _, fresh := range []bool{false, true} {
			if b, err = r.remote.read(ctx, "/dict/"+id, ne.DictBytes, fresh); err != nil {
				return nil, err
			}
			if ne.DictID(b) == id {
				break
			}
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
