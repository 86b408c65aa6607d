import type { WebSearchTool } from '@ai-studio/contract/responses/request.ts';
import { failedCall, truncateText, type UncheckedTool } from '../../agents/index.ts';
import { FetchRefused, type GuardedRequest } from '../../net-guard/index.ts';
import { CITING, type ToolCaller, type WebSearchData } from './hosted-tool.ts';

/** A server that searches the web, in the JSON form of SearXNG: `GET url?q=…&format=json`. */
export interface WebSearchServer {
  readonly url: string;
  /** Sent as `Authorization: Bearer`; null for none. */
  readonly token: string | null;
  readonly timeoutMs: number;
  readonly request: GuardedRequest;
}

const resultsOfSize = { low: 3, medium: 5, high: 10 } as const;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_TITLE = 300;
const MAX_CONTENT = 2_000;

interface Page {
  readonly url: string;
  readonly title: string;
  readonly content: string;
}

/** The text of an answer, of which no more is read than it may have. Throws FetchRefused. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_BYTES) throw new FetchRefused('its answer is too large', { kind: 'too_large' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Pages in an answer of SearXNG, whose other members are left aside. */
function pagesIn(text: string): readonly Page[] {
  const { results } = JSON.parse(text) as { readonly results?: unknown };
  if (!Array.isArray(results)) return [];
  return (results as Readonly<Record<string, unknown>>[]).flatMap((one) => {
    const { url, title, content } = one ?? {};
    if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) return [];
    const short = (value: unknown, max: number) =>
      typeof value === 'string' ? value.slice(0, max).toWellFormed().trim() : '';
    return [{ url, title: short(title, MAX_TITLE), content: short(content, MAX_CONTENT) }];
  });
}

const isOf = (url: string, domain: string) => {
  const { hostname } = new URL(url);
  const wanted = domain.toLowerCase().replace(/^www\./, '');
  return hostname === wanted || hostname.endsWith(`.${wanted}`);
};

async function ask({ url, token, timeoutMs, request }: WebSearchServer, query: string, signal: AbortSignal) {
  const address = new URL(url);
  address.searchParams.set('q', query);
  address.searchParams.set('format', 'json');
  const headers = { accept: 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  const response = await request(address.href, { method: 'GET', headers, timeoutMs, signal });
  try {
    if (response.status !== 200)
      throw new FetchRefused(`it answered ${response.status}`, { kind: 'status', status: response.status });
    return pagesIn(await textOf(response.body));
  } finally {
    await response.close();
  }
}

/** A search of the web by the server that the operator configured. */
export function webSearch(server: WebSearchServer, { book }: ToolCaller, tool: WebSearchTool): UncheckedTool {
  const domains = tool.filters?.allowed_domains ?? [];
  const count = resultsOfSize[tool.search_context_size ?? 'medium'];
  return {
    name: 'web_search',
    description: `Searches the web, for what is newer than you know or not known to you. ${CITING}`,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, maxLength: 500, description: 'What to look for' } },
      required: ['query'],
      additionalProperties: false,
    },
    async run({ query }, { signal }) {
      let pages: readonly Page[];
      try {
        pages = await ask(server, String(query), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FetchRefused) return failedCall(`The search of the web failed: ${error.message}`);
        if (error instanceof SyntaxError) return failedCall('The search of the web did not answer in JSON');
        throw error;
      }
      const wanted = pages.filter(({ url }) => domains.length === 0 || domains.some((domain) => isOf(url, domain)));
      const found = wanted.slice(0, count);
      const texts = found.map(({ url, title, content }) => {
        const number = book.number({ type: 'url', key: url, url, title });
        return `[${number}] ${title} (${url})\n${content}`;
      });
      const result: WebSearchData = {
        query: String(query),
        sources: found.map(({ url }) => ({ type: 'url', url })),
      };
      return { text: truncateText(texts.join('\n\n') || 'Nothing was found'), result, failed: false };
    },
  };
}
