/** A random JSON schema that is not empty: nested, with bounds, patterns, alternatives, references. */
export function randomSchema(random: () => number): Record<string, unknown> {
  const below = (n: number) => Math.floor(random() * n);
  const maybe = (p: number) => random() < p;
  const name = (i: number) => `${'abcdefgh이름값'.charAt(below(11))}${i}`;

  const integer = () => {
    const low = below(400) - 200;
    return {
      type: 'integer',
      ...(maybe(0.6) ? { minimum: low } : {}),
      ...(maybe(0.6) ? { maximum: low + below(5_000) } : {}),
    };
  };
  const number = () => {
    const low = below(20) - 10;
    return { type: 'number', ...(maybe(0.7) ? { minimum: low, maximum: low + 1 + below(30) } : {}) };
  };
  const patterns = ['^[A-Z]{2}\\d{2,4}$', '^(가|나|다)+-[a-f0-9]{1,4}$', '^\\w{1,8}$', '^[^a-z"]{0,3}x?$', '^a|bc*$'];
  const text = () => {
    const kind = below(4);
    if (kind === 0) return { type: 'string', pattern: patterns[below(patterns.length)] };
    if (kind === 1)
      return { type: 'string', format: ['date', 'uuid', 'ipv4', 'email', 'date-time', 'time', 'uri'][below(7)] };
    const least = below(4);
    return { type: 'string', minLength: least, maxLength: least + below(12) };
  };
  const leaf = (): Record<string, unknown> => {
    switch (below(7)) {
      case 0:
        return integer();
      case 1:
        return number();
      case 2:
        return { type: 'boolean' };
      case 3:
        return { enum: ['하나', 'two', 3, null, false].slice(0, 1 + below(5)) };
      case 4:
        return { const: ['고정', 1, 'a"b'][below(3)] };
      case 5:
        return { type: ['null', 'integer'] };
      default:
        return text();
    }
  };
  const object = (depth: number): Record<string, unknown> => {
    const names = Array.from({ length: 1 + below(5) }, (_, i) => name(i));
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((key) => [key, value(depth - 1)])),
      required: names.filter(() => maybe(0.5)),
      ...(maybe(0.7) ? { additionalProperties: false } : {}),
    };
  };
  const array = (depth: number): Record<string, unknown> => {
    const least = below(3);
    return { type: 'array', items: value(depth - 1), minItems: least, maxItems: least + below(3) };
  };
  const value = (depth: number): Record<string, unknown> => {
    if (depth <= 0 || maybe(0.35)) return leaf();
    switch (below(6)) {
      case 0:
        return array(depth);
      case 1:
        return { anyOf: [value(depth - 1), value(depth - 1)] };
      case 2:
        return { allOf: [{ type: 'integer', minimum: 0 }, { maximum: below(1_000) }] };
      case 3:
        return { $ref: '#/$defs/shared' };
      case 4:
        return { type: 'object', additionalProperties: leaf(), maxProperties: 3 };
      default:
        return object(depth);
    }
  };
  return { ...object(3), $defs: { shared: leaf() } };
}
