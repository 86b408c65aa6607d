import type { FieldValue, IndexFilter } from '../../ports/search-index.ts';

/** Less than 0, 0, or more, by code points, as the index orders texts. */
export function compareText(a: string, b: string): number {
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [x, y] = [left.next(), right.next()];
    if (x.done === true || y.done === true) return Number(y.done ?? false) - Number(x.done ?? false);
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}

function compare(a: FieldValue, b: number | string): number | null {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return null;
}

/** Whether a filter holds for the values of a row's fields: what the index finds by it, said in the plainest way. */
export function matchesFilter(filter: IndexFilter, valuesOf: (field: string) => readonly FieldValue[]): boolean {
  switch (filter.op) {
    case 'and':
      return filter.of.every((part) => matchesFilter(part, valuesOf));
    case 'or':
      return filter.of.some((part) => matchesFilter(part, valuesOf));
    case 'not':
      return !matchesFilter(filter.of, valuesOf);
    case 'exists':
      return valuesOf(filter.field).length > 0;
    case 'in':
      return valuesOf(filter.field).some((value) => filter.values.includes(value));
    case 'contains': {
      const { value: part } = filter;
      return valuesOf(filter.field).some(
        (value) => value === part || (typeof value === 'string' && typeof part === 'string' && value.includes(part)),
      );
    }
    default:
      return valuesOf(filter.field).some((value) => {
        const order = compare(value, filter.value);
        if (order === null) return false;
        if (filter.op === 'gt') return order > 0;
        if (filter.op === 'gte') return order >= 0;
        return filter.op === 'lt' ? order < 0 : order <= 0;
      });
  }
}
