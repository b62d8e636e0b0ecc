package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/geo/geom"
)

// The addresses that are asked.
const (
	pathAddresses = "/cadastre/api/v1/search/address_osm"
	pathParcels   = "/cadastre/api/v1/parcels/geometry/batch"
	pathPoints    = "/cadastre/api/v1/spatial/points?overlays=true&wait=true"
	pathPrices    = "/cadastre/api/v1/land_prices/batch"
	pathAround    = "/context/api/v1/context?include=protected_area,osm"
)

// portion is how many rows are asked for at once; the services take up to 1,000.
const portion = 250

// lookup finds what is known of a portion of rows.
type lookup struct {
	c       *client
	results []*Result
	points  map[int]position // by the place in results: where to look
}

// find asks for rows; results are filled in their order.
func find(ctx context.Context, c *client, rows []wanted, results []*Result) error {
	l := &lookup{c: c, results: results, points: map[int]position{}}
	parcels, addresses := map[string][]int{}, []int(nil)
	for i, w := range rows {
		r := results[i]
		r.Reason, r.Match = w.problem, w.matching
		switch {
		case w.parcel != "":
			parcels[w.parcel] = append(parcels[w.parcel], i)
		case w.at != nil:
			l.points[i] = *w.at
		case w.address != "":
			addresses = append(addresses, i)
		}
	}
	if err := l.geocode(ctx, rows, addresses); err != nil {
		return fmt.Errorf("addresses: %w", err)
	}
	if err := l.outlines(ctx, parcels); err != nil {
		return fmt.Errorf("parcels: %w", err)
	}
	if err := l.contain(ctx, rows); err != nil {
		return fmt.Errorf("parcels: %w", err)
	}
	if err := l.surround(ctx); err != nil {
		return err
	}
	return l.price(ctx)
}

// geocode finds where addresses are.
func (l *lookup) geocode(ctx context.Context, rows []wanted, at []int) error {
	if len(at) == 0 {
		return nil
	}
	type query struct {
		Q string `json:"q"`
	}
	var question struct {
		Queries []query `json:"queries"`
	}
	for _, i := range at {
		question.Queries = append(question.Queries, query{rows[i].address})
	}
	var answer struct {
		Data []struct {
			Name        string `json:"display_name"`
			Lon, Lat    *float64
			Match       string `json:"house_number_match"`
			Source      string
			Suggestions []string
			Upstream    string
		}
	}
	if err := l.c.ask(ctx, pathAddresses, question, &answer); err != nil {
		return err
	}
	if len(answer.Data) != len(at) {
		return fmt.Errorf("%d answers to %d addresses", len(answer.Data), len(at))
	}
	for n, i := range at {
		d, r := &answer.Data[n], l.results[i]
		switch {
		case d.Lon == nil || d.Lat == nil:
			r.Reason = "no such address is known"
			if len(d.Suggestions) > 0 {
				r.Reason += "; did you mean " + strings.Join(d.Suggestions, ", or ") + "?"
			}
			if slices.Contains([]string{"busy", "failed", "not_asked"}, d.Upstream) {
				r.Reason, r.Again = r.Reason+"; the other geocoder was not asked for it", true
			}
			continue
		case d.Match == "":
			r.Match = "geocoder " + d.Source
		default:
			r.Match = d.Match
		}
		r.Found, r.Lon, r.Lat = d.Name, d.Lon, d.Lat
		if d.Match == "street" { // the middle of a street is in somebody's parcel, which nobody asked for
			r.Reason = "the address has no house number: only its street is known"
			continue
		}
		l.points[i] = position{*d.Lon, *d.Lat}
	}
	return nil
}

// outlines finds a point in each parcel that is named.
func (l *lookup) outlines(ctx context.Context, parcels map[string][]int) error {
	if len(parcels) == 0 {
		return nil
	}
	var question struct {
		IDs []string `json:"ids"`
	}
	for id := range parcels {
		question.IDs = append(question.IDs, id)
	}
	slices.Sort(question.IDs)
	var answer struct {
		Data []struct {
			ID       string `json:"parcel_id"`
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
		Meta struct {
			NotFound []string `json:"not_found"`
			Pending  []string `json:"pending_ids"`
		}
	}
	if err := l.c.ask(ctx, pathParcels, question, &answer); err != nil {
		return err
	}
	for _, d := range answer.Data {
		p, err := inside(d.Geometry.Type, d.Geometry.Coordinates)
		for _, i := range parcels[d.ID] {
			if err != nil {
				l.results[i].Reason = "the parcel's outline cannot be read"
				continue
			}
			l.points[i] = p
		}
	}
	for _, id := range answer.Meta.NotFound {
		for _, i := range parcels[id] {
			l.results[i].Reason, l.results[i].Match = "there is no parcel "+id, ""
		}
	}
	for _, id := range answer.Meta.Pending {
		for _, i := range parcels[id] {
			l.results[i].Reason, l.results[i].Again, l.results[i].Match = "the KG of parcel "+id+" is not loaded: ask again later", true, ""
		}
	}
	return nil
}

// inside is a point in a polygon of GeoJSON.
func inside(kind string, coordinates json.RawMessage) (position, error) {
	var many [][][][2]float64
	if kind == "Polygon" {
		coordinates = slices.Concat([]byte("["), coordinates, []byte("]"))
	}
	if err := json.Unmarshal(coordinates, &many); err != nil {
		return position{}, err
	}
	var m geom.MultiPolygon
	for _, rings := range many {
		var p geom.Polygon
		for _, ring := range rings {
			var r geom.Ring
			for n, c := range ring {
				at, ok := geom.PointAt(c[0], c[1])
				if !ok {
					return position{}, errors.New("a position is out of range")
				}
				if n < len(ring)-1 { // the last one is the first
					r = append(r, at)
				}
			}
			p = append(p, r)
		}
		m = append(m, p)
	}
	at, ok := m.Inside()
	if !ok {
		return position{}, errors.New("the polygon has no inside")
	}
	return position{at.Lon(), at.Lat()}, nil
}

// parcel is what the answer to points holds of a parcel.
type parcel struct {
	ID        string   `json:"parcel_id"`
	Area      *float64 `json:"area_sqm"`
	Buildings *int     `json:"building_count"`
	Built     *float64 `json:"total_building_area_sqm"`
	Codes     string   `json:"landuse_codes"`
	Dominant  *int     `json:"dominant_landuse"`
	InNatura  *bool    `json:"in_natura2000"`
	Sites     []struct {
		Name string `json:"sitename"`
		Code string `json:"sitecode"`
	} `json:"natura2000_sites"`
	Laws []struct {
		Name string `json:"source_law_name"`
	} `json:"legal_refs"`
}

// contain finds the parcels that hold the points.
func (l *lookup) contain(ctx context.Context, rows []wanted) error {
	if len(l.points) == 0 {
		return nil
	}
	type point struct {
		position
		ID int `json:"id"`
	}
	var question struct {
		Points []point `json:"points"`
	}
	for i := range l.results {
		if p, ok := l.points[i]; ok {
			question.Points = append(question.Points, point{p, i})
		}
	}
	var answer struct {
		Results []struct {
			ID      int
			Error   string
			Matched bool
			Pending bool
			KGCode  string `json:"kg_code"`
			KGName  string `json:"kg_name"`
			places
			Parcel parcel
		}
	}
	if err := l.c.ask(ctx, pathPoints, question, &answer); err != nil {
		return err
	}
	if len(answer.Results) != len(question.Points) {
		return fmt.Errorf("%d answers to %d points", len(answer.Results), len(question.Points))
	}
	for n := range answer.Results {
		a, i := &answer.Results[n], question.Points[n].ID
		r, at := l.results[i], l.points[i]
		r.KGCode, r.KGName, r.places = a.KGCode, a.KGName, a.places
		if r.Lon == nil {
			r.Lon, r.Lat = &at.Lon, &at.Lat
		}
		switch {
		case a.Error != "":
			r.Reason = a.Error
		case a.Pending:
			r.Reason, r.Again = strings.TrimSpace("the KG "+a.KGCode)+" is not loaded: ask again later", true
		case !a.Matched:
			r.Reason = "no parcel lies at this position"
		case rows[i].parcel != "" && a.Parcel.ID != rows[i].parcel: // drawn over by another
			r.ParcelID, r.KGCode, r.KGName, r.Reason = rows[i].parcel, "", "", "the parcel's area lies in parcel "+a.Parcel.ID
			r.places = places{}
		default:
			r.take(&a.Parcel)
		}
	}
	return nil
}

// take keeps what is known of the parcel.
func (r *Result) take(p *parcel) {
	r.ParcelID, r.AreaSqm, r.Buildings, r.BuiltSqm = p.ID, p.Area, p.Buildings, p.Built
	r.LandUse = uses(p.Codes, p.Dominant)
	var sites, laws []string
	for _, s := range p.Sites {
		sites = append(sites, strings.TrimSpace(s.Name+" "+s.Code))
	}
	for _, law := range p.Laws {
		if !slices.Contains(laws, law.Name) {
			laws = append(laws, law.Name)
		}
	}
	r.Protected, r.Laws = strings.Join(sites, "; "), strings.Join(laws, "; ")
	if p.InNatura != nil && !*p.InNatura {
		r.Protected = "none"
	}
}

// uses are the names of land uses, the largest first.
func uses(codes string, dominant *int) string {
	var names []string
	add := func(code int) {
		name := strconv.Itoa(code)
		if code >= 0 && code < 256 && austria.LandUse(code).Known() {
			name = austria.LandUse(code).Name()
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if dominant != nil {
		add(*dominant)
	}
	for _, text := range strings.Split(codes, ",") {
		if code, err := strconv.Atoi(text); err == nil {
			add(code)
		}
	}
	return strings.Join(names, "; ")
}

// price asks what the parcels cost. A server without prices leaves the columns empty.
func (l *lookup) price(ctx context.Context) error {
	of := map[string][]*Result{}
	var question struct {
		IDs []string `json:"parcel_ids"`
	}
	for _, r := range l.results {
		if r.ParcelID == "" || r.Reason != "" {
			continue
		}
		if of[r.ParcelID] == nil {
			question.IDs = append(question.IDs, r.ParcelID)
		}
		of[r.ParcelID] = append(of[r.ParcelID], r)
	}
	if len(question.IDs) == 0 {
		return nil
	}
	var answer struct {
		Data []struct {
			ID         string   `json:"parcel_id"`
			Class      string   `json:"class"`
			PerSqm     *float64 `json:"buy_eur_per_sqm"`
			Total      *float64 `json:"buy_total_eur"`
			Confidence string   `json:"confidence"`
			Error      string   `json:"error"`
		}
	}
	err := l.c.ask(ctx, pathPrices, question, &answer)
	if no := (*refused)(nil); errors.As(err, &no) {
		l.c.noteOnce("prices are left out: " + no.says)
		return nil
	}
	if err != nil {
		return fmt.Errorf("prices: %w", err)
	}
	for i := range answer.Data {
		a := &answer.Data[i]
		for _, r := range of[a.ID] {
			r.PriceClass, r.PerSqm, r.Total, r.Confidence = a.Class, a.PerSqm, a.Total, a.Confidence
			if a.Error != "" {
				r.Reason = "price: " + a.Error
			}
		}
	}
	return nil
}
