package spatial

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/register"
	"mappe/artefacts/rowschema"
	"mappe/functions/core/rows"
	"mappe/functions/core/view"
	"mappe/shared/austria"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/format"
	"mappe/shared/web/reply"
)

var (
	containIn = endpoint.ParsedBody("{points: [{lon, lat, id?}] (1 to 1000), wait?: bool}", listBytes, pointsShape{}, readContainBody).
			Carrying("", pointsBody.held, ownPoints...)
	waitForKGs = endpoint.Bool("wait", "true waits up to 25 s for KGs that are being made ready.", endpoint.Default("false"))
)

const (
	// waitPoll and waitMax are how wait=true waits for cold KGs.
	waitPoll = 250 * time.Millisecond
	waitMax  = 25 * time.Second
)

// containAnswer is the shape of the answer, for the description of the service.
type containAnswer struct {
	Results []containedPoint `json:"results"`
	Meta    struct {
		Points           int                  `json:"point_count"`
		Matched          int                  `json:"matched"`
		Unmatched        int                  `json:"unmatched"`
		Pending          int                  `json:"pending"`
		Warming          []string             `json:"kgs_warming"`
		Unavailable      []string             `json:"kgs_unavailable"`
		WarmingCount     int                  `json:"kgs_warming_count"`
		UnavailableCount int                  `json:"kgs_unavailable_count"`
		Reasons          *view.MissingReasons `json:"missing_by_reason,omitempty"`
		All              string               `json:"missing_url,omitempty"`
		Complete         bool                 `json:"complete"`
		CacheResolved    int                  `json:"cache_resolved"`
		KGsLoaded        int                  `json:"kgs_loaded"`
		DurationMs       float64              `json:"duration_ms"`
		Method           string               `json:"method"`
		Ready            bool                 `json:"geom_cache_ready"`
		view.VersionMeta
		StreamMeta
	} `json:"meta"`
}

type containedPoint struct {
	ID           any          `json:"id"`
	Error        string       `json:"error,omitempty"`
	Matched      bool         `json:"matched"`
	Pending      bool         `json:"pending,omitempty"`
	KGCode       *string      `json:"kg_code"`
	KGName       *string      `json:"kg_name"`
	GemeindeCode *string      `json:"gemeinde_code"`
	GemeindeName *string      `json:"gemeinde_name"`
	DistrictCode *string      `json:"district_code"`
	DistrictName *string      `json:"district_name"`
	Parcel       endpoint.Row `json:"parcel"`
}

func (s *service) contain() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "POST", Path: "/api/v1/spatial/points", ID: "spatial_points", Tag: tag,
		Summary: "The parcel that holds each of up to 1,000 points",
		Doc: `Containment is exact and half-open: a point on a border that parcels share lies in exactly one of them.

Results come in the order of the points. The id of an item is the one given, else its number from 0. matched is false with
pending true when the point's KG is not loaded yet: unknown, not absent; the header X-Data-Ready: false says so too; repeat the
identical request. wait=true waits up to 25 s
for such KGs, and not at all where KGs are not loaded on request. The parcel carries every field without its polygon, with
overlays=true also what lies over it; fields= chooses some. Beside it stand its KG, municipality and district.

The body may also be CSV with a header line (columns lon, lat and, where there are ids, id; separated by commas, semicolons or tabs), and
every other form than JSON has one row for each point, with the parcel's columns beside it: format=csv gives a table back with
columns added. A line of CSV whose position cannot be read has a row with the reason in the column error.

meta: point_count, matched, unmatched (known to lie in no parcel), pending, kgs_warming (codes of KGs that are being loaded),
kgs_unavailable (codes of KGs that nothing loads here: repeating does not help), complete (false when a point is
pending), cache_resolved (points answered without waiting), kgs_loaded (KGs looked at), duration_ms, method, geom_cache_ready.
`,
		Params: []endpoint.AnyParam{waitForKGs, withOverlays},
		Body:   containIn,
		Answer: endpoint.Answer{Rows: []*format.RowType{matchOverlaidRows.RowType}, Body: containAnswer{},
			Within: parcelResultOverlaid.RowType, Headers: view.ReadyHeaders, Page: endpoint.Page{None: true}},
		Example:     "/api/v1/spatial/points",
		ExampleBody: `{"points":[{"lon":13.2742,"lat":47.3208,"id":"a"}]}`,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			return s.locateAll(ctx, r, containIn.Of(r).points)
		},
	}
}

// located is what is known of one point.
type located struct {
	candidates []austria.KGCode
	kg         *register.KG
	parcel     *kgfile.Parcel // nil: in no parcel
	row        int32          // of the parcel in its KG's file
	pending    austria.KGCode // a cold KG that may hold the point
}

// containment answers many points over few KGs.
type containment struct {
	v       *view.View
	points  []point
	results []located
	over    map[austria.KGCode]rowschema.Over // what lies over the KGs; nil: not asked for
	began   time.Time
	cached  int        // points that were answered without waiting
	mu      sync.Mutex // guards what follows
	gaps    view.Missing
	loaded  map[austria.KGCode]bool
}

func (s *service) locateAll(ctx context.Context, r *endpoint.Request, points []point) (reply.Answer, error) {
	began := s.Now()
	v, err := view.Of(ctx)
	if err != nil {
		return nil, err
	}
	c := &containment{v: v, points: points, results: make([]located, len(points)), loaded: map[austria.KGCode]bool{}, began: began}
	if err := s.settle(ctx, c, waitForKGs.Of(r)); err != nil {
		return nil, err
	}
	if overlaid(r) {
		if err := c.lay(ctx); err != nil {
			return nil, err
		}
	}
	var header http.Header
	if c.pending() > 0 {
		header = c.gaps.Header()
	}
	if r.Format != format.FormJSON {
		a := c.table()
		a.Header = header
		return a, nil
	}
	layout, err := layoutOf(r.Fields, choose(overlaid(r), parcelResultOverlaid, parcelResultRows).RowType)
	if err != nil {
		return nil, err
	}
	return &reply.Stream{
		Header: header,
		Write:  func(j *format.JSON, _ *format.Layout) error { return c.write(j, layout) },
		Meta:   c.meta(s.Now),
	}, nil
}

// settle locates the points, with wait again and again in the newest data until no KG is being loaded or the time is over.
func (s *service) settle(ctx context.Context, c *containment, wait bool) (err error) {
	for round := 0; ; round++ {
		if err := c.run(ctx); err != nil {
			return err
		}
		if round == 0 {
			c.cached = len(c.points) - c.pending()
		}
		if !wait || len(c.gaps.Warming()) == 0 || !s.Library.Warms() || s.Now().Sub(c.began) > waitMax {
			return nil
		}
		if err := s.Pause(ctx, waitPoll); err != nil {
			return err
		}
		if c.v, err = s.latest(ctx); err != nil {
			return err
		}
	}
}

// meta counts the points, and says which KGs are missing.
func (c *containment) meta(now func() time.Time) []reply.Member {
	number := func(n int) format.Value { return format.Int(int64(n)) }
	matched, pending := c.matched(), c.pending()
	return slices.Concat([]reply.Member{
		{Name: "point_count", Value: number(len(c.points))},
		{Name: "matched", Value: number(matched)},
		{Name: "unmatched", Value: number(len(c.points) - matched - pending)},
		{Name: "pending", Value: number(pending)},
	}, c.gaps.Lists(), []reply.Member{
		{Name: "complete", Value: format.Bool(pending == 0)},
		{Name: "cache_resolved", Value: number(c.cached)},
		{Name: "kgs_loaded", Value: number(len(c.loaded))},
		{Name: "duration_ms", Value: func() any { return format.Float(float64(now().Sub(c.began).Microseconds())/1000, 3) }},
		{Name: "method", Value: format.String("point-in-polygon")},
		{Name: "geom_cache_ready", Value: format.Bool(c.gaps.Ready())},
	}, c.gaps.VersionMeta())
}

// layoutOf are the fields that a JSON answer shows of its parcels.
func layoutOf(fields []string, k *format.RowType) (*format.Layout, error) {
	var own []string
	for _, f := range fields {
		if k.Index(f) >= 0 {
			own = append(own, f)
		}
	}
	if len(fields) > 0 && len(own) == 0 {
		return nil, format.CheckFields(fields, k)
	}
	return format.NewLayout(own, k), nil
}

// matched counts the points that a parcel was found for, pending those that may lie in a cold KG.
func (c *containment) matched() int { return c.count(func(l *located) bool { return l.parcel != nil }) }

func (c *containment) pending() int { return c.count(func(l *located) bool { return l.pending != "" }) }

func (c *containment) count(is func(*located) bool) int {
	n := 0
	for i := range c.results {
		if is(&c.results[i]) {
			n++
		}
	}
	return n
}

// run locates every point that no parcel was found for yet: first in each point's first candidate KG,
// then in its second, and so on; nearly every point has one. KGs are read side by side.
func (c *containment) run(ctx context.Context) error {
	c.gaps = view.Missing{}
	todo := make([]int32, 0, len(c.points))
	for i := range c.points {
		l := &c.results[i]
		if l.parcel != nil {
			continue
		}
		l.pending = ""
		if c.points[i].problem != "" {
			continue
		}
		if l.candidates = c.v.Candidates(c.points[i].at); len(l.candidates) > 0 {
			todo = append(todo, int32(i))
		}
	}
	for depth := 0; len(todo) > 0; depth++ {
		slices.SortStableFunc(todo, func(a, b int32) int {
			return cmp.Compare(c.results[a].candidates[depth], c.results[b].candidates[depth])
		})
		if err := c.pass(ctx, todo, depth); err != nil {
			return err
		}
		todo = slices.DeleteFunc(todo, func(i int32) bool {
			return c.results[i].parcel != nil || len(c.results[i].candidates) <= depth+1
		})
	}
	return nil
}

// pass looks at one candidate of each point; points are grouped by it.
func (c *containment) pass(ctx context.Context, todo []int32, depth int) error {
	code := func(i int) austria.KGCode { return c.results[todo[i]].candidates[depth] }
	var groups [][]int32
	for i := 0; i < len(todo); {
		end := i + 1
		for end < len(todo) && code(end) == code(i) {
			end++
		}
		groups = append(groups, todo[i:end])
		i = end
	}
	release := len(groups) > rows.Held // more files than one request holds on to
	if len(groups) == 1 {
		return c.locate(ctx, groups[0], depth, release)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(view.Width)
	for _, points := range groups {
		g.Go(func() error {
			return fault.Caught(func() error { return c.locate(ctx, points, depth, release) })
		})
	}
	return g.Wait()
}

// locate looks for points in one KG. With release the parcels found are copied, so that the KG's file
// can leave the memory before the answer is written.
func (c *containment) locate(ctx context.Context, points []int32, depth int, release bool) error {
	code := c.results[points[0]].candidates[depth]
	var missing view.Missing
	f, err := c.v.Read(ctx, code, &missing)
	if err != nil {
		return err
	}
	if f == nil {
		if missing.Has(code) {
			for _, i := range points {
				c.results[i].pending = code
			}
		}
		c.mu.Lock()
		c.gaps.Merge(missing)
		c.mu.Unlock()
		return nil
	}
	c.mu.Lock()
	c.loaded[code] = true
	c.mu.Unlock()
	kg := c.v.Register().KG(code)
	var table []kgfile.Parcel
	for _, i := range points {
		n, ok := f.Locate(c.points[i].at)
		if !ok {
			continue
		}
		if table == nil {
			if table, err = f.Parcels(); err != nil {
				return err
			}
		}
		l := &c.results[i]
		l.kg, l.parcel, l.row, l.pending = kg, &table[n], int32(n), ""
		if release {
			l.parcel = copyOf(&table[n])
		}
	}
	return nil
}

// copyOf is the parcel's attributes on their own.
func copyOf(p *kgfile.Parcel) *kgfile.Parcel {
	q := *p
	q.GNR = austria.GNR(strings.Clone(string(p.GNR)))
	q.Geometry, q.SymbolCounts, q.UseAreas = nil, slices.Clone(p.SymbolCounts), slices.Clone(p.UseAreas)
	return &q
}

func (c *containment) write(j *format.JSON, l *format.Layout) error {
	row := choose(c.over != nil, parcelResultOverlaid, parcelResultRows).Record()
	j.Key("results")
	j.Array()
	for i := range c.results {
		r := &c.results[i]
		j.Object()
		j.Key("id")
		j.Value(format.RawJSON(c.points[i].id))
		if problem := c.points[i].problem; problem != "" {
			j.Key("error")
			j.String(problem)
		}
		j.Key("matched")
		j.Bool(r.parcel != nil)
		if r.pending != "" {
			j.Key("pending")
			j.Bool(true)
		}
		kg := c.kgOf(r)
		for i := range kgParts {
			j.Key(kgParts[i].name)
			j.Value(kgParts[i].value(kg))
		}
		j.Key("parcel")
		if r.parcel == nil {
			j.Null()
		} else {
			row.Item = c.shown(r)
			j.Row(row, l)
		}
		j.EndObject()
		if err := j.Err(); err != nil {
			return err
		}
	}
	j.EndArray()
	return nil
}
