import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { NodeContext } from '../runs/scope.ts';
import type { NodeDeps } from './node.ts';

/** Default source of files: those of the message. */
const OF_MESSAGE = 'input.files';

/** Ids of what looks like files in a value, also in lists of lists, as parallels give them. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  const { id } = (typeof value === 'object' && value !== null ? value : {}) as Partial<RunFile>;
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? [id] : [];
}

/**
 * The files that a reference of a node names: those of messages, and those that nodes of this run made. A result that only looks like a
 * file opens nothing. Whoever asks again about a document does not send it again: where this message brought none, the files of the one
 * before it in the session.
 */
export async function filesOf(
  { files: store }: Pick<NodeDeps, 'files'>,
  { execution, scope, result }: NodeContext,
  reference: string,
): Promise<readonly RunFile[]> {
  const ids = idsIn(result(reference));
  const brought = execution.files();
  const made = await store.find(
    execution.actor.tenantId,
    execution.row.id,
    ids.filter((id) => !brought.has(id)),
  );
  const known = new Map([...brought, ...made.map((file) => [file.id, file] as const)]);
  const found = ids.flatMap((id) => known.get(id) ?? []);
  const goesOn = found.length === 0 && reference === OF_MESSAGE && scope.flow.outermost;
  return goesOn ? execution.earlierFiles() : found;
}
