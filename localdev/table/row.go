package table

import (
	"fmt"
	"strconv"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/geo/crs"
	"mappe/shared/web/xlsx"
)

// wanted is what a row asks for: one of a parcel, a position and an address.
type wanted struct {
	parcel   string
	at       *position
	address  string
	matching string // of a parcel or a position: how the row is matched
	problem  string // why nothing can be asked for
}

// position is in degrees, WGS84.
type position struct {
	Lon float64 `json:"lon"`
	Lat float64 `json:"lat"`
}

// maxAddress is how long the geocoder's texts may be, in bytes.
const maxAddress = 200

// asked reads a row: its parcel, else its position, else its address.
func (c Columns) asked(row []xlsx.Cell, system crs.System) wanted {
	cell := func(r Role) string {
		if at, ok := c[r]; ok && at < len(row) {
			return strings.TrimSpace(row[at].Text)
		}
		return ""
	}
	switch {
	case cell(Parcel) != "":
		return byParcel(austria.ParseParcelID(cell(Parcel)))
	case cell(KG) != "" && cell(GNR) != "":
		return byNumber(cell(KG), cell(GNR))
	case cell(Lon) != "" && cell(Lat) != "":
		return byPosition(cell(Lon), cell(Lat), system)
	}
	text := cell(Address)
	if street := strings.TrimSpace(cell(Street) + " " + cell(House)); text == "" {
		text = street
	}
	place := strings.TrimSpace(cell(PLZ) + " " + cell(Place))
	switch {
	case text == "":
		return wanted{problem: "the row has no parcel, no position and no street"}
	case place != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(place)):
		text += ", " + place
	}
	if len(text) > maxAddress {
		return wanted{problem: fmt.Sprintf("the address is longer than %d bytes", maxAddress)}
	}
	return wanted{address: text}
}

func byParcel(id austria.ParcelID, err error) wanted {
	if err != nil {
		return wanted{problem: err.Error()}
	}
	return wanted{parcel: id.String(), matching: "parcel"}
}

func byNumber(kg, gnr string) wanted {
	code, err := austria.ParseKGCode(kg)
	if err != nil {
		return wanted{problem: err.Error()}
	}
	number, err := austria.ParseGNR(gnr)
	return byParcel(austria.ParcelID{KG: code, GNR: number}, err)
}

// Where positions of this country lie, in degrees.
const (
	west, east   = 9.0, 17.5
	south, north = 46.0, 49.5
)

func inAustria(lon, lat float64) bool {
	return lon >= west && lon <= east && lat >= south && lat <= north
}

func byPosition(textX, textY string, system crs.System) wanted {
	x, err := number(textX)
	if err != nil {
		return wanted{problem: fmt.Sprintf("%q is no number", textX)}
	}
	y, err := number(textY)
	if err != nil {
		return wanted{problem: fmt.Sprintf("%q is no number", textY)}
	}
	lon, lat := x, y
	if system != crs.WGS84 {
		lon, lat = system.Inverse(x, y)
	}
	if inAustria(lon, lat) {
		return wanted{at: &position{lon, lat}, matching: "coordinates"}
	}
	swappedLon, swappedLat := y, x
	if system != crs.WGS84 {
		swappedLon, swappedLat = system.Inverse(y, x)
	}
	switch {
	case inAustria(swappedLon, swappedLat):
		return wanted{problem: "the position is not in Austria, with its two numbers swapped it is: " +
			"--columns lon=NAME,lat=NAME says which column is the easting"}
	case system == crs.WGS84 && (x > 180 || y > 90):
		return wanted{problem: "the position is not in degrees: --crs says which system it is in, for example EPSG:31256"}
	}
	return wanted{problem: fmt.Sprintf("the position is not in Austria (%s)", system)}
}

// number reads a number with a decimal point or comma.
func number(text string) (float64, error) {
	if !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	return strconv.ParseFloat(text, 64)
}

// places are the municipality and the district of a KG.
type places struct {
	GemeindeCode string `json:"gemeinde_code,omitempty"`
	GemeindeName string `json:"gemeinde_name,omitempty"`
	DistrictCode string `json:"district_code,omitempty"`
	DistrictName string `json:"district_name,omitempty"`
}

// Result is what is known of a row.
type Result struct {
	Row        int      `json:"row"` // from 0
	ParcelID   string   `json:"parcel_id,omitempty"`
	KGCode     string   `json:"kg_code,omitempty"`
	KGName     string   `json:"kg_name,omitempty"`
	AreaSqm    *float64 `json:"area_sqm,omitempty"`
	LandUse    string   `json:"landuse,omitempty"`
	Buildings  *int     `json:"buildings,omitempty"`
	BuiltSqm   *float64 `json:"built_sqm,omitempty"`
	PerSqm     *float64 `json:"price_eur_per_sqm,omitempty"`
	Total      *float64 `json:"price_total_eur,omitempty"`
	PriceClass string   `json:"price_class,omitempty"`
	Confidence string   `json:"price_confidence,omitempty"`
	Protected  string   `json:"natura2000,omitempty"`
	Laws       string   `json:"laws,omitempty"`
	Lon        *float64 `json:"lon,omitempty"`
	Lat        *float64 `json:"lat,omitempty"`
	Match      string   `json:"match,omitempty"`
	Found      string   `json:"found,omitempty"` // address
	Reason     string   `json:"reason,omitempty"`
	Again      bool     `json:"again,omitempty"` // asking later may find more
	places
	around
}

// added are the columns that a table gets, in their order.
var added = []struct {
	name string
	cell func(*Result) xlsx.Cell
}{
	{"parcel_id", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.ParcelID} }},
	{"kg_code", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.KGCode} }},
	{"kg_name", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.KGName} }},
	{"gemeinde_code", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.GemeindeCode} }},
	{"gemeinde_name", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.GemeindeName} }},
	{"district_code", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.DistrictCode} }},
	{"district_name", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.DistrictName} }},
	{"area_sqm", func(r *Result) xlsx.Cell { return figure(r.AreaSqm) }},
	{"landuse", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.LandUse} }},
	{"buildings", func(r *Result) xlsx.Cell { return count(r.Buildings) }},
	{"building_area_sqm", func(r *Result) xlsx.Cell { return figure(r.BuiltSqm) }},
	{"price_eur_per_sqm", func(r *Result) xlsx.Cell { return figure(r.PerSqm) }},
	{"price_total_eur", func(r *Result) xlsx.Cell { return figure(r.Total) }},
	{"price_class", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.PriceClass} }},
	{"price_confidence", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Confidence} }},
	{"natura2000", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Protected} }},
	{"protected_areas", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Areas} }},
	{"laws", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Laws} }},
	{"dist_road_m", func(r *Result) xlsx.Cell { return figure(r.Road) }},
	{"road_name", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.RoadName} }},
	{"dist_major_road_m", func(r *Result) xlsx.Cell { return figure(r.Major) }},
	{"dist_transit_m", func(r *Result) xlsx.Cell { return figure(r.Transit) }},
	{"dist_train_station_m", func(r *Result) xlsx.Cell { return figure(r.Station) }},
	{"dist_water_m", func(r *Result) xlsx.Cell { return figure(r.Water) }},
	{"dist_settlement_m", func(r *Result) xlsx.Cell { return figure(r.Settlement) }},
	{"surroundings_licence", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Licence} }},
	{"lon", func(r *Result) xlsx.Cell { return figure(r.Lon) }},
	{"lat", func(r *Result) xlsx.Cell { return figure(r.Lat) }},
	{"match", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Match} }},
	{"found_address", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Found} }},
	{"not_found", func(r *Result) xlsx.Cell { return xlsx.Cell{Text: r.Reason} }},
}

func figure(v *float64) xlsx.Cell {
	if v == nil {
		return xlsx.Cell{}
	}
	return xlsx.Cell{Text: strconv.FormatFloat(*v, 'f', -1, 64), Number: true}
}

func count(v *int) xlsx.Cell {
	if v == nil {
		return xlsx.Cell{}
	}
	return xlsx.Cell{Text: strconv.Itoa(*v), Number: true}
}

// prefix stands before an added column whose name the table has already.
const prefix = "mappe_"

// joined are the rows of the result: each of the table's own cells, and what was added.
func (f *File) joined(results []Result) [][]xlsx.Cell {
	taken := map[string]bool{}
	head := make([]xlsx.Cell, 0, len(f.Head)+len(added))
	for _, h := range f.Head {
		taken[strings.ToLower(h)] = true
		head = append(head, xlsx.Cell{Text: h})
	}
	for _, a := range added {
		name := a.name
		for taken[name] {
			name = prefix + name
		}
		head = append(head, xlsx.Cell{Text: name})
	}
	out := [][]xlsx.Cell{head}
	for i := range f.Rows {
		row := make([]xlsx.Cell, len(f.Head), len(head))
		copy(row, f.Rows[i])
		for _, a := range added {
			row = append(row, a.cell(&results[i]))
		}
		out = append(out, row)
	}
	return out
}
