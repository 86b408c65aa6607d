/** Text of one event may not grow beyond this: a server that never ends a line must not fill the memory. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

const LF = 10;
const SPACE = 32;
const COLON = 58;
const BRACE = 123;
const BOM = '\u00ef\u00bb\u00bf';

export interface EventListener {
  /** Takes the data of one event: the characters of `text` from `start` to `end`. Returns false to receive no more events. */
  onEvent(text: string, start: number, end: number): boolean;
}

/**
 * Splits server-sent events, their bytes given as latin1 characters, and hands on the data of each.
 * Source: HTML standard, 9.2.5 and 9.2.6. Beyond it: a line `error: …` is an event `{"error":…}` (old llama-server), and
 * a line that starts with a brace is an event (Ollama reports some failures so).
 */
export class EventSplitter {
  readonly #listener: EventListener;
  #rest = '';
  /** Data lines read so far of an event that is not a single line. */
  #data: string | null = null;
  #afterReturn = false;
  #begun = false;
  #over = false;

  constructor(listener: EventListener) {
    this.#listener = listener;
  }

  /** Whether nothing is left over from earlier pieces. */
  get empty(): boolean {
    return this.#rest === '' && this.#data === null;
  }

  /** Takes the next piece of the stream, cut anywhere. Throws RangeError when an event has no end. */
  push(piece: string): void {
    if (this.#over) return;
    const added = this.#plainLines(piece);
    let searched = this.#rest.length;
    let text = this.#rest === '' ? added : this.#rest + added;
    if (!this.#begun) {
      if (text.length < BOM.length && BOM.startsWith(text)) {
        this.#rest = text;
        return;
      }
      this.#begun = true;
      searched = 0;
      if (text.startsWith(BOM)) text = text.slice(BOM.length);
    }
    let start = 0;
    for (let end = text.indexOf('\n', searched); end >= 0; end = text.indexOf('\n', start)) {
      start = this.#line(text, start, end);
      if (this.#over) return;
    }
    this.#rest = start === 0 ? text : text.slice(start);
    if (this.#rest.length + (this.#data?.length ?? 0) > MAX_EVENT_CHARS)
      throw new RangeError('An event of the stream has no end');
  }

  /** The stream has ended; what stands there without an empty line after it is taken as an event too. */
  end(): void {
    if (this.#over) return;
    const text = this.#rest;
    this.#rest = '';
    if (text !== '') this.#line(text, 0, text.length);
    this.#dispatchData();
    this.#over = true;
  }

  /** Reads the line from `start` to `end` and returns where the next one starts. */
  #line(text: string, start: number, end: number): number {
    if (start === end) {
      this.#dispatchData();
      return end + 1;
    }
    const isData = text.startsWith('data', start) && (end === start + 4 || text.charCodeAt(start + 4) === COLON);
    if (isData || text.charCodeAt(start) === BRACE) {
      let from = isData ? Math.min(start + 5, end) : start;
      if (isData && from < end && text.charCodeAt(from) === SPACE) from++;
      if (this.#data === null && text.charCodeAt(end + 1) === LF) {
        this.#dispatch(text, from, end);
        return end + 2;
      }
      const value = text.slice(from, end);
      this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    } else if (text.startsWith('error:', start)) {
      this.#data = `{"error":${text.slice(start + 6, end)}}`;
    }
    return end + 1;
  }

  #dispatchData(): void {
    if (this.#data === null || this.#over) return;
    const whole = this.#data;
    this.#data = null;
    this.#dispatch(whole, 0, whole.length);
  }

  #dispatch(text: string, start: number, end: number): void {
    if (!this.#listener.onEvent(text, start, end)) this.#over = true;
  }

  #plainLines(piece: string): string {
    let text = piece;
    if (this.#afterReturn && text !== '') {
      if (text.charCodeAt(0) === LF) text = text.slice(1);
      this.#afterReturn = false;
    }
    if (!text.includes('\r')) return text;
    this.#afterReturn = text.endsWith('\r');
    return text.replace(/\r\n?/g, '\n');
  }
}
