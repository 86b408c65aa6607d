/** Levels that a field of a body may have: more than anybody writes, fewer than any stack has room for. */
export const MAX_DEPTH = 256;

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  // Runs for each request: no list of keys or values is made.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isWithinDepth(value[i], levels - 1)) return false;
    return true;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) if (!isWithinDepth(members[key], levels - 1)) return false;
  return true;
}

/** The first field of a parsed body that is nested deeper than {@link MAX_DEPTH} levels; null where none is. */
export function findTooDeepField(body: object): string | null {
  const members = body as Record<string, unknown>;
  for (const field in members) if (!isWithinDepth(members[field], MAX_DEPTH)) return field;
  return null;
}
