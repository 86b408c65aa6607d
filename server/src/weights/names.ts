import { ModelFileName } from '@ai-studio/contract/console/models.ts';
import { createHash } from 'node:crypto';

// Names of model files: `NAME.gguf`, or `NAME-00001-of-00003.gguf` and so on for a model in several files.

const GGUF_SUFFIX = /\.gguf$/i;
const PART = /^(.+)-(\d{5})-of-(\d{5})(\.gguf)$/i;
const MAX_PARTS = 1_000;

/** Whether a file name is that of a model. Hidden files are notes of systems or partial copies. */
export const isModelName = (name: string): boolean => GGUF_SUFFIX.test(name) && !name.startsWith('.');

/**
 * Whether a file is no model by itself, but what a model sees images by. Source: llama.cpp, which finds such files beside models by this
 * part of their names.
 */
export const isProjectorName = (name: string): boolean => /mmproj/i.test(name);

/** Normalises a name for comparisons, as systems encode the same letters in different ways. */
export const plainName = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * Id of a file: its name in lower case, without the ending, with a dash for what is neither letter nor digit of any script.
 * A name that has none of them gets a number of its own.
 */
export function modelId(fileName: string): string {
  const name = plainName(fileName).replace(GGUF_SUFFIX, '');
  if (/[\p{L}\p{N}]/u.test(name)) return name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
  return `model-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/**
 * Whether a file from outside may have this name: it does not leave the folder, is not hidden, can be typed, and leaves room
 * for the suffixes of its notes.
 */
export const isSafeName = (name: string): boolean => ModelFileName.safeParse(name).success;

/**
 * Names of all files of the model to which a file belongs, in order: the file itself, or all parts. Null for an invalid number of a
 * part.
 */
export function partNames(name: string): readonly [first: string, ...rest: string[]] | null {
  const [, start, part, count, ending] = PART.exec(name) ?? [];
  if (start === undefined || part === undefined || count === undefined || ending === undefined) return [name];
  const partNumber = Number(part);
  const partCount = Number(count);
  if (partNumber < 1 || partNumber > partCount || partCount > MAX_PARTS) return null;
  const nameOf = (at: number) => `${start}-${String(at).padStart(5, '0')}-of-${count}${ending}`;
  return [nameOf(1), ...Array.from({ length: partCount - 1 }, (_, i) => nameOf(i + 2))];
}
