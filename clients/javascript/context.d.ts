// Made from the services' openapi.json by go test ./infra/jsclient -update; not edited by hand.
import type { Call, FreeCall, GeoJSONGeometry } from "./index.d.ts";

export interface ContextCalls {
  /** What surrounds a place */
  context: Call<ContextParameters, ContextBody>;
  /** What surrounds up to 1,000 places */
  contextBatch: Call<ContextBatchParameters, ContextBatchAnswer>;
  /** The page to try the endpoints */
  docs: FreeCall<DocsParameters, string>;
  /** The endpoints as plain text */
  docsLlm: FreeCall<DocsLlmParameters, string>;
  /** The reports, newest first */
  feedbackList: FreeCall<FeedbackListParameters, FeedbackList>;
  /** Report a problem, a wish or a question */
  feedbackPost: Call<FeedbackPostParameters, FeedbackCreated>;
  /** Geographical names in a KG, field names first */
  kgToponyms: Call<KgToponymsParameters, {
    data: Toponym[];
    meta: Meta & NamesMeta;
  }>;
  /** All KGs with a fingerprint of the list */
  kgs: FreeCall<KgsParameters, ListBody>;
  /** Published prices of a district */
  landPricesBezirk: Call<LandPricesBezirkParameters, LandPricesBezirkAnswer>;
  /** Published prices of a state or of Austria */
  landPricesBundesland: Call<LandPricesBundeslandParameters, LandPricesBundeslandAnswer>;
  /** Published prices of a municipality */
  landPricesGemeinde: Call<LandPricesGemeindeParameters, LandPricesGemeindeAnswer>;
  /** Price of a described parcel at a point */
  landPricesPoint: Call<LandPricesPointParameters, LandPricesPointAnswer>;
  /** Price of a described parcel in a municipality */
  landPricesPredict: Call<LandPricesPredictParameters, EstimateBody>;
  /** Parcels of a KG that laws name */
  legalKg: Call<LegalKgParameters, LegalKgAnswer>;
  /** Parcels that laws name */
  legalSearch: FreeCall<LegalSearchParameters, {
    data: LegalReference[];
    meta: Meta;
  }>;
  /** Laws that name parcels, in numbers */
  legalStats: FreeCall<LegalStatsParameters, LegalStatsAnswer>;
  /** Sources of the data, their licences and obligations */
  license: FreeCall<LicenseParameters, {
    data: License[];
    meta: Meta;
  } & Beside>;
  /** The KGs that this service has data of */
  llmCoverage: FreeCall<LlmCoverageParameters, SiblingCoverage>;
  /** What this service has of a KG */
  llmKg: Call<LlmKgParameters, SiblingPayload>;
  /** What this service has of up to 500 KGs */
  llmKgs: Call<LlmKgsParameters, LlmKgsAnswer>;
  /** What this service has, and of how many KGs */
  llmManifest: FreeCall<LlmManifestParameters, SiblingManifest>;
  /** What this service has of a parcel */
  llmParcel: Call<LlmParcelParameters, SiblingParcelPayload>;
  /** Municipalities, KGs, localities, postal codes and geographical names by name or code */
  lookup: FreeCall<LookupParameters, LookupAnswer>;
  /** Natura 2000 sites that hold a point */
  natura2000Point: Call<Natura2000PointParameters, {
    data: Natura2000Site[];
    meta: Meta;
  } & Natura2000PointBesideAnswer>;
  /** Natura 2000 sites by name, type, habitat and place */
  natura2000Search: FreeCall<Natura2000SearchParameters, {
    data: Natura2000SiteFound[];
    meta: Meta & PlaceMeta;
  }>;
  /** One Natura 2000 site */
  natura2000Site: Call<Natura2000SiteParameters, Natura2000SiteAnswer>;
  /** Layout, endpoints, counts and dictionaries */
  ne: FreeCall<NeParameters, AnswerOverviewData>;
  /** One cell */
  neCell: Call<NeCellParameters, AnswerCellBody>;
  /** Cells by ids, around a point, or in a box */
  neCells: FreeCall<NeCellsParameters, AnswerCellsBody | AnswerChunkListShape>;
  /** Cells by many ids */
  neCellsPost: Call<NeCellsPostParameters, AnswerCellsBody>;
  /** The rows below a cell of resolution 9 */
  neChunk: Call<NeChunkParameters, AnswerMapStringInterface>;
  /** A dictionary that frames are packed with */
  neDict: Call<NeDictParameters, Uint8Array>;
  /** The container of a KG */
  neKg: Call<NeKgParameters, AnswerMapStringInterface>;
  /** The header of a KG's container */
  neKgHead: Call<NeKgHeadParameters, AnswerHeadShape>;
  /** Every KG with its status and digests, or those that changed */
  neManifest: FreeCall<NeManifestParameters, AnswerManifestData>;
  /** Report the digests that an observer sees */
  neReport: Call<NeReportParameters, ReportShape>;
  /** Sums of what changed */
  neStats: FreeCall<NeStatsParameters, AnswerStatsData>;
  /** Roads, railways, water, stops and settlements in a small box */
  osmGeometry: Call<OsmGeometryParameters, CollectionShape>;
  /** Distances to the nearest road, railway, water, stop, station and settlement */
  osmPoint: Call<OsmPointParameters, OsmPointAnswer>;
  /** The community map in numbers */
  osmStats: FreeCall<OsmStatsParameters, OsmStatsAnswer>;
  /** Where an address is (geocoding) */
  searchAddressOsm: Call<SearchAddressOsmParameters, {
    data: Address[];
    meta: Meta & GeocodedMeta;
  }>;
  /** Municipalities under the legacy names */
  searchGadm: FreeCall<SearchGadmParameters, {
    data: GadmMunicipality[];
    meta: Meta;
  }>;
  /** Municipalities by name, code, state, district and place */
  searchMunicipalities: FreeCall<SearchMunicipalitiesParameters, {
    data: Municipality[];
    meta: Meta & SuggestionsMeta;
  }>;
  /** Protected areas by name and place */
  searchProtectedArea: FreeCall<SearchProtectedAreaParameters, {
    data: ProtectedArea[];
    meta: Meta & PlaceMeta;
  }>;
  /** One geographical name */
  toponym: Call<ToponymParameters, ToponymAnswer>;
  /** Geographical names around a point, nearest first */
  toponymsNear: Call<ToponymsNearParameters, {
    data: Toponym[];
    meta: Meta & NamesMeta;
  }>;
  /** Geographical names by spelling */
  toponymsSearch: Call<ToponymsSearchParameters, {
    data: Toponym[];
    meta: Meta & NamesMeta;
  }>;
  /** Geographical names in numbers */
  toponymsStats: FreeCall<ToponymsStatsParameters, ToponymsStatsAnswer>;
}

export interface ContextParameters {
  /** Longitude, degrees (WGS84). */
  lon: number;
  /** Latitude, degrees (WGS84). */
  lat: number;
  /** Area of the parcel at the point. Unit: m². */
  area_sqm?: number;
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** Only these blocks, as a comma list. Default: all; legal only when kg is given. */
  include?: ("municipality" | "land_price" | "natura2000" | "protected_area" | "osm" | "toponyms" | "legal" | "ne")[];
  /** Address points on the parcel. */
  building_count?: number;
  /** Building footprints on the parcel. */
  footprint_count?: number;
  /** Compactness of the parcel: 1 circle, 0.785 square. */
  compactness?: number;
  /** Comma list of land-use codes or abbreviations. Without them, areas and buildings the class of a described parcel is assumed, and says so. */
  landuse_codes?: string;
  /** Areas of land use, code:m² with commas between; they decide before landuse_codes. */
  landuse_areas?: string;
  /** Settlement type around the parcel. */
  typology?: "urban" | "suburban" | "rural_settled" | "rural_agrarian";
  /** Area of the footprints; with it the buildings are valued. Unit: m². */
  footprint_area_sqm?: number;
  /** Construction period of the building. */
  building_period?: "pre1960" | "y1960_1990" | "post1991";
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** How far names are looked for. Unit: m. */
  radius_m?: number;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
  /** Only names of this code. */
  f_code?: number;
  /** Names in the answer at most. */
  limit?: number;
  /** Only laws about this. */
  context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** listed or boundary_walk: how the law names the parcel. */
  type?: string;
  /** Only laws with this in their name, or of this Gesetzesnummer. */
  law?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ContextBatchParameters {
  /** Only these blocks, as a comma list. Default: all; legal only when kg is given. */
  include?: ("municipality" | "land_price" | "natura2000" | "protected_area" | "osm" | "toponyms" | "legal" | "ne")[];
  /** Address points on the parcel. */
  building_count?: number;
  /** Building footprints on the parcel. */
  footprint_count?: number;
  /** Compactness of the parcel: 1 circle, 0.785 square. */
  compactness?: number;
  /** Comma list of land-use codes or abbreviations. Without them, areas and buildings the class of a described parcel is assumed, and says so. */
  landuse_codes?: string;
  /** Areas of land use, code:m² with commas between; they decide before landuse_codes. */
  landuse_areas?: string;
  /** Settlement type around the parcel. */
  typology?: "urban" | "suburban" | "rural_settled" | "rural_agrarian";
  /** Area of the footprints; with it the buildings are valued. Unit: m². */
  footprint_area_sqm?: number;
  /** Construction period of the building. */
  building_period?: "pre1960" | "y1960_1990" | "post1991";
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** How far names are looked for. Unit: m. */
  radius_m?: number;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
  /** Only names of this code. */
  f_code?: number;
  /** Names in the answer at most. */
  limit?: number;
  /** Only laws about this. */
  context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** listed or boundary_walk: how the law names the parcel. */
  type?: string;
  /** Only laws with this in their name, or of this Gesetzesnummer. */
  law?: string;
  /** Form of the answer. csv: a table, a row for each point, a column for each member; where it is absent, a table is answered with a table. */
  format?: "json" | "csv";
  body: ContextBatchRequest;
}

export interface DocsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

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

export interface FeedbackListParameters {
  /** Only reports of this status; every report is open. */
  status?: "open";
  /** Reports in the answer at most. */
  limit?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface FeedbackPostParameters {
  body: Report;
}

export interface KgToponymsParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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

export interface KgsParameters {
  /** codes alone gives data {codes: [...]}; else the row fields to give, as a comma list. */
  fields?: string[];
  /** Only these KGs, in this order; padded or not, unknown codes are dropped. */
  codes?: string[];
  /** Only KGs of this district: its exact name in any case, or its 3-digit code. Districts of one name are given together. */
  district?: string;
  /** Only KGs of this district: its code, 3 digits. */
  district_code?: string;
  /** Only KGs of this municipality: its code, 5 digits. */
  gemeinde_code?: string;
  /** Only KGs of this state: its name in any case, or its digit. */
  state?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesBezirkParameters {
  /** The district: its code, 3 digits. */
  code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesBundeslandParameters {
  /** State 1 to 9, its name, or AT for all of Austria. */
  code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesGemeindeParameters {
  /** The municipality: its code, 5 digits. */
  code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesPointParameters {
  /** Longitude, degrees (WGS84). */
  lon: number;
  /** Latitude, degrees (WGS84). */
  lat: number;
  /** Area of the parcel at the point. Unit: m². */
  area_sqm: number;
  /** Address points on the parcel. */
  building_count?: number;
  /** Building footprints on the parcel. */
  footprint_count?: number;
  /** Compactness of the parcel: 1 circle, 0.785 square. */
  compactness?: number;
  /** Comma list of land-use codes or abbreviations. Without them, areas and buildings the class of a described parcel is assumed, and says so. */
  landuse_codes?: string;
  /** Areas of land use, code:m² with commas between; they decide before landuse_codes. */
  landuse_areas?: string;
  /** Settlement type around the parcel. */
  typology?: "urban" | "suburban" | "rural_settled" | "rural_agrarian";
  /** Area of the footprints; with it the buildings are valued. Unit: m². */
  footprint_area_sqm?: number;
  /** Construction period of the building. */
  building_period?: "pre1960" | "y1960_1990" | "post1991";
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesPredictParameters {
  /** The municipality, from which district and state follow: its code, 5 digits. */
  gemeinde_code: string;
  /** Area of the parcel at the point. Unit: m². */
  area_sqm: number;
  /** Address points on the parcel. */
  building_count?: number;
  /** Building footprints on the parcel. */
  footprint_count?: number;
  /** Compactness of the parcel: 1 circle, 0.785 square. */
  compactness?: number;
  /** Comma list of land-use codes or abbreviations. Without them, areas and buildings the class of a described parcel is assumed, and says so. */
  landuse_codes?: string;
  /** Areas of land use, code:m² with commas between; they decide before landuse_codes. */
  landuse_areas?: string;
  /** Settlement type around the parcel. */
  typology?: "urban" | "suburban" | "rural_settled" | "rural_agrarian";
  /** Area of the footprints; with it the buildings are valued. Unit: m². */
  footprint_area_sqm?: number;
  /** Construction period of the building. */
  building_period?: "pre1960" | "y1960_1990" | "post1991";
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LegalKgParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only laws about this. */
  context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** listed or boundary_walk: how the law names the parcel. */
  type?: string;
  /** Only laws with this in their name, or of this Gesetzesnummer. */
  law?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LegalSearchParameters {
  /** Only references with this in the name of the law or of the KG, or of this parcel number. */
  q?: string;
  /** Only laws about this. */
  context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** Only laws of this state: its name in any case, or its digit. */
  bundesland?: string;
  /** listed or boundary_walk: how the law names the parcel. */
  type?: string;
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LegalStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LicenseParameters {
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

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

export interface LookupParameters {
  /** Name, or a part of it, or a code. Umlauts and ß may be written with two letters or without marks; St. is Sankt, Gr. is Groß, hyphens and blanks are the same. Every word has to be in the name. */
  q?: string;
  /** q with type=kg. */
  kg?: string;
  /** q with type=plz. */
  plz?: string;
  /** q with type=gemeinde. */
  gemeinde?: string;
  /** q with type=ortschaft. */
  ortschaft?: string;
  /** Rows in the answer at most. */
  limit?: number;
  /** Only rows of this type. Rows of the type toponym come from the geographical names and only when asked for; kg gives register data alone. */
  type?: "plz" | "gemeinde" | "kg" | "ortschaft" | "toponym";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface Natura2000PointParameters {
  /** Longitude, degrees (WGS84). */
  lon: number;
  /** Latitude, degrees (WGS84). */
  lat: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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

export interface Natura2000SiteParameters {
  /** Code of the site. */
  sitecode: string | number;
  /** Draw the outline, a MultiPolygon. */
  geometry?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeCellParameters {
  /** Cell of resolution 12, 10 or 9. */
  h3: string | number;
  /** Only these fields of the rows, in JSON; cell_id stays. */
  fields?: ("cell_id" | "kg_share" | "land" | "cov" | "flags" | "lu" | "str_cover" | "str_n" | "gk" | "n_units" | "edge_m_ha" | "orient_coh" | "orient_axis" | "unit_p10" | "unit_p50" | "unit_p90" | "reg_n" | "units_per_reg" | "str_p50")[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeCellsParameters {
  /** Longitude of a point, degrees (WGS84). */
  lon?: number;
  /** Latitude of a point, degrees (WGS84). */
  lat?: number;
  /** Cells of resolution 9, 10 and 12, at most 512 in at most 8,000 bytes of URL, which hold some 490; more with POST. */
  ids?: string[];
  /** Rings of cells around that of the point. */
  k?: number;
  /** The cells whose centre lies in a box of at most 0.05 degrees wide and high and 16,384 cells: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only the chunks that hold the cells, and the ETags of their stored frames. */
  list?: boolean;
  /** bin: rows. json: columns. Where it is absent, Accept chooses. */
  format?: "bin" | "json";
  /** Layers of chunks, rings and boxes: lu, bev, obs (once released). Cells of resolution 12 and 10 named by id are rows of lu and bev. */
  layers?: ("lu" | "bev" | "obs")[];
  /** Only these fields of the rows, in JSON; cell_id stays. */
  fields?: ("cell_id" | "kg_share" | "land" | "cov" | "flags" | "lu" | "str_cover" | "str_n" | "gk" | "n_units" | "edge_m_ha" | "orient_coh" | "orient_axis" | "unit_p10" | "unit_p50" | "unit_p90" | "reg_n" | "units_per_reg" | "str_p50")[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeCellsPostParameters {
  /** bin: rows. json: columns. Where it is absent, Accept chooses. */
  format?: "bin" | "json";
  /** Layers of chunks, rings and boxes: lu, bev, obs (once released). Cells of resolution 12 and 10 named by id are rows of lu and bev. */
  layers?: ("lu" | "bev" | "obs")[];
  /** Only these fields of the rows, in JSON; cell_id stays. */
  fields?: ("cell_id" | "kg_share" | "land" | "cov" | "flags" | "lu" | "str_cover" | "str_n" | "gk" | "n_units" | "edge_m_ha" | "orient_coh" | "orient_axis" | "unit_p10" | "unit_p50" | "unit_p90" | "reg_n" | "units_per_reg" | "str_p50")[];
  body: IdsBody;
}

export interface NeChunkParameters {
  /** Cell of resolution 9. */
  h3_res9: string | number;
  /** zstd: the stored frames, one for each KG. bin: rows, each cell once. json: columns. */
  format?: "zstd" | "bin" | "json";
  /** lu, bev, obs (once released); with json also chg, what changed. */
  layers?: ("lu" | "bev" | "obs" | "chg")[];
  /** Only these fields of the rows, in JSON; cell_id stays. */
  fields?: ("cell_id" | "kg_share" | "land" | "cov" | "flags" | "lu" | "str_cover" | "str_n" | "gk" | "n_units" | "edge_m_ha" | "orient_coh" | "orient_axis" | "unit_p10" | "unit_p50" | "unit_p90" | "reg_n" | "units_per_reg" | "str_p50")[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeDictParameters {
  /** First 16 hexadecimal digits of the dictionary's SHA-256, as headers and X-NE-Dict name it. */
  id: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeKgParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  /** The container whose bytes have this SHA-256, as the manifest names it: kept by caches for ever; 409 where another one is published. */
  sha256?: string;
  /** Only these layers: lu, bev, obs. Observations are released or left out. */
  layers?: ("lu" | "bev" | "obs")[];
  /** ne: the container. json: its rows as columns, at most 180,000 rows. */
  format?: "ne" | "json";
  /** Only these fields of the rows, in JSON; cell_id stays. */
  fields?: ("cell_id" | "kg_share" | "land" | "cov" | "flags" | "lu" | "str_cover" | "str_n" | "gk" | "n_units" | "edge_m_ha" | "orient_coh" | "orient_axis" | "unit_p10" | "unit_p50" | "unit_p90" | "reg_n" | "units_per_reg" | "str_p50")[];
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeKgHeadParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeManifestParameters {
  /** digests: of the KGs that are built only what tells whether they changed. */
  fields?: "digests";
  /** generated_at of your last answer: only KGs that changed since. A date that is older than retention_s, or none of a publication, gives everything. */
  since?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeReportParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  body: ReportBody;
}

export interface NeStatsParameters {
  /** These KGs. */
  kg?: string[];
  /** The KGs of this municipality: its code, 5 digits. */
  gemeinde?: string;
  /** The KGs of this district: its code, 3 digits. */
  district?: string;
  /** The KGs of this state: its digit or its name. */
  state?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OsmGeometryParameters {
  /** At most 0.1 degrees wide and high: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox: string;
  /** Only features of these categories. */
  cat?: ("road" | "rail" | "water" | "transit" | "place")[];
  /** 1: of the roads only major ones. */
  major?: "1";
  /** Features in the answer at most. */
  limit?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OsmPointParameters {
  /** Longitude, degrees (WGS84). */
  lon: number;
  /** Latitude, degrees (WGS84). */
  lat: number;
  /** Area of the parcel at the point. Unit: m². */
  area_sqm?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OsmStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface SearchAddressOsmParameters {
  /** An address, or a part of it: street, house number, postal code and place in any order. Every word has to begin a word of the street, the locality or the municipality. */
  q: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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
  /** Only this state: its digit, or its name in any of its spellings. */
  state?: string;
  /** Only municipalities of this district: its code, 3 digits. */
  district?: string;
  /** Longitude of a point: only the municipality that holds it, degrees (WGS84). */
  contains_lon?: number;
  /** Latitude of a point: only the municipality that holds it, degrees (WGS84). */
  contains_lat?: number;
  /** all: every municipality that passes the other filters, in one answer where limit is not given. */
  list?: "all";
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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

export interface ToponymParameters {
  /** Id of the name. */
  id: string | number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ToponymsNearParameters {
  /** Longitude, degrees (WGS84). */
  lon: number;
  /** Latitude, degrees (WGS84). */
  lat: number;
  /** How far from the point. Unit: m. */
  radius?: number;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
  /** Only names of this code. */
  f_code?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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

export interface ToponymsSearchParameters {
  /** The name, in any spelling. */
  q: string;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
  /** Only names in this KG: its code, padded or not. */
  kg?: string;
  /** Only names in this municipality: its code, 5 digits. */
  gemeinde?: string;
  /** Only names in this district: its code, 3 digits. */
  district?: string;
  /** Only names in this state: its name in any case, or its digit. */
  state?: string;
  /** Only names around this point: lon,lat in degrees (WGS84). */
  near?: string;
  /** How far from the point of near. Unit: m. */
  radius?: number;
  /** Only names in this box: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** The least score of a match. */
  min_score?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
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

export interface ToponymsStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

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
  /** register: the address register; else the host of the upstream that knows the place. */
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

export type AnswerCellBody = {
  data: CellBody;
  meta: Envelope;
};

export type AnswerCellsBody = {
  data: CellsBody;
  meta: Envelope;
};

export type AnswerChunkListShape = {
  data: ChunkListShape;
  meta: Envelope;
};

export type AnswerHeadShape = {
  data: HeadShape;
  meta: Envelope;
};

export type AnswerManifestData = {
  data: ManifestData;
  meta: Envelope;
};

export type AnswerMapStringInterface = {
  data: Record<string, unknown>;
  meta: Envelope;
};

export type AnswerOverviewData = {
  data: OverviewData;
  meta: Envelope;
};

export type AnswerStatsData = {
  data: StatsData;
  meta: Envelope;
};

export type AreaBlock = {
  desig: string;
  desig_eng: string;
  desig_type: string;
  iucn_cat: string;
  name: string;
  rep_area: number | null;
};

export type BatchMeta = {
  license: Licence;
  /** one for each block that answered */
  licenses: Record<string, Licence>;
  query_time_ms: number;
  total: number;
  /** that the class of the land price is assumed */
  warnings?: string[];
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

export type CellBody = {
  cell: string;
  chg?: ChgShape;
  children?: ChildShape[];
  k: KShape | null;
  kgs: Record<string, number>;
  lu?: LuShape;
  obs?: unknown;
  pending_kgs: string[];
};

export type CellsBody = {
  bev?: Record<string, unknown>;
  kgs: string[];
  lu?: Record<string, unknown>;
  missing: string[];
  obs?: Record<string, unknown>;
  pending_kgs: string[];
};

export type Change = {
  factor_high: number | null;
  factor_low: number | null;
  input: string;
  why: string;
};

export type ChangeState = {
  candidate?: number;
  confirmed?: number;
  digest: string;
};

export type ChgShape = {
  cells: unknown[];
  n: number;
};

export type ChildShape = {
  cell: string;
  lu: LuShape;
};

export type ChunkListShape = {
  chunks: string[];
  etags: unknown[];
};

export type CollectionShape = {
  features: MapFeature[];
  meta: MapMeta;
  type: string;
};

export type ContextBody = {
  data: ContextShape;
  meta: ContextMeta;
};

export type ContextMeta = {
  license: Licence;
  /** one for each block that answered */
  licenses: Record<string, Licence>;
  query_time_ms: number;
  /** that the class of the land price is assumed */
  warnings?: string[];
};

export type ContextOfPoint = {
  id: string;
  land_price?: Record<string, unknown>;
  lat: number;
  legal?: LegalBlock;
  lon: number;
  /** block to the reason why it is missing */
  missing: Record<string, string>;
  municipality?: Gemeinde;
  natura2000?: NaturaBlock;
  ne?: PointBlock;
  osm?: OsmBlock;
  protected_area?: ProtectedBlock;
  sources: SourceOf[];
  toponyms?: ToponymsShape;
};

export type ContextPoint = {
  area_sqm?: number;
  id?: string;
  kg?: string;
  lat: number;
  lon: number;
};

export type ContextShape = {
  land_price?: Record<string, unknown>;
  lat: number;
  legal?: LegalBlock;
  lon: number;
  /** block to the reason why it is missing */
  missing: Record<string, string>;
  municipality?: Gemeinde;
  natura2000?: NaturaBlock;
  ne?: PointBlock;
  osm?: OsmBlock;
  protected_area?: ProtectedBlock;
  sources: SourceOf[];
  toponyms?: ToponymsShape;
};

export type ContextBatchAnswer = {
  data: ContextOfPoint[];
  meta: BatchMeta;
};

export type ContextBatchRequest = {
  points: ContextPoint[];
};

export type DaySums = {
  candidate: number;
  changed_m2: number;
  confirmed: number;
  day: string;
};

export type Detail = {
  expected: string;
  parameter: string;
  value: string;
};

export type DictInfo = {
  id: string;
  url: string;
};

export type Envelope = {
  license: EnvelopeLicenseStruct;
  query_time_ms: number;
};

export type EnvelopeLicenseStruct = {
  attribution: string;
  dataset: string;
  license: string;
  license_url: string;
  modified: boolean;
};

export type ErrorShape = {
  code: string;
  error: string;
  errors?: Detail[];
  request_id?: string;
  split?: unknown;
  status: number;
};

export type EstimateBody = {
  data: LandPrice | null;
  meta: EstimateMeta;
};

export type EstimateMeta = {
  license: Licence;
  query_time_ms: number;
  /** that the class of the estimate is assumed */
  warnings?: string[];
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

export type FeedbackMeta = {
  open: number;
  returned: number;
  timestamp: string;
  total: number;
};

export type Field = {
  count?: number;
  name: string;
  type: string;
};

export type Frozen = {
  layout: string;
  magic: string;
  media_type: string;
  pin: string;
};

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

export type Gemeinde = {
  district_code: string;
  district_name: string;
  gemeinde_code: string;
  name: string;
  state: string;
};

export type GeocodedMeta = {
  suggestions?: string[];
  upstream?: UpstreamMember;
};

export type HeadSection = {
  chunks: unknown[][];
  encoding: string;
  fields: Field[];
  layer: string;
  length: number;
  offset: number;
  record_bytes: number;
  rows: number;
  sha256: string;
};

export type HeadShape = {
  bytes: number;
  dict?: string;
  format: number;
  generation: string;
  kg_code: string;
  pending_kgs: string[];
  sections: HeadSection[];
  start: number;
  stichtag: string;
};

export type IdsBody = {
  ids: string[];
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

export type Item = {
  digest: string;
  h3: string;
  published: string | null;
  status: string;
};

export type KShape = {
  n_units?: number;
  reg_n?: number;
  str_n?: number;
  str_p50?: number | null;
  unit_p10?: number | null;
  unit_p50?: number;
  unit_p90?: number | null;
  units_per_reg?: number | null;
};

/** The estimated price of a parcel, with what it rests on. Required members stand in every row, unless fields= chooses others. */
export type LandPrice = {
  alternatives?: AlternativeShape[];
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** Published price the estimate starts from, at the year. Unit: EUR/m². */
  baseline_eur_per_sqm: number | null;
  /** How the baseline was brought to the year. */
  baseline_method: "observed" | "interpolated" | "extrapolated" | null;
  /** Area that the baseline is published for. */
  baseline_source: "gemeinde" | "bezirk" | "state" | "national" | "literature_state" | null;
  /** Newest published year that the baseline rests on; baseline_method says how it was brought to the year. */
  baseline_year: number | null;
  building?: BuildingShape;
  /** Estimated price; null for the class other and where no series supports one. Unit: EUR/m². */
  buy_eur_per_sqm: number | null;
  /** Price of the whole parcel. Unit: EUR. */
  buy_total_eur: number | null;
  /** Global factor of building land; 1 for other classes. */
  calibration: number | null;
  /** Price class. */
  class: "bauland_built" | "bauland_zoned" | "ackerland" | "gruenland" | "wald" | "other" | null;
  /** What the land use is known from: areas of land use, symbols and codes, or the cell around a point; assumed for a described site of which nothing is said; null for a parcel of which nothing is known. */
  class_basis: "areas" | "symbols" | "cell" | "assumed" | null;
  /** Land and building; absent unless both have a value. Unit: EUR. */
  combined_value_eur?: number | null;
  /** How much the estimate is worth; none where there is no price. */
  confidence: "none" | "low" | "medium" | "high" | null;
  /** Why the item has no estimate; absent when it has one. */
  error?: string | null;
  explanation?: Reasons;
  factors?: FactorsShape;
  /** Municipality. */
  gemeinde_code: string | null;
  interval?: IntervalShape;
  /** Number of the item in the request, from 0; only in a batch. */
  item?: number | null;
  notes?: string[];
  /** Parcel; absent for a described one. */
  parcel_id?: string | null;
  /** Rent of farmland. Unit: EUR/ha/year. */
  rent_eur_per_ha_year: number | null;
  /** Rent of the whole parcel. Unit: EUR/year. */
  rent_eur_per_year: number | null;
  /** Year of the prices. */
  year: number | null;
};

export type LandPricesBezirkAnswer = {
  data: LevelReport;
  meta: LicenceMeta;
};

export type LandPricesBundeslandAnswer = {
  data: LevelReport;
  meta: LicenceMeta;
};

export type LandPricesGemeindeAnswer = {
  data: LevelReport;
  meta: LicenceMeta;
};

export type LandPricesPointAnswer = {
  data: PricedPoint;
  meta: EstimateMeta;
};

export type LayerInfo = {
  classes?: string[];
  fields?: Field[];
  layer: string;
  origin?: Origin;
  record_bytes?: number;
  resolution?: number;
};

export type LayerState = {
  digest: string;
  rows?: number;
};

export type LegalBlock = {
  kg_code: string;
  kg_name: string;
  legal_contexts: string[];
  refs: LegalRef[];
  total_refs: number;
  unique_laws: number;
};

export type LegalCounts = {
  /** references per state; federal or not known under an empty name */
  by_bundesland: Record<string, number>;
  /** references per context */
  by_context: Record<string, number>;
  /** references per parcel_list_type */
  by_type: Record<string, number>;
  kgs: number;
  total_refs: number;
  unique_laws: number;
};

export type LegalRef = {
  grundstueck: string | null;
  law: string;
  legal_context: string;
  parcel_list_type: string;
  partial?: boolean;
  ris_url: string | null;
};

/** A parcel that a law names, quoted from its text. Required members stand in every row, unless fields= chooses others. */
export type LegalReference = {
  /** State whose law it is; null: federal or not known. */
  bundesland: string | null;
  /** Parcel number; null where the law names the KG as a whole. */
  grundstueck: string | null;
  /** In force since, as published; null where not known. */
  in_force: string | null;
  /** Code of the KG that the law names, 5 digits. */
  kg_code: string | null;
  /** Name of that KG. */
  kg_name: string | null;
  /** Name of the law. */
  law: string | null;
  /** What the law is about. */
  legal_context: string | null;
  /** listed: the law is about the parcel; boundary_walk: the parcel lies along a boundary that it describes. */
  parcel_list_type: string | null;
  /** Only a part of the parcel is meant. */
  partial: boolean | null;
  /** Where the law is published. */
  ris_url: string | null;
};

export type LegalKgAnswer = {
  data: LegalBlock;
  meta: LicenceMeta;
};

export type LegalStatsAnswer = {
  data: LegalCounts;
  meta: LicenceMeta;
};

export type LevelReport = {
  /** annual growth of the municipality's series; null where fewer than two years are published */
  bauland_cagr?: number;
  code: string;
  level: string;
  name: string;
  /** prices at the year by name of the series */
  published: Record<string, Published>;
  /** all published values: name to year to EUR */
  series: Record<string, Record<string, number>>;
  /** price of building land at the year; null where the area has no series */
  statistik_austria: Published | null;
  /** annual growth by name of the series */
  trends_cagr?: Record<string, number>;
  year: number;
};

export type Licence = {
  attribution: string;
  dataset: string;
  license: string;
  license_url: string;
  modified: boolean;
};

export type LicenceMeta = {
  license: Licence;
  query_time_ms: number;
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

export type LicenseStruct = {
  attribution: string;
  dataset: string;
  license: string;
  license_url: string;
  modified: boolean;
};

export type LimitInfo = {
  bbox_span_degrees: number;
  cells: number;
  get_ids: number;
  kgs: number;
  post_ids: number;
  retention_s: number;
  rings: number;
  rows: number;
};

export type ListBody = {
  data: ListBodyDataStruct;
  meta: ListBodyMetaStruct;
};

export type ListBodyDataStruct = {
  codes?: string[];
  generated_at?: string;
  kg_count?: number;
  kg_count_contract?: number;
  kgs?: ListEntry[];
  peer_check?: PeerCheck;
  universe_hash?: string;
  universe_hash_recipe?: string;
};

export type ListBodyMetaStruct = {
  license: LicenseStruct;
  query_time_ms: number;
  total: number;
};

export type ListEntry = {
  bbox?: number[];
  centroid?: number[];
  district_code?: string;
  district_name?: string;
  gemeinde_code?: string;
  gemeinde_name?: string;
  kg_code?: string;
  kg_name?: string;
  state_code?: string;
  state_name?: string;
};

export type LlmKgsAnswer = {
  no_data: string[];
  results: SiblingPayload[];
};

export type Location = {
  lat: number;
  lon: number;
} | null;

export type LookupMeta = {
  license: Licence;
  query_time_ms: number;
  total: number;
};

export type LookupAnswer = {
  data: Place[];
  meta: LookupMeta;
};

export type LuShape = {
  cov?: number;
  edge_m_ha?: number;
  flags?: number;
  gk?: number;
  kg_share?: number;
  land?: number;
  lu?: number[];
  n_units?: number;
  orient_axis?: number | null;
  orient_coh?: number | null;
  str_cover?: number;
  str_n?: number;
};

export type ManifestData = {
  counts: OverviewCounts;
  delta: boolean;
  dict: string;
  generated_at: string | null;
  generation: string;
  kgs: ManifestRow[];
  retention_s: number;
};

export type ManifestRow = {
  bev?: LayerState;
  bytes?: number;
  chg?: ChangeState;
  generation?: string;
  kg_code: string;
  lu?: LayerState;
  obs?: LayerState;
  pending_kgs?: string[];
  sha256?: string;
  status?: string;
  stichtag?: string;
};

export type MapFeature = {
  geometry: MapGeometry;
  properties: MapProperties;
  type: string;
};

export type MapGeometry = {
  coordinates: unknown[];
  type: string;
};

export type MapMeta = {
  license: Licence;
  limit: number;
  query_time_ms: number;
  total: number;
};

export type MapProperties = {
  cat: string;
  fclass: string;
  /** of lines */
  major?: boolean;
  name: string | null;
  /** of points; null where not known */
  population?: number | null;
  /** of lines */
  ref?: string | null;
  /** of points */
  train_station?: boolean;
};

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

export type NamesMeta = {
  /** Date of the names. */
  stichtag: string;
};

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

export type Natura2000PointBesideAnswer = {
  in_natura2000: boolean;
};

export type Natura2000SiteAnswer = {
  data: Natura2000Site | null;
  meta: LicenceMeta;
};

export type NaturaBlock = {
  in_natura2000: boolean;
  sites: SiteBlock[];
};

export type Origin = {
  date: string;
  layer: string;
  license: string;
  license_url: string;
  source: string;
};

export type OsmBlock = {
  dist_major_road_m: number | null;
  dist_rail_m: number | null;
  dist_road_m: number | null;
  dist_settlement_m: number | null;
  dist_train_station_m: number | null;
  dist_transit_m: number | null;
  dist_water_m: number | null;
  major_road_fclass: string | null;
  major_road_name: string | null;
  major_road_ref: string | null;
  remoteness: number;
  road_fclass: string | null;
  road_name: string | null;
  /** dist_road_m is at most the radius of a circle of area_sqm; left out without area_sqm */
  road_on_parcel?: boolean;
  settlement_fclass: string | null;
  settlement_name: string | null;
  train_station_name: string | null;
  transit_fclass: string | null;
  transit_name: string | null;
  water_fclass: string | null;
  water_name: string | null;
};

export type OsmCounts = {
  attribution: string;
  /** features of the extract by category and class */
  counts: Record<string, Record<string, number>>;
  /** day of the extract; null where it does not say it */
  import_date: string | null;
  total: number;
};

export type OsmPointAnswer = {
  data: OsmBlock;
  meta: LicenceMeta;
};

export type OsmStatsAnswer = {
  data: OsmCounts;
  meta: LicenceMeta;
};

export type Other = {
  language: string;
  name: string;
};

export type OverviewCounts = {
  built: number;
  bytes: number;
  change_candidates: number;
  change_confirmed: number;
  k_rows: number;
  kg_count: number;
  obs_rows: number;
  partial: number;
  rows: number;
  unbuilt: number;
};

export type OverviewData = {
  counts: OverviewCounts;
  dict: DictInfo | null;
  endpoints: Record<string, string>;
  frozen: Frozen;
  generated_at: string | null;
  generation: string;
  layers: LayerInfo[];
  limits: LimitInfo;
  obs_public: boolean;
};

export type PeerCheck = {
  agree: boolean | null;
  checked_at: string | null;
  peer_kg_count: number | null;
  peer_universe_hash: string | null;
  reason?: string;
  service: string | null;
};

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

export type PointBlock = {
  /** cell of resolution 12 */
  cell: string;
  /** what changed */
  chg: ChgShape | null;
  /** row of the cell of resolution 10 above; null where it has fewer than five parcels */
  k: KShape | null;
  /** its row */
  lu: LuShape;
  /** a row that a peer defines, or null */
  obs: unknown;
};

export type PricedPoint = {
  estimate: LandPrice | null;
  municipality: Gemeinde | null;
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

export type ProtectedBlock = {
  in_protected_area: boolean;
  sites: AreaBlock[];
};

export type Published = {
  /** published years that the value rests on */
  from_year: number;
  /** observed, interpolated or extrapolated */
  method: string;
  to_year: number;
  unit: string;
  value: number;
  year: number;
};

export type Reasons = {
  building?: string;
  inputs: Inputs;
  notes: string[];
  series?: string;
  steps: string[];
  what_would_change_it: Change[];
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

export type ReportBody = {
  /** generation of the container that was compared with */
  baseline: string;
  /** at most 10,000 */
  chunks: ReportChunk[];
  /** lu, bev or obs */
  layer: string;
  /** the one that the token was made for */
  observer: string;
};

export type ReportChunk = {
  /** first 16 hexadecimal digits of the SHA-256 of its rows */
  digest: string;
  /** cell of resolution 9 */
  h3: string;
};

export type ReportShape = {
  data: ReportShapeDataStruct;
};

export type ReportShapeDataStruct = {
  baseline: string;
  changed: Item[];
  compared: number;
  kg_code: string;
  layer: string;
};

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

export type SiteBlock = {
  area_ha: number | null;
  habitats: string[];
  site_type_label: string;
  sitecode: string;
  sitename: string;
  sitetype: string;
};

export type SourceOf = {
  attribution: string;
  block: string;
  dataset: string;
  license: string;
  license_url: string;
};

export type StatsData = {
  built: number;
  change: Sums | null;
  codes?: string[];
  kg_count: number;
  level: string;
  pending_kgs: string[];
  rows: number;
};

export type StatusSums = {
  cells: number;
  d_lu_m2: number[];
  d_str_cover_m2: number;
  d_str_n: number;
  transitions_m2: Record<string, number>;
};

export type SuggestionsMeta = {
  suggestions?: string[];
};

export type Sums = {
  by_day: DaySums[];
  candidate: StatusSums;
  confirmed: StatusSums;
  since: string | null;
};

export type Terms = {
  id: string;
  text: string;
};

/** A geographical name, drawn as a point. Required members stand in every row, unless fields= chooses others. */
export type Toponym = {
  /** Year of the last revision of the name; null where not known. */
  currency_year: number | null;
  /** From the point asked for; left out without one. Unit: m. */
  distance_m?: number | null;
  /** District of the KG. */
  district_code: string | null;
  /** Its name. */
  district_name: string | null;
  /** Height; null where it is not known. Unit: m. */
  elevation_m: number | null;
  /** Code of what the name is of; null where the source has none. */
  f_code: number | null;
  /** What the code means. */
  f_name: string | null;
  /** Municipality of the KG. */
  gemeinde_code: string | null;
  /** Its name. */
  gemeinde_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Stable id. */
  id: string | null;
  /** KG that the name lies in; null in none. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Layer of the name; ried are field names. */
  layer: "siedlung" | "gebiet" | "gelaende" | "gletscher" | "gewaesser" | "sonstige" | "ried" | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  minority_names: Other[];
  /** The name. */
  name: string | null;
  /** How far the place may be off. Unit: m. */
  positional_accuracy_m: number | null;
  /** How alike the spellings are, 1 the same; left out without a search. */
  score?: number | null;
  /** State of the KG. */
  state_code: string | null;
  /** Its name. */
  state_name: string | null;
  /** Date of the names. */
  stichtag: string | null;
  /** Another spelling; null without one. */
  variant_name: string | null;
};

export type ToponymCodeCount = {
  count: number;
  f_code: number | null;
  f_name: string;
  layer: string;
};

export type ToponymCounts = {
  /** names per layer and code, in their order */
  f_codes: ToponymCodeCount[];
  /** names per layer */
  layers: Record<string, number>;
  positional_accuracy_m: number;
  stichtag: string;
  total: number;
};

export type ToponymAnswer = {
  data: Toponym | null;
  meta: LicenceMeta;
};

export type ToponymsShape = {
  radius_m: number;
  /** as /toponyms/near gives them */
  rows: Record<string, unknown>[];
  total: number;
};

export type ToponymsStatsAnswer = {
  data: ToponymCounts;
  meta: LicenceMeta;
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
