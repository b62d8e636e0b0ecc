// Questions to the services, at most four at once. A pause that the server asks for (Retry-After) is kept by all of them.
import { number } from "../dom.js";
import { t } from "../words.js";

const tries = 6, longest = 120_000; // ms that a server may ask for
export const width = 4;

/** Refused is an answer that says no in the service's words. */
export class Refused extends Error {
  constructor(message, status, later) {
    super(message);
    this.status = status;
    this.later = later; // asking again later may help
  }
}

const sleep = (ms, signal) => new Promise((done, fail) => {
  if (signal.aborted) return fail(signal.reason);
  const stop = () => { clearTimeout(timer); fail(signal.reason); }, timer = setTimeout(() => { signal.removeEventListener("abort", stop); done(); }, ms);
  signal.addEventListener("abort", stop, { once: true });
});

// pauseOf is the pause in ms after which a failed answer may be asked for again; 0: asking again does not help.
export function pauseOf(reply, now = Date.now()) {
  const after = reply.headers.get("Retry-After");
  if (/^\d{1,6}$/.test(after ?? "")) return Math.max(Number(after) * 1000, 100);
  const at = Date.parse(after ?? "");
  if (!Number.isNaN(at)) return Math.max(at - now, 100);
  return [429, 502, 504].includes(reply.status) ? 2000 : 0;
}

/** client asks a server; note(text) tells a person of pauses. */
export function client({ note, signal, fetch = globalThis.fetch.bind(globalThis) }) {
  let until = 0;

  async function once(path, body) {
    let reply;
    try {
      reply = await fetch(path, { method: "POST", body, signal, headers: { "Content-Type": "application/json", Accept: "application/json" } });
      if (reply.ok) return { answer: await reply.json() };
    } catch (e) {
      if (signal.aborted) throw signal.reason;
      return { pause: 2000, error: new Error(t("the service cannot be reached")) };
    }
    const said = await reply.json().catch(() => null);
    const pause = pauseOf(reply);
    return { pause, error: new Refused(said?.error ?? t("the service answered {status}", { status: reply.status }), reply.status, pause > 0) };
  }

  /** ask gives the answer to a question; what will pass is asked again, no oftener and no longer than the bounds above. */
  return async function ask(path, question) {
    const body = JSON.stringify(question);
    for (let n = 1; ; n++) {
      while (until > Date.now()) await sleep(until - Date.now(), signal);
      signal.throwIfAborted();
      const { answer, pause, error } = await once(path, body);
      if (!error) return answer;
      if (!pause || n === tries || pause > longest) throw error;
      until = Math.max(until, Date.now() + pause);
      note(t(error instanceof Refused ? "The server asks for a pause of {n} s." : "The server cannot be reached; it is asked again in {n} s.", { n: number(Math.ceil(pause / 1000)) }));
    }
  };
}
