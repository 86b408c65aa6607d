// Which surface a path belongs to, by which failures have their form.

/** Paths whose failures use the common envelope. Source: decisions section 1, "Error forms". */
const envelopePaths = /^(?:\/api)?\/v1\/(?:rag42|text\/pii-|document|api-tools\/|[^/?]+\/document\/)/;

/** Paths of the console's own interface. */
const consolePaths = /^\/console\/api(?:[/?]|$)/;

/** Paths of agents, whose failures are those of JSON-RPC. */
const agentPaths = /^(?:\/api)?\/v1\/external\/agents(?:[/?]|$)/;

/** Paths of Messages, whose clients read no other form. */
const messagesPaths = /^(?:\/api)?\/v1\/messages(?:[/?]|$)/;

/** Paths of the MCP server, whose failures are those of JSON-RPC. */
const mcpPaths = /^(?:(?:\/api)?\/v1)?\/mcp\/?(?:\?|$)/;

/** Paths of conversions, whose clients are those of Docling. */
const conversionPaths = /^(?:\/api)?\/v1\/(?:convert|status\/poll|result)(?:[/?]|$)/;

/** Paths in the form of Cohere. */
const coherePaths = /^(?:\/api)?\/v2\/rerank(?:[/?]|$)/;

/** Paths of the public interface, as they are written; an escape in them is none of these. */
const publicPaths =
  /^(?:(?:\/api)?\/v[12]\/|\/(?:openapi(?:-tools)?\.json|mcp)\/?(?:\?|$)|\/(?:tika|rmeta|\.well-known\/oauth-protected-resource)(?:[/?]|$))/;

/** A form of failures. */
type ErrorFormat = 'console' | 'messages' | 'a2a' | 'mcp' | 'cohere' | 'docling' | 'envelope' | 'openAi';

export const isConsolePath = (url: string): boolean => consolePaths.test(url);
/** Whether a key may stand in `x-api-key` there. */
export const takesApiKeyHeader = (url: string): boolean => messagesPaths.test(url) || conversionPaths.test(url);
export const isPublicPath = (url: string): boolean => publicPaths.test(url);

/** Error format of a path. */
export function errorFormatOf(url: string): ErrorFormat {
  if (isConsolePath(url)) return 'console';
  if (messagesPaths.test(url)) return 'messages';
  if (agentPaths.test(url)) return 'a2a';
  if (mcpPaths.test(url)) return 'mcp';
  if (coherePaths.test(url)) return 'cohere';
  if (conversionPaths.test(url)) return 'docling';
  return envelopePaths.test(url) ? 'envelope' : 'openAi';
}
