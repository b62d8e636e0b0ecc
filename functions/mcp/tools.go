package mcp

import "slices"

// What holds for all answers of a kind.
const (
	drawn = "Borders and areas are those of the cadastral map as drawn, re-projected to WGS84. They are no legal statement: " +
		"only parcels with status G are in the boundary cadastre, and the area that counts is that of the land register."
	estimated = "Prices are estimates from published averages of the municipality, the district or the state, and no valuation of a single parcel."
	nearest   = "Distances are to the nearest feature that the source has drawn; what the source lacks is not found."
	pointLike = "A position stands for the whole place: that of a municipality or KG is a point in it, that of a geographical name is where the map writes it, to within about 50 m."
	dated     = "A change is dated by the snapshots on both sides of it, not by the day on which it was made."
	declared  = "Land use is what the cadastre declares, which may be older than what stands on the ground; code 48 holds arable land and meadows together."
	zoned     = "Zones change their rules at short notice: instants in the future hold for the version of the zone data in date.version."
)

// tools are the tools over their services.
func (s *service) tools() []tool {
	searches, places := s.ask("cadastre-search", "Address register"), s.ask("context-place", "Place context")
	typed := spelling{call: call{of: searches, id: "search_text", only: []string{"q"}}, names: suggested, among: "the spellings"}
	alike := spelling{call: call{of: places, id: "toponyms_search", only: []string{"q"}}, names: named,
		among: "the geographical names (type=toponym)"}
	return slices.Concat(s.areaTools(), s.indexTools(), s.bookTools(), []tool{s.heightTool(), s.workTool()},
		surroundings(places, searches, typed), s.parcelTools(places), []tool{lookup(places, typed, alike), s.versionsTool(), s.rulesTool()})
}

// cadastral is the data set of parcels.
const cadastral = "Austrian cadastre: cadastral map and registers"

// surroundings are the tools over a place: what is around it, how it is used, and where an address is.
func surroundings(places, searches *asked, typed spelling) []tool {
	return []tool{
		{
			name: "what_is_here", title: "What surrounds a place",
			doc: "What surrounds a coordinate in Austria: municipality, land price (with area_sqm), Natura 2000 and protected areas, distances to roads, rail, transit, " +
				"water and settlements, geographical names, and laws (with kg). Blocks that cannot be given are in answer.data.missing with the reason; " +
				"outside Austria these are all. It does not say in which parcel or KG the place lies: parcel_at does.",
			calls: []call{{of: places, id: "context"}}, caution: []string{nearest}, doubts: missingBlocks, words: inWords,
		},
		{
			name: "land_use_at", title: "What the land is used for at a place",
			doc: "Land use, buildings and parcel boundaries in the hexagonal cell of about 307 m² around a coordinate, in percent and words, with what changed there, " +
				"and the parcels of the 1.5 ha around it. Where no cell is built answer.data.missing says so.",
			calls:   []call{{of: places, id: "context", only: []string{"lon", "lat"}, fixed: map[string]string{"include": "ne"}}},
			caution: []string{declared}, doubts: missingBlocks, words: inWords,
		},
		{
			name: "find_address", title: "Find an address",
			doc: "An address in Austria by its text, for example \"Am Anger 2, 5790 Lorfach\": street, house number, place, position, and the KG nearest to it. " +
				"A house number that does not exist is interpolated, and house_number_match says so. parcel_at with the position gives the parcel.",
			calls: []call{{of: searches, id: "search_address_osm", only: []string{"q"}, pages: true}}, caution: []string{pointLike},
			doubts: unread, near: []spelling{typed},
		},
	}
}

// parcelTools are the tools over parcels and their prices.
func (s *service) parcelTools(places *asked) []tool {
	spatials, queries, prices := s.ask("cadastre-spatial", cadastral), s.ask("cadastre-query", cadastral),
		s.ask("cadastre-landprices", cadastral)
	return []tool{
		{
			name: "parcel_at", title: "The parcel at a place",
			doc: "The parcel of the Austrian cadastre that holds a coordinate: id, KG, area, land use, buildings, whether it lies in a Natura 2000 site, and its polygon. " +
				"A point lies in one parcel; where no parcel is drawn answer.data is empty.",
			calls: []call{{of: spatials, id: "spatial_point", only: []string{"lon", "lat", "version"},
				fixed: map[string]string{"layers": "parcels", "radius": "0"}}},
			caution: []string{drawn}, doubts: unread, parcels: true,
		},
		{
			name: "parcels_in", title: "Parcels of an area",
			doc: "Parcels of a KG, a municipality, a district, a postal code or a box (min_lon, min_lat, max_lon, max_lat; their centroid lies in it), by area, land use, " +
				"buildings, laws and Natura 2000, the largest first, with sums over all matches in answer.stats. At least one filter is needed. Rows have no polygons: parcel_at gives that of a parcel.",
			calls:   []call{{of: queries, id: "query", without: []string{"refresh"}, pages: true}},
			caution: []string{drawn}, doubts: unread, parcels: true,
		},
		{
			name: "price_of", title: "What land is worth",
			doc: "An estimate of the price of land with its interval and how it was made. Give parcel_id for a parcel of the cadastre; or lon, lat and area_sqm " +
				"for a described parcel at a place; or gemeinde_code and area_sqm for a described parcel somewhere in a municipality.",
			calls: []call{{of: prices, id: "land_prices_parcel"}, {of: places, id: "land_prices_point"},
				{of: places, id: "land_prices_predict"}},
			caution: []string{estimated}, doubts: priced, parcels: true,
		},
	}
}

// lookup is the tool that finds places by name or code.
func lookup(places *asked, typed, alike spelling) tool {
	return tool{
		name: "lookup_place", title: "Find a place by name or code",
		doc: "Municipalities, KGs, localities and postal codes of Austria by name, a part of it, or code; with type=toponym also geographical names: mountains, rivers, fields. " +
			"Gives codes and a position, which the other tools take.",
		calls: []call{{of: places, id: "lookup"}}, caution: []string{pointLike}, near: []spelling{typed, alike},
	}
}

// versionsTool is the tool that compares snapshots.
func (s *service) versionsTool() tool {
	changes := s.ask("cadastre-versions", cadastral)
	return tool{
		name: "compare_versions", title: "What changed in a KG between two dates",
		doc: "Parcels of a KG that were added, removed, redrawn, split, merged or renumbered between two snapshots of the cadastre. " +
			"answer.summary has the counts, answer.from and answer.to have the snapshots.",
		calls:   []call{{of: changes, id: "kg_diff", pages: true, drawn: true}},
		caution: []string{drawn, dated}, doubts: unread, parcels: true,
	}
}

// rulesTool is the tool over recurrence rules.
func (s *service) rulesTool() tool {
	rules := s.ask("expander", zoneData.Dataset)
	return tool{
		name: "expand_rule_preview", title: "When a recurring event takes place",
		doc: "The first three instants of one recurrence rule (RFC 5545) or cron expression in a time zone, in UTC and as wall time, with every clock change that they meet. " +
			"rules holds exactly one rule.",
		calls: []call{{of: rules, id: "preview", one: "rules"}}, caution: []string{zoned}, doubts: anomalies, source: &zoneData,
	}
}
