package processing

import (
	"context"
	"math"
	"sync"
	"time"

	"mappe/artefacts/register"
	"mappe/shared/austria"
	"mappe/shared/cloud/landprocess"
	"mappe/shared/web/endpoint"
)

// processorBody is the state of the processor.
type processorBody struct {
	State     string    `json:"state" enum:"running,paused,stopped" doc:"what it was ordered to do"`
	Idle      bool      `json:"idle" doc:"nothing is left to be done"`
	Since     *string   `json:"since" doc:"of the state; null: it was never started"`
	Region    *string   `json:"region" doc:"name of the state that KGs are looked for in; null: all"`
	Current   *current  `json:"current" doc:"null: no KG is worked on, or many at once by a run"`
	Run       *run      `json:"run" doc:"of the state machine that works on many KGs at once; null if there is none"`
	Single    *string   `json:"single" doc:"code of the KG that is to be analysed alone and has not been started"`
	Last      *named    `json:"last" doc:"KG that ended last"`
	Queue     int       `json:"queue_length"`
	Processed int       `json:"processed" doc:"KGs that have a result"`
	KGs       int       `json:"kgs" doc:"KGs whose data is loaded"`
	Retrying  []failed  `json:"retrying" doc:"KGs that failed and come again after five others, and those that wait for their data"`
	Failed    []failed  `json:"permanently_failed" doc:"KGs that are left out until they are queued again"`
	Rates     rates     `json:"rates"`
	Remaining remaining `json:"remaining"`
}

type current struct {
	named
	From      string  `json:"from" enum:"single,retry,queue,nearest"`
	Attempt   int     `json:"attempt" doc:"from 1; a worker that dies, and a failure that may pass, cost one of five"`
	Step      string  `json:"step"`
	TilesDone int     `json:"tiles_done"`
	Tiles     int     `json:"tiles" doc:"squares of 1 km; 0: not known yet"`
	Progress  float64 `json:"progress" doc:"0 to 1"`
	StartedAt string  `json:"started_at"`
	Elapsed   float64 `json:"elapsed_s" doc:"of work, by all workers; a KG has 5,400 seconds"`
	Held      bool    `json:"held" doc:"whether a worker has it now"`
}

type run struct {
	Name    string  `json:"name" doc:"of the execution"`
	Pass    int     `json:"pass" doc:"from 1; a pass has at most 500 KGs"`
	KGs     int     `json:"kgs" doc:"of the pass"`
	Since   string  `json:"since"`
	AtWork  int     `json:"at_work" doc:"KGs that workers have now"`
	Current []named `json:"current" doc:"of these the first twenty by code"`
}

type failed struct {
	named
	Error   string `json:"error"`
	Attempt int    `json:"attempt,omitempty"`
}

type rates struct {
	TilesPerHour   *float64 `json:"tiles_per_hour" doc:"over all work so far; null without work"`
	SecondsPerTile *float64 `json:"seconds_per_tile"`
}

type remaining struct {
	CurrentSeconds *float64 `json:"current_s" doc:"of the KG that is worked on, by the rate so far"`
	QueueSeconds   *float64 `json:"queue_s" doc:"of the queue"`
	AllSeconds     *float64 `json:"all_s" doc:"of all KGs without a result"`
}

const statusDoc = `What the processor is told to do, the KG that it works on with its squares, how fast it was, and how long the rest takes. The numbers are
those of this moment. An operator starts, pauses, resumes and stops it; what it has made GET /processing/manifest lists.
`

func (e *service) status() endpoint.Endpoint {
	depends, serve := document(func(ctx context.Context, _ *endpoint.Request) (processorBody, error) { return e.now(ctx) })
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/processing/status", ID: "processing_status", Tag: tag, Summary: "What the processor does",
		Doc:    statusDoc,
		Cache:  endpoint.Live,
		Answer: endpoint.Answer{Body: processorBody{}}, Example: "/api/v1/processing/status", Depends: depends, Serve: serve,
	}
}

// now is the state of this moment.
func (e *service) now(ctx context.Context) (processorBody, error) {
	reg, err := e.register(ctx)
	if err != nil {
		return processorBody{}, err
	}
	s, err := e.records.State(ctx)
	if err != nil {
		return processorBody{}, unreachable(err)
	}
	return e.of(ctx, reg, &s)
}

func text(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339)
	return &s
}

// ended are the KGs that were analysed when so many KGs had ended: a list of megabytes of the country, which changes with that number.
type ended struct {
	mu   sync.Mutex
	n    int
	last austria.KGCode
	list []landprocess.Entry // nil: not read
}

// entries are the KGs that were analysed by a state.
func (e *service) entries(ctx context.Context, s *landprocess.State) ([]landprocess.Entry, error) {
	h := &e.ended
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.list != nil && h.n == s.Ended && h.last == s.Last {
		return h.list, nil
	}
	list, err := e.records.Entries(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	h.n, h.last, h.list = s.Ended, s.Last, list
	return list, nil
}

// of tells a state.
func (e *service) of(ctx context.Context, reg *register.Register, s *landprocess.State) (processorBody, error) {
	entries, err := e.entries(ctx, s)
	if err != nil {
		return processorBody{}, err
	}
	b := processorBody{State: string(s.Mode), Idle: s.Idle, Since: text(s.Since), Queue: len(s.Queue), Processed: len(entries),
		Retrying: []failed{}, Failed: []failed{}}
	if s.Region != "" {
		name := s.Region.Name()
		b.Region = &name
	}
	if s.Single != "" {
		code := string(s.Single)
		b.Single = &code
	}
	if s.Last != "" {
		n := nameOf(reg, s.Last)
		b.Last = &n
	}
	for _, r := range s.Retry {
		b.Retrying = append(b.Retrying, failed{nameOf(reg, r.KG), r.Error, r.Attempt})
	}
	for _, f := range s.Failed {
		b.Failed = append(b.Failed, failed{named: nameOf(reg, f.KG), Error: f.Error})
	}
	now := e.Now()
	if c := s.Now; c != nil {
		b.Current = currentOf(reg, c, now)
	}
	if s.Run != nil && !s.Run.Over {
		if b.Run, err = e.runOf(ctx, reg, s.Run, now); err != nil {
			return b, err
		}
	}
	b.estimate(reg, s, entries, now)
	return b, nil
}

// shownClaims is how many KGs of a run are named.
const shownClaims = 20

// runOf tells a run.
func (e *service) runOf(ctx context.Context, reg *register.Register, r *landprocess.Run, now time.Time) (*run, error) {
	claims, err := e.records.Claims(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	out := &run{Name: r.Name, Pass: r.Pass, KGs: r.KGs, Since: *text(r.Since), Current: []named{}}
	for i := range claims {
		if c := &claims[i]; c.Owner == "" || !now.Before(c.Until) {
			continue
		}
		if out.AtWork++; len(out.Current) < shownClaims {
			out.Current = append(out.Current, nameOf(reg, claims[i].KG))
		}
	}
	return out, nil
}

func currentOf(reg *register.Register, c *landprocess.Current, now time.Time) *current {
	held := c.Owner != "" && now.Before(c.Until)
	spent := c.Spent
	if held {
		spent = c.Time(now)
	}
	progress := 0.0
	if c.Of > 0 {
		progress = math.Round(float64(c.Done)/float64(c.Of)*1000) / 1000
	}
	return &current{named: nameOf(reg, c.KG), From: c.From, Attempt: c.Attempt, Step: c.Step, TilesDone: c.Done, Tiles: c.Of,
		Progress:  progress,
		StartedAt: *text(c.Started), Elapsed: math.Round(spent.Seconds()), Held: held}
}

// estimate tells rates and what is left, by squares: a KG has about one and a half a km², for its border cuts some.
func (b *processorBody) estimate(reg *register.Register, s *landprocess.State, entries []landprocess.Entry, now time.Time) {
	done := make(map[string]bool, len(entries))
	tiles, km2 := 0, 0.0
	for _, e := range entries {
		done[string(e.KG)] = true
		tiles, km2 = tiles+e.Tiles, km2+e.Km2
	}
	left := 0.0 // km²
	kgs := reg.KGs()
	for i := range kgs {
		if kgs[i].Snapshot.Key == "" {
			continue
		}
		b.KGs++
		if !done[string(kgs[i].Code)] && (s.Region == "" || kgs[i].State() == s.Region) {
			left += kgs[i].TotalAreaSqm / 1e6
		}
	}
	if s.Tiles == 0 || s.Work <= 0 {
		return
	}
	each := s.Work.Seconds() / float64(s.Tiles)
	perHour := 3600 / each
	b.Rates = rates{round(perHour), round(each)}
	perKm2 := 1.5
	if km2 > 0 {
		perKm2 = float64(tiles) / km2
	}
	b.Remaining.AllSeconds = round(left * perKm2 * each)
	queued := 0.0
	for _, code := range s.Queue {
		if k := reg.KG(code); k != nil {
			queued += k.TotalAreaSqm / 1e6
		}
	}
	b.Remaining.QueueSeconds = round(queued * perKm2 * each)
	if c := s.Now; c != nil && c.Of > 0 {
		b.Remaining.CurrentSeconds = round(float64(c.Of-c.Done) * each)
	}
}

func round(v float64) *float64 {
	v = math.Round(v*10) / 10
	return &v
}

// logBody are the recent lines.
type logBody struct {
	Lines []line `json:"lines" doc:"the newest last, at most 200 are kept"`
}

type line struct {
	Time string  `json:"time"`
	KG   *string `json:"kg_code"`
	Text string  `json:"text"`
}

var lines = endpoint.Int("limit", "At most so many lines, the newest.", endpoint.Between(1, 200), endpoint.Default("100"))

func (e *service) log() endpoint.Endpoint {
	depends, serve := document(e.lines)
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/processing/log", ID: "processing_log", Tag: tag, Summary: "What the processor has done lately",
		Doc:    "The newest lines of the log: which KGs were started and finished, and what failed.",
		Params: []endpoint.AnyParam{lines}, Cache: endpoint.Live, Answer: endpoint.Answer{Body: logBody{}},
		Example: "/api/v1/processing/log?limit=20",
		Depends: depends, Serve: serve,
	}
}

func (e *service) lines(ctx context.Context, r *endpoint.Request) (logBody, error) {
	b := logBody{Lines: []line{}}
	if _, err := e.register(ctx); err != nil {
		return b, err
	}
	all, err := e.records.Lines(ctx)
	if err != nil {
		return b, unreachable(err)
	}
	for _, l := range all[max(0, len(all)-lines.Of(r)):] {
		row := line{Time: l.At.UTC().Format(time.RFC3339), Text: l.Text}
		if l.KG != "" {
			code := string(l.KG)
			row.KG = &code
		}
		b.Lines = append(b.Lines, row)
	}
	return b, nil
}

// manifestBody is what was made.
type manifestBody struct {
	Count int     `json:"count"`
	Bytes int64   `json:"bytes"`
	Tiles int     `json:"tiles"`
	Km2   float64 `json:"km2"`
	KGs   []made  `json:"kgs" doc:"by code"`
}

type made struct {
	named
	ProcessedAt string         `json:"processed_at"`
	Fingerprint string         `json:"fingerprint" doc:"of what it was made from: while that is the same, so is the file"`
	Key         string         `json:"key" doc:"of its file below /artefacts"`
	Bytes       int64          `json:"bytes"`
	SHA256      string         `json:"sha256"`
	Tiles       int            `json:"tiles"`
	Km2         float64        `json:"km2"`
	Seconds     float64        `json:"seconds"`
	Missing     []string       `json:"layers_missing"`
	Counts      map[string]int `json:"counts"`
	Products    []productBody  `json:"products" doc:"files that it is handed out as; empty until they are made"`
	JSONURL     *string        `json:"zenodo_json_url" doc:"summary in the research repository; null until uploaded"`
	LightURL    *string        `json:"zenodo_light_gpkg_url" doc:"light GeoPackage there; null until uploaded"`
	FullURL     *string        `json:"zenodo_full_gpkg_url" doc:"full GeoPackage there; null until uploaded"`
}

// productBody is a file that a KG is handed out as.
type productBody struct {
	Name    string  `json:"name"`
	License string  `json:"license"`
	Key     string  `json:"key" doc:"below /artefacts"`
	Bytes   int64   `json:"bytes"`
	SHA256  string  `json:"sha256"`
	URL     *string `json:"url" doc:"in the research repository; null until uploaded"`
}

func productsOf(p *landprocess.Products) []productBody {
	out := []productBody{}
	if p == nil {
		return out
	}
	for _, f := range p.Files {
		out = append(out, productBody{f.File, f.Set.License(), f.Key, f.Bytes, f.SHA256, address(f.URL)})
	}
	return out
}

func address(url string) *string {
	if url == "" {
		return nil
	}
	return &url
}

func (e *service) manifest() endpoint.Endpoint {
	depends, serve := document(e.made)
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/processing/manifest", ID: "processing_manifest", Tag: tag, Summary: "What the processor has made",
		Doc: "The KGs that were analysed, with their files, what those were made from, the layers that were not available, and the " +
			"products with their addresses in the research repository.",
		Cache: endpoint.Live, Answer: endpoint.Answer{Body: manifestBody{}}, Example: "/api/v1/processing/manifest", Depends: depends,
		Serve: serve,
	}
}

func (e *service) made(ctx context.Context, _ *endpoint.Request) (manifestBody, error) {
	b := manifestBody{KGs: []made{}}
	reg, err := e.register(ctx)
	if err != nil {
		return b, err
	}
	entries, err := e.records.Entries(ctx)
	if err != nil {
		return b, unreachable(err)
	}
	for _, x := range entries {
		b.Count, b.Bytes, b.Tiles, b.Km2 = b.Count+1, b.Bytes+x.Bytes, b.Tiles+x.Tiles, b.Km2+x.Km2
		counts := x.Counts
		if counts == nil {
			counts = map[string]int{}
		}
		b.KGs = append(b.KGs, made{nameOf(reg, x.KG), x.At.UTC().Format(time.RFC3339), x.Fingerprint, x.Key, x.Bytes, x.SHA256, x.Tiles,
			x.Km2,
			x.Seconds,
			append([]string{}, x.Missing...), counts, productsOf(x.Products), address(x.Products.URL("summary.json")),
			address(x.Products.URL("light.gpkg")), address(x.Products.URL("full.gpkg"))})
	}
	b.Km2 = math.Round(b.Km2*1000) / 1000
	return b, nil
}
