const FORMATS = 'date uuid ipv4 ipv6 email date-time time uri duration hostname json-pointer uri-reference'.split(' ');
const PATTERNS = [
  '^[A-Z]{2}\\d{2,4}$',
  '^(가|나|다)+-[a-f0-9]{1,4}$',
  '^\\w{1,8}$',
  '^[^a-z"]{0,3}x?$',
  '^a|bc*$',
  '^[^$|]{1,4}$',
  '^x-',
  '[0-9]$',
  '^(\\d{3}|[a-c]+)(-\\d)?$',
];

type Schema = Record<string, unknown>;

/** A random JSON schema that is not empty: nested, with bounds, patterns, alternatives, references. */
export function randomSchema(random: () => number): Schema {
  const below = (n: number) => Math.floor(random() * n);
  const maybe = (p: number) => random() < p;
  const oneOf = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
  const name = (i: number) => `${'abcdefgh이름값'.charAt(below(11))}${i}`;

  const integer = (): Schema => {
    const low = below(400) - 200;
    return {
      type: 'integer',
      ...(maybe(0.6) ? { minimum: low } : {}),
      ...(maybe(0.6) ? { maximum: low + 100 + below(5_000) } : {}),
      ...(maybe(0.3) ? { multipleOf: 1 + below(30) } : {}),
    };
  };
  const number = (): Schema => {
    const low = (below(400) - 200) / 10;
    if (maybe(0.2)) return { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: oneOf([1, 0.5, 100]) };
    return { type: 'number', ...(maybe(0.8) ? { minimum: low, maximum: low + (1 + below(300)) / 100 } : {}) };
  };
  const text = (): Schema => {
    switch (below(5)) {
      case 0:
        return { type: 'string', pattern: PATTERNS[below(PATTERNS.length)] };
      case 1:
        return { type: 'string', format: FORMATS[below(FORMATS.length)] };
      case 2:
        return {
          type: 'string',
          pattern: oneOf(['^[a-z]+$', '^(ab|c)+$', 'x']),
          minLength: 2,
          maxLength: 3 + below(5),
        };
      case 3:
        return { allOf: [{ type: 'string', pattern: '^[a-k]*$' }, { pattern: '^[e-z]+$' }, { maxLength: 5 }] };
      default: {
        const least = below(4);
        return { type: 'string', minLength: least, maxLength: least + below(12) };
      }
    }
  };
  const listed = (): Schema =>
    oneOf<Schema>([
      { enum: ['하나', 'two', 3, null, false].slice(0, 1 + below(5)) },
      { const: oneOf<unknown>(['고정', 1, 'a"b']) },
      { type: 'string', enum: [1, 'a', 'bcd', null] },
      { enum: [1, 5, 9, 'x'], minimum: 4, not: { const: 9 } },
    ]);
  const leaf = (): Schema => {
    switch (below(7)) {
      case 0:
        return integer();
      case 1:
        return number();
      case 2:
        return { type: 'boolean' };
      case 3:
      case 4:
        return listed();
      case 5:
        return { type: ['null', 'integer'] };
      default:
        return text();
    }
  };
  const properties = (depth: number) => {
    const names = Array.from({ length: 1 + below(5) }, (_, i) => name(i));
    return {
      properties: Object.fromEntries(names.map((key) => [key, value(depth - 1)])),
      required: names.filter(() => maybe(0.5)),
    };
  };
  const object = (depth: number): Schema => ({
    type: 'object',
    ...properties(depth),
    ...(maybe(0.7) ? { additionalProperties: false } : {}),
    ...(maybe(0.2) ? { patternProperties: { '^x_': { type: 'integer' } } } : {}),
  });
  const array = (depth: number): Schema => {
    const least = below(3);
    if (maybe(0.3))
      return {
        type: 'array',
        prefixItems: [leaf(), leaf()],
        items: maybe(0.5) ? false : leaf(),
        minItems: least,
        maxItems: 3,
      };
    return { type: 'array', items: value(depth - 1), minItems: least, maxItems: least + below(3) };
  };
  /** Alternatives of which just one holds. */
  const alternatives = (depth: number): Schema => {
    const kinds = ['a', 'b', 'c'].slice(0, 2 + below(2));
    if (maybe(0.5))
      return {
        oneOf: kinds.map((kind) => ({
          type: 'object',
          properties: { kind: { const: kind }, [`${kind}_value`]: value(depth - 1) },
          required: ['kind'],
        })),
      };
    return {
      type: 'object',
      properties: Object.fromEntries(kinds.map((kind) => [kind, leaf()])),
      oneOf: kinds.map((kind) => ({ required: [kind] })),
    };
  };
  const several = (depth: number): Schema =>
    oneOf<Schema>([
      { allOf: [{ type: 'integer', minimum: 0 }, { maximum: below(1_000) }, { multipleOf: 1 + below(9) }] },
      { allOf: [object(depth), { properties: { extra: leaf() } }] },
      { allOf: [{ type: 'object', properties: { n: { minimum: 3 } } }, { additionalProperties: { type: 'integer' } }] },
    ]);
  const value = (depth: number): Schema => {
    if (depth <= 0 || maybe(0.35)) return leaf();
    switch (below(8)) {
      case 0:
      case 1:
        return array(depth);
      case 2:
        return { anyOf: [value(depth - 1), value(depth - 1)] };
      case 3:
        return several(depth);
      case 4:
        return { $ref: '#/$defs/shared' };
      case 5:
        return { type: 'object', additionalProperties: leaf(), maxProperties: 3 };
      case 6:
        return alternatives(depth);
      default:
        return object(depth);
    }
  };
  return { ...object(3), $defs: { shared: leaf() } };
}
