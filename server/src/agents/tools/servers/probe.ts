import { type ToolServer, toolServerProblems } from '@ai-studio/contract/console/agents.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { FetchRefused, type GuardedRequest } from '../../../net-guard/index.ts';
import type { StoredTool } from '../../tables.ts';
import { createMcpClient } from '../mcp/client.ts';
import { listTools } from '../mcp/tools.ts';
import { problem, refusedProblem } from '../problem.ts';
import { sentHeaders } from './checks.ts';
import type { Headers } from './rows.ts';

/** The result of probing a tool server. */
export interface ToolServerProbe {
  /** Null where it could not be asked; always null of HTTP services, whose tools their description tells. */
  readonly tools: readonly StoredTool[] | null;
  /** Why it could not be asked. */
  readonly failure: ToolServer['failure'];
}

const PROBE_TIMEOUT_MS = 20_000;
/** Longest list of tools that is kept, as JSON. */
const MAX_LIST_LENGTH = 2_000_000;

async function fetchTools(
  request: GuardedRequest,
  url: string,
  headers: Headers,
  signal: AbortSignal,
): Promise<readonly StoredTool[]> {
  const client = createMcpClient({ request, url, headers: sentHeaders(headers) });
  try {
    const tools = (await listTools(client, signal)).map((tool) => ({ ...tool, parameters: { ...tool.parameters } }));
    if (JSON.stringify(tools).length > MAX_LIST_LENGTH)
      throw problem('unreadable', 'What the tool server says of its tools is too long');
    return tools;
  } finally {
    await client.close();
  }
}

/** Whatever a service answers, it is there. */
async function requireReachable(request: GuardedRequest, url: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await request(url, { method: 'GET', headers: {}, timeoutMs: PROBE_TIMEOUT_MS, signal });
    await answer.close();
  } catch (error) {
    throw error instanceof FetchRefused ? refusedProblem('The service', error) : error;
  }
}

/** Probes a tool server. Returns why it failed, where it did. Throws StudioError `client_closed` once the signal aborts. */
export async function probeToolServer(
  request: GuardedRequest,
  { kind, url, headers }: { readonly kind: 'mcp' | 'http'; readonly url: string; readonly headers: Headers },
  given: AbortSignal,
): Promise<ToolServerProbe> {
  const limit = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const signal = AbortSignal.any([given, limit]);
  try {
    if (kind === 'mcp') return { tools: await fetchTools(request, url, headers, signal), failure: null };
    await requireReachable(request, url, signal);
    return { tools: null, failure: null };
  } catch (error) {
    if (given.aborted) throw new StudioError('client_closed', 'Nobody waits for it any more', { cause: error });
    const cause = limit.aborted ? problem('slow', 'The tool server did not answer in time') : error;
    const failure = failureIn(cause);
    if (failure === null) throw error;
    return { tools: null, failure };
  }
}

/** A failure as the console is told of it; null where it is another one. */
function failureIn(error: unknown): ToolServer['failure'] {
  if (!(error instanceof StudioError)) return null;
  const known = toolServerProblems.find((one) => one === error.reason);
  return known === undefined ? null : { problem: known, message: error.message, values: { ...error.values } };
}
