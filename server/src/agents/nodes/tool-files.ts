import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { Execution } from '../runs/execution.ts';
import type { ToolFile } from '../tools/index.ts';
import type { NodeDeps } from './node.ts';

/** Keeps what a call of a tool gave beside its text. `key`: that of the call, the same when it is made again. */
export async function keepToolFiles(
  { files: store }: Pick<NodeDeps, 'files'>,
  execution: Execution,
  key: string,
  files: readonly ToolFile[],
): Promise<RunFile[]> {
  const kept: RunFile[] = [];
  const { actor, row } = execution;
  execution.countFileBytes(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  for (const [index, file] of files.entries())
    kept.push(
      await store.keep({ ...actor, runId: row.id, agentId: row.agent_id }, { ...file, key: `${key}/file/${index}` }),
    );
  return kept;
}

/** The text of a call for a model, with the names of the files that the tool gave. */
export const withFileNames = (text: string, files: readonly RunFile[]): string =>
  files.length === 0
    ? text
    : `${text}\n[Kept as files of this run: ${files.map(({ name }) => JSON.stringify(name)).join(', ')}]`;
