import { ModelFileName } from '@ai-studio/contract/console/models.ts';
import { createHash } from 'node:crypto';

// Names of model files: `NAME.gguf`, or `NAME-00001-of-00003.gguf` and so on for a model in several files.

const ENDING = /\.gguf$/i;
const PART = /^(.+)-(\d{5})-of-(\d{5})(\.gguf)$/i;
const MAX_PARTS = 1_000;

/** Whether a file is a model by its name. Hidden ones are somebody else's: notes of systems, files half copied. */
export const isModelName = (name: string): boolean => ENDING.test(name) && !name.startsWith('.');

/** A name in the one form in which names are compared: systems write the same letters in different ways. */
export const plainName = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * Id of a file: its name in lower case, without the ending, with a dash for what is neither letter nor digit of any script.
 * A name that has none of them gets a number of its own.
 */
export function modelId(fileName: string): string {
  const name = plainName(fileName).replace(ENDING, '');
  if (/[\p{L}\p{N}]/u.test(name)) return name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
  return `model-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/**
 * Whether a file from elsewhere may have this name: it leads out of no folder, is not hidden, can be typed, and leaves room
 * for the endings of the notes beside it.
 */
export const isSafeName = (name: string): boolean => ModelFileName.safeParse(name).success;

/**
 * The files of the model that a file belongs to, in their order: the file itself, or all parts of a model in several. Null
 * for a part of a number that cannot be.
 */
export function partNames(name: string): readonly [first: string, ...rest: string[]] | null {
  const [, start, part, count, ending] = PART.exec(name) ?? [];
  if (start === undefined || part === undefined || count === undefined || ending === undefined) return [name];
  const number = Number(part);
  const most = Number(count);
  if (number < 1 || number > most || most > MAX_PARTS) return null;
  const nameOf = (at: number) => `${start}-${String(at).padStart(5, '0')}-of-${count}${ending}`;
  return [nameOf(1), ...Array.from({ length: most - 1 }, (_, i) => nameOf(i + 2))];
}
