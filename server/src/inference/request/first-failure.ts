import type { ErrorObject } from 'ajv';

// A schema finds every problem of a value, and makes an explanation of each: for a hundred thousand wrong items that takes a third of a
// second. The compiled check stops at the first, and what stands behind it need not be explained.

type Path = readonly string[];

/** Values that a schema explains within a few milliseconds, whatever is wrong with them. */
const MAX_EXPLAINED = 5_000;

/** Whether a value holds more values than that. */
export function isLarge(value: unknown): boolean {
  let left = MAX_EXPLAINED;
  const waiting: unknown[] = [value];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const items: unknown[] = Array.isArray(one) ? one : Object.values(one);
    left -= items.length;
    if (left < 0) return true;
    for (const item of items) if (typeof item === 'object' && item !== null) waiting.push(item);
  }
  return false;
}

const pathOf = ({ instancePath }: ErrorObject): Path =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Paths below each first step. */
function byStep(paths: readonly Path[]): ReadonlyMap<string, Path[]> {
  const steps = new Map<string, Path[]>();
  for (const [step, ...rest] of paths) {
    if (step === undefined) continue;
    const known = steps.get(step);
    if (known) known.push(rest);
    else steps.set(step, [rest]);
  }
  return steps;
}

/** Members of an object up to the last that a path names. Only where it ends in one: others may be needed for the explanation. */
function cutMembers(value: Record<string, unknown>, paths: readonly Path[]): Record<string, unknown> {
  const names = Object.keys(value);
  const ends = paths.flatMap((path) => (path.length === 1 ? [names.indexOf(path[0] ?? '')] : []));
  if (names.length <= MAX_EXPLAINED || ends.length < paths.length) return value;
  return Object.fromEntries(names.slice(0, Math.max(...ends) + 1).map((name) => [name, value[name]]));
}

function cutPaths(value: unknown, paths: readonly Path[], isRoot: boolean): unknown {
  const steps = byStep(paths);
  if (typeof value !== 'object' || value === null || steps.size === 0) return value;
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, Math.max(...[...steps.keys()].map(Number)) + 1);
    for (const [step, below] of steps) kept[Number(step)] = cutPaths(kept[Number(step)], below, false);
    return kept;
  }
  let cut = isRoot ? (value as Record<string, unknown>) : cutMembers(value as Record<string, unknown>, paths);
  for (const [step, below] of steps) {
    const inner = cutPaths(cut[step], below, false);
    if (inner !== cut[step]) cut = { ...cut, [step]: inner };
  }
  return cut;
}

/** A value without the items of its lists that stand behind the first ones that failed a check. */
export const cutBehindFailures = (value: unknown, failures: readonly ErrorObject[]): unknown =>
  cutPaths(value, failures.map(pathOf), true);
