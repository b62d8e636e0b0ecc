package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Every fault of input is 400; the other codes have the status the specification gives them.
func TestStatusOfEveryCode(t *testing.T) {
	other := map[Code]int{Unauthorized: 401, PaymentRequired: 402, Forbidden: 403, NotFound: 404, NoData: 404, MethodNotAllowed: 405,
		Exists: 409, TooLarge: 413, LongURL: 414, UnsupportedType: 415, UnsatisfiableRange: 416, RateLimited: 429, Internal: 500,
		Unavailable: 503}
	for _, c := range AllCodes() {
		want := 400
		if s, ok := other[c]; ok {
			want = s
		}
		if got := c.Status(); got != want {
			t.Errorf("%s: %d, want %d", c, got, want)
		}
	}
	if Code("something else").Status() != 500 {
		t.Error("an undeclared code is not a 500")
	}
}

func TestPublishedForm(t *testing.T) {
	f := UnknownName("wst", "12", []string{"west", "south"})
	want := `{"error":"parameter wst is unknown (value \"12\"): expected one of west, south; did you mean west?","status":400,"code":"unknown_parameter","errors":[{"parameter":"wst","value":"12","expected":"one of west, south; did you mean west?"}],"request_id":"r1"}` + "\n"
	if got := string(f.JSON("r1")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	large := New(TooLarge, "the box is too large")
	large.Split = [][4]float64{{1, 2, 3, 4}}
	if got := string(large.JSON("")); !strings.Contains(got, `"status":413`) || !strings.Contains(got, `"split":[[1,2,3,4]]`) {
		t.Errorf("got %s", got)
	}
}

func TestFurtherMembers(t *testing.T) {
	f := New(PaymentRequired, "no finals remain")
	f.Members = map[string]any{"credits_remaining": 0, "addon": "index"}
	want := `{"error":"no finals remain","status":402,"code":"payment_required","request_id":"r1","addon":"index","credits_remaining":0}` +
		"\n"
	if got := string(f.JSON("r1")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	f.Members["bad"] = func() {} // cannot be written: the rest is sent
	if got := string(f.JSON("")); !json.Valid([]byte(got)) || !strings.Contains(got, "no finals remain") {
		t.Errorf("got %s", got)
	}
}

func TestInnerErrorsAreNotQuoted(t *testing.T) {
	secret := errors.New("open s3://bucket/key: access denied")
	for _, err := range []error{secret, fmt.Errorf("reading: %w", secret), New(Unavailable, "try again").Because(secret)} {
		f := From(err)
		if b := string(f.JSON("id")); strings.Contains(b, "s3") || strings.Contains(b, "denied") {
			t.Errorf("sent: %s", b)
		}
		if !errors.Is(f, secret) || !strings.Contains(f.Error(), "denied") {
			t.Errorf("the log loses the cause: %v", f)
		}
	}
	if f := From(fmt.Errorf("wrapped: %w", Missed("parcel", "01004-9"))); f.Status() != 404 || f.Message != "there is no parcel 01004-9" {
		t.Errorf("a wrapped fault is lost: %v", f)
	}
}

func TestForeignValuesAreShortened(t *testing.T) {
	for _, v := range []string{strings.Repeat("ä", 1000), strings.Repeat("\xff", 1000), strings.Repeat("a\x00", 50000)} {
		b := BadValue("kg", v, "a code").JSON("")
		if len(b) > 1200 || !json.Valid(b) {
			t.Errorf("%d bytes for a long value: %.100s", len(b), b)
		}
		for _, c := range []Code{Unknown, Malformed, Duplicate} {
			if b := Of(c, v, "1", "a name").JSON(""); len(b) > 1600 || !json.Valid(b) {
				t.Errorf("%s: %d bytes for a long name: %.100s", c, len(b), b)
			}
		}
	}
	if got := Shorten("short"); got != "short" {
		t.Errorf("got %q", got)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"west", "south", "minlon", "has_buildings", "limit"}
	for name, want := range map[string]string{
		"wst": "west", "WEST": "west", "wets": "west", "minlom": "minlon", "has_building": "has_buildings", "hasbuildings": "has_buildings",
		"lmit": "limit", "colour": "", "": "", "x": "", strings.Repeat("w", 1000): "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("%.20q: %q, want %q", name, got, want)
		}
	}
}
