import type { Loads } from '../ports/load-exchange.ts';

/** How long what a process said counts: it says it again several times in that. */
export const LOAD_EXPIRY_MS = 3_000;

/** Counts as text; empty for none. */
export const writeLoads = (loads: Loads): string => (loads.size === 0 ? '' : JSON.stringify([...loads]));

function readLoads(text: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? (read as unknown[]) : [];
  } catch {
    // Of another version: it counts nothing.
    return [];
  }
}

/** The sum of what several processes have said. */
export function addLoads(texts: readonly string[]): Loads {
  const sum = new Map<string, number>();
  for (const entry of texts.flatMap(readLoads)) {
    if (!Array.isArray(entry)) continue;
    const [address, calls] = entry as unknown[];
    if (typeof address !== 'string' || typeof calls !== 'number' || !(calls > 0)) continue;
    sum.set(address, (sum.get(address) ?? 0) + calls);
  }
  return sum;
}
