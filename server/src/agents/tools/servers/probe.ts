import { type ToolServer, toolServerProblems } from '@ai-studio/contract/console/agents.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { FetchRefused, type GuardedRequest } from '../../../net-guard/index.ts';
import type { KeptTool } from '../../tables.ts';
import { createMcpClient } from '../mcp/client.ts';
import { listTools } from '../mcp/tools.ts';
import { problem, refusedProblem } from '../problem.ts';
import { sentHeaders } from './checks.ts';
import type { Headers } from './rows.ts';

/** What looking at a server found. */
export interface ToolServerProbe {
  /** Null where it could not be asked; always null of HTTP services, whose tools their description tells. */
  readonly tools: readonly KeptTool[] | null;
  /** Why it could not be asked. */
  readonly failure: ToolServer['failure'];
}

const PROBE_TIMEOUT_MS = 20_000;
/** Longest list of tools that is kept, as JSON. */
const MAX_LIST_LENGTH = 2_000_000;

async function listed(
  request: GuardedRequest,
  url: string,
  headers: Headers,
  signal: AbortSignal,
): Promise<readonly KeptTool[]> {
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
async function reach(request: GuardedRequest, url: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await request(url, { method: 'GET', headers: {}, timeoutMs: PROBE_TIMEOUT_MS, signal });
    await answer.close();
  } catch (error) {
    throw error instanceof FetchRefused ? refusedProblem('The service', error) : error;
  }
}

/** Looks at a server. Rejects with the signal's reason. */
export async function probeToolServer(
  request: GuardedRequest,
  { kind, url, headers }: { readonly kind: 'mcp' | 'http'; readonly url: string; readonly headers: Headers },
  given: AbortSignal,
): Promise<ToolServerProbe> {
  const limit = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const signal = AbortSignal.any([given, limit]);
  try {
    if (kind === 'mcp') return { tools: await listed(request, url, headers, signal), failure: null };
    await reach(request, url, signal);
    return { tools: null, failure: null };
  } catch (error) {
    if (given.aborted) throw new StudioError('client_closed', 'Nobody waits for it any more', { cause: error });
    const told = limit.aborted ? problem('slow', 'The tool server did not answer in time') : error;
    const failure = failureIn(told);
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
