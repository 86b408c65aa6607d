import { findValues } from '../src/extract/find.ts';
import { labelKey } from '../src/extract/labels.ts';
import type { WantedRows, WantedValue } from '../src/extract/wanted.ts';
import { standardLimits } from '../src/reader.ts';
import { readDocument } from '../src/readers/index.ts';

type Kind = WantedValue['type'] | 'date' | readonly (string | number)[];

/** A value by its path, such as `발주자.상호`, and its type or its options. */
export function wantedValue(path: string, kind: Kind = 'string'): WantedValue {
  const steps = path.split('.');
  const within = steps.slice(0, -1).map((step) => [labelKey(step)]);
  const how =
    typeof kind === 'string'
      ? kind === 'date'
        ? ({ type: 'string', date: true } as const)
        : { type: kind }
      : { type: typeof kind[0] === 'number' ? ('integer' as const) : ('string' as const), options: kind };
  return { path: steps, labels: [labelKey(steps.at(-1) ?? '')], ...how, ...(within.length === 0 ? {} : { within }) };
}

/** What rules find in a file of this name and text. */
export async function findIn(
  name: string,
  text: string,
  values: Readonly<Record<string, Kind>>,
  rows: readonly WantedRows[] = [],
) {
  const options = { limits: standardLimits, pages: null, onPage: () => undefined };
  const document = await readDocument(Buffer.from(text), name, options);
  return findValues(document, { values: Object.entries(values).map(([path, kind]) => wantedValue(path, kind)), rows });
}

/** The values alone, by their paths. */
export const valuesIn = async (...given: Parameters<typeof findIn>): Promise<Record<string, unknown>> =>
  Object.fromEntries((await findIn(...given)).found.map(({ path, value }) => [path.join('.'), value]));
