// The table that is worked on and what came of it, in this browser alone (IndexedDB), so that a run goes on after the page was closed
// or the connection was lost. Where the browser keeps nothing, the page works without it.

const name = "mappe-tables", store = "run", tableKey = "table";

const done = (request) => new Promise((ok, fail) => { request.onsuccess = () => ok(request.result); request.onerror = () => fail(request.error); });

let database;
async function opened() {
  database ??= (() => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store);
    return done(request);
  })();
  return database;
}

async function within(mode, work) {
  try {
    return await work((await opened()).transaction(store, mode).objectStore(store));
  } catch {
    return null; // a private window, a full disk: nothing is kept
  }
}

/** begin keeps a table, {run, name, form, separator, head, rows, columns, system}, and forgets the one before. run tells runs apart: two
 * tabs of a browser share what is kept. */
export const begin = (table) => within("readwrite", async (s) => { await done(s.clear()); await done(s.put(table, tableKey)); return true; });

const isKept = async (s, run) => (await done(s.get(tableKey)))?.run === run;

/** add keeps the results of a run's rows from a place on; nothing where the table of another run is kept by now. */
export const add = (run, from, results) => within("readwrite", async (s) => { if (await isKept(s, run)) await done(s.put(results, from)); });

/** forget empties what is kept of a run. */
export const forget = (run) => within("readwrite", async (s) => { if (await isKept(s, run)) await done(s.clear()); });

/** last is what is kept: {table, results}, results with a hole for each row that is not known; null where nothing is. */
export const last = () => within("readonly", async (s) => {
  const [keys, values] = await Promise.all([done(s.getAllKeys()), done(s.getAll())]), table = values[keys.indexOf(tableKey)];
  if (!table) return null;
  const results = new Array(table.rows.length);
  keys.forEach((from, k) => { if (from !== tableKey) values[k].forEach((r, i) => { if (!r.again) results[from + i] = r; }); });
  return { table, results };
});
