package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// echo is a function that answers with its payload; those of the name fail-N-NAME fail N times with the error NAME first.
type echo struct {
	mu     sync.Mutex
	calls  []time.Time
	failed int
	peak   int
	now    int
}

func (e *echo) host() Host {
	objects := map[string]string{"b/list.json": `[1,2,3,4,5]`, "b/object.json": `{}`}
	var mu sync.Mutex
	return Host{Invoke: e.invoke, Read: func(_ context.Context, bucket, key string) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		body, ok := objects[bucket+"/"+key]
		if !ok {
			return nil, errors.New("NoSuchKey")
		}
		return []byte(body), nil
	}, Write: func(_ context.Context, bucket, key string, body []byte) error {
		mu.Lock()
		defer mu.Unlock()
		objects[bucket+"/"+key] = string(body)
		return nil
	}}
}

func (e *echo) invoke(ctx context.Context, function string, payload json.RawMessage) (json.RawMessage, error) {
	e.mu.Lock()
	e.calls = append(e.calls, time.Now())
	e.now++
	e.peak = max(e.peak, e.now)
	e.mu.Unlock()
	defer func() { e.mu.Lock(); e.now--; e.mu.Unlock() }()
	var n int
	var name string
	if k, _ := fmt.Sscanf(function, "fail-%d-%s", &n, &name); k == 2 {
		e.mu.Lock()
		e.failed++
		fails := e.failed <= n
		e.mu.Unlock()
		if fails {
			return nil, &Error{name, "made to fail"}
		}
	}
	switch {
	case function == "slow":
		time.Sleep(100 * time.Second)
	case function == "odd" && strings.Contains(string(payload), "3"):
		return nil, errPoisoned{}
	case function == "large":
		return json.Marshal(strings.Repeat("x", MaxPayload))
	}
	time.Sleep(time.Second)
	return payload, nil
}

func call1(function, more string) string {
	return `{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName":"` + function + `","Payload.$":"$"}` +
		more + `}`
}

func states(list string) string { return `{"StartAt":"a","States":{` + list + `}}` }

// What a machine does with an input: the output, or the name of the error.
func TestTheLanguage(t *testing.T) {
	distributed := `"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"x","States":{"x":` +
		call1("odd", `,"OutputPath":"$.Payload","End":true`) + `}}`
	reader := `"ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON"},"Parameters":{"Bucket":"b","Key.$":"$.key"}},`
	writer := `"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Parameters":{"Bucket":"b","Prefix":"out"}},`
	inline := `"ItemProcessor":{"StartAt":"x","States":{"x":{"Type":"Pass","Parameters":{"v.$":"$","i.$":"$$.Map.Item.Index"},"End":true}}}`
	for name, c := range map[string]struct{ machine, input, want string }{
		"pass": {states(`"a":{"Type":"Pass","Result":{"x":1},"ResultPath":"$.r.s","End":true}`), `{"q":2}`,
			`{"q":2,"r":{"s":{"x":1}}}`},
		"result dropped": {states(`"a":{"Type":"Pass","Result":1,"ResultPath":null,"End":true}`), `{"q":2}`, `{"q":2}`},
		"paths":          {states(`"a":{"Type":"Pass","InputPath":"$.in","Parameters":{"a.$":"$.l[1]","n.$":"$$.Execution.Name"},"OutputPath":"$.a","End":true}`), `{"in":{"l":[5,6]}}`, `6`},
		"no path":        {states(`"a":{"Type":"Pass","Parameters":{"a.$":"$.nothing"},"End":true}`), `{}`, `States.Runtime`},
		"functions":      {states(`"a":{"Type":"Pass","Parameters":{"f.$":"States.Format('{}-{}', $.x, 7)","j.$":"States.StringToJson('[1]')"},"End":true}`), `{"x":"y"}`, `{"f":"y-7","j":[1]}`},
		"a function fails": {states(`"a":{"Type":"Pass","Parameters":{"j.$":"States.StringToJson('[')"},"End":true}`), `{}`,
			`States.IntrinsicFailure`},
		"choice":      {states(`"a":{"Type":"Choice","Choices":[{"And":[{"Variable":"$.n","NumericGreaterThan":1},{"Not":{"Variable":"$.s","StringEquals":"x"}}],"Next":"b"}],"Default":"c"},"b":{"Type":"Pass","Result":"b","End":true},"c":{"Type":"Succeed"}`), `{"n":2,"s":"y"}`, `"b"`},
		"choice else": {states(`"a":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericEquals":1,"Next":"c"}],"Default":"c"},"c":{"Type":"Succeed"}`), `{"n":"1"}`, `{"n":"1"}`},
		"no choice": {states(`"a":{"Type":"Choice","Choices":[{"Variable":"$.n","IsPresent":true,"Next":"c"}]},"c":{"Type":"Succeed"}`),
			`{}`, `States.NoChoiceMatched`},
		"fail": {states(`"a":{"Type":"Fail","Error":"Mine","Cause":"because"}`), `{}`, `Mine`},
		"task": {states(`"a":` + call1("f", `,"ResultSelector":{"p.$":"$.Payload.q"},"ResultPath":"$.r","End":true`)),
			`{"q":2}`, `{"q":2,"r":{"p":2}}`},
		"retried": {states(`"a":` + call1("fail-2-X",
			`,"OutputPath":"$.Payload","Retry":[{"ErrorEquals":["States.TaskFailed"],"MaxAttempts":2}],"End":true`)), `1`, `1`},
		"retried too often": {states(`"a":` + call1("fail-3-X", `,"Retry":[{"ErrorEquals":["X"],"MaxAttempts":2}],"End":true`)), `1`, `X`},
		"caught": {states(`"a":` + call1("fail-9-X",
			`,"Catch":[{"ErrorEquals":["Y"],"Next":"c"},{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"c"}],"End":true`) +
			`,"c":{"Type":"Succeed"}`), `{"q":1}`, `{"e":{"Cause":"made to fail","Error":"X"},"q":1}`},
		"timed out": {states(`"a":` + call1("slow", `,"TimeoutSeconds":99,"End":true`)), `1`, `States.Timeout`},
		"in time":   {states(`"a":` + call1("slow", `,"TimeoutSeconds":102,"OutputPath":"$.StatusCode","End":true`)), `1`, `200`},
		"not by a wildcard": {states(`"a":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Parameters":{"FunctionName.$":"$.no"},` +
			`"Catch":[{"ErrorEquals":["States.ALL"],"Next":"c"}],"End":true},"c":{"Type":"Succeed"}`), `{}`, `States.Runtime`},
		"too large": {states(`"a":` + call1("large", `,"Catch":[{"ErrorEquals":["States.ALL"],"Next":"a"}],"End":true`)), `1`,
			`States.DataLimitExceeded`},
		"machine's time": {`{"StartAt":"a","TimeoutSeconds":30,"States":{"a":{"Type":"Wait","Seconds":31,"End":true}}}`, `1`,
			`States.Timeout`},
		"endless": {states(`"a":{"Type":"Pass","Next":"b"},"b":{"Type":"Pass","Next":"a"}`), `1`, `States.Runtime`},
		"inline": {states(`"a":{"Type":"Map","ItemsPath":"$.l",` + inline + `,"End":true}`), `{"l":[8,9]}`,
			`[{"i":0,"v":8},{"i":1,"v":9}]`},
		"distributed": {states(`"a":{"Type":"Map",` + reader +
			`"ItemSelector":{"v.$":"$$.Map.Item.Value"},"ToleratedFailurePercentage":20,` + writer + distributed + `,"End":true}`),
			`{"key":"list.json"}`, `{"MapRunArn":"run/map-1","ResultWriterDetails":{"Bucket":"b","Key":"out/run/map-1/manifest.json"}}`},
		"not tolerated": {states(`"a":{"Type":"Map",` + reader + `"ToleratedFailurePercentage":19,` + writer + distributed +
			`,"End":true}`), `{"key":"list.json"}`, `States.ExceedToleratedFailureThreshold`},
		"batches": {states(`"a":{"Type":"Map","ItemsPath":"$.l","ItemBatcher":{"MaxItemsPerBatch":2,"BatchInput":{"k.$":"$.k"}},` +
			distributed + `,"End":true}`), `{"l":[1,2,4],"k":7}`,
			`[{"BatchInput":{"k":7},"Items":[1,2]},{"BatchInput":{"k":7},"Items":[4]}]`},
		"no list": {states(`"a":{"Type":"Map",` + reader + distributed + `,"End":true}`), `{"key":"object.json"}`,
			`States.ItemReaderFailed`},
		"no object": {states(`"a":{"Type":"Map",` + reader + distributed + `,"End":true}`), `{"key":"none"}`,
			`States.ItemReaderFailed`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, err := Parse([]byte(c.machine), nil)
				if err != nil {
					t.Fatal(err)
				}
				x, err := m.Run(t.Context(), (&echo{}).host(), "run", json.RawMessage(c.input))
				got := string(x.Output)
				var e *Error
				if errors.As(err, &e) {
					got = e.Name
				}
				if got != c.want {
					t.Errorf("want %s, got %s (%v)", c.want, got, err)
				}
				time.Sleep(time.Hour) // for functions that nobody waits for any more
			})
		})
	}
}

// Waits grow by the rate up to the longest, and no more children run than are let.
func TestHowLongAndHowMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &echo{}
		m, err := Parse([]byte(states(`"a":`+call1("fail-3-X",
			`,"Retry":[{"ErrorEquals":["X"],"IntervalSeconds":10,"BackoffRate":3,"MaxDelaySeconds":40,"MaxAttempts":3}],"End":true`))), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(t.Context(), e.host(), "run", json.RawMessage(`1`)); err != nil {
			t.Fatal(err)
		}
		for i, want := range []time.Duration{10 * time.Second, 30 * time.Second, 40 * time.Second} {
			if got := e.calls[i+1].Sub(e.calls[i]); got != want {
				t.Errorf("attempt %d came after %s, want %s", i+2, got, want)
			}
		}
		e = &echo{}
		if m, err = Parse([]byte(states(
			`"a":{"Type":"Map","MaxConcurrencyPath":"$.w","ItemsPath":"$.l","ItemProcessor":{"StartAt":"x","States":{"x":`+call1("f",
				`,"End":true`)+`}},"End":true}`)), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(t.Context(), e.host(), "run", json.RawMessage(`{"w":3,"l":[1,2,4,5,6,7,8]}`)); err != nil || e.peak != 3 {
			t.Errorf("%d ran at once, want 3: %v", e.peak, err)
		}
	})
}

// What is not known is refused, by name.
func TestWhatIsNotKnown(t *testing.T) {
	for machine, want := range map[string]string{
		states(`"a":{"Type":"Parallel","End":true}`):                                                  "Parallel",
		states(`"a":{"Type":"Pass","Retry":[],"End":true}`):                                           "Retry",
		states(`"a":{"Type":"Pass","Assign":{},"End":true}`):                                          "Assign",
		states(`"a":{"Type":"Pass"}`):                                                                 "Next or End",
		states(`"a":{"Type":"Pass","Next":"b"}`):                                                      `"b"`,
		states(`"b":{"Type":"Succeed"}`):                                                              "StartAt",
		`{"StartAt":"a","QueryLanguage":"JSONata","States":{"a":{"Type":"Succeed"}}}`:                 "JSONata",
		states(`"a":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true}`):        "sqs",
		states(`"a":{"Type":"Pass","Parameters":{"x.$":"States.UUID()"},"End":true}`):                 "States.UUID",
		states(`"a":{"Type":"Pass","Parameters":{"x.$":"$..y"},"End":true}`):                          "$..y",
		states(`"a":{"Type":"Pass","Parameters":{"x.$":"$.y[*]"},"End":true}`):                        "$.y[*]",
		states(`"a":{"Type":"Choice","Choices":[{"Variable":"$.x","StringMatches":"*","Next":"a"}]}`): "StringMatches",
		states(`"a":{"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"OTHER"},"StartAt":"x","States":{"x":{"Type":"Succeed"}}},"End":true}`): "OTHER",
		states(`"a":{"Type":"Map","ItemBatcher":{"MaxItemsPerBatch":2},"ItemProcessor":{"StartAt":"x","States":{"x":{"Type":"Succeed"}}},"End":true}`):                             "batches",
	} {
		if _, err := Parse([]byte(machine), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want a refusal of %s, got %v", machine, want, err)
		}
	}
}
