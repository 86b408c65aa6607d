import type { PrivacyTrialResult } from '@ai-studio/contract/console/privacy.ts';

export type Found = PrivacyTrialResult['findings'][number];

/** A piece of a text: what was found in it, or what stands between. */
export interface Piece {
  readonly start: number;
  readonly text: string;
  readonly finding: Found | null;
}

/** A text cut at what was found in it; the pieces in their order make up the whole. */
export function cutAtFindings(text: string, findings: readonly Found[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const put = (start: number, end: number, finding: Found | null) => {
    if (end > start) pieces.push({ start, text: text.slice(start, end), finding });
  };
  for (const finding of findings) {
    put(done, finding.start, null);
    put(finding.start, finding.end, finding);
    done = finding.end;
  }
  put(done, text.length, null);
  return pieces;
}
