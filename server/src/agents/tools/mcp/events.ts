import { StringDecoder } from 'node:string_decoder';

/** An event of a stream. Source: HTML standard, server-sent events. */
export interface StreamEvent {
  readonly data: string;
  /** The last one that the stream gave, also with an event before. */
  readonly id: string | null;
  /** Milliseconds before the next attempt, where the stream said so. */
  readonly retryMs: number | null;
  /** Whether the data was cut: more than `mostBytes`. The stream ends with such an event. */
  readonly cut: boolean;
}

/** Events of a body, each once it is whole. Ends where the body ends; what was begun then is dropped. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<StreamEvent> {
  const decoder = new StringDecoder('utf8');
  let id: string | null = null;
  let retryMs: number | null = null;
  let data: string[] = [];
  /** Pieces of the line that has not ended, since adding to one text again and again takes long. */
  let open: string[] = [];
  let size = 0;
  let afterReturn = false;
  const take = (line: string): StreamEvent | null => {
    if (line === '') {
      const event = data.length === 0 ? null : { data: data.join('\n'), id, retryMs, cut: false };
      data = [];
      size = 0;
      return event;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,6}$/.test(value)) retryMs = Number(value);
    return null;
  };
  for await (const part of body) {
    let text = decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length));
    if (afterReturn && text !== '') {
      afterReturn = false;
      if (text.startsWith('\n')) text = text.slice(1);
    }
    const lines = text.split(/\r\n|\r|\n/);
    afterReturn = text.endsWith('\r');
    for (const [i, piece] of lines.entries()) {
      open.push(piece);
      size += piece.length;
      if (i === lines.length - 1) break;
      const event = take(open.join(''));
      open = [];
      if (event) yield event;
    }
    if (size <= mostBytes) continue;
    const rest = open.join('');
    if (rest !== '') take(rest);
    yield { data: data.join('\n'), id, retryMs, cut: true };
    return;
  }
}
