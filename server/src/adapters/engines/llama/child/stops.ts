/** A piece of text that went past the filter. */
export interface Filtered {
  /** Text that is surely before any stop string. */
  readonly text: string;
  /** The stop string that was found; nothing follows it. */
  readonly stop: string | null;
}

/** Finds stop strings in a text that comes in pieces; text that may be the beginning of one is held back. */
export interface StopFilter {
  push(text: string): Filtered;
  /** What was held back. */
  flush(): string;
}

/** Length of the longest end of `text` that begins one of `stops` without being the whole of it. */
function heldLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}

/** The stop string that begins first; of two at one place the longer. */
function firstStop(text: string, stops: readonly string[]): { at: number; stop: string } | null {
  let found: { at: number; stop: string } | null = null;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at < 0) continue;
    if (found === null || at < found.at || (at === found.at && stop.length > found.stop.length)) found = { at, stop };
  }
  return found;
}

export function createStopFilter(stops: readonly string[]): StopFilter {
  let held = '';
  return {
    push(text) {
      if (stops.length === 0) return { text, stop: null };
      const whole = held + text;
      const found = firstStop(whole, stops);
      if (found) {
        held = '';
        return { text: whole.slice(0, found.at), stop: found.stop };
      }
      const safe = whole.length - heldLength(whole, stops);
      held = whole.slice(safe);
      return { text: whole.slice(0, safe), stop: null };
    },
    flush() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
