// Names of model files: `NAME.gguf`, or `NAME-00001-of-00003.gguf` and so on for a model in several files.

const ENDING = /\.gguf$/i;
const PART = /^(.+)-(\d{5})-of-(\d{5})(\.gguf)$/i;
const MOST_PARTS = 1_000;

/** Whether a file is a model by its name. */
export const isModelName = (name: string): boolean => ENDING.test(name);

/** Id of a file: its name in lower case, without the ending and without what ids do not have. */
export const modelId = (fileName: string): string =>
  fileName
    .toLowerCase()
    .replace(ENDING, '')
    .replace(/[^a-z0-9._-]+/g, '-');

/**
 * The files of the model that a file belongs to, in their order: the file itself, or all parts of a model in several. Null
 * for a part of a number that cannot be.
 */
export function partNames(name: string): readonly [first: string, ...rest: string[]] | null {
  const [, start, part, count, ending] = PART.exec(name) ?? [];
  if (start === undefined || part === undefined || count === undefined || ending === undefined) return [name];
  const number = Number(part);
  const most = Number(count);
  if (number < 1 || number > most || most > MOST_PARTS) return null;
  const nameOf = (at: number) => `${start}-${String(at).padStart(5, '0')}-of-${count}${ending}`;
  return [nameOf(1), ...Array.from({ length: most - 1 }, (_, i) => nameOf(i + 2))];
}
