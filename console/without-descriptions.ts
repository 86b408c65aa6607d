import type { Plugin } from 'vite';

/** A part of the syntax tree: the fields that are read here. */
interface Part {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: Part & { readonly name?: string; readonly object?: Part; readonly property?: { name?: string } };
  readonly arguments?: readonly Part[];
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && 'type' in value;

/** Every call of a module. */
function* callsIn(part: object): Generator<Part> {
  if (isPart(part) && part.type === 'CallExpression') yield part;
  for (const value of Object.values(part)) if (typeof value === 'object' && value !== null) yield* callsIn(value);
}

/** The span of a description, and what stands in its place: `.describe('…')` goes, `described('…', …)` keeps an empty text. */
function descriptionOf({ end, callee, arguments: given }: Part): [start: number, end: number, instead: string][] {
  if (callee?.object && callee.property?.name === 'describe') return [[callee.object.end, end, '']];
  const [text] = given ?? [];
  return callee?.name === 'described' && text ? [[text.start, text.end, "''"]] : [];
}

/** Leaves the descriptions of the contract out of the build: pages check by its schemas and show none of these texts. */
export const withoutDescriptions = (): Plugin => ({
  name: 'without-descriptions',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]contract[\\/]src[\\/]/ },
    handler(code) {
      const spans = [...callsIn(this.parse(code))].flatMap(descriptionOf).toSorted(([a], [b]) => b - a);
      return spans.reduce((text, [start, end, instead]) => text.slice(0, start) + instead + text.slice(end), code);
    },
  },
});
