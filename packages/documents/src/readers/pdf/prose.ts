import { widthOf } from './geometry.ts';
import type { Line } from './lines.ts';

/** Lines from this length on, in their own size, are sentences. */
const MIN_PROSE_EM = 11;
/** A letter of Hangul counts as two. */
const MIN_PROSE_LENGTH = 28;
/** Lines that each one is compared with. */
const MAX_COMPARED_LINES = 60;

const wordsLength = (text: string): number =>
  text.replaceAll(/[\s\d.,%]/g, '').length +
  (text.match(/[\u1100-\u11FF\u3130-\u318F\uAC00-\uD7A3\u4E00-\u9FFF]/g)?.length ?? 0);

/** Lines of sentences, and the short ones that end them. */
export function proseOf(lines: readonly Line[]): ReadonlySet<Line> {
  const order = lines.toSorted((a, b) => a.base - b.base);
  const prose = new Set(
    order.filter((line) => widthOf(line) >= MIN_PROSE_EM * line.size && wordsLength(line.text) >= MIN_PROSE_LENGTH),
  );
  for (const [at, line] of order.entries()) {
    if (prose.has(line)) continue;
    for (let before = at - 1; before >= Math.max(0, at - MAX_COMPARED_LINES); before--) {
      const above = order[before]!;
      const step = line.base - above.base;
      if (step > 2.3 * line.size) break;
      if (
        step > 0.9 * line.size &&
        prose.has(above) &&
        Math.abs(above.size - line.size) < 0.1 * line.size &&
        Math.abs(above.x0 - line.x0) < 3 * line.size
      ) {
        prose.add(line);
        break;
      }
    }
  }
  return prose;
}
