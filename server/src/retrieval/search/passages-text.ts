/** What of a passage stands in a prompt. Citations of runs have this form. */
export interface NumberedPassage {
  /** By which an answer cites it: [1]. */
  readonly number: number;
  readonly document_name: string;
  /** From 1; null where the document has none. */
  readonly page: number | null;
  readonly content: string;
}

/** Whether a value is a list of passages, and not an empty list. */
export function isPassages(value: unknown): value is readonly NumberedPassage[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPassage);
}

function isPassage(value: unknown): value is NumberedPassage {
  if (typeof value !== 'object' || value === null) return false;
  const { number, document_name: name, content } = value as Partial<Record<keyof NumberedPassage, unknown>>;
  return Number.isInteger(number) && typeof name === 'string' && typeof content === 'string';
}

const head = ({ number, document_name: name, page }: NumberedPassage) =>
  typeof page === 'number' ? `[${number}] ${name}, p. ${page}` : `[${number}] ${name}`;

/** Passages for a prompt, each below its number and where it is from. */
export const passagesText = (passages: readonly NumberedPassage[]): string =>
  passages.map((passage) => `${head(passage)}\n${passage.content}`).join('\n\n');
