// Made from the services' openapi.json by go test ./infra/jsclient -update; not edited by hand.
import type { Call, FreeCall, GeoJSONGeometry } from "./index.d.ts";
import type {
  Address,
  AddressParts,
  AlternativeShape,
  Beside,
  BoxParts,
  BuildingShape,
  Conformance,
  DocsLlmParameters,
  DocsPageParameters,
  DocsParameters,
  FactorsShape,
  FeedbackCreated,
  FeedbackList,
  FeedbackListParameters,
  FeedbackPostParameters,
  GadmMunicipality,
  GapsMeta,
  GeocodedMeta,
  Inputs,
  IntervalShape,
  LanduseCode,
  LanduseDistribution,
  LegalBrief,
  License,
  LicenseParameters,
  Link,
  LlmCoverageParameters,
  LlmKgParameters,
  LlmKgsAnswer,
  LlmKgsParameters,
  LlmManifestParameters,
  LlmParcelParameters,
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
  ProtectedArea,
  SearchAddressOsmParameters,
  SearchGadmParameters,
  SearchMunicipalitiesParameters,
  SearchProtectedAreaParameters,
  SiblingCoverage,
  SiblingManifest,
  SiblingParcelPayload,
  SiblingPayload,
  SiteBrief,
  SuggestionsMeta,
} from "./shared.d.ts";

export type {
  Address,
  AddressParts,
  AlternativeShape,
  AreaShape,
  Beside,
  BodyShape,
  BoxParts,
  BuildingShape,
  Conformance,
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
  GapsMeta,
  GeocodedMeta,
  Inputs,
  IntervalShape,
  LanduseCode,
  LanduseDistribution,
  LegalBrief,
  License,
  LicenseParameters,
  Link,
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
  SiteBrief,
  SuggestionsMeta,
  Terms,
  UpstreamMember,
} from "./shared.d.ts";

export interface CadastreCalls {
  /** What is in the research repository */
  archiveStatus: FreeCall<ArchiveStatusParameters, ArchiveStatus>;
  /** Join address points to their parcels */
  buildingsRepair: FreeCall<BuildingsRepairParameters, RepairBody>;
  /** Repairs of address points */
  buildingsRepairStats: FreeCall<BuildingsRepairStatsParameters, RepairStats>;
  /** Requests that this process answers now */
  debugInflight: FreeCall<DebugInflightParameters, InflightBody>;
  /** The page to try the endpoints */
  docs: FreeCall<DocsParameters, string>;
  /** The endpoints as plain text */
  docsLlm: FreeCall<DocsLlmParameters, string>;
  /** The page to try the endpoints */
  docsPage: FreeCall<DocsPageParameters, string>;
  /** Whole KGs as CSV tables */
  exportCsv: FreeCall<ExportCsvParameters, Uint8Array>;
  /** Whole KGs as DXF drawings */
  exportDxf: FreeCall<ExportDxfParameters, Uint8Array>;
  /** Whole KGs as FlatGeobuf */
  exportFlatgeobuf: FreeCall<ExportFlatgeobufParameters, Uint8Array>;
  /** Whole KGs as GeoJSON */
  exportGeojson: FreeCall<ExportGeojsonParameters, LayersBody>;
  /** Whole KGs as GeoPackage */
  exportGpkg: FreeCall<ExportGpkgParameters, Uint8Array>;
  /** An export that a job writes */
  exportJob: Call<ExportJobParameters, StatusBody>;
  /** Cancel an export */
  exportJobCancel: Call<ExportJobCancelParameters, StatusBody>;
  /** Whole KGs as KML */
  exportKml: FreeCall<ExportKmlParameters, Uint8Array>;
  /** Whole KGs as shapefiles */
  exportShapefile: FreeCall<ExportShapefileParameters, Uint8Array>;
  /** Size of an export */
  exportSize: FreeCall<ExportSizeParameters, SizeBody>;
  /** Whole KGs as XLSX workbooks */
  exportXlsx: FreeCall<ExportXlsxParameters, Uint8Array>;
  /** The reports, newest first */
  feedbackList: FreeCall<FeedbackListParameters, FeedbackList>;
  /** Report a problem, a wish or a question */
  feedbackPost: Call<FeedbackPostParameters, FeedbackCreated>;
  /** State of the geometry cache of this process */
  footprintsGeomCacheStats: FreeCall<FootprintsGeomCacheStatsParameters, CacheStatsBody>;
  /** Polygons of up to 5,000 footprints */
  footprintsGeometryBatch: Call<FootprintsGeometryBatchParameters, {
    data: FootprintGeometry[];
    meta: Meta & BatchMeta;
  } & ReadyMember>;
  /** Polygons of up to 5,000 footprints */
  footprintsGeometryBatchPost: Call<FootprintsGeometryBatchPostParameters, {
    data: FootprintGeometry[];
    meta: Meta & BatchMeta;
  } & ReadyMember>;
  /** KGs that were processed */
  inspireList: FreeCall<InspireListParameters, {
    data: ProcessedKg[];
    meta: Meta;
  }>;
  /** Process a KG */
  inspireProcess: Call<InspireProcessParameters, ProcessBody>;
  /** How far the processing of a KG is */
  inspireStatus: Call<InspireStatusParameters, ProcessingStatus>;
  /** What changed in a KG between two dates */
  kgDiff: Call<KgDiffParameters, {
    data: ParcelChange[];
    meta: Meta & GapsMeta;
  } & DiffBeside>;
  /** A parcel number through the snapshots of its KG */
  kgHistory: Call<KgHistoryParameters, NumberHistory>;
  /** Dated snapshots of a KG, or the epochs and generations of the country */
  kgVersions: FreeCall<KgVersionsParameters, VersionsBody | EpochsBody | MissingBody>;
  /** Prices of up to 1,000 parcels */
  landPricesBatch: Call<LandPricesBatchParameters, {
    data: LandPrice[];
    meta: Meta & ParcelMeta;
  } & BatchBeside>;
  /** Prices of up to 1,000 parcels or described parcels */
  landPricesBatchPost: Call<LandPricesBatchPostParameters, {
    data: LandPrice[];
    meta: Meta & ParcelMeta;
  } & BatchBeside>;
  /** Prices and values of a district */
  landPricesBezirk: Call<LandPricesBezirkParameters, {
    data: LandPricesBezirk[];
    meta: Meta & PriceMeta;
  }>;
  /** Prices and values of a state */
  landPricesBundesland: Call<LandPricesBundeslandParameters, {
    data: LandPricesBundesland[];
    meta: Meta & PriceMeta;
  }>;
  /** Prices and values of a municipality */
  landPricesGemeinde: Call<LandPricesGemeindeParameters, {
    data: LandPricesGemeinde[];
    meta: Meta & PriceMeta;
  }>;
  /** Price of a parcel */
  landPricesParcel: Call<LandPricesParcelParameters, {
    data: LandPrice[];
    meta: Meta & ParcelMeta;
  }>;
  /** Price of a parcel described by parameters */
  landPricesPredict: Call<LandPricesPredictParameters, {
    data: LandPrice[];
    meta: Meta & PriceMeta;
  }>;
  /** The price model: rules, constants, sources, growth */
  landPricesStats: FreeCall<LandPricesStatsParameters, {
    data: LandPricesStats[];
    meta: Meta & PriceMeta;
  }>;
  /** The model compared with the published prices */
  landPricesValidate: FreeCall<LandPricesValidateParameters, LandPricesValidateAnswer>;
  /** The land-use codes */
  landuseCodes: FreeCall<LanduseCodesParameters, {
    data: LanduseCode[];
    meta: Meta;
  }>;
  /** Land use by KG, municipality, district or state */
  landuseDistribution: FreeCall<LanduseDistributionParameters, {
    data: LanduseDistribution[];
    meta: Meta & GapsMeta;
  }>;
  /** Parcels that laws name */
  legalSearch: FreeCall<LegalSearchParameters, {
    data: LegalReference[];
    meta: Meta;
  }>;
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
  /** Municipalities, KGs, localities and postal codes by name or code */
  lookup: FreeCall<LookupParameters, Place[]>;
  /** Natura 2000 sites and laws of a KG */
  natura2000Kg: Call<Natura2000KgParameters, KgBody>;
  /** Natura 2000 sites of a parcel */
  natura2000Parcel: Call<Natura2000ParcelParameters, ParcelBody>;
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
  /** Natura 2000 sites in an area */
  natura2000SearchPost: FreeCall<Natura2000SearchPostParameters, {
    data: Natura2000SiteFound[];
    meta: Meta & PlaceMeta;
  }>;
  /** One Natura 2000 site */
  natura2000Site: Call<Natura2000SiteParameters, {
    data: Natura2000Site[];
    meta: Meta;
  }>;
  /** Parcels in a Natura 2000 site */
  natura2000SiteParcels: Call<Natura2000SiteParcelsParameters, {
    data: SiteParcel[];
    meta: Meta & GapsMeta;
  }>;
  /** Natura 2000 in numbers */
  natura2000Stats: FreeCall<Natura2000StatsParameters, StatsBody>;
  /** Landing page */
  ogc: FreeCall<OgcParameters, Landing>;
  /** The collection Address points */
  ogcAddressPoints: FreeCall<OgcAddressPointsParameters, CollectionDoc>;
  /** One feature of Address points */
  ogcAddressPointsItem: Call<OgcAddressPointsItemParameters, OneFeature>;
  /** Features of Address points */
  ogcAddressPointsItems: FreeCall<OgcAddressPointsItemsParameters, FeatureCollection>;
  /** What filters on Address points may name */
  ogcAddressPointsQueryables: FreeCall<OgcAddressPointsQueryablesParameters, QueryablesShape>;
  /** What a feature of Address points holds */
  ogcAddressPointsSchema: FreeCall<OgcAddressPointsSchemaParameters, FeatureSchemaShape>;
  /** The collections */
  ogcCollections: FreeCall<OgcCollectionsParameters, CollectionsDoc>;
  /** Conformance classes */
  ogcConformance: FreeCall<OgcConformanceParameters, Conformance>;
  /** The collection Building footprints */
  ogcFootprints: FreeCall<OgcFootprintsParameters, CollectionDoc>;
  /** One feature of Building footprints */
  ogcFootprintsItem: Call<OgcFootprintsItemParameters, OneFeature>;
  /** Features of Building footprints */
  ogcFootprintsItems: FreeCall<OgcFootprintsItemsParameters, FeatureCollection>;
  /** What filters on Building footprints may name */
  ogcFootprintsQueryables: FreeCall<OgcFootprintsQueryablesParameters, QueryablesShape>;
  /** What a feature of Building footprints holds */
  ogcFootprintsSchema: FreeCall<OgcFootprintsSchemaParameters, FeatureSchemaShape>;
  /** The collection Katastralgemeinden */
  ogcKgs: FreeCall<OgcKgsParameters, CollectionDoc>;
  /** One feature of Katastralgemeinden */
  ogcKgsItem: Call<OgcKgsItemParameters, OneFeature>;
  /** Features of Katastralgemeinden */
  ogcKgsItems: FreeCall<OgcKgsItemsParameters, FeatureCollection>;
  /** What filters on Katastralgemeinden may name */
  ogcKgsQueryables: FreeCall<OgcKgsQueryablesParameters, QueryablesShape>;
  /** What a feature of Katastralgemeinden holds */
  ogcKgsSchema: FreeCall<OgcKgsSchemaParameters, FeatureSchemaShape>;
  /** The collection Land use */
  ogcLanduse: FreeCall<OgcLanduseParameters, CollectionDoc>;
  /** One feature of Land use */
  ogcLanduseItem: Call<OgcLanduseItemParameters, OneFeature>;
  /** Features of Land use */
  ogcLanduseItems: FreeCall<OgcLanduseItemsParameters, FeatureCollection>;
  /** What filters on Land use may name */
  ogcLanduseQueryables: FreeCall<OgcLanduseQueryablesParameters, QueryablesShape>;
  /** What a feature of Land use holds */
  ogcLanduseSchema: FreeCall<OgcLanduseSchemaParameters, FeatureSchemaShape>;
  /** The collection Municipalities */
  ogcMunicipalities: FreeCall<OgcMunicipalitiesParameters, CollectionDoc>;
  /** One feature of Municipalities */
  ogcMunicipalitiesItem: Call<OgcMunicipalitiesItemParameters, OneFeature>;
  /** Features of Municipalities */
  ogcMunicipalitiesItems: FreeCall<OgcMunicipalitiesItemsParameters, FeatureCollection>;
  /** What filters on Municipalities may name */
  ogcMunicipalitiesQueryables: FreeCall<OgcMunicipalitiesQueryablesParameters, QueryablesShape>;
  /** What a feature of Municipalities holds */
  ogcMunicipalitiesSchema: FreeCall<OgcMunicipalitiesSchemaParameters, FeatureSchemaShape>;
  /** The collection Natura 2000 */
  ogcNatura2000: FreeCall<OgcNatura2000Parameters, CollectionDoc>;
  /** One feature of Natura 2000 */
  ogcNatura2000Item: Call<OgcNatura2000ItemParameters, OneFeature>;
  /** Features of Natura 2000 */
  ogcNatura2000Items: FreeCall<OgcNatura2000ItemsParameters, FeatureCollection>;
  /** What filters on Natura 2000 may name */
  ogcNatura2000Queryables: FreeCall<OgcNatura2000QueryablesParameters, QueryablesShape>;
  /** What a feature of Natura 2000 holds */
  ogcNatura2000Schema: FreeCall<OgcNatura2000SchemaParameters, FeatureSchemaShape>;
  /** The collection Parcels */
  ogcParcels: FreeCall<OgcParcelsParameters, CollectionDoc>;
  /** One feature of Parcels */
  ogcParcelsItem: Call<OgcParcelsItemParameters, OneFeature>;
  /** Features of Parcels */
  ogcParcelsItems: FreeCall<OgcParcelsItemsParameters, FeatureCollection>;
  /** What filters on Parcels may name */
  ogcParcelsQueryables: FreeCall<OgcParcelsQueryablesParameters, QueryablesShape>;
  /** What a feature of Parcels holds */
  ogcParcelsSchema: FreeCall<OgcParcelsSchemaParameters, FeatureSchemaShape>;
  /** The collection Protected areas */
  ogcProtectedAreas: FreeCall<OgcProtectedAreasParameters, CollectionDoc>;
  /** One feature of Protected areas */
  ogcProtectedAreasItem: Call<OgcProtectedAreasItemParameters, OneFeature>;
  /** Features of Protected areas */
  ogcProtectedAreasItems: FreeCall<OgcProtectedAreasItemsParameters, FeatureCollection>;
  /** What filters on Protected areas may name */
  ogcProtectedAreasQueryables: FreeCall<OgcProtectedAreasQueryablesParameters, QueryablesShape>;
  /** What a feature of Protected areas holds */
  ogcProtectedAreasSchema: FreeCall<OgcProtectedAreasSchemaParameters, FeatureSchemaShape>;
  /** A MapLibre style of the vector tiles */
  ogcStyle: FreeCall<OgcStyleParameters, StyleShape>;
  /** One vector tile */
  ogcTile: Call<OgcTileParameters, Uint8Array>;
  /** The vector tiles as TileJSON */
  ogcTilejson: FreeCall<OgcTilejsonParameters, TileJSON>;
  /** The endpoints in OpenAPI 3.1 */
  openapi: FreeCall<OpenapiParameters, OpenAPIShape>;
  /** Parcels that share a border with a parcel */
  parcelNeighbours: Call<ParcelNeighboursParameters, {
    data: Neighbour[];
    meta: Meta & ParcelNeighboursMetaAnswer;
  }>;
  /** A parcel as one page to print */
  parcelSheet: Call<ParcelSheetParameters, string>;
  /** Polygons of up to 5,000 parcels */
  parcelsGeometryBatch: Call<ParcelsGeometryBatchParameters, {
    data: ParcelGeometry[];
    meta: Meta & BatchMeta;
  } & ReadyMember>;
  /** Polygons of up to 5,000 parcels */
  parcelsGeometryBatchPost: Call<ParcelsGeometryBatchPostParameters, {
    data: ParcelGeometry[];
    meta: Meta & BatchMeta;
  } & ReadyMember>;
  /** Load KGs before they are asked for */
  prewarm: Call<PrewarmParameters, PrewarmBody>;
  /** KGs that are being loaded */
  prewarmStats: FreeCall<PrewarmStatsParameters, PrewarmStats>;
  /** Parcels by combined filters, with statistics */
  query: FreeCall<QueryParameters, {
    data: Parcel[];
    meta: Meta & GapsMeta;
  } & StatsMember>;
  /** Parcels in or near protected areas */
  queryProtectedArea: Call<QueryProtectedAreaParameters, {
    data: ProtectedParcel[];
    meta: Meta & GapsMeta;
  } & StatsMember>;
  /** Address points by street, house number, postal code and place */
  searchAddress: FreeCall<SearchAddressParameters, {
    data: (Building | Suggestion)[];
    meta: Meta & AddressMeta;
  }>;
  /** Where an address is (geocoding) */
  searchAddressOsm: Call<SearchAddressOsmParameters, {
    data: Address[];
    meta: Meta & GeocodedMeta;
  }>;
  /** Where each of up to 1,000 addresses is */
  searchAddressOsmPost: Call<SearchAddressOsmPostParameters, {
    data: Geocoded[];
    meta: Meta & BatchUpstreamMeta;
  }>;
  /** Districts of a state, KGs of a district, districts by name */
  searchDistrict: FreeCall<SearchDistrictParameters, {
    data: (District | DistrictKg)[];
    meta: Meta & SuggestionsMeta;
  }>;
  /** Land-register folios of a KG or a municipality */
  searchEz: FreeCall<SearchEzParameters, {
    data: EzDetail[];
    meta: Meta & EzMeta;
  }>;
  /** The parcel, address point or KG of an id */
  searchFeature: Call<SearchFeatureParameters, {
    data: (Parcel | Building | Kg)[];
    meta: Meta & GoneMeta;
  }>;
  /** Municipalities under the legacy names */
  searchGadm: FreeCall<SearchGadmParameters, {
    data: GadmMunicipality[];
    meta: Meta;
  }>;
  /** Parcels by parcel number */
  searchGnr: Call<SearchGnrParameters, {
    data: Parcel[];
    meta: Meta & GapsMeta;
  }>;
  /** KGs by name, code, municipality, district and postal code */
  searchKg: FreeCall<SearchKgParameters, {
    data: Kg[];
    meta: Meta & SuggestionsMeta;
  }>;
  /** Municipalities by name, code, state, district and place */
  searchMunicipalities: FreeCall<SearchMunicipalitiesParameters, {
    data: Municipality[];
    meta: Meta & SuggestionsMeta;
  }>;
  /** Parcels by id, KG, status, area, buildings and land use */
  searchParcel: FreeCall<SearchParcelParameters, {
    data: Parcel[];
    meta: Meta & GoneMeta;
  }>;
  /** Protected areas by name and place */
  searchProtectedArea: FreeCall<SearchProtectedAreaParameters, {
    data: ProtectedArea[];
    meta: Meta & PlaceMeta;
  }>;
  /** Protected areas in an area */
  searchProtectedAreaPost: FreeCall<SearchProtectedAreaPostParameters, {
    data: ProtectedArea[];
    meta: Meta & PlaceMeta;
  }>;
  /** KGs, parcels and address points by any text */
  searchText: Call<SearchTextParameters, {
    data: (Kg | Parcel | Building | Suggestion)[];
    meta: Meta & TextMeta;
  }>;
  /** Parcels, address points and KGs in a box */
  spatialBbox: Call<SpatialBboxParameters, {
    data: (Parcel | Building | Kg)[];
    meta: Meta & GapsMeta;
  }>;
  /** Building footprints on the screen */
  spatialFootprints: Call<SpatialFootprintsParameters, {
    data: FootprintGeometry[];
    meta: Meta & GapsMeta;
  } & ReadyMember>;
  /** State of the geometry cache of this process */
  spatialGeomCacheStats: FreeCall<SpatialGeomCacheStatsParameters, CacheStatsBody>;
  /** KGs in a box */
  spatialKgs: Call<SpatialKgsParameters, KgsAnswer>;
  /** KGs that a polygon reaches into */
  spatialKgsPost: Call<SpatialKgsPostParameters, KgsAnswer>;
  /** Parcels on the screen */
  spatialParcels: Call<SpatialParcelsParameters, {
    data: ParcelGeometry[];
    meta: Meta & GapsMeta;
  } & ReadyMember>;
  /** Features around a point, nearest first */
  spatialPoint: Call<SpatialPointParameters, {
    data: (Parcel | Building | Kg)[];
    meta: Meta & GapsMeta;
  }>;
  /** Features around each of up to 1,000 points */
  spatialPointPost: Call<SpatialPointPostParameters, NearAnswer>;
  /** The parcel that holds each of up to 1,000 points */
  spatialPoints: Call<SpatialPointsParameters, ContainAnswer>;
  /** Features inside a polygon */
  spatialPolygon: FreeCall<SpatialPolygonParameters, {
    data: (Parcel | Building | Kg)[];
    meta: Meta & PolygonMeta;
  } & SpatialPolygonBesideAnswer>;
  /** Features inside a polygon, or inside each of up to 500 polygons */
  spatialPolygonPost: Call<SpatialPolygonPostParameters, {
    data: (Parcel | Building | Kg)[];
    meta: Meta & PolygonMeta;
  } & SpatialPolygonPostBesideAnswer | PolygonsAnswer>;
  /** Landing page of the STAC catalogue */
  stac: FreeCall<StacParameters, Catalog>;
  /** A collection of the STAC catalogue */
  stacCollection: Call<StacCollectionParameters, StacCollection>;
  /** The collections of the STAC catalogue */
  stacCollections: FreeCall<StacCollectionsParameters, StacCollections>;
  /** Conformance classes of the STAC catalogue */
  stacConformance: FreeCall<StacConformanceParameters, Conforms>;
  /** A snapshot of a KG as a STAC item */
  stacItem: Call<StacItemParameters, StacItem>;
  /** The snapshots of the KGs as STAC items */
  stacItems: Call<StacItemsParameters, StacItems>;
  /** Snapshots of KGs by place and date */
  stacSearch: FreeCall<StacSearchParameters, StacItems>;
  /** Snapshots of KGs by place and date, for large geometries */
  stacSearchPost: Call<StacSearchPostParameters, StacItems>;
  /** The country in figures */
  stats: FreeCall<StatsParameters, CountryBody>;
  /** Web Map Service */
  wms: Call<WmsParameters, Uint8Array>;
  /** Web Map Tile Service */
  wmts: Call<WmtsParameters, Uint8Array>;
  /** Capabilities of the Web Map Tile Service */
  wmtsCapabilities: FreeCall<WmtsCapabilitiesParameters, string>;
  /** What stands at a pixel of a tile, by its address */
  wmtsInfo: Call<WmtsInfoParameters, InfoBody>;
  /** A tile of the Web Map Tile Service by its address */
  wmtsTile: Call<WmtsTileParameters, Uint8Array>;
  /** A tile of Web Mercator */
  xyzTile: Call<XyzTileParameters, Uint8Array>;
}

export type AcceptedBody = {
  job_id: string;
  status: "queued" | "running";
  status_url: string;
};

export type AddressAsked = {
  id?: string;
  q: string;
};

export type AddressMeta = {
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
  suggestions?: string[];
  version?: string;
};

export type ArchiveStatus = {
  /** of all files of all snapshots */
  bytes: number;
  /** with a snapshot in the repository */
  kgs: number;
  /** the list of archived snapshots; 404 before the first */
  manifest_url: string;
  mirror: MirrorState;
  snapshots: number;
};

export interface ArchiveStatusParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type AreaBody = {
  /** EPSG:3035, grown by buffer */
  area_sqm: number;
  buildings?: BuildingsIn;
  landuse?: UseIn;
  /** the largest overlap first; left out where the generation has no overlays */
  natura2000?: SiteIn[];
  parcels?: ParcelsIn;
  /** left out where the generation has no prices */
  prices?: PricesIn;
  /** as natura2000 */
  protected_areas?: AreaIn[];
};

export type AreaIn = {
  desig: string;
  desig_eng: string;
  iucn_cat: string;
  name: string;
  overlap_of_area_pct: number;
  overlap_of_site_pct: number;
  overlap_sqm: number;
};

export type AttributeChange = {
  after: string | null;
  before: string | null;
};

export type Baseline = {
  code: string;
  eur_per_sqm: number | null;
  how: string;
  source: string;
  year: number;
};

export type BatchBeside = {
  summary: Summary;
};

export type BatchMeta = {
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
  not_found: string[];
  pending_ids: string[];
  ready: boolean;
  version?: string;
};

export type BatchUpstreamMember = {
  /** requests that this batch has made of it */
  asked: number;
  /** of the places */
  license?: string;
  /** queries that have no own place and were not asked for: their rows say so in the column upstream */
  not_asked: number;
  /** the host that was asked */
  source: string;
};

export type BatchUpstreamMeta = {
  upstream?: BatchUpstreamMember;
};

/** An address point. Required members stand in every row, unless fields= chooses others. */
export type Building = {
  /** Layer of the row. */
  _layer?: "building" | null;
  /** <ADRCD>-<SUBCD> of the address register. */
  building_id: string | null;
  /** Whether the address points of the KG are joined to the parcels that contain them. false: the KG's data is of an earlier ingest generation and waits for a repair. */
  coords_verified?: boolean | null;
  /** Distance from the point to the feature, 0 inside it. Unit: m. */
  distance_m?: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Street, house number, postal code and locality in one line. */
  full_address: string | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** House number with its letter. */
  house_number: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the Katastralgemeinde. */
  kg_name: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Kind of building as the address register says it. */
  object_type: string | null;
  /** Locality (Ortschaft). */
  ort: string | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Postal code (PLZ), 4 digits; never a join key. */
  postal_code: string | null;
  /** Street, or the locality where streets have no names. */
  street: string | null;
  /** What the row is. */
  type?: "building" | null;
};

export type BuildingOnParcel = {
  building_id: string;
  full_address: string | null;
  house_number: string | null;
  lat: number;
  lon: number;
  object_type: string | null;
  ort: string | null;
  postal_code: string | null;
  street: string | null;
};

export type Buildings = {
  total_footprint_area_sqm: number;
  total_value_eur: number | null;
  valued_footprint_area_sqm: number;
};

export type BuildingsIn = {
  address_point_count: number;
  /** that share area with it */
  footprint_count: number;
  footprint_overlap_of_area_pct: number;
  footprint_overlap_sqm: number;
};

export interface BuildingsRepairParameters {
  /** Codes of the KGs, padded or not. Without it the first KGs that need it, by code. */
  kg?: string[];
}

export interface BuildingsRepairStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type CacheStatsBody = {
  budget_bytes: number;
  bytes: number;
  entries: number;
  evictions: number;
  failures: number;
  generation: string;
  hits: number;
  loads: number;
  misses: number;
  pending: number;
};

export type Catalog = {
  conformsTo: string[];
  description: string;
  id: string;
  links: StacLink[];
  stac_version: string;
  title: string;
  type: string;
};

export type Change = {
  factor_high: number | null;
  factor_low: number | null;
  input: string;
  why: string;
};

export type Check = {
  parcels: number;
  predicted_geomean_eur_per_sqm: number | null;
  predicted_minus_sa_pct: number | null;
  sa_bauland_eur_per_sqm: number | null;
};

export type ClassPriceIn = {
  class: string;
  high_eur_per_sqm: number | null;
  /** null without a price */
  low_eur_per_sqm: number | null;
  median_eur_per_sqm: number | null;
  overlap_sqm: number;
  parcel_count: number;
  priced_count: number;
};

export type ClassValue = {
  geomean_buy_eur_per_sqm: number | null;
  mean_buy_eur_per_sqm: number | null;
  parcel_count: number;
  priced_count: number;
  rent_total_eur_per_year: number | null;
  total_area_sqm: number;
  total_value_eur: number | null;
};

export type CollectionBody = {
  crs?: unknown;
  features: FeatureBody[];
  meta: MetaBody;
  type: string;
};

export type CollectionDoc = {
  attribution?: string;
  crs: string[];
  description: string;
  extent?: Extent;
  id: string;
  itemType: string;
  links: Link[];
  storageCrs: string;
  title: string;
};

export type CollectionsDoc = {
  collections: CollectionDoc[];
  crs: string[];
  links: Link[];
};

export type CommonMeta = {
  license: string;
  /** Milliseconds. */
  query_time_ms: number;
};

export type Conforms = {
  conformsTo: string[];
};

export type ConstantText = {
  const: string;
  type: string;
};

export type ContainAnswer = {
  meta: ContainAnswerMetaStruct;
  results: ContainedPoint[];
};

export type ContainAnswerMetaStruct = {
  cache_resolved: number;
  complete: boolean;
  duration_ms: number;
  geom_cache_ready: boolean;
  kgs_loaded: number;
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  license: string;
  matched: number;
  method: string;
  missing_by_reason?: MissingReasons;
  missing_url?: string;
  pending: number;
  point_count: number;
  query_time_ms: number;
  unmatched: number;
  version?: string;
};

export type ContainedPoint = {
  district_code: string | null;
  district_name: string | null;
  error?: string;
  gemeinde_code: string | null;
  gemeinde_name: string | null;
  id: unknown;
  kg_code: string | null;
  kg_name: string | null;
  matched: boolean;
  parcel: Parcel | null;
  pending?: boolean;
};

export type CountryBody = {
  data: CountryFigures[];
  meta: CountryMeta;
};

export type CountryFigures = {
  /** Mean over the KGs with parcels of their footprints by km²; null without any. */
  avg_building_density_per_km2: number | null;
  /** Mean over the KGs with parcels of footprint area by parcel area; null without any. */
  avg_built_up_ratio: number | null;
  /** Address points. */
  building_count: number;
  district_count: number;
  footprint_count: number;
  kg_count: number;
  /** Land-use codes that occur; null where the generation does not say it. */
  landuse_type_count: number | null;
  parcel_count: number;
  rural_agrarian_kgs: number;
  rural_settled_kgs: number;
  state_count: number;
  states: StateFigures[];
  suburban_kgs: number;
  total_area_km2: number;
  /** Area of the parcels. */
  total_area_sqm: number;
  urban_kgs: number;
};

export type CountryMeta = {
  license: string;
  /** Milliseconds. */
  query_time_ms: number;
  total: number;
};

export type CountryTotals = {
  kg_count: number;
  kgs_with_snapshot: number;
  kgs_without_snapshot: number;
  newest_snapshot: string | null;
  oldest_snapshot: string | null;
  parcel_count: number;
};

export type DatedSnapshot = {
  date: string;
  filename: string;
  ingest_fixes_missing?: string[];
  ingest_generation?: string;
  is_latest: boolean;
  md5: string | null;
  parcel_count: number;
  processing_version: string;
  sha256: string;
  size: number;
  source?: string;
  url: string;
};

export interface DebugInflightParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type DiffBeside = {
  /** null where the KG has no snapshot here. */
  from: DiffSide | null;
  /** null where one of the snapshots cannot be read. */
  summary: DiffSummary | null;
  /** null where the KG has no snapshot here. */
  to: DiffSide | null;
};

export type DiffSide = {
  date: string;
  filename: string;
  parcel_count: number;
};

export type DiffSummary = {
  added: number;
  attributes_changed: number;
  changed: number;
  geometry_changed: number;
  merges: number;
  redrawn: number;
  removed: number;
  renumbered: number;
  splits: number;
  symmetric_difference_sqm: number;
  unchanged: number;
};

/** A political district (Bezirk). Required members stand in every row, unless fields= chooses others. */
export type District = {
  /** Code, 3 digits. */
  district_code: string | null;
  /** Name; several districts may have one name. */
  district_name: string | null;
  /** KGs of the district. */
  kg_count: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
};

/** A KG of the district, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type DistrictKg = {
  /** Address points. */
  building_count: number | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** KGs of the district. */
  kg_count: number | null;
  /** Name. */
  kg_name: string | null;
  /** Parcels. */
  parcel_count: number | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Area of all parcels (EPSG:3035). Unit: m². */
  total_area_sqm: number | null;
};

export type Epoch = {
  applied_at_serve_time: boolean;
  corrected_by_overlay: boolean;
  id: string;
  meaning: string;
  needs_reprocess: boolean;
};

export type EpochsBody = {
  ingest_epochs: Epoch[];
  ingest_generations: GenerationCensus[];
  meta: CommonMeta;
  totals: CountryTotals;
};

/** An address point. Required members stand in every row, unless fields= chooses others. */
export type ExportBuilding = {
  /** <ADRCD>-<SUBCD> of the address register. */
  building_id: string | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Street, house number, postal code and locality in one line. */
  full_address: string | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** House number with its letter. */
  house_number: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Kind of building as the address register says it. */
  object_type: string | null;
  /** Locality (Ortschaft). */
  ort: string | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Postal code (PLZ), 4 digits; never a join key. */
  postal_code: string | null;
  /** Street, or the locality where streets have no names. */
  street: string | null;
};

export interface ExportCsvParameters {
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
  /** Layers of the file. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "labels" | "landuse_polygons" | "landuse_points")[];
  /** System of the coordinates x and y, and of the geometry. EPSG code: 4258, 4326, 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258, 31259, 25832, 25833, 32632 or 32633. */
  crs?: string;
  /** none, or a column geometry as well-known text. */
  geometry?: "none" | "wkt";
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportDxfParameters {
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
  /** Layers of the file. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "landuse_polygons" | "landuse_points")[];
  /** System of the coordinates: x goes east, y north. Drawings are planes: with 4326 they are in degrees. EPSG code: 4258, 4326, 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258, 31259, 25832, 25833, 32632 or 32633. */
  crs?: string;
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportFlatgeobufParameters {
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
  /** Layer of the file, which has one. */
  layer?: "parcels" | "buildings" | "building_footprints" | "labels" | "landuse_polygons" | "landuse_points";
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** A building footprint. Required members stand in every row, unless fields= chooses others. */
export type ExportFootprint = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** <kg_code>_fp_<n>; n counts within the snapshot. */
  footprint_id: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  /** Land-use code of the source polygon. */
  ns_code: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Length of all rings. Unit: m. */
  perimeter_m: number | null;
  /** Shape of the footprint. */
  shape_class: "rectangular" | "regular" | "lshaped" | "complex" | null;
  /** tiny under 30 m², small 30 to 100, medium 100 to 300, large 300 to 1000, xlarge from 1000. */
  size_class: "tiny" | "small" | "medium" | "large" | "xlarge" | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export interface ExportGeojsonParameters {
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
  /** Layers of the answer; landuse stands for areas and symbols in one collection, told apart by source. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "labels" | "landuse" | "landuse_polygons" | "landuse_points")[];
  /** false draws every feature as a point: its centroid, of land use a point on its surface. */
  include_geometry?: boolean;
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportGpkgParameters {
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
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportJobCancelParameters {
  /** The job, as the export named it. */
  id: string | number;
}

export interface ExportJobParameters {
  /** The job, as the export named it. */
  id: string | number;
  /** false answers 200 with the status of a finished job too, and not 303. */
  redirect?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportKmlParameters {
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
  /** Layers of the file. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "labels" | "landuse_polygons" | "landuse_points" | "kgs" | "municipalities")[];
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** A parcel number as the map prints it. Required members stand in every row, unless fields= chooses others. */
export type ExportLabel = {
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Rotation of the label as the source gives it. Unit: °. */
  rotation: number | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
};

/** A land-use area. Required members stand in every row, unless fields= chooses others. */
export type ExportLanduseArea = {
  /** Abbreviation of the code. */
  abbr: string | null;
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Land-use code (Nutzungscode), 2 digits. */
  code: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** <kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot. */
  landuse_id: string | null;
  /** Latitude of a point on the surface, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of a point on the surface, WGS84. Unit: °. */
  lon: number | null;
  /** nfl: an area of the map; nsy: a symbol. */
  source: "nfl" | "nsy" | null;
  /** German name of the code. */
  type_name: string | null;
};

/** A land-use symbol. Required members stand in every row, unless fields= chooses others. */
export type ExportLandusePoint = {
  /** Abbreviation of the code. */
  abbr: string | null;
  /** Land-use code (Nutzungscode), 2 digits. */
  code: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** <kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot. */
  landuse_id: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** German name of the code. */
  type_name: string | null;
};

/** A land-use area. Required members stand in every row, unless fields= chooses others. */
export type ExportLandusePolygon = {
  /** Abbreviation of the code. */
  abbr: string | null;
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Land-use code (Nutzungscode), 2 digits. */
  code: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** <kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot. */
  landuse_id: string | null;
  /** Latitude of a point on the surface, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of a point on the surface, WGS84. Unit: °. */
  lon: number | null;
  /** German name of the code. */
  type_name: string | null;
};

/** A land-use symbol. Required members stand in every row, unless fields= chooses others. */
export type ExportLanduseSymbol = {
  /** Abbreviation of the code. */
  abbr: string | null;
  /** Land-use code (Nutzungscode), 2 digits. */
  code: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** <kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot. */
  landuse_id: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** nfl: an area of the map; nsy: a symbol. */
  source: "nfl" | "nsy" | null;
  /** German name of the code. */
  type_name: string | null;
};

/** A parcel with what stands on it. Required members stand in every row, unless fields= chooses others. */
export type ExportParcel = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  buildings_on_parcel: BuildingOnParcel[];
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Land-use codes of the parcel's symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_on_parcel: LandUseOnParcel[];
  landuse_summary: Record<string, number>;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export interface ExportShapefileParameters {
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
  /** Layers of the file. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "labels" | "landuse_polygons" | "landuse_points")[];
  /** System of the coordinates, which each .prj names. EPSG code: 4258, 4326, 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258, 31259, 25832, 25833, 32632 or 32633. */
  crs?: string;
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportSizeParameters {
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
  /** Form of the export: the last part of its path. */
  form?: "geojson" | "gpkg" | "flatgeobuf" | "shapefile" | "dxf" | "kml" | "csv" | "xlsx";
  /** Layers of the export; where it is absent those that the form has by default. A GeoPackage has its six whatever is asked for. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "labels" | "landuse" | "landuse_polygons" | "landuse_points" | "kgs" | "municipalities")[];
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ExportXlsxParameters {
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
  /** Layers of the file. Also written layer. */
  layers?: ("parcels" | "buildings" | "building_footprints" | "labels" | "landuse_polygons" | "landuse_points")[];
  /** System of the coordinates x and y. EPSG code: 4258, 4326, 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258, 31259, 25832, 25833, 32632 or 32633. */
  crs?: string;
  /** true has a job write the answer as a file, however small it is. */
  job?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Extent = {
  spatial: ExtentSpatialStruct;
};

export type ExtentSpatialStruct = {
  bbox: number[][];
  crs: string;
};

/** A land-register folio with its parcels and address points. Required members stand in every row, unless fields= chooses others. */
export type EzDetail = {
  bbox: FolioBox;
  /** Address points on its parcels. */
  building_count: number | null;
  buildings?: Record<string, unknown>[];
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** <kg_code>-<ez>, the key of a folio. */
  ez_id: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  landuse_area_breakdown?: Record<string, number>;
  landuse_breakdown?: LandUseOfParcels[];
  /** Land-use codes of its parcels' symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_summary: Record<string, number>;
  /** Parcels of the folio. */
  parcel_count: number | null;
  parcels?: Record<string, unknown>[];
  /** Drawn area of its parcels (EPSG:3035). Unit: m². */
  total_area_sqm: number | null;
};

export type EzMeta = {
  buildings_coords_verified: boolean;
  buildings_repair_pending_kgs: string[];
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

export type Feature = {
  geometry: unknown;
  id: string;
  properties: Record<string, unknown>;
  type: string;
};

export type FeatureBody = {
  geometry: unknown;
  id?: unknown;
  properties: ExportParcel | ExportBuilding | ExportFootprint | ExportLabel | ExportLandusePolygon | ExportLandusePoint | ExportLanduseArea | ExportLanduseSymbol | null;
  type: string;
};

export type FeatureCollection = {
  features: Feature[];
  links: Link[];
  meta: FeatureCollectionMetaStruct;
  numberMatched: number;
  numberReturned: number;
  timeStamp: string;
  type: string;
};

export type FeatureCollectionMetaStruct = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  license: string;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  query_time_ms: number;
  ready: boolean;
  version?: string;
};

export type FeatureSchemaShape = {
  /** the draft of JSON Schema */
  $schema: string;
  /** the members of a GeoJSON feature */
  properties: FeatureSchemaShapePropertiesStruct;
  /** members that every feature has */
  required: string[];
  /** of the collection */
  title: string;
  /** object */
  type: string;
};

export type FeatureSchemaShapePropertiesStruct = {
  geometry: Queryable;
  id: Queryable;
  /** the columns of a feature */
  properties: PropertiesStruct;
  type: ConstantText;
};

export type Figures = {
  avg_area_sqm: number | null;
  /** By land-use code; null where it is skipped. */
  landuse_breakdown: UseShare[] | null;
  /** Of both, those that a law of the areas names. */
  legally_named?: number;
  /** Names of the areas. */
  matched_areas?: string[];
  /** Parcels that match. Like the sums it is null where statistics are skipped. */
  matching_parcels: number | null;
  max_area_sqm: number | null;
  min_area_sqm: number | null;
  /** Parcels outside, within the distance. */
  parcels_near?: number;
  /** Parcels in the protected areas. */
  parcels_within?: number;
  /** true where statistics are left out or are older than the rows. */
  skipped: boolean;
  /** What is left out or old, how old it is and how to get it. */
  skipped_reason?: string;
  total_area_ha: number | null;
  /** Sum of their areas. */
  total_area_sqm: number | null;
  /** Address points on them. */
  total_buildings: number | null;
};

/** An address point. Required members stand in every row, unless fields= chooses others. */
export type FlatgeobufBuilding = {
  /** <ADRCD>-<SUBCD> of the address register. */
  building_id: string | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Street, house number, postal code and locality in one line. */
  full_address: string | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** House number with its letter. */
  house_number: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** Kind of building as the address register says it. */
  object_type: string | null;
  /** Locality (Ortschaft). */
  ort: string | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Postal code (PLZ), 4 digits; never a join key. */
  postal_code: string | null;
  /** Street, or the locality where streets have no names. */
  street: string | null;
};

/** A building footprint. Required members stand in every row, unless fields= chooses others. */
export type FlatgeobufFootprint = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** <kg_code>_fp_<n>; n counts within the snapshot. */
  footprint_id: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  /** Land-use code of the source polygon. */
  ns_code: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Length of all rings. Unit: m. */
  perimeter_m: number | null;
  /** Shape of the footprint. */
  shape_class: "rectangular" | "regular" | "lshaped" | "complex" | null;
  /** tiny under 30 m², small 30 to 100, medium 100 to 300, large 300 to 1000, xlarge from 1000. */
  size_class: "tiny" | "small" | "medium" | "large" | "xlarge" | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

/** A parcel number as the map prints it. Required members stand in every row, unless fields= chooses others. */
export type FlatgeobufLabel = {
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Rotation of the label as the source gives it. Unit: °. */
  rotation: number | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
};

/** A land-use symbol. Required members stand in every row, unless fields= chooses others. */
export type FlatgeobufLandusePoint = {
  /** Abbreviation of the code. */
  abbr: string | null;
  /** Land-use code (Nutzungscode), 2 digits. */
  code: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** <kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot. */
  landuse_id: string | null;
  /** Latitude, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** German name of the code. */
  type_name: string | null;
};

/** A land-use area. Required members stand in every row, unless fields= chooses others. */
export type FlatgeobufLandusePolygon = {
  /** Abbreviation of the code. */
  abbr: string | null;
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Land-use code (Nutzungscode), 2 digits. */
  code: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** <kg_code>_lu_<n> for polygons, <kg_code>_sy_<n> for symbols; n counts within the snapshot. */
  landuse_id: string | null;
  /** Latitude of a point on the surface, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of a point on the surface, WGS84. Unit: °. */
  lon: number | null;
  /** German name of the code. */
  type_name: string | null;
};

/** A parcel. Required members stand in every row, unless fields= chooses others. */
export type FlatgeobufParcel = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Land-use codes of the parcel's symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_summary: Record<string, number>;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export type FolioBox = {
  center_lat: number;
  center_lon: number;
  max_lat: number;
  max_lon: number;
  min_lat: number;
  min_lon: number;
};

/** A building footprint with its polygon. Required members stand in every row, unless fields= chooses others. */
export type FootprintGeometry = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** <kg_code>_fp_<n>; n counts within the snapshot. */
  footprint_id: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  /** Land-use code of the source polygon. */
  ns_code: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Length of all rings. Unit: m. */
  perimeter_m: number | null;
  /** Shape of the footprint. */
  shape_class: "rectangular" | "regular" | "lshaped" | "complex" | null;
  /** tiny under 30 m², small 30 to 100, medium 100 to 300, large 300 to 1000, xlarge from 1000. */
  size_class: "tiny" | "small" | "medium" | "large" | "xlarge" | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export interface FootprintsGeomCacheStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface FootprintsGeometryBatchParameters {
  /** Footprint ids <kg_code>_fp_<n>, comma-separated. */
  ids: string[];
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface FootprintsGeometryBatchPostParameters {
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: IdsShape;
}

export type GenerationCensus = {
  assembly_version: string;
  ingest_fixes: string[];
  ingest_fixes_missing: string[];
  ingest_generation: string;
  kg_count: number;
  parcel_count: number;
};

/** A place that an address of the batch means; null but for id and q where none was found. Required members stand in every row, unless fields= chooses others. */
export type Geocoded = {
  /** The parts of the address. */
  address: AddressParts | null;
  /** Box of the place: of a street that of its addresses. */
  bbox: BoxParts | null;
  /** place; of an upstream's place its own word. */
  class: string | null;
  /** The address in one line. */
  display_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** exact: the address; interpolated: no address has the number, the place lies between the next two on its side of the street; nearest: the nearest address of the street, whose number stands in address; street: no number was asked for; null for an upstream's place. */
  house_number_match: "exact" | "interpolated" | "nearest" | "street" | null;
  /** Of the query: the given id, or its number, counted from 0. */
  id: string | null;
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
  /** The query. */
  q: string | null;
  /** register: the address register; otherwise the host of the geocoder that knows the place. */
  source: string | null;
  /** Where no place was found: up to five texts one typing error away that have one; null where a place was found, and for queries behind the first 100 without one. */
  suggestions: string[] | null;
  /** What the other geocoder answered, where the address register knows no place; not_asked: send the query again, alone or in a later batch; null: it did not have to be asked. */
  upstream: "answered" | "busy" | "failed" | "not_asked" | null;
};

export type GeometryShape = {
  /** As RFC 7946 has them: of a Polygon its rings, of a MultiPolygon its polygons; positions are [lon, lat], degrees (WGS84). */
  coordinates?: unknown[];
  /** Of a GeometryCollection. */
  geometries?: unknown[];
  /** Of a Feature: a geometry; in a batch also null. */
  geometry?: unknown;
  /** Of a Feature: id, ID or fid, a text or number, names it in the answer. */
  properties?: Record<string, unknown>;
  type: "Point" | "MultiPoint" | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon" | "GeometryCollection" | "Feature";
};

export type GoneMeta = {
  gone?: Tombstone;
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

export type Heir = {
  common_sqm: number;
  parcel_id: string;
  share_of_other: number;
  share_of_this: number;
};

export type IdsShape = {
  ids: string[];
};

export type InflightBody = {
  /** the oldest first, at most 500; the asking one is among them */
  requests: RequestShape[];
  /** what this process holds of the object store */
  store: StoreState;
  /** requests that this process answers now */
  total: number;
};

export type InfoBody = {
  attribution?: string;
  features: InfoFeature[];
  kgs_unavailable: string[];
  kgs_warming: string[];
  license: string;
  ready: boolean;
  type: string;
};

export type InfoFeature = {
  geometry: unknown;
  id: string;
  properties: Record<string, unknown>;
  type: string;
};

export type InsideSite = {
  area_ha: number;
  contains_parcels: boolean;
  parcel_count: number;
  site_type_label: string;
  sitecode: string;
  sitename: string;
  sitetype: string;
};

export interface InspireListParameters {
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

export interface InspireProcessParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Seconds: a KG whose served snapshot was processed later than that ago is skipped. 0 forces the processing. */
  max_age?: number;
}

export interface InspireStatusParameters {
  /** The KG: its code, padded or not. */
  kg_code: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Item = {
  id?: unknown;
  lat: number;
  lon: number;
};

/** A Katastralgemeinde, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type Kg = {
  /** Layer of the row. */
  _layer?: "kg" | null;
  /** How the parcels were put together; unknown where no snapshot is at hand. */
  assembly_version?: "tile_partition_v1" | "legacy" | "unknown" | null;
  /** Mean compactness of the parcels. */
  avg_compactness: number | null;
  /** Mean floor area ratio of parcels with footprints. */
  avg_far: number | null;
  /** Mean distance from a footprint to its nearest other one. Unit: m. */
  avg_nn_distance_m: number | null;
  /** Parcels per folio. */
  avg_parcels_per_ez: number | null;
  /** Address points. */
  building_count: number | null;
  /** Footprints per km². Unit: 1/km². */
  building_density: number | null;
  /** Footprint area by parcel area. */
  built_up_ratio: number | null;
  /** Distance from the point to the feature, 0 inside it. Unit: m. */
  distance_m?: number | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Land-use code with the largest area. */
  dominant_landuse: number | null;
  /** Land-register folios. */
  ez_count: number | null;
  /** Building footprints. */
  footprint_count: number | null;
  /** Median footprint. Unit: m². */
  footprint_median_area_sqm: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  ingest_fixes_missing?: string[];
  /** Newest ingest epoch that the data carries. */
  ingest_generation?: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name. */
  kg_name: string | null;
  /** Land-use polygons and symbols. */
  landuse_count: number | null;
  /** Shannon entropy (natural logarithm) of the land-use areas. */
  landuse_diversity: number | null;
  legal_contexts?: string[];
  /** References of laws to parcels of the KG. */
  legal_ref_count?: number | null;
  /** Northern edge. Unit: °. */
  max_lat: number | null;
  /** Eastern edge. Unit: °. */
  max_lon: number | null;
  /** Median parcel. Unit: m². */
  median_parcel_area_sqm: number | null;
  /** Southern edge. Unit: °. */
  min_lat: number | null;
  /** Western edge. Unit: °. */
  min_lon: number | null;
  /** Sites that share area with the KG. */
  natura2000_inside_count?: number | null;
  natura2000_inside_sites?: InsideSite[];
  /** Sites whose box meets the KG's and that share no area with it. */
  natura2000_near_only_count?: number | null;
  /** Natura 2000 sites whose box meets the KG's: a superset. */
  natura2000_overlap_count?: number | null;
  /** Parcels in any site. */
  natura2000_parcel_count?: number | null;
  natura2000_site_codes?: string[];
  natura2000_site_names?: string[];
  /** Parcels. */
  parcel_count: number | null;
  /** When the snapshot was processed: its date, RFC 3339. */
  reprocessed_at?: string | null;
  /** Code of the state, 1 digit. */
  state_code: string | null;
  /** Name of the state. */
  state_name: string | null;
  /** Area of all parcels (EPSG:3035). Unit: m². */
  total_area_sqm: number | null;
  /** Area of all footprints. Unit: m². */
  total_footprint_area_sqm: number | null;
  /** What the row is. */
  type?: "kg" | null;
  /** urban, suburban, rural_settled or rural_agrarian. */
  typology: string | null;
};

export type KgBody = {
  kg_code: string;
  kg_name: string;
  legal_contexts: string[];
  legal_ref_count: number;
  natura2000_inside_count: number;
  natura2000_inside_sites: InsideSite[];
  natura2000_near_only_count: number;
  natura2000_overlap_count: number;
  natura2000_parcel_count: number;
  natura2000_site_codes: string[];
  natura2000_site_names: string[];
};

export interface KgDiffParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  /** The earlier state: the newest snapshot on or before this date; without it the snapshot before that of to. */
  from?: string;
  /** The later state, likewise; without it the served snapshot. */
  to?: string;
  /** Only these changes, as a comma list. */
  change?: ("added" | "removed" | "changed")[];
  /** Only parcels with one of these events, as a comma list. */
  event?: ("split" | "merge" | "renumbered")[];
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

export interface KgHistoryParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  /** Parcel number; a slash is %2F, once. */
  gnr: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** A Katastralgemeinde, drawn as its outline. Required members stand in every row, unless fields= chooses others. */
export type KgItem = {
  bbox: number[];
  /** Address points. */
  building_count: number | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name. */
  kg_name: string | null;
  /** Parcels. */
  parcel_count: number | null;
  /** Name of the state. */
  state_name: string | null;
  /** Area of all parcels (EPSG:3035). Unit: m². */
  total_area_sqm: number | null;
};

export interface KgVersionsParameters {
  /** Only this KG; without it the whole country is summed up: its code, padded or not. */
  kg?: string;
  /** true lists, in place of the totals, every KG that cannot be read at present, with the reason. */
  missing?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type KgsAnswer = {
  data: KgsAnswerDataStruct;
  meta: KgsAnswerMetaStruct;
};

export type KgsAnswerDataStruct = {
  bbox: number[];
  kg_codes: string[];
  kgs: KgItem[];
};

export type KgsAnswerMetaStruct = {
  format: string;
  /** a polygon was not valid and is rebuilt by the even-odd rule */
  geometry_repaired?: boolean;
  license: string;
  limit: number;
  offset: number;
  query_time_ms: number;
  total: number;
  /** what was repaired in the drawing or read in another way, and where */
  warnings?: string[];
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

export type LandPriceInput = {
  area_sqm: number;
  bezirk_code?: string;
  building_count?: number;
  building_period?: string;
  compactness?: number;
  footprint_area_sqm?: number;
  footprint_count?: number;
  gemeinde_code?: string;
  landuse_areas?: string;
  landuse_codes?: string;
  state_code?: string;
  typology?: string;
};

/** A municipality: predicted beside published price of building land. Required members stand in every row, unless fields= chooses others. */
export type LandPriceValidation = {
  /** Municipality. */
  gemeinde_code: string | null;
  /** Parcels of building land. */
  n: number | null;
  /** Geometric mean of the estimates. Unit: EUR/m². */
  predicted_eur_per_sqm: number | null;
  /** Predicted by published. */
  ratio_pred_over_sa: number | null;
  /** Published price at the year. Unit: EUR/m². */
  sa_eur_per_sqm: number | null;
};

export interface LandPricesBatchParameters {
  /** Comma list of parcel ids, 1 to 1000. */
  parcel_ids: string[];
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** With the explanation: inputs used, baseline, what would change the estimate. */
  explain?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesBatchPostParameters {
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** With the explanation: inputs used, baseline, what would change the estimate. */
  explain?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  body: {
    /** With the explanation: inputs used, baseline, what would change the estimate. */
    explain?: boolean;
    inputs?: LandPriceInput[];
    parcel_ids?: string[];
    /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
    year?: number;
  };
}

export type LandPricesBatchPostRequest = {
  inputs?: LandPriceInput[];
  parcel_ids?: string[];
};

/** The land prices of a district. Required members stand in every row, unless fields= chooses others. */
export type LandPricesBezirk = {
  buildings?: Buildings;
  by_class?: Record<string, ClassValue>;
  /** District. */
  district_code: string | null;
  /** Its name. */
  district_name: string | null;
  gemeinden?: Member[];
  kg_count?: number;
  published?: Record<string, Price>;
  series?: Record<string, Record<string, number>>;
  trends_cagr?: Record<string, number>;
  validation?: Check;
  year?: number;
};

export interface LandPricesBezirkParameters {
  /** The district: its code, 3 digits. */
  district_code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Sums over the district's parcels; false leaves by_class, validation and buildings out. */
  aggregate?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** The land prices of a state or of Austria. Required members stand in every row, unless fields= chooses others. */
export type LandPricesBundesland = {
  buildings?: Buildings;
  by_class?: Record<string, ClassValue>;
  kg_count?: number;
  literature?: Record<string, Price>;
  published?: Record<string, Price>;
  series?: Record<string, Record<string, number>>;
  /** State, or AT. */
  state_code: string | null;
  /** Its name. */
  state_name: string | null;
  trends_cagr?: Record<string, number>;
  validation?: Check;
  year?: number;
};

export interface LandPricesBundeslandParameters {
  /** State 1 to 9, its name, or AT for all of Austria. */
  state_code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Adds by_class and buildings: sums over the parcels. */
  aggregate?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** The land prices of a municipality. Required members stand in every row, unless fields= chooses others. */
export type LandPricesGemeinde = {
  baseline?: Baseline;
  bauland_cagr?: number;
  buildings?: Buildings;
  by_class?: Record<string, ClassValue>;
  /** Municipality. */
  gemeinde_code: string | null;
  /** Its name. */
  gemeinde_name: string | null;
  kg_count?: number;
  series?: Record<string, Record<string, number>>;
  statistik_austria?: Price;
  validation?: Check;
  year?: number;
};

export interface LandPricesGemeindeParameters {
  /** The municipality: its code, 5 digits. */
  gemeinde_code: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesParcelParameters {
  /** Parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  parcel_id: string | number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Construction period of the building. */
  building_period?: "pre1960" | "y1960_1990" | "post1991";
  /** With the explanation: inputs used, baseline, what would change the estimate. */
  explain?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LandPricesPredictParameters {
  /** The municipality, from which district and state follow: its code, 5 digits. */
  gemeinde_code?: string;
  /** The district, from which the state follows, where the municipality is not known: its code, 3 digits. */
  bezirk_code?: string;
  /** State by digit or name, where nothing nearer is known. */
  state_code?: string;
  /** Area of the parcel. Unit: m². */
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
  /** With the explanation: inputs used, baseline, what would change the estimate. */
  explain?: boolean;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

/** The price model. Required members stand in every row, unless fields= chooses others. */
export type LandPricesStats = {
  agri_cagr_by_state?: Record<string, Record<string, number>>;
  bauland_cagr_by_state?: Record<string, number>;
  calibration?: number;
  documentation?: string[];
  endpoints?: Route[];
  factors?: Record<string, unknown>;
  latest_source_year?: number;
  sources?: Record<string, unknown>;
};

export interface LandPricesStatsParameters {
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LandPricesValidateAnswer = {
  meta: VerdictMeta;
  results: LandPriceValidation[];
  summary: Verdict;
};

export interface LandPricesValidateParameters {
  /** Municipalities that are listed, the first by code; the summary is of all. */
  limit?: number;
  /** Municipalities with fewer parcels of building land are left out. */
  min_parcels_per_gemeinde?: number;
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type LandUseOfParcels = {
  abbr: string | null;
  area_sqm: number | null;
  code: number;
  parcels: number;
  type_name: string | null;
};

export type LandUseOnParcel = {
  abbr: string | null;
  area_sqm: number | null;
  code: number;
  symbols: number;
  type_name: string | null;
};

export type Landing = {
  attribution?: string;
  description: string;
  links: Link[];
  title: string;
};

export interface LanduseCodesParameters {
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface LanduseDistributionParameters {
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

export type LayerBody = {
  crs?: unknown;
  features: FeatureBody[];
  type: string;
};

export type LayersBody = {
  building_footprints?: LayerBody;
  buildings?: LayerBody;
  labels?: LayerBody;
  landuse?: LayerBody;
  landuse_points?: LayerBody;
  landuse_polygons?: LayerBody;
  meta: MetaBody;
  parcels?: LayerBody;
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

export interface LegalSearchParameters {
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
  /** Only rows of this type. */
  type?: "plz" | "gemeinde" | "kg" | "ortschaft";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Member = {
  baseline?: Baseline;
  gemeinde_code: string;
  gemeinde_name: string;
  statistik_austria?: Price;
};

export type MetaBody = {
  assembly_versions: Record<string, string>;
  attribution?: string;
  changes: string;
  features?: Record<string, number>;
  ingest_generation?: string;
  /** of a stored answer, as what follows */
  kg_code?: string;
  kg_codes?: string[];
  kg_name?: string;
  kgs_unavailable?: string[];
  kgs_unavailable_count?: number;
  kgs_warming?: string[];
  kgs_warming_count?: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  layers?: string[];
  license: string;
  license_url: string;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  parcel_count?: number;
  query_time_ms?: number;
  ready?: boolean;
  stichtag?: string;
  version?: string;
};

export type MirrorState = {
  /** whether a research repository is set up here */
  configured: boolean;
  /** when a snapshot was last archived; null before the first */
  last_sync: string | null;
  /** whether it gave an answer within the last minute */
  reachable: boolean;
};

export type MissingBody = {
  meta: VersionsMeta;
  missing: MissingKG[];
  total: number;
};

export type MissingKG = {
  /** Whether it is loaded when a request asks for it. */
  coming: boolean;
  kg_code: string;
  kg_name: string;
  reason: "unbuilt" | "cold" | "evicted" | "lost" | "damaged";
};

export interface Natura2000KgParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface Natura2000ParcelParameters {
  /** The KG: its code, padded or not. */
  kg: string | number;
  /** Parcel number; a slash is %2F, once. */
  gnr: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface Natura2000SearchPostParameters {
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
  body?: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** Only what shares area with this box, of at most 2 degrees: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
      bbox?: string;
      /** Only what shares area with this municipality: its name, in any usual spelling, or its code. Also written gemeinde_code. */
      gemeinde?: string;
      /** Only sites with this tag. */
      habitat?: "moor" | "floodplain" | "river" | "lake" | "wetland" | "forest" | "alpine" | "meadow" | "pasture" | "valley" | "hill" | "steppe" | "orchard" | "park" | "cave";
      /** Only what shares area with this KG: its code, padded or not. */
      kg?: string;
      /** all: every site that passes the other filters, in one answer where limit is not given. */
      list?: "all";
      /** A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name. */
      q?: string;
      /** overlap: by the area shared with the place, the largest first. */
      sort?: "overlap";
      /** A birds, B habitats, C both; a site of both is one of each. */
      type?: string;
    };
  };
}

export interface Natura2000SiteParameters {
  /** Code of the site. */
  code: string | number;
  /** Draw the outline. */
  geometry?: boolean;
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

export interface Natura2000SiteParcelsParameters {
  /** Code of the site. */
  code: string | number;
  /** true tells of each parcel what of it lies in the site: overlap_sqm and overlap_pct. */
  overlap?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface Natura2000StatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type NearAnswer = {
  meta: NearAnswerMetaStruct;
  results: NearPoint[];
};

export type NearAnswerMetaStruct = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  layers: string[];
  license: string;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  point_count: number;
  query_time_ms: number;
  radius_m: number;
  ready: boolean;
  total_features: number;
  version?: string;
};

export type NearPoint = {
  buildings?: (Parcel | Building)[];
  id: unknown;
  lat: number;
  lon: number;
  parcels?: (Parcel | Building)[];
};

/** A parcel that shares a border. Required members stand in every row, unless fields= chooses others. */
export type Neighbour = {
  /** Layer of the row. */
  _layer: "parcel" | null;
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Latitude of that point, WGS84. Unit: °. */
  inside_lat: number | null;
  /** Longitude of a point in the parcel, WGS84: where the centroid may lie beside it. Unit: °. */
  inside_lon: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the Katastralgemeinde. */
  kg_name: string | null;
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
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** Length of the border that both parcels share. Unit: m. */
  shared_border_m: number | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export type NumberHistory = {
  /** Whether the served snapshot has the number; null where it cannot be read. */
  exists: boolean | null;
  first_version: string | null;
  gone?: Tombstone;
  last_version: string | null;
  parcel_id: string;
  /** false where a snapshot that exists cannot be read: its present is null. */
  ready: boolean;
  snapshots: NumberState[];
  truncated: boolean;
};

export type NumberState = {
  area_sqm: number | null;
  date: string;
  ez: number | null;
  filename: string;
  is_latest: boolean;
  present: boolean | null;
  status: string | null;
};

export interface OgcAddressPointsItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcAddressPointsItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which building_id has this value. */
  building_id?: string;
  /** Only features of which kg_code has this value. */
  kg_code?: string;
  /** Only features of which gemeinde_code has this value. */
  gemeinde_code?: string;
  /** Only features of which parcel_id has this value. */
  parcel_id?: string;
  /** Only features of which ez has this value. */
  ez?: string;
  /** Only features of which house_number has this value. */
  house_number?: string;
  /** Only features of which street has this value. */
  street?: string;
  /** Only features of which postal_code has this value. */
  postal_code?: string;
  /** Only features of which ort has this value. */
  ort?: string;
  /** Only features of which full_address has this value. */
  full_address?: string;
  /** Only features of which object_type has this value. */
  object_type?: string;
  /** Only features of which lon has this value. */
  lon?: string;
  /** Only features of which lat has this value. */
  lat?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcAddressPointsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcAddressPointsQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcAddressPointsSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcCollectionsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcConformanceParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcFootprintsItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcFootprintsItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which footprint_id has this value. */
  footprint_id?: string;
  /** Only features of which kg_code has this value. */
  kg_code?: string;
  /** Only features of which parcel_id has this value. */
  parcel_id?: string;
  /** Only features of which area_sqm has this value. */
  area_sqm?: string;
  /** Only features of which perimeter_m has this value. */
  perimeter_m?: string;
  /** Only features of which compactness has this value. */
  compactness?: string;
  /** Only features of which elongation has this value. */
  elongation?: string;
  /** Only features of which vertex_count has this value. */
  vertex_count?: string;
  /** Only features of which size_class has this value. */
  size_class?: "tiny" | "small" | "medium" | "large" | "xlarge";
  /** Only features of which shape_class has this value. */
  shape_class?: "rectangular" | "regular" | "lshaped" | "complex";
  /** Only features of which ns_code has this value. */
  ns_code?: string;
  /** Only features of which lon has this value. */
  lon?: string;
  /** Only features of which lat has this value. */
  lat?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcFootprintsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcFootprintsQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcFootprintsSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcKgsItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcKgsItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which kg_code has this value. */
  kg_code?: string;
  /** Only features of which kg_name has this value. */
  kg_name?: string;
  /** Only features of which gemeinde_code has this value. */
  gemeinde_code?: string;
  /** Only features of which gemeinde_name has this value. */
  gemeinde_name?: string;
  /** Only features of which district_code has this value. */
  district_code?: string;
  /** Only features of which district_name has this value. */
  district_name?: string;
  /** Only features of which state_code has this value. */
  state_code?: string;
  /** Only features of which state_name has this value. */
  state_name?: string;
  /** Only features of which min_lon has this value. */
  min_lon?: string;
  /** Only features of which min_lat has this value. */
  min_lat?: string;
  /** Only features of which max_lon has this value. */
  max_lon?: string;
  /** Only features of which max_lat has this value. */
  max_lat?: string;
  /** Only features of which parcel_count has this value. */
  parcel_count?: string;
  /** Only features of which building_count has this value. */
  building_count?: string;
  /** Only features of which footprint_count has this value. */
  footprint_count?: string;
  /** Only features of which landuse_count has this value. */
  landuse_count?: string;
  /** Only features of which total_area_sqm has this value. */
  total_area_sqm?: string;
  /** Only features of which typology has this value. */
  typology?: string;
  /** Only features of which building_density has this value. */
  building_density?: string;
  /** Only features of which built_up_ratio has this value. */
  built_up_ratio?: string;
  /** Only features of which avg_nn_distance_m has this value. */
  avg_nn_distance_m?: string;
  /** Only features of which dominant_landuse has this value. */
  dominant_landuse?: string;
  /** Only features of which landuse_diversity has this value. */
  landuse_diversity?: string;
  /** Only features of which avg_far has this value. */
  avg_far?: string;
  /** Only features of which avg_compactness has this value. */
  avg_compactness?: string;
  /** Only features of which ez_count has this value. */
  ez_count?: string;
  /** Only features of which avg_parcels_per_ez has this value. */
  avg_parcels_per_ez?: string;
  /** Only features of which total_footprint_area_sqm has this value. */
  total_footprint_area_sqm?: string;
  /** Only features of which footprint_median_area_sqm has this value. */
  footprint_median_area_sqm?: string;
  /** Only features of which median_parcel_area_sqm has this value. */
  median_parcel_area_sqm?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcKgsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcKgsQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcKgsSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcLanduseItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcLanduseItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which landuse_id has this value. */
  landuse_id?: string;
  /** Only features of which kg_code has this value. */
  kg_code?: string;
  /** Only features of which code has this value. */
  code?: string;
  /** Only features of which abbr has this value. */
  abbr?: string;
  /** Only features of which type_name has this value. */
  type_name?: string;
  /** Only features of which area_sqm has this value. */
  area_sqm?: string;
  /** Only features of which lon has this value. */
  lon?: string;
  /** Only features of which lat has this value. */
  lat?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcLanduseParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcLanduseQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcLanduseSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcMunicipalitiesItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcMunicipalitiesItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which gemeinde_code has this value. */
  gemeinde_code?: string;
  /** Only features of which name has this value. */
  name?: string;
  /** Only features of which district_code has this value. */
  district_code?: string;
  /** Only features of which district_name has this value. */
  district_name?: string;
  /** Only features of which state has this value. */
  state?: string;
  /** Only features of which lon has this value. */
  lon?: string;
  /** Only features of which lat has this value. */
  lat?: string;
  /** Only features of which source has this value. */
  source?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcMunicipalitiesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcMunicipalitiesQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcMunicipalitiesSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcNatura2000ItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcNatura2000ItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which sitecode has this value. */
  sitecode?: string;
  /** Only features of which sitename has this value. */
  sitename?: string;
  /** Only features of which sitetype has this value. */
  sitetype?: "A" | "B" | "C";
  /** Only features of which site_type_label has this value. */
  site_type_label?: string;
  /** Only features of which area_ha has this value. */
  area_ha?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcNatura2000Parameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcNatura2000QueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcNatura2000SchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcParcelsItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcParcelsItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which parcel_id has this value. */
  parcel_id?: string;
  /** Only features of which kg_code has this value. */
  kg_code?: string;
  /** Only features of which gemeinde_code has this value. */
  gemeinde_code?: string;
  /** Only features of which gnr has this value. */
  gnr?: string;
  /** Only features of which ez has this value. */
  ez?: string;
  /** Only features of which status has this value. */
  status?: "E" | "G";
  /** Only features of which area_sqm has this value. */
  area_sqm?: string;
  /** Only features of which lon has this value. */
  lon?: string;
  /** Only features of which lat has this value. */
  lat?: string;
  /** Only features of which building_count has this value. */
  building_count?: string;
  /** Only features of which footprint_count has this value. */
  footprint_count?: string;
  /** Only features of which total_building_area_sqm has this value. */
  total_building_area_sqm?: string;
  /** Only features of which landuse_codes has this value. */
  landuse_codes?: string;
  /** Only features of which compactness has this value. */
  compactness?: string;
  /** Only features of which elongation has this value. */
  elongation?: string;
  /** Only features of which vertex_count has this value. */
  vertex_count?: string;
  /** Only features of which far has this value. */
  far?: string;
  /** Only features of which shape_class has this value. */
  shape_class?: "regular" | "moderate" | "irregular" | "complex" | "strip";
  /** Only features of which dominant_landuse has this value. */
  dominant_landuse?: string;
  /** Only features of which repairs has this value. */
  repairs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcParcelsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcParcelsQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcParcelsSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcProtectedAreasItemParameters {
  /** Id of the feature; a slash is %2F, once. */
  feature: string | number;
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcProtectedAreasItemsParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Features in one answer at most; more than 10000 are taken for 10000. */
  limit?: number;
  /** Features to leave out from the start; links to next and prev carry it. */
  offset?: number;
  /** Where the page begins, and in which data: links to next and prev carry it, so that a walk sees the same data from its first page to its last, each feature once. It is kept for 7 days; then the request is refused, and a walk begins again without it. */
  page?: string;
  /** Only features that reach into this box: west,south,east,north in degrees (CRS84), or in the order of the axes of bbox-crs. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Coordinate reference system of bbox, by its URI. */
  "bbox-crs"?: string;
  /** Coordinate reference system of the answer, by its URI: one of those that the collection lists. */
  crs?: string;
  /** An RFC 3339 time, or an interval of two with a slash between them, where .. is open. Features have no time of their own: all of them pass. */
  datetime?: string;
  /** Only features that pass this condition on their columns, in CQL2 text: area_sqm > 1000 AND status = 'G'. See the queryables of the collection. */
  filter?: string;
  /** Language of filter. */
  "filter-lang"?: "cql2-text";
  /** Coordinate reference system of geometries in filter, which has none. */
  "filter-crs"?: string;
  /** Only features of which area_id has this value. */
  area_id?: string;
  /** Only features of which name has this value. */
  name?: string;
  /** Only features of which desig has this value. */
  desig?: string;
  /** Only features of which desig_eng has this value. */
  desig_eng?: string;
  /** Only features of which desig_type has this value. */
  desig_type?: string;
  /** Only features of which iucn_cat has this value. */
  iucn_cat?: string;
  /** Only features of which rep_area has this value. */
  rep_area?: string;
  /** Only features of which gis_area has this value. */
  gis_area?: string;
  /** Only features of which realm has this value. */
  realm?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcProtectedAreasParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcProtectedAreasQueryablesParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcProtectedAreasSchemaParameters {
  /** json or html. Where it is absent, the Accept header chooses; json is the default. */
  f?: "json" | "html";
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcStyleParameters {
  /** true adds the parcel numbers from zoom 16 on. The style names no address of glyphs: QGIS, OpenLayers and MapLibre GL JS from 5.11 on write in fonts of their own; older ones refuse it. */
  labels?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcTileParameters {
  /** Zoom. */
  z: number;
  /** Column, from the west. */
  x: number;
  /** Row, from the north. */
  y: number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface OgcTilejsonParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type OneFeature = {
  geometry: unknown;
  id: string;
  links: Link[];
  meta: OneFeatureMetaStruct;
  properties: Record<string, unknown>;
  type: string;
};

export type OneFeatureMetaStruct = {
  license: string;
  query_time_ms: number;
};

export type Ordered = {
  job_id: string | null;
  kg_code: string;
  reason: string | null;
  status: "queued" | "skipped";
};

/** A parcel. Required members stand in every row, unless fields= chooses others. */
export type Parcel = {
  /** Layer of the row. */
  _layer?: "parcel" | null;
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Distance from the point to the feature, 0 inside it. Unit: m. */
  distance_m?: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Latitude of that point, WGS84. Unit: °. */
  inside_lat?: number | null;
  /** Longitude of a point in the parcel, WGS84: where the centroid may lie beside it. Unit: °. */
  inside_lon?: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the Katastralgemeinde. */
  kg_name?: string | null;
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
  /** The same as a share of the parcel. Unit: %. */
  overlap_pct?: number | null;
  /** Area of the parcel that lies in the area, where it is asked for. Unit: m². */
  overlap_sqm?: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** What the row is. */
  type?: "parcel" | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export type ParcelBody = {
  in_natura2000: boolean;
  natura2000_sites: SiteBrief[];
  parcel_id: string;
};

/** A parcel number that came, went or changed. Required members stand in every row, unless fields= chooses others. */
export type ParcelChange = {
  /** Area in the later snapshot; null for a removed parcel. Unit: m². */
  area_after_sqm: number | null;
  /** Area in the earlier snapshot; null for an added parcel. Unit: m². */
  area_before_sqm: number | null;
  attributes: Record<string, AttributeChange>;
  /** Names of the attributes that differ, as a comma list: ez, status, landuse_codes, dominant_landuse, building_count, footprint_count. */
  attributes_changed: string | null;
  /** What became of the number. */
  change: "added" | "removed" | "changed" | null;
  /** What happened to the ground: split, merge, renumbered, as a comma list; null without such changes. */
  events: string | null;
  from: Heir[];
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Whether a parcel of both snapshots covers another area. */
  geometry_changed: boolean | null;
  /** Parcel number. */
  gnr: string | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Area that one of the two shapes covers and the other does not; of an added or removed parcel its area. Unit: m². */
  symmetric_difference_sqm: number | null;
  to: Heir[];
};

/** A parcel with its polygon. Required members stand in every row, unless fields= chooses others. */
export type ParcelGeometry = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  legal_contexts?: string[];
  /** References of laws to the parcel; left out without one. */
  legal_ref_count?: number | null;
  legal_refs?: LegalBrief[];
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  natura2000_sites?: SiteBrief[];
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
};

export type ParcelMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  latest_source_year: number;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  price_series: string;
  ready: boolean;
  version?: string;
  /** that the class of an estimate is assumed */
  warnings?: string[];
};

export type ParcelNeighboursMetaAnswer = {
  /** Length of the parcel's border. */
  border_m: number;
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

export interface ParcelNeighboursParameters {
  /** Parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  id: string | number;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface ParcelSheetParameters {
  /** Parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  id: string | number;
  /** Language of the page: de or en. */
  lang?: "de" | "en";
  /** Form of the sheet. Where it is absent, the Accept header chooses; html by default. */
  format?: "html" | "pdf";
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ParcelsGeometryBatchParameters {
  /** Parcel ids <kg_code>-<gnr>, comma-separated; a slash is %2F, once. */
  ids: string[];
  /** true: parcels have the Natura 2000 sites they lie in and the laws that name them (in_natura2000, natura2000_sites, legal_ref_count, legal_contexts, legal_refs), which is one more read for each KG that is not in memory. fields that names one of them asks for them too. */
  overlays?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface ParcelsGeometryBatchPostParameters {
  /** true: parcels have the Natura 2000 sites they lie in and the laws that name them (in_natura2000, natura2000_sites, legal_ref_count, legal_contexts, legal_refs), which is one more read for each KG that is not in memory. fields that names one of them asks for them too. */
  overlays?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: IdsShape;
}

export type ParcelsIn = {
  /** that share area with it */
  count: number;
  overlap_of_area_pct: number;
  overlap_sqm: number;
  /** of which no part lies outside, but for a hundredth of a square metre */
  within: number;
};

/** A point with the parcel that holds it. Required members stand in every row, unless fields= chooses others. */
export type PointShape = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Code of the district, 3 digits. */
  district_code: string | null;
  /** Name of the district. */
  district_name: string | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Why the line of a table is no point. */
  error: string | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** Name of the municipality. */
  gemeinde_name: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** The given id, or the point's number from 0. */
  id: string | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the Katastralgemeinde. */
  kg_name: string | null;
  /** Land-use codes of the parcel's symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_summary: Record<string, number>;
  /** Latitude of the point. Unit: °. */
  lat: number | null;
  legal_contexts?: string[];
  /** References of laws to the parcel; left out without one. */
  legal_ref_count?: number | null;
  legal_refs?: LegalBrief[];
  /** Longitude of the point. Unit: °. */
  lon: number | null;
  /** Whether a parcel holds the point. */
  matched: boolean | null;
  natura2000_sites?: SiteBrief[];
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** The point's KG is not loaded: matched false is unknown, not absent. */
  pending: boolean | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export type PointsShape = {
  points: Item[];
};

export type PolygonItem = {
  /** with include */
  area?: AreaBody;
  buildings?: (Parcel | Building | Kg)[];
  error?: string;
  id: unknown;
  parcels?: (Parcel | Building | Kg)[];
};

export type PolygonMeta = {
  /** a polygon was not valid and is rebuilt by the even-odd rule */
  geometry_repaired?: boolean;
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
  /** what was repaired in the drawing or read in another way, and where */
  warnings?: string[];
};

export type PolygonShape = {
  /** A named area in place of a geometry, such as kg:99101. */
  area?: string;
  /** As RFC 7946 has them: of a Polygon its rings, of a MultiPolygon its polygons; positions are [lon, lat], degrees (WGS84). */
  coordinates?: unknown[];
  /** Of a FeatureCollection. */
  features?: GeometryShape[];
  /** Of a GeometryCollection. */
  geometries?: unknown[];
  /** Of a Feature: a geometry. */
  geometry?: unknown;
  /** Of a batch; default parcels. */
  layers?: ("parcels" | "buildings")[];
  /** A batch without type. */
  polygons?: GeometryShape[];
  /** Of a Feature: id, ID or fid, a text or number, names it in the answer. */
  properties?: Record<string, unknown>;
  type?: "Point" | "MultiPoint" | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon" | "GeometryCollection" | "Feature" | "FeatureCollection";
};

export type PolygonsAnswer = {
  meta: PolygonsAnswerMetaStruct;
  results: PolygonItem[];
};

export type PolygonsAnswerMetaStruct = {
  /** a polygon was not valid and is rebuilt by the even-odd rule */
  geometry_repaired?: boolean;
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  layers: string[];
  license: string;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  polygon_count: number;
  query_time_ms: number;
  ready: boolean;
  total_features: number;
  version?: string;
  /** what was repaired in the drawing or read in another way, and where */
  warnings?: string[];
};

export type PrewarmBody = {
  /** KGs that will be loaded */
  queued: string[];
  stats_url: string;
  /** KGs whose snapshot is already loaded */
  warm: string[];
};

export interface PrewarmParameters {
  /** Codes of the KGs to load, padded or not. */
  kg: string[];
}

export type PrewarmStats = {
  /** KGs whose last attempt failed; they are tried again an hour later, five times */
  failed: number;
  queued: number;
  running: number;
  /** KGs that were loaded since the store was set up */
  warmed: number;
};

export interface PrewarmStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type Price = {
  eur: number | null;
  from_year: number;
  mean_of_series?: number;
  method: string;
  to_year: number;
  unit: string;
};

export type PriceMeta = {
  latest_source_year: number;
  price_series: string;
  /** that the class of an estimate is assumed */
  warnings?: string[];
};

export type PricesIn = {
  attribution: string;
  /** price classes that have parcels, the largest part of the area first */
  classes: ClassPriceIn[];
  year: number;
};

export type ProcessBody = {
  /** null where it is skipped */
  job_id: string | null;
  kg_code: string;
  /** why it is skipped, or that it waits or runs already; null otherwise */
  reason: string | null;
  status: "queued" | "skipped";
  status_url: string;
};

/** A KG that was processed. Required members stand in every row, unless fields= chooses others. */
export type ProcessedKg = {
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name. */
  kg_name: string | null;
  /** Date of the snapshot that is served, YYYY-MM-DD. */
  latest: string | null;
  /** When the served snapshot was published, RFC 3339. */
  processed_at: string | null;
  /** Dated snapshots that are kept. */
  snapshots: number | null;
};

export type ProcessingStatus = {
  /** the same of the job that archives the snapshot; null if there is none */
  archive: "queued" | "processing" | "done" | "failed" | null;
  /** which attempt runs or ran last; 0 before the first */
  attempt: number;
  /** whether the job has published another snapshot than was served before */
  changed: boolean | null;
  error: string | null;
  finished_at: string | null;
  /** that was served at the end of the job */
  generation: string | null;
  /** null where the KG was processed with others, or is not known to have been */
  job_id: string | null;
  kg_code: string;
  /** 0 to 1 */
  progress: number;
  /** <kg>-<date> that is served after the job */
  snapshot: string | null;
  /** of the last attempt */
  started_at: string | null;
  status: "unknown" | "queued" | "processing" | "done" | "failed";
  /** the current step; null when there is no work */
  step: string | null;
};

export type Properties = {
  /** date of the data (Stichtag), at midnight UTC */
  datetime: string;
  gemeinde_code?: string;
  gemeinde_name?: string;
  /** of a snapshot that was imported from an earlier epoch */
  ingest_generation?: string;
  /** the snapshot that is served */
  is_latest: boolean;
  kg_code: string;
  kg_name: string;
  license: string;
  /** of the .kgs file, as archives list it */
  md5?: string;
  parcel_count: number;
  "processing:version"?: string;
  /** false where the files are not in the store at the moment: asking an export for the KG brings them back; absent otherwise */
  ready?: boolean;
  state?: string;
  title: string;
  /** the date */
  version: string;
};

export type PropertiesStruct = {
  /** by the name of the column */
  properties: Record<string, Queryable>;
  type: string;
};

/** A parcel in or near a protected area. Required members stand in every row, unless fields= chooses others. */
export type ProtectedParcel = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** From the centroid to the nearest border; of near parcels only. Unit: m. */
  distance_to_boundary_m?: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Latitude of that point, WGS84. Unit: °. */
  inside_lat: number | null;
  /** Longitude of a point in the parcel, WGS84: where the centroid may lie beside it. Unit: °. */
  inside_lon: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the Katastralgemeinde. */
  kg_name: string | null;
  /** Land-use codes of the parcel's symbols and areas, rising, comma-separated. */
  landuse_codes: string | null;
  landuse_summary: Record<string, number>;
  /** Latitude of the centroid, WGS84. Unit: °. */
  lat: number | null;
  legal_contexts?: string[];
  /** References of laws to the parcel; left out without one. */
  legal_ref_count?: number | null;
  legal_refs?: LegalBrief[];
  /** both: within, and named by a law of the area; spatially_contained: within only; legally_named: near, and named; spatially_near: near only. */
  legal_status: "both" | "spatially_contained" | "legally_named" | "spatially_near" | null;
  /** Longitude of the centroid, WGS84. Unit: °. */
  lon: number | null;
  natura2000_sites?: SiteBrief[];
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** Where the centroid lies. */
  protected_area_relation: "within" | "near" | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export type Provider = {
  description?: string;
  name: string;
  roles: string[];
  url?: string;
};

export interface QueryParameters {
  /** Words of the name of a KG or its municipality in any usual spelling, codes of them, parcel numbers (123/4; 12* and .17 as in /search/gnr), a parcel id. All must fit: Lorfach 12/3 is that parcel of the KGs of Lorfach. */
  q?: string;
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
  /** E: not in the boundary cadastre; G: in it. */
  status?: string;
  /** Folio number (Einlagezahl), unique within a KG. */
  ez?: number;
  /** Western edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of longitude (WGS84). Also written west, minlon. */
  min_lon?: number;
  /** Southern edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of latitude (WGS84). Also written south, minlat. */
  min_lat?: number;
  /** Eastern edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of longitude (WGS84). Also written east, maxlon. */
  max_lon?: number;
  /** Northern edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of latitude (WGS84). Also written north, maxlat. */
  max_lat?: number;
  /** Order of the rows; parcels that are equal stand by their parcel id. */
  sort?: "area_desc" | "area_asc" | "gnr";
  /** true: statistics of any answer, computed for this request; false: none. Without it they come with every filter that names places (q, an area, ez, a box), but for filters on Natura 2000. */
  with_stats?: boolean;
  /** true: statistics that would be a snapshot are computed now. */
  refresh?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface QueryProtectedAreaParameters {
  /** A part of the name of the protected areas, in any spelling. */
  area: string;
  /** within: parcels whose centroid lies in one of the areas; near: those too, and the parcels around. */
  relation?: "within" | "near";
  /** With relation=near: centroids up to this distance from a border, 500 without it. Unit: m. */
  buffer_m?: number;
  /** Words of the name of a KG or its municipality in any usual spelling, codes of them, parcel numbers (123/4; 12* and .17 as in /search/gnr), a parcel id. All must fit: Lorfach 12/3 is that parcel of the KGs of Lorfach. */
  q?: string;
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
  /** E: not in the boundary cadastre; G: in it. */
  status?: string;
  /** Folio number (Einlagezahl), unique within a KG. */
  ez?: number;
  /** Western edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of longitude (WGS84). Also written west, minlon. */
  min_lon?: number;
  /** Southern edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of latitude (WGS84). Also written south, minlat. */
  min_lat?: number;
  /** Eastern edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of longitude (WGS84). Also written east, maxlon. */
  max_lon?: number;
  /** Northern edge of a box that holds the centroid of the parcel; all four edges are needed, degrees of latitude (WGS84). Also written north, maxlat. */
  max_lat?: number;
  /** Order of the rows; distance is that to the nearest border, 0 within. Without it: area_desc, with relation=near distance. */
  sort?: "area_desc" | "area_asc" | "gnr" | "distance";
  /** true: statistics of any answer, computed for this request; false: none. Without it they come with every filter that names places (q, an area, ez, a box), but for filters on Natura 2000. */
  with_stats?: boolean;
  /** true: statistics that would be a snapshot are computed now. */
  refresh?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export type Queryable = {
  enum?: string[];
  format?: string;
  title?: string;
  type?: string;
  "x-ogc-role"?: string;
  "x-ogc-unit"?: string;
};

export type QueryablesShape = {
  /** the draft of JSON Schema */
  $schema: string;
  /** by the name of the column */
  properties: Record<string, Queryable>;
  /** of the collection */
  title: string;
  /** object */
  type: string;
};

export type ReadyMember = {
  ready: boolean;
};

export type Reasons = {
  building?: string;
  inputs: Inputs;
  notes: string[];
  series?: string;
  steps: string[];
  what_would_change_it: Change[];
};

export type RepairBody = {
  data: Ordered[];
  queued: number;
  skipped: number;
  stats_url: string;
  /** KGs that need a repair and are not in this answer: repeat the request */
  waiting: number;
};

export type RepairStats = {
  /** repairs that failed for good */
  failed: number;
  /** KGs of the served generation whose address points are not joined */
  needed: number;
  queued: number;
  /** KGs that were repaired */
  repaired: number;
  running: number;
};

export type RequestShape = {
  age_ms: number;
  method: string;
  path: string;
};

export type Route = {
  method: string;
  path: string;
  summary: string;
};

export interface SearchAddressOsmPostParameters {
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: SearchAddressOsmPostRequest;
}

export type SearchAddressOsmPostRequest = {
  queries: AddressAsked[];
};

export interface SearchAddressParameters {
  /** An address, or a part of it: street, house number, postal code and place in any order. Every word has to begin a word of the street, the locality or the municipality. */
  q?: string;
  /** Only addresses of this postal code. */
  plz?: string;
  /** Only addresses whose locality or municipality has words that begin so. */
  ort?: string;
  /** Only addresses on streets whose name has words that begin so; a house number may follow. */
  street?: string;
  /** true: what q may become while it is typed, as rows of the type suggestion. */
  suggest?: boolean;
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

export interface SearchDistrictParameters {
  /** Name, or a part of it, or a code. Umlauts and ß may be written with two letters or without marks; St. is Sankt, Gr. is Groß, hyphens and blanks are the same. Every word has to be in the name. */
  q?: string;
  /** Only this state: its name, in any usual spelling, or its code 1 to 9. */
  state?: string;
  /** The KGs of this district: its code, 3 digits. */
  code?: string;
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

export interface SearchEzParameters {
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** Only KGs of this municipality: its code, or its name in any of its spellings. */
  gemeinde?: string;
  /** Folio number (Einlagezahl). With it rows have their parcels, address points and land use. */
  ez?: number;
  /** With ez: how long to wait for KGs that are being loaded; at most 25 s are waited. 0 does not wait. Unit: s. */
  wait?: number;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SearchFeatureParameters {
  /** A parcel id (<kg_code>-<gnr>), the id of an address point (<ADRCD>-<SUBCD>) or a KG code. */
  id: string;
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SearchGnrParameters {
  /** Parcel number: exact (123/4); with * for any characters (12*, *\/3); or with a leading dot, which finds the building plots whose number begins so (.17 finds .17, .17/1, .170). A slash is %2F, once. */
  gnr: string;
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SearchKgParameters {
  /** Name, or a part of it, or a code. Umlauts and ß may be written with two letters or without marks; St. is Sankt, Gr. is Groß, hyphens and blanks are the same. Every word has to be in the name. */
  q?: string;
  /** Only this KG: its code, padded or not. */
  code?: string;
  /** Only KGs of this municipality: its code, or its name in any of its spellings. */
  gemeinde?: string;
  /** Only KGs of districts with this in their name, or of the district with this 3-digit code. */
  district?: string;
  /** Only KGs of this postal code. Its KGs are those in which a locality of it lies; of a municipality whose localities of it do not say their KG, all. */
  plz?: string;
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

export interface SearchParcelParameters {
  /** Only this parcel: <kg_code>-<gnr>; a slash is %2F, once. */
  id?: string;
  /** Only this KG: its code, padded or not. */
  kg?: string;
  /** Only parcels of this status: G (boundary held in the boundary cadastre) or E. */
  status?: string;
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SearchProtectedAreaPostParameters {
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
  body?: {
    /** GeoJSON of any type */
    geometry: unknown;
    /** Parameters of the endpoint, as in the address; a value that both give differently is refused. */
    params?: {
      /** Only what shares area with this box, of at most 2 degrees: west,south,east,north in degrees (WGS84); of six numbers the heights are passed over. */
      bbox?: string;
      /** Latitude of a point: only what holds it, degrees (WGS84). */
      contains_lat?: number;
      /** Longitude of a point: only what holds it, degrees (WGS84). */
      contains_lon?: number;
      /** Only what shares area with this municipality: its name, in any usual spelling, or its code. Also written gemeinde_code. */
      gemeinde?: string;
      /** Only what shares area with this KG: its code, padded or not. */
      kg?: string;
      /** Latitude of a point: the order is by distance from it, degrees (WGS84). */
      near_lat?: number;
      /** Longitude of a point: the order is by distance from it, degrees (WGS84). */
      near_lon?: number;
      /** A part of the name, in any spelling: umlauts, ß, hyphens and blanks as in searches by name. */
      q?: string;
      /** overlap: by the area shared with the place, the largest first. */
      sort?: "overlap";
    };
  };
}

export interface SearchTextParameters {
  /** Names, codes, parcel numbers, parcel ids and addresses, in any order. */
  q: string;
  /** true: what q may become while it is typed, as rows of the type suggestion. */
  suggest?: boolean;
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

export type SiteIn = {
  overlap_of_area_pct: number;
  overlap_of_site_pct: number;
  overlap_sqm: number;
  sitecode: string;
  sitename: string;
  sitetype: "A" | "B" | "C";
};

/** A parcel whose centroid lies in the site. Required members stand in every row, unless fields= chooses others. */
export type SiteParcel = {
  /** Drawn area in the equal-area plane EPSG:3035; the register area may differ. Unit: m². */
  area_sqm: number | null;
  /** Address points on the parcel. */
  building_count: number | null;
  /** 4πA/P² of the largest part: 1.0 circle, 0.785 square. */
  compactness: number | null;
  /** Land-use code with the largest area, without areas the most frequent symbol. */
  dominant_landuse: number | null;
  /** Long by short side of the smallest rotated box: 1.0 square, above 4 strip. */
  elongation: number | null;
  /** Land-register folio (Einlagezahl), unique within the KG. */
  ez: number | null;
  /** Footprint area by parcel area. */
  far: number | null;
  /** Building footprints that lie mostly on the parcel. */
  footprint_count: number | null;
  /** Code of the municipality, 5 digits. */
  gemeinde_code: string | null;
  /** GeoJSON geometry, where the answer carries geometry; null where the row has none. */
  geometry?: GeoJSONGeometry | null;
  /** Parcel number (Grundstücksnummer); a leading dot marks a building plot. */
  gnr: string | null;
  /** The centroid lies in a Natura 2000 site; left out where no overlays are at hand. */
  in_natura2000?: boolean | null;
  /** Latitude of that point, WGS84. Unit: °. */
  inside_lat: number | null;
  /** Longitude of a point in the parcel, WGS84: where the centroid may lie beside it. Unit: °. */
  inside_lon: number | null;
  /** Code of the Katastralgemeinde, 5 digits. */
  kg_code: string | null;
  /** Name of the Katastralgemeinde. */
  kg_name: string | null;
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
  /** The same as a share of the parcel. Unit: %. */
  overlap_pct?: number | null;
  /** Area of the parcel that lies in the area, where it is asked for. Unit: m². */
  overlap_sqm?: number | null;
  /** <kg_code>-<gnr>, the key of a parcel. */
  parcel_id: string | null;
  /** What was mended when the parcel was put together from its tiles, comma-separated; null when nothing was. */
  repairs: string | null;
  /** Shape of the parcel. */
  shape_class: "regular" | "moderate" | "irregular" | "complex" | "strip" | null;
  /** G when the boundary is held in the boundary cadastre (Grenzkataster), else E. */
  status: "E" | "G" | null;
  /** Footprint area on the parcel. Unit: m². */
  total_building_area_sqm: number | null;
  /** Vertices of all rings, the closing one not counted. */
  vertex_count: number | null;
};

export type SizeBody = {
  /** of the file as it is saved, unpacked where it is sent compressed */
  bytes: number;
  /** true: bytes is estimated from the rows and vertices of up to 12 of the KGs, in WGS84 or the usual system of the form, and of up to 12 KGs within a fifth; false: it is that of the stored file */
  estimated: boolean;
  form: string;
  /** store: the file is there; answer: it is written for the request; job: a job writes it; none: it is too large, split lists smaller requests */
  from: "store" | "answer" | "job" | "none";
  /** KGs of the area */
  kgs: number;
  /** those of them that cannot be read at present; KGs that were not built yet count no bytes */
  kgs_not_at_hand: number;
  /** those of kgs_not_at_hand that nothing loads here, or whose snapshot is lost or damaged: the file will be without them; the others are in it when they are loaded in time */
  kgs_unavailable_count: number;
  /** areas that together are the same, each small enough */
  split?: unknown;
};

export interface SpatialBboxParameters {
  /** Western edge of the box, degrees of longitude (WGS84). Also written min_lon, minlon. */
  west: number;
  /** Southern edge of the box, degrees of latitude (WGS84). Also written min_lat, minlat. */
  south: number;
  /** Eastern edge of the box, degrees of longitude (WGS84). Also written max_lon, maxlon. */
  east: number;
  /** Northern edge of the box, degrees of latitude (WGS84). Also written max_lat, maxlat. */
  north: number;
  /** Grows the search area by this distance on every side. Unit: m. */
  buffer?: number;
  /** Layers of the answer: parcels, buildings (address points), kg. Singular names work too. Also written layer. */
  layers?: ("parcels" | "buildings" | "kg")[];
  /** What a feature must have to do with the area: intersects takes features whose interior shares area with it, within those of which no part lies outside. */
  relation?: "intersects" | "within";
  /** Only what belongs to these KGs: codes, padded or not, separated by commas. */
  kg?: string[];
  /** Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas. */
  gemeinde_code?: string[];
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true leaves the polygons out: positions are the centroids. */
  attrs_only?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SpatialFootprintsParameters {
  /** Western edge of the box, degrees of longitude (WGS84). Also written min_lon, minlon. */
  west: number;
  /** Southern edge of the box, degrees of latitude (WGS84). Also written min_lat, minlat. */
  south: number;
  /** Eastern edge of the box, degrees of longitude (WGS84). Also written max_lon, maxlon. */
  east: number;
  /** Northern edge of the box, degrees of latitude (WGS84). Also written max_lat, maxlat. */
  north: number;
  /** Only what belongs to these KGs: codes, padded or not, separated by commas. */
  kg?: string[];
  /** Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas. */
  gemeinde_code?: string[];
  /** 0 leaves the polygons out. */
  geometry?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SpatialGeomCacheStatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface SpatialKgsParameters {
  /** Western edge of the box, degrees of longitude (WGS84). Also written min_lon, minlon. */
  west: number;
  /** Southern edge of the box, degrees of latitude (WGS84). Also written min_lat, minlat. */
  south: number;
  /** Eastern edge of the box, degrees of longitude (WGS84). Also written max_lon, maxlon. */
  east: number;
  /** Northern edge of the box, degrees of latitude (WGS84). Also written max_lat, maxlat. */
  north: number;
  /** Grows the search area by this distance on every side. Unit: m. */
  buffer?: number;
  /** Only KGs whose bounding box shares area with this polygon too: GeoJSON Polygon, MultiPolygon or Feature, percent-encoded. Addresses of more than 8,192 bytes do not pass the CDN: send larger polygons by POST. */
  geojson?: string;
  /** true tests the KG's outline (simplified within the register's tolerance) in place of its bounding box. */
  exact?: boolean;
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

export interface SpatialKgsPostParameters {
  /** true tests the KG's outline (simplified within the register's tolerance) in place of its bounding box. */
  exact?: boolean;
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
  body: GeometryShape;
}

export interface SpatialParcelsParameters {
  /** Western edge of the box, degrees of longitude (WGS84). Also written min_lon, minlon. */
  west: number;
  /** Southern edge of the box, degrees of latitude (WGS84). Also written min_lat, minlat. */
  south: number;
  /** Eastern edge of the box, degrees of longitude (WGS84). Also written max_lon, maxlon. */
  east: number;
  /** Northern edge of the box, degrees of latitude (WGS84). Also written max_lat, maxlat. */
  north: number;
  /** Only what belongs to these KGs: codes, padded or not, separated by commas. */
  kg?: string[];
  /** Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas. */
  gemeinde_code?: string[];
  /** 0 leaves the polygons out. */
  geometry?: boolean;
  /** true: parcels have the Natura 2000 sites they lie in and the laws that name them (in_natura2000, natura2000_sites, legal_ref_count, legal_contexts, legal_refs), which is one more read for each KG that is not in memory. fields that names one of them asks for them too. */
  overlays?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SpatialPointParameters {
  /** Longitude of the point, degrees (WGS84). */
  lon: number;
  /** Latitude of the point, degrees (WGS84). */
  lat: number;
  /** Features up to this distance from the point. Unit: m. */
  radius?: number;
  /** Layers of the answer: parcels, buildings (address points), kg. Singular names work too. Also written layer. */
  layers?: ("parcels" | "buildings" | "kg")[];
  /** Only what belongs to these KGs: codes, padded or not, separated by commas. */
  kg?: string[];
  /** Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas. */
  gemeinde_code?: string[];
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true leaves the polygons out: positions are the centroids. */
  attrs_only?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export interface SpatialPointPostParameters {
  /** Features up to this distance from the point. Unit: m. */
  radius?: number;
  /** Layers of the answer: parcels, buildings (address points). Singular names work too. Also written layer. */
  layers?: ("parcels" | "buildings")[];
  /** true leaves the polygons out: positions are the centroids. */
  attrs_only?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** true leaves the polygons out: positions are the centroids. */
    attrs_only?: boolean;
    /** Layers of the answer: parcels, buildings (address points). Singular names work too. Also written layer. */
    layers?: ("parcels" | "buildings")[];
    points: Item[];
    /** Features up to this distance from the point. Unit: m. */
    radius?: number;
    /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
    version?: string;
  };
}

export interface SpatialPointsParameters {
  /** true waits up to 25 s for KGs that are being made ready. */
  wait?: boolean;
  /** true: parcels have the Natura 2000 sites they lie in and the laws that name them (in_natura2000, natura2000_sites, legal_ref_count, legal_contexts, legal_refs), which is one more read for each KG that is not in memory. fields that names one of them asks for them too. */
  overlays?: boolean;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
  /** Only these fields of the rows, as a comma list. Naming `geometry` keeps the geometry. */
  fields?: string[];
  /** Form of the answer. Where it is absent, the Accept header chooses; json is the default. shapefile is a zip with a set for each kind of rows, of at most 256 MB unpacked; its README.txt has the whole names of the columns, of which a set has ten bytes. */
  format?: "json" | "geojson" | "csv" | "gpkg" | "geojsonseq" | "ndjson" | "parquet" | "shapefile";
  /** EPSG code of the output coordinates: 4326 (default), 3857, 3035, 31287, 3416, 31254, 31255, 31256, 31257, 31258 or 31259. Projected coordinates are easting, northing in metres. */
  crs?: string;
  body: {
    /** true: parcels have the Natura 2000 sites they lie in and the laws that name them (in_natura2000, natura2000_sites, legal_ref_count, legal_contexts, legal_refs), which is one more read for each KG that is not in memory. fields that names one of them asks for them too. */
    overlays?: boolean;
    points: Item[];
    /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
    version?: string;
    /** true waits up to 25 s for KGs that are being made ready. */
    wait?: boolean;
  };
}

export type SpatialPolygonBesideAnswer = {
  /** with include */
  area?: AreaBody;
};

export interface SpatialPolygonParameters {
  /** The area: a GeoJSON geometry of any type or a Feature with one, percent-encoded. Addresses of more than 8,192 bytes do not pass the CDN: send larger ones by POST. */
  geojson?: string;
  /** A named area in place of geojson: parcel:ID, kg:CODE, gemeinde:CODE or gemeinde:NAME, natura2000:SITECODE, protected_area:NAME. The outlines are those of the data: of a KG that of its survey, of one that was not built here the simplified one of the register; of several protected areas of one name their union. */
  area?: string;
  /** Grows the search area by this distance on every side. Unit: m. */
  buffer?: number;
  /** Layers of the answer: parcels, buildings (address points), kg. Singular names work too. Also written layer. */
  layers?: ("parcels" | "buildings" | "kg")[];
  /** What a feature must have to do with the area: intersects takes features whose interior shares area with it, within those of which no part lies outside. */
  relation?: "intersects" | "within";
  /** Only what belongs to these KGs: codes, padded or not, separated by commas. */
  kg?: string[];
  /** Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas. */
  gemeinde_code?: string[];
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true leaves the polygons out: positions are the centroids. */
  attrs_only?: boolean;
  /** What is told of the area as a whole beside its rows, in the member area: parcels (their number and area in it, and overlap_sqm and overlap_pct in each row), landuse, natura2000, protected_areas, prices, buildings, or all. */
  include?: ("parcels" | "landuse" | "natura2000" | "protected_areas" | "prices" | "buildings" | "all")[];
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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

export type SpatialPolygonPostBesideAnswer = {
  /** with include */
  area?: AreaBody;
};

export interface SpatialPolygonPostParameters {
  /** Grows the search area by this distance on every side. Unit: m. */
  buffer?: number;
  /** Layers of the answer: parcels, buildings (address points), kg. Singular names work too. Also written layer. */
  layers?: ("parcels" | "buildings" | "kg")[];
  /** What a feature must have to do with the area: intersects takes features whose interior shares area with it, within those of which no part lies outside. */
  relation?: "intersects" | "within";
  /** Only what belongs to these KGs: codes, padded or not, separated by commas. */
  kg?: string[];
  /** Only what belongs to KGs of these municipalities: 5-digit codes, separated by commas. */
  gemeinde_code?: string[];
  /** Only parcels with this land use among their symbols or areas: a code (52), an abbreviation (W), or a comma list. */
  landuse?: string;
  /** Only parcels of at least this area. Unit: m². */
  min_area?: number;
  /** Only parcels of at most this area. Unit: m². */
  max_area?: number;
  /** true: only parcels with an address point or a footprint; false: only parcels without. */
  has_buildings?: boolean;
  /** true leaves the polygons out: positions are the centroids. */
  attrs_only?: boolean;
  /** What is told of the area as a whole beside its rows, in the member area: parcels (their number and area in it, and overlap_sqm and overlap_pct in each row), landuse, natura2000, protected_areas, prices, buildings, or all. */
  include?: ("parcels" | "landuse" | "natura2000" | "protected_areas" | "prices" | "buildings" | "all")[];
  /** Year of the prices. A year that is not published is interpolated or extrapolated; the answer says which. */
  year?: number;
  /** The newest snapshot of each KG on or before this date, YYYY-MM-DD, in place of the present one. */
  version?: string;
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
  body: PolygonShape;
}

export type StacAsset = {
  description?: string;
  "file:checksum"?: string;
  "file:size"?: number;
  href?: string;
  roles: string[];
  title?: string;
  type: string;
};

export type StacCollection = {
  assets?: Record<string, StacAsset>;
  attribution?: string;
  description: string;
  extent: StacExtent;
  id: string;
  item_assets: Record<string, StacAsset>;
  keywords: string[];
  license: string;
  links: StacLink[];
  providers: Provider[];
  stac_version: string;
  summaries: Record<string, unknown>;
  title: string;
  type: string;
};

export interface StacCollectionParameters {
  /** Id of the collection: kg-snapshots. */
  collection: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type StacCollections = {
  collections: StacCollection[];
  links: StacLink[];
};

export interface StacCollectionsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface StacConformanceParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type StacExtent = {
  spatial: StacExtentSpatialStruct;
  temporal: StacExtentTemporalStruct;
};

export type StacExtentSpatialStruct = {
  bbox: number[][];
};

export type StacExtentTemporalStruct = {
  interval: ((string | null)[])[];
};

export type StacItem = {
  assets: Record<string, StacAsset>;
  bbox?: number[];
  collection: string;
  geometry: unknown;
  id: string;
  links: StacLink[];
  properties: Properties;
  stac_extensions: string[];
  stac_version: string;
  type: string;
};

export interface StacItemParameters {
  /** Id of the collection: kg-snapshots. */
  collection: string | number;
  /** Id of the item: KG code, a dash, the date. */
  item: string | number;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type StacItems = {
  features: StacItem[];
  links: StacLink[];
  numberReturned: number;
  type: string;
};

export interface StacItemsParameters {
  /** Id of the collection: kg-snapshots. */
  collection: string | number;
  /** Items in one answer at most; more than 500 are taken for 500. */
  limit?: number;
  /** Only items that reach into this box: west,south,east,north in degrees. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Only items of this time: RFC 3339 with a time zone, or an interval of two with a slash between them, of which one may be open (.. or nothing). Snapshots are of midnight UTC of their date. */
  datetime?: string;
  /** The last item of the page before, as the link to the next page carries it. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type StacLink = {
  body?: Record<string, unknown>;
  href: string;
  method?: string;
  rel: string;
  title?: string;
  type?: string;
};

export interface StacParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type StacSearch = {
  bbox?: number[];
  collections?: string[];
  cursor?: string;
  datetime?: string;
  ids?: string[];
  intersects?: unknown;
  limit?: number;
};

export interface StacSearchParameters {
  /** Items in one answer at most; more than 500 are taken for 500. */
  limit?: number;
  /** Only items that reach into this box: west,south,east,north in degrees. Six numbers are read too, heights are passed over. A box whose west is greater than its east crosses the antimeridian. */
  bbox?: string;
  /** Only items that reach into this GeoJSON geometry, percent-encoded; it does not go together with bbox. Addresses of more than 8,192 bytes do not pass the CDN: send larger ones by POST. */
  intersects?: string;
  /** Only items of this time: RFC 3339 with a time zone, or an interval of two with a slash between them, of which one may be open (.. or nothing). Snapshots are of midnight UTC of their date. */
  datetime?: string;
  /** Only these items, as a comma list. */
  ids?: string[];
  /** Only items of these collections, as a comma list; there is kg-snapshots. */
  collections?: string[];
  /** The last item of the page before, as the link to the next page carries it. */
  cursor?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface StacSearchPostParameters {
  body: StacSearch;
}

export type StateFigures = {
  /** Address points. */
  building_count: number;
  district_count: number;
  footprint_count: number;
  kg_count: number;
  parcel_count: number;
  state_code: string;
  state_name: string;
  /** Area of the parcels. */
  total_area_sqm: number;
};

export type StatsBody = {
  /** sum over the sites; sites may overlap */
  area_ha: number;
  /** sites per type; C counts as C alone */
  by_type: Record<string, number>;
  /** sites per tag */
  habitats: Record<string, number>;
  /** KGs that share area with a site */
  kgs_inside: number;
  /** KGs with a parcel in a site */
  kgs_with_parcels: number;
  /** parcels in a site */
  parcel_count: number;
  sites: number;
};

export type StatsMember = {
  stats: Figures;
};

export interface StatsParameters {
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export type StatusBody = {
  /** of the file, so far while it is written */
  bytes: number;
  created_at: string;
  /** the current step, as a sentence */
  detail: string;
  error: string | null;
  /** when job and file are forgotten; null until the job has ended */
  expires_at: string | null;
  /** null until the job is done */
  file_url: string | null;
  finished_at: string | null;
  job_id: string;
  /** of the export */
  kgs: number;
  /** of the layer that is being written */
  kgs_done: number;
  /** KGs that are missing from the file */
  kgs_unavailable: string[];
  /** 0 to 1 */
  progress: number;
  /** false where KGs are missing from the file; null until the job is done */
  ready: boolean | null;
  started_at: string | null;
  status: "queued" | "running" | "done" | "failed" | "cancelled";
};

export type StoreState = {
  budget_bytes: number;
  bytes: number;
  /** objects and sections in memory */
  entries: number;
  failures: number;
  generation: string;
  /** reads since the process began */
  loads: number;
  /** reads under way or waiting for a place */
  pending: number;
  /** whether the last check of the pointer was answered */
  reachable: boolean;
};

export type StyleLayer = {
  filter?: unknown[];
  id: string;
  layout?: Record<string, unknown>;
  minzoom?: number;
  paint?: Record<string, unknown>;
  source?: string;
  /** layer of the vector tiles */
  "source-layer"?: string;
  /** background, fill, line or symbol */
  type: string;
};

export type StyleShape = {
  /** from the lowest on */
  layers: StyleLayer[];
  metadata: StyleShapeMetadataStruct;
  name: string;
  sources: Record<string, Value>;
  /** 8, that of the MapLibre style specification */
  version: number;
};

export type StyleShapeMetadataStruct = {
  license: string;
};

/** A completion of what is typed. Required members stand in every row, unless fields= chooses others. */
export type Suggestion = {
  /** Addresses of a street. */
  address_count: number | null;
  /** Code of a KG, a municipality, a locality or a postal code. */
  code: string | null;
  /** Latitude of a place, where it is known. Unit: °. */
  lat: number | null;
  /** Longitude of a place, where it is known. Unit: °. */
  lon: number | null;
  /** Of a postal code: which of its places q begins or names, where that is not its main place. */
  matched_place: string | null;
  /** What is suggested. */
  of: "plz" | "gemeinde" | "kg" | "ortschaft" | "street" | "address" | null;
  /** What to search for with it. */
  q: string | null;
  /** What to show. */
  text: string | null;
  /** What the row is. */
  type: "suggestion" | null;
};

export type Summary = {
  errors: number;
  geomean_buy_eur_per_sqm: number | null;
  parcel_count: number;
  priced_count: number;
  total_rent_eur_per_year: number;
  total_value_eur: number;
};

export type TextMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  match?: "all" | "any";
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  ready: boolean;
  suggestions?: string[];
  version?: string;
};

export type TileJSON = {
  attribution: string;
  bounds: number[];
  center: number[];
  maxzoom: number;
  minzoom: number;
  name: string;
  scheme: string;
  tilejson: string;
  tiles: string[];
  vector_layers: unknown;
};

export type Tombstone = {
  area_sqm: number;
  gone_since: string;
  last_snapshot: string;
  last_version: string;
  lat: number;
  lon: number;
  parcel_id: string;
  replaced_by: Heir[];
};

export type UseIn = {
  /** the largest first */
  classes: UseWithin[];
  /** by code of land use, the largest first */
  uses: UseWithin[];
};

export type UseShare = {
  abbr: string;
  /** Area of the use inside the parcels, from land-use polygons; null without such polygons. */
  area_sqm: number | null;
  code: number;
  parcels: number;
  type_name: string;
};

export type UseWithin = {
  class: "geb" | "bau" | "acker" | "gruen" | "wald" | "wasser" | "verkehr" | "alpen" | "sonst";
  code?: number;
  name?: string;
  name_en?: string;
  overlap_of_area_pct: number;
  overlap_sqm: number;
};

export type Value = {
  /** vector */
  type: string;
  /** address of the TileJSON */
  url: string;
};

export type Verdict = {
  gemeinden_checked: number;
  mean_ratio: number | null;
  median_ratio: number | null;
  pct_within_15pct: number | null;
  pct_within_25pct: number | null;
  pct_within_50pct: number | null;
};

export type VerdictMeta = {
  latest_source_year: number;
  license: string;
  price_series: string;
  /** Milliseconds. */
  query_time_ms: number;
  /** that the class of an estimate is assumed */
  warnings?: string[];
};

export type VersionsBody = {
  assembly_version: string;
  dates: string[];
  ingest_fixes: string[];
  ingest_fixes_missing: string[];
  ingest_generation: string;
  kg_code: string;
  kg_name: string;
  latest: string | null;
  meta: VersionsMeta;
  reprocessed_at: string | null;
  snapshots: DatedSnapshot[];
};

export type VersionsMeta = {
  kgs_unavailable: string[];
  kgs_unavailable_count: number;
  kgs_warming: string[];
  kgs_warming_count: number;
  /** The first 20 KGs that have no snapshot on or before the date. */
  kgs_without_version?: string[];
  kgs_without_version_count?: number;
  license: string;
  /** Where ready is false: how many KGs are missing for which reason. */
  missing_by_reason?: MissingReasons;
  /** Where a list is cut: the address that lists all KGs that cannot be read. */
  missing_url?: string;
  /** Milliseconds. */
  query_time_ms: number;
  ready: boolean;
  version?: string;
};

export interface WmsParameters {
  /** WMS. */
  service?: string;
  /** 1.3.0 or 1.1.1. Where it is absent, or another one, the newest that is not newer. Also written wmtver. */
  version?: string;
  /** GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic. */
  request: string;
  /** Layers from the lowest on, as a comma list: cadastre (all), landuse, footprints, parcels, kg, labels; over them natura2000, protected_areas; as colours relief, prices, cells_wald and the others of the capabilities. */
  layers?: string;
  /** Nothing, or default for each layer. Also written style. */
  styles?: string;
  /** Coordinate reference system of the box, srs in 1.1.1: EPSG:3857, EPSG:4326, EPSG:31287 and others of the capabilities. Also written srs. */
  crs?: string;
  /** The box of the picture: lower corner, upper corner. 1.3.0 has them in the order of the axes of the system (north first in EPSG:4326 and the Austrian systems), 1.1.1 east first. */
  bbox?: string;
  /** Width of the picture in pixels; width times height is at most 16,777,216. */
  width?: number;
  /** Height of the picture in pixels. */
  height?: number;
  /** Media type of the picture: image/png or image/jpeg. Capabilities are always XML. */
  format?: string;
  /** true: what nothing is drawn on shows what lies below; PNG only. */
  transparent?: boolean;
  /** Colour of what nothing is drawn on, where it is not transparent. */
  bgcolor?: string;
  /** Layers that GetFeatureInfo tells of. */
  query_layers?: string;
  /** Form of what GetFeatureInfo tells: application/json, text/plain or text/html. */
  info_format?: string;
  /** Column of the pixel that is asked for (1.3.0). */
  i?: number;
  /** Row of that pixel (1.3.0). */
  j?: number;
  /** Column of the pixel that is asked for (1.1.1). */
  x?: number;
  /** Row of that pixel (1.1.1). */
  y?: number;
  /** Features of each layer at most. */
  feature_count?: number;
  /** The layer that GetLegendGraphic explains. */
  layer?: string;
  /** Hatches KGs without a snapshot, by the outlines of the register, in pictures that are not transparent. */
  unbuilt?: boolean;
  /** Language of titles and abstracts in the capabilities, of legends and of what GetFeatureInfo says as text and HTML: eng or ger, as INSPIRE has it. Any other is answered in English. The addresses in German capabilities ask for German. */
  language?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface WmtsCapabilitiesParameters {
  /** Language of titles and abstracts in the capabilities, of legends and of what GetFeatureInfo says as text and HTML: eng or ger, as INSPIRE has it. Any other is answered in English. The addresses in German capabilities ask for German. */
  language?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface WmtsInfoParameters {
  /** The layer that GetLegendGraphic explains. */
  layer: string | number;
  /** default. */
  style: string | number;
  /** Set of tile matrices: WebMercatorQuad, WorldCRS84Quad, EPSG4326, or EPSG with the code of an Austrian system: EPSG31256. */
  tilematrixset: string | number;
  /** The zoom. */
  tilematrix: number;
  /** Row, from the north. */
  tilerow: number;
  /** Column, from the west. */
  tilecol: number;
  /** Row of the pixel in the tile. */
  j: number;
  /** Column of the pixel in the tile, with the ending .txt, .json or .html. */
  file: string | number;
  /** Language of titles and abstracts in the capabilities, of legends and of what GetFeatureInfo says as text and HTML: eng or ger, as INSPIRE has it. Any other is answered in English. The addresses in German capabilities ask for German. */
  language?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface WmtsParameters {
  /** WMTS. */
  service?: string;
  /** 1.0.0. */
  version?: string;
  /** GetCapabilities, GetTile or GetFeatureInfo. */
  request: string;
  /** The layer that GetLegendGraphic explains. */
  layer?: string;
  /** default. */
  style?: string;
  /** image/png, transparent where nothing is, or image/jpeg. */
  format?: string;
  /** Set of tile matrices: WebMercatorQuad, WorldCRS84Quad, EPSG4326, or EPSG with the code of an Austrian system: EPSG31256. */
  tilematrixset?: string;
  /** The zoom. */
  tilematrix?: number;
  /** Row, from the north. */
  tilerow?: number;
  /** Column, from the west. */
  tilecol?: number;
  /** Column of the pixel in the tile. */
  i?: number;
  /** Row of the pixel in the tile. */
  j?: number;
  /** Form of GetFeatureInfo: application/json, text/plain or text/html. Also written info_format. */
  infoformat?: string;
  /** Hatches KGs without a snapshot, by the outlines of the register, in pictures that are not transparent. */
  unbuilt?: boolean;
  /** Language of titles and abstracts in the capabilities, of legends and of what GetFeatureInfo says as text and HTML: eng or ger, as INSPIRE has it. Any other is answered in English. The addresses in German capabilities ask for German. */
  language?: string;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface WmtsTileParameters {
  /** The layer that GetLegendGraphic explains. */
  layer: string | number;
  /** default. */
  style: string | number;
  /** Set of tile matrices: WebMercatorQuad, WorldCRS84Quad, EPSG4326, or EPSG with the code of an Austrian system: EPSG31256. */
  tilematrixset: string | number;
  /** The zoom. */
  tilematrix: number;
  /** Row, from the north. */
  tilerow: number;
  /** Column, from the west, with the ending .png or .jpg. */
  file: string | number;
  /** Hatches KGs without a snapshot, by the outlines of the register, in pictures that are not transparent. */
  unbuilt?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}

export interface XyzTileParameters {
  /** The layer that GetLegendGraphic explains. */
  layer: string | number;
  /** Zoom. */
  z: number;
  /** Column, from the west. */
  x: number;
  /** Row, from the north, with the ending .png or .jpg. */
  file: string | number;
  /** Hatches KGs without a snapshot, by the outlines of the register, in pictures that are not transparent. */
  unbuilt?: boolean;
  /** Answer afresh, past every cache. Any value will do, a clock's for example; only false, 0 and no leave the caches in use. The header Cache-Control: no-cache does the same for the service itself; a CDN in front of it may not pass the header on. */
  nocache?: string;
}
