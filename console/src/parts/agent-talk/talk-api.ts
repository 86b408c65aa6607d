import { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import { RunFile } from '@ai-studio/contract/agents/run.ts';
import { sseData } from '../../api/chat-stream.ts';
import { api, send } from '../../api/client.ts';
import { sendFile } from '../../api/send-file.ts';

// Runs of an agent, below the address of the agent: one that is deployed, or one that is being built.

/** What is said to an agent. */
export interface Message {
  readonly text: string;
  readonly files: readonly RunFile[];
}

interface StartRunOptions {
  readonly message: Message;
  /** Null: a new one. */
  readonly sessionId: number | null;
  /** A run that asked, which this answers. */
  readonly answers: string | null;
  /** What is run: draft, deployed, or the id of a version. */
  readonly version: string;
}

async function* events(response: Response): AsyncGenerator<RunStreamEvent> {
  if (response.body === null) return;
  for await (const data of sseData(response.body)) yield RunStreamEvent.parse(JSON.parse(data));
}

/** Starts a run and yields its events. */
export async function* startRun(
  root: string,
  { message: { text, files }, sessionId, answers, version }: StartRunOptions,
  signal: AbortSignal,
): AsyncGenerator<RunStreamEvent> {
  const body = {
    text,
    files: files.map(({ id }) => id),
    what: version,
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(answers === null ? {} : { run_id: answers }),
  };
  yield* events(await send('POST', `${root}/runs`, { body, signal }));
}

/** Yields the events of a run, from the first one on. */
export async function* subscribeToRun(
  root: string,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<RunStreamEvent> {
  yield* events(await send('GET', `${root}/runs/${runId}/events`, { signal }));
}

export const cancelRun = (root: string, runId: string): Promise<AgentRun> =>
  api.post(`${root}/runs/${runId}/cancel`, {}, AgentRun);

export const uploadFile = (root: string, file: File, signal: AbortSignal, onProgress: (sent: number) => void) =>
  sendFile(`${root}/files`, file, RunFile, { query: { name: file.name, size: file.size }, signal, onProgress });
