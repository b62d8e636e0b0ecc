// What TypeScript has to accept, and, below @ts-expect-error, to refuse. It is compiled, not run.
import { cadastre, context, landscape, ApiError, type Cadastre, type Context, type Landscape } from "../index.js";
const land = cadastre({ base: "https://x.example" }), around = context();
async function f() {
  const a = await land.landPricesParcel({ parcel_id: "09901-1", year: 2024 });
  const low: number | null | undefined = a.data[0].interval?.low_eur_per_sqm;
  const row: Cadastre.LandPrice = a.data[0];
  const csv: string = await land.query({ kg: ["09901"], format: "csv" }, { as: "text" });
  for await (const r of land.rows(land.query, { kg: ["09901"] })) { const id: string | null | undefined = r.parcel_id; void id; }
  const c = await around.context({ lon: 13, lat: 47 });
  const m: Record<string, string> = c.data.missing;
  land.url(land.query, { kg: ["1"] });
  const g = await around.osmGeometry({ bbox: "1,2,3,4" });
  g.features?.map((x) => x.properties?.fclass);
  try { await land.kgVersions(); } catch (e) { if (e instanceof ApiError) { const p: string = e.parameter; void p; } }
  // @ts-expect-error
  await around.context({ lon: 13 });
  // @ts-expect-error
  await land.landPricesParcel({ parcel_id: "x", building_period: "1800" });
  // @ts-expect-error
  land.nothing();
  const report: Cadastre.FeedbackCreated = {} as Context.FeedbackCreated; // what services have alike is one type
  const ground = landscape(), progress: Landscape.SegmentProgressParameters = { task_id: "x" };
  await ground.segmentProgress(progress);
  // @ts-expect-error
  await ground.segmentProgress({});
  void report; void low; void row; void csv; void m;
}
void f;
