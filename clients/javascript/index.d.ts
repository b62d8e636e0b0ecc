import type { CadastreCalls } from "./cadastre.d.ts";
import type { ContextCalls } from "./context.d.ts";
import type { LandscapeCalls } from "./landscape.d.ts";

export type * as Cadastre from "./cadastre.d.ts";
export type * as Context from "./context.d.ts";
export type * as Landscape from "./landscape.d.ts";

export interface Options {
  /** Ends the request and the waiting for a repetition; AbortSignal.timeout(ms) for example. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** How often a request is repeated after 429 or 503 with Retry-After; default 3, 0 for never. */
  retries?: number;
}

/** What becomes of the body: an object, where the endpoint has JSON and nothing else is asked for. */
export interface JSONOptions extends Options { as?: "json" }

export interface ClientOptions {
  /** Where the services are, https://example.org; without it the origin of the page. */
  base?: string;
  fetch?: typeof fetch;
  headers?: Record<string, string>;
  retries?: number;
}

/** A call of a service. Its answer is JSON unless the options say otherwise. */
export interface Call<Parameters, Answer> {
  (parameters: Parameters, options: Options & { as: "text" }): Promise<string>;
  (parameters: Parameters, options: Options & { as: "bytes" }): Promise<Uint8Array>;
  (parameters: Parameters, options: Options & { as: "response" }): Promise<Response>;
  (parameters: Parameters, options?: JSONOptions): Promise<Answer>;
}

/** A call without parameters that must be given. */
export interface FreeCall<Parameters, Answer> {
  (parameters: Parameters | undefined, options: Options & { as: "text" }): Promise<string>;
  (parameters: Parameters | undefined, options: Options & { as: "bytes" }): Promise<Uint8Array>;
  (parameters: Parameters | undefined, options: Options & { as: "response" }): Promise<Response>;
  (parameters?: Parameters, options?: JSONOptions): Promise<Answer>;
}

export interface GeoJSONGeometry { type: string; coordinates?: unknown; geometries?: GeoJSONGeometry[] }

type Row<Answer> = Answer extends { data: (infer R)[] } ? R : Answer extends { features: (infer F)[] } ? F : never;

export interface Paging {
  /** The address of a GET, for a link. */
  url<Parameters>(method: Call<Parameters, unknown> | FreeCall<Parameters, unknown>, parameters?: Parameters): string;
  /** The answers of a list, page by page: Link rel="next" is followed. */
  pages<Parameters, Answer>(method: Call<Parameters, Answer> | FreeCall<Parameters, Answer>, parameters?: Parameters, options?: Options): AsyncGenerator<Answer, void>;
  /** The rows of a list over all its pages. */
  rows<Parameters, Answer>(method: Call<Parameters, Answer> | FreeCall<Parameters, Answer>, parameters?: Parameters, options?: Options): AsyncGenerator<Row<Answer>, void>;
}

export declare function cadastre(options?: ClientOptions): CadastreCalls & Paging;
export declare function context(options?: ClientOptions): ContextCalls & Paging;
export declare function landscape(options?: ClientOptions): LandscapeCalls & Paging;

/** What is wrong with one parameter. */
export interface Problem { parameter: string; value: string; expected: string }

/** Every failure but an abort, which rejects with the signal's reason. */
export declare class ApiError extends Error {
  /** HTTP status; 0 where the service was not reached. */
  readonly status: number;
  /** The service's code, such as missing_parameter; unreachable, not_json, broken_answer and bad_link are the client's own. */
  readonly code: string;
  /** Of the first problem; "" where no parameter is at fault. */
  readonly parameter: string;
  readonly value: string;
  readonly expected: string;
  readonly errors: Problem[];
  readonly requestId: string;
  /** Seconds that the service asks to wait, null where it does not say. */
  readonly retryAfter: number | null;
  /** Of 413: what to ask for instead, as the operation says, such as four boxes; null where the service names nothing. */
  readonly split: readonly unknown[] | null;
  readonly url: string;
}

export declare function next(header: string | null): string;
