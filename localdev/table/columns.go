package table

import (
	"fmt"
	"slices"
	"strings"
)

// Role is what a column means.
type Role string

// The roles.
const (
	Address Role = "address" // street, house number and place in one text
	Street  Role = "street"
	House   Role = "house_number"
	PLZ     Role = "plz"
	Place   Role = "place"
	Lon     Role = "lon" // or the easting of another system
	Lat     Role = "lat" // or the northing
	Parcel  Role = "parcel_id"
	KG      Role = "kg"
	GNR     Role = "gnr"
)

// named are the names that columns of a role have, without signs, in lower case and with ae for ä; the usual ones first.
var named = []struct {
	role  Role
	names []string
}{
	{Parcel, []string{"parcelid", "parcel", "grundstuecksid", "grundstueckid", "gstid"}},
	{KG, []string{"kg", "kgcode", "kgnr", "kgnummer", "katastralgemeindenummer", "katastralgemeindenr", "katastralgemeinde"}},
	{GNR, []string{"gnr", "gst", "gstnr", "gstnummer", "grundstuecksnummer", "grundstuecksnr", "grundstuecknr", "grundstueck",
		"parcelnumber"}},
	{Lon, []string{"lon", "lng", "long", "longitude", "laenge", "laengengrad", "x", "rechtswert", "easting", "ostwert"}},
	{Lat, []string{"lat", "latitude", "breite", "breitengrad", "y", "hochwert", "northing", "nordwert"}},
	{Address, []string{"adresse", "anschrift", "address", "addr", "fulladdress", "vollstaendigeadresse", "q"}},
	{Street, []string{"strasse", "str", "street", "strassenname", "streetname", "gasse", "road"}},
	{House, []string{"hausnummer", "hausnr", "hnr", "housenumber", "houseno", "orientierungsnummer", "streetnumber"}},
	{PLZ, []string{"plz", "postleitzahl", "zip", "zipcode", "postcode", "postalcode"}},
	{Place, []string{"ort", "wohnort", "ortschaft", "stadt", "gemeinde", "city", "town", "place", "locality", "municipality"}},
}

// Columns are the places of the columns that are read, by their role.
type Columns map[Role]int

var signs = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", " ", "", "_", "", "-", "", ".", "", "/", "", "(", "", ")", "")

func folded(name string) string { return signs.Replace(strings.ToLower(strings.TrimSpace(name))) }

// Recognise finds the columns by their names. given are further ones, "adresse=Where,plz=Zip": the role or one of its usual names,
// then the column's name; they go before the recognised ones.
func Recognise(head []string, given string) (Columns, error) {
	c := Columns{}
	for _, n := range named {
		for _, name := range n.names {
			if at := slices.IndexFunc(head, func(h string) bool { return folded(h) == name }); at >= 0 {
				c[n.role] = at
				break
			}
		}
	}
	for _, pair := range strings.Split(given, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		role, name, ok := strings.Cut(pair, "=")
		at := slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) })
		r, known := roleOf(role)
		switch {
		case !ok || !known:
			return nil, fmt.Errorf("--columns: %q: expected ROLE=COLUMN, the role one of %s", pair, strings.Join(roles(), ", "))
		case at < 0:
			return nil, fmt.Errorf("--columns: the table has no column %q; it has %s", strings.TrimSpace(name), strings.Join(head, ", "))
		}
		c[r] = at
	}
	if !c.usable() {
		return nil, fmt.Errorf("no column says where a row is: it needs parcel_id, or kg and gnr, or lon and lat (x and y), or an address "+
			"(adresse, or straße with hausnummer, plz, ort); the table has %s; --columns address=NAME says which is which",
			strings.Join(head, ", "))
	}
	return c, nil
}

func roleOf(text string) (Role, bool) {
	text = folded(text)
	for _, n := range named {
		if text == folded(string(n.role)) || slices.Contains(n.names, text) {
			return n.role, true
		}
	}
	return "", false
}

func roles() []string {
	var list []string
	for _, n := range named {
		list = append(list, string(n.role))
	}
	return list
}

func (c Columns) has(r ...Role) bool {
	return !slices.ContainsFunc(r, func(r Role) bool { _, ok := c[r]; return !ok })
}

func (c Columns) usable() bool {
	return c.has(Parcel) || c.has(KG, GNR) || c.has(Lon, Lat) || c.has(Address) || c.has(Street)
}

// Told says which columns are read as what: "address = Anschrift, plz = PLZ".
func (c Columns) Told(head []string) string {
	var list []string
	for _, n := range named {
		if at, ok := c[n.role]; ok {
			list = append(list, string(n.role)+" = "+head[at])
		}
	}
	return strings.Join(list, ", ")
}
