package recurrence

// Request is what a caller asks: the body of preview and expand.
type Request struct {
	Rules []Rule `json:"rules" doc:"1 to 25 rules"`
	Limit *int   `json:"limit,omitempty" doc:"1 to 500: the most occurrences over all rules, taken in rule order"`
}

// Rule is one rule of a request. The members after Count are additions to the written ones; without them
// the written behaviour holds.
type Rule struct {
	ID             string   `json:"id,omitempty" doc:"echoed, at most 200 bytes"`
	Cron           string   `json:"cron,omitempty" doc:"5 fields of POSIX cron; or rrule"`
	RRule          string   `json:"rrule,omitempty" doc:"an RFC 5545 RECUR value; or cron"`
	TZ             string   `json:"tz" doc:"IANA zone name, links too: Europe/Vienna"`
	Start          string   `json:"start" doc:"wall time of tz without offset, 1900 or later: 2026-03-29T09:30:00"`
	Count          *int     `json:"count,omitempty" doc:"1 to 500"`
	Until          string   `json:"until,omitempty" doc:"the last moment an occurrence of the rule may have: wall time, UTC instant with Z, or date (the whole day)"`
	ExDates        []string `json:"exdates,omitempty" doc:"occurrences to leave out: wall times, UTC instants, or dates (the whole day); at most 1000"`
	RDates         []string `json:"rdates,omitempty" doc:"occurrences to add: wall times or UTC instants, not before start; at most 1000"`
	Disambiguation string   `json:"disambiguation,omitempty" enum:"compatible,earlier,later,reject" doc:"what a wall time in a gap or overlap means; compatible is RFC 5545 and the default, but for cron expressions of every hour, which follow the clock"`
	End            string   `json:"end,omitempty" doc:"end of the window, itself outside: wall time, UTC instant with Z, or date (its midnight)"`
}

// RuleKind is what sort of rule a result is of.
type RuleKind string

const (
	KindCron  RuleKind = "cron"
	KindRRule RuleKind = "rrule"
)

// Flag marks an occurrence of which the clock shows more than its time.
type Flag string

const (
	NonexistentShifted Flag = "nonexistent_shifted" // the asked-for time is in a gap; local is another
	AmbiguousEarlier   Flag = "ambiguous_earlier"   // local occurs twice; utc is the first
	AmbiguousLater     Flag = "ambiguous_later"     // local occurs twice; utc is the second
	DuplicateInstant   Flag = "duplicate_instant"   // an occurrence before it in the list has the same instant
	StartAdjusted      Flag = "start_adjusted"      // the rule's start itself is in a gap
)

// AllFlags are the flags in the order they stand in a list.
var AllFlags = []Flag{NonexistentShifted, AmbiguousEarlier, AmbiguousLater, DuplicateInstant, StartAdjusted}

// AnomalyType is a kind of remark about a result.
type AnomalyType string

const (
	StartNotInRule       AnomalyType = "start_not_in_rule"      // start does not match the rrule and is no occurrence
	StartIsAdjusted      AnomalyType = "start_adjusted"         // start is in a gap: local is what was given, chosen_utc what is taken
	UntilLocal           AnomalyType = "until_local"            // UNTIL has no Z and is read as local of the zone, chosen_utc
	Before1970           AnomalyType = "before_1970"            // start lies before 1970, where zone data is coarse
	BlanksIgnored        AnomalyType = "blanks_ignored"         // the rrule has blanks between its parts
	XPartsIgnored        AnomalyType = "x_parts_ignored"        // the rrule has parts of private meaning, named in parts
	NonexistentLocalTime AnomalyType = "nonexistent_local_time" // local is in a gap; without chosen_utc it was passed over
	AmbiguousLocalTime   AnomalyType = "ambiguous_local_time"   // local occurs twice
	DuplicateInstants    AnomalyType = "duplicate_instant"      // two occurrences at chosen_utc; local is the later one's
	NoOccurrences        AnomalyType = "no_occurrences"         // the rule has none
	HorizonReached       AnomalyType = "horizon_reached"        // the search ended at local before the list was full
)

// AllAnomalyTypes are all of them.
var AllAnomalyTypes = []AnomalyType{StartNotInRule, StartIsAdjusted, UntilLocal, Before1970, BlanksIgnored, XPartsIgnored,
	NonexistentLocalTime, AmbiguousLocalTime, DuplicateInstants, NoOccurrences, HorizonReached}

// Anomaly is a remark about a result; which members it has depends on its type.
type Anomaly struct {
	Type          AnomalyType `json:"type"`
	Local         *Wall       `json:"local,omitempty" doc:"the wall time the rule asked for"`
	TransitionUTC *Instant    `json:"transition_utc,omitempty" doc:"when the clock changes"`
	OffsetBefore  *Offset     `json:"offset_before,omitempty"`
	OffsetAfter   *Offset     `json:"offset_after,omitempty"`
	ChosenUTC     *Instant    `json:"chosen_utc,omitempty"`
	Alternatives  []Instant   `json:"alternatives_utc,omitempty" doc:"the other instants the wall time could mean"`
	Parts         []string    `json:"parts,omitempty" doc:"names of the parts that were passed over, at most 10"`
}

// Occurrence is one instant of a rule: local - utc_offset = utc, always.
type Occurrence struct {
	Local     Wall    `json:"local" doc:"what the zone's clock shows at utc"`
	UTC       Instant `json:"utc"`
	UTCOffset Offset  `json:"utc_offset" doc:"+HH:MM"`
	IsDST     bool    `json:"is_dst" doc:"tzdata's flag"`
	Flags     []Flag  `json:"flags"`
}

// Result is the answer to one rule. Occurrences are in the rule's own order, that of the wall times it asks
// for: the list of a smaller count is the beginning of that of a larger one.
type Result struct {
	ID          string       `json:"id,omitempty"`
	TZ          string       `json:"tz" doc:"as given"`
	TZCanonical string       `json:"tz_canonical" doc:"the present name of that zone"`
	Kind        RuleKind     `json:"kind"`
	Count       int          `json:"count"`
	CrossesDST  bool         `json:"crosses_dst_transition" doc:"the zone's offset changes between the first and the last occurrence"`
	Truncated   bool         `json:"truncated,omitempty" doc:"a limit cut the list: more was asked for and exists"`
	Anomalies   []Anomaly    `json:"anomalies"`
	Occurrences []Occurrence `json:"occurrences"`
}

// Response is the answer to a request.
type Response struct {
	Results          []Result `json:"results"`
	TotalOccurrences int      `json:"total_occurrences"`
	Meta             Meta     `json:"meta"`
}

// Limits bound a request.
type Limits struct {
	Rules int // rules of a request
	Count int // occurrences of a rule: an answer is cut here, whatever count says
}

// The written bounds of a request, and those of the two endpoints.
const (
	MaxBody  = 64 << 10
	MaxCount = 500
	MaxLimit = 500
	maxDates = 1000
)

var (
	Full    = Limits{Rules: 25, Count: MaxCount}
	Preview = Limits{Rules: 1, Count: 3}
)
