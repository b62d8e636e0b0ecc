// Made from the services' openapi.json by go test ./infra/jsclient -update; not edited by hand.
import type { Call, FreeCall, GeoJSONGeometry } from "./index.d.ts";
import type {
  Address,
  AlternativeShape,
  Beside,
  BuildingShape,
  DocsLlmParameters,
  DocsPageParameters,
  DocsParameters,
  FactorsShape,
  FeedbackCreated,
  FeedbackList,
  FeedbackListParameters,
  FeedbackPostParameters,
  GadmMunicipality,
  GeocodedMeta,
  Inputs,
  IntervalShape,
  License,
  LicenseParameters,
  LlmCoverageParameters,
  LlmKgParameters,
  LlmKgsAnswer,
  LlmKgsParameters,
  LlmManifestParameters,
  LlmParcelParameters,
  Meta,
  Municipality,
  Natura2000PointBesideAnswer,
  Natura2000PointParameters,
  Natura2000SearchParameters,
  Natura2000Site,
  Natura2000SiteFound,
  OpenAPIShape,
  OpenapiParameters,
  Place,
  PlaceMeta,
  ProtectedArea,
  SearchAddressOsmParameters,
  SearchGadmParameters,
  SearchMunicipalitiesParameters,
  SearchProtectedAreaParameters,
  SiblingCoverage,
  SiblingManifest,
  SiblingParcelPayload,
  SiblingPayload,
  SuggestionsMeta,
} from "./shared.d.ts";

export type {
  Address,
  AddressParts,
  AlternativeShape,
  Beside,
  BodyShape,
  BoxParts,
  BuildingShape,
  Detail,
  DocsLlmParameters,
  DocsPageParameters,
  DocsParameters,
  ErrorShape,
  FactorsShape,
  FeedbackCreated,
  FeedbackList,
  FeedbackListParameters,
  FeedbackMeta,
  FeedbackPostParameters,
  GadmMunicipality,
  GeocodedMeta,
  Inputs,
  IntervalShape,
  License,
  LicenseParameters,
  LlmCoverageParameters,
  LlmKgParameters,
  LlmKgsAnswer,
  LlmKgsParameters,
  LlmManifestParameters,
  LlmParcelParameters,
  Location,
  Meta,
  MissingReasons,
  Municipality,
  Natura2000PointBesideAnswer,
  Natura2000PointParameters,
  Natura2000SearchParameters,
  Natura2000Site,
  Natura2000SiteFound,
  OpenAPIShape,
  OpenapiParameters,
  Place,
  PlaceMeta,
  Placed,
  ProtectedArea,
  RecordShape,
  Report,
  SearchAddressOsmParameters,
  SearchGadmParameters,
  SearchMunicipalitiesParameters,
  SearchProtectedAreaParameters,
  SiblingCoverage,
  SiblingManifest,
  SiblingNoData,
  SiblingNoParcel,
  SiblingParcel,
  SiblingParcelPayload,
  SiblingPayload,
  SiblingSchemaValue,
  SuggestionsMeta,
  Terms,
  UpstreamMember,
} from "./shared.d.ts";

export interface ContextCalls {
  /** What surrounds a place */
  context: Call<ContextParameters, ContextBody>;
  /** What surrounds up to 1,000 places */
  contextBatch: Call<ContextBatchParameters, ContextBatchAnswer>;
  /** The page to try the endpoints */
  docs: FreeCall<DocsParameters, string>;
  /** The endpoints as plain text */
  docsLlm: FreeCall<DocsLlmParameters, string>;
  /** The page to try the endpoints */
  docsPage: FreeCall<DocsPageParameters, string>;
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
  /** The endpoints in OpenAPI 3.1 */
  openapi: FreeCall<OpenapiParameters, OpenAPIShape>;
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

export type ContextBatchAnswer = {
  data: ContextOfPoint[];
  meta: BatchMeta;
};

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

export type ContextBatchRequest = {
  points: ContextPoint[];
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

export type DaySums = {
  candidate: number;
  changed_m2: number;
  confirmed: number;
  day: string;
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

export type Gemeinde = {
  district_code: string;
  district_name: string;
  gemeinde_code: string;
  name: string;
  state: string;
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

export interface KgToponymsParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
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

export interface LandPricesBezirkParameters {
  /** The district: its code, 3 digits. */
  code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LandPricesBundeslandAnswer = {
  data: LevelReport;
  meta: LicenceMeta;
};

export interface LandPricesBundeslandParameters {
  /** State 1 to 9, its name, or AT for all of Austria. */
  code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LandPricesGemeindeAnswer = {
  data: LevelReport;
  meta: LicenceMeta;
};

export interface LandPricesGemeindeParameters {
  /** The municipality: its code, 5 digits. */
  code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LandPricesPointAnswer = {
  data: PricedPoint;
  meta: EstimateMeta;
};

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

export type LegalKgAnswer = {
  data: LegalBlock;
  meta: LicenceMeta;
};

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

export type LegalStatsAnswer = {
  data: LegalCounts;
  meta: LicenceMeta;
};

export interface LegalStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

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

export type LookupAnswer = {
  data: Place[];
  meta: LookupMeta;
};

export type LookupMeta = {
  license: Licence;
  query_time_ms: number;
  total: number;
};

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

export type NamesMeta = {
  /** Date of the names. */
  stichtag: string;
};

export type Natura2000SiteAnswer = {
  data: Natura2000Site | null;
  meta: LicenceMeta;
};

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

export type NaturaBlock = {
  in_natura2000: boolean;
  sites: SiteBlock[];
};

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

export interface NeKgHeadParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
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

export interface NeManifestParameters {
  /** digests: of the KGs that are built only what tells whether they changed. */
  fields?: "digests";
  /** generated_at of your last answer: only KGs that changed since. A date that is older than retention_s, or none of a publication, gives everything. */
  since?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface NeParameters {
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
  /** The KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** The KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** The KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

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

export type OsmPointAnswer = {
  data: OsmBlock;
  meta: LicenceMeta;
};

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

export type OsmStatsAnswer = {
  data: OsmCounts;
  meta: LicenceMeta;
};

export interface OsmStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

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

export type Sums = {
  by_day: DaySums[];
  candidate: StatusSums;
  confirmed: StatusSums;
  since: string | null;
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

export type ToponymAnswer = {
  data: Toponym | null;
  meta: LicenceMeta;
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

export interface ToponymsSearchParameters {
  /** The name, in any spelling. */
  q: string;
  /** Only these layers, as a comma list: siedlung, gebiet, gelaende, gletscher, gewaesser, sonstige, ried. */
  layer?: string[];
  /** Only names in this KG: its code, padded or not. */
  kg?: string;
  /** Only names in this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** Only names in this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only names in this state: its name, in any usual spelling, or its code 1 to 9. */
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

export interface ToponymsStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}
