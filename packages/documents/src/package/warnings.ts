import type { Warning } from '../document.ts';

/** More of them tell nothing more. */
const MAX_WARNINGS = 50;

/** Collects warnings, each once. */
export function createWarnings() {
  const seen = new Map<string, Warning>();
  return {
    warn: (warning: Warning): void => {
      if (seen.size < MAX_WARNINGS) seen.set(`${warning.code} ${warning.message}`, warning);
    },
    all: (): readonly Warning[] => [...seen.values()],
  };
}
