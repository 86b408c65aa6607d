import type { Requirements } from './entry.ts';

const http = 'MCP 2026-07-28 and 2025-11-25: Streamable HTTP';
const tools = 'MCP 2026-07-28 and 2025-11-25: Tools';
const resources = 'MCP 2026-07-28 and 2025-11-25: Resources';
const authorization = 'MCP 2026-07-28: Authorization; RFC 9728';
const connectors = 'OpenAI platform docs: Building MCP servers for ChatGPT';
const decided = 'decisions 1; docs/decisions/mcp-server.md';

/** Our own server of the Model Context Protocol. */
export const mcpRequirements = {
  'mcp.versions': { source: http, text: '2026-07-28, 2025-11-25 and 2025-06-18 are spoken, by the same methods.' },
  'mcp.versions.refused': { source: http, text: 'Another version is a 400 that names those that are spoken.' },
  'mcp.stateless': {
    source: decided,
    text: 'Any process answers any request; session ids are given, tell requests apart, and need not be sent.',
  },
  'mcp.paths': { source: decided, text: 'It stands at /mcp, /v1/mcp and /api/v1/mcp.' },
  'mcp.methods': { source: http, text: 'GET and DELETE are 405: there are no streams or sessions beside requests.' },
  'mcp.notifications': { source: http, text: 'A notification is answered by 202 without a body.' },
  'mcp.errors': {
    source: http,
    text: 'What is refused is told in the form of JSON-RPC with the id of the request and a status: bad JSON, batches, no messages, types, sizes, keys, limits.',
  },
  'mcp.origin': { source: http, text: 'A page of an origin that is not allowed is refused with 403.' },
  'mcp.key': {
    source: decided,
    text: 'API keys as a bearer token; revoked, limited and counted as at other endpoints.',
  },
  'mcp.scopes': { source: decided, text: 'What a key has no scope for is not listed, and not there.' },
  'mcp.usage': {
    source: decided,
    text: 'Searches, masked texts and read documents are metered as at their endpoints.',
  },
  'mcp.isolation': { source: decided, text: 'Ids of another tenant name nothing, in tools and resources.' },
  'mcp.tools.list': {
    source: tools,
    text: 'Tools have a title, a description, schemas of what they take and give, and annotations.',
  },
  'mcp.tools.failure': {
    source: tools,
    text: 'A failure of a tool is a result that says why, also wrong arguments; an unknown tool is an error.',
  },
  'mcp.tools.search': { source: connectors, text: 'search takes a query and gives results with id, title, url.' },
  'mcp.tools.fetch': {
    source: connectors,
    text: 'fetch takes an id and gives id, title, text, url, metadata; long documents in parts.',
  },
  'mcp.tools.collections': {
    source: decided,
    text: 'list_collections gives the collections that are there for the caller.',
  },
  'mcp.tools.parse': {
    source: decided,
    text: 'parse_document reads a file in base64, or at an address behind the guard.',
  },
  'mcp.tools.mask': {
    source: decided,
    text: 'mask_personal_values gives the text without values, and not the values.',
  },
  'mcp.agents': {
    source: decided,
    text: 'Each deployed agent is a tool; it answers with citations, asks, and goes on with a session.',
  },
  'mcp.agents.parts': {
    source: 'MCP 2026-07-28: Tools, Tool Result',
    text: 'Data and files of an answer are in the structured result; small files stand in it, larger ones are linked; each is a resource of the key or person that asked.',
  },
  'mcp.agents.progress': {
    source: 'MCP 2026-07-28: Progress',
    text: 'A client that gave a token is told of progress.',
  },
  'mcp.agents.cancel': {
    source: 'MCP 2026-07-28 and 2025-11-25: Cancellation',
    text: 'A cancelled request ends its run: by the end of the connection, or by a notification to any process.',
  },
  'mcp.resources': { source: resources, text: 'Documents are listed page by page, read, and made of a template.' },
  'mcp.tokens': {
    source: authorization,
    text: 'Where single sign-on is configured, access tokens of the issuer for this server are taken; others are 401.',
  },
  'mcp.tokens.accounts': {
    source: 'docs/decisions/mcp-server.md',
    text: 'A token joins no account that was there before, and removes none of its credentials: a sign-in to the console does.',
  },
  'mcp.tokens.metadata': {
    source: authorization,
    text: 'Metadata of the resource, and WWW-Authenticate that names it; without single sign-on there is neither.',
  },
} as const satisfies Requirements;
