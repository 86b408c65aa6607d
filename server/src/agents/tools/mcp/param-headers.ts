// Headers that repeat parts of a request for gateways between client and server. Source: MCP 2026-07-28, streamable HTTP: Mcp-Name, Mcp-Param-*.

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text as the value of a header: in base64 where plain text is not allowed. */
export function headerValue(text: string): string {
  const plain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MAX_DEPTH = 8;

/** Headers of the arguments that a tool's schema marks with `x-mcp-header`. */
export function paramHeaders(schema: unknown, args: unknown, depth = 0): Record<string, string> {
  const found: Record<string, string> = {};
  if (!isFields(schema) || !isFields(args) || !isFields(schema['properties']) || depth > MAX_DEPTH) return found;
  for (const [name, property] of Object.entries(schema['properties'])) {
    if (!isFields(property) || !Object.hasOwn(args, name)) continue;
    const header = property['x-mcp-header'];
    const value = args[name];
    const text =
      typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : null;
    if (typeof header === 'string' && TOKEN.test(header) && text !== null)
      found[`mcp-param-${header}`] = headerValue(text);
    Object.assign(found, paramHeaders(property, value, depth + 1));
  }
  return found;
}
