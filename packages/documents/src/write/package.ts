import { zipSync, type Zippable } from 'fflate';

/** A file within a package: text, or bytes. */
export type Part = readonly [name: string, content: string | Uint8Array];

/** The earliest time that a package can tell: the same document is the same file at any time. */
const NO_TIME = new Date('1980-01-01T00:00:00');

/** Packs parts in their order. Those that `stored` names are not made smaller. */
export function packParts(parts: readonly Part[], stored: ReadonlySet<string> = new Set()): Uint8Array {
  const files: Zippable = {};
  const encoder = new TextEncoder();
  for (const [name, content] of parts)
    files[name] = [
      typeof content === 'string' ? encoder.encode(content) : content,
      { level: stored.has(name) ? 0 : 6, mtime: NO_TIME },
    ];
  return zipSync(files);
}
