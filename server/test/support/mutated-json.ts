import fc from 'fast-check';

// JSON texts with long strings in them, and what becomes of them when bytes are changed.

const plain = fc.string({ unit: 'grapheme', maxLength: 200 });
/** Texts of which much stands escaped, as other writers of JSON have them. */
const escaped = fc.string({
  unit: fc.constantFrom('"', '\\', '\n', '\u0001', '/', '한', '\u{1F600}', '\uD800', 'u', 'a'),
});
const longText = fc.oneof(
  plain,
  escaped,
  fc.tuple(plain, fc.nat(40)).map(([text, times]) => text.repeat(times)),
);

/** A string as JSON, written in one of the ways in which it can be. */
export const jsonString: fc.Arbitrary<string> = fc.tuple(longText, fc.boolean()).map(([text, asAscii]) => {
  const json = JSON.stringify(text);
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return asAscii ? json.replaceAll(/[\u0080-\uffff]/g, escape).replaceAll('/', '\\/') : json;
});

const key = fc.constantFrom(
  '"content"',
  '"text"',
  '"url"',
  '"arguments"',
  '"reasoning"',
  '"name"',
  '"conten\\u0074"',
  '"x"',
);
const space = fc.constantFrom('', '', ' ', '\n', '\t \r\n');
const scalar = fc.oneof(jsonString, jsonString, fc.constantFrom('1', '-1.5e3', 'true', 'null', '""'));

const { value: anyValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(fc.oneof(scalar, tie('value')), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(key, space, fc.oneof(scalar, tie('value'))), { maxLength: 5 })
      .map(
        (members) => `{${members.map(([name, blank, value]) => `${blank}${name}${blank}:${blank}${value}`).join(',')}}`,
      ),
  ),
}));

/** JSON text. */
export const jsonText: fc.Arbitrary<string> = anyValue;

const alphabet = ['"', '\\', 'u', '{', '}', '[', ']', ':', ',', '0', 'a', ' ', '\n', '\u0000', '\u001f', '\u00e9'];

/** One change of a text: another byte in its place, one more, or a piece taken out. Places are parts of its length. */
export type Mutation = readonly [place: number, removed: number, added: string];

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.constantFrom('', '', ...alphabet)),
  { maxLength: 3 },
);

/** Latin1 characters, changed. */
export const mutate = (text: string, changes: readonly Mutation[]): string =>
  changes.reduce((changed, [place, removed, added]) => {
    const at = Math.floor(place * changed.length);
    return changed.slice(0, at) + added + changed.slice(at + removed);
  }, text);
