package params

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"mappe/shared/geo/geom"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

// ask calls an endpoint that has the parameters and answers what read gives.
func ask(t *testing.T, of []endpoint.AnyParam, read func(*endpoint.Request) (any, error), query string) (int, string) {
	t.Helper()
	s := &endpoint.Service{System: "test", Title: "Test",
		Endpoints: []endpoint.Endpoint{{Method: "GET", Path: "/x", ID: "x", Params: of, Cache: endpoint.Live,
			Serve: func(_ context.Context, r *endpoint.Request) (reply.Answer, error) {
				v, err := read(r)
				if err != nil {
					return nil, err
				}
				return &reply.Document{Body: v}, nil
			}}}}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/x?"+query, nil))
	return w.Code, w.Body.String()
}

func TestPositions(t *testing.T) {
	free, required := At("lon", "lat", "of a point"), At("near_lon", "near_lat", "", endpoint.Required)
	for _, c := range []struct {
		of     Position
		query  string
		status int
		want   string
	}{
		{free, "", 200, `{"X":0,"Y":0}`}, {free, "lon=13.2742&lat=47.3208", 200, `{"X":132742000,"Y":473208000}`},
		{free, "lon=13.2", 400, "a latitude, together with lon"}, {free, "lat=47.2", 400, "a longitude, together with lat"},
		{free, "lon=47.3&lat=13.2", 400, "look swapped"}, {free, "lon=181&lat=13.2", 400, "from -180 to 180"},
		{free, "lon=1&lat=-90.1", 400, "from -90 to 90"},
		{required, "", 400, "near_lon"}, {required, "near_lon=13.2&near_lat=47.3", 200, "132000000"},
	} {
		status, body := ask(t, c.of.Params(), func(r *endpoint.Request) (any, error) { return c.of.Of(r) }, c.query)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%q: %d %s, expected %d with %s", c.query, status, body, c.status, c.want)
		}
	}
	for text, want := range map[string]string{"13.2742,47.3208": "", " 13.2742, 47.3208 ": "", "47.3,13.2": "swapped", "13.2": "lon,lat",
		"13,47,1": "lon,lat", "181,47": "lon,lat", "a,47": "lon,lat", "NaN,47": "lon,lat"} {
		p, err := ParsePosition(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) ||
			err == nil && p != (geom.Point{X: 132742000, Y: 473208000}) {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
}

func TestBoxes(t *testing.T) {
	for text, want := range map[string]string{
		"13,47,14,48": "", " 13, 47 ,14,48": "", "13,47,100,14,48,200": "", "-180,-90,180,90": "",
		"13,47,14": "four numbers", "13,47,14,48,1": "four numbers", "13,47,14,48,1,2,3": "four numbers", "x,0,1,1": "four numbers",
		"NaN,0,1,1": "four numbers",
		"Inf,0,1,1": "four numbers", "-180.1,0,1,1": "four numbers", "0,0,180.1,1": "four numbers", "0,-91,1,1": "four numbers",
		"0,0,1,91":    "four numbers",
		"14,47,13,48": "west before east", "13,48,14,47": "west before east", "13,47,13,48": "west before east",
		"13,47,14,47":          "west before east",
		"13,47,13.00000001,48": "west before east", "47,13,48,14": "swapped",
	} {
		if _, err := ParseBox(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
	if d, err := ParseBox("13,47,100,14,48,200"); err != nil || d != (Degrees{13, 47, 14, 48}) {
		t.Errorf("six numbers: %v, %v", d, err)
	}
	if d := (Degrees{13, 47, 13.1, 47.1}); !d.Within(0.1) || d.Within(0.09) {
		t.Error("the width of a box of 0.1 degrees")
	}
}

// A box by its edges has the same rules, and says which edge is wrong.
func TestEdges(t *testing.T) {
	free, required := MinMax("of a box"), Edges("of the box", endpoint.Required)
	for _, c := range []struct {
		of     Sides
		query  string
		status int
		want   string
	}{
		{free, "", 200, `"MinX":0`}, {free, "min_lon=13&min_lat=47&max_lon=14&max_lat=48", 200,
			`{"MinX":130000000,"MinY":470000000,"MaxX":140000000,"MaxY":480000000}`},
		{free, "west=13&minlat=47&east=14&maxlat=48", 200, "130000000"}, {required, "min_lon=13&min_lat=47&maxlon=14&north=48", 200,
			"130000000"},
		{free, "min_lon=13&min_lat=47&max_lon=14", 400, "all four edges of the box: min_lon, min_lat, max_lon, max_lat"},
		{required, "west=13", 400, "south"},
		{free, "min_lon=14&min_lat=47&max_lon=13&max_lat=48", 400, "east of min_lon"}, {required, "west=13&south=48&east=14&north=47", 400,
			"north of south"},
		{required, "west=13&south=47&east=13&north=48", 400, "east of west"}, {required, "west=47&south=13&east=48&north=14", 400,
			"look swapped"},
		{required, "west=47&minlon=48&south=13&east=48&north=14", 400, "either west or minlon"},
	} {
		status, body := ask(t, c.of.Params(), func(r *endpoint.Request) (any, error) { return c.of.Of(r) }, c.query)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%q: %d %s, expected %d with %s", c.query, status, body, c.status, c.want)
		}
	}
}

// Every code has its sentence, its example and its error.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		of        endpoint.AnyParam
		good, bad string
	}{
		{KG("p", "Only this KG"), "1004", "x"}, {KGs("p", "Only these KGs"), "1004,99101", "1004,,1"},
		{Parcel("p", "Parcel"), "99101-1", "99101"}, {GNR("p"), "12/3", "a b"},
		{Gemeinde("p", "Municipality"), "59902", "5990x"}, {Gemeinden("p", "Municipalities"), "59902,59903", "5990x"},
		{District("p", "District"), "599", "59"},
		{Date("p", "Date."), "2024-09-15", "2024-13-01"}, {Date("p", "Date."), "20240915", "2024-0915"},
		{Point("p", "Place"), "13,47", "13"}, {Box("Box."), "13,47,14,48", "13"},
	} {
		e := endpoint.Endpoint{Method: "GET", Path: "/x", ID: "x", Params: []endpoint.AnyParam{c.of}}
		in, err := e.Inputs()
		if err != nil || in[0].Doc == "" || in[0].Example == "" {
			t.Fatalf("%+v, %v", in, err)
		}
		none := func(*endpoint.Request) (any, error) { return map[string]int{}, nil }
		name := in[0].Name
		for _, text := range []string{c.good, in[0].Example} {
			if status, body := ask(t, []endpoint.AnyParam{c.of}, none, name+"="+text); status != 200 {
				t.Errorf("%s: %d %s", text, status, body)
			}
		}
		if status, body := ask(t, []endpoint.AnyParam{c.of}, none, name+"="+strings.ReplaceAll(c.bad, " ", "%20")); status != 400 ||
			!strings.Contains(body, `"parameter":"`+name+`"`) {
			t.Errorf("%s: %d %s, expected 400 that names it", c.bad, status, body)
		}
	}
}

// Whatever the text, it is a box or a position with an extent on the grid, or none.
func FuzzDegrees(f *testing.F) {
	for _, s := range []string{"13,47,14,48", "13,47", "1,2,3,4,5,6", "1e-300,0,1,1", ",,,", "-0,0,0,0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseBox(text); err == nil {
			if b := d.Grid(); b.MinX >= b.MaxX || b.MinY >= b.MaxY || b.MinX < -180e7 || b.MaxX > 180e7 || b.MinY < -90e7 || b.MaxY > 90e7 {
				t.Fatalf("%q is the box %v", text, b)
			}
		}
		if p, err := ParsePosition(text); err == nil && (p.X < -180e7 || p.X > 180e7 || p.Y < -90e7 || p.Y > 90e7) {
			t.Fatalf("%q is %v", text, p)
		}
	})
}

// A box in a body is an array or a text, with the rules of every box.
func TestBoxAreas(t *testing.T) {
	const want = `{"type":"Polygon","coordinates":[[[13,47],[14,47],[14,48.5],[13,48.5],[13,47]]]}`
	for _, text := range []string{"[13,47,14,48.5]", " [13, 47, 14, 48.5] ", `"13,47,14,48.5"`, "[13,47,100,14,48.5,200]"} {
		if got, err := BoxArea("bbox", []byte(text)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"[13,47,14]": "four numbers", "13,47,14,48": "four numbers", "{}": "four numbers", "null": "four numbers",
		"[14,47,13,48]": "west before east", "[47,13,48,14]": "swapped", "[]": "four numbers", "": "four numbers"} {
		if _, err := BoxArea("bbox", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
