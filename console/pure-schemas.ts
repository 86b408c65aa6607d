import type { Plugin } from 'vite';

/** A part of the syntax tree: the fields that are read here. */
interface Part {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: readonly Part[];
  readonly declaration?: Part | null;
  readonly declarations?: readonly { readonly init: Part | null }[];
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && 'type' in value;

/** Whether a call is made where this is read, and not later, within a function. */
function calls(part: object): boolean {
  if (isPart(part)) {
    if (part.type === 'CallExpression' || part.type === 'NewExpression') return true;
    if (part.type.endsWith('FunctionExpression')) return false;
  }
  return Object.values(part).some((value) => typeof value === 'object' && value !== null && calls(value));
}

/** What stands at the outside of a module and is made by calls: a schema, or some of them. */
function schemasIn({ body = [] }: Part): Part[] {
  return body
    .map((statement) => statement.declaration ?? statement)
    .flatMap(({ declarations = [] }) => declarations)
    .flatMap(({ init }) => (init !== null && calls(init) ? [init] : []));
}

/**
 * Marks the schemas of the contract as made without effect, so that a page brings those that it reads and not all of the files in which they stand.
 */
export const pureSchemas = (): Plugin => ({
  name: 'pure-schemas',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]contract[\\/]src[\\/]/ },
    handler(code) {
      // From the end on, so that the places before stay what they are.
      return schemasIn(this.parse(code) as unknown as Part)
        .toSorted((a, b) => b.start - a.start)
        .reduce(
          (text, { start, end }) =>
            `${text.slice(0, start)}/*#__PURE__*/ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        );
    },
  },
});
