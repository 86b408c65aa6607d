import type { Rect } from './geometry.ts';
import { type Graphics, type Rule, WHITE_RGB } from './graphics.ts';
import { type Lines, SAME_RULE_POINTS, MIN_TABLE_SIZE_POINTS, isDrawn } from './rules.ts';

/** Edges of filled rectangles that stand side by side, for tables that are painted and not drawn. */
export function paintedEdges({ fills }: Graphics): Lines {
  const across: Rule[] = [];
  const down: Rule[] = [];
  for (const fill of fills.slice(0, 600)) {
    const beside = fills
      .slice(0, 600)
      .some(
        (other) =>
          other !== fill &&
          ((Math.abs(other.y0 - fill.y0) < 1 &&
            Math.abs(other.y1 - fill.y1) < 1 &&
            Math.min(Math.abs(other.x0 - fill.x1), Math.abs(other.x1 - fill.x0)) < SAME_RULE_POINTS) ||
            (Math.abs(other.x0 - fill.x0) < 1 &&
              Math.abs(other.x1 - fill.x1) < 1 &&
              Math.min(Math.abs(other.y0 - fill.y1), Math.abs(other.y1 - fill.y0)) < SAME_RULE_POINTS)),
      );
    if (!beside) continue;
    across.push({ at: fill.y0, from: fill.x0, to: fill.x1 }, { at: fill.y1, from: fill.x0, to: fill.x1 });
    down.push({ at: fill.x0, from: fill.y0, to: fill.y1 }, { at: fill.x1, from: fill.y0, to: fill.y1 });
  }
  return { across, down };
}

/**
 * Edges of painted cells side by side that stand right above lines of a table: headings whose cells are painted where those
 * below are drawn.
 */
export function headingEdges({ fills, across, down }: Graphics): Lines {
  const found: Lines = { across: [], down: [] };
  const cells = fills
    .slice(0, 600)
    .filter(
      ({ x0, x1, y0, y1, colour }) =>
        colour !== WHITE_RGB && x1 - x0 > MIN_TABLE_SIZE_POINTS && y1 - y0 > MIN_TABLE_SIZE_POINTS,
    );
  const rows = new Map<string, typeof cells>();
  for (const cell of cells) {
    const key = `${Math.round(cell.y0)} ${Math.round(cell.y1)}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [cell]);
    else row.push(cell);
  }
  for (const row of [...rows.values()].slice(0, 100)) {
    const ordered = row.toSorted((a, b) => a.x0 - b.x0);
    const beside = ordered.every((cell, at) => at === 0 || Math.abs(cell.x0 - ordered[at - 1]!.x1) < SAME_RULE_POINTS);
    const [first, last] = [ordered[0]!, ordered.at(-1)!];
    // The line below them may be left out where lines down go on from theirs.
    const goesOn = ({ x0 }: Rect) =>
      down.some(
        ({ at, from, to }) =>
          Math.abs(at - x0) < SAME_RULE_POINTS &&
          from < first.y1 + SAME_RULE_POINTS &&
          to > first.y1 + MIN_TABLE_SIZE_POINTS,
      );
    const under = isDrawn(across, first.y1, first.x0, last.x1) || ordered.slice(1).every(goesOn);
    if (ordered.length < 2 || !beside || !under) continue;
    for (const { x0, x1, y0, y1 } of ordered) {
      found.across.push({ at: y0, from: x0, to: x1 }, { at: y1, from: x0, to: x1 });
      found.down.push({ at: x0, from: y0, to: y1 }, { at: x1, from: y0, to: y1 });
    }
  }
  return found;
}
