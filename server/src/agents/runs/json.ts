// What the database cannot hold as jsonb: NUL, and halves of surrogate pairs.

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** A text as the database can hold it. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A value as JSON that the database can hold. `undefined` is null. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return storable(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [storable(key), inner as unknown]));
  });
}
