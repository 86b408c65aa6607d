/** What a person looks for. */
export interface WantedField {
  /** Tells lines of the form apart. */
  readonly id: number;
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
}

export const fieldKinds = ['text', 'number', 'integer', 'date', 'boolean'] as const;
export type FieldKind = (typeof fieldKinds)[number];

const typeOf = (kind: FieldKind) =>
  kind === 'text' ? { type: 'string' } : kind === 'date' ? { type: 'string', format: 'date' } : { type: kind };

/** The name of a property: the signs that paths are written with cannot stand in it. */
const keyOf = (name: string) =>
  name
    .replaceAll(/[.[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The schema that asks for these fields; those without a name are left out. Null where none is left, or two have one name. */
export function schemaOf(fields: readonly WantedField[]): Record<string, unknown> | null {
  const named = fields.flatMap((field) => (keyOf(field.name) === '' ? [] : [{ ...field, key: keyOf(field.name) }]));
  if (named.length === 0 || new Set(named.map(({ key }) => key)).size < named.length) return null;
  const properties = named.map(({ key, name, kind, description }) => {
    const about = description.trim();
    return [key, { ...typeOf(kind), title: name.trim(), ...(about === '' ? {} : { description: about }) }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** A schema that was pasted; null where it is no JSON object. */
export function readSchema(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
