import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { standardLimits } from '@ai-studio/documents';
import { readDocument } from '@ai-studio/documents/readers';
import type { Case } from './cases.ts';
import { type Facts, type PieceKind, factsOf } from './facts.ts';
import { textRecall } from './metrics.ts';

/** Files of Markdown that another program made of a document, by the name of the program. */
export type PeerFiles = ReadonlyMap<string, string>;

/** What of the text of either is in the other, where a document was read by us and by a peer; null for one without text. */
export interface Agreement {
  readonly peer: string;
  /** Share of the peer's text that we have. */
  readonly ofPeer: number | null;
  /** Share of our text that the peer has. */
  readonly ofOurs: number | null;
}

const ENDING = '.md';

/**
 * What peers made of a document: `<file>.<peer>.md` in the folder of peers, at the place that the document has in its own folder. The
 * two may be one folder.
 */
export function peerFilesOf(folder: string, { name }: Pick<Case, 'name'>): PeerFiles {
  const beside = join(folder, dirname(name));
  const start = `${basename(name)}.`;
  const files = existsSync(beside) ? readdirSync(beside) : [];
  return new Map(
    files
      .filter((file) => file.startsWith(start) && file.endsWith(ENDING))
      .map((file) => [file.slice(start.length, -ENDING.length), join(beside, file)] as const)
      .filter(([peer]) => peer !== 'gt' && /^[\w-]+$/u.test(peer))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** What is compared of Markdown that a peer wrote. */
export async function factsOfPeer(path: string): Promise<Facts> {
  const options = { limits: standardLimits, pages: null, onPage: () => undefined };
  return factsOf(await readDocument(readFileSync(path), path, options));
}

const seen = new Set<PieceKind>(['running', 'note', 'margin', 'equation']);

/** Hidden text counts for neither; a merged cell of ours counts in each of its places, as Markdown repeats it. */
export const agreementOf = (peer: string, ours: Facts, theirs: Facts): Agreement => ({
  peer,
  ofPeer: textRecall(theirs, ours, seen, { unmerged: true }),
  ofOurs: textRecall(ours, theirs, new Set<PieceKind>(['running'])),
});
