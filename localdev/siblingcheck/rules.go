package siblingcheck

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

var (
	slug      = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)
	snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	fiveDigit = regexp.MustCompile(`^[0-9]{5}$`)
	asOf      = regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$`)
)

// granularities are those of the contract.
var granularities = []string{"gemeinde", "point", "parcel"}

const (
	manifestPath = "/llm/manifest.json"
	manifestRule = "The manifest has service, finest_granularity, join_keys, kg_endpoint, metrics_schema, kg_count, covered_kgs_url and updated_at."
	payloadRule  = "A payload has service, dataset, kg_code, gemeinde_code, granularity, as_of, updated_at, source, license, unit_glossary, metrics and history."
	emptyRule    = `Without data: 404 with exactly {"kg_code": "...", "error": "no_data"}, never 500 and never an empty 200.`
	metricRule   = "metrics is flat: snake_case keys, numbers, null for unknown."
)

// manifest checks the manifest.
func (c *check) manifest() map[string]any {
	a := c.ask("GET", manifestPath)
	if a == nil {
		return nil
	}
	if a.status != 200 {
		c.fail(manifestPath, "GET /llm/manifest.json answers 200.", "the status is %d", a.status)
		return nil
	}
	c.open(a)
	m := c.object(a)
	if m == nil {
		return nil
	}
	c.Service, _ = m["service"].(string)
	if !slug.MatchString(c.Service) {
		c.fail(manifestPath, "service is a stable slug: lower-case words with - or _ between them.", "service is %s", shown(m["service"]))
	}
	if g, _ := m["finest_granularity"].(string); !slices.Contains(granularities, g) {
		c.fail(manifestPath, "finest_granularity is gemeinde, point or parcel.", "finest_granularity is %s", shown(m["finest_granularity"]))
	}
	keys, ok := m["join_keys"].([]any)
	if !ok || len(keys) == 0 {
		c.fail(manifestPath, manifestRule, "join_keys is %s", shown(m["join_keys"]))
	}
	for _, k := range keys {
		if name, _ := k.(string); !slices.Contains([]string{"parcel_id", "kg_code", "gemeinde_code", "ez"}, name) {
			c.fail(manifestPath, "Join keys are parcel_id, kg_code, gemeinde_code and ez; a postal code is never a key.",
				"join_keys holds %s", shown(k))
		}
	}
	if e, _ := m["kg_endpoint"].(string); !strings.Contains(e, "/llm/kg/{kg_code}") {
		c.fail(manifestPath, "kg_endpoint is the address of a KG with {kg_code} in it.", "kg_endpoint is %s", shown(m["kg_endpoint"]))
	}
	if _, ok := m["metrics_schema"].(map[string]any); !ok {
		c.fail(manifestPath, manifestRule, "metrics_schema is %s", shown(m["metrics_schema"]))
	}
	if n, ok := m["kg_count"].(float64); !ok || n < 0 || n != math.Trunc(n) {
		c.fail(manifestPath, "kg_count is the number of KGs with data.", "kg_count is %s", shown(m["kg_count"]))
	} else {
		c.KGs = int(n)
	}
	c.timestamp(manifestPath, m)
	return m
}

// timestamp checks updated_at; a service without data may not know it.
func (c *check) timestamp(path string, m map[string]any) {
	v, given := m["updated_at"]
	if !given {
		c.fail(path, "updated_at says when the service last changed the data.", "updated_at is missing")
	}
	text, ok := v.(string)
	if _, err := time.Parse(time.RFC3339, text); v != nil && (!ok || err != nil) {
		c.fail(path, "updated_at is a timestamp of RFC 3339, such as 2026-10-01T00:00:00Z.", "updated_at is %s", shown(v))
	}
}

// coverage reads the KGs with data.
func (c *check) coverage(m map[string]any) []string {
	to, ok := m["covered_kgs_url"].(string)
	if m == nil {
		return nil
	}
	if !ok || to == "" {
		c.fail(manifestPath, "covered_kgs_url is where the codes of the KGs with data are.", "covered_kgs_url is %s",
			shown(m["covered_kgs_url"]))
		return nil
	}
	at, err := url.Parse(c.base + "/llm/")
	if err == nil {
		at, err = at.Parse(to)
	}
	if err != nil {
		c.fail(manifestPath, "covered_kgs_url is an address.", "covered_kgs_url is %q", to)
		return nil
	}
	a := c.ask("GET", at.String())
	if a == nil {
		return nil
	}
	if a.status != 200 {
		c.fail(to, "covered_kgs_url can be asked.", "the status is %d", a.status)
		return nil
	}
	codes, ok := codesIn(a.body)
	if !ok {
		c.fail(to, "covered_kgs_url lists codes of KGs as texts of 5 digits.", "no list of codes is found in it: %.80q", a.body)
		return nil
	}
	if len(codes) != c.KGs {
		c.fail(to, "kg_count is the number of KGs with data.", "the manifest says %d KGs, the list has %d", c.KGs, len(codes))
	}
	return codes
}

// kg checks the payload of a KG that has data, its alias, and how it may be kept.
func (c *check) kg(code string, m map[string]any) map[string]any {
	path := "/llm/kg/" + url.PathEscape(code)
	a := c.ask("GET", path)
	if a == nil {
		return nil
	}
	if a.status != 200 {
		c.fail(path, "GET /llm/kg/{kg_code} answers 200 for a KG with data.", "the status is %d: %.80q", a.status, a.body)
		return nil
	}
	c.open(a)
	p := c.object(a)
	if p == nil {
		return nil
	}
	c.payload(path, code, p)
	if m != nil && p["service"] != m["service"] {
		c.fail(path, "The slug of a service never changes.", "service is %s, in the manifest %s", shown(p["service"]), shown(m["service"]))
	}
	c.kept(path, a)
	if alias := c.ask("GET", path+".json"); alias != nil && (alias.status != 200 || string(alias.body) != string(a.body)) {
		c.fail(path+".json", "GET /llm/kg/{kg_code}.json is the same as without .json.", "the status is %d, and the body is the same: %v",
			alias.status, string(alias.body) == string(a.body))
	}
	return p
}

// kept checks the validators.
func (c *check) kept(path string, a *answer) {
	tag := a.header.Get("ETag")
	if tag == "" {
		c.fail(path, "Answers with data carry an ETag.", "there is no ETag")
	} else if again := c.ask("GET", path, "If-None-Match", tag); again != nil && (again.status != 304 || len(again.body) > 0) {
		c.fail(path, "If-None-Match with the ETag gives 304 without a body.", "the status is %d with %d bytes", again.status,
			len(again.body))
	}
	if t := a.header.Get("Last-Modified"); t == "" {
		c.fail(path, "Answers with data carry Last-Modified.", "there is no Last-Modified")
	} else if _, err := time.Parse(time.RFC1123, t); err != nil {
		c.fail(path, "Last-Modified is a date of HTTP, such as Thu, 01 Oct 2026 00:00:00 GMT.", "Last-Modified is %q", t)
	}
}

// payload checks the members of a payload.
func (c *check) payload(path, code string, p map[string]any) {
	for _, name := range []string{"service", "dataset", "kg_code", "granularity", "as_of", "source", "license"} {
		if text, ok := p[name].(string); !ok || text == "" {
			c.fail(path, payloadRule, "%s is %s", name, shown(p[name]))
		}
	}
	if p["kg_code"] != code {
		c.fail(path, "kg_code is the code that was asked for, a text of 5 digits with leading zeros.", "kg_code is %s", shown(p["kg_code"]))
	}
	if g, given := p["gemeinde_code"]; !given || g != nil && !isCode(g) {
		c.fail(path, "gemeinde_code is a text of 5 digits.", "gemeinde_code is %s", shown(g))
	}
	if text, _ := p["as_of"].(string); !asOf.MatchString(text) {
		c.fail(path, "as_of is a date YYYY-MM-DD or a year.", "as_of is %s", shown(p["as_of"]))
	}
	c.timestamp(path, p)
	keys := c.metrics(path, "metrics", p["metrics"])
	glossary, ok := p["unit_glossary"].(map[string]any)
	if !ok {
		c.fail(path, "unit_glossary is an object with the unit or meaning of every metric.", "unit_glossary is %s",
			shown(p["unit_glossary"]))
	}
	for _, k := range keys {
		if text, _ := glossary[k].(string); ok && text == "" {
			c.fail(path, "unit_glossary is an object with the unit or meaning of every metric.", "unit_glossary lacks %s", k)
		}
	}
	c.history(path, p["history"])
	c.elements(path, code, p)
}

// metrics checks an object of numbers and gives its keys.
func (c *check) metrics(path, name string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		c.fail(path, metricRule, "%s is %s", name, shown(v))
		return nil
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if !snakeCase.MatchString(k) {
			c.fail(path, metricRule, "the key %q of %s is no snake_case", k, name)
		}
		if _, number := m[k].(float64); m[k] != nil && !number {
			c.fail(path, metricRule, "%s.%s is %s", name, k, shown(m[k]))
		}
		if words := strings.Split(k, "_"); slices.Contains(words, "area") && !slices.ContainsFunc(words, func(w string) bool {
			return slices.Contains([]string{"sqm", "m2", "ha", "ratio", "share", "pct", "percent", "count"}, w)
		}) {
			c.fail(path, "Areas are in m² or ha, and the key says which: area_sqm, forest_area_ha.", "the key %s says no unit", k)
		}
	}
	return keys
}

// history checks the array of earlier values.
func (c *check) history(path string, v any) {
	list, ok := v.([]any)
	if !ok {
		c.fail(path, "history is an array of {as_of, metrics}, empty where nothing earlier is known.", "history is %s", shown(v))
		return
	}
	before := ""
	for i, e := range list {
		entry, _ := e.(map[string]any)
		at, _ := entry["as_of"].(string)
		if !asOf.MatchString(at) {
			c.fail(path, "Every entry of history has as_of, a date or a year.", "history[%d].as_of is %s", i, shown(entry["as_of"]))
			return
		}
		if at <= before {
			c.fail(path, "history rises by as_of, each date once.", "%s stands behind %s", at, before)
			return
		}
		before = at
		for k, n := range entry {
			if _, number := n.(float64); k != "as_of" && n != nil && !number {
				c.fail(path, "history holds the metrics as numbers beside as_of.", "history[%d].%s is %s", i, k, shown(n))
				return
			}
		}
	}
}

// elements checks points and parcels against the granularity.
func (c *check) elements(path, code string, p map[string]any) {
	g, _ := p["granularity"].(string)
	if !slices.Contains(granularities, g) {
		c.fail(path, "granularity is gemeinde, point or parcel.", "granularity is %s", shown(p["granularity"]))
		return
	}
	for _, name := range []string{"point", "parcel"} {
		list, given := p[name+"s"]
		if !given {
			if name == g {
				c.fail(path, "A payload of granularity "+name+" has "+name+"s.", "%ss is missing", name)
			}
			continue
		}
		if g == "gemeinde" {
			c.fail(path, "Data of a municipality has no points and no parcels.", "granularity is gemeinde, and there are %ss", name)
			continue
		}
		all, ok := list.([]any)
		if !ok {
			c.fail(path, name+"s is an array.", "%ss is %s", name, shown(list))
		}
		for i, e := range all {
			if !c.element(path, fmt.Sprintf("%ss[%d]", name, i), code, name, e) {
				break // the others have the same fault
			}
		}
	}
}

// element checks one; false where a rule is broken.
func (c *check) element(path, at, code, kind string, v any) bool {
	e, _ := v.(map[string]any)
	before := len(c.Findings)
	c.metrics(path, at+".metrics", e["metrics"])
	if kind == "parcel" {
		if id, _ := e["parcel_id"].(string); !strings.HasPrefix(id, code+"-") {
			c.fail(path, "parcel_id is <kg_code>-<gnr>.", "%s.parcel_id is %s", at, shown(e["parcel_id"]))
		}
		return len(c.Findings) == before
	}
	lon, ok1 := e["lon"].(float64)
	lat, ok2 := e["lat"].(float64)
	if e["id"] == nil || !ok1 || !ok2 {
		c.fail(path, "A point has id, lon and lat.", "%s is %s", at, shown(v))
	} else if lon < 9 || lon > 18 || lat < 46 || lat > 49.5 {
		c.fail(path, "Coordinates are WGS84 degrees, lon before lat, in Austria.", "%s lies at lon %v, lat %v", at, lon, lat)
	}
	return len(c.Findings) == before
}

// missing asks for a KG without data.
func (c *check) missing(covered []string, with string) {
	code := "00000"
	for _, try := range []string{"99999", "00001", "98989", "00000"} {
		if !slices.Contains(covered, try) && try != with {
			code = try
			break
		}
	}
	path := "/llm/kg/" + code
	a := c.ask("GET", path)
	if a == nil {
		return
	}
	if a.status != 404 {
		c.fail(path, emptyRule, "the status is %d", a.status)
		return
	}
	c.open(a)
	if b := c.object(a); b != nil && (len(b) != 2 || b["kg_code"] != code || b["error"] != "no_data") {
		c.fail(path, emptyRule, "the body is %.120s", a.body)
	}
}

// batch asks for several KGs, and for too many.
func (c *check) batch(code string, covered []string) {
	ask := "99999"
	if code != "" && code != ask {
		ask = code + "," + ask
	}
	path := "/llm/kgs?codes=" + ask
	if a := c.ask("GET", path); a != nil {
		switch b := map[string]any(nil); {
		case a.status != 200:
			c.fail(path, "GET /llm/kgs?codes= answers 200 with {\"results\": [payloads]}.", "the status is %d", a.status)
		default:
			c.open(a)
			b = c.object(a)
			c.results(path, code, covered, b)
		}
	}
	many := make([]string, 501)
	for i := range many {
		many[i] = fmt.Sprintf("%05d", 10_000+i)
	}
	if a := c.ask("GET", "/llm/kgs?codes="+strings.Join(many, ",")); a != nil && (a.status < 400 || a.status >= 500) {
		c.fail("/llm/kgs with 501 codes", "More than 500 codes are refused with a status of the client's fault (400 or 413).",
			"the status is %d", a.status)
	}
}

// results checks the answer about several KGs.
func (c *check) results(path, code string, covered []string, b map[string]any) {
	if b == nil {
		return
	}
	list, ok := b["results"].([]any)
	if !ok {
		c.fail(path, "GET /llm/kgs?codes= answers {\"results\": [payloads]}.", "results is %s", shown(b["results"]))
		return
	}
	found := false
	for _, e := range list {
		p, _ := e.(map[string]any)
		got, _ := p["kg_code"].(string)
		found = found || got == code
		if got == "99999" && !slices.Contains(covered, got) && p["metrics"] != nil {
			c.fail(path, "KGs without data are not made up.", "a payload for KG 99999, which is not covered")
		}
	}
	if code != "" && !found {
		c.fail(path, "results holds the payload of every KG that has data.", "KG %s is not among the %d results", code, len(list))
	}
}

// parcel asks for the first parcel of a payload.
func (c *check) parcel(p map[string]any) {
	list, _ := p["parcels"].([]any)
	if len(list) == 0 {
		return
	}
	e, _ := list[0].(map[string]any)
	id, _ := e["parcel_id"].(string)
	path := "/llm/parcel/" + url.PathEscape(id)
	a := c.ask("GET", path)
	if a == nil {
		return
	}
	if a.status != 200 {
		c.fail(path, "GET /llm/parcel/{parcel_id} answers for the parcels that the KG lists; a slash is %2F.", "the status is %d", a.status)
		return
	}
	if b := c.object(a); b != nil {
		if b["parcel_id"] != id {
			c.fail(path, "parcel_id is the id that was asked for.", "parcel_id is %s", shown(b["parcel_id"]))
		}
		c.metrics(path, "metrics", b["metrics"])
	}
}

// readOnly tries to write.
func (c *check) readOnly(code string) {
	if code == "" {
		code = "99999"
	}
	path := "/llm/kg/" + url.PathEscape(code)
	if a := c.ask("POST", path); a != nil && (a.status < 400 || a.status >= 500) {
		c.fail("POST "+path, "The contract is read only: other methods are refused (405).", "the status is %d", a.status)
	}
}

func isCode(v any) bool {
	text, _ := v.(string)
	return fiveDigit.MatchString(text)
}

// shown is a value of JSON in words.
func shown(v any) string {
	switch t := v.(type) {
	case nil:
		return "missing or null"
	case string:
		return fmt.Sprintf("the text %.60q", t)
	case float64:
		return fmt.Sprintf("the number %v", t)
	case bool:
		return fmt.Sprintf("%v", t)
	case []any:
		return fmt.Sprintf("an array of %d", len(t))
	}
	return "an object"
}
