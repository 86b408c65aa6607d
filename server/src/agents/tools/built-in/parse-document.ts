import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { MAX_TEXT_LENGTH, failedCall, succeeded } from '../tool.ts';
import { type UncheckedTool, parameters } from './built-in.ts';

/** What was read in a file of a run. */
export interface ReadDocument {
  readonly text: string;
  readonly pages: number;
}

/** Reads a file of a run. Rejects with StudioError, which says why it cannot be read. */
export type DocumentReader = (file: RunFile, signal: AbortSignal) => Promise<ReadDocument>;

/** Room for the words around a part. */
const PART = MAX_TEXT_LENGTH - 500;

const named = (files: readonly RunFile[]) => files.map(({ name }) => JSON.stringify(name)).join(', ');

/** By its name or id; the only one where none is named. */
function find(files: readonly RunFile[], asked: unknown): RunFile | undefined {
  if (asked === undefined || asked === '') return files.length === 1 ? files[0] : undefined;
  return files.find(({ id, name }) => id === asked || name === asked);
}

/** Reads a file that came with the message. Gives `{name, pages, characters, start, text}`. */
export const parseDocument = (files: readonly RunFile[], read: DocumentReader): UncheckedTool => ({
  name: 'parse_document',
  description: `Reads the text of a document that came with the message. ${files.length === 0 ? 'No document came with it.' : `Documents: ${named(files)}.`} Long documents are given in parts: ask again with start.`,
  parameters: parameters({
    file: { type: 'string', description: 'Name of the document; may be left out where there is only one' },
    start: { type: 'integer', minimum: 0, description: 'Character to begin at; 0 where left out' },
  }),
  async run({ file: asked, start = 0 }, { signal }) {
    if (files.length === 0) return failedCall('No document came with the message');
    const file = find(files, asked);
    if (!file) return failedCall(`There is no document of that name; there are ${named(files)}`);
    const { text, pages } = await read(file, signal);
    const from = Number(start);
    const part = text.slice(from, from + PART).toWellFormed();
    const end = from + part.length;
    const more = end < text.length ? `\n[Characters ${from} to ${end} of ${text.length}; go on with start ${end}]` : '';
    const result = { name: file.name, pages, characters: text.length, start: from, text: part };
    return succeeded(part === '' ? '[The document has no text here]' : part + more, result);
  },
});
