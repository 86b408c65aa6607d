// The notation of llama.cpp's grammars (GBNF). Source: llama.cpp, grammars/README.md.

/** A literal: text that must stand there. */
export function literal(text: string): string {
  let out = '"';
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    if (c === '"' || c === '\\') out += `\\${c}`;
    else if (c === '\n') out += '\\n';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`;
    else out += c;
  }
  return `${out}"`;
}

/** Code points from the first to the last of each pair. */
export type Ranges = readonly (readonly [number, number])[];

function classCharacter(code: number): string {
  const c = String.fromCodePoint(code);
  if (/[A-Za-z0-9 ]/.test(c)) return c;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0').toUpperCase()}`;
  return `\\U${code.toString(16).padStart(8, '0').toUpperCase()}`;
}

/** A class of characters. */
export const characterClass = (ranges: Ranges): string =>
  `[${ranges.map(([from, to]) => (from === to ? classCharacter(from) : `${classCharacter(from)}-${classCharacter(to)}`)).join('')}]`;

/** `body` so many times; no upper bound for null. */
export function repeat(body: string, min: number, max: number | null): string {
  if (max === null) {
    if (min === 0) return `${body}*`;
    return min === 1 ? `${body}+` : `${body}{${min},}`;
  }
  if (min === 1 && max === 1) return body;
  if (min === 0 && max === 1) return `${body}?`;
  return `${body}{${min},${max}}`;
}

export const anyOf = (bodies: readonly string[]): string =>
  bodies.length === 1 ? (bodies[0] ?? '') : `(${bodies.join(' | ')})`;
