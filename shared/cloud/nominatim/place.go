package nominatim

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mappe/shared/geo/geom"
)

// Answer is what a geocoder knows of a text.
type Answer struct {
	Places []Place
	Source string // the host that was asked
	Kept   bool   // from memory: nobody was asked
}

// Place is a place of an answer.
type Place struct {
	Name        string // display name
	At          geom.Point
	Box         geom.Box
	OSMType     string // node, way, relation; "" where none is given
	OSMID       int64  // 0 where none is given
	Class, Type string
	Importance  float64 // 0 to 1
	Licence     string  // of the data, as the geocoder says it
	Road, HouseNumber, City, Municipality, State,
	Postcode string
}

// DefaultLicence is that of a geocoder which names none: all of this form stand on OpenStreetMap.
const DefaultLicence = "Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright"

// The box of Austria, in 1e-7 degrees: what lies outside is passed over.
var austria = geom.Box{MinX: 95_300_000, MinY: 463_700_000, MaxX: 171_700_000, MaxY: 490_300_000}

// viewbox is the same for the request.
const viewbox = "9.53,46.37,17.17,49.03"

// maxText bounds a text of an answer in bytes.
const maxText = 300

// foreign is a place as Nominatim's jsonv2 draws it. Numbers are texts in it, and numbers in its heirs.
type foreign struct {
	Name       string       `json:"display_name"`
	Lat        flexible     `json:"lat"`
	Lon        flexible     `json:"lon"`
	Box        []flexible   `json:"boundingbox"` // south, north, west, east
	OSMType    string       `json:"osm_type"`
	OSMID      json.Number  `json:"osm_id"`
	Category   string       `json:"category"`
	Class      string       `json:"class"`
	Type       string       `json:"type"`
	Importance flexible     `json:"importance"`
	Licence    string       `json:"licence"`
	Address    foreignParts `json:"address"`
}

type foreignParts struct {
	Road         string `json:"road"`
	Pedestrian   string `json:"pedestrian"`
	HouseNumber  string `json:"house_number"`
	City         string `json:"city"`
	Town         string `json:"town"`
	Village      string `json:"village"`
	Hamlet       string `json:"hamlet"`
	Municipality string `json:"municipality"`
	State        string `json:"state"`
	Postcode     string `json:"postcode"`
	CountryCode  string `json:"country_code"`
}

// flexible is a number, or a text that is one; NaN for anything else.
type flexible float64

func (f *flexible) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		v = math.NaN()
	}
	*f = flexible(v)
	return nil
}

// Parse reads an answer in Nominatim's jsonv2. Places that are not in Austria, or have no position or name, are passed
// over; texts are cleaned of what is not printed and shortened.
func Parse(body []byte) ([]Place, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("the answer is not UTF-8")
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, fmt.Errorf("the answer is no array: %w", err)
	}
	if raw == nil {
		return nil, errors.New("the answer is null")
	}
	places := []Place{}
	for _, r := range raw {
		if len(places) == MaxPlaces {
			break
		}
		f := foreign{Lat: flexible(math.NaN()), Lon: flexible(math.NaN()), Importance: flexible(math.NaN())}
		if err := json.Unmarshal(r, &f); err != nil {
			continue // one that cannot be read spoils no other
		}
		if p, ok := f.place(); ok {
			places = append(places, p)
		}
	}
	return places, nil
}

// place is a place as this program has it; false for one that is passed over.
func (f *foreign) place() (Place, bool) {
	at, ok := position(f.Lon, f.Lat)
	country := strings.ToLower(f.Address.CountryCode)
	p := Place{
		Name: cleaned(f.Name), At: at, Box: geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y},
		Class: cleaned(or(f.Category, f.Class)), Type: cleaned(f.Type), Licence: or(cleaned(f.Licence), DefaultLicence),
		Road: cleaned(or(f.Address.Road, f.Address.Pedestrian)), HouseNumber: cleaned(f.Address.HouseNumber),
		City:         cleaned(or(f.Address.City, f.Address.Town, f.Address.Village, f.Address.Hamlet)),
		Municipality: cleaned(f.Address.Municipality), State: cleaned(f.Address.State), Postcode: cleaned(f.Address.Postcode),
	}
	if !ok || !austria.Contains(at) || p.Name == "" || country != "" && country != "at" {
		return p, false
	}
	if v := float64(f.Importance); v >= 0 { // not NaN
		p.Importance = min(v, 1)
	}
	switch t := strings.ToLower(f.OSMType); t {
	case "node", "way", "relation":
		if id, err := f.OSMID.Int64(); err == nil && id > 0 {
			p.OSMType, p.OSMID = t, id
		}
	}
	if len(f.Box) == 4 {
		lo, okLo := position(f.Box[2], f.Box[0])
		hi, okHi := position(f.Box[3], f.Box[1])
		if okLo && okHi && lo.X <= hi.X && lo.Y <= hi.Y {
			p.Box = geom.Box{MinX: lo.X, MinY: lo.Y, MaxX: hi.X, MaxY: hi.Y}
		}
	}
	return p, true
}

// position is a longitude and a latitude on the grid; false where they are not a position.
func position(lon, lat flexible) (geom.Point, bool) {
	if !(math.Abs(float64(lon)) <= 180 && math.Abs(float64(lat)) <= 90) { // NaN is neither
		return geom.Point{}, false
	}
	return geom.Point{X: int32(math.Round(float64(lon) * geom.Scale)), Y: int32(math.Round(float64(lat) * geom.Scale))}, true
}

func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// cleaned is a text in one line without control characters, of at most maxText bytes.
func cleaned(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if len(s) <= maxText {
		return strings.Clone(s) // a part would keep the whole
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}
