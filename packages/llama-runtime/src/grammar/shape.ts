import { type Schema, isSchema } from './keywords.ts';
import { createSearch } from './patterns.ts';

/** What one schema says of an object's members. Its `additional` concerns names that it does not have itself. */
export interface ObjectPart {
  readonly properties: Schema;
  readonly patterns: readonly (readonly [string, unknown])[];
  readonly additional: unknown;
}

/** Where a merged schema keeps its parts; their class tells them from what a request may have under that name. */
export const PARTS = '\0parts';

class ObjectParts {
  readonly list: readonly ObjectPart[];
  constructor(list: readonly ObjectPart[]) {
    this.list = list;
  }
}

const OWN = ['properties', 'patternProperties', 'additionalProperties'] as const;

/** The parts that an object's members must obey: one for each schema that was merged. */
export function partsOf(schema: Schema): readonly ObjectPart[] {
  const kept = schema[PARTS];
  const merged = kept instanceof ObjectParts ? kept.list : [];
  if (!OWN.some((key) => key in schema)) return merged;
  const { properties, patternProperties, additionalProperties } = schema;
  const own = {
    properties: isSchema(properties) ? properties : {},
    patterns: isSchema(patternProperties) ? Object.entries(patternProperties) : [],
    additional: additionalProperties,
  };
  return [...merged, own];
}

/** The keywords of members of two schemas, as they stand in one that means both. */
export function joinedParts(a: Schema, b: Schema): Schema {
  const parts = [...partsOf(a), ...partsOf(b)];
  const [only, other] = parts;
  if (!only) return {};
  // One that says all again adds nothing.
  const same = parts.every((part) => JSON.stringify(part) === JSON.stringify(only));
  if (other && !same) return { [PARTS]: new ObjectParts(parts) };
  return Object.fromEntries(
    [
      ['properties', only.properties],
      ['patternProperties', Object.fromEntries(only.patterns)],
      ['additionalProperties', only.additional],
    ].filter(([, value]) => value !== undefined),
  );
}

/** A schema for what several mean. */
export function allOf(schemas: readonly unknown[]): unknown {
  if (schemas.includes(false)) return false;
  const [only = true, ...others] = schemas.filter((schema) => schema !== true && schema !== undefined);
  return others.length === 0 ? only : { allOf: [only, ...others] };
}

/** What the parts say of members. Throws UnsupportedPattern. */
export interface Shape {
  readonly parts: readonly ObjectPart[];
  /** Names that have a schema of their own, in order. */
  readonly names: readonly string[];
  /** Expressions of names, each once. */
  readonly patterns: readonly string[];
  /** What the member of a name must be; false where there may be none. */
  member(name: string): unknown;
  /** What members must be whose names match just this one expression; null: none. */
  other(pattern: string | null): unknown;
}

export function shapeOf(schema: Schema): Shape {
  const parts = partsOf(schema);
  const patterns = [...new Set(parts.flatMap((part) => part.patterns.map(([source]) => source)))];
  const searches = new Map(patterns.map((source) => [source, createSearch(source)]));
  const under = (matches: (source: string) => boolean, own: (part: ObjectPart) => readonly unknown[]) =>
    allOf(
      parts.flatMap((part) => {
        const found = [...own(part), ...part.patterns.filter(([source]) => matches(source)).map(([, value]) => value)];
        return found.length > 0 ? found : [part.additional];
      }),
    );
  return {
    parts,
    names: [...new Set(parts.flatMap(({ properties }) => Object.keys(properties)))],
    patterns,
    member: (name) =>
      under(
        (source) => searches.get(source)?.(name) ?? false,
        ({ properties }) => (Object.hasOwn(properties, name) ? [properties[name]] : []),
      ),
    other: (pattern) =>
      under(
        (source) => source === pattern,
        () => [],
      ),
  };
}
