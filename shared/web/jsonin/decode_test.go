package jsonin

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"mappe/shared/web/fault"
)

type site struct {
	Lon  *float64        `json:"lon"`
	Lat  float64         `json:"lat"`
	Name string          `json:"name,omitempty"`
	Tags []string        `json:"tags"`
	More json.RawMessage `json:"more"`

	//lint:ignore U1000 a field that is not exported is no member
	kept int
}

type order struct {
	site
	Sites []site         `json:"sites"`
	Count uint8          `json:"count"`
	Sure  bool           `json:"sure"`
	Free  map[string]int `json:"free"`
	Any   any            `json:"any"`
}

// What is taken is what encoding/json takes.
func TestDecodeIsEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`{}`, `null`, ` {"lon":1.5,"lat":-2e1,"name":"a\"ä\u00e4\ud83d\ude00","tags":["x",""],"more":{"a":[1,{"b":null}]}} `,
		`{"sites":[{"lon":null,"lat":3},{"tags":[]},null],"count":255,"sure":true,"free":{"a":1,"A":2},"any":[{"x":1}]}`,
		`{"more":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`,
		"\ufeff" + `{"sites":null,"free":null,"any":null,"more":null}`,
	} {
		var want, got order
		if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &want); err != nil {
			t.Fatal(err)
		}
		if err := Decode([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		want.More, got.More = compact(want.More), compact(got.More)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: want %+v, got %+v", text, want, got)
		}
	}
}

// compact makes absent and null the same.
func compact(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// What is refused names the member with its place, the value and what is allowed, in no words of the program's.
func TestDecodeFaults(t *testing.T) {
	for text, want := range map[string]fault.Detail{
		`{"sites":[{"lon":1},{"LON":2}]}`: {Parameter: "sites[1].LON", Value: "2",
			Expected: "one of lon, lat, name, tags, more; did you mean lon?"},
		`{"sites":[{"lon":1,"lon":2}]}`:    {Parameter: "sites[0].lon", Value: "2", Expected: "it once"},
		`{"sites":[{"lon":null,"lon":2}]}`: {Parameter: "sites[0].lon", Value: "2", Expected: "it once"},
		`{"sites":[{"lon":"east"}]}`:       {Parameter: "sites[0].lon", Value: `"east"`, Expected: "a number"},
		`{"sites":[[1]]}`:                  {Parameter: "sites[0]", Value: "[1", Expected: "an object"},
		`{"sites":{"lon":1}}`:              {Parameter: "sites", Value: `{"lon":1`, Expected: "an array of objects"},
		`{"tags":["a",7]}`:                 {Parameter: "tags[1]", Value: "7", Expected: "a text"},
		`{"name":["a"]}`:                   {Parameter: "name", Value: `["a"`, Expected: "a text"},
		`{"count":256}`:                    {Parameter: "count", Value: "256", Expected: "a whole number, not negative"},
		`{"count":1.5}`:                    {Parameter: "count", Value: "1.5", Expected: "a whole number, not negative"},
		`{"sure":"yes"}`:                   {Parameter: "sure", Value: `"yes"`, Expected: "true or false"},
		`{"free":{"a":1,"a":2}}`:           {Parameter: "free.a", Value: "2", Expected: "it once"},
		`{"more":{"a":[0,{"b":1,"b":2}]}}`: {Parameter: "more.a[1].b", Value: "2", Expected: "it once"},
		`{"any":{"a":1,"a":2}}`:            {Parameter: "any.a", Value: "2", Expected: "it once"},
		`{"kept":1}`: {Parameter: "kept", Value: "1",
			Expected: "one of lon, lat, name, tags, more, sites, count, sure, free, any"},
		`[]`:                                   {Parameter: "body", Value: "[", Expected: "an object"},
		`7`:                                    {Parameter: "body", Value: "7", Expected: "an object"},
		`{"lon":1e999}`:                        {Parameter: "lon", Value: "1e999", Expected: "a number"},
		`{"nam` + "\xff" + `":1,"lo` + `n":1}`: {},
		`{"lon":}`:                             {},
		`{"lon":1,}`:                           {},
		`{} {}`:                                {},
		``:                                     {},
		`{"name":"`:                            {},
	} {
		err := Decode([]byte(text), &order{})
		var f *fault.Fault
		if !errors.As(err, &f) || f.Status() != 400 {
			t.Errorf("%s: want a fault of 400, got %v", text, err)
			continue
		}
		for _, word := range []string{"unmarshal", "Go ", "struct", "json:", "invalid character"} {
			if strings.Contains(f.Message, word) {
				t.Errorf("%s: %s", text, f.Message)
			}
		}
		if want.Parameter == "" {
			if f.Code != fault.BadBody {
				t.Errorf("%s: %s %v", text, f.Code, f)
			}
		} else if len(f.Details) != 1 || f.Details[0] != want {
			t.Errorf("%s: want %+v, got %+v", text, want, f.Details)
		}
	}
}

// Whatever a body holds, encoding/json reads the same from what is taken.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"sites":[{"lon":1,"lat":2,"tags":["a"],"more":{"x":[1]}}],"count":3,"free":{"a":1},"any":[null]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, want order
		if Decode(b, &got) != nil {
			return
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(b), "\ufeff")), &want); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		want.More, got.More = compact(want.More), compact(got.More)
		for i := range min(len(want.Sites), len(got.Sites)) {
			want.Sites[i].More, got.Sites[i].More = compact(want.Sites[i].More), compact(got.Sites[i].More)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: want %+v, got %+v", b, want, got)
		}
	})
}
