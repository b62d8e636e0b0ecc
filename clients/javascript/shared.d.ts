// Made from the services' openapi.json by go test ./infra/jsclient -update; not edited by hand.
import type { GeoJSONGeometry } from "./index.d.ts";

/** A place that an address means. Required members stand in every row, unless fields= chooses others. */
export type Address = {
  address: AddressParts;
  bbox: BoxParts;
  /** place; of an upstream's place its own word. */
  class: string | null;
  /** The address in one line. */
  display_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** exact: the address; interpolated: no address has the number, the place lies between the next two on its side of the street; nearest: the nearest address of the street, whose number stands in address; street: no number was asked for; null for an upstream's place. */
  house_number_match: "exact" | "interpolated" | "nearest" | "street" | null;
  /** 0 to 1, by the match: whole words, the house itself, the only place; of an upstream's place its own value. */
  importance: number | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Licence of an upstream's place, as it says it; null: that of meta. */
  license: string | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Code of the KG of the address, or of the nearest one. */
  nearest_kg: string | null;
  /** null: the place is not of OpenStreetMap. */
  osm_id: number | null;
  /** address: the place is of the address register, not of OpenStreetMap; the others are of an upstream's places. */
  osm_type: "address" | "node" | "way" | "relation" | null;
  /** What the place is: house or street; of an upstream's place its own word. */
  place_type: string | null;
  /** register: the address register; otherwise the host of the geocoder that knows the place. */
  source: string | null;
};

export type AddressParts = {
  city?: string;
  house_number?: string;
  municipality?: string;
  postcode?: string;
  road?: string;
  state?: string;
};

export type AlternativeShape = {
  buy_eur_per_sqm: number | null;
  buy_total_eur: number | null;
  class: string;
  rent_eur_per_year: number | null;
};

export type AreaShape = {
  /** GeoJSON of any type */
  geometry: unknown;
  params?: Record<string, unknown>;
};

export type Beside = {
  obligations: Terms[];
};

export type BodyShape = {
  code: string;
  error: string;
  errors?: Detail[];
  request_id?: string;
  split?: unknown;
  status: number;
};

export type BoxParts = {
  max_lat: number;
  max_lon: number;
  min_lat: number;
  min_lon: number;
};

export type BuildingShape = {
  building_period: string | null;
  confidence: string;
  footprint_area_sqm: number;
  high_eur: number | null;
  house_price_eur_per_sqm: number | null;
  house_price_source: string | null;
  house_price_year: number | null;
  living_area_sqm: number;
  low_eur: number | null;
  story_factor: number;
  value_eur: number | null;
};

export type Conformance = {
  conformsTo: string[];
};

export type Detail = {
  expected: string;
  parameter: string;
  value: string;
};

export interface DocsLlmParameters {
  /** The part of the text: the endpoints, or the contract that sibling services follow. */
  section?: "all" | "endpoints" | "integration";
  /** Only the endpoints of this tag, in full; the headings of the text are the tags. */
  tag?: string;
  /** The same as section=integration. */
  integration?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface DocsPageParameters {
  /** Language of the page. Where it is absent, the browser's. */
  lang?: "en" | "de";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface DocsParameters {
  /** Language of the page. Where it is absent, the browser's. */
  lang?: "en" | "de";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type ErrorShape = {
  code: string;
  error: string;
  errors?: Detail[];
  request_id?: string;
  split?: unknown;
  status: number;
};

export type FactorsShape = {
  shape: number;
  size: number;
  typology: number;
};

export type FeedbackCreated = {
  id: string;
  message: string;
  status: string;
};

export type FeedbackList = {
  feedback: RecordShape[];
  meta: FeedbackMeta;
};

export interface FeedbackListParameters {
  /** Only reports of this status; every report is open. */
  status?: "open";
  /** Reports in the answer at most. */
  limit?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type FeedbackMeta = {
  open: number;
  returned: number;
  timestamp: string;
  total: number;
};

export interface FeedbackPostParameters {
  body: Report;
}

/** A municipality under the legacy names, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type GadmMunicipality = {
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the municipality, 5 digits. */
  gid_3: string | null;
  /** Name of the state. */
  name_1: string | null;
  /** Name of the district. */
  name_2: string | null;
  /** Name of the municipality. */
  name_3: string | null;
  /** Whose data the name and the outline are: not GADM's. */
  source: string | null;
  /** Gemeinde. */
  type_3: string | null;
};

export type GapsMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  ready: boolean;
  version?: string;
};

export type GeocodedMeta = {
  suggestions?: string[];
  upstream?: UpstreamMember;
};

export type Inputs = {
  area_sqm: number;
  bezirk_code: string | null;
  building_count: number;
  building_period: string | null;
  compactness: number | null;
  footprint_area_sqm: number | null;
  footprint_count: number;
  gemeinde_code: string | null;
  landuse_codes: string;
  state_code: string | null;
  typology: string | null;
};

export type IntervalShape = {
  basis: string;
  high_eur_per_sqm: number;
  low_eur_per_sqm: number;
};

/** A land-use code of the cadastral map. Required members stand in every row, unless fields= chooses others. */
export type LanduseCode = {
  /** Abbreviation. */
  abbr: string | null;
  /** One of the nine classes of the cells. */
  cell_class: string | null;
  /** Code, 2 digits. */
  code: string | null;
  /** Group (Benützungsart), German. */
  group_name: string | null;
  /** current; deleted: given up in 2012 and still met in the data; legal: an overlay of law, no use of land. */
  state: "current" | "deleted" | "legal" | null;
  /** Name (Nutzung), German. */
  type_name: string | null;
};

/** Land use of an area. Required members stand in every row, unless fields= chooses others. */
export type LanduseDistribution = {
  /** Its abbreviation. */
  abbr: string | null;
  /** Code of the KG, municipality, district or state. */
  area_code: string | null;
  /** Its name. */
  area_name: string | null;
  /** Land-use code. */
  code: number | null;
  /** By what land use is summed up. */
  group_by: "kg" | "gemeinde" | "district" | "state" | null;
  /** polygons: the area is that of the land-use polygons, put together again from the tiles, of buildings that of the footprints in parcels, as in /query; none: there are only symbols, which have no area. */
  landuse_areas_source: "polygons" | "none" | null;
  /** Land-use symbols (source nsy). */
  point_count: number | null;
  /** Land-use polygons (source nfl). */
  polygon_count: number | null;
  /** Area of the polygons; null where there are only symbols. Unit: m². */
  total_area_sqm: number | null;
  /** Its German name. */
  type_name: string | null;
};

export type LegalBrief = {
  bundesland?: string;
  gesetzesnummer?: string;
  legal_context: string;
  parcel_list_type: string;
  partial?: boolean;
  source_date?: string;
  source_law_name: string;
  source_url?: string;
};

/** A source of data. Required members stand in every row, unless fields= chooses others. */
export type License = {
  /** How the source is named. */
  attribution: string | null;
  /** Whether the data may be used commercially. */
  commercial_use: boolean | null;
  /** Whether exports and archived snapshots hold data of the source. */
  in_exports: boolean | null;
  /** Its licence. */
  license: string | null;
  /** Where the text of the licence is. */
  license_url: string | null;
  /** Whether the service changes the data. */
  modified: boolean | null;
  /** What the data is. */
  name: string | null;
  obligations: string[];
  /** Who publishes it. */
  publisher: string | null;
  /** Whether the service serves data of the source. */
  served: boolean | null;
  /** Whether a merged database has to be passed on under the same licence. */
  share_alike: boolean | null;
  /** Key of the source. */
  source_id: string | null;
  /** Where the source publishes. */
  url: string | null;
  /** Where the service uses it. */
  used_in: string | null;
};

export interface LicenseParameters {
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Link = {
  href: string;
  rel: string;
  title?: string;
  type?: string;
};

export interface LlmCoverageParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LlmKgParameters {
  /** Code of the KG, padded or not; .json behind it changes nothing. */
  kg_code: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LlmKgsAnswer = {
  no_data: string[];
  results: SiblingPayload[];
};

export interface LlmKgsParameters {
  /** Codes of KGs, padded or not. */
  codes: string[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LlmManifestParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LlmParcelParameters {
  /** Parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  parcel_id: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Location = {
  lat: number;
  lon: number;
} | null;

export type Meta = {
  format: string;
  /** Licence and attribution: a text, or an object where the service names its datasets. */
  license: unknown;
  limit?: number;
  offset?: number;
  /** Milliseconds. */
  query_time_ms: number;
  /** Matches before limit and offset. */
  total: number;
};

export type MissingReasons = {
  /** No snapshot here; it is loaded when a request asks for it. */
  cold?: number;
  /** The snapshot cannot be read. */
  damaged?: number;
  /** The snapshot left the store, and is brought back when a request asks for it. */
  evicted?: number;
  /** The snapshot left the store, and nothing brings it back. */
  lost?: number;
  /** No snapshot, and nothing builds one here. */
  unbuilt?: number;
};

/** A municipality (Gemeinde), drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type Municipality = {
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Latitude of its position, WGS84; null where not known. Unit: °. */
  lat: number | null;
  /** Longitude of its position, WGS84; null where not known. Unit: °. */
  lon: number | null;
  /** Name. */
  name: string | null;
  /** Whose data the name and the outline are. */
  source: string | null;
  /** Name of the state. */
  state: string | null;
};

export type Natura2000PointBesideAnswer = {
  in_natura2000: boolean;
};

export interface Natura2000PointParameters {
  /** Longitude, degrees (WGS84). */
  lon: number;
  /** Latitude, degrees (WGS84). */
  lat: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface Natura2000SearchParameters {
  /** A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name. */
  q?: string;
  /** A birds, B habitats, C both; a site of both is one of each. */
  type?: string;
  /** Only sites with this tag. */
  habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
  /** all: every site that passes the other filters, in one answer where limit is not given. */
  list?: "all";
  /** Only what shares area with this KG: its code, padded or not. */
  kg?: string;
  /** Only what shares area with this municipality: its name, in any usual spelling, or its code. Also written gemeinde_code. */
  gemeinde?: string;
  /** Only what shares area with this box, of at most 2 degrees: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** overlap: by the area shared with the place, the largest first. */
  sort?: "overlap";
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** A Natura 2000 site, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type Natura2000Site = {
  /** Area as the source states it; of a site drawn in several features the area that they cover. Unit: ha. */
  area_ha: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  habitats: string[];
  /** The type in words. */
  site_type_label: string | null;
  /** Code of the site, the key. */
  sitecode: string | null;
  /** Name. */
  sitename: string | null;
  /** A Birds Directive, B Habitats Directive, C both. */
  sitetype: "A" | "B" | "C" | null;
};

/** A Natura 2000 site, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type Natura2000SiteFound = {
  /** Area as the source states it; of a site drawn in several features the area that they cover. Unit: ha. */
  area_ha: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  habitats: string[];
  /** The same as a share of the place. Unit: %. */
  overlap_of_place_pct?: number | null;
  /** The same as a share of its own drawn area. Unit: %. */
  overlap_of_site_pct?: number | null;
  /** Area that it shares with the place asked for (EPSG:3035); left out where no place was. Unit: m². */
  overlap_sqm?: number | null;
  /** The type in words. */
  site_type_label: string | null;
  /** Code of the site, the key. */
  sitecode: string | null;
  /** Name. */
  sitename: string | null;
  /** A Birds Directive, B Habitats Directive, C both. */
  sitetype: "A" | "B" | "C" | null;
};

export type OpenAPIShape = {
  /** the schemas that the endpoints name */
  components: Record<string, unknown>;
  /** title, version and description of the service */
  info: Record<string, unknown>;
  /** version of OpenAPI: 3.1.0 */
  openapi: string;
  /** the endpoints by path and method */
  paths: Record<string, unknown>;
  /** one: what stands before the paths */
  servers: Record<string, unknown>[];
};

export interface OpenapiParameters {
  /** Language of the summaries and descriptions; names, values and units are the same in each. */
  lang?: "en" | "de";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Place = {
  code: string;
  gemeinde_code: string;
  gemeinde_name: string;
  kg_code: string | null;
  kg_number: number | null;
  location: Location | null;
  name: string;
  plz: string[];
  type: string;
};

export type PlaceMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  /** left out where no place was asked for */
  place?: Placed;
  ready: boolean;
  version?: string;
};

export type Placed = {
  /** EPSG:3035 */
  area_sqm: number;
  code?: string;
  kind: "kg" | "gemeinde" | "bbox" | "area";
  name?: string;
  /** how far in metres the outline may lie from the true one; 0: it is that */
  tolerance_m: number;
  /** what of the area was repaired, and where */
  warnings?: string[];
};

/** A protected area, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type ProtectedArea = {
  /** Designation in German. */
  desig: string | null;
  /** Designation in English. */
  desig_eng: string | null;
  /** National, Regional or International. */
  desig_type: string | null;
  /** From the point of near_lon and near_lat, 0 inside; left out without them. Unit: m. */
  distance_m?: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Drawn area (EPSG:3035). Unit: km². */
  gis_area: number | null;
  /** Category of the IUCN. */
  iucn_cat: string | null;
  /** Name. */
  name: string | null;
  /** The same as a share of the place. Unit: %. */
  overlap_of_place_pct?: number | null;
  /** The same as a share of its own drawn area. Unit: %. */
  overlap_of_site_pct?: number | null;
  /** Area that it shares with the place asked for (EPSG:3035); left out where no place was. Unit: m². */
  overlap_sqm?: number | null;
  /** Terrestrial, Marine or Coastal. */
  realm: string | null;
  /** Area as reported. Unit: km². */
  rep_area: number | null;
};

export type RecordShape = {
  agent: string;
  category: string;
  context: unknown;
  created_at: string;
  description: string;
  endpoint: string;
  id: string;
  severity: string;
  status: string;
  title: string;
};

export type Report = {
  /** who reports: a program, a person; at most 500 characters. The listing is public. */
  agent?: string;
  /** default other */
  category?: string;
  /** where the answer goes, such as a mail address; at most 500 characters. Required with the category token and refused with every other; it is not in the listing. */
  contact?: string;
  /** an object of at most 16 KiB, kept as it is */
  context?: unknown;
  /** plain text, at most 20,000 characters */
  description?: string;
  /** the endpoint it is about; at most 500 characters */
  endpoint?: string;
  /** critical, high, normal or low; default normal */
  severity?: string;
  /** what it is about; 1 to 200 characters */
  title: string;
};

export interface SearchAddressOsmParameters {
  /** An address, or a part of it: street, house number, postal code and place in any order. Every word has to begin a word of the street, the locality or the municipality. */
  q: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface SearchGadmParameters {
  /** A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name. */
  q?: string;
  /** Only this municipality: its code, 5 digits. */
  gid?: string;
  /** Longitude of a point: only what holds it, degrees (WGS84). */
  contains_lon?: number;
  /** Latitude of a point: only what holds it, degrees (WGS84). */
  contains_lat?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface SearchMunicipalitiesParameters {
  /** Name, or a part of it, or a code. Umlauts and ß may be written with two letters or without marks; St. is Sankt, Gr. is Groß, hyphens and blanks are the same. Every word has to be in the name. */
  q?: string;
  /** Only this municipality: its code, 5 digits. */
  id?: string;
  /** Only this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only municipalities of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Longitude of a point: only the municipality that holds it, degrees (WGS84). */
  contains_lon?: number;
  /** Latitude of a point: only the municipality that holds it, degrees (WGS84). */
  contains_lat?: number;
  /** all: every municipality that passes the other filters, in one answer where limit is not given. */
  list?: "all";
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface SearchProtectedAreaParameters {
  /** A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name. */
  q?: string;
  /** Longitude of a point: the order is by distance from it, degrees (WGS84). */
  near_lon?: number;
  /** Latitude of a point: the order is by distance from it, degrees (WGS84). */
  near_lat?: number;
  /** Longitude of a point: only what holds it, degrees (WGS84). */
  contains_lon?: number;
  /** Latitude of a point: only what holds it, degrees (WGS84). */
  contains_lat?: number;
  /** Only what shares area with this KG: its code, padded or not. */
  kg?: string;
  /** Only what shares area with this municipality: its name, in any usual spelling, or its code. Also written gemeinde_code. */
  gemeinde?: string;
  /** Only what shares area with this box, of at most 2 degrees: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** overlap: by the area shared with the place, the largest first. */
  sort?: "overlap";
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type SiblingCoverage = {
  kg_codes: string[];
  kg_count: number;
  service: string;
};

export type SiblingManifest = {
  covered_kgs_url: string;
  dataset: string;
  finest_granularity: string;
  join_keys: string[];
  kg_count: number;
  kg_endpoint: string;
  license: string;
  metrics_schema: Record<string, Record<string, SiblingSchemaValue>>;
  parcel_endpoint: string;
  service: string;
  updated_at: unknown;
};

export type SiblingNoData = {
  error: string;
  kg_code: string;
};

export type SiblingNoParcel = {
  error: string;
  kg_code: string;
  parcel_id: string;
};

export type SiblingParcel = {
  metrics: Record<string, number | null>;
  parcel_id: string;
};

export type SiblingParcelPayload = {
  as_of: string;
  dataset: string;
  gemeinde_code: string | null;
  granularity: string;
  kg_code: string;
  license: string;
  metrics: Record<string, number | null>;
  parcel_id: string;
  service: string;
  source: string;
  unit_glossary: Record<string, string>;
  updated_at: string | null;
};

export type SiblingPayload = {
  as_of: string;
  dataset: string;
  gemeinde_code: string | null;
  granularity: string;
  history: Record<string, unknown>[];
  kg_code: string;
  license: string;
  metrics: Record<string, number | null>;
  parcels?: SiblingParcel[];
  service: string;
  source: string;
  unit_glossary: Record<string, string>;
  updated_at: string | null;
};

export type SiblingSchemaValue = {
  description: string;
  type: string;
  unit: string;
};

export type SiteBrief = {
  area_ha: number;
  site_type_label: string;
  sitecode: string;
  sitename: string;
  sitetype: string;
};

export type SuggestionsMeta = {
  suggestions?: string[];
};

export type Terms = {
  id: string;
  text: string;
};

export type UpstreamMember = {
  /** the answer is one that was given before, at most a day ago */
  kept: boolean;
  /** of the places */
  license?: string;
  /** the host that was asked */
  source: string;
  state: "answered" | "busy" | "failed";
};
