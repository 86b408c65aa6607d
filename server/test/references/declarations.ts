import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Reads the types that a maker publishes with its client: which members a union has, and which fields an object. They are generated, one
// declaration after the other, so that brackets and names are all that is looked at.

/** An interface, or an object within a type. */
interface Shape {
  readonly fields: readonly string[];
  /** Values that a field may have, of those that are written as texts. */
  literals(field: string): readonly string[];
}

/** The declarations of a file. Names of what stands in a namespace are `Namespace.Name`. */
export interface Declarations {
  /** The members of a union, or of the type of a field: names of types, and texts in quotes. Throws where there is no such type. */
  members(name: string): readonly string[];
  /** Throws where there is no such interface. */
  shape(name: string): Shape;
  /** The texts that the field of the members of a union may be, sorted, each once. */
  tags(union: string, field?: string): readonly string[];
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

/** Of one level of a namespace. */
const INDENT = '    ';
const OPEN = '{[(<';
const CLOSE = '}])>';

/** Cuts a text at a sign that stands within no brackets. */
function cut(text: string, sign: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? '';
    if (OPEN.includes(one)) depth++;
    // The arrow of a function closes nothing.
    else if (CLOSE.includes(one) && !(one === '>' && text[at - 1] === '=')) depth--;
    else if (one === sign && depth === 0) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start)].map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** What stands between the bracket at a place and the one that closes it. */
function block(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return text.slice(open + 1, at);
  }
  throw new Error('a declaration does not end');
}

/** Fields of a body with their types. */
const fieldsOf = (body: string): ReadonlyMap<string, string> =>
  new Map(
    cut(body, ';').flatMap((line) => {
      const [, name, type] = /^(?:readonly )?'?([\w-]+)'?\??:\s*([\s\S]*)$/.exec(line) ?? [];
      return name === undefined || type === undefined ? [] : [[name, type] as const];
    }),
  );

const textsOf = (type: string): readonly string[] => cut(type, '|').flatMap((one) => /^'(.*)'$/.exec(one)?.[1] ?? []);

/** Reads the declarations of a module, such as `openai/resources/responses/responses`. */
export function declarationsOf(module: string): Declarations {
  const path = fileURLToPath(import.meta.resolve(module)).replace(/\.m?js$/, '.d.ts');
  const text = withoutComments(readFileSync(path, 'utf8'));

  /** The body in which a name is declared, its last part, and how far its declaration is indented. */
  function placeOf(name: string): { readonly scope: string; readonly last: string; readonly indent: string } {
    const path = name.split('.');
    let scope = text;
    for (const [depth, outer] of path.slice(0, -1).entries()) {
      const indent = INDENT.repeat(depth);
      const found = new RegExp(`^${indent}(?:export )?(?:declare )?namespace ${outer} \\{`, 'm').exec(scope);
      if (found === null) throw new Error(`${module} has no namespace ${name}`);
      scope = block(scope, scope.indexOf('{', found.index));
    }
    return { scope, last: path.at(-1) ?? '', indent: INDENT.repeat(path.length - 1) };
  }

  function declared(name: string, rest: string): { readonly scope: string; readonly found: RegExpExecArray | null } {
    const { scope, last, indent } = placeOf(name);
    const found = new RegExp(`^${indent}(?:export )?(?:declare )?${rest.replace('NAME', last)}`, 'm').exec(scope);
    return { scope, found };
  }

  function typeOf(name: string): string {
    const [, type] = declared(name, 'type NAME = ([\\s\\S]*?);$').found ?? [];
    if (type === undefined) throw new Error(`${module} has no type ${name}`);
    return type;
  }

  function shape(name: string): Shape {
    const { scope, found } = declared(name, 'interface NAME(?: extends ([\\w., ]+))? \\{');
    if (found === null) throw new Error(`${module} has no interface ${name}`);
    const bases = (found[1] ?? '')
      .split(',')
      .map((base) => base.trim())
      .filter((base) => base !== '');
    const own = fieldsOf(block(scope, scope.indexOf('{', found.index)));
    const inherited = bases.map(shape);
    return {
      fields: [...new Set([...inherited.flatMap(({ fields }) => fields), ...own.keys()])].toSorted(),
      literals: (field) => {
        const type = own.get(field);
        return type === undefined ? inherited.flatMap((base) => base.literals(field)) : textsOf(type);
      },
    };
  }

  const members = (name: string): readonly string[] => cut(typeOf(name), '|');
  const isInterface = (name: string): boolean => declared(name, 'interface NAME\\b').found !== null;
  const tags = (union: string, field = 'type'): readonly string[] => {
    const all = isInterface(union)
      ? shape(union).literals(field)
      : members(union).flatMap((member) => /^'(.*)'$/.exec(member)?.[1] ?? tags(member, field));
    return [...new Set(all)].toSorted();
  };
  return { members, shape, tags };
}
