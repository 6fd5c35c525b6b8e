// A server in another language: fifty lines of JavaScript, no package, both eras of MCP.
const MODERN = ["2026-07-28"], LEGACY = ["2025-06-18", "2025-11-25"], MCP = "io.modelcontextprotocol/";
const CACHED = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
class RpcError extends Error {
  constructor(code, message, data) { super(message); Object.assign(this, { code, data }); }
}
let opened = false;
const both = {
  "tools/list": () => ({ ...CACHED, tools: [{ name: "place_order", inputSchema: { type: "object" } }] }),
  "tools/call": ({ name, arguments: order }) => {
    if (name !== "place_order") throw new RpcError(-32602, "Unknown tool");
    return { resultType: "complete", content: [{ type: "text", text: `${order.dish} for table ${order.table}` }] };
  },
};
const modern = { ...both, "server/discover": () => ({ ...CACHED, supportedVersions: MODERN, capabilities: { tools: {} } }) };
const legacy = { ...both, ping: () => ({}) };
function initialize({ protocolVersion: asked }) {
  if (typeof asked !== "string") throw new RpcError(-32602, "Invalid params: no protocolVersion");
  const protocolVersion = LEGACY.includes(asked) ? asked : LEGACY.at(-1);
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "kitchen", version: "1.0" } };
}
function call(method, params = {}) {
  if (!isObject(params)) throw new RpcError(-32602, "Invalid params");
  const meta = isObject(params._meta) ? params._meta : {}, requested = meta[MCP + "protocolVersion"];
  if (method === "initialize" && requested === undefined) return initialize(params);
  const methods = opened && requested === undefined ? legacy : modern;
  if (methods === modern && (typeof requested !== "string" || !isObject(meta[MCP + "clientCapabilities"])))
    throw new RpcError(-32602, "Invalid params: no version or no capabilities");
  if (methods === modern && !MODERN.includes(requested))
    throw new RpcError(-32022, "Unsupported protocol version", { supported: MODERN, requested });
  if (!Object.hasOwn(methods, method)) throw new RpcError(-32601, "Method not found");
  return methods[method](params);
}
function answer(line) {
  let message;
  const send = (id, content) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...content }) + "\n");
  try { message = JSON.parse(line); } catch { return send(null, { error: { code: -32700, message: "Parse error" } }); }
  const { jsonrpc, id, method, params } = isObject(message) ? message : {};
  const legal = typeof id === "string" || Number.isInteger(id);
  if (jsonrpc !== "2.0" || typeof method !== "string" || (id !== undefined && !legal))
    return send(legal && method !== undefined ? id : null, { error: { code: -32600, message: "Invalid Request" } });
  const reply = id === undefined ? () => {} : (content) => send(id, content);
  try { reply({ result: call(method, params) }); opened ||= id !== undefined && method === "initialize"; }
  catch ({ code = -32603, message, data }) { reply({ error: { code, message: code === -32603 ? "Internal error" : message, data } }); }
}
let rest = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) ((rest += chunk).split("\n")).forEach((line, i, all) => i < all.length - 1 ? line.trim() && answer(line) : (rest = line));
