import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { NodeRunner } from './node.ts';

/** Longest text of all documents of a node together, in UTF-16 units. */
const MAX_TEXT_LENGTH = 2_000_000;

const isFile = (value: unknown): value is RunFile =>
  typeof value === 'object' && value !== null && typeof (value as Partial<RunFile>).id === 'string';

/** Default source of documents: the files of the message. */
const OF_MESSAGE = 'input.files';

/** Reads the documents that came with the message, or with the one before it in the session, one after the other. */
export const runParse: NodeRunner<'parse_document'> = async (
  { readDocument },
  { node, scope, execution, result, trace },
) => {
  const named = result(node.files);
  const list = Array.isArray(named) ? named.filter(isFile) : isFile(named) ? [named] : [];
  // Only files that messages brought: a result that looks like one opens nothing.
  const known = execution.files();
  const brought = list.flatMap(({ id }) => known.get(id) ?? []);
  // Whoever asks again about a document does not send it again.
  const goesOn = brought.length === 0 && node.files === OF_MESSAGE && scope.flow.outermost;
  const files = goesOn ? await execution.earlierFiles() : brought;
  trace({ files: files.map(({ name }) => name) });
  const documents: { name: string; text: string; pages: number }[] = [];
  let length = 0;
  for (const file of files) {
    const { text, pages } = await readDocument(execution.actor.tenantId, file, execution.signal);
    length += text.length;
    if (length > MAX_TEXT_LENGTH)
      throw new StudioError(
        'too_large',
        `The documents hold more than ${MAX_TEXT_LENGTH} characters together; send fewer or shorter ones`,
      );
    documents.push({ name: file.name, text, pages });
  }
  const text =
    documents.length === 1
      ? (documents[0]?.text ?? '')
      : documents.map(({ name, text: own }) => `# ${name}\n\n${own}`).join('\n\n');
  return { text, documents, count: documents.length };
};
