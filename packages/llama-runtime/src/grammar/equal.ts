const isPrimitive = (value: unknown) => typeof value !== 'object' || value === null;

/** Values of the first list that the second has too. */
export function inBoth(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const simple = new Set(b.filter(isPrimitive));
  const others = b.filter((value) => !isPrimitive(value));
  return a.filter((value) => (isPrimitive(value) ? simple.has(value) : others.some((other) => equal(value, other))));
}

/** Whether two JSON values are the same; the order of members does not count. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [first, second] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))];
  return (
    first.length === second.size && first.every(([key, value]) => second.has(key) && equal(value, second.get(key)))
  );
}
