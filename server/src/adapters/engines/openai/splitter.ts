/** Text of one event may not grow beyond this: a server that never ends a line must not fill the memory. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

const LF = 10;
const SPACE = 32;
const COLON = 58;
const BRACE = 123;
const BOM = '\u00ef\u00bb\u00bf';

/** Takes the data of one event: the characters of `text` from `start` to `end`. Returns false to hear no more. */
export type EventListener = (text: string, start: number, end: number) => boolean;

export interface EventSplitter {
  /** Takes the next piece of the stream, cut anywhere, as latin1 characters. Throws RangeError when an event has no end. */
  push(piece: string): void;
  /** The stream has ended; what stands there without an empty line after it is taken as an event too. */
  end(): void;
  /** Whether nothing is left over from earlier pieces. */
  readonly empty: boolean;
}

/**
 * Splits server-sent events, their bytes given as latin1 characters, and hands on the data of each.
 * Source: HTML standard, 9.2.5 and 9.2.6. Beyond it: a line `error: …` is an event `{"error":…}` (old llama-server), and
 * a line that starts with a brace is an event (Ollama reports some failures so).
 */
export function createEventSplitter(onEvent: EventListener): EventSplitter {
  let rest = '';
  /** Data lines read so far of an event that is not a single line. */
  let data: string | null = null;
  let afterReturn = false;
  let begun = false;
  let over = false;

  const dispatch = (text: string, start: number, end: number) => {
    if (!onEvent(text, start, end)) over = true;
  };

  /** Reads the line from `start` to `end` and returns where the next one starts. */
  const line = (text: string, start: number, end: number): number => {
    if (start === end) {
      if (data !== null) {
        const whole = data;
        data = null;
        dispatch(whole, 0, whole.length);
      }
      return end + 1;
    }
    const isData = text.startsWith('data', start) && (end === start + 4 || text.charCodeAt(start + 4) === COLON);
    if (isData || text.charCodeAt(start) === BRACE) {
      let from = isData ? Math.min(start + 5, end) : start;
      if (isData && from < end && text.charCodeAt(from) === SPACE) from++;
      if (data === null && text.charCodeAt(end + 1) === LF) {
        dispatch(text, from, end);
        return end + 2;
      }
      const value = text.slice(from, end);
      data = data === null ? value : `${data}\n${value}`;
    } else if (text.startsWith('error:', start)) {
      data = `{"error":${text.slice(start + 6, end)}}`;
    }
    return end + 1;
  };

  const plainLines = (piece: string): string => {
    let text = piece;
    if (afterReturn && text !== '') {
      if (text.charCodeAt(0) === LF) text = text.slice(1);
      afterReturn = false;
    }
    if (!text.includes('\r')) return text;
    afterReturn = text.endsWith('\r');
    return text.replace(/\r\n?/g, '\n');
  };

  return {
    push(piece) {
      if (over) return;
      const added = plainLines(piece);
      let searched = rest.length;
      let text = rest === '' ? added : rest + added;
      if (!begun) {
        if (text.length < BOM.length && BOM.startsWith(text)) {
          rest = text;
          return;
        }
        begun = true;
        searched = 0;
        if (text.startsWith(BOM)) text = text.slice(BOM.length);
      }
      let start = 0;
      for (let end = text.indexOf('\n', searched); end >= 0; end = text.indexOf('\n', start)) {
        start = line(text, start, end);
        if (over) return;
      }
      rest = start === 0 ? text : text.slice(start);
      if (rest.length + (data?.length ?? 0) > MAX_EVENT_CHARS) throw new RangeError('An event of the stream has no end');
    },
    end() {
      if (over) return;
      const text = rest;
      rest = '';
      if (text !== '') line(text, 0, text.length);
      if (!over) line('', 0, 0);
      over = true;
    },
    get empty() {
      return rest === '' && data === null;
    },
  };
}
