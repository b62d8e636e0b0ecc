// Calls to the services of Mappe, for web pages and Node.js 20 or newer. A plain module: no build step, no
// dependencies. What can be called is in operations.js, which is made from the services' openapi.json.
import * as operations from "./operations.js";

const attempts = 4; // requests for one call, the first included
const longest = 30_000; // ms that one Retry-After may ask for; a longer one is told to the caller

/** ApiError is every failure but an abort: what the service says, or why it could not be asked. */
export class ApiError extends Error {
  constructor(message, { status = 0, code = "unreachable", errors = [], requestId = "", retryAfter = null, split = null, url = "", cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ApiError";
    const { parameter = "", value = "", expected = "" } = errors[0] ?? {};
    Object.assign(this, { status, code, parameter, value, expected, errors, requestId, retryAfter, split, url });
  }
}

/** cadastre is a client of the cadastre service. */
export const cadastre = (options) => client(operations.cadastre, options);

/** context is a client of the place-context service. */
export const context = (options) => client(operations.context, options);

/** landscape is a client of the landscape service. */
export const landscape = (options) => client(operations.landscape, options);

function client({ prefix, calls }, { base = "", fetch: send = (...request) => globalThis.fetch(...request), headers = {}, retries = attempts - 1 } = {}) {
  const service = { root: base.replace(/\/+$/, "") + prefix, send, headers, retries };
  const methods = Object.entries(calls).map(([name, call]) => {
    const method = async (parameters = {}, options = {}) => (await ask(service, call, name, parameters, options)).body;
    return [name, Object.assign(method, { call, operation: name })];
  });
  const known = (method) => {
    if (calls[method?.operation] !== method?.call || !method?.call) throw new TypeError("expected a method of this client, such as client.query");
    return method;
  };
  return {
    ...Object.fromEntries(methods),
    url: (method, parameters) => address(service, known(method).call, method.operation, parameters ?? {}),
    pages: (method, parameters, options) => pages(service, known(method), parameters ?? {}, options ?? {}),
    rows: (method, parameters, options) => rows(service, known(method), parameters ?? {}, options ?? {}),
  };
}

// address is that of a request: the parameters of the path in their places, the others as a query.
function address({ root }, { path }, name, parameters) {
  const rest = new Map(Object.entries(parameters).filter(([key, value]) => key !== "body" && value !== undefined && value !== null));
  const filled = path.replace(/\{(\w+)\}/g, (_, key) => {
    const value = rest.get(key);
    if (value === undefined || value === "") throw new TypeError(`${name}: the parameter ${key} is missing`);
    rest.delete(key);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams([...rest].map(([key, value]) => [key, Array.isArray(value) ? value.join(",") : String(value)]));
  return root + filled + (query.size ? `?${query}` : "");
}

async function ask(service, call, name, parameters, options) {
  const request = { method: call.method, headers: { ...service.headers, ...options.headers }, signal: options.signal };
  if (parameters.body !== undefined) {
    if (call.method !== "POST") throw new TypeError(`${name}: a ${call.method} has no body`);
    request.headers["content-type"] ??= typeof parameters.body === "string" ? "text/csv" : "application/json";
    request.body = typeof parameters.body === "string" ? parameters.body : JSON.stringify(parameters.body);
  }
  if (!parameters.format && (options.as ?? "json") === "json") request.headers.accept ??= call.accept ?? "application/json"; // else the parameter or the service chooses
  return exchange(service, call, address(service, call, name, parameters), request, options);
}

// exchange sends a request and repeats it where the service says when: a request that was refused for its number
// always, one that failed for a while only where repeating it cannot do a thing twice.
async function exchange(service, call, url, request, options) {
  for (let left = options.retries ?? service.retries; ; left--) {
    const reply = await sent(service, url, request);
    if (reply.ok) return { body: await read(reply, options.as ?? call.as ?? "json", url, request.signal), reply };
    const after = seconds(reply.headers.get("retry-after"));
    const again = after !== null && after * 1000 <= longest && (reply.status === 429 || (reply.status === 503 && call.reads));
    if (left <= 0 || !again) throw await refused(reply, after, url, request.signal);
    await reply.body?.cancel();
    await pause(after * 1000, request.signal);
  }
}

async function sent({ send }, url, request) {
  try {
    return await send(url, request);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw new ApiError("the service cannot be reached", { url, cause });
  }
}

async function read(reply, as, url, signal) {
  const type = reply.headers.get("content-type") ?? "";
  if (as === "response") return reply;
  if (as === "json" && !/[/+]json\b/.test(type)) {
    await reply.body?.cancel();
    throw new ApiError(`the answer is ${type || "of no type"}, not JSON: give the option as, one of text, bytes, response`, { status: reply.status, code: "not_json", url });
  }
  try {
    if (as === "text") return await reply.text();
    if (as === "bytes") return new Uint8Array(await reply.arrayBuffer());
    return await reply.json();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError("the answer broke off or is damaged", { status: reply.status, code: "broken_answer", url, cause });
  }
}

async function refused(reply, retryAfter, url, signal) {
  let said;
  try {
    said = await reply.json();
  } catch (cause) {
    if (signal?.aborted) throw cause;
  }
  const { error, code, errors, split, request_id } = typeof said === "object" && said ? said : {};
  return new ApiError(typeof error === "string" ? error : `the service answered ${reply.status}`, {
    status: reply.status, code: typeof code === "string" ? code : "", errors: Array.isArray(errors) ? errors : [],
    requestId: request_id ?? reply.headers.get("x-request-id") ?? "", retryAfter, split: Array.isArray(split) ? split : null, url,
  });
}

// seconds reads Retry-After: a number of seconds or a date; null for neither.
function seconds(text) {
  if (text === null || text.trim() === "") return null;
  const n = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(n) ? Math.max(n, 0) : null;
}

function pause(ms, signal) {
  return new Promise((done, fail) => {
    if (signal?.aborted) { fail(signal.reason); return; }
    const stop = () => { clearTimeout(timer); fail(signal.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); done(); }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

// pages gives the answers of a list, following Link: rel="next" for as long as the service names one. A link that
// leads to another server, or back to where it came from, is not followed.
async function* pages(service, method, parameters, options) {
  if (method.call.method !== "GET") throw new TypeError(`${method.operation}: only a GET has pages`);
  const { signal } = options;
  let { body, reply } = await ask(service, method.call, method.operation, parameters, options);
  let url = address(service, method.call, method.operation, parameters);
  for (;;) {
    yield body;
    const to = next(reply.headers.get("link"));
    if (!to) return;
    const here = new URL(reply.url || url, globalThis.location?.href ?? "http://localhost"), there = new URL(to, here);
    if (there.origin !== here.origin || there.href === here.href) throw new ApiError(`the next page is ${there.href}, which is not followed`, { status: reply.status, code: "bad_link", url });
    url = reply.url ? there.href : to;
    const headers = { accept: "application/json", ...service.headers, ...options.headers };
    ({ body, reply } = await exchange(service, method.call, url, { method: "GET", headers, signal }, options));
  }
}

const link = /<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s,;"]+))*)/g;
const attribute = /;\s*([\w!#$&+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]+))/g;

/** next is the address of rel="next" in a Link header (RFC 8288), "" where it names none. */
export function next(header) {
  for (const [, to, attributes] of (header ?? "").matchAll(link)) {
    for (const [, name, quoted, plain] of attributes.matchAll(attribute)) {
      if (name.toLowerCase() === "rel" && (quoted ?? plain).toLowerCase().split(/\s+/).includes("next")) return to;
    }
  }
  return "";
}

async function* rows(service, method, parameters, options) {
  for await (const page of pages(service, method, parameters, options)) {
    const list = page?.data ?? page?.features;
    if (!Array.isArray(list)) throw new TypeError(`${method.operation}: its answer holds no list of rows`);
    yield* list;
  }
}
