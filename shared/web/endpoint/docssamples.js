// A request as programs write it. A request is {method, url, headers: {name: value}, body}; body is "" without one.
const shell = (s) => "'" + s.replace(/'/g, "'\\''") + "'";
const quoted = (s) => JSON.stringify(s).replace(/[\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16));

// pretty is a body as people read it: JSON with line ends where it is longer than a line, anything else as it is.
function pretty(body) {
  try { const text = JSON.stringify(JSON.parse(body)); return text.length > 100 ? JSON.stringify(JSON.parse(body), null, 1) : text; } catch (e) { return body; }
}

// rText is a text of R, which reads quotes and backslashes in raw ones as they stand.
const rText = (s) => /["\\\n]/.test(s) && !s.includes(")---\"") ? 'r"---(' + s + ')---"' : quoted(s);

const samples = {
  curl(r) {
    const lines = ["curl -s" + (r.method === "GET" || (r.method === "POST" && r.body) ? "" : " -X " + r.method) + " " + shell(r.url)];
    for (const [name, value] of Object.entries(r.headers)) lines.push("  -H " + shell(name + ": " + value));
    if (r.body) lines.push("  --data-binary " + shell(pretty(r.body)));
    return lines.join(" \\\n");
  },
  Python(r) {
    const lines = ["import requests", "", "r = requests.request(" + quoted(r.method) + ", " + quoted(r.url) + ","];
    if (Object.keys(r.headers).length) lines.push("    headers=" + JSON.stringify(r.headers) + ",");
    if (r.body) lines.push("    data=" + (/["\\]{3}|["\\]$/.test(r.body) ? quoted(r.body) : 'r"""' + pretty(r.body) + '"""') + ".encode(),");
    return lines.concat(["    timeout=60)", "r.raise_for_status()", r.json ? "print(r.json())" : "open(\"answer\", \"wb\").write(r.content)"]).join("\n");
  },
  JavaScript(r) {
    const init = [];
    if (r.method !== "GET") init.push("method: " + quoted(r.method));
    if (Object.keys(r.headers).length) init.push("headers: " + JSON.stringify(r.headers));
    if (r.body) init.push("body: " + (/[`\\$]/.test(r.body) ? quoted(r.body) : "`" + pretty(r.body) + "`"));
    return "const r = await fetch(" + quoted(r.url) + (init.length ? ", {\n  " + init.join(",\n  ") + ",\n}" : "") + ");\nif (!r.ok) throw new Error(await r.text());\n" +
      (r.json ? "console.log(await r.json());" : "const file = await r.blob();");
  },
  R(r) {
    const lines = ["library(httr2)", "", "answer <- request(" + rText(r.url) + ") |>"], type = r.headers["Content-Type"];
    if (r.method !== "GET" && !(r.method === "POST" && r.body)) lines.push("  req_method(" + quoted(r.method) + ") |>");
    for (const [name, value] of Object.entries(r.headers)) if (name !== "Content-Type") lines.push("  req_headers(" + name.replace(/^[^A-Za-z]|.*-.*/, "`$&`") + " = " + rText(value) + ") |>");
    if (r.body) lines.push("  req_body_raw(" + rText(pretty(r.body)) + ", type = " + quoted(type || "application/json") + ") |>");
    return lines.concat(["  req_perform()", r.json ? "str(resp_body_json(answer), max.level = 3, list.len = 30)" : "writeBin(resp_body_raw(answer), \"answer\")"]).join("\n");
  },
};
