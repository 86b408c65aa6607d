import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { standardLimits, sniffFormat } from '@ai-studio/documents';
import { readDocument } from '@ai-studio/documents/readers';
import { type Facts, factsOf } from './facts.ts';

/** A document to read, with its ground truth. */
export interface Case {
  readonly path: string;
  /** As it is called in the report. */
  readonly name: string;
  /** By its content; `unknown` where it is none that is known. */
  readonly format: string;
  readonly truth: Truth | null;
}

/** What is right: facts that are known, or the same document in another format. */
export type Truth =
  | { readonly kind: 'known'; readonly facts: Facts }
  | { readonly kind: 'markdown'; readonly path: string }
  | { readonly kind: 'twin'; readonly path: string; readonly format: string };

const TRUTH = '.gt.md';
/** Formats whose documents may be twins, the ones that are trusted more first. */
const twins: Readonly<Record<string, readonly string[]>> = {
  hwp: ['hwpx', 'docx', 'pdf'],
  hwpx: ['hwp', 'docx', 'pdf'],
  docx: ['hwp', 'hwpx', 'pdf'],
  odt: ['pdf'],
  pdf: ['hwp', 'hwpx', 'docx', 'odt'],
};

const formatOf = (path: string): string => {
  try {
    return sniffFormat(readFileSync(path), basename(path));
  } catch {
    return 'unknown';
  }
};

function twinOf(path: string): Truth | null {
  const extension = extname(path);
  const stem = basename(path, extension);
  for (const format of twins[extension.slice(1).toLowerCase()] ?? []) {
    const file = `${stem}.${format}`;
    for (const candidate of [join(dirname(path), file), join(dirname(path), '..', format, file)])
      if (existsSync(candidate)) return { kind: 'twin', path: candidate, format };
  }
  return null;
}

function truthOf(path: string): Truth | null {
  const markdown = `${path}${TRUTH}`;
  return existsSync(markdown) ? { kind: 'markdown', path: markdown } : twinOf(path);
}

/**
 * Documents of a folder and the folders in it. The truth of a document is `<file>.gt.md` beside it, else a document of
 * the same name in another format, beside it or in a folder beside its own (`hwp/a.hwp`, `hwpx/a.hwpx`, `pdf/a.pdf`).
 */
export function casesOf(folder: string): Case[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith(TRUTH))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((one, other) => (one < other ? -1 : 1));
  return files
    .filter((path) => !path.endsWith('.md'))
    .map((path) => ({ path, name: relative(folder, path), format: formatOf(path), truth: truthOf(path) }));
}

/** Facts of a truth that is Markdown, or known. */
export async function factsOfTruth(truth: Exclude<Truth, { kind: 'twin' }>): Promise<Facts> {
  if (truth.kind === 'known') return truth.facts;
  const options = { limits: standardLimits, pages: null, onPage: () => undefined };
  return factsOf(await readDocument(readFileSync(truth.path), truth.path, options));
}
