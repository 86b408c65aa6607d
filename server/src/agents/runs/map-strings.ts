import type { TurnBudget } from '../../kernel/turns.ts';

type Change = (text: string) => string;

/** What each value takes beside its length, in units of text. */
const UNITS_A_VALUE = 50;

/** All strings of a JSON value, changed. `spend` counts the work, and says where it is another's turn. */
export async function mapStrings(value: unknown, change: Change, spend: TurnBudget): Promise<unknown> {
  await spend(UNITS_A_VALUE + (typeof value === 'string' ? value.length : 0));
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const one of value as readonly unknown[]) items.push(await mapStrings(one, change, spend));
    return items;
  }
  const entries: [string, unknown][] = [];
  for (const [key, one] of Object.entries(value)) entries.push([key, await mapStrings(one, change, spend)]);
  return Object.fromEntries(entries);
}
