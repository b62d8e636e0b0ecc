// Made from the services' openapi.json by go test ./infra/jsclient -update; not edited by hand.
import type { Call, FreeCall, GeoJSONGeometry } from "./index.d.ts";
import type {
  Conformance,
  DocsPageParameters,
  GapsMeta,
  LanduseCode,
  LanduseDistribution,
  LegalBrief,
  Link,
  Meta,
  MissingReasons,
  OpenAPIShape,
  OpenapiParameters,
  PlaceMeta,
  ProtectedArea,
  SiteBrief,
} from "./shared.d.ts";

export type {
  AreaShape,
  BodyShape,
  Conformance,
  Detail,
  DocsPageParameters,
  ErrorShape,
  GapsMeta,
  LanduseCode,
  LanduseDistribution,
  LegalBrief,
  Link,
  Meta,
  MissingReasons,
  OpenAPIShape,
  OpenapiParameters,
  PlaceMeta,
  Placed,
  ProtectedArea,
  SiteBrief,
} from "./shared.d.ts";

export interface LandscapeCalls {
  /** Whom to name */
  attribution: FreeCall<AttributionParameters, AttributionAnswer>;
  /** Buildings by height, storeys, roof and area */
  buildingsSearch: FreeCall<BuildingsSearchParameters, ListedFound>;
  /** The land-use codes */
  cadastreLanduseCodes: FreeCall<CadastreLanduseCodesParameters, {
    data: LanduseCode[];
    meta: Meta;
  }>;
  /** Land use by KG, municipality, district or state */
  cadastreLanduseDistribution: FreeCall<CadastreLanduseDistributionParameters, {
    data: LanduseDistribution[];
    meta: Meta & GapsMeta;
  }>;
  /** Parcels that laws name */
  cadastreLegalSearch: FreeCall<CadastreLegalSearchParameters, {
    data: LegalReference[];
    meta: Meta;
  }>;
  /** Further answers of the cadastre */
  cadastreProxy: Call<CadastreProxyParameters, Record<string, unknown>>;
  /** Protected areas by name and place */
  cadastreSearchProtectedArea: FreeCall<CadastreSearchProtectedAreaParameters, {
    data: ProtectedArea[];
    meta: Meta & PlaceMeta;
  }>;
  /** What has changed between two laser scans */
  changes: Call<ChangesParameters, {
    data: Change[];
    meta: Meta & ChangesMeta;
  } & ChangesBeside>;
  /** What became of the trees of an area between two laser scans */
  changesTrees: Call<ChangesTreesParameters, {
    data: TreeChange[];
    meta: Meta & ChangedMeta;
  } & ChangedBeside>;
  /** The page to try the endpoints */
  docsPage: FreeCall<DocsPageParameters, string>;
  /** Heights of features */
  elevation: Call<ElevationParameters, ElevatedShape>;
  /** Make the search index anew */
  indexRebuild: FreeCall<IndexRebuildParameters, RebuildBody>;
  /** The state of the search index */
  indexStatus: FreeCall<IndexStatusParameters, StatusBody>;
  /** What was found on a KG */
  landscapeKg: Call<LandscapeKgParameters, KgBody>;
  /** The buildings of a KG with their heights */
  landscapeKgBuildings: Call<LandscapeKgBuildingsParameters, ListedBuildings>;
  /** The terrain of a KG as a grid */
  landscapeKgHeightfield: Call<LandscapeKgHeightfieldParameters, FieldBody>;
  /** The infrastructure of a KG */
  landscapeKgInfrastructure: Call<LandscapeKgInfrastructureParameters, ListedInfrastructure>;
  /** The vector layers of a KG's products */
  landscapeKgLayers: Call<LandscapeKgLayersParameters, LayersBody>;
  /** Buildings of a KG that the cadastre does not have */
  landscapeKgNewBuildings: Call<LandscapeKgNewBuildingsParameters, ListedNewBuildings>;
  /** A KG in one answer: cadastre, land use, laws, landscape */
  landscapeKgProfile: Call<LandscapeKgProfileParameters, ProfileBody>;
  /** The objects that a KG was divided into */
  landscapeKgSegments: Call<LandscapeKgSegmentsParameters, ListedSegments>;
  /** What was found on a parcel */
  landscapeParcel: Call<LandscapeParcelParameters, ParcelBody>;
  /** A parcel with its laws, areas, landscape and conservation score */
  landscapeParcelDetail: Call<LandscapeParcelDetailParameters, DetailBody>;
  /** The parcels of an area with terrain and vegetation */
  landscapeParcels: FreeCall<LandscapeParcelsParameters, LandscapeBody>;
  /** Parcels by their numbers or by filters, with terrain and vegetation */
  landscapeParcelsBatch: FreeCall<LandscapeParcelsBatchParameters, SurveyedBody>;
  /** Parcels by their numbers or by filters, as JSON */
  landscapeParcelsBatchPost: Call<LandscapeParcelsBatchPostParameters, SurveyedBody>;
  /** Which layers there are */
  layers: FreeCall<LayersParameters, LayersShape>;
  /** The height model of an area as GeoTIFF */
  lidarGeotiff: Call<LidarGeotiffParameters, Uint8Array>;
  /** The objects of a box as one file */
  onestop: FreeCall<OnestopParameters, Open>;
  /** The endpoints in OpenAPI 3.1 */
  openapi: FreeCall<OpenapiParameters, OpenAPIShape>;
  /** Conformance classes */
  processesConformance: FreeCall<ProcessesConformanceParameters, Conformance>;
  /** A process with its inputs */
  processesDescribe: Call<ProcessesDescribeParameters, Description>;
  /** Dismiss a job */
  processesDismiss: Call<ProcessesDismissParameters, StatusInfo>;
  /** Run a process */
  processesExecute: Call<ProcessesExecuteParameters, Open>;
  /** What became of a job */
  processesJob: Call<ProcessesJobParameters, StatusInfo>;
  /** Jobs that everybody may see */
  processesJobs: FreeCall<ProcessesJobsParameters, JobList>;
  /** Landing page */
  processesLanding: FreeCall<ProcessesLandingParameters, Landing>;
  /** The processes */
  processesList: FreeCall<ProcessesListParameters, ProcessList>;
  /** The result of a job */
  processesResults: Call<ProcessesResultsParameters, Open>;
  /** What the processor has done lately */
  processingLog: FreeCall<ProcessingLogParameters, LogBody>;
  /** What the processor has made */
  processingManifest: FreeCall<ProcessingManifestParameters, ManifestBody>;
  /** Pause the processor */
  processingPause: FreeCall<ProcessingPauseParameters, ProcessorBody>;
  /** The KGs that wait */
  processingQueue: FreeCall<ProcessingQueueParameters, QueueBody>;
  /** Queue KGs */
  processingQueueAdd: Call<ProcessingQueueAddParameters, AddedBody>;
  /** Take a KG out of the queue */
  processingQueueRemove: Call<ProcessingQueueRemoveParameters, RemovedBody>;
  /** Replace the queue */
  processingQueueReplace: Call<ProcessingQueueReplaceParameters, QueueBody>;
  /** Go on after a pause */
  processingResume: FreeCall<ProcessingResumeParameters, ProcessorBody>;
  /** Analyse one KG alone */
  processingSingle: Call<ProcessingSingleParameters, ProcessorBody>;
  /** Start the processor */
  processingStart: FreeCall<ProcessingStartParameters, ProcessorBody>;
  /** What the processor does */
  processingStatus: FreeCall<ProcessingStatusParameters, ProcessorBody>;
  /** Stop the processor */
  processingStop: FreeCall<ProcessingStopParameters, ProcessorBody>;
  /** Search over all KGs */
  query: FreeCall<QueryParameters, Listed | Open | SumsBody>;
  /** KGs that pass several filters */
  queryCompound: FreeCall<QueryCompoundParameters, ListedKGs>;
  /** KGs that pass several filters, as JSON */
  queryCompoundPost: Call<QueryCompoundPostParameters, ListedKGs>;
  /** How many parcels lie in Natura 2000 sites, and how many of them were analysed */
  queryHabitatCount: FreeCall<QueryHabitatCountParameters, HabitatBody>;
  /** Parcels ranked by their conservation score */
  queryNature: FreeCall<QueryNatureParameters, NatureBody>;
  /** The parcels of a KG with terrain and vegetation */
  queryParcels: Call<QueryParcelsParameters, ListedParcels>;
  /** How far a question is that was asked in the background */
  queryProgress: Call<QueryProgressParameters, Open>;
  /** The objects of an area by type */
  segment: Call<SegmentParameters, {
    data: Segment[];
    meta: Meta & SegmentMeta;
  } & SegmentBeside>;
  /** Abort a task */
  segmentAbort: Call<SegmentAbortParameters, State>;
  /** How far a task is */
  segmentProgress: Call<SegmentProgressParameters, State>;
  /** The result of a task */
  segmentResult: Call<SegmentResultParameters, Uint8Array>;
  /** A shared result */
  share: Call<ShareParameters, ShareShape>;
  /** A shared result as GeoPackage */
  shareGpkg: Call<ShareGpkgParameters, Uint8Array>;
  /** Results that are shared */
  shares: FreeCall<SharesParameters, {
    data: Share[];
    meta: Meta;
  }>;
  /** Slope, aspect, ruggedness and curvature of an area */
  terrain: Call<TerrainParameters, AnswerShapeTerrainData>;
  /** Single trees of an area */
  trees: Call<TreesParameters, {
    data: Tree[];
    meta: Meta & TreesMeta;
  } & FirstBeside>;
  /** Single trees of an area by their apexes, as an inventory */
  treesV2: Call<TreesV2Parameters, {
    data: TreeApex[];
    meta: Meta & TreesMeta;
  } & SecondBeside>;
}

export type About = {
  calibration: Calibration;
  /** first 16 hex digits of the SHA-256 of the model's file */
  id: string;
  /** share of objects classified correctly by trees that were not trained on their surroundings */
  out_of_bag_accuracy: number;
  /** mean of the F1 of the classes, likewise */
  out_of_bag_macro_f1: number;
  /** objects it was trained from */
  samples: number;
  /** what it was trained from */
  trained_on: string;
  trees: number;
};

export type Accepted = {
  progress_url: string;
  result_url: string;
  status: "running" | "done" | "error" | "cancelled";
  task_id: string;
};

export type AddBody = {
  /** codes of KGs, padded or not */
  kgs: string[];
  /** from 0; -1, the default: behind all others */
  position?: number;
  /** leave out KGs that have a result already; default true */
  skip_processed?: boolean;
};

export type Added = {
  code: string;
  name: string;
  position: number;
};

export type AddedBody = {
  added: Added[];
  added_count: number;
  queue_length: number;
  /** KGs that have a result already */
  skipped: string[];
  status: "added";
};

export type AnswerShapeTerrainData = {
  data: TerrainData;
  meta: RepairMeta;
};

export type AreaBody = {
  desig: string;
  /** 0 inside */
  distance_m: number | null;
  iucn_cat: string;
  name: string;
};

export type AreaShare = {
  area_sqm: number | null;
  fraction: number | null;
};

export type AttributionAnswer = {
  data: Credit[];
  meta: DatasetMeta;
};

export interface AttributionParameters {
  /** text: the credits as lines to be printed beside a map. */
  format?: "json" | "text";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type BatchMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  license: LicenseObject;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  /** with parcel_ids */
  not_found?: string[];
  /** with parcel_ids */
  pending_ids?: string[];
  /** Milliseconds. */
  query_time_ms: number;
  ready: boolean;
  version?: string;
};

export type BatchShape = {
  /** which KGs: the body of POST /query/compound */
  compound?: Open;
  /** beside query: as parcel_filters */
  landscape_filters?: Open;
  /** beside compound: the parameters pf_* without pf_, and those of the cadastre */
  parcel_filters?: Open;
  /** which parcels of the cadastre: kg, district, landuse, natura2000_site and the others */
  query?: Open;
};

export type Begun = {
  /** from the area alone: 2 s, and 2 s for each km²; tasks that wait before it come on top */
  estimated_seconds: number;
  /** answers 202 until the result is there, and then is it */
  poll_url: string;
  task_id: string;
};

export interface BuildingsSearchParameters {
  /** Only buildings of this KG: its code, padded or not. */
  kg?: string;
  /** Only roofs of this form. */
  roof_type?: "flat" | "pitched";
  /** max_height_m at least. Unit: m. */
  min_height?: number;
  /** max_height_m at most. Unit: m. */
  max_height?: number;
  /** stories_est at least. */
  min_stories?: number;
  /** stories_est at most. */
  max_stories?: number;
  /** footprint_area_sqm at least. Unit: m². */
  min_area?: number;
  /** footprint_area_sqm at most. Unit: m². */
  max_area?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface CadastreLanduseCodesParameters {
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface CadastreLanduseDistributionParameters {
  /** Codes of KGs. May be given several times. */
  kg?: string[];
  /** Name of a municipality, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code; all of the name are taken. */
  gemeinde?: string;
  /** The municipality: its code, 5 digits. */
  gemeinde_code?: string;
  /** Name of a district, in any usual spelling, or its code; all of the name are taken. */
  district?: string;
  /** Name of a state, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Postal code. Its KGs are those in which a locality of it lies; of a municipality whose localities of it do not say their KG, all. Postal codes and KGs do not share their borders. */
  plz?: string;
  /** Only these land-use codes, or abbreviations: a comma list. */
  code?: string;
  /** Only the codes of these abbreviations: a comma list. */
  abbr?: string;
  /** By what land use is summed up. */
  group_by?: "kg" | "gemeinde" | "district" | "state";
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

export interface CadastreLegalSearchParameters {
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** Only KGs of this municipality: its code, 5 digits. */
  gemeinde_code?: string;
  /** Only laws about this. */
  context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** listed or boundary_walk: how the law names the parcel. */
  type?: string;
  /** Only laws with this in their name, or of this Gesetzesnummer. */
  law?: string;
  /** Only references with this in the name of the law or of the KG, or of this parcel number. */
  q?: string;
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

export interface CadastreProxyParameters {
  /** Path of the cadastre's endpoint: natura2000/{stats,search,point}, natura2000/site/{code}, natura2000/site_parcels/{code}, natura2000/parcel/{kg}/{gnr}, natura2000/kg/{kg}, legal/search or search/protected_area. */
  path: string;
  /** Handed on: as the cadastre's endpoint has it. */
  q?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  near_lon?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  near_lat?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  contains_lon?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  contains_lat?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  kg?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  gemeinde?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  bbox?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  sort?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  fields?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  format?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  crs?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  limit?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  offset?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  cursor?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  gid?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  gemeinde_code?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  context?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  type?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  law?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  habitat?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  list?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  lon?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  lat?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  geometry?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  overlap?: string;
  /** Handed on: as the cadastre's endpoint has it. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface CadastreSearchProtectedAreaParameters {
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

export type Calibration = {
  /** expected calibration error on votes that it was not fitted to */
  expected_error: number;
  /** isotonic: rising, fitted to out-of-bag votes */
  method: string;
  /** confidence below which the rules decide */
  threshold: number;
};

/** A change of the land between two laser scans. Required members stand in every row, unless fields= chooses others. */
export type Change = {
  /** Area of its outline. Unit: m². */
  area_sqm: number | null;
  /** Its middle, WGS84. Unit: degrees. */
  centroid_lat: number | null;
  /** Its middle, WGS84. Unit: degrees. */
  centroid_lon: number | null;
  /** Place of its middle in EPSG:3035 and its type: the same in every answer that finds it. */
  change_id: string | null;
  /** By how much 95 % of it have changed at most: the terrain, or the 90th percentile of what stands on it. Unit: m. */
  change_m: number | null;
  /** 0 to 1: how sure the type is. */
  confidence: number | null;
  /** Whether it goes on beyond the area, or into places without heights. */
  cut_off: boolean | null;
  evidence: string[];
  /** Share of its cells in buildings of the cadastre as it is now; null where they are not known. */
  footprint_share: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** At date_b. Unit: m. */
  height_after_m: number | null;
  /** 95th percentile of what stood above the terrain at date_a. Unit: m. */
  height_before_m: number | null;
  /** On that nearest to date_b. */
  ndvi_after: number | null;
  /** Mean vegetation index, -1 to 1, on the orthophoto nearest to date_a; null where less than half of it is known. */
  ndvi_before: number | null;
  /** Its error, as that of the terrain. Unit: m³. */
  surface_volume_error_m3: number | null;
  /** What the surface has gained: crowns, buildings, ground. Unit: m³. */
  surface_volume_m3: number | null;
  /** At date_b. Unit: m. */
  terrain_after_m: number | null;
  /** Mean of the terrain above the Adriatic at date_a, levelled to date_b. Unit: m. */
  terrain_before_m: number | null;
  /** The true volume lies within plus or minus this in 95 of 100 cases. Unit: m³. */
  terrain_volume_error_m3: number | null;
  /** What the terrain has gained; negative: lost. Unit: m³. */
  terrain_volume_m3: number | null;
  /** What has happened. */
  type: "tree_growth" | "tree_felling" | "new_tree" | "forest_clearcut" | "vegetation_growth" | "vegetation_loss" | "new_building" | "demolition" | "construction" | "earthwork_fill" | "earthwork_cut" | "earthwork_grading" | "earthwork_dam" | "earthwork_trench" | "earthwork_pond" | "road_new" | "road_resurfaced" | "road_widened" | "surface_change" | "unclassified_change" | null;
};

export type ChangeSummary = {
  area_sqm: number | null;
  count: number;
  surface_volume_m3: number | null;
  terrain_volume_m3: number | null;
};

export type ChangedBeside = {
  summary: ChangedSummary;
};

export type ChangedMeta = {
  /** which footprints told buildings */
  building_mask: "cadastre" | "partial" | "none";
  /** share of the area that has heights */
  coverage: number | null;
  /** date of the laser scan */
  dataset: string;
  date_a: string;
  date_b: string;
  geometry_repaired: boolean;
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
  /** date of the orthophoto; null if none was used */
  ortho: string | null;
  /** as they were used */
  parameters: Record<string, unknown>;
  ready: boolean;
  /** crowns that are no trees by their surface */
  rejected_by_surface: number;
  rejected_by_surface_class: Record<string, number>;
  version?: string;
  warnings: string[];
};

export type ChangedSummary = {
  by_status: Record<string, StatusFigure>;
  total_trees: number;
};

export type ChangesBeside = {
  /** by type, those that occur */
  summary: Record<string, ChangeSummary>;
};

export type ChangesMeta = {
  /** which footprints were looked at */
  building_mask: "cadastre" | "partial" | "none";
  /** share of the area that has heights of both dates */
  coverage: number | null;
  date_a: string;
  date_b: string;
  /** layers that would make the types more certain, and are not available */
  evidence_missing: string[];
  geometry_repaired: boolean;
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  min_change_m: number;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  /** date of the orthophoto that ndvi_before is of, YYYYMMDD; null if none was used */
  ortho_a: string | null;
  /** that of ndvi_after */
  ortho_b: string | null;
  ready: boolean;
  registration: RegistrationMeta;
  version?: string;
  warnings: string[];
};

export interface ChangesParameters {
  /** Date of the earlier laser scan as YYYYMMDD. */
  date_a?: string;
  /** Date of the later laser scan as YYYYMMDD. */
  date_b?: string;
  /** Metres by which the terrain, or what stands on it, has to differ; ground that is levelled or sealed, and roads, count by less. */
  min_change?: number;
  /** Whether footprints of the cadastre are looked at as a hint. */
  include_cadastre?: boolean;
  /** Whether the orthophotos nearest to the two dates are looked at as a hint, where there are some within 200 days. */
  include_ortho?: boolean;
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "kml" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** Date of the earlier laser scan as YYYYMMDD. */
      date_a?: string;
      /** Date of the later laser scan as YYYYMMDD. */
      date_b?: string;
      /** Whether footprints of the cadastre are looked at as a hint. */
      include_cadastre?: boolean;
      /** Whether the orthophotos nearest to the two dates are looked at as a hint, where there are some within 200 days. */
      include_ortho?: boolean;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** Metres by which the terrain, or what stands on it, has to differ; ground that is levelled or sealed, and roads, count by less. */
      min_change?: number;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

export interface ChangesTreesParameters {
  /** Date of the earlier laser scan as YYYYMMDD. */
  date_a?: string;
  /** Date of the later laser scan as YYYYMMDD. */
  date_b?: string;
  /** Trees of at least this height above the ground. Unit: m. */
  min_tree_height?: number;
  /** point: rows are drawn as the apexes. polygon: as the outlines of the crowns. */
  crown_geometry?: "point" | "polygon";
  /** Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure. */
  reject_nonforest?: boolean;
  /** Whether footprints of the cadastre tell buildings. */
  include_cadastre?: boolean;
  /** Only trees that are at least so likely to be one. */
  min_tree_likelihood?: number;
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "kml" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** point: rows are drawn as the apexes. polygon: as the outlines of the crowns. */
      crown_geometry?: "point" | "polygon";
      /** Date of the earlier laser scan as YYYYMMDD. */
      date_a?: string;
      /** Date of the later laser scan as YYYYMMDD. */
      date_b?: string;
      /** Whether footprints of the cadastre tell buildings. */
      include_cadastre?: boolean;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** Trees of at least this height above the ground. Unit: m. */
      min_tree_height?: number;
      /** Only trees that are at least so likely to be one. */
      min_tree_likelihood?: number;
      /** Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure. */
      reject_nonforest?: boolean;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

export type CountKG = {
  cadastre: number;
  kg_code: string;
  kg_name: string;
  processed: number;
};

export type CountState = {
  cadastre: number;
  processed: number;
  state_code: string;
  state_name: string;
};

export type CoverBody = {
  area_sqm: number | null;
  fraction: number | null;
  height_max: number | null;
  height_mean: number | null;
  height_min: number | null;
  height_p90: number | null;
  n_objects: number | null;
  object_type: string;
};

export type CoverObject = {
  max_height_mean?: number;
  min_area_sqm?: number;
  min_fraction?: number;
  min_height_mean?: number;
  type: string;
};

export type Credit = {
  attribution: string;
  license: string;
  license_url: string;
  share_alike: boolean;
  source: string;
  used_in: string[];
};

export type Current = {
  /** from 1; a worker that dies, and a failure that may pass, cost one of five */
  attempt: number;
  code: string;
  /** of work, by all workers; a KG has 5,400 seconds */
  elapsed_s: number;
  from: "single" | "retry" | "queue" | "nearest";
  /** whether a worker has it now */
  held: boolean;
  name: string;
  /** 0 to 1 */
  progress: number;
  started_at: string;
  step: string;
  /** squares of 1 km; 0: not known yet */
  tiles: number;
  tiles_done: number;
};

export type DatasetMeta = {
  license: LicenseObject;
  /** Milliseconds. */
  query_time_ms: number;
};

export type Description = {
  description: string;
  id: string;
  inputs: Record<string, Input>;
  jobControlOptions: string[];
  links: Link[];
  outputTransmission: string[];
  outputs: Record<string, Output>;
  title: string;
  version: string;
};

export type DetailBody = {
  cadastre: Open;
  conservation: ScoreBody;
  /** as /parcel/{parcel_id} has it; null of a KG that was not processed, of a parcel that is newer than the analysis, and where the file of the KG cannot be read, which meta says */
  landscape: OpenOrNull;
  /** null where laws are not available */
  legal_references: LegalBody[];
  meta: ProfileMeta;
  parcel_id: string;
  processed: boolean;
  /** that hold the parcel's centroid, and those within 500 m of it; null where areas are not available */
  protected_areas: AreaBody[];
};

export type ElevatedShape = {
  dataset: string;
  features: Item[];
  meta: ElevatedShapeMetaStruct;
  type: string;
};

export type ElevatedShapeMetaStruct = {
  /** share of the places and cells that has a height in it */
  coverage: number | null;
  /** date of the laser scan: the newest that covers at least 95 % of what is asked for, else the newest that touches it */
  dataset: string;
  license: LicenseObject;
  /** Milliseconds. */
  query_time_ms: number;
  warnings: string[];
};

export interface ElevationParameters {
  /** Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it. */
  dataset?: string;
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it. */
      dataset?: string;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

export type Execute = {
  inputs: Record<string, unknown>;
  /** result: {transmissionMode: value} */
  outputs?: Record<string, unknown>;
  response?: "raw" | "document";
};

export type Failed = {
  attempt?: number;
  code: string;
  error: string;
  name: string;
};

export type FieldBody = {
  /** west, south, east, north, WGS84 */
  bbox: number[];
  cell_m: number;
  cols: number;
  elev_max: number | null;
  elev_min: number | null;
  kg_code: string;
  kg_elev_max: number | null;
  kg_elev_min: number | null;
  meta: DatasetMeta;
  order: "rows_major_north_to_south";
  origin: "nw";
  rows: number;
  samples: number;
  source: string;
  /** metres, row by row from the north; null: no sample within 3 km */
  z: ((number | null)[])[];
};

export type FirstBeside = {
  summary: FirstSummary;
};

export type FirstSummary = {
  by_leaf_type: Record<string, number>;
  crown_area_total_sqm: number | null;
  crown_cover_pct: number | null;
  height_max_m: number | null;
  height_mean_m: number | null;
  stems_per_ha: number | null;
  /** mean of the 100 highest trees a hectare */
  top_height_m: number | null;
  total_trees: number;
};

export type HabitatBody = {
  /** with breakdown */
  by_kg?: CountKG[];
  /** with breakdown */
  by_state?: CountState[];
  cadastre_total: number;
  meta: ProfileMeta;
  /** with sample */
  parcel_ids?: string[];
  /** null where there is no parcel */
  processed_fraction: number | null;
  processed_total: number;
  query_time_ms: number;
  /** whether there are more parcels than parcel_ids names */
  truncated: boolean;
  unique_kgs_processed: number;
  unique_kgs_total: number;
  unprocessed_total: number;
};

export type HeightsOfShape = {
  /** of a point: what is seen from above */
  dsm_m: number | null;
  dsm_max_m?: number;
  dsm_mean_m?: number;
  dsm_min_m?: number;
  /** of a point: the ground */
  dtm_m: number | null;
  dtm_max_m?: number;
  dtm_mean_m?: number;
  /** of lines and areas */
  dtm_min_m?: number;
  /** of a point: dsm_m - dtm_m */
  height_m: number | null;
  height_max_m?: number;
  height_mean_m?: number;
};

export interface IndexRebuildParameters {
}

export interface IndexStatusParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Input = {
  description: string;
  minOccurs: number;
  schema: unknown;
  title: string;
};

export type Item = {
  geometry: unknown;
  id?: unknown;
  properties: HeightsOfShape;
  type: string;
};

export type JobList = {
  jobs: StatusInfo[];
  links: Link[];
};

export type KgBody = {
  _links: LinksBody;
  classification?: SureBody[];
  divergence?: PairBody[];
  hansen_loss?: LossBody[];
  landcover?: CoverBody[];
  meta: DatasetMeta;
};

export type Landing = {
  description: string;
  links: Link[];
  title: string;
};

export type LandscapeBody = {
  /** KGs whose parcels may pass */
  kgs_matching: number;
  /** of them, those that were read */
  kgs_read: number;
  limit: number;
  meta: BatchMeta;
  offset: number;
  results: (LandscapeCadastreParcel | LandscapeParcel)[];
  /** parcels that pass in the KGs that were read */
  total: number;
};

/** A building of the cadastre with its heights. Required members stand in every row, unless fields= chooses others. */
export type LandscapeBuilding = {
  /** Number of the footprint: <kg_code>-F<number>, or of the address register. */
  building_id: string | null;
  /** Terrain at the centroid. Unit: m. */
  centroid_dtm_m: number | null;
  /** Latitude, WGS84. Unit: °. */
  centroid_lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  centroid_lon: number | null;
  classification: SureBody[];
  /** Standard deviation of the surface. Unit: m. */
  dsm_std: number | null;
  /** Area of the footprint. Unit: m². */
  footprint_area_sqm: number | null;
  /** Street, house number, postal code and locality in one line; null without an address. */
  full_address: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** House number with its letter. */
  house_number: string | null;
  /** Locality. */
  location: string | null;
  /** Greatest height above the ground. Unit: m. */
  max_height_m: number | null;
  /** Mean height above the ground. Unit: m. */
  mean_height_m: number | null;
  /** Code of the land use that the cadastre says. */
  ns: string | null;
  /** Postal code, 4 digits. */
  postal_code: string | null;
  /** Form of the roof by its surface. */
  roof_type_hint: "flat" | "pitched" | null;
  segment_types: Record<string, AreaShare>;
  /** Estimated storeys. */
  stories_est: number | null;
  /** Street. */
  street: string | null;
  vertex_heights: Vertex[];
};

/** A building by its heights. Required members stand in every row, unless fields= chooses others. */
export type LandscapeBuilt = {
  /** Number of the footprint: <kg_code>-F<number>, or of the address register. */
  building_id: string | null;
  /** Terrain at the centroid. Unit: m. */
  centroid_dtm_m: number | null;
  /** Latitude, WGS84. Unit: °. */
  centroid_lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  centroid_lon: number | null;
  /** Area of the footprint. Unit: m². */
  footprint_area_sqm: number | null;
  /** KG that it stands in. */
  kg_code: string | null;
  /** Greatest height above the ground. Unit: m. */
  max_height_m: number | null;
  /** Mean height above the ground. Unit: m. */
  mean_height_m: number | null;
  /** Code of the land use that the cadastre says. */
  ns: string | null;
  /** Form of the roof by its surface. */
  roof_type_hint: "flat" | "pitched" | null;
  /** Estimated storeys. */
  stories_est: number | null;
};

/** A parcel of the cadastre with its terrain and vegetation. Required members stand in every row, unless fields= chooses others. */
export type LandscapeCadastreParcel = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Mean direction of descent from north clockwise; -1: flat. Unit: °. */
  aspect_mean_deg: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Type with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Terrain at the centroid. Unit: m. */
  elevation_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Share of the parcel under trees. */
  forested_fraction: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** Of them, those of the last five years of the map. */
  hansen_recent_5yr_pixels: number | null;
  /** Cells of 30 m of the global forest map with a loss. */
  hansen_total_pixels: number | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Whether more than half of it is under vegetation. */
  is_vegetated: boolean | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Land-use codes of the parcel's symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_summary: Record<string, number>;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  legal_contexts?: string[];
  /** References of laws to the parcel; left out without one. */
  legal_ref_count?: number | null;
  legal_refs?: LegalBrief[];
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  natura2000_sites?: SiteBrief[];
  /** Greatest height above the ground. Unit: m. */
  ndsm_max_m: number | null;
  /** Mean height above the ground. Unit: m. */
  ndsm_mean_m: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Whether the KG was analysed and the parcel was there; the columns behind are null otherwise. */
  processed: boolean | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** Mean slope. Unit: °. */
  slope_mean_deg: number | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Ruggedness by the mean TRI of cells of 1 m. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Mean topographic position index; positive on ridges. Unit: m. */
  tpi_mean: number | null;
  /** Area of the crowns of those trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Trees whose apex stands on it. */
  tree_count: number | null;
  /** Mean terrain ruggedness index. Unit: m. */
  tri_mean: number | null;
  /** Share of the parcel under vegetation. */
  vegetated_fraction: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

/** A pair of types over all KGs. Required members stand in every row, unless fields= chooses others. */
export type LandscapeDivergence = {
  /** Objects. */
  count: number | null;
  /** Type in the end. */
  final_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** KGs that have such objects. */
  n_kgs: number | null;
  /** Type by the trained model. */
  rf_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
};

/** An object that carries traffic or energy. Required members stand in every row, unless fields= chooses others. */
export type LandscapeInfrastructure = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** How sure its type is. */
  confidence: number | null;
  /** Estimated parking spots; null of what is no parking place. */
  est_parking_spots: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Name of the object by its place. */
  id: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Greatest height above the ground. Unit: m. */
  max_height_m: number | null;
  /** Type of the object. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Volume above the ground. Unit: m³. */
  volume_m3: number | null;
};

/** A KG of the search index. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKg = {
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Least longitude and latitude, then greatest, WGS84. */
  bbox: number[] | null;
  /** Building footprints of the cadastre. */
  building_count: number | null;
  /** Area of the footprints of buildings. Unit: m². */
  building_footprint_sqm: number | null;
  /** Buildings whose height is known. Unit: %. */
  building_height_coverage_pct: number | null;
  /** Height of the highest building. Unit: m. */
  building_max_height_m: number | null;
  /** Mean of the buildings' mean heights. Unit: m. */
  building_mean_height_m: number | null;
  /** Buildings with a pitched roof, of those whose roof is known. Unit: %. */
  building_pitched_pct: number | null;
  /** Most estimated storeys. */
  building_stories_max: number | null;
  /** Mean of the estimated storeys. */
  building_stories_mean: number | null;
  /** Longitude and latitude of the centroid, WGS84. */
  centroid: number[] | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Type of objects with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Mean change of the terrain between the first and the last scan. Unit: m. */
  dtm_change_mean_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** Objects of infrastructure. */
  infrastructure_count: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Mean confidence of the objects' types, by area. */
  mean_confidence: number | null;
  /** Objects whose height or terrain changed. */
  n_changed_segments: number | null;
  /** Objects that the area was divided into. */
  n_segments: number | null;
  /** Squares of 1 km that the KG was analysed in. */
  n_tiles: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  ndvi_harm_amplitude: number | null;
  /** Mean of the vegetation index over the year, by its harmonic. */
  ndvi_harm_mean: number | null;
  /** Day of the year on which the first harmonic is highest. Unit: d. */
  ndvi_harm_phase: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Volume that was added to the surface minus what was removed, between the first and the last scan. Unit: m³. */
  net_volume_change_m3: number | null;
  /** Buildings that the cadastre does not have. */
  new_building_count: number | null;
  /** Area of the new buildings. Unit: m². */
  new_building_footprint_sqm: number | null;
  /** Mean of the new buildings' greatest heights. Unit: m. */
  new_building_mean_height_m: number | null;
  /** Mean of the new buildings' estimated storeys. */
  new_building_stories_mean: number | null;
  /** Parcels of the cadastre. */
  parcel_count: number | null;
  /** Course of the vegetation index over the year that most of the area has. */
  phenology_dominant: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** Year of the laser scan that most of it was analysed by. */
  primary_year: number | null;
  /** Whether the KG was analysed; where not, what analysis finds is null. */
  processed: boolean | null;
  /** A from 85, B from 70, C from 55, D from 40, F below. */
  quality_grade: "A" | "B" | "C" | "D" | "F" | null;
  /** 0 to 100 by the formula of the documentation. */
  quality_score: number | null;
  /** Objects whose type the trained model decided. Unit: %. */
  rf_classified_pct: number | null;
  /** Objects whose type is another than the model's. */
  rf_diverged_count: number | null;
  /** Share of them in the objects that the model judged. Unit: %. */
  rf_diverged_pct: number | null;
  /** Mean confidence of the trained model. */
  rf_mean_confidence: number | null;
  /** Mean roughness of the objects' surfaces. Unit: m. */
  roughness_mean: number | null;
  /** Mean radar backscatter, VH. Unit: dB. */
  sar_vh_mean_db: number | null;
  /** Mean radar backscatter, VV. Unit: dB. */
  sar_vv_mean_db: number | null;
  /** Shannon index of the shares of types, natural logarithm. */
  shannon_diversity: number | null;
  /** Mean slope (Horn 1981). Unit: °. */
  slope_mean_deg: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Greatest slope. Unit: °. */
  steepness_max_deg: number | null;
  /** Share of the area whose height did not change between scans. */
  temporal_stability: number | null;
  /** Ruggedness by tri_mean. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Area of the KG. Unit: m². */
  total_area_sqm: number | null;
  /** Volume that was added or removed, without sign. Unit: m³. */
  total_disturbed_volume_m3: number | null;
  /** Area of the crowns of trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Single trees. */
  tree_count: number | null;
  /** Mean height of trees. Unit: m. */
  tree_mean_height_m: number | null;
  /** Estimated volume of the stems. Unit: m³. */
  tree_stem_volume_m3: number | null;
  /** Mean terrain ruggedness index (Riley 1999) of cells of 1 m. Unit: m. */
  tri_mean: number | null;
  /** Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards. */
  vegetated_fraction: number | null;
  /** Full GeoPackage in the research repository; null until uploaded. */
  zenodo_full_gpkg_url: string | null;
  /** Summary in the research repository; null until uploaded. */
  zenodo_json_url: string | null;
  /** Light GeoPackage in the research repository; null until uploaded. */
  zenodo_light_gpkg_url: string | null;
};

export interface LandscapeKgBuildingsParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only what lies in this box. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
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

/** A KG with how sure the model is of a type. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKgConfidence = {
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Least longitude and latitude, then greatest, WGS84. */
  bbox: number[] | null;
  /** Building footprints of the cadastre. */
  building_count: number | null;
  /** Area of the footprints of buildings. Unit: m². */
  building_footprint_sqm: number | null;
  /** Buildings whose height is known. Unit: %. */
  building_height_coverage_pct: number | null;
  /** Height of the highest building. Unit: m. */
  building_max_height_m: number | null;
  /** Mean of the buildings' mean heights. Unit: m. */
  building_mean_height_m: number | null;
  /** Buildings with a pitched roof, of those whose roof is known. Unit: %. */
  building_pitched_pct: number | null;
  /** Most estimated storeys. */
  building_stories_max: number | null;
  /** Mean of the estimated storeys. */
  building_stories_mean: number | null;
  /** Longitude and latitude of the centroid, WGS84. */
  centroid: number[] | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Type of objects with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Mean change of the terrain between the first and the last scan. Unit: m. */
  dtm_change_mean_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** Objects of infrastructure. */
  infrastructure_count: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Mean confidence of the objects' types, by area. */
  mean_confidence: number | null;
  /** Objects whose height or terrain changed. */
  n_changed_segments: number | null;
  /** Objects that the area was divided into. */
  n_segments: number | null;
  /** Squares of 1 km that the KG was analysed in. */
  n_tiles: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  ndvi_harm_amplitude: number | null;
  /** Mean of the vegetation index over the year, by its harmonic. */
  ndvi_harm_mean: number | null;
  /** Day of the year on which the first harmonic is highest. Unit: d. */
  ndvi_harm_phase: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Volume that was added to the surface minus what was removed, between the first and the last scan. Unit: m³. */
  net_volume_change_m3: number | null;
  /** Buildings that the cadastre does not have. */
  new_building_count: number | null;
  /** Area of the new buildings. Unit: m². */
  new_building_footprint_sqm: number | null;
  /** Mean of the new buildings' greatest heights. Unit: m. */
  new_building_mean_height_m: number | null;
  /** Mean of the new buildings' estimated storeys. */
  new_building_stories_mean: number | null;
  /** Parcels of the cadastre. */
  parcel_count: number | null;
  /** Course of the vegetation index over the year that most of the area has. */
  phenology_dominant: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** Year of the laser scan that most of it was analysed by. */
  primary_year: number | null;
  /** Whether the KG was analysed; where not, what analysis finds is null. */
  processed: boolean | null;
  /** A from 85, B from 70, C from 55, D from 40, F below. */
  quality_grade: "A" | "B" | "C" | "D" | "F" | null;
  /** 0 to 100 by the formula of the documentation. */
  quality_score: number | null;
  /** Objects whose type the trained model decided. Unit: %. */
  rf_classified_pct: number | null;
  /** Objects whose type is another than the model's. */
  rf_diverged_count: number | null;
  /** Share of them in the objects that the model judged. Unit: %. */
  rf_diverged_pct: number | null;
  /** Mean confidence of the trained model. */
  rf_mean_confidence: number | null;
  /** Mean roughness of the objects' surfaces. Unit: m. */
  roughness_mean: number | null;
  /** Mean radar backscatter, VH. Unit: dB. */
  sar_vh_mean_db: number | null;
  /** Mean radar backscatter, VV. Unit: dB. */
  sar_vv_mean_db: number | null;
  /** Shannon index of the shares of types, natural logarithm. */
  shannon_diversity: number | null;
  /** Mean slope (Horn 1981). Unit: °. */
  slope_mean_deg: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Greatest slope. Unit: °. */
  steepness_max_deg: number | null;
  /** Share of the area whose height did not change between scans. */
  temporal_stability: number | null;
  /** Ruggedness by tri_mean. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Area of the KG. Unit: m². */
  total_area_sqm: number | null;
  /** Volume that was added or removed, without sign. Unit: m³. */
  total_disturbed_volume_m3: number | null;
  /** Area of the crowns of trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Single trees. */
  tree_count: number | null;
  /** Mean height of trees. Unit: m. */
  tree_mean_height_m: number | null;
  /** Estimated volume of the stems. Unit: m³. */
  tree_stem_volume_m3: number | null;
  /** Mean terrain ruggedness index (Riley 1999) of cells of 1 m. Unit: m. */
  tri_mean: number | null;
  type_confidence: SureBody;
  /** Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards. */
  vegetated_fraction: number | null;
  /** Full GeoPackage in the research repository; null until uploaded. */
  zenodo_full_gpkg_url: string | null;
  /** Summary in the research repository; null until uploaded. */
  zenodo_json_url: string | null;
  /** Light GeoPackage in the research repository; null until uploaded. */
  zenodo_light_gpkg_url: string | null;
};

/** A KG with the objects whose type is another than the model's. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKgDivergence = {
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Least longitude and latitude, then greatest, WGS84. */
  bbox: number[] | null;
  /** Building footprints of the cadastre. */
  building_count: number | null;
  /** Area of the footprints of buildings. Unit: m². */
  building_footprint_sqm: number | null;
  /** Buildings whose height is known. Unit: %. */
  building_height_coverage_pct: number | null;
  /** Height of the highest building. Unit: m. */
  building_max_height_m: number | null;
  /** Mean of the buildings' mean heights. Unit: m. */
  building_mean_height_m: number | null;
  /** Buildings with a pitched roof, of those whose roof is known. Unit: %. */
  building_pitched_pct: number | null;
  /** Most estimated storeys. */
  building_stories_max: number | null;
  /** Mean of the estimated storeys. */
  building_stories_mean: number | null;
  /** Longitude and latitude of the centroid, WGS84. */
  centroid: number[] | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Objects of the types asked for. */
  diverged: number | null;
  /** Type of objects with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Mean change of the terrain between the first and the last scan. Unit: m. */
  dtm_change_mean_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** Objects of infrastructure. */
  infrastructure_count: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Mean confidence of the objects' types, by area. */
  mean_confidence: number | null;
  /** Objects whose height or terrain changed. */
  n_changed_segments: number | null;
  /** Objects that the area was divided into. */
  n_segments: number | null;
  /** Squares of 1 km that the KG was analysed in. */
  n_tiles: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  ndvi_harm_amplitude: number | null;
  /** Mean of the vegetation index over the year, by its harmonic. */
  ndvi_harm_mean: number | null;
  /** Day of the year on which the first harmonic is highest. Unit: d. */
  ndvi_harm_phase: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Volume that was added to the surface minus what was removed, between the first and the last scan. Unit: m³. */
  net_volume_change_m3: number | null;
  /** Buildings that the cadastre does not have. */
  new_building_count: number | null;
  /** Area of the new buildings. Unit: m². */
  new_building_footprint_sqm: number | null;
  /** Mean of the new buildings' greatest heights. Unit: m. */
  new_building_mean_height_m: number | null;
  /** Mean of the new buildings' estimated storeys. */
  new_building_stories_mean: number | null;
  /** Parcels of the cadastre. */
  parcel_count: number | null;
  /** Course of the vegetation index over the year that most of the area has. */
  phenology_dominant: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** Year of the laser scan that most of it was analysed by. */
  primary_year: number | null;
  /** Whether the KG was analysed; where not, what analysis finds is null. */
  processed: boolean | null;
  /** A from 85, B from 70, C from 55, D from 40, F below. */
  quality_grade: "A" | "B" | "C" | "D" | "F" | null;
  /** 0 to 100 by the formula of the documentation. */
  quality_score: number | null;
  /** Objects whose type the trained model decided. Unit: %. */
  rf_classified_pct: number | null;
  /** Objects whose type is another than the model's. */
  rf_diverged_count: number | null;
  /** Share of them in the objects that the model judged. Unit: %. */
  rf_diverged_pct: number | null;
  /** Mean confidence of the trained model. */
  rf_mean_confidence: number | null;
  /** Mean roughness of the objects' surfaces. Unit: m. */
  roughness_mean: number | null;
  /** Mean radar backscatter, VH. Unit: dB. */
  sar_vh_mean_db: number | null;
  /** Mean radar backscatter, VV. Unit: dB. */
  sar_vv_mean_db: number | null;
  /** Shannon index of the shares of types, natural logarithm. */
  shannon_diversity: number | null;
  /** Mean slope (Horn 1981). Unit: °. */
  slope_mean_deg: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Greatest slope. Unit: °. */
  steepness_max_deg: number | null;
  /** Share of the area whose height did not change between scans. */
  temporal_stability: number | null;
  /** Ruggedness by tri_mean. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Area of the KG. Unit: m². */
  total_area_sqm: number | null;
  /** Volume that was added or removed, without sign. Unit: m³. */
  total_disturbed_volume_m3: number | null;
  /** Area of the crowns of trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Single trees. */
  tree_count: number | null;
  /** Mean height of trees. Unit: m. */
  tree_mean_height_m: number | null;
  /** Estimated volume of the stems. Unit: m³. */
  tree_stem_volume_m3: number | null;
  /** Mean terrain ruggedness index (Riley 1999) of cells of 1 m. Unit: m. */
  tri_mean: number | null;
  /** Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards. */
  vegetated_fraction: number | null;
  /** Full GeoPackage in the research repository; null until uploaded. */
  zenodo_full_gpkg_url: string | null;
  /** Summary in the research repository; null until uploaded. */
  zenodo_json_url: string | null;
  /** Light GeoPackage in the research repository; null until uploaded. */
  zenodo_light_gpkg_url: string | null;
};

export interface LandscapeKgHeightfieldParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Side of a cell. Unit: m. */
  cell?: number;
  /** Samples that a cell is estimated from. */
  k?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandscapeKgInfrastructureParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only what lies in this box. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
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

export interface LandscapeKgLayersParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Product whose layers are named. */
  variant?: "light" | "full";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** A KG with the forest that it lost. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKgLoss = {
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Least longitude and latitude, then greatest, WGS84. */
  bbox: number[] | null;
  /** Building footprints of the cadastre. */
  building_count: number | null;
  /** Area of the footprints of buildings. Unit: m². */
  building_footprint_sqm: number | null;
  /** Buildings whose height is known. Unit: %. */
  building_height_coverage_pct: number | null;
  /** Height of the highest building. Unit: m. */
  building_max_height_m: number | null;
  /** Mean of the buildings' mean heights. Unit: m. */
  building_mean_height_m: number | null;
  /** Buildings with a pitched roof, of those whose roof is known. Unit: %. */
  building_pitched_pct: number | null;
  /** Most estimated storeys. */
  building_stories_max: number | null;
  /** Mean of the estimated storeys. */
  building_stories_mean: number | null;
  /** Longitude and latitude of the centroid, WGS84. */
  centroid: number[] | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Type of objects with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Mean change of the terrain between the first and the last scan. Unit: m. */
  dtm_change_mean_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** Objects of infrastructure. */
  infrastructure_count: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Cells of 30 m with a loss in the years asked for. */
  loss_pixels: number | null;
  /** Mean confidence of the objects' types, by area. */
  mean_confidence: number | null;
  /** Objects whose height or terrain changed. */
  n_changed_segments: number | null;
  /** Objects that the area was divided into. */
  n_segments: number | null;
  /** Squares of 1 km that the KG was analysed in. */
  n_tiles: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  ndvi_harm_amplitude: number | null;
  /** Mean of the vegetation index over the year, by its harmonic. */
  ndvi_harm_mean: number | null;
  /** Day of the year on which the first harmonic is highest. Unit: d. */
  ndvi_harm_phase: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Volume that was added to the surface minus what was removed, between the first and the last scan. Unit: m³. */
  net_volume_change_m3: number | null;
  /** Buildings that the cadastre does not have. */
  new_building_count: number | null;
  /** Area of the new buildings. Unit: m². */
  new_building_footprint_sqm: number | null;
  /** Mean of the new buildings' greatest heights. Unit: m. */
  new_building_mean_height_m: number | null;
  /** Mean of the new buildings' estimated storeys. */
  new_building_stories_mean: number | null;
  /** Parcels of the cadastre. */
  parcel_count: number | null;
  /** Course of the vegetation index over the year that most of the area has. */
  phenology_dominant: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** Year of the laser scan that most of it was analysed by. */
  primary_year: number | null;
  /** Whether the KG was analysed; where not, what analysis finds is null. */
  processed: boolean | null;
  /** A from 85, B from 70, C from 55, D from 40, F below. */
  quality_grade: "A" | "B" | "C" | "D" | "F" | null;
  /** 0 to 100 by the formula of the documentation. */
  quality_score: number | null;
  /** Objects whose type the trained model decided. Unit: %. */
  rf_classified_pct: number | null;
  /** Objects whose type is another than the model's. */
  rf_diverged_count: number | null;
  /** Share of them in the objects that the model judged. Unit: %. */
  rf_diverged_pct: number | null;
  /** Mean confidence of the trained model. */
  rf_mean_confidence: number | null;
  /** Mean roughness of the objects' surfaces. Unit: m. */
  roughness_mean: number | null;
  /** Mean radar backscatter, VH. Unit: dB. */
  sar_vh_mean_db: number | null;
  /** Mean radar backscatter, VV. Unit: dB. */
  sar_vv_mean_db: number | null;
  /** Shannon index of the shares of types, natural logarithm. */
  shannon_diversity: number | null;
  /** Mean slope (Horn 1981). Unit: °. */
  slope_mean_deg: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Greatest slope. Unit: °. */
  steepness_max_deg: number | null;
  /** Share of the area whose height did not change between scans. */
  temporal_stability: number | null;
  /** Ruggedness by tri_mean. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Area of the KG. Unit: m². */
  total_area_sqm: number | null;
  /** Volume that was added or removed, without sign. Unit: m³. */
  total_disturbed_volume_m3: number | null;
  /** Area of the crowns of trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Single trees. */
  tree_count: number | null;
  /** Mean height of trees. Unit: m. */
  tree_mean_height_m: number | null;
  /** Estimated volume of the stems. Unit: m³. */
  tree_stem_volume_m3: number | null;
  /** Mean terrain ruggedness index (Riley 1999) of cells of 1 m. Unit: m. */
  tri_mean: number | null;
  /** Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards. */
  vegetated_fraction: number | null;
  /** Full GeoPackage in the research repository; null until uploaded. */
  zenodo_full_gpkg_url: string | null;
  /** Summary in the research repository; null until uploaded. */
  zenodo_json_url: string | null;
  /** Light GeoPackage in the research repository; null until uploaded. */
  zenodo_light_gpkg_url: string | null;
};

/** A KG near a point. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKgNear = {
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Least longitude and latitude, then greatest, WGS84. */
  bbox: number[] | null;
  /** Building footprints of the cadastre. */
  building_count: number | null;
  /** Area of the footprints of buildings. Unit: m². */
  building_footprint_sqm: number | null;
  /** Buildings whose height is known. Unit: %. */
  building_height_coverage_pct: number | null;
  /** Height of the highest building. Unit: m. */
  building_max_height_m: number | null;
  /** Mean of the buildings' mean heights. Unit: m. */
  building_mean_height_m: number | null;
  /** Buildings with a pitched roof, of those whose roof is known. Unit: %. */
  building_pitched_pct: number | null;
  /** Most estimated storeys. */
  building_stories_max: number | null;
  /** Mean of the estimated storeys. */
  building_stories_mean: number | null;
  /** Longitude and latitude of the centroid, WGS84. */
  centroid: number[] | null;
  /** From the point to the centroid. Unit: km. */
  distance_km: number | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Type of objects with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Mean change of the terrain between the first and the last scan. Unit: m. */
  dtm_change_mean_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** Objects of infrastructure. */
  infrastructure_count: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Mean confidence of the objects' types, by area. */
  mean_confidence: number | null;
  /** Objects whose height or terrain changed. */
  n_changed_segments: number | null;
  /** Objects that the area was divided into. */
  n_segments: number | null;
  /** Squares of 1 km that the KG was analysed in. */
  n_tiles: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  ndvi_harm_amplitude: number | null;
  /** Mean of the vegetation index over the year, by its harmonic. */
  ndvi_harm_mean: number | null;
  /** Day of the year on which the first harmonic is highest. Unit: d. */
  ndvi_harm_phase: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Volume that was added to the surface minus what was removed, between the first and the last scan. Unit: m³. */
  net_volume_change_m3: number | null;
  /** Buildings that the cadastre does not have. */
  new_building_count: number | null;
  /** Area of the new buildings. Unit: m². */
  new_building_footprint_sqm: number | null;
  /** Mean of the new buildings' greatest heights. Unit: m. */
  new_building_mean_height_m: number | null;
  /** Mean of the new buildings' estimated storeys. */
  new_building_stories_mean: number | null;
  /** Parcels of the cadastre. */
  parcel_count: number | null;
  /** Course of the vegetation index over the year that most of the area has. */
  phenology_dominant: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** Year of the laser scan that most of it was analysed by. */
  primary_year: number | null;
  /** Whether the KG was analysed; where not, what analysis finds is null. */
  processed: boolean | null;
  /** A from 85, B from 70, C from 55, D from 40, F below. */
  quality_grade: "A" | "B" | "C" | "D" | "F" | null;
  /** 0 to 100 by the formula of the documentation. */
  quality_score: number | null;
  /** Objects whose type the trained model decided. Unit: %. */
  rf_classified_pct: number | null;
  /** Objects whose type is another than the model's. */
  rf_diverged_count: number | null;
  /** Share of them in the objects that the model judged. Unit: %. */
  rf_diverged_pct: number | null;
  /** Mean confidence of the trained model. */
  rf_mean_confidence: number | null;
  /** Mean roughness of the objects' surfaces. Unit: m. */
  roughness_mean: number | null;
  /** Mean radar backscatter, VH. Unit: dB. */
  sar_vh_mean_db: number | null;
  /** Mean radar backscatter, VV. Unit: dB. */
  sar_vv_mean_db: number | null;
  /** Shannon index of the shares of types, natural logarithm. */
  shannon_diversity: number | null;
  /** Mean slope (Horn 1981). Unit: °. */
  slope_mean_deg: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Greatest slope. Unit: °. */
  steepness_max_deg: number | null;
  /** Share of the area whose height did not change between scans. */
  temporal_stability: number | null;
  /** Ruggedness by tri_mean. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Area of the KG. Unit: m². */
  total_area_sqm: number | null;
  /** Volume that was added or removed, without sign. Unit: m³. */
  total_disturbed_volume_m3: number | null;
  /** Area of the crowns of trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Single trees. */
  tree_count: number | null;
  /** Mean height of trees. Unit: m. */
  tree_mean_height_m: number | null;
  /** Estimated volume of the stems. Unit: m³. */
  tree_stem_volume_m3: number | null;
  /** Mean terrain ruggedness index (Riley 1999) of cells of 1 m. Unit: m. */
  tri_mean: number | null;
  /** Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards. */
  vegetated_fraction: number | null;
  /** Full GeoPackage in the research repository; null until uploaded. */
  zenodo_full_gpkg_url: string | null;
  /** Summary in the research repository; null until uploaded. */
  zenodo_json_url: string | null;
  /** Light GeoPackage in the research repository; null until uploaded. */
  zenodo_light_gpkg_url: string | null;
};

export interface LandscapeKgNewBuildingsParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only what lies in this box. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
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

export interface LandscapeKgParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** true answers the record of the index alone, without the lists. */
  index_only?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandscapeKgProfileParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** What a KG has of a type. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKgSegments = {
  /** Area of the objects. Unit: m². */
  area_sqm: number | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Share of the area that was classified. */
  fraction: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Greatest height above the ground. Unit: m. */
  height_max: number | null;
  /** Mean height above the ground, by area. Unit: m. */
  height_mean: number | null;
  /** Least mean height of an object above the ground. Unit: m. */
  height_min: number | null;
  /** Mean of the objects' 90th percentiles, by area. Unit: m. */
  height_p90: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Objects. */
  n_objects: number | null;
  /** Type of objects. */
  object_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
};

export interface LandscapeKgSegmentsParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Only what lies in this box. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only these types, with commas between. */
  type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
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

/** A KG with what it has of a type. Required members stand in every row, unless fields= chooses others. */
export type LandscapeKgType = {
  /** Area of the objects. Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Least longitude and latitude, then greatest, WGS84. */
  bbox: number[] | null;
  /** Building footprints of the cadastre. */
  building_count: number | null;
  /** Area of the footprints of buildings. Unit: m². */
  building_footprint_sqm: number | null;
  /** Buildings whose height is known. Unit: %. */
  building_height_coverage_pct: number | null;
  /** Height of the highest building. Unit: m. */
  building_max_height_m: number | null;
  /** Mean of the buildings' mean heights. Unit: m. */
  building_mean_height_m: number | null;
  /** Buildings with a pitched roof, of those whose roof is known. Unit: %. */
  building_pitched_pct: number | null;
  /** Most estimated storeys. */
  building_stories_max: number | null;
  /** Mean of the estimated storeys. */
  building_stories_mean: number | null;
  /** Longitude and latitude of the centroid, WGS84. */
  centroid: number[] | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Type of objects with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Mean change of the terrain between the first and the last scan. Unit: m. */
  dtm_change_mean_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Share of the area that was classified. */
  fraction: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** Greatest height above the ground. Unit: m. */
  height_max: number | null;
  /** Mean height above the ground, by area. Unit: m. */
  height_mean: number | null;
  /** Least mean height of an object above the ground. Unit: m. */
  height_min: number | null;
  /** Mean of the objects' 90th percentiles, by area. Unit: m. */
  height_p90: number | null;
  /** Objects of infrastructure. */
  infrastructure_count: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** Mean confidence of the objects' types, by area. */
  mean_confidence: number | null;
  /** Objects whose height or terrain changed. */
  n_changed_segments: number | null;
  /** Objects. */
  n_objects: number | null;
  /** Objects that the area was divided into. */
  n_segments: number | null;
  /** Squares of 1 km that the KG was analysed in. */
  n_tiles: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  ndvi_harm_amplitude: number | null;
  /** Mean of the vegetation index over the year, by its harmonic. */
  ndvi_harm_mean: number | null;
  /** Day of the year on which the first harmonic is highest. Unit: d. */
  ndvi_harm_phase: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Volume that was added to the surface minus what was removed, between the first and the last scan. Unit: m³. */
  net_volume_change_m3: number | null;
  /** Buildings that the cadastre does not have. */
  new_building_count: number | null;
  /** Area of the new buildings. Unit: m². */
  new_building_footprint_sqm: number | null;
  /** Mean of the new buildings' greatest heights. Unit: m. */
  new_building_mean_height_m: number | null;
  /** Mean of the new buildings' estimated storeys. */
  new_building_stories_mean: number | null;
  /** Type of objects. */
  object_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Parcels of the cadastre. */
  parcel_count: number | null;
  /** Course of the vegetation index over the year that most of the area has. */
  phenology_dominant: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** Year of the laser scan that most of it was analysed by. */
  primary_year: number | null;
  /** Whether the KG was analysed; where not, what analysis finds is null. */
  processed: boolean | null;
  /** A from 85, B from 70, C from 55, D from 40, F below. */
  quality_grade: "A" | "B" | "C" | "D" | "F" | null;
  /** 0 to 100 by the formula of the documentation. */
  quality_score: number | null;
  /** Objects whose type the trained model decided. Unit: %. */
  rf_classified_pct: number | null;
  /** Objects whose type is another than the model's. */
  rf_diverged_count: number | null;
  /** Share of them in the objects that the model judged. Unit: %. */
  rf_diverged_pct: number | null;
  /** Mean confidence of the trained model. */
  rf_mean_confidence: number | null;
  /** Mean roughness of the objects' surfaces. Unit: m. */
  roughness_mean: number | null;
  /** Mean radar backscatter, VH. Unit: dB. */
  sar_vh_mean_db: number | null;
  /** Mean radar backscatter, VV. Unit: dB. */
  sar_vv_mean_db: number | null;
  /** Shannon index of the shares of types, natural logarithm. */
  shannon_diversity: number | null;
  /** Mean slope (Horn 1981). Unit: °. */
  slope_mean_deg: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Greatest slope. Unit: °. */
  steepness_max_deg: number | null;
  /** Share of the area whose height did not change between scans. */
  temporal_stability: number | null;
  /** Ruggedness by tri_mean. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Area of the KG. Unit: m². */
  total_area_sqm: number | null;
  /** Volume that was added or removed, without sign. Unit: m³. */
  total_disturbed_volume_m3: number | null;
  /** Area of the crowns of trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Single trees. */
  tree_count: number | null;
  /** Mean height of trees. Unit: m. */
  tree_mean_height_m: number | null;
  /** Estimated volume of the stems. Unit: m³. */
  tree_stem_volume_m3: number | null;
  /** Mean terrain ruggedness index (Riley 1999) of cells of 1 m. Unit: m. */
  tri_mean: number | null;
  /** Share of the area under trees, shrubs, hedges, grass, gardens, crops, orchards and vineyards. */
  vegetated_fraction: number | null;
  /** Full GeoPackage in the research repository; null until uploaded. */
  zenodo_full_gpkg_url: string | null;
  /** Summary in the research repository; null until uploaded. */
  zenodo_json_url: string | null;
  /** Light GeoPackage in the research repository; null until uploaded. */
  zenodo_light_gpkg_url: string | null;
};

/** A building that the cadastre does not have. Required members stand in every row, unless fields= chooses others. */
export type LandscapeNewBuilding = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** How sure it is. */
  confidence: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Name of the object by its place. */
  id: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Greatest height above the ground. Unit: m. */
  max_height_m: number | null;
  /** Form of the roof by its surface. */
  roof_type_hint: "flat" | "pitched" | null;
  /** Estimated storeys. */
  stories_est: number | null;
  /** Type of the object. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
};

/** A parcel with its terrain and vegetation. Required members stand in every row, unless fields= chooses others. */
export type LandscapeParcel = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Mean direction of descent from north clockwise; -1: flat. Unit: °. */
  aspect_mean_deg: number | null;
  /** Longitude and latitude of the centroid. */
  centroid: number[] | null;
  /** Type with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Terrain at the centroid. Unit: m. */
  elevation_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Share of the parcel under trees. */
  forested_fraction: number | null;
  /** Of them, those of the last five years of the map. */
  hansen_recent_5yr_pixels: number | null;
  /** Cells of 30 m of the global forest map with a loss. */
  hansen_total_pixels: number | null;
  /** Whether more than half of it is under vegetation. */
  is_vegetated: boolean | null;
  /** Greatest height above the ground. Unit: m. */
  ndsm_max_m: number | null;
  /** Mean height above the ground. Unit: m. */
  ndsm_mean_m: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** Number of the parcel: <kg_code>-<gnr>. */
  parcel_id: string | null;
  /** Mean slope. Unit: °. */
  slope_mean_deg: number | null;
  /** Ruggedness by the mean TRI of cells of 1 m. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Mean topographic position index; positive on ridges. Unit: m. */
  tpi_mean: number | null;
  /** Area of the crowns of those trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Trees whose apex stands on it. */
  tree_count: number | null;
  /** Mean terrain ruggedness index. Unit: m. */
  tri_mean: number | null;
  /** Share of the parcel under vegetation. */
  vegetated_fraction: number | null;
};

export interface LandscapeParcelDetailParameters {
  /** The parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  parcel_id: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandscapeParcelParameters {
  /** The parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  parcel_id: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandscapeParcelsBatchParameters {
  /** These parcels, <kg_code>-<gnr> with commas between; a slash is %2F. Filters on parcels hold beside, those on KGs do not. */
  parcel_ids?: string[];
  /** Only parcels of this KG: its code, padded or not. */
  kg?: string;
  /** KGs that are read at most, the first in the order of sort. */
  kg_limit?: number;
  /** false: rows have what analysis found and not what the cadastre knows; parcels that were not analysed are left out. */
  cadastre_enrich?: boolean;
  /** Only parcels most of which descends in one of these directions, with commas between. */
  pf_aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only parcels of one of these classes of ruggedness, with commas between. */
  pf_terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** Only parcels whose dominant_type is one of these, with commas between. */
  pf_types?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only parcels of which at least this share is under vegetation. */
  pf_min_vegetated_fraction?: number;
  /** Only parcels of which at least this share is under trees. */
  pf_min_forested_fraction?: number;
  /** Only parcels with at least so many trees; min_tree_count is of the KG. */
  pf_min_tree_count?: number;
  /** Only parcels whose mean slope is at most this. Unit: °. */
  pf_max_slope?: number;
  /** As has_buildings. */
  pf_cadastre_has_buildings?: boolean;
  /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
  pf_cadastre_in_natura2000?: boolean;
  /** Column that parcels are ordered by over all KGs that are read; those without a value stand last. Without it: by KG, in the order of sort, and number. */
  pf_sort?: "area_sqm" | "elevation_m" | "vegetated_fraction" | "forested_fraction" | "ndsm_max_m" | "ndsm_mean_m" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "hansen_total_pixels" | "hansen_recent_5yr_pixels" | "elevation_min_m" | "elevation_max_m" | "elevation_range_m" | "slope_mean_deg" | "aspect_mean_deg" | "tri_mean" | "tpi_mean";
  /** Direction of pf_sort. */
  pf_sort_dir?: "asc" | "desc";
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true: only parcels that a law names; false: only others. */
  has_legal_refs?: boolean;
  /** Only parcels that a law of this context names. */
  legal_context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
  has_natura2000?: boolean;
  /** Only parcels in the Natura 2000 site of this code. */
  natura2000_site?: string;
  /** Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each. */
  natura2000_type?: string;
  /** Only parcels in a site with this tag. Conditions on sites hold for one site together. */
  natura2000_habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
  /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** true leaves out KGs that were not processed. */
  processed_only?: boolean;
  /** Filters type:min_confidence:min_area_sqm, with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass. May be given several times. */
  type_filters?: string[];
  /** Filters type:min_area_sqm:min_fraction, with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass. May be given several times. */
  landcover_filters?: string[];
  /** Column that KGs are ordered by; those without a value stand last, and those alike by code. */
  sort?: "kg_code" | "kg_name" | "gemeinde_code" | "gemeinde_name" | "district_code" | "district_name" | "state_code" | "state_name" | "parcel_count" | "building_count" | "total_area_sqm" | "primary_year" | "dominant_type" | "vegetated_fraction" | "shannon_diversity" | "n_segments" | "elevation_min_m" | "elevation_max_m" | "elevation_mean_m" | "slope_mean_deg" | "aspect_dominant" | "roughness_mean" | "steepness_max_deg" | "elevation_range_m" | "tri_mean" | "terrain_class" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "tree_mean_height_m" | "tree_stem_volume_m3" | "net_volume_change_m3" | "temporal_stability" | "new_building_count" | "infrastructure_count" | "building_footprint_sqm" | "building_mean_height_m" | "building_max_height_m" | "building_stories_mean" | "building_stories_max" | "building_pitched_pct" | "new_building_footprint_sqm" | "new_building_mean_height_m" | "new_building_stories_mean" | "sar_vv_mean_db" | "sar_vh_mean_db" | "ndvi_harm_mean" | "ndvi_harm_amplitude" | "ndvi_harm_phase" | "dtm_change_mean_m" | "n_changed_segments" | "total_disturbed_volume_m3" | "phenology_dominant" | "n_tiles" | "building_height_coverage_pct" | "mean_confidence" | "rf_classified_pct" | "rf_mean_confidence" | "rf_diverged_count" | "rf_diverged_pct" | "quality_score" | "quality_grade" | "zenodo_json_url" | "zenodo_light_gpkg_url" | "zenodo_full_gpkg_url";
  /** Direction of the order. */
  sort_dir?: "asc" | "desc";
  /** Only KGs with one of these values of aspect_dominant, with commas between. */
  aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only KGs with one of these values of dominant_type, with commas between. */
  dominant_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only KGs with one of these values of phenology_dominant, with commas between. */
  phenology?: ("evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown")[];
  /** Only KGs with one of these values of quality_grade, with commas between. */
  quality_grade?: ("A" | "B" | "C" | "D" | "F")[];
  /** Only KGs with one of these values of terrain_class, with commas between. */
  terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** parcel_count at least. */
  min_parcel_count?: number;
  /** parcel_count at most. */
  max_parcel_count?: number;
  /** building_count at least. */
  min_building_count?: number;
  /** building_count at most. */
  max_building_count?: number;
  /** total_area_sqm at least. Unit: m². */
  min_total_area_sqm?: number;
  /** total_area_sqm at most. Unit: m². */
  max_total_area_sqm?: number;
  /** primary_year at least. */
  min_primary_year?: number;
  /** primary_year at most. */
  max_primary_year?: number;
  /** vegetated_fraction at least. */
  min_vegetated_fraction?: number;
  /** vegetated_fraction at most. */
  max_vegetated_fraction?: number;
  /** shannon_diversity at least. */
  min_shannon_diversity?: number;
  /** shannon_diversity at most. */
  max_shannon_diversity?: number;
  /** n_segments at least. */
  min_n_segments?: number;
  /** n_segments at most. */
  max_n_segments?: number;
  /** elevation_min_m at least. Unit: m. */
  min_elevation_min_m?: number;
  /** elevation_min_m at most. Unit: m. */
  max_elevation_min_m?: number;
  /** elevation_max_m at least. Unit: m. */
  min_elevation_max_m?: number;
  /** elevation_max_m at most. Unit: m. */
  max_elevation_max_m?: number;
  /** elevation_mean_m at least. Unit: m. */
  min_elevation_mean_m?: number;
  /** elevation_mean_m at most. Unit: m. */
  max_elevation_mean_m?: number;
  /** slope_mean_deg at least. Unit: °. */
  min_slope_mean_deg?: number;
  /** slope_mean_deg at most. Unit: °. */
  max_slope_mean_deg?: number;
  /** roughness_mean at least. Unit: m. */
  min_roughness_mean?: number;
  /** roughness_mean at most. Unit: m. */
  max_roughness_mean?: number;
  /** steepness_max_deg at least. Unit: °. */
  min_steepness_max_deg?: number;
  /** steepness_max_deg at most. Unit: °. */
  max_steepness_max_deg?: number;
  /** elevation_range_m at least. Unit: m. */
  min_elevation_range_m?: number;
  /** elevation_range_m at most. Unit: m. */
  max_elevation_range_m?: number;
  /** tri_mean at least. Unit: m. */
  min_tri_mean?: number;
  /** tri_mean at most. Unit: m. */
  max_tri_mean?: number;
  /** ndvi_mean at least. */
  min_ndvi_mean?: number;
  /** ndvi_mean at most. */
  max_ndvi_mean?: number;
  /** tree_count at least. */
  min_tree_count?: number;
  /** tree_count at most. */
  max_tree_count?: number;
  /** tree_canopy_sqm at least. Unit: m². */
  min_tree_canopy_sqm?: number;
  /** tree_canopy_sqm at most. Unit: m². */
  max_tree_canopy_sqm?: number;
  /** tree_mean_height_m at least. Unit: m. */
  min_tree_mean_height_m?: number;
  /** tree_mean_height_m at most. Unit: m. */
  max_tree_mean_height_m?: number;
  /** tree_stem_volume_m3 at least. Unit: m³. */
  min_tree_stem_volume_m3?: number;
  /** tree_stem_volume_m3 at most. Unit: m³. */
  max_tree_stem_volume_m3?: number;
  /** net_volume_change_m3 at least. Unit: m³. */
  min_net_volume_change_m3?: number;
  /** net_volume_change_m3 at most. Unit: m³. */
  max_net_volume_change_m3?: number;
  /** temporal_stability at least. */
  min_temporal_stability?: number;
  /** temporal_stability at most. */
  max_temporal_stability?: number;
  /** new_building_count at least. */
  min_new_building_count?: number;
  /** new_building_count at most. */
  max_new_building_count?: number;
  /** infrastructure_count at least. */
  min_infrastructure_count?: number;
  /** infrastructure_count at most. */
  max_infrastructure_count?: number;
  /** building_footprint_sqm at least. Unit: m². */
  min_building_footprint_sqm?: number;
  /** building_footprint_sqm at most. Unit: m². */
  max_building_footprint_sqm?: number;
  /** building_mean_height_m at least. Unit: m. */
  min_building_mean_height_m?: number;
  /** building_mean_height_m at most. Unit: m. */
  max_building_mean_height_m?: number;
  /** building_max_height_m at least. Unit: m. */
  min_building_max_height_m?: number;
  /** building_max_height_m at most. Unit: m. */
  max_building_max_height_m?: number;
  /** building_stories_mean at least. */
  min_building_stories_mean?: number;
  /** building_stories_mean at most. */
  max_building_stories_mean?: number;
  /** building_stories_max at least. */
  min_building_stories_max?: number;
  /** building_stories_max at most. */
  max_building_stories_max?: number;
  /** building_pitched_pct at least. Unit: %. */
  min_building_pitched_pct?: number;
  /** building_pitched_pct at most. Unit: %. */
  max_building_pitched_pct?: number;
  /** new_building_footprint_sqm at least. Unit: m². */
  min_new_building_footprint_sqm?: number;
  /** new_building_footprint_sqm at most. Unit: m². */
  max_new_building_footprint_sqm?: number;
  /** new_building_mean_height_m at least. Unit: m. */
  min_new_building_mean_height_m?: number;
  /** new_building_mean_height_m at most. Unit: m. */
  max_new_building_mean_height_m?: number;
  /** new_building_stories_mean at least. */
  min_new_building_stories_mean?: number;
  /** new_building_stories_mean at most. */
  max_new_building_stories_mean?: number;
  /** sar_vv_mean_db at least. Unit: dB. */
  min_sar_vv_mean_db?: number;
  /** sar_vv_mean_db at most. Unit: dB. */
  max_sar_vv_mean_db?: number;
  /** sar_vh_mean_db at least. Unit: dB. */
  min_sar_vh_mean_db?: number;
  /** sar_vh_mean_db at most. Unit: dB. */
  max_sar_vh_mean_db?: number;
  /** ndvi_harm_mean at least. */
  min_ndvi_harm_mean?: number;
  /** ndvi_harm_mean at most. */
  max_ndvi_harm_mean?: number;
  /** ndvi_harm_amplitude at least. */
  min_ndvi_harm_amplitude?: number;
  /** ndvi_harm_amplitude at most. */
  max_ndvi_harm_amplitude?: number;
  /** ndvi_harm_phase at least. Unit: d. */
  min_ndvi_harm_phase?: number;
  /** ndvi_harm_phase at most. Unit: d. */
  max_ndvi_harm_phase?: number;
  /** dtm_change_mean_m at least. Unit: m. */
  min_dtm_change_mean_m?: number;
  /** dtm_change_mean_m at most. Unit: m. */
  max_dtm_change_mean_m?: number;
  /** n_changed_segments at least. */
  min_n_changed_segments?: number;
  /** n_changed_segments at most. */
  max_n_changed_segments?: number;
  /** total_disturbed_volume_m3 at least. Unit: m³. */
  min_total_disturbed_volume_m3?: number;
  /** total_disturbed_volume_m3 at most. Unit: m³. */
  max_total_disturbed_volume_m3?: number;
  /** n_tiles at least. */
  min_n_tiles?: number;
  /** n_tiles at most. */
  max_n_tiles?: number;
  /** building_height_coverage_pct at least. Unit: %. */
  min_building_height_coverage_pct?: number;
  /** building_height_coverage_pct at most. Unit: %. */
  max_building_height_coverage_pct?: number;
  /** mean_confidence at least. */
  min_mean_confidence?: number;
  /** mean_confidence at most. */
  max_mean_confidence?: number;
  /** rf_classified_pct at least. Unit: %. */
  min_rf_classified_pct?: number;
  /** rf_classified_pct at most. Unit: %. */
  max_rf_classified_pct?: number;
  /** rf_mean_confidence at least. */
  min_rf_mean_confidence?: number;
  /** rf_mean_confidence at most. */
  max_rf_mean_confidence?: number;
  /** rf_diverged_count at least. */
  min_rf_diverged_count?: number;
  /** rf_diverged_count at most. */
  max_rf_diverged_count?: number;
  /** rf_diverged_pct at least. Unit: %. */
  min_rf_diverged_pct?: number;
  /** rf_diverged_pct at most. Unit: %. */
  max_rf_diverged_pct?: number;
  /** quality_score at least. */
  min_quality_score?: number;
  /** quality_score at most. */
  max_quality_score?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandscapeParcelsBatchPostParameters {
  /** These parcels, <kg_code>-<gnr> with commas between; a slash is %2F. Filters on parcels hold beside, those on KGs do not. */
  parcel_ids?: string[];
  /** Only parcels of this KG: its code, padded or not. */
  kg?: string;
  /** KGs that are read at most, the first in the order of sort. */
  kg_limit?: number;
  /** false: rows have what analysis found and not what the cadastre knows; parcels that were not analysed are left out. */
  cadastre_enrich?: boolean;
  /** Only parcels most of which descends in one of these directions, with commas between. */
  pf_aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only parcels of one of these classes of ruggedness, with commas between. */
  pf_terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** Only parcels whose dominant_type is one of these, with commas between. */
  pf_types?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only parcels of which at least this share is under vegetation. */
  pf_min_vegetated_fraction?: number;
  /** Only parcels of which at least this share is under trees. */
  pf_min_forested_fraction?: number;
  /** Only parcels with at least so many trees; min_tree_count is of the KG. */
  pf_min_tree_count?: number;
  /** Only parcels whose mean slope is at most this. Unit: °. */
  pf_max_slope?: number;
  /** As has_buildings. */
  pf_cadastre_has_buildings?: boolean;
  /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
  pf_cadastre_in_natura2000?: boolean;
  /** Column that parcels are ordered by over all KGs that are read; those without a value stand last. Without it: by KG, in the order of sort, and number. */
  pf_sort?: "area_sqm" | "elevation_m" | "vegetated_fraction" | "forested_fraction" | "ndsm_max_m" | "ndsm_mean_m" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "hansen_total_pixels" | "hansen_recent_5yr_pixels" | "elevation_min_m" | "elevation_max_m" | "elevation_range_m" | "slope_mean_deg" | "aspect_mean_deg" | "tri_mean" | "tpi_mean";
  /** Direction of pf_sort. */
  pf_sort_dir?: "asc" | "desc";
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true: only parcels that a law names; false: only others. */
  has_legal_refs?: boolean;
  /** Only parcels that a law of this context names. */
  legal_context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
  has_natura2000?: boolean;
  /** Only parcels in the Natura 2000 site of this code. */
  natura2000_site?: string;
  /** Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each. */
  natura2000_type?: string;
  /** Only parcels in a site with this tag. Conditions on sites hold for one site together. */
  natura2000_habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
  /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** true leaves out KGs that were not processed. */
  processed_only?: boolean;
  /** Filters type:min_confidence:min_area_sqm, with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass. May be given several times. */
  type_filters?: string[];
  /** Filters type:min_area_sqm:min_fraction, with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass. May be given several times. */
  landcover_filters?: string[];
  /** Column that KGs are ordered by; those without a value stand last, and those alike by code. */
  sort?: "kg_code" | "kg_name" | "gemeinde_code" | "gemeinde_name" | "district_code" | "district_name" | "state_code" | "state_name" | "parcel_count" | "building_count" | "total_area_sqm" | "primary_year" | "dominant_type" | "vegetated_fraction" | "shannon_diversity" | "n_segments" | "elevation_min_m" | "elevation_max_m" | "elevation_mean_m" | "slope_mean_deg" | "aspect_dominant" | "roughness_mean" | "steepness_max_deg" | "elevation_range_m" | "tri_mean" | "terrain_class" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "tree_mean_height_m" | "tree_stem_volume_m3" | "net_volume_change_m3" | "temporal_stability" | "new_building_count" | "infrastructure_count" | "building_footprint_sqm" | "building_mean_height_m" | "building_max_height_m" | "building_stories_mean" | "building_stories_max" | "building_pitched_pct" | "new_building_footprint_sqm" | "new_building_mean_height_m" | "new_building_stories_mean" | "sar_vv_mean_db" | "sar_vh_mean_db" | "ndvi_harm_mean" | "ndvi_harm_amplitude" | "ndvi_harm_phase" | "dtm_change_mean_m" | "n_changed_segments" | "total_disturbed_volume_m3" | "phenology_dominant" | "n_tiles" | "building_height_coverage_pct" | "mean_confidence" | "rf_classified_pct" | "rf_mean_confidence" | "rf_diverged_count" | "rf_diverged_pct" | "quality_score" | "quality_grade" | "zenodo_json_url" | "zenodo_light_gpkg_url" | "zenodo_full_gpkg_url";
  /** Direction of the order. */
  sort_dir?: "asc" | "desc";
  /** Only KGs with one of these values of aspect_dominant, with commas between. */
  aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only KGs with one of these values of dominant_type, with commas between. */
  dominant_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only KGs with one of these values of phenology_dominant, with commas between. */
  phenology?: ("evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown")[];
  /** Only KGs with one of these values of quality_grade, with commas between. */
  quality_grade?: ("A" | "B" | "C" | "D" | "F")[];
  /** Only KGs with one of these values of terrain_class, with commas between. */
  terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** parcel_count at least. */
  min_parcel_count?: number;
  /** parcel_count at most. */
  max_parcel_count?: number;
  /** building_count at least. */
  min_building_count?: number;
  /** building_count at most. */
  max_building_count?: number;
  /** total_area_sqm at least. Unit: m². */
  min_total_area_sqm?: number;
  /** total_area_sqm at most. Unit: m². */
  max_total_area_sqm?: number;
  /** primary_year at least. */
  min_primary_year?: number;
  /** primary_year at most. */
  max_primary_year?: number;
  /** vegetated_fraction at least. */
  min_vegetated_fraction?: number;
  /** vegetated_fraction at most. */
  max_vegetated_fraction?: number;
  /** shannon_diversity at least. */
  min_shannon_diversity?: number;
  /** shannon_diversity at most. */
  max_shannon_diversity?: number;
  /** n_segments at least. */
  min_n_segments?: number;
  /** n_segments at most. */
  max_n_segments?: number;
  /** elevation_min_m at least. Unit: m. */
  min_elevation_min_m?: number;
  /** elevation_min_m at most. Unit: m. */
  max_elevation_min_m?: number;
  /** elevation_max_m at least. Unit: m. */
  min_elevation_max_m?: number;
  /** elevation_max_m at most. Unit: m. */
  max_elevation_max_m?: number;
  /** elevation_mean_m at least. Unit: m. */
  min_elevation_mean_m?: number;
  /** elevation_mean_m at most. Unit: m. */
  max_elevation_mean_m?: number;
  /** slope_mean_deg at least. Unit: °. */
  min_slope_mean_deg?: number;
  /** slope_mean_deg at most. Unit: °. */
  max_slope_mean_deg?: number;
  /** roughness_mean at least. Unit: m. */
  min_roughness_mean?: number;
  /** roughness_mean at most. Unit: m. */
  max_roughness_mean?: number;
  /** steepness_max_deg at least. Unit: °. */
  min_steepness_max_deg?: number;
  /** steepness_max_deg at most. Unit: °. */
  max_steepness_max_deg?: number;
  /** elevation_range_m at least. Unit: m. */
  min_elevation_range_m?: number;
  /** elevation_range_m at most. Unit: m. */
  max_elevation_range_m?: number;
  /** tri_mean at least. Unit: m. */
  min_tri_mean?: number;
  /** tri_mean at most. Unit: m. */
  max_tri_mean?: number;
  /** ndvi_mean at least. */
  min_ndvi_mean?: number;
  /** ndvi_mean at most. */
  max_ndvi_mean?: number;
  /** tree_count at least. */
  min_tree_count?: number;
  /** tree_count at most. */
  max_tree_count?: number;
  /** tree_canopy_sqm at least. Unit: m². */
  min_tree_canopy_sqm?: number;
  /** tree_canopy_sqm at most. Unit: m². */
  max_tree_canopy_sqm?: number;
  /** tree_mean_height_m at least. Unit: m. */
  min_tree_mean_height_m?: number;
  /** tree_mean_height_m at most. Unit: m. */
  max_tree_mean_height_m?: number;
  /** tree_stem_volume_m3 at least. Unit: m³. */
  min_tree_stem_volume_m3?: number;
  /** tree_stem_volume_m3 at most. Unit: m³. */
  max_tree_stem_volume_m3?: number;
  /** net_volume_change_m3 at least. Unit: m³. */
  min_net_volume_change_m3?: number;
  /** net_volume_change_m3 at most. Unit: m³. */
  max_net_volume_change_m3?: number;
  /** temporal_stability at least. */
  min_temporal_stability?: number;
  /** temporal_stability at most. */
  max_temporal_stability?: number;
  /** new_building_count at least. */
  min_new_building_count?: number;
  /** new_building_count at most. */
  max_new_building_count?: number;
  /** infrastructure_count at least. */
  min_infrastructure_count?: number;
  /** infrastructure_count at most. */
  max_infrastructure_count?: number;
  /** building_footprint_sqm at least. Unit: m². */
  min_building_footprint_sqm?: number;
  /** building_footprint_sqm at most. Unit: m². */
  max_building_footprint_sqm?: number;
  /** building_mean_height_m at least. Unit: m. */
  min_building_mean_height_m?: number;
  /** building_mean_height_m at most. Unit: m. */
  max_building_mean_height_m?: number;
  /** building_max_height_m at least. Unit: m. */
  min_building_max_height_m?: number;
  /** building_max_height_m at most. Unit: m. */
  max_building_max_height_m?: number;
  /** building_stories_mean at least. */
  min_building_stories_mean?: number;
  /** building_stories_mean at most. */
  max_building_stories_mean?: number;
  /** building_stories_max at least. */
  min_building_stories_max?: number;
  /** building_stories_max at most. */
  max_building_stories_max?: number;
  /** building_pitched_pct at least. Unit: %. */
  min_building_pitched_pct?: number;
  /** building_pitched_pct at most. Unit: %. */
  max_building_pitched_pct?: number;
  /** new_building_footprint_sqm at least. Unit: m². */
  min_new_building_footprint_sqm?: number;
  /** new_building_footprint_sqm at most. Unit: m². */
  max_new_building_footprint_sqm?: number;
  /** new_building_mean_height_m at least. Unit: m. */
  min_new_building_mean_height_m?: number;
  /** new_building_mean_height_m at most. Unit: m. */
  max_new_building_mean_height_m?: number;
  /** new_building_stories_mean at least. */
  min_new_building_stories_mean?: number;
  /** new_building_stories_mean at most. */
  max_new_building_stories_mean?: number;
  /** sar_vv_mean_db at least. Unit: dB. */
  min_sar_vv_mean_db?: number;
  /** sar_vv_mean_db at most. Unit: dB. */
  max_sar_vv_mean_db?: number;
  /** sar_vh_mean_db at least. Unit: dB. */
  min_sar_vh_mean_db?: number;
  /** sar_vh_mean_db at most. Unit: dB. */
  max_sar_vh_mean_db?: number;
  /** ndvi_harm_mean at least. */
  min_ndvi_harm_mean?: number;
  /** ndvi_harm_mean at most. */
  max_ndvi_harm_mean?: number;
  /** ndvi_harm_amplitude at least. */
  min_ndvi_harm_amplitude?: number;
  /** ndvi_harm_amplitude at most. */
  max_ndvi_harm_amplitude?: number;
  /** ndvi_harm_phase at least. Unit: d. */
  min_ndvi_harm_phase?: number;
  /** ndvi_harm_phase at most. Unit: d. */
  max_ndvi_harm_phase?: number;
  /** dtm_change_mean_m at least. Unit: m. */
  min_dtm_change_mean_m?: number;
  /** dtm_change_mean_m at most. Unit: m. */
  max_dtm_change_mean_m?: number;
  /** n_changed_segments at least. */
  min_n_changed_segments?: number;
  /** n_changed_segments at most. */
  max_n_changed_segments?: number;
  /** total_disturbed_volume_m3 at least. Unit: m³. */
  min_total_disturbed_volume_m3?: number;
  /** total_disturbed_volume_m3 at most. Unit: m³. */
  max_total_disturbed_volume_m3?: number;
  /** n_tiles at least. */
  min_n_tiles?: number;
  /** n_tiles at most. */
  max_n_tiles?: number;
  /** building_height_coverage_pct at least. Unit: %. */
  min_building_height_coverage_pct?: number;
  /** building_height_coverage_pct at most. Unit: %. */
  max_building_height_coverage_pct?: number;
  /** mean_confidence at least. */
  min_mean_confidence?: number;
  /** mean_confidence at most. */
  max_mean_confidence?: number;
  /** rf_classified_pct at least. Unit: %. */
  min_rf_classified_pct?: number;
  /** rf_classified_pct at most. Unit: %. */
  max_rf_classified_pct?: number;
  /** rf_mean_confidence at least. */
  min_rf_mean_confidence?: number;
  /** rf_mean_confidence at most. */
  max_rf_mean_confidence?: number;
  /** rf_diverged_count at least. */
  min_rf_diverged_count?: number;
  /** rf_diverged_count at most. */
  max_rf_diverged_count?: number;
  /** rf_diverged_pct at least. Unit: %. */
  min_rf_diverged_pct?: number;
  /** rf_diverged_pct at most. Unit: %. */
  max_rf_diverged_pct?: number;
  /** quality_score at least. */
  min_quality_score?: number;
  /** quality_score at most. */
  max_quality_score?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  body: {
    /** Only KGs with one of these values of aspect_dominant, with commas between. */
    aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
    /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
    bbox?: string;
    /** false: rows have what analysis found and not what the cadastre knows; parcels that were not analysed are left out. */
    cadastre_enrich?: boolean;
    /** which KGs: the body of POST /query/compound */
    compound?: Open;
    /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
    district?: string;
    /** Only KGs with one of these values of dominant_type, with commas between. */
    dominant_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
    /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
    gemeinde?: string;
    /** true: only parcels with an address point or a footprint; false: only parcels without. */
    has_buildings?: boolean;
    /** true: only parcels that a law names; false: only others. */
    has_legal_refs?: boolean;
    /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
    has_natura2000?: boolean;
    /** Only parcels of this KG: its code, padded or not. */
    kg?: string;
    /** KGs that are read at most, the first in the order of sort. */
    kg_limit?: number;
    /** Filters type:min_area_sqm:min_fraction, with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass. May be given several times. */
    landcover_filters?: (string | CoverObject)[];
    /** beside query: as parcel_filters */
    landscape_filters?: Open;
    /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
    landuse?: string;
    /** Only parcels that a law of this context names. */
    legal_context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
    /** Rows in one answer at most. */
    limit?: number;
    /** Only parcels of at most this area. Unit: m². */
    max_area?: number;
    /** building_count at most. */
    max_building_count?: number;
    /** building_footprint_sqm at most. Unit: m². */
    max_building_footprint_sqm?: number;
    /** building_height_coverage_pct at most. Unit: %. */
    max_building_height_coverage_pct?: number;
    /** building_max_height_m at most. Unit: m. */
    max_building_max_height_m?: number;
    /** building_mean_height_m at most. Unit: m. */
    max_building_mean_height_m?: number;
    /** building_pitched_pct at most. Unit: %. */
    max_building_pitched_pct?: number;
    /** building_stories_max at most. */
    max_building_stories_max?: number;
    /** building_stories_mean at most. */
    max_building_stories_mean?: number;
    /** dtm_change_mean_m at most. Unit: m. */
    max_dtm_change_mean_m?: number;
    /** elevation_max_m at most. Unit: m. */
    max_elevation_max_m?: number;
    /** elevation_mean_m at most. Unit: m. */
    max_elevation_mean_m?: number;
    /** elevation_min_m at most. Unit: m. */
    max_elevation_min_m?: number;
    /** elevation_range_m at most. Unit: m. */
    max_elevation_range_m?: number;
    /** infrastructure_count at most. */
    max_infrastructure_count?: number;
    /** mean_confidence at most. */
    max_mean_confidence?: number;
    /** n_changed_segments at most. */
    max_n_changed_segments?: number;
    /** n_segments at most. */
    max_n_segments?: number;
    /** n_tiles at most. */
    max_n_tiles?: number;
    /** ndvi_harm_amplitude at most. */
    max_ndvi_harm_amplitude?: number;
    /** ndvi_harm_mean at most. */
    max_ndvi_harm_mean?: number;
    /** ndvi_harm_phase at most. Unit: d. */
    max_ndvi_harm_phase?: number;
    /** ndvi_mean at most. */
    max_ndvi_mean?: number;
    /** net_volume_change_m3 at most. Unit: m³. */
    max_net_volume_change_m3?: number;
    /** new_building_count at most. */
    max_new_building_count?: number;
    /** new_building_footprint_sqm at most. Unit: m². */
    max_new_building_footprint_sqm?: number;
    /** new_building_mean_height_m at most. Unit: m. */
    max_new_building_mean_height_m?: number;
    /** new_building_stories_mean at most. */
    max_new_building_stories_mean?: number;
    /** parcel_count at most. */
    max_parcel_count?: number;
    /** primary_year at most. */
    max_primary_year?: number;
    /** quality_score at most. */
    max_quality_score?: number;
    /** rf_classified_pct at most. Unit: %. */
    max_rf_classified_pct?: number;
    /** rf_diverged_count at most. */
    max_rf_diverged_count?: number;
    /** rf_diverged_pct at most. Unit: %. */
    max_rf_diverged_pct?: number;
    /** rf_mean_confidence at most. */
    max_rf_mean_confidence?: number;
    /** roughness_mean at most. Unit: m. */
    max_roughness_mean?: number;
    /** sar_vh_mean_db at most. Unit: dB. */
    max_sar_vh_mean_db?: number;
    /** sar_vv_mean_db at most. Unit: dB. */
    max_sar_vv_mean_db?: number;
    /** shannon_diversity at most. */
    max_shannon_diversity?: number;
    /** slope_mean_deg at most. Unit: °. */
    max_slope_mean_deg?: number;
    /** steepness_max_deg at most. Unit: °. */
    max_steepness_max_deg?: number;
    /** temporal_stability at most. */
    max_temporal_stability?: number;
    /** total_area_sqm at most. Unit: m². */
    max_total_area_sqm?: number;
    /** total_disturbed_volume_m3 at most. Unit: m³. */
    max_total_disturbed_volume_m3?: number;
    /** tree_canopy_sqm at most. Unit: m². */
    max_tree_canopy_sqm?: number;
    /** tree_count at most. */
    max_tree_count?: number;
    /** tree_mean_height_m at most. Unit: m. */
    max_tree_mean_height_m?: number;
    /** tree_stem_volume_m3 at most. Unit: m³. */
    max_tree_stem_volume_m3?: number;
    /** tri_mean at most. Unit: m. */
    max_tri_mean?: number;
    /** vegetated_fraction at most. */
    max_vegetated_fraction?: number;
    /** Only parcels of at least this area. Unit: m². */
    min_area?: number;
    /** building_count at least. */
    min_building_count?: number;
    /** building_footprint_sqm at least. Unit: m². */
    min_building_footprint_sqm?: number;
    /** building_height_coverage_pct at least. Unit: %. */
    min_building_height_coverage_pct?: number;
    /** building_max_height_m at least. Unit: m. */
    min_building_max_height_m?: number;
    /** building_mean_height_m at least. Unit: m. */
    min_building_mean_height_m?: number;
    /** building_pitched_pct at least. Unit: %. */
    min_building_pitched_pct?: number;
    /** building_stories_max at least. */
    min_building_stories_max?: number;
    /** building_stories_mean at least. */
    min_building_stories_mean?: number;
    /** dtm_change_mean_m at least. Unit: m. */
    min_dtm_change_mean_m?: number;
    /** elevation_max_m at least. Unit: m. */
    min_elevation_max_m?: number;
    /** elevation_mean_m at least. Unit: m. */
    min_elevation_mean_m?: number;
    /** elevation_min_m at least. Unit: m. */
    min_elevation_min_m?: number;
    /** elevation_range_m at least. Unit: m. */
    min_elevation_range_m?: number;
    /** infrastructure_count at least. */
    min_infrastructure_count?: number;
    /** mean_confidence at least. */
    min_mean_confidence?: number;
    /** n_changed_segments at least. */
    min_n_changed_segments?: number;
    /** n_segments at least. */
    min_n_segments?: number;
    /** n_tiles at least. */
    min_n_tiles?: number;
    /** ndvi_harm_amplitude at least. */
    min_ndvi_harm_amplitude?: number;
    /** ndvi_harm_mean at least. */
    min_ndvi_harm_mean?: number;
    /** ndvi_harm_phase at least. Unit: d. */
    min_ndvi_harm_phase?: number;
    /** ndvi_mean at least. */
    min_ndvi_mean?: number;
    /** net_volume_change_m3 at least. Unit: m³. */
    min_net_volume_change_m3?: number;
    /** new_building_count at least. */
    min_new_building_count?: number;
    /** new_building_footprint_sqm at least. Unit: m². */
    min_new_building_footprint_sqm?: number;
    /** new_building_mean_height_m at least. Unit: m. */
    min_new_building_mean_height_m?: number;
    /** new_building_stories_mean at least. */
    min_new_building_stories_mean?: number;
    /** parcel_count at least. */
    min_parcel_count?: number;
    /** primary_year at least. */
    min_primary_year?: number;
    /** quality_score at least. */
    min_quality_score?: number;
    /** rf_classified_pct at least. Unit: %. */
    min_rf_classified_pct?: number;
    /** rf_diverged_count at least. */
    min_rf_diverged_count?: number;
    /** rf_diverged_pct at least. Unit: %. */
    min_rf_diverged_pct?: number;
    /** rf_mean_confidence at least. */
    min_rf_mean_confidence?: number;
    /** roughness_mean at least. Unit: m. */
    min_roughness_mean?: number;
    /** sar_vh_mean_db at least. Unit: dB. */
    min_sar_vh_mean_db?: number;
    /** sar_vv_mean_db at least. Unit: dB. */
    min_sar_vv_mean_db?: number;
    /** shannon_diversity at least. */
    min_shannon_diversity?: number;
    /** slope_mean_deg at least. Unit: °. */
    min_slope_mean_deg?: number;
    /** steepness_max_deg at least. Unit: °. */
    min_steepness_max_deg?: number;
    /** temporal_stability at least. */
    min_temporal_stability?: number;
    /** total_area_sqm at least. Unit: m². */
    min_total_area_sqm?: number;
    /** total_disturbed_volume_m3 at least. Unit: m³. */
    min_total_disturbed_volume_m3?: number;
    /** tree_canopy_sqm at least. Unit: m². */
    min_tree_canopy_sqm?: number;
    /** tree_count at least. */
    min_tree_count?: number;
    /** tree_mean_height_m at least. Unit: m. */
    min_tree_mean_height_m?: number;
    /** tree_stem_volume_m3 at least. Unit: m³. */
    min_tree_stem_volume_m3?: number;
    /** tri_mean at least. Unit: m. */
    min_tri_mean?: number;
    /** vegetated_fraction at least. */
    min_vegetated_fraction?: number;
    /** Only parcels in a site with this tag. Conditions on sites hold for one site together. */
    natura2000_habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
    /** Only parcels in the Natura 2000 site of this code. */
    natura2000_site?: string;
    /** Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each. */
    natura2000_type?: string;
    /** Rows to leave out from the start. */
    offset?: number;
    /** beside compound: the parameters pf_* without pf_, and those of the cadastre */
    parcel_filters?: Open;
    /** These parcels, <kg_code>-<gnr> with commas between; a slash is %2F. Filters on parcels hold beside, those on KGs do not. */
    parcel_ids?: string[];
    /** Only parcels most of which descends in one of these directions, with commas between. */
    pf_aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
    /** As has_buildings. */
    pf_cadastre_has_buildings?: boolean;
    /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
    pf_cadastre_in_natura2000?: boolean;
    /** Only parcels whose mean slope is at most this. Unit: °. */
    pf_max_slope?: number;
    /** Only parcels of which at least this share is under trees. */
    pf_min_forested_fraction?: number;
    /** Only parcels with at least so many trees; min_tree_count is of the KG. */
    pf_min_tree_count?: number;
    /** Only parcels of which at least this share is under vegetation. */
    pf_min_vegetated_fraction?: number;
    /** Column that parcels are ordered by over all KGs that are read; those without a value stand last. Without it: by KG, in the order of sort, and number. */
    pf_sort?: "area_sqm" | "elevation_m" | "vegetated_fraction" | "forested_fraction" | "ndsm_max_m" | "ndsm_mean_m" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "hansen_total_pixels" | "hansen_recent_5yr_pixels" | "elevation_min_m" | "elevation_max_m" | "elevation_range_m" | "slope_mean_deg" | "aspect_mean_deg" | "tri_mean" | "tpi_mean";
    /** Direction of pf_sort. */
    pf_sort_dir?: "asc" | "desc";
    /** Only parcels of one of these classes of ruggedness, with commas between. */
    pf_terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
    /** Only parcels whose dominant_type is one of these, with commas between. */
    pf_types?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
    /** Only KGs with one of these values of phenology_dominant, with commas between. */
    phenology?: ("evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown")[];
    /** true leaves out KGs that were not processed. */
    processed_only?: boolean;
    /** Only KGs with one of these values of quality_grade, with commas between. */
    quality_grade?: ("A" | "B" | "C" | "D" | "F")[];
    /** which parcels of the cadastre: kg, district, landuse, natura2000_site and the others */
    query?: Open;
    /** Column that KGs are ordered by; those without a value stand last, and those alike by code. */
    sort?: "kg_code" | "kg_name" | "gemeinde_code" | "gemeinde_name" | "district_code" | "district_name" | "state_code" | "state_name" | "parcel_count" | "building_count" | "total_area_sqm" | "primary_year" | "dominant_type" | "vegetated_fraction" | "shannon_diversity" | "n_segments" | "elevation_min_m" | "elevation_max_m" | "elevation_mean_m" | "slope_mean_deg" | "aspect_dominant" | "roughness_mean" | "steepness_max_deg" | "elevation_range_m" | "tri_mean" | "terrain_class" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "tree_mean_height_m" | "tree_stem_volume_m3" | "net_volume_change_m3" | "temporal_stability" | "new_building_count" | "infrastructure_count" | "building_footprint_sqm" | "building_mean_height_m" | "building_max_height_m" | "building_stories_mean" | "building_stories_max" | "building_pitched_pct" | "new_building_footprint_sqm" | "new_building_mean_height_m" | "new_building_stories_mean" | "sar_vv_mean_db" | "sar_vh_mean_db" | "ndvi_harm_mean" | "ndvi_harm_amplitude" | "ndvi_harm_phase" | "dtm_change_mean_m" | "n_changed_segments" | "total_disturbed_volume_m3" | "phenology_dominant" | "n_tiles" | "building_height_coverage_pct" | "mean_confidence" | "rf_classified_pct" | "rf_mean_confidence" | "rf_diverged_count" | "rf_diverged_pct" | "quality_score" | "quality_grade" | "zenodo_json_url" | "zenodo_light_gpkg_url" | "zenodo_full_gpkg_url";
    /** Direction of the order. */
    sort_dir?: "asc" | "desc";
    /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
    state?: string;
    /** Only KGs with one of these values of terrain_class, with commas between. */
    terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
    /** Filters type:min_confidence:min_area_sqm, with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass. May be given several times. */
    type_filters?: (string | TypeObject)[];
  };
}

export interface LandscapeParcelsParameters {
  /** Only parcels of this KG: its code, padded or not. */
  kg?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** true leaves out KGs that were not processed. */
  processed_only?: boolean;
  /** Only parcels most of which descends in one of these directions, with commas between. */
  pf_aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only parcels of one of these classes of ruggedness, with commas between. */
  pf_terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** Only parcels whose dominant_type is one of these, with commas between. */
  pf_types?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only parcels of which at least this share is under vegetation. */
  pf_min_vegetated_fraction?: number;
  /** Only parcels of which at least this share is under trees. */
  pf_min_forested_fraction?: number;
  /** Only parcels with at least so many trees; min_tree_count is of the KG. */
  pf_min_tree_count?: number;
  /** Only parcels whose mean slope is at most this. Unit: °. */
  pf_max_slope?: number;
  /** Column that parcels are ordered by over all KGs that are read; those without a value stand last. Without it: by KG, in the order of sort, and number. */
  pf_sort?: "area_sqm" | "elevation_m" | "vegetated_fraction" | "forested_fraction" | "ndsm_max_m" | "ndsm_mean_m" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "hansen_total_pixels" | "hansen_recent_5yr_pixels" | "elevation_min_m" | "elevation_max_m" | "elevation_range_m" | "slope_mean_deg" | "aspect_mean_deg" | "tri_mean" | "tpi_mean";
  /** Direction of pf_sort. */
  pf_sort_dir?: "asc" | "desc";
  /** false: rows have what analysis found and not what the cadastre knows; parcels that were not analysed are left out. */
  cadastre_enrich?: boolean;
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true: only parcels that a law names; false: only others. */
  has_legal_refs?: boolean;
  /** Only parcels that a law of this context names. */
  legal_context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
  has_natura2000?: boolean;
  /** Only parcels in the Natura 2000 site of this code. */
  natura2000_site?: string;
  /** Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each. */
  natura2000_type?: string;
  /** Only parcels in a site with this tag. Conditions on sites hold for one site together. */
  natura2000_habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** A parcel with its conservation score. Required members stand in every row, unless fields= chooses others. */
export type LandscapeRankedParcel = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Mean direction of descent from north clockwise; -1: flat. Unit: °. */
  aspect_mean_deg: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  conservation: ScoreBody;
  /** 0 to 100. */
  conservation_score: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Type with the largest area. */
  dominant_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Terrain at the centroid. Unit: m. */
  elevation_m: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  elevation_range_m: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Share of the parcel under trees. */
  forested_fraction: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** Of them, those of the last five years of the map. */
  hansen_recent_5yr_pixels: number | null;
  /** Cells of 30 m of the global forest map with a loss. */
  hansen_total_pixels: number | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** The centroid lies in a protected area. */
  in_protected_area: boolean | null;
  /** Whether more than half of it is under vegetation. */
  is_vegetated: boolean | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Land-use codes of the parcel's symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_summary: Record<string, number>;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  legal_contexts?: string[];
  /** References of laws to the parcel; left out without one. */
  legal_ref_count?: number | null;
  legal_refs?: LegalBrief[];
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  natura2000_sites?: SiteBrief[];
  /** Greatest height above the ground. Unit: m. */
  ndsm_max_m: number | null;
  /** Mean height above the ground. Unit: m. */
  ndsm_mean_m: number | null;
  /** Mean vegetation index. */
  ndvi_mean: number | null;
  /** It lies outside all, within 500 m of one. */
  near_protected_area: boolean | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Whether the KG was analysed and the parcel was there; the columns behind are null otherwise. */
  processed: boolean | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** Mean slope. Unit: °. */
  slope_mean_deg: number | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Ruggedness by the mean TRI of cells of 1 m. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Mean topographic position index; positive on ridges. Unit: m. */
  tpi_mean: number | null;
  /** Area of the crowns of those trees. Unit: m². */
  tree_canopy_sqm: number | null;
  /** Trees whose apex stands on it. */
  tree_count: number | null;
  /** Mean terrain ruggedness index. Unit: m. */
  tri_mean: number | null;
  /** Share of the parcel under vegetation. */
  vegetated_fraction: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

/** A part of the land that is one thing. Required members stand in every row, unless fields= chooses others. */
export type LandscapeSegment = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Mean direction of descent from north clockwise; -1: flat. Unit: °. */
  aspect_mean_deg: number | null;
  /** Mean of red, green and blue, 0 to 255. */
  brightness_mean: number | null;
  /** What told the type: the trained model, rules, or the infrastructure of the community map. */
  classifier_source: "rf" | "rules" | "infra" | null;
  /** 4 pi A / P²; 1 is a circle. */
  compactness: number | null;
  /** How sure the type is. */
  confidence: number | null;
  /** Mean curvature; positive where convex. Unit: 1/m. */
  curvature_mean: number | null;
  /** Strength of its border in the surface. */
  dsm_edge_strength: number | null;
  /** Change of the terrain between scans. Unit: m. */
  dtm_change: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  dtm_range_m: number | null;
  /** Mean difference of the brightness across its border. */
  edge_contrast: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** 1 - minor / major axis. */
  elongation: number | null;
  /** Area by that of the box. */
  extent: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Entropy of the texture. */
  glcm_entropy: number | null;
  /** Homogeneity of the texture. */
  glcm_homogeneity: number | null;
  /** Mean of (nir - green) / (nir + green). */
  gndvi_mean: number | null;
  /** Code of the group that it is put in; null: in none. */
  group_id: number | null;
  /** Name of the group. */
  group_type: string | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  harm_amplitude: number | null;
  /** Day of the year on which it is highest. Unit: d. */
  harm_phase: number | null;
  /** Change of the height above the ground between scans. Unit: m. */
  height_change: number | null;
  /** Greatest height above the ground. Unit: m. */
  height_max_m: number | null;
  /** Mean height above the ground. Unit: m. */
  height_mean_m: number | null;
  /** 10th percentile of the heights. Unit: m. */
  height_p10_m: number | null;
  /** 90th percentile of the heights. Unit: m. */
  height_p90_m: number | null;
  /** Standard deviation of the heights. Unit: m. */
  height_std_m: number | null;
  /** Name of the object by its place. */
  id: string | null;
  /** Whether people made it. */
  is_manmade: boolean | null;
  /** Land cover by satellites that most of it has. */
  landcover_prior: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Mean of the indices of orthophoto and satellite. */
  ndvi_fused: number | null;
  /** Mean vegetation index of the orthophoto. */
  ndvi_mean: number | null;
  /** Standard deviation of the vegetation index. */
  ndvi_std: number | null;
  /** Mean near infrared, 0 to 255. */
  nir_mean: number | null;
  /** Standard deviation of the near infrared. */
  nir_std: number | null;
  /** Code of the land register that most of it has; null: unknown. */
  parcel_landuse: number | null;
  /** Course of the vegetation index over the year. */
  phenology_class: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** How sure the model is. */
  rf_confidence: number | null;
  /** What the trained model takes it for; null without one. */
  rf_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Roughness of the surface. Unit: m. */
  roughness: number | null;
  /** sar_vv - sar_vh. Unit: dB. */
  sar_ratio: number | null;
  /** Radar backscatter, VH. Unit: dB. */
  sar_vh: number | null;
  /** Radar backscatter, VV. Unit: dB. */
  sar_vv: number | null;
  /** Share of cells in shadow. */
  shadow_fraction: number | null;
  /** Mean slope of the terrain. Unit: °. */
  slope_mean: number | null;
  /** Area by that of the convex hull. */
  solidity: number | null;
  /** Share of cells whose height did not change. */
  temporal_stability: number | null;
  /** Ruggedness by the mean TRI of cells of 1 m. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** glcm_entropy / 10 · (1 - glcm_homogeneity). */
  texture_complexity: number | null;
  /** Mean topographic position index; positive on ridges. Unit: m. */
  tpi_mean: number | null;
  /** Mean terrain ruggedness index. Unit: m. */
  tri_mean: number | null;
  /** What it is. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Code of the type. */
  type_code: number | null;
};

/** Infrastructure of the country's largest. Required members stand in every row, unless fields= chooses others. */
export type LandscapeTopInfrastructure = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** Longitude and latitude of a place in it. */
  at: number[] | null;
  /** How sure its type is. */
  confidence: number | null;
  /** Estimated parking spots; null of what is no parking place. */
  est_parking_spots: number | null;
  /** Name of the object by its place. */
  id: string | null;
  /** KG that it stands in. */
  kg_code: string | null;
  /** Greatest height above the ground. Unit: m. */
  max_height_m: number | null;
  /** Type of the object. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Volume above the ground. Unit: m³. */
  volume_m3: number | null;
};

/** A new building of the country's largest. Required members stand in every row, unless fields= chooses others. */
export type LandscapeTopNewBuilding = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** Longitude and latitude of a place in it. */
  at: number[] | null;
  /** How sure it is. */
  confidence: number | null;
  /** Name of the object by its place. */
  id: string | null;
  /** KG that it stands in. */
  kg_code: string | null;
  /** Greatest height above the ground. Unit: m. */
  max_height_m: number | null;
  /** Form of the roof by its surface. */
  roof_type_hint: "flat" | "pitched" | null;
  /** Estimated storeys. */
  stories_est: number | null;
  /** Type of the object. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
};

/** An object of the country's largest of its type. Required members stand in every row, unless fields= chooses others. */
export type LandscapeTopObject = {
  /** Area. Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Mean direction of descent from north clockwise; -1: flat. Unit: °. */
  aspect_mean_deg: number | null;
  /** Longitude and latitude of a place in it. */
  at: number[] | null;
  /** Mean of red, green and blue, 0 to 255. */
  brightness_mean: number | null;
  /** What told the type: the trained model, rules, or the infrastructure of the community map. */
  classifier_source: "rf" | "rules" | "infra" | null;
  /** 4 pi A / P²; 1 is a circle. */
  compactness: number | null;
  /** How sure the type is. */
  confidence: number | null;
  /** Mean curvature; positive where convex. Unit: 1/m. */
  curvature_mean: number | null;
  /** Strength of its border in the surface. */
  dsm_edge_strength: number | null;
  /** Change of the terrain between scans. Unit: m. */
  dtm_change: number | null;
  /** Mean difference of the brightness across its border. */
  edge_contrast: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean terrain. Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** 1 - minor / major axis. */
  elongation: number | null;
  /** Area by that of the box. */
  extent: number | null;
  /** Entropy of the texture. */
  glcm_entropy: number | null;
  /** Homogeneity of the texture. */
  glcm_homogeneity: number | null;
  /** Mean of (nir - green) / (nir + green). */
  gndvi_mean: number | null;
  /** Amplitude of the first harmonic of the vegetation index. */
  harm_amplitude: number | null;
  /** Day of the year on which it is highest. Unit: d. */
  harm_phase: number | null;
  /** Change of the height above the ground between scans. Unit: m. */
  height_change: number | null;
  /** Greatest height above the ground. Unit: m. */
  height_max_m: number | null;
  /** Mean height above the ground. Unit: m. */
  height_mean_m: number | null;
  /** 10th percentile of the heights. Unit: m. */
  height_p10_m: number | null;
  /** 90th percentile of the heights. Unit: m. */
  height_p90_m: number | null;
  /** Standard deviation of the heights. Unit: m. */
  height_std_m: number | null;
  /** Name of the object by its place. */
  id: string | null;
  /** KG that it stands in. */
  kg_code: string | null;
  /** Land cover by satellites that most of it has. */
  landcover_prior: string | null;
  /** Mean of the indices of orthophoto and satellite. */
  ndvi_fused: number | null;
  /** Mean vegetation index of the orthophoto. */
  ndvi_mean: number | null;
  /** Standard deviation of the vegetation index. */
  ndvi_std: number | null;
  /** Mean near infrared, 0 to 255. */
  nir_mean: number | null;
  /** Standard deviation of the near infrared. */
  nir_std: number | null;
  /** Code of the land register that most of it has; null: unknown. */
  parcel_landuse: number | null;
  /** Course of the vegetation index over the year. */
  phenology_class: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** How sure the model is. */
  rf_confidence: number | null;
  /** What the trained model takes it for; null without one. */
  rf_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Roughness of the surface. Unit: m. */
  roughness: number | null;
  /** Radar backscatter, VH. Unit: dB. */
  sar_vh: number | null;
  /** Radar backscatter, VV. Unit: dB. */
  sar_vv: number | null;
  /** Share of cells in shadow. */
  shadow_fraction: number | null;
  /** Mean slope of the terrain. Unit: °. */
  slope_mean: number | null;
  /** Area by that of the convex hull. */
  solidity: number | null;
  /** Share of cells whose height did not change. */
  temporal_stability: number | null;
  /** Mean topographic position index; positive on ridges. Unit: m. */
  tpi_mean: number | null;
  /** Mean terrain ruggedness index. Unit: m. */
  tri_mean: number | null;
  /** What it is. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
};

/** A tree of the country's highest. Required members stand in every row, unless fields= chooses others. */
export type LandscapeTopTree = {
  /** Longitude and latitude of the apex. */
  apex: number[] | null;
  /** How sure the type of the object is that it stands in. */
  confidence: number | null;
  /** Area of the crown. Unit: m². */
  crown_area_sqm: number | null;
  /** Distance of the farthest part of the crown from the apex. Unit: m. */
  crown_radius_max_m: number | null;
  /** Radius of the circle of that area. Unit: m. */
  crown_radius_mean_m: number | null;
  /** Estimated diameter of the stem at breast height (Jucker et al. 2017). Unit: cm. */
  dbh_est_cm: number | null;
  /** How sure the apex is that of one tree. */
  detection_conf: number | null;
  /** What the apex was found in. */
  detection_source: "ndsm" | "fused" | "ortho" | null;
  /** Change of the height between the scans. Unit: m. */
  height_change_m: number | null;
  /** Height of the apex above the ground. Unit: m. */
  height_m: number | null;
  /** Mean height of the crown. Unit: m. */
  height_mean_m: number | null;
  /** 90th percentile of the crown's heights. Unit: m. */
  height_p90_m: number | null;
  /** KG that it stands in. */
  kg_code: string | null;
  /** Type of leaves. */
  leaf_type: "coniferous" | "broadleaf" | "dead" | "unknown" | null;
  /** How sure that is. */
  leaf_type_conf: number | null;
  /** Mean of the vegetation indices of orthophoto and satellite. */
  ndvi_fused: number | null;
  /** Mean vegetation index of the crown; null without an orthophoto. */
  ndvi_mean: number | null;
  /** Course of the vegetation index over the year. */
  phenology_class: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** How sure the trained model is of it; null without one. */
  rf_confidence: number | null;
  /** How sure the hint is. */
  species_conf: number | null;
  /** A hint at the species, no more. */
  species_hint: "spruce" | "larch" | "pine" | "conifer_unspecified" | "broadleaf_unspecified" | "unknown" | null;
  /** Name of the tree, the same over dates. */
  tree_id: string | null;
  /** Probability that it is a tree, by its surface. */
  tree_likelihood: number | null;
  /** How alive it looks by the vegetation index. */
  vitality: "vital" | "stressed" | "dead" | "unknown" | null;
  /** How sure that is. */
  vitality_conf: number | null;
  /** Estimated volume of the stem (Pollanschütz 1974). Unit: m³. */
  volume_m3_est: number | null;
};

export type LayerBand = {
  /** from 1 */
  band: number;
  description?: string;
  /** the source had no file of it: it has no values */
  missing: boolean;
  name: string;
  /** a value is the number times this */
  scale: number;
  unit: string | null;
};

export type LayerBody = {
  crs: string;
  geometry: "MultiPolygon" | "Point";
  name: string;
  rows: number;
  /** where its rows are answered; null: in the file alone */
  url: string | null;
};

export type LayerOfCountry = {
  bytes: number;
  known_km2: number;
  tiles: number;
};

export type LayerRow = {
  attribution: string;
  /** it has values in the box, told by squares of 100 m */
  available: boolean;
  bands: LayerBand[];
  country: LayerOfCountry;
  /** YYYYMMDD, of layers of a year YYYY */
  dataset: string;
  /** YYYY-MM-DD; of a month or year its first day */
  date: string;
  /** all layers lie in this plane, cells at multiples of their step */
  epsg: number;
  layer: string;
  license: string;
  license_url: string;
  /** there are tiles that are not named: ask for a smaller box */
  more_tiles: boolean;
  /** number of cells where nothing is known; null: NaN */
  nodata: number | null;
  /** what the layer was made from */
  origin: string;
  /** day, month or year: how exactly the date is known */
  precision: string;
  /** how cells of the source became cells of the layer */
  resampling: string;
  /** form of the numbers: uint8, uint16, int16, float32 */
  sample: string;
  share_alike: boolean;
  /** side of a cell of the finest source */
  source_step_m: number;
  /** side of a cell in metres */
  step_m: number;
  /** side of a tile */
  tile_km: number;
  /** at most 1,000 that have values in the box, from the south-west */
  tiles: LayerTile[];
  title: string;
  /** of the values of the first band; null without one */
  unit: string | null;
};

export type LayerTile = {
  bytes: number;
  e_km: number;
  /** of the object below /artefacts */
  key: string;
  /** share of its square that has a value */
  known_fraction: number;
  n_km: number;
};

export type LayersBody = {
  /** the file in the research repository; null until uploaded */
  download: string | null;
  kg_code: string;
  layers: LayerBody[];
  meta: DatasetMeta;
  variant: string;
};

export interface LayersParameters {
  /** Only what lies in this box: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LayersShape = {
  data: LayerRow[];
  meta: DatasetMeta;
  missing: MissingRow[];
  vectors: VectorRow[];
};

export type LegalBody = {
  /** null where the law names the KG as a whole */
  grundstueck: string | null;
  law: string;
  legal_context: string;
  parcel_list_type: "listed" | "boundary_walk";
  ris_url: string;
};

/** A parcel that a law names. Required members stand in every row, unless fields= chooses others. */
export type LegalReference = {
  /** State whose law it is; null: federal or not known. */
  bundesland: string | null;
  /** Number of the law. */
  gesetzesnummer: string | null;
  /** Parcel number; null where the law names the KG as a whole. */
  grundstueck: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the KG. */
  kg_name: string | null;
  /** What the law is about. */
  legal_context: string | null;
  /** listed: the law is about the parcel; boundary_walk: the parcel lies along a boundary that it describes. */
  parcel_list_type: "listed" | "boundary_walk" | null;
  /** Only a part of the parcel is meant. */
  partial: boolean | null;
  /** In force since. */
  source_date: string | null;
  /** Name of the law. */
  source_law_name: string | null;
  /** Where the law is published. */
  source_url: string | null;
};

export type LicenseObject = {
  attribution: string;
  dataset: string;
  license: string;
  license_url: string;
  modified: boolean;
};

export interface LidarGeotiffParameters {
  /** Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it. */
  dataset?: string;
  /** dtm: heights of the ground. dsm: heights of what is seen from above. ndsm: the difference, heights above the ground. */
  layer?: "dtm" | "dsm" | "ndsm";
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it. */
      dataset?: string;
      /** dtm: heights of the ground. dsm: heights of what is seen from above. ndsm: the difference, heights above the ground. */
      layer?: "dtm" | "dsm" | "ndsm";
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

export type Line = {
  kg_code: string | null;
  text: string;
  time: string;
};

export type LinksBody = {
  full_gpkg: string | null;
  json: string | null;
  light_gpkg: string | null;
  self: string;
};

export type Listed = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: (LandscapeKg | LandscapeKgNear | LandscapeKgType | LandscapeKgLoss | LandscapeKgDivergence | LandscapeKgConfidence | LandscapeKgSegments | LandscapeDivergence | LandscapeParcel | LandscapeTopTree | LandscapeTopObject | LandscapeTopNewBuilding | LandscapeTopInfrastructure)[];
  /** rows that match */
  total: number;
};

export type ListedBuildings = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: LandscapeBuilding[];
  /** rows that match */
  total: number;
};

export type ListedFound = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: LandscapeBuilt[];
  /** rows that match */
  total: number;
};

export type ListedInfrastructure = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: LandscapeInfrastructure[];
  /** rows that match */
  total: number;
};

export type ListedKGs = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: LandscapeKg[];
  /** rows that match */
  total: number;
};

export type ListedNewBuildings = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: LandscapeNewBuilding[];
  /** rows that match */
  total: number;
};

export type ListedParcels = {
  limit: number;
  meta: DatasetMeta;
  offset: number;
  results: LandscapeParcel[];
  /** rows that match */
  total: number;
};

export type ListedSegments = {
  limit: number;
  meta: SegmentsMeta;
  offset: number;
  results: LandscapeSegment[];
  /** rows that match */
  total: number;
};

export type LogBody = {
  /** the newest last, at most 200 are kept */
  lines: Line[];
};

export type LossBody = {
  loss_pixels: number | null;
  loss_year: number | null;
};

export type LossOfParcel = {
  by_year: Record<string, number | null>;
  recent_5yr_pixels: number | null;
  total_pixels: number | null;
};

export type Made = {
  bytes: number;
  code: string;
  counts: Record<string, number>;
  /** of what it was made from: while that is the same, so is the file */
  fingerprint: string;
  /** of its file below /artefacts */
  key: string;
  km2: number;
  layers_missing: string[];
  name: string;
  processed_at: string;
  /** files that it is handed out as; empty until they are made */
  products: ProductBody[];
  seconds: number;
  sha256: string;
  tiles: number;
  /** full GeoPackage there; null until uploaded */
  zenodo_full_gpkg_url: string | null;
  /** summary in the research repository; null until uploaded */
  zenodo_json_url: string | null;
  /** light GeoPackage there; null until uploaded */
  zenodo_light_gpkg_url: string | null;
};

export type ManifestBody = {
  bytes: number;
  count: number;
  /** by code */
  kgs: Made[];
  km2: number;
  tiles: number;
};

export type MissingRow = {
  /** null: no date of the layer is there */
  dataset: string | null;
  layer: string;
  reason: string;
  title: string;
};

export type Named = {
  code: string;
  name: string;
};

export type NatureBody = {
  /** analysed KGs whose parcels may pass */
  kgs_matching: number;
  /** KGs in the area that are not ranked */
  kgs_not_analysed: number;
  /** of them, those that were read */
  kgs_read: number;
  limit: number;
  meta: BatchMeta;
  offset: number;
  results: LandscapeRankedParcel[];
  /** parcels that pass; null where not all KGs were read */
  total: number | null;
};

export interface OnestopParameters {
  /** The area, at most 25 km². Required where no task_id is given. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Name that the result is shared under for 7 days, beside auto-{task_id}: 1 to 80 letters, digits, hyphens and underscores. One that another result has is refused. */
  name?: string;
  /** What is smaller joins the neighbour that it differs least from. Unit: m². */
  min_object_size?: number;
  /** Whether the newest orthophoto is looked at, where there is one. */
  include_ortho?: boolean;
  /** Whether the scan is compared with the one before it: for height_change, dtm_change and temporal_stability, and the types that they tell. */
  include_temporal?: boolean;
  /** Whether vegetation index over the year, radar and land cover of satellites are looked at, where there are some. */
  include_copernicus?: boolean;
  /** Whether footprints of the cadastre bound objects and tell roofs, and its land use tells gardens and vineyards. */
  include_cadastre?: boolean;
  /** Whether the global forest change is asked for: layers_missing names it if it does not cover the area. No type and no property is made of it. */
  include_hansen?: boolean;
  /** Only segments of these types, as a comma list of unclassified, tree, shrub, grass, hedge, water, roof, greenhouse, solar_panel, fence, wall, mast, wind_turbine, substation, road, path, parking, bridge, crop, orchard, vineyard, garden, bare_soil, rock, excavation, fill, tree_loss, construction, earthwork. */
  types?: string[];
  /** Only segments whose height_max_m is this or more; with height_op=gt more. Unit: m. */
  height_min?: number;
  /** Only segments whose height_max_m is this or less; with height_op=lt less. Unit: m. */
  height_max?: number;
  /** How the bounds count: gt more than height_min, lt less than height_max, between both, and they themselves. A segment whose height is not known is left out. */
  height_op?: "gt" | "lt" | "between";
  /** Form of the result. */
  format?: "json" | "gpkg" | "kml";
  /** What the JSON sums up beside segments: relief, trees. */
  layers?: ("terrain" | "trees")[];
  /** Whether the JSON has the segments themselves; files have them always. */
  include_segments_vector?: boolean;
  /** Whether the JSON names the terrain model of the scan: dtm, the GeoTIFFs that reach into the box. /lidar/geotiff gives cells of the box alone. */
  include_dtm?: boolean;
  /** Whether segments are drawn as outlines or as a point in each; by default points in KML, else outlines. */
  segment_geometry?: "point" | "polygon";
  /** What the colours of a file tell; JSON has none. */
  segment_geometry_style?: "type" | "height";
  /** Divides a file into layers (GeoPackage) or folders (KML), and the JSON has a summary by it: grouped. */
  group_by?: "type" | "height_class";
  /** The task that is polled; where no bbox is given, nothing else is looked at. Beside a bbox a client may name a task so that is not there yet, best by a UUID: it is begun. One that is of another question is refused. */
  task_id?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Open = Record<string, unknown>;

export type OpenOrNull = Record<string, unknown> | null;

export type Output = {
  schema: Record<string, unknown>;
  title: string;
};

export type PairBody = {
  count: number | null;
  final_type: string;
  rf_type: string;
};

export type ParcelBody = {
  area_summary: Record<string, AreaShare>;
  classification: SureBody[];
  /** m² by the letter of the type */
  frav: Record<string, number | null>;
  hansen_loss: LossOfParcel;
  /** share of its cells by metres above the ground */
  height_distribution: Record<string, number | null>;
  meta: DatasetMeta;
  /** type, hmax, hmean, area, lon, lat, conf, rf_conf, manmade */
  top_objs: unknown[][];
  /** hmax, hmean, hp90, area, lon, lat, ndvi_mean, ndvi_fused, height_change_m, phenology_class, conf, rf_conf */
  top_trees: unknown[][];
  vertex_heights: Vertex[];
};

export type Polled = {
  /** address that answers 202 while the task runs, then the result */
  poll: string;
  status: "running" | "done" | "error" | "cancelled";
  task_id: string;
};

export type Problem = {
  detail?: string;
  status: number;
  title: string;
  type: string;
};

export type ProcessList = {
  links: Link[];
  processes: Summary[];
};

export interface ProcessesConformanceParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessesDescribeParameters {
  /** Id of the process. */
  process_id: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessesDismissParameters {
  /** Id of the job. */
  job_id: string | number;
}

export interface ProcessesExecuteParameters {
  /** Id of the process. */
  process_id: string | number;
  body: Execute;
}

export interface ProcessesJobParameters {
  /** Id of the job. */
  job_id: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessesJobsParameters {
  /** Entries at most. */
  limit?: number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessesLandingParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessesListParameters {
  /** Entries at most. */
  limit?: number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessesResultsParameters {
  /** Id of the job. */
  job_id: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessingLogParameters {
  /** At most so many lines, the newest. */
  limit?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessingManifestParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessingPauseParameters {
}

export interface ProcessingQueueAddParameters {
  body: AddBody;
}

export interface ProcessingQueueParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessingQueueRemoveParameters {
  /** Take this KG out: its code, padded or not. */
  kg: string;
}

export interface ProcessingQueueReplaceParameters {
  body: ReplaceBody;
}

export interface ProcessingResumeParameters {
}

export interface ProcessingSingleParameters {
  /** The KG that is analysed alone, before all others: its code, padded or not. */
  kg: string;
}

export interface ProcessingStartParameters {
  /** Work in this state alone: its digit, or its name in any of its spellings. Without it: everywhere. */
  state?: string;
  /** Begin at this KG: its code, padded or not. */
  kg?: string;
}

export interface ProcessingStatusParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ProcessingStopParameters {
}

export type ProcessorBody = {
  /** null: no KG is worked on, or many at once by a run */
  current: Current | null;
  /** nothing is left to be done */
  idle: boolean;
  /** KGs whose data is loaded */
  kgs: number;
  /** KG that ended last */
  last: Named | null;
  /** KGs that are left out until they are queued again */
  permanently_failed: Failed[];
  /** KGs that have a result */
  processed: number;
  queue_length: number;
  rates: Rates;
  /** name of the state that KGs are looked for in; null: all */
  region: string | null;
  remaining: Remaining;
  /** KGs that failed and come again after five others, and those that wait for their data */
  retrying: Failed[];
  /** of the state machine that works on many KGs at once; null if there is none */
  run: Run | null;
  /** of the state; null: it was never started */
  since: string | null;
  /** code of the KG that is to be analysed alone and has not been started */
  single: string | null;
  /** what it was ordered to do */
  state: "running" | "paused" | "stopped";
};

export type ProductBody = {
  bytes: number;
  /** below /artefacts */
  key: string;
  license: string;
  name: string;
  sha256: string;
  /** in the research repository; null until uploaded */
  url: string | null;
};

export type ProfileBody = {
  cadastre: Open;
  kg_code: string;
  /** the record and its lists; processed false where it was not analysed */
  landscape: Open;
  /** by area, the largest first */
  landuse: UseBody[];
  /** null where laws are not available */
  legal_references: LegalBody[];
  meta: ProfileMeta;
};

export type ProfileMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  license: LicenseObject;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  /** Milliseconds. */
  query_time_ms: number;
  ready: boolean;
  version?: string;
};

export interface QueryCompoundParameters {
  /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** true leaves out KGs that were not processed. */
  processed_only?: boolean;
  /** Filters type:min_confidence:min_area_sqm, with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass. May be given several times. */
  type_filters?: string[];
  /** Filters type:min_area_sqm:min_fraction, with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass. May be given several times. */
  landcover_filters?: string[];
  /** Column that KGs are ordered by; those without a value stand last, and those alike by code. */
  sort?: "kg_code" | "kg_name" | "gemeinde_code" | "gemeinde_name" | "district_code" | "district_name" | "state_code" | "state_name" | "parcel_count" | "building_count" | "total_area_sqm" | "primary_year" | "dominant_type" | "vegetated_fraction" | "shannon_diversity" | "n_segments" | "elevation_min_m" | "elevation_max_m" | "elevation_mean_m" | "slope_mean_deg" | "aspect_dominant" | "roughness_mean" | "steepness_max_deg" | "elevation_range_m" | "tri_mean" | "terrain_class" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "tree_mean_height_m" | "tree_stem_volume_m3" | "net_volume_change_m3" | "temporal_stability" | "new_building_count" | "infrastructure_count" | "building_footprint_sqm" | "building_mean_height_m" | "building_max_height_m" | "building_stories_mean" | "building_stories_max" | "building_pitched_pct" | "new_building_footprint_sqm" | "new_building_mean_height_m" | "new_building_stories_mean" | "sar_vv_mean_db" | "sar_vh_mean_db" | "ndvi_harm_mean" | "ndvi_harm_amplitude" | "ndvi_harm_phase" | "dtm_change_mean_m" | "n_changed_segments" | "total_disturbed_volume_m3" | "phenology_dominant" | "n_tiles" | "building_height_coverage_pct" | "mean_confidence" | "rf_classified_pct" | "rf_mean_confidence" | "rf_diverged_count" | "rf_diverged_pct" | "quality_score" | "quality_grade" | "zenodo_json_url" | "zenodo_light_gpkg_url" | "zenodo_full_gpkg_url";
  /** Direction of the order. */
  sort_dir?: "asc" | "desc";
  /** Only KGs with one of these values of aspect_dominant, with commas between. */
  aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only KGs with one of these values of dominant_type, with commas between. */
  dominant_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only KGs with one of these values of phenology_dominant, with commas between. */
  phenology?: ("evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown")[];
  /** Only KGs with one of these values of quality_grade, with commas between. */
  quality_grade?: ("A" | "B" | "C" | "D" | "F")[];
  /** Only KGs with one of these values of terrain_class, with commas between. */
  terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** parcel_count at least. */
  min_parcel_count?: number;
  /** parcel_count at most. */
  max_parcel_count?: number;
  /** building_count at least. */
  min_building_count?: number;
  /** building_count at most. */
  max_building_count?: number;
  /** total_area_sqm at least. Unit: m². */
  min_total_area_sqm?: number;
  /** total_area_sqm at most. Unit: m². */
  max_total_area_sqm?: number;
  /** primary_year at least. */
  min_primary_year?: number;
  /** primary_year at most. */
  max_primary_year?: number;
  /** vegetated_fraction at least. */
  min_vegetated_fraction?: number;
  /** vegetated_fraction at most. */
  max_vegetated_fraction?: number;
  /** shannon_diversity at least. */
  min_shannon_diversity?: number;
  /** shannon_diversity at most. */
  max_shannon_diversity?: number;
  /** n_segments at least. */
  min_n_segments?: number;
  /** n_segments at most. */
  max_n_segments?: number;
  /** elevation_min_m at least. Unit: m. */
  min_elevation_min_m?: number;
  /** elevation_min_m at most. Unit: m. */
  max_elevation_min_m?: number;
  /** elevation_max_m at least. Unit: m. */
  min_elevation_max_m?: number;
  /** elevation_max_m at most. Unit: m. */
  max_elevation_max_m?: number;
  /** elevation_mean_m at least. Unit: m. */
  min_elevation_mean_m?: number;
  /** elevation_mean_m at most. Unit: m. */
  max_elevation_mean_m?: number;
  /** slope_mean_deg at least. Unit: °. */
  min_slope_mean_deg?: number;
  /** slope_mean_deg at most. Unit: °. */
  max_slope_mean_deg?: number;
  /** roughness_mean at least. Unit: m. */
  min_roughness_mean?: number;
  /** roughness_mean at most. Unit: m. */
  max_roughness_mean?: number;
  /** steepness_max_deg at least. Unit: °. */
  min_steepness_max_deg?: number;
  /** steepness_max_deg at most. Unit: °. */
  max_steepness_max_deg?: number;
  /** elevation_range_m at least. Unit: m. */
  min_elevation_range_m?: number;
  /** elevation_range_m at most. Unit: m. */
  max_elevation_range_m?: number;
  /** tri_mean at least. Unit: m. */
  min_tri_mean?: number;
  /** tri_mean at most. Unit: m. */
  max_tri_mean?: number;
  /** ndvi_mean at least. */
  min_ndvi_mean?: number;
  /** ndvi_mean at most. */
  max_ndvi_mean?: number;
  /** tree_count at least. */
  min_tree_count?: number;
  /** tree_count at most. */
  max_tree_count?: number;
  /** tree_canopy_sqm at least. Unit: m². */
  min_tree_canopy_sqm?: number;
  /** tree_canopy_sqm at most. Unit: m². */
  max_tree_canopy_sqm?: number;
  /** tree_mean_height_m at least. Unit: m. */
  min_tree_mean_height_m?: number;
  /** tree_mean_height_m at most. Unit: m. */
  max_tree_mean_height_m?: number;
  /** tree_stem_volume_m3 at least. Unit: m³. */
  min_tree_stem_volume_m3?: number;
  /** tree_stem_volume_m3 at most. Unit: m³. */
  max_tree_stem_volume_m3?: number;
  /** net_volume_change_m3 at least. Unit: m³. */
  min_net_volume_change_m3?: number;
  /** net_volume_change_m3 at most. Unit: m³. */
  max_net_volume_change_m3?: number;
  /** temporal_stability at least. */
  min_temporal_stability?: number;
  /** temporal_stability at most. */
  max_temporal_stability?: number;
  /** new_building_count at least. */
  min_new_building_count?: number;
  /** new_building_count at most. */
  max_new_building_count?: number;
  /** infrastructure_count at least. */
  min_infrastructure_count?: number;
  /** infrastructure_count at most. */
  max_infrastructure_count?: number;
  /** building_footprint_sqm at least. Unit: m². */
  min_building_footprint_sqm?: number;
  /** building_footprint_sqm at most. Unit: m². */
  max_building_footprint_sqm?: number;
  /** building_mean_height_m at least. Unit: m. */
  min_building_mean_height_m?: number;
  /** building_mean_height_m at most. Unit: m. */
  max_building_mean_height_m?: number;
  /** building_max_height_m at least. Unit: m. */
  min_building_max_height_m?: number;
  /** building_max_height_m at most. Unit: m. */
  max_building_max_height_m?: number;
  /** building_stories_mean at least. */
  min_building_stories_mean?: number;
  /** building_stories_mean at most. */
  max_building_stories_mean?: number;
  /** building_stories_max at least. */
  min_building_stories_max?: number;
  /** building_stories_max at most. */
  max_building_stories_max?: number;
  /** building_pitched_pct at least. Unit: %. */
  min_building_pitched_pct?: number;
  /** building_pitched_pct at most. Unit: %. */
  max_building_pitched_pct?: number;
  /** new_building_footprint_sqm at least. Unit: m². */
  min_new_building_footprint_sqm?: number;
  /** new_building_footprint_sqm at most. Unit: m². */
  max_new_building_footprint_sqm?: number;
  /** new_building_mean_height_m at least. Unit: m. */
  min_new_building_mean_height_m?: number;
  /** new_building_mean_height_m at most. Unit: m. */
  max_new_building_mean_height_m?: number;
  /** new_building_stories_mean at least. */
  min_new_building_stories_mean?: number;
  /** new_building_stories_mean at most. */
  max_new_building_stories_mean?: number;
  /** sar_vv_mean_db at least. Unit: dB. */
  min_sar_vv_mean_db?: number;
  /** sar_vv_mean_db at most. Unit: dB. */
  max_sar_vv_mean_db?: number;
  /** sar_vh_mean_db at least. Unit: dB. */
  min_sar_vh_mean_db?: number;
  /** sar_vh_mean_db at most. Unit: dB. */
  max_sar_vh_mean_db?: number;
  /** ndvi_harm_mean at least. */
  min_ndvi_harm_mean?: number;
  /** ndvi_harm_mean at most. */
  max_ndvi_harm_mean?: number;
  /** ndvi_harm_amplitude at least. */
  min_ndvi_harm_amplitude?: number;
  /** ndvi_harm_amplitude at most. */
  max_ndvi_harm_amplitude?: number;
  /** ndvi_harm_phase at least. Unit: d. */
  min_ndvi_harm_phase?: number;
  /** ndvi_harm_phase at most. Unit: d. */
  max_ndvi_harm_phase?: number;
  /** dtm_change_mean_m at least. Unit: m. */
  min_dtm_change_mean_m?: number;
  /** dtm_change_mean_m at most. Unit: m. */
  max_dtm_change_mean_m?: number;
  /** n_changed_segments at least. */
  min_n_changed_segments?: number;
  /** n_changed_segments at most. */
  max_n_changed_segments?: number;
  /** total_disturbed_volume_m3 at least. Unit: m³. */
  min_total_disturbed_volume_m3?: number;
  /** total_disturbed_volume_m3 at most. Unit: m³. */
  max_total_disturbed_volume_m3?: number;
  /** n_tiles at least. */
  min_n_tiles?: number;
  /** n_tiles at most. */
  max_n_tiles?: number;
  /** building_height_coverage_pct at least. Unit: %. */
  min_building_height_coverage_pct?: number;
  /** building_height_coverage_pct at most. Unit: %. */
  max_building_height_coverage_pct?: number;
  /** mean_confidence at least. */
  min_mean_confidence?: number;
  /** mean_confidence at most. */
  max_mean_confidence?: number;
  /** rf_classified_pct at least. Unit: %. */
  min_rf_classified_pct?: number;
  /** rf_classified_pct at most. Unit: %. */
  max_rf_classified_pct?: number;
  /** rf_mean_confidence at least. */
  min_rf_mean_confidence?: number;
  /** rf_mean_confidence at most. */
  max_rf_mean_confidence?: number;
  /** rf_diverged_count at least. */
  min_rf_diverged_count?: number;
  /** rf_diverged_count at most. */
  max_rf_diverged_count?: number;
  /** rf_diverged_pct at least. Unit: %. */
  min_rf_diverged_pct?: number;
  /** rf_diverged_pct at most. Unit: %. */
  max_rf_diverged_pct?: number;
  /** quality_score at least. */
  min_quality_score?: number;
  /** quality_score at most. */
  max_quality_score?: number;
  /** true answers 202 {task_id, status, poll} at once; the same address with task_id alone, or /query/progress, answers 202 while it runs and then the result. */
  async?: boolean;
  /** Beside async=true the id that the client gives the task: 8 to 64 letters, digits, hyphens and underscores. Alone it asks what has become of a task. */
  task_id?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface QueryCompoundPostParameters {
  /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** true leaves out KGs that were not processed. */
  processed_only?: boolean;
  /** Filters type:min_confidence:min_area_sqm, with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass. May be given several times. */
  type_filters?: string[];
  /** Filters type:min_area_sqm:min_fraction, with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass. May be given several times. */
  landcover_filters?: string[];
  /** Column that KGs are ordered by; those without a value stand last, and those alike by code. */
  sort?: "kg_code" | "kg_name" | "gemeinde_code" | "gemeinde_name" | "district_code" | "district_name" | "state_code" | "state_name" | "parcel_count" | "building_count" | "total_area_sqm" | "primary_year" | "dominant_type" | "vegetated_fraction" | "shannon_diversity" | "n_segments" | "elevation_min_m" | "elevation_max_m" | "elevation_mean_m" | "slope_mean_deg" | "aspect_dominant" | "roughness_mean" | "steepness_max_deg" | "elevation_range_m" | "tri_mean" | "terrain_class" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "tree_mean_height_m" | "tree_stem_volume_m3" | "net_volume_change_m3" | "temporal_stability" | "new_building_count" | "infrastructure_count" | "building_footprint_sqm" | "building_mean_height_m" | "building_max_height_m" | "building_stories_mean" | "building_stories_max" | "building_pitched_pct" | "new_building_footprint_sqm" | "new_building_mean_height_m" | "new_building_stories_mean" | "sar_vv_mean_db" | "sar_vh_mean_db" | "ndvi_harm_mean" | "ndvi_harm_amplitude" | "ndvi_harm_phase" | "dtm_change_mean_m" | "n_changed_segments" | "total_disturbed_volume_m3" | "phenology_dominant" | "n_tiles" | "building_height_coverage_pct" | "mean_confidence" | "rf_classified_pct" | "rf_mean_confidence" | "rf_diverged_count" | "rf_diverged_pct" | "quality_score" | "quality_grade" | "zenodo_json_url" | "zenodo_light_gpkg_url" | "zenodo_full_gpkg_url";
  /** Direction of the order. */
  sort_dir?: "asc" | "desc";
  /** Only KGs with one of these values of aspect_dominant, with commas between. */
  aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
  /** Only KGs with one of these values of dominant_type, with commas between. */
  dominant_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Only KGs with one of these values of phenology_dominant, with commas between. */
  phenology?: ("evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown")[];
  /** Only KGs with one of these values of quality_grade, with commas between. */
  quality_grade?: ("A" | "B" | "C" | "D" | "F")[];
  /** Only KGs with one of these values of terrain_class, with commas between. */
  terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
  /** parcel_count at least. */
  min_parcel_count?: number;
  /** parcel_count at most. */
  max_parcel_count?: number;
  /** building_count at least. */
  min_building_count?: number;
  /** building_count at most. */
  max_building_count?: number;
  /** total_area_sqm at least. Unit: m². */
  min_total_area_sqm?: number;
  /** total_area_sqm at most. Unit: m². */
  max_total_area_sqm?: number;
  /** primary_year at least. */
  min_primary_year?: number;
  /** primary_year at most. */
  max_primary_year?: number;
  /** vegetated_fraction at least. */
  min_vegetated_fraction?: number;
  /** vegetated_fraction at most. */
  max_vegetated_fraction?: number;
  /** shannon_diversity at least. */
  min_shannon_diversity?: number;
  /** shannon_diversity at most. */
  max_shannon_diversity?: number;
  /** n_segments at least. */
  min_n_segments?: number;
  /** n_segments at most. */
  max_n_segments?: number;
  /** elevation_min_m at least. Unit: m. */
  min_elevation_min_m?: number;
  /** elevation_min_m at most. Unit: m. */
  max_elevation_min_m?: number;
  /** elevation_max_m at least. Unit: m. */
  min_elevation_max_m?: number;
  /** elevation_max_m at most. Unit: m. */
  max_elevation_max_m?: number;
  /** elevation_mean_m at least. Unit: m. */
  min_elevation_mean_m?: number;
  /** elevation_mean_m at most. Unit: m. */
  max_elevation_mean_m?: number;
  /** slope_mean_deg at least. Unit: °. */
  min_slope_mean_deg?: number;
  /** slope_mean_deg at most. Unit: °. */
  max_slope_mean_deg?: number;
  /** roughness_mean at least. Unit: m. */
  min_roughness_mean?: number;
  /** roughness_mean at most. Unit: m. */
  max_roughness_mean?: number;
  /** steepness_max_deg at least. Unit: °. */
  min_steepness_max_deg?: number;
  /** steepness_max_deg at most. Unit: °. */
  max_steepness_max_deg?: number;
  /** elevation_range_m at least. Unit: m. */
  min_elevation_range_m?: number;
  /** elevation_range_m at most. Unit: m. */
  max_elevation_range_m?: number;
  /** tri_mean at least. Unit: m. */
  min_tri_mean?: number;
  /** tri_mean at most. Unit: m. */
  max_tri_mean?: number;
  /** ndvi_mean at least. */
  min_ndvi_mean?: number;
  /** ndvi_mean at most. */
  max_ndvi_mean?: number;
  /** tree_count at least. */
  min_tree_count?: number;
  /** tree_count at most. */
  max_tree_count?: number;
  /** tree_canopy_sqm at least. Unit: m². */
  min_tree_canopy_sqm?: number;
  /** tree_canopy_sqm at most. Unit: m². */
  max_tree_canopy_sqm?: number;
  /** tree_mean_height_m at least. Unit: m. */
  min_tree_mean_height_m?: number;
  /** tree_mean_height_m at most. Unit: m. */
  max_tree_mean_height_m?: number;
  /** tree_stem_volume_m3 at least. Unit: m³. */
  min_tree_stem_volume_m3?: number;
  /** tree_stem_volume_m3 at most. Unit: m³. */
  max_tree_stem_volume_m3?: number;
  /** net_volume_change_m3 at least. Unit: m³. */
  min_net_volume_change_m3?: number;
  /** net_volume_change_m3 at most. Unit: m³. */
  max_net_volume_change_m3?: number;
  /** temporal_stability at least. */
  min_temporal_stability?: number;
  /** temporal_stability at most. */
  max_temporal_stability?: number;
  /** new_building_count at least. */
  min_new_building_count?: number;
  /** new_building_count at most. */
  max_new_building_count?: number;
  /** infrastructure_count at least. */
  min_infrastructure_count?: number;
  /** infrastructure_count at most. */
  max_infrastructure_count?: number;
  /** building_footprint_sqm at least. Unit: m². */
  min_building_footprint_sqm?: number;
  /** building_footprint_sqm at most. Unit: m². */
  max_building_footprint_sqm?: number;
  /** building_mean_height_m at least. Unit: m. */
  min_building_mean_height_m?: number;
  /** building_mean_height_m at most. Unit: m. */
  max_building_mean_height_m?: number;
  /** building_max_height_m at least. Unit: m. */
  min_building_max_height_m?: number;
  /** building_max_height_m at most. Unit: m. */
  max_building_max_height_m?: number;
  /** building_stories_mean at least. */
  min_building_stories_mean?: number;
  /** building_stories_mean at most. */
  max_building_stories_mean?: number;
  /** building_stories_max at least. */
  min_building_stories_max?: number;
  /** building_stories_max at most. */
  max_building_stories_max?: number;
  /** building_pitched_pct at least. Unit: %. */
  min_building_pitched_pct?: number;
  /** building_pitched_pct at most. Unit: %. */
  max_building_pitched_pct?: number;
  /** new_building_footprint_sqm at least. Unit: m². */
  min_new_building_footprint_sqm?: number;
  /** new_building_footprint_sqm at most. Unit: m². */
  max_new_building_footprint_sqm?: number;
  /** new_building_mean_height_m at least. Unit: m. */
  min_new_building_mean_height_m?: number;
  /** new_building_mean_height_m at most. Unit: m. */
  max_new_building_mean_height_m?: number;
  /** new_building_stories_mean at least. */
  min_new_building_stories_mean?: number;
  /** new_building_stories_mean at most. */
  max_new_building_stories_mean?: number;
  /** sar_vv_mean_db at least. Unit: dB. */
  min_sar_vv_mean_db?: number;
  /** sar_vv_mean_db at most. Unit: dB. */
  max_sar_vv_mean_db?: number;
  /** sar_vh_mean_db at least. Unit: dB. */
  min_sar_vh_mean_db?: number;
  /** sar_vh_mean_db at most. Unit: dB. */
  max_sar_vh_mean_db?: number;
  /** ndvi_harm_mean at least. */
  min_ndvi_harm_mean?: number;
  /** ndvi_harm_mean at most. */
  max_ndvi_harm_mean?: number;
  /** ndvi_harm_amplitude at least. */
  min_ndvi_harm_amplitude?: number;
  /** ndvi_harm_amplitude at most. */
  max_ndvi_harm_amplitude?: number;
  /** ndvi_harm_phase at least. Unit: d. */
  min_ndvi_harm_phase?: number;
  /** ndvi_harm_phase at most. Unit: d. */
  max_ndvi_harm_phase?: number;
  /** dtm_change_mean_m at least. Unit: m. */
  min_dtm_change_mean_m?: number;
  /** dtm_change_mean_m at most. Unit: m. */
  max_dtm_change_mean_m?: number;
  /** n_changed_segments at least. */
  min_n_changed_segments?: number;
  /** n_changed_segments at most. */
  max_n_changed_segments?: number;
  /** total_disturbed_volume_m3 at least. Unit: m³. */
  min_total_disturbed_volume_m3?: number;
  /** total_disturbed_volume_m3 at most. Unit: m³. */
  max_total_disturbed_volume_m3?: number;
  /** n_tiles at least. */
  min_n_tiles?: number;
  /** n_tiles at most. */
  max_n_tiles?: number;
  /** building_height_coverage_pct at least. Unit: %. */
  min_building_height_coverage_pct?: number;
  /** building_height_coverage_pct at most. Unit: %. */
  max_building_height_coverage_pct?: number;
  /** mean_confidence at least. */
  min_mean_confidence?: number;
  /** mean_confidence at most. */
  max_mean_confidence?: number;
  /** rf_classified_pct at least. Unit: %. */
  min_rf_classified_pct?: number;
  /** rf_classified_pct at most. Unit: %. */
  max_rf_classified_pct?: number;
  /** rf_mean_confidence at least. */
  min_rf_mean_confidence?: number;
  /** rf_mean_confidence at most. */
  max_rf_mean_confidence?: number;
  /** rf_diverged_count at least. */
  min_rf_diverged_count?: number;
  /** rf_diverged_count at most. */
  max_rf_diverged_count?: number;
  /** rf_diverged_pct at least. Unit: %. */
  min_rf_diverged_pct?: number;
  /** rf_diverged_pct at most. Unit: %. */
  max_rf_diverged_pct?: number;
  /** quality_score at least. */
  min_quality_score?: number;
  /** quality_score at most. */
  max_quality_score?: number;
  /** true answers 202 {task_id, status, poll} at once; the same address with task_id alone, or /query/progress, answers 202 while it runs and then the result. */
  async?: boolean;
  /** Beside async=true the id that the client gives the task: 8 to 64 letters, digits, hyphens and underscores. Alone it asks what has become of a task. */
  task_id?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  body: {
    /** Only KGs with one of these values of aspect_dominant, with commas between. */
    aspect?: ("N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat")[];
    /** true answers 202 {task_id, status, poll} at once; the same address with task_id alone, or /query/progress, answers 202 while it runs and then the result. */
    async?: boolean;
    /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
    bbox?: string;
    /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
    district?: string;
    /** Only KGs with one of these values of dominant_type, with commas between. */
    dominant_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
    /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
    gemeinde?: string;
    /** Filters type:min_area_sqm:min_fraction, with commas between or repeated, or objects {type, min_area_sqm, min_fraction, min_height_mean, max_height_mean}: what the KG has of the type. All have to pass. May be given several times. */
    landcover_filters?: (string | CoverObject)[];
    /** Rows in one answer at most. */
    limit?: number;
    /** building_count at most. */
    max_building_count?: number;
    /** building_footprint_sqm at most. Unit: m². */
    max_building_footprint_sqm?: number;
    /** building_height_coverage_pct at most. Unit: %. */
    max_building_height_coverage_pct?: number;
    /** building_max_height_m at most. Unit: m. */
    max_building_max_height_m?: number;
    /** building_mean_height_m at most. Unit: m. */
    max_building_mean_height_m?: number;
    /** building_pitched_pct at most. Unit: %. */
    max_building_pitched_pct?: number;
    /** building_stories_max at most. */
    max_building_stories_max?: number;
    /** building_stories_mean at most. */
    max_building_stories_mean?: number;
    /** dtm_change_mean_m at most. Unit: m. */
    max_dtm_change_mean_m?: number;
    /** elevation_max_m at most. Unit: m. */
    max_elevation_max_m?: number;
    /** elevation_mean_m at most. Unit: m. */
    max_elevation_mean_m?: number;
    /** elevation_min_m at most. Unit: m. */
    max_elevation_min_m?: number;
    /** elevation_range_m at most. Unit: m. */
    max_elevation_range_m?: number;
    /** infrastructure_count at most. */
    max_infrastructure_count?: number;
    /** mean_confidence at most. */
    max_mean_confidence?: number;
    /** n_changed_segments at most. */
    max_n_changed_segments?: number;
    /** n_segments at most. */
    max_n_segments?: number;
    /** n_tiles at most. */
    max_n_tiles?: number;
    /** ndvi_harm_amplitude at most. */
    max_ndvi_harm_amplitude?: number;
    /** ndvi_harm_mean at most. */
    max_ndvi_harm_mean?: number;
    /** ndvi_harm_phase at most. Unit: d. */
    max_ndvi_harm_phase?: number;
    /** ndvi_mean at most. */
    max_ndvi_mean?: number;
    /** net_volume_change_m3 at most. Unit: m³. */
    max_net_volume_change_m3?: number;
    /** new_building_count at most. */
    max_new_building_count?: number;
    /** new_building_footprint_sqm at most. Unit: m². */
    max_new_building_footprint_sqm?: number;
    /** new_building_mean_height_m at most. Unit: m. */
    max_new_building_mean_height_m?: number;
    /** new_building_stories_mean at most. */
    max_new_building_stories_mean?: number;
    /** parcel_count at most. */
    max_parcel_count?: number;
    /** primary_year at most. */
    max_primary_year?: number;
    /** quality_score at most. */
    max_quality_score?: number;
    /** rf_classified_pct at most. Unit: %. */
    max_rf_classified_pct?: number;
    /** rf_diverged_count at most. */
    max_rf_diverged_count?: number;
    /** rf_diverged_pct at most. Unit: %. */
    max_rf_diverged_pct?: number;
    /** rf_mean_confidence at most. */
    max_rf_mean_confidence?: number;
    /** roughness_mean at most. Unit: m. */
    max_roughness_mean?: number;
    /** sar_vh_mean_db at most. Unit: dB. */
    max_sar_vh_mean_db?: number;
    /** sar_vv_mean_db at most. Unit: dB. */
    max_sar_vv_mean_db?: number;
    /** shannon_diversity at most. */
    max_shannon_diversity?: number;
    /** slope_mean_deg at most. Unit: °. */
    max_slope_mean_deg?: number;
    /** steepness_max_deg at most. Unit: °. */
    max_steepness_max_deg?: number;
    /** temporal_stability at most. */
    max_temporal_stability?: number;
    /** total_area_sqm at most. Unit: m². */
    max_total_area_sqm?: number;
    /** total_disturbed_volume_m3 at most. Unit: m³. */
    max_total_disturbed_volume_m3?: number;
    /** tree_canopy_sqm at most. Unit: m². */
    max_tree_canopy_sqm?: number;
    /** tree_count at most. */
    max_tree_count?: number;
    /** tree_mean_height_m at most. Unit: m. */
    max_tree_mean_height_m?: number;
    /** tree_stem_volume_m3 at most. Unit: m³. */
    max_tree_stem_volume_m3?: number;
    /** tri_mean at most. Unit: m. */
    max_tri_mean?: number;
    /** vegetated_fraction at most. */
    max_vegetated_fraction?: number;
    /** building_count at least. */
    min_building_count?: number;
    /** building_footprint_sqm at least. Unit: m². */
    min_building_footprint_sqm?: number;
    /** building_height_coverage_pct at least. Unit: %. */
    min_building_height_coverage_pct?: number;
    /** building_max_height_m at least. Unit: m. */
    min_building_max_height_m?: number;
    /** building_mean_height_m at least. Unit: m. */
    min_building_mean_height_m?: number;
    /** building_pitched_pct at least. Unit: %. */
    min_building_pitched_pct?: number;
    /** building_stories_max at least. */
    min_building_stories_max?: number;
    /** building_stories_mean at least. */
    min_building_stories_mean?: number;
    /** dtm_change_mean_m at least. Unit: m. */
    min_dtm_change_mean_m?: number;
    /** elevation_max_m at least. Unit: m. */
    min_elevation_max_m?: number;
    /** elevation_mean_m at least. Unit: m. */
    min_elevation_mean_m?: number;
    /** elevation_min_m at least. Unit: m. */
    min_elevation_min_m?: number;
    /** elevation_range_m at least. Unit: m. */
    min_elevation_range_m?: number;
    /** infrastructure_count at least. */
    min_infrastructure_count?: number;
    /** mean_confidence at least. */
    min_mean_confidence?: number;
    /** n_changed_segments at least. */
    min_n_changed_segments?: number;
    /** n_segments at least. */
    min_n_segments?: number;
    /** n_tiles at least. */
    min_n_tiles?: number;
    /** ndvi_harm_amplitude at least. */
    min_ndvi_harm_amplitude?: number;
    /** ndvi_harm_mean at least. */
    min_ndvi_harm_mean?: number;
    /** ndvi_harm_phase at least. Unit: d. */
    min_ndvi_harm_phase?: number;
    /** ndvi_mean at least. */
    min_ndvi_mean?: number;
    /** net_volume_change_m3 at least. Unit: m³. */
    min_net_volume_change_m3?: number;
    /** new_building_count at least. */
    min_new_building_count?: number;
    /** new_building_footprint_sqm at least. Unit: m². */
    min_new_building_footprint_sqm?: number;
    /** new_building_mean_height_m at least. Unit: m. */
    min_new_building_mean_height_m?: number;
    /** new_building_stories_mean at least. */
    min_new_building_stories_mean?: number;
    /** parcel_count at least. */
    min_parcel_count?: number;
    /** primary_year at least. */
    min_primary_year?: number;
    /** quality_score at least. */
    min_quality_score?: number;
    /** rf_classified_pct at least. Unit: %. */
    min_rf_classified_pct?: number;
    /** rf_diverged_count at least. */
    min_rf_diverged_count?: number;
    /** rf_diverged_pct at least. Unit: %. */
    min_rf_diverged_pct?: number;
    /** rf_mean_confidence at least. */
    min_rf_mean_confidence?: number;
    /** roughness_mean at least. Unit: m. */
    min_roughness_mean?: number;
    /** sar_vh_mean_db at least. Unit: dB. */
    min_sar_vh_mean_db?: number;
    /** sar_vv_mean_db at least. Unit: dB. */
    min_sar_vv_mean_db?: number;
    /** shannon_diversity at least. */
    min_shannon_diversity?: number;
    /** slope_mean_deg at least. Unit: °. */
    min_slope_mean_deg?: number;
    /** steepness_max_deg at least. Unit: °. */
    min_steepness_max_deg?: number;
    /** temporal_stability at least. */
    min_temporal_stability?: number;
    /** total_area_sqm at least. Unit: m². */
    min_total_area_sqm?: number;
    /** total_disturbed_volume_m3 at least. Unit: m³. */
    min_total_disturbed_volume_m3?: number;
    /** tree_canopy_sqm at least. Unit: m². */
    min_tree_canopy_sqm?: number;
    /** tree_count at least. */
    min_tree_count?: number;
    /** tree_mean_height_m at least. Unit: m. */
    min_tree_mean_height_m?: number;
    /** tree_stem_volume_m3 at least. Unit: m³. */
    min_tree_stem_volume_m3?: number;
    /** tri_mean at least. Unit: m. */
    min_tri_mean?: number;
    /** vegetated_fraction at least. */
    min_vegetated_fraction?: number;
    /** Rows to leave out from the start. */
    offset?: number;
    /** Only KGs with one of these values of phenology_dominant, with commas between. */
    phenology?: ("evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown")[];
    /** true leaves out KGs that were not processed. */
    processed_only?: boolean;
    /** Only KGs with one of these values of quality_grade, with commas between. */
    quality_grade?: ("A" | "B" | "C" | "D" | "F")[];
    /** Column that KGs are ordered by; those without a value stand last, and those alike by code. */
    sort?: "kg_code" | "kg_name" | "gemeinde_code" | "gemeinde_name" | "district_code" | "district_name" | "state_code" | "state_name" | "parcel_count" | "building_count" | "total_area_sqm" | "primary_year" | "dominant_type" | "vegetated_fraction" | "shannon_diversity" | "n_segments" | "elevation_min_m" | "elevation_max_m" | "elevation_mean_m" | "slope_mean_deg" | "aspect_dominant" | "roughness_mean" | "steepness_max_deg" | "elevation_range_m" | "tri_mean" | "terrain_class" | "ndvi_mean" | "tree_count" | "tree_canopy_sqm" | "tree_mean_height_m" | "tree_stem_volume_m3" | "net_volume_change_m3" | "temporal_stability" | "new_building_count" | "infrastructure_count" | "building_footprint_sqm" | "building_mean_height_m" | "building_max_height_m" | "building_stories_mean" | "building_stories_max" | "building_pitched_pct" | "new_building_footprint_sqm" | "new_building_mean_height_m" | "new_building_stories_mean" | "sar_vv_mean_db" | "sar_vh_mean_db" | "ndvi_harm_mean" | "ndvi_harm_amplitude" | "ndvi_harm_phase" | "dtm_change_mean_m" | "n_changed_segments" | "total_disturbed_volume_m3" | "phenology_dominant" | "n_tiles" | "building_height_coverage_pct" | "mean_confidence" | "rf_classified_pct" | "rf_mean_confidence" | "rf_diverged_count" | "rf_diverged_pct" | "quality_score" | "quality_grade" | "zenodo_json_url" | "zenodo_light_gpkg_url" | "zenodo_full_gpkg_url";
    /** Direction of the order. */
    sort_dir?: "asc" | "desc";
    /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
    state?: string;
    /** Beside async=true the id that the client gives the task: 8 to 64 letters, digits, hyphens and underscores. Alone it asks what has become of a task. */
    task_id?: string;
    /** Only KGs with one of these values of terrain_class, with commas between. */
    terrain_class?: ("level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged")[];
    /** Filters type:min_confidence:min_area_sqm, with commas between or repeated, or objects {type, min_confidence, min_area_sqm}: the KG has the area of the type, and the model is that sure of it. All have to pass. May be given several times. */
    type_filters?: (string | TypeObject)[];
  };
}

export type QueryCompoundPostRequest = Record<string, unknown>;

export interface QueryHabitatCountParameters {
  /** Only parcels in a site with this tag. */
  habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
  /** Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each. */
  sitetype?: string;
  /** Only parcels in the site of this code. */
  sitecode?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** true adds the numbers by KG and by state. */
  breakdown?: boolean;
  /** Names so many of the parcels, by KG. */
  sample?: number;
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface QueryNatureParameters {
  /** Only parcels of this KG: its code, padded or not. */
  kg?: string;
  /** Only KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** Only KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Only KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Only KGs whose box meets this one. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Only parcels whose centroid lies in a protected area with this text in its name, in any spelling. */
  protected_area?: string;
  /** Only parcels of which at least this share is under vegetation. */
  min_vegetated_fraction?: number;
  /** Only parcels whose mean vegetation index is at least this. */
  min_ndvi?: number;
  /** Only parcels with at least this area of crowns. Unit: m². */
  min_tree_canopy_sqm?: number;
  /** As min_area. Unit: m². */
  min_area_sqm?: number;
  /** As max_area. Unit: m². */
  max_area_sqm?: number;
  /** What parcels are ranked by, the greatest first; those alike stand by KG and number. */
  sort?: "conservation_score" | "area" | "ndvi" | "tree_canopy" | "vegetated_fraction";
  /** true reads all KGs, so that total is a number in every answer. */
  with_total?: boolean;
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true: only parcels that a law names; false: only others. */
  has_legal_refs?: boolean;
  /** Only parcels that a law of this context names. */
  legal_context?: "national_park" | "nature_protection" | "landscape_protection" | "nature_park" | "water_protection" | "species_protection" | "admin_boundary" | "zoning" | "monument_protection" | "viticulture" | "hunting" | "forestry" | "other";
  /** true: only parcels whose centroid lies in a Natura 2000 site; false: only others. */
  has_natura2000?: boolean;
  /** Only parcels in the Natura 2000 site of this code. */
  natura2000_site?: string;
  /** Only parcels in a site of this type: A birds, B habitats, C both; a site of both is one of each. */
  natura2000_type?: string;
  /** Only parcels in a site with this tag. Conditions on sites hold for one site together. */
  natura2000_habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface QueryParameters {
  /** true sums the KGs of state, district, gemeinde or bbox, of the country where none of them is given. */
  aggregate?: boolean;
  /** Mode: the first of the country: trees by height, objects (of a type) and infrastructure and new buildings by area; at most 1,000 of a kind and type. bbox, type and min_confidence choose among those 1,000: an area has more than the list of the country names. */
  top_features?: "trees" | "objects" | "new_buildings" | "infrastructure";
  /** Mode: what KGs have of types of objects, a row for each KG and type. */
  segments?: boolean;
  /** Mode: KGs whose code or name, or whose municipality's name, has this text. Codes that begin with it stand first, then names that are it, begin with it, have it. */
  q?: string;
  /** Mode: the index record of this KG: its code, padded or not. */
  kg?: string;
  /** Mode: what the index has of this parcel, and the record of its KG: <kg_code>-<gnr>; a slash is %2F, once. */
  parcel?: string;
  /** Mode: KGs whose box meets this one, by code. Beside segments only what lies in it; beside top_features those of the list that do. west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
  bbox?: string;
  /** Mode: KGs near this point, lon,lat in degrees (WGS84): those whose centroid lies within radius, and those whose box holds it; the nearest centroid first. */
  point?: string;
  /** Mode: KGs of this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** Mode: KGs of this district: its name, in any usual spelling, or its code, 3 digits. */
  district?: string;
  /** Mode: KGs of this municipality: its name, in any usual spelling (ß or ss, ö or oe, St. or Sankt), or its code, 5 digits. */
  gemeinde?: string;
  /** Mode: KGs that have this type of objects, by metric, the greatest first. Beside top_features=objects only this type. */
  type?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork";
  /** Mode: KGs that lost forest between year_from and year_to, by cells, the most first. */
  hansen?: boolean;
  /** Mode: KGs with at least min_count buildings that the cadastre does not have, the most first. */
  new_buildings?: boolean;
  /** Mode: KGs in which at least min_divergence percent of the objects have another type than the model's, the most first; with rf_type or final_type by the objects of those types. */
  divergence?: boolean;
  /** Mode: pairs of the model's type and the type in the end, over all KGs, the most objects first. */
  divergence_pairs?: boolean;
  /** Mode: KGs whose mean confidence is at most max_confidence, the least first. */
  low_confidence?: boolean;
  /** Mode: processed KGs by their mean confidence. */
  confidence_rank?: "asc" | "desc";
  /** Mode: KGs by how sure the model is of this type, the least first. */
  type_confidence?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork";
  /** Mode: KGs in which the model is sure of this type with at least min_confidence and which have at least min_area_sqm of it, by area, the largest first. */
  high_confidence_type?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork";
  /** Mode: parcels most of which is of this type, by KG and number. Slow: its first page reads every KG whose parcels may be; the others read the KGs on them. */
  parcels_by_type?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork";
  /** Radius around point. Unit: km. */
  radius?: number;
  /** What type is ordered by: area, share of the area, number of objects, mean height. */
  metric?: "area" | "fraction" | "count" | "height";
  /** First year of hansen. */
  year_from?: number;
  /** Last year of hansen. */
  year_to?: number;
  /** Cells that a KG lost at least. */
  min_loss?: number;
  /** New buildings at least. */
  min_count?: number;
  /** Percent that diverge at least; with rf_type or final_type, objects. */
  min_divergence?: number;
  /** Type by the model, of divergence and divergence_pairs. */
  rf_type?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork";
  /** Type in the end, of divergence and divergence_pairs. */
  final_type?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork";
  /** Mean confidence at most, of low_confidence. */
  max_confidence?: number;
  /** Confidence at least, of high_confidence_type (0.7 where it is not given) and top_features. */
  min_confidence?: number;
  /** Area at least, of high_confidence_type. Unit: m². */
  min_area_sqm?: number;
  /** Only these types, of segments, with commas between. */
  object_type?: ("unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork")[];
  /** Order of segments: area, share, objects, mean height, the greatest first. */
  sort?: "area" | "fraction" | "count" | "height";
  /** true leaves out KGs that were not processed. */
  processed_only?: boolean;
  /** true answers 202 {task_id, status, poll} at once; the same address with task_id alone, or /query/progress, answers 202 while it runs and then the result. */
  async?: boolean;
  /** Beside async=true the id that the client gives the task: 8 to 64 letters, digits, hyphens and underscores. Alone it asks what has become of a task. */
  task_id?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface QueryParcelsParameters {
  /** The KG: its code, padded or not. */
  kg: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Rows in one answer at most. */
  limit?: number;
  /** Rows to leave out from the start. */
  offset?: number;
  /** Where the page before ended, as its next link gives it. Stands in place of offset. With a body it needs the same body. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface QueryProgressParameters {
  /** The task, as the service named it or as the client did. */
  task_id: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type QueueBody = {
  count: number;
  /** KGs that are left out until they are queued again */
  permanently_failed: Failed[];
  queue: Waiting[];
};

export type Rates = {
  seconds_per_tile: number | null;
  /** over all work so far; null without work */
  tiles_per_hour: number | null;
};

export type Reason = {
  /** name of the figure of the segment */
  feature: string;
  /** by how much it raised the share of the votes, 0 to 1 */
  gain: number;
  /** its value; null where it is not known, which may speak for a class too */
  value: number | null;
};

export type RebuildBody = {
  asked_at: string;
  /** when the last index was started; null before the first */
  last_build_at: string | null;
  /** how long it took */
  last_build_s: number;
  /** where the status of the served index is */
  poll: string;
  /** KGs whose results it will hold */
  processed: number;
  status: "queued";
};

export type RegistrationMeta = {
  /** standard deviation of the difference of the terrain on open ground */
  noise_open_m: number | null;
  /** below trees */
  noise_wooded_m: number | null;
  /** standard deviation */
  offset_error_m: number | null;
  /** by which the later heights were too high; taken off */
  offset_m: number | null;
  sample_cells: number;
  /** by which the later date lay too far to the east */
  shift_east_m: number | null;
  /** standard deviation */
  shift_error_east_m: number | null;
  shift_error_north_m: number | null;
  shift_north_m: number | null;
  /** whether the shift was larger than its error, and was taken off */
  shift_removed: boolean;
  /** taken off */
  tilt_east_m_per_km: number | null;
  tilt_north_m_per_km: number | null;
};

export type Remaining = {
  /** of all KGs without a result */
  all_s: number | null;
  /** of the KG that is worked on, by the rate so far */
  current_s: number | null;
  /** of the queue */
  queue_s: number | null;
};

export type RemovedBody = {
  queue_length: number;
  removed_count: number;
  status: "removed";
};

export type RepairMeta = {
  /** share of the area that has a height in it */
  coverage: number | null;
  /** date of the laser scan: the newest that covers at least 95 % of the area, else the newest that touches it */
  dataset: string;
  geometry_repaired: boolean;
  license: LicenseObject;
  /** Milliseconds. */
  query_time_ms: number;
  warnings: string[];
};

export type ReplaceBody = {
  /** codes of KGs, or what GET answers */
  queue: string[];
};

export type Run = {
  /** KGs that workers have now */
  at_work: number;
  /** of these the first twenty by code */
  current: Named[];
  /** of the pass */
  kgs: number;
  /** of the execution */
  name: string;
  /** from 1; a pass has at most 500 KGs */
  pass: number;
  since: string;
};

export type ScoreBody = {
  /** 30 where a law on nature, landscape, water, species or a park names the parcel or its KG; null where laws are not available */
  legal_protection: number | null;
  /** 15 at 0.8 and above */
  ndvi: number | null;
  /** 20 inside, 10 within 500 m; null where areas are not available */
  protected_area: number | null;
  /** 0 to 100: the sum of the parts that are known */
  score: number;
  /** 15 log10(1 + m²) / log10(1 + 10,000), at most 15 */
  tree_canopy: number | null;
  /** 20 times the vegetated fraction */
  vegetation: number | null;
};

export type SecondBeside = {
  summary: SecondSummary;
};

export type SecondSummary = {
  /** at least 2 m above the ground and no building */
  area_ha_canopy: number | null;
  area_ha_total: number | null;
  by_detection_source: Record<string, number>;
  by_leaf_type: Record<string, number>;
  by_species_hint: Record<string, number>;
  by_surface_class: Record<string, number>;
  by_vitality: Record<string, number>;
  /** share of the cells of stands that are below 2 m; a cell is of a stand where half of the 11 x 11 around it is canopy */
  canopy_gap_fraction: number | null;
  crown_area_total_sqm: number | null;
  crown_cover_pct_canopy: number | null;
  crown_cover_pct_total: number | null;
  /** mean of the 100 highest trees a hectare, by h_dom_basis; field inventories take the 100 thickest */
  h_dom_m: number | null;
  h_max: number | null;
  h_mean_m: number | null;
  h_p50: number | null;
  h_p90: number | null;
  h_p95: number | null;
  h_p99: number | null;
  /** mean of the 100 highest trees */
  h_top100_m: number | null;
  /** trees by 2 m of height, from 0 */
  height_histogram_2m: number[];
  /** share of the canopy's cells by 2 m of height, from 0 */
  layer_profile_2m: (number | null)[];
  n_trees: number;
  n_trees_edge: number;
  stems_per_ha_canopy: number | null;
  stems_per_ha_total: number | null;
  /** always false: a surface model shows the highest crowns alone */
  understory_detectable: boolean;
  volume_total_m3_est: number | null;
};

/** A part of the land that is one thing. Required members stand in every row, unless fields= chooses others. */
export type Segment = {
  /** Cells of 1 m² (outline). Unit: m². */
  area_sqm: number | null;
  /** Direction that most cells descend to; below 2° they are flat. */
  aspect_dominant: "N" | "NE" | "E" | "SE" | "S" | "SW" | "W" | "NW" | "flat" | null;
  /** Mean direction of descent from north clockwise; -1: flat. Unit: °. */
  aspect_mean_deg: number | null;
  /** Mean of b = (red + green + blue) / 3 (orthophoto). */
  brightness_mean: number | null;
  /** What told the type: the trained model, rules, or the infrastructure of the community map. */
  classifier_source: "rf" | "rules" | "infra" | null;
  /** 4π · area / perimeter², at most 1 (outline). */
  compactness: number | null;
  /** How sure the type is. */
  confidence: number | null;
  /** Mean curvature (Zevenbergen & Thorne 1987) (terrain model). Unit: 1/m. */
  curvature_mean: number | null;
  /** Mean gradient of the surface (Sobel/8) along the border (surface model). */
  dsm_edge_strength: number | null;
  /** Mean of the terrain - that of the earlier date (models of two dates). Unit: m. */
  dtm_change: number | null;
  /** Highest minus lowest terrain. Unit: m. */
  dtm_range_m: number | null;
  /** Mean difference of the brightness across its border, 0 to 255. */
  edge_contrast: number | null;
  /** Highest terrain. Unit: m. */
  elevation_max_m: number | null;
  /** Mean of the terrain (terrain model). Unit: m. */
  elevation_mean_m: number | null;
  /** Lowest terrain. Unit: m. */
  elevation_min_m: number | null;
  /** 1 - minor / major axis of second moments (outline). */
  elongation: number | null;
  /** Area / area of the box along the axes of the plane (outline). */
  extent: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** -Σ p log2 p; p: pairs of neighbours inside by 32 levels of b, four directions, symmetric (orthophoto; Haralick 1973). Unit: bit. */
  glcm_entropy: number | null;
  /** Σ p / (1 + (i - j)²) (orthophoto; Haralick 1973). */
  glcm_homogeneity: number | null;
  /** Mean of (nir - green) / (nir + green). */
  gndvi_mean: number | null;
  /** Code of the group that it is put in; null: in none. */
  group_id: number | null;
  /** Name of the group. */
  group_type: "forest" | "woodland" | "hedgerow" | "waterbody" | "building" | "road_network" | "cropland" | "pasture" | "orchard_grove" | "quarry" | "construction_site" | null;
  /** √ (cos² + sin²) of the means of the first harmonic (vegetation index over the year). */
  harm_amplitude: number | null;
  /** Day of the year on which the vegetation index is highest, by the first harmonic; null where its amplitude is below 0.02. Unit: d. */
  harm_phase: number | null;
  /** Mean of h - h of the earlier date (models of two dates). Unit: m. */
  height_change: number | null;
  /** Greatest h (surface and terrain model). Unit: m. */
  height_max_m: number | null;
  /** Mean of h (surface and terrain model). Unit: m. */
  height_mean_m: number | null;
  /** 10th percentile of h (surface and terrain model). Unit: m. */
  height_p10_m: number | null;
  /** 90th percentile of h (surface and terrain model). Unit: m. */
  height_p90_m: number | null;
  /** Standard deviation of h (surface and terrain model). Unit: m. */
  height_std_m: number | null;
  /** Whether people made it. */
  is_manmade: boolean | null;
  /** Land cover by satellites that most of it has. */
  landcover_prior: string | null;
  /** Mean of ndvi_mean and harmonic_mean; the one that is there (orthophoto and vegetation index over the year). */
  ndvi_fused: number | null;
  /** Mean of v = (nir - red) / (nir + red) (orthophoto). */
  ndvi_mean: number | null;
  /** Standard deviation of v (orthophoto). */
  ndvi_std: number | null;
  /** Mean of near infrared, 0 to 255 (orthophoto). */
  nir_mean: number | null;
  /** Standard deviation of near infrared (orthophoto). */
  nir_std: number | null;
  /** Code of the land register that most of it has; null: unknown. */
  parcel_landuse: number | null;
  /** Course of the vegetation index over the year. */
  phenology_class: "evergreen" | "deciduous" | "cultivated" | "grassland" | "sparse" | "non_vegetated" | "unknown" | null;
  /** How sure the model is. */
  rf_confidence: number | null;
  /** What the trained model takes it for; null without one. */
  rf_type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** √ mean of squared Laplacians/4 of the surface: sum of 4 neighbours/4 - z (surface model). Unit: m. */
  roughness: number | null;
  /** Rule that fired; null where the model decided. */
  rule?: string | null;
  /** Its conditions. */
  rule_when?: string | null;
  /** How sure they are. */
  rules_confidence?: number | null;
  /** What the rules say. */
  rules_type?: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** sar_vv - sar_vh (radar backscatter). Unit: dB. */
  sar_ratio: number | null;
  /** 10 log10 of the mean power, VH (radar backscatter). Unit: dB. */
  sar_vh: number | null;
  /** 10 log10 of the mean power, VV (radar backscatter). Unit: dB. */
  sar_vv: number | null;
  /** Name of the segment by its first cell from the north, then from the west, in EPSG:3035: the same in every answer that does not cut it. Not in GeoPackages. */
  segment_id: string | null;
  /** Share of cells with a brightness below 45. */
  shadow_fraction: number | null;
  /** Mean slope of the terrain (Horn 1981) (terrain model). Unit: °. */
  slope_mean: number | null;
  /** Area / area of the convex hull (outline). */
  solidity: number | null;
  /** Share of cells whose surface differs by less than 0.5 m (models of two dates). */
  temporal_stability: number | null;
  /** Ruggedness by the mean TRI of cells of 1 m. */
  terrain_class: "level" | "nearly_level" | "slightly_rugged" | "intermediately_rugged" | "moderately_rugged" | "highly_rugged" | "extremely_rugged" | null;
  /** glcm_entropy / 10 · (1 - glcm_homogeneity). */
  texture_complexity: number | null;
  /** Features that spoke most for rf_type, the strongest first: by how much each raised the share of the model's votes; null without a model. */
  top_features?: Reason[] | null;
  /** Mean position (Weiss 2001) (terrain model). Unit: m. */
  tpi_mean: number | null;
  /** Mean ruggedness (Riley 1999) (terrain model). Unit: m. */
  tri_mean: number | null;
  /** What it is. */
  type: "unclassified" | "tree" | "shrub" | "grass" | "hedge" | "water" | "roof" | "greenhouse" | "solar_panel" | "fence" | "wall" | "mast" | "wind_turbine" | "substation" | "road" | "path" | "parking" | "bridge" | "crop" | "orchard" | "vineyard" | "garden" | "bare_soil" | "rock" | "excavation" | "fill" | "tree_loss" | "construction" | "earthwork" | null;
  /** Code of the type. */
  type_code: number | null;
};

export interface SegmentAbortParameters {
  /** The task: as the service named it, or as the client did. */
  task_id: string;
}

export type SegmentBeside = {
  /** by type, those that occur */
  summary: Record<string, TypeSummary>;
};

export type SegmentMeta = {
  /** which footprints bounded segments */
  building_mask: "cadastre" | "partial" | "none";
  /** share of the area that has heights */
  coverage: number | null;
  /** date of the laser scan; null where heights are missing */
  dataset: string | null;
  /** date of the earlier scan that it was compared with; null without one */
  earlier_dataset: string | null;
  geometry_repaired: boolean;
  /** layers that the gradient was fused of: height, surface, ndvi, brightness */
  gradient_layers: string[];
  /** licence of the map from which ways are known; null without one */
  infrastructure: string | null;
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  /** layers that were asked for and are not available */
  layers_missing: string[];
  /** squares of 1 km by how they were divided: watershed, felzenszwalb */
  methods: Record<string, number>;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  /** trained model that told types; null: the rules told them alone */
  model: About | null;
  /** date of the orthophoto; null if none was used */
  ortho: string | null;
  /** as they were used */
  parameters: Record<string, unknown>;
  ready: boolean;
  /** share of the area in segments */
  segmented: number | null;
  version?: string;
  warnings: string[];
};

export interface SegmentParameters {
  /** Date of the laser scan as YYYYMMDD; where none is given the newest whose tiles cover the area, else the newest that touches it. */
  dataset?: string;
  /** What is smaller joins the neighbour that it differs least from. Unit: m². */
  min_object_size?: number;
  /** Where heights are missing: the larger, the larger objects are. The unit is that of scikit-image: k of Felzenszwalb & Huttenlocher is 1/255 of it, for colours from 0 to 1. */
  felz_scale?: number;
  /** Neighbours are merged while the mean gradient along their border, 0 to 1, is below it. */
  rag_threshold?: number;
  /** Whether the newest orthophoto is looked at, where there is one. */
  include_ortho?: boolean;
  /** Whether the scan is compared with the one before it: for height_change, dtm_change and temporal_stability, and the types that they tell. */
  include_temporal?: boolean;
  /** Whether vegetation index over the year, radar and land cover of satellites are looked at, where there are some. */
  include_copernicus?: boolean;
  /** Whether footprints of the cadastre bound objects and tell roofs, and its land use tells gardens and vineyards. */
  include_cadastre?: boolean;
  /** Whether the global forest change is asked for: layers_missing names it if it does not cover the area. No type and no property is made of it. */
  include_hansen?: boolean;
  /** Only segments of these types, as a comma list of unclassified, tree, shrub, grass, hedge, water, roof, greenhouse, solar_panel, fence, wall, mast, wind_turbine, substation, road, path, parking, bridge, crop, orchard, vineyard, garden, bare_soil, rock, excavation, fill, tree_loss, construction, earthwork. */
  types?: string[];
  /** Only segments of types that are members of one of these groups, as a comma list of forest, woodland, hedgerow, waterbody, building, road_network, cropland, pasture, orchard_grove, quarry, construction_site. */
  groups?: string[];
  /** Adds to each segment the rule that fired, what rules and model say, and the features that spoke most for what the model says. */
  explain?: boolean;
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; geojson is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "geojson" | "json" | "csv" | "gpkg" | "kml" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** Date of the laser scan as YYYYMMDD; where none is given the newest whose tiles cover the area, else the newest that touches it. */
      dataset?: string;
      /** Adds to each segment the rule that fired, what rules and model say, and the features that spoke most for what the model says. */
      explain?: boolean;
      /** Where heights are missing: the larger, the larger objects are. The unit is that of scikit-image: k of Felzenszwalb & Huttenlocher is 1/255 of it, for colours from 0 to 1. */
      felz_scale?: number;
      /** Only segments of types that are members of one of these groups, as a comma list of forest, woodland, hedgerow, waterbody, building, road_network, cropland, pasture, orchard_grove, quarry, construction_site. */
      groups?: string[];
      /** Whether footprints of the cadastre bound objects and tell roofs, and its land use tells gardens and vineyards. */
      include_cadastre?: boolean;
      /** Whether vegetation index over the year, radar and land cover of satellites are looked at, where there are some. */
      include_copernicus?: boolean;
      /** Whether the global forest change is asked for: layers_missing names it if it does not cover the area. No type and no property is made of it. */
      include_hansen?: boolean;
      /** Whether the newest orthophoto is looked at, where there is one. */
      include_ortho?: boolean;
      /** Whether the scan is compared with the one before it: for height_change, dtm_change and temporal_stability, and the types that they tell. */
      include_temporal?: boolean;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** What is smaller joins the neighbour that it differs least from. Unit: m². */
      min_object_size?: number;
      /** Neighbours are merged while the mean gradient along their border, 0 to 1, is below it. */
      rag_threshold?: number;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
      /** Only segments of these types, as a comma list of unclassified, tree, shrub, grass, hedge, water, roof, greenhouse, solar_panel, fence, wall, mast, wind_turbine, substation, road, path, parking, bridge, crop, orchard, vineyard, garden, bare_soil, rock, excavation, fill, tree_loss, construction, earthwork. */
      types?: string[];
    };
  };
}

export interface SegmentProgressParameters {
  /** The task: as the service named it, or as the client did. */
  task_id: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface SegmentResultParameters {
  /** The task: as the service named it, or as the client did. */
  task_id: string;
  /** false sends a result of more than 64 MB from here, and not from the store that it is kept in. */
  redirect?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type SegmentsMeta = {
  /** licence of the community map, from which segments of ways are known */
  infrastructure?: string;
  license: LicenseObject;
  /** Milliseconds. */
  query_time_ms: number;
};

/** A result that is kept under a name. Required members stand in every row, unless fields= chooses others. */
export type Share = {
  /** Size of the JSON. Unit: B. */
  bytes: number | null;
  /** When it was asked for, RFC 3339. */
  created_at: string | null;
  /** When it is forgotten, RFC 3339; null where it stays. */
  expires_at: string | null;
  /** Kind of the question: that of its endpoint. */
  kind: string | null;
  /** Name: /share/{name} is the result. */
  name: string | null;
};

export interface ShareGpkgParameters {
  /** The share: 1 to 80 letters, digits, hyphens and underscores. */
  name: string | number;
  /** Only features of these types, separated by commas. */
  types?: string[];
  /** Only features at least so high. Unit: m. */
  height_min?: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ShareParameters {
  /** The share: 1 to 80 letters, digits, hyphens and underscores. */
  name: string | number;
  /** false sends a result of more than 64 MB from here, and not from the store that it is kept in. */
  redirect?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type ShareShape = {
  created_at: string;
  /** when it is forgotten; null where it stays */
  expires_at: string | null;
  /** of the data that was read */
  generation: string;
  /** the area as GeoJSON, where the answer is about one; null otherwise */
  geometry: unknown;
  /** of the question: that of its endpoint */
  kind: string;
  name: string;
  /** area and parameters as they were understood */
  question: unknown;
  /** as the endpoint would have answered */
  result: unknown;
  software: string;
};

export interface SharesParameters {
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

export type State = {
  /** the task waits or is worked on */
  active: boolean;
  /** name of the share with the result; null until the task is done */
  auto_share_id: string | null;
  /** more of the step, for a person */
  detail: string;
  /** the result can be fetched */
  done: boolean;
  /** seconds since the task was asked for, until its end */
  elapsed: number;
  /** why there is no result; null where there is one, or may be */
  error: string | null;
  /** when task and result are forgotten; null until the task has ended */
  expires_at: string | null;
  /** share of the step that is done, 0 to 1 */
  fraction: number;
  status: "running" | "done" | "error" | "cancelled";
  /** the current step, or the last one; queued while it waits */
  step: string;
  task_id: string;
};

export type StatusBody = {
  /** false: nothing was processed yet, and the index is what the cadastre knows */
  available: boolean;
  bytes: number | null;
  /** columns of a record */
  columns: number;
  /** key of the index among the artefacts; null without an index */
  index: string | null;
  meta: DatasetMeta;
  /** processed KGs by the year of their scan */
  primary_years: Record<string, number>;
  processed_kgs: number;
  total_kgs: number;
};

export type StatusFigure = {
  count: number;
  /** null where the trees stand on one date alone */
  height_change_mean_m: number | null;
};

export type StatusInfo = {
  created: string;
  finished?: string;
  jobID: string;
  links: Link[];
  message: string;
  processID: string;
  /** percent: 0 before, 100 after; absent while steps run, whose number is not known before */
  progress?: number;
  status: "accepted" | "running" | "successful" | "failed" | "dismissed";
  type: "process";
  updated: string;
};

export type SumCover = {
  area_km2: number | null;
  /** share of the classified area */
  fraction: number | null;
  object_type: string;
};

export type Summary = {
  description: string;
  id: string;
  jobControlOptions: string[];
  links: Link[];
  outputTransmission: string[];
  title: string;
  version: string;
};

export type SumsBody = {
  avg_elevation_m: number | null;
  avg_ndvi: number | null;
  avg_quality_score: number | null;
  avg_slope_deg: number | null;
  /** cells of 30 m by year */
  hansen_loss_by_year: Record<string, number>;
  level: "country" | "state" | "district" | "gemeinde" | "bbox";
  meta: DatasetMeta;
  /** of the state, district or municipality; Austria, or bbox */
  name: string;
  processed_kgs: number;
  /** types by area, the ten largest */
  top_landcover: SumCover[];
  total_area_km2: number | null;
  total_buildings: number | null;
  total_kgs: number;
  total_new_buildings: number | null;
  total_parcels: number | null;
  total_trees: number | null;
  tree_canopy_km2: number | null;
};

export type SureBody = {
  diverged_count: number | null;
  object_type: string;
  rf_count: number | null;
  rf_mean_confidence: number | null;
  rf_min_confidence: number | null;
};

export type SurveyedBody = {
  /** KGs whose parcels may pass */
  kgs_matching: number;
  /** of them, those that were read */
  kgs_read: number;
  limit: number;
  meta: BatchMeta;
  offset: number;
  results: (LandscapeCadastreParcel | LandscapeParcel)[];
  /** parcels that pass in the KGs that were read */
  total: number;
};

export type TerrainData = {
  area_sqm: number;
  aspect_dominant: string | null;
  /** share of the cells by direction; flat is below 2 degrees */
  aspect_fractions: Record<string, number | null>;
  /** 0 to 360 clockwise from north, weighted by slope; -1 where the area is flat */
  aspect_mean_deg: number | null;
  /** cells whose centres lie in the area */
  cells: number;
  curvature_max: number | null;
  curvature_mean: number | null;
  curvature_min: number | null;
  dataset: string;
  elevation_max_m: number | null;
  elevation_mean_m: number | null;
  elevation_min_m: number | null;
  elevation_range_m: number | null;
  /** share of them that have a height */
  known_fraction: number | null;
  slope_max_deg: number | null;
  slope_mean_deg: number | null;
  slope_min_deg: number | null;
  slope_p90_deg: number | null;
  slope_sd_deg: number | null;
  step_m: number;
  terrain_class: string | null;
  tpi_max: number | null;
  tpi_mean: number | null;
  tpi_min: number | null;
  tri_max: number | null;
  tri_mean: number | null;
};

export interface TerrainParameters {
  /** Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it. */
  dataset?: string;
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** Date of the laser scan as YYYYMMDD; where it is not given the newest that covers at least 95 % of what is asked for, else the newest that touches it. */
      dataset?: string;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

/** A tree told by its crown. Required members stand in every row, unless fields= chooses others. */
export type Tree = {
  /** 4 pi A / P² of the crown; 1 is a circle. */
  compactness: number | null;
  /** Area of the crown. Unit: m². */
  crown_area_sqm: number | null;
  /** Form of the crown by its profile. */
  crown_shape: "conical" | "rounded" | "columnar" | "irregular" | null;
  /** 1 - minor / major axis of the crown. */
  elongation: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Height of the apex above the ground. Unit: m. */
  height_max_m: number | null;
  /** Mean height of the crown's cells. Unit: m. */
  height_mean_m: number | null;
  /** 90th percentile of them. Unit: m. */
  height_p90_m: number | null;
  /** Type of leaves; dead by the vegetation index. */
  leaf_type: "coniferous" | "broadleaf" | "dead" | "unknown" | null;
  /** Mean vegetation index of the crown; null without an orthophoto. */
  ndvi_mean: number | null;
  /** What the surface of the crown is. */
  surface_class: "tree" | "dead_tree_candidate" | "uncertain" | "building" | "hard_surface" | "crop" | "flat_structure" | null;
  /** Name of the tree by its place, snapped to half a metre: the same in every answer that finds its apex there. */
  tree_id: string | null;
  /** Probability that it is a tree, by its surface. */
  tree_likelihood: number | null;
};

/** A tree told by its apex. Required members stand in every row, unless fields= chooses others. */
export type TreeApex = {
  /** Latitude of the apex, WGS84. Unit: °. */
  apex_lat: number | null;
  /** Longitude of the apex, WGS84. Unit: °. */
  apex_lon: number | null;
  /** Mean of red, green and blue over the crown, 0 to 255. */
  brightness_mean: number | null;
  /** Area of the crown. Unit: m². */
  crown_area_sqm: number | null;
  /** Distance of the farthest part of the crown from the apex. Unit: m. */
  crown_radius_max_m: number | null;
  /** Radius of the circle of that area. Unit: m. */
  crown_radius_mean_m: number | null;
  /** Estimated diameter of the stem at breast height. Unit: cm. */
  dbh_est_cm: number | null;
  /** How that was estimated. */
  dbh_method: string | null;
  /** How sure the apex is that of one tree. */
  detection_conf: number | null;
  /** What the apex was found in: heights, or heights and the orthophoto. */
  detection_source: "ndsm" | "fused" | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Height of the apex above the ground: the highest return, and what a laser misses of an apex by the steepness of the crown. Unit: m. */
  height_m: number | null;
  /** Whether the crown touches the border of the area or places without heights. */
  is_edge: boolean | null;
  /** Type of leaves. */
  leaf_type: "coniferous" | "broadleaf" | "dead" | "unknown" | null;
  /** How sure that is. */
  leaf_type_conf: number | null;
  /** Probability of a conifer. */
  leaf_type_prob_conifer: number | null;
  /** Mean vegetation index of the crown; null without an orthophoto. */
  ndvi_mean: number | null;
  /** Mean of the near infrared over the crown, 0 to 255. */
  nir_mean: number | null;
  /** Number in the answer, from 1. */
  seq: number | null;
  /** How sure the hint is, at most 0.6. */
  species_conf: number | null;
  /** A hint at the species, no more. */
  species_hint: "spruce" | "larch" | "pine" | "conifer_unspecified" | "broadleaf_unspecified" | "unknown" | null;
  /** Share of the crown in footprints grown by 1 m; null where none are known. */
  surface_building_frac: number | null;
  /** What the surface of the crown is. */
  surface_class: "tree" | "dead_tree_candidate" | "uncertain" | "building" | "hard_surface" | "crop" | "flat_structure" | null;
  /** Root mean square distance of the crown's surface from its plane. Unit: m. */
  surface_planarity_m: number | null;
  /** Highest minus lowest of the crown's surface. Unit: m. */
  surface_relief_m: number | null;
  /** Root mean square of second differences of the crown's surface. Unit: m. */
  surface_roughness_m: number | null;
  /** Name of the tree by its place, snapped to half a metre: the same in every answer that finds its apex there. */
  tree_id: string | null;
  /** Probability that it is a tree, by its surface. */
  tree_likelihood: number | null;
  /** By the vegetation index: vital from 0.30, dead below 0.15; unknown without an orthophoto. */
  vitality: "vital" | "stressed" | "dead" | "unknown" | null;
  /** How sure that is. */
  vitality_conf: number | null;
  /** Estimated volume of the stem (Pollanschütz 1974); 0 below 5 cm of diameter. Unit: m³. */
  volume_m3_est: number | null;
};

/** What became of a tree between two laser scans. Required members stand in every row, unless fields= chooses others. */
export type TreeChange = {
  /** Null of a felled tree. Unit: m². */
  crown_area_after_sqm: number | null;
  /** Null of a new tree, and where the crown was part of another then. Unit: m². */
  crown_area_before_sqm: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Null of a felled tree. Unit: m. */
  height_after_m: number | null;
  /** Null of a new tree. Unit: m. */
  height_before_m: number | null;
  /** Null where the tree stands on one date alone. Unit: m. */
  height_change_m: number | null;
  /** grown by at least 0.5 m, stable, felled, or new. */
  status: "grown" | "stable" | "felled" | "new" | null;
  /** Name of the tree by its place at the later date, of a felled one at the earlier. */
  tree_id: string | null;
};

export type TreesMeta = {
  /** which footprints told buildings */
  building_mask: "cadastre" | "partial" | "none";
  /** share of the area that has heights */
  coverage: number | null;
  /** date of the laser scan */
  dataset: string;
  geometry_repaired: boolean;
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
  /** date of the orthophoto; null if none was used */
  ortho: string | null;
  /** as they were used */
  parameters: Record<string, unknown>;
  ready: boolean;
  /** crowns that are no trees by their surface */
  rejected_by_surface: number;
  rejected_by_surface_class: Record<string, number>;
  version?: string;
  warnings: string[];
};

export interface TreesParameters {
  /** Date of the laser scan as YYYYMMDD; where none is given the newest that covers at least 95 % of the area, else the newest that touches it. */
  dataset?: string;
  /** Trees of at least this height above the ground. Unit: m. */
  min_tree_height?: number;
  /** Trees with a crown of at least this area. Unit: m². */
  crown_min_area?: number;
  /** point: rows are drawn as the apexes. polygon: as the outlines of the crowns. */
  crown_geometry?: "point" | "polygon";
  /** Whether the newest orthophoto is looked at, where there is one: for the vegetation index, leaf types and vitality. */
  include_ortho?: boolean;
  /** Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure. */
  reject_nonforest?: boolean;
  /** Whether footprints of the cadastre tell buildings. */
  include_cadastre?: boolean;
  /** Only trees that are at least so likely to be one. */
  min_tree_likelihood?: number;
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "kml" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** point: rows are drawn as the apexes. polygon: as the outlines of the crowns. */
      crown_geometry?: "point" | "polygon";
      /** Trees with a crown of at least this area. Unit: m². */
      crown_min_area?: number;
      /** Date of the laser scan as YYYYMMDD; where none is given the newest that covers at least 95 % of the area, else the newest that touches it. */
      dataset?: string;
      /** Whether footprints of the cadastre tell buildings. */
      include_cadastre?: boolean;
      /** Whether the newest orthophoto is looked at, where there is one: for the vegetation index, leaf types and vitality. */
      include_ortho?: boolean;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** Trees of at least this height above the ground. Unit: m. */
      min_tree_height?: number;
      /** Only trees that are at least so likely to be one. */
      min_tree_likelihood?: number;
      /** Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure. */
      reject_nonforest?: boolean;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

export interface TreesV2Parameters {
  /** Date of the laser scan as YYYYMMDD; where none is given the newest that covers at least 95 % of the area, else the newest that touches it. */
  dataset?: string;
  /** Trees of at least this height above the ground. Unit: m. */
  min_tree_height?: number;
  /** Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure. */
  reject_nonforest?: boolean;
  /** Whether footprints of the cadastre tell buildings. */
  include_cadastre?: boolean;
  /** Only trees that are at least so likely to be one. */
  min_tree_likelihood?: number;
  /** The usual radius of a crown is crown_radius_a + crown_radius_b times the height; apexes closer than 0.6 of it to a higher one are left out. Unit: m. */
  crown_radius_a?: number;
  /** Metres of radius for each metre of height. */
  crown_radius_b?: number;
  /** Standard deviation of the Gaussian that the canopy is smoothed by, in pixels of 0.5 m; 0: not smoothed. */
  smooth_sigma?: number;
  /** A crown reaches at most so many usual radii from its apex. */
  crown_cap_factor?: number;
  /** The largest crown. Unit: m². */
  max_crown_area?: number;
  /** point: rows are drawn as the apexes. polygon: as the outlines of the crowns. */
  crown_geometry?: "point" | "polygon";
  /** Whether the newest orthophoto is looked at, where there is one: for the vegetation index, leaf types and vitality. */
  include_ortho?: boolean;
  /** fused: an orthophoto confirms apexes, which makes them surer. ndsm_only: heights alone are looked at. An apex that only the orthophoto shows is left out in both. */
  detection_mode?: "fused" | "ndsm_only";
  /** Cells in which the orthophoto is looked at, in metres, at most: its own where they are larger. */
  ortho_seed_res_m?: "0.4" | "0.8" | "1.6";
  /** Only apexes that stand so high above the way to a higher one within 15 m; 0: all. Unit: m. */
  min_apex_prominence_m?: number;
  /** The leaf type is unknown below this confidence. */
  leaf_type_min_conf?: number;
  /** The area over which the 100 highest trees a hectare are counted for h_dom_m. */
  h_dom_basis?: "canopy" | "total";
  /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
  async?: boolean;
  /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
  task_id?: string;
  /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
  listed?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "kml" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** true answers 202 with the id of a task at once; its progress and result are fetched by that. */
      async?: boolean;
      /** A crown reaches at most so many usual radii from its apex. */
      crown_cap_factor?: number;
      /** point: rows are drawn as the apexes. polygon: as the outlines of the crowns. */
      crown_geometry?: "point" | "polygon";
      /** The usual radius of a crown is crown_radius_a + crown_radius_b times the height; apexes closer than 0.6 of it to a higher one are left out. Unit: m. */
      crown_radius_a?: number;
      /** Metres of radius for each metre of height. */
      crown_radius_b?: number;
      /** Date of the laser scan as YYYYMMDD; where none is given the newest that covers at least 95 % of the area, else the newest that touches it. */
      dataset?: string;
      /** fused: an orthophoto confirms apexes, which makes them surer. ndsm_only: heights alone are looked at. An apex that only the orthophoto shows is left out in both. */
      detection_mode?: "fused" | "ndsm_only";
      /** The area over which the 100 highest trees a hectare are counted for h_dom_m. */
      h_dom_basis?: "canopy" | "total";
      /** Whether footprints of the cadastre tell buildings. */
      include_cadastre?: boolean;
      /** Whether the newest orthophoto is looked at, where there is one: for the vegetation index, leaf types and vitality. */
      include_ortho?: boolean;
      /** The leaf type is unknown below this confidence. */
      leaf_type_min_conf?: number;
      /** true lists the share of the task's result in /shares. Beside async=true; otherwise only who has its name finds it. */
      listed?: boolean;
      /** The largest crown. Unit: m². */
      max_crown_area?: number;
      /** Only apexes that stand so high above the way to a higher one within 15 m; 0: all. Unit: m. */
      min_apex_prominence_m?: number;
      /** Trees of at least this height above the ground. Unit: m. */
      min_tree_height?: number;
      /** Only trees that are at least so likely to be one. */
      min_tree_likelihood?: number;
      /** Cells in which the orthophoto is looked at, in metres, at most: its own where they are larger. */
      ortho_seed_res_m?: "0.4" | "0.8" | "1.6";
      /** Whether crowns are left out whose surface is a building, hard surface, crop or another flat structure. */
      reject_nonforest?: boolean;
      /** Standard deviation of the Gaussian that the canopy is smoothed by, in pixels of 0.5 m; 0: not smoothed. */
      smooth_sigma?: number;
      /** Id that the client gives the task, best a UUID: 8 to 64 letters, digits, hyphens and underscores, not beginning with task- or onestop-. Beside async=true; asked again with it the same task is found. Where none is given the service makes one. */
      task_id?: string;
    };
  };
}

export type TypeObject = {
  min_area_sqm?: number;
  min_confidence?: number;
  type: string;
};

export type TypeSummary = {
  area_sqm: number | null;
  confidence_mean: number | null;
  count: number;
};

export type UseBody = {
  abbr: string;
  /** on parcels; null where no polygon says it */
  area_sqm: number | null;
  code: number;
  /** of the areas that are known */
  fraction: number | null;
  /** parcels with it */
  parcels: number;
  type_name: string;
};

export type VectorRow = {
  /** where it is served */
  at: string[];
  attribution: string;
  date?: string;
  layer: string;
  license: string;
  license_url: string;
  served: boolean;
  /** what is derived from it has to be shared under the same licence: it is kept apart */
  share_alike: boolean;
  title: string;
};

export type Vertex = {
  dtm_m: number | null;
  lat: number;
  lon: number;
  obj_height_m?: number;
};

export type Waiting = {
  code: string;
  gemeinde_name: string;
  name: string;
  /** from 0 */
  position: number;
  /** whether it has a result already */
  processed: boolean;
};
