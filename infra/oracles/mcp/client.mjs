// Prints what an official client sees of a Model Context Protocol endpoint: client.mjs 1|2 URL '[{"name": ..., "arguments": {...}}, ...]'.
// Version 1 is @modelcontextprotocol/sdk, version 2 @modelcontextprotocol/client. Both hold structured content to the
// schema that the tool declares, and throw where it does not fit.
const [version, url, asked] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } =
  version === "1"
    ? { ...(await import("@modelcontextprotocol/sdk/client/index.js")), ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")) }
    : await import("@modelcontextprotocol/client");

const client = new Client({ name: "oracle", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const results = [];
for (const call of JSON.parse(asked)) {
  results.push(await client.callTool(call));
}
console.log(JSON.stringify({ server: client.getServerVersion(), instructions: client.getInstructions(), tools: tools.map((t) => t.name), results }));
await client.close();
