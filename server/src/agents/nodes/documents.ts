import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { NodeContext } from '../runs/scope.ts';
import type { ReadDocument } from '../tools/index.ts';
import { filesOf } from './files-of.ts';
import type { NodeDeps, NodeRunner } from './node.ts';

/** Longest text of all documents of a node together, in UTF-16 units. */
const MAX_TEXT_LENGTH = 2_000_000;
/** Whoever follows a run is told of a long document so often. */
const PROGRESS_INTERVAL_MS = 1_000;

/** A document that was read. */
export interface NamedText extends ReadDocument {
  readonly name: string;
}

/** Reads a file, and says how far it is. Rejects as {@link NodeDeps.readDocument}. */
function readFile(
  { readDocument }: Pick<NodeDeps, 'readDocument'>,
  { execution: { actor, signal, log }, step }: NodeContext,
  file: RunFile,
): Promise<ReadDocument> {
  let toldMs = performance.now();
  return readDocument(actor.tenantId, file, signal, (done, total) => {
    const now = performance.now();
    if (now - toldMs < PROGRESS_INTERVAL_MS) return;
    toldMs = now;
    log.event({ type: 'progress', step: step.key, node: step.node, name: file.name, done, total });
  });
}

/** Reads files one after the other. Errors: of the reader; `too_large` where they hold too much text together. */
export async function readFiles(
  deps: Pick<NodeDeps, 'readDocument'>,
  context: NodeContext,
  files: readonly RunFile[],
): Promise<readonly NamedText[]> {
  const documents: NamedText[] = [];
  let length = 0;
  for (const file of files) {
    const { text, pages } = await readFile(deps, context, file);
    length += text.length;
    if (length > MAX_TEXT_LENGTH)
      throw new StudioError(
        'too_large',
        `The documents hold more than ${MAX_TEXT_LENGTH} characters together; send fewer or shorter ones`,
      );
    documents.push({ name: file.name, text, pages });
  }
  return documents;
}

/** Reads the documents that came with the message, or with the one before it in the session, one after the other. */
export const runParse: NodeRunner<'parse_document'> = async (deps, context) => {
  const files = await filesOf(deps, context, context.node.files);
  context.trace({ files: files.map(({ name }) => name) });
  const documents = await readFiles(deps, context, files);
  const text =
    documents.length === 1
      ? (documents[0]?.text ?? '')
      : documents.map(({ name, text: own }) => `# ${name}\n\n${own}`).join('\n\n');
  return { text, documents, count: documents.length };
};
