import { StringDecoder } from 'node:string_decoder';

/** An event of a stream. Source: HTML standard, server-sent events. */
export interface StreamEvent {
  readonly data: string;
  /** The last one that the stream named, also with an event before. */
  readonly id: string | null;
  /** Milliseconds before the stream may be resumed, where it says so. */
  readonly retryMs: number | null;
  /** Whether the data is the beginning of more than `maxBytes`. The stream ends with such an event. */
  readonly truncated: boolean;
}

/** Collects the fields of the lines of a stream. */
function createEventBuilder() {
  let id: string | null = null;
  let retryMs: number | null = null;
  let data: string[] = [];
  return {
    addLine(line: string): void {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) id = value;
      else if (field === 'retry' && /^\d{1,6}$/.test(value)) retryMs = Number(value);
    },
    /** The event that an empty line ends; null where it has no data. */
    endEvent(truncated: boolean): StreamEvent | null {
      const event = data.length === 0 ? null : { data: data.join('\n'), id, retryMs, truncated };
      data = [];
      return event;
    },
  };
}

/** Yields each event of a body once it is whole. An event that the body leaves unfinished is dropped. */
export async function* readEvents(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<StreamEvent> {
  const decoder = new StringDecoder('utf8');
  const builder = createEventBuilder();
  /** Parts of the line that has not ended: adding to one string again and again takes long. */
  let lineParts: string[] = [];
  /** Characters of the event that has not ended. */
  let size = 0;
  let afterReturn = false;
  for await (const chunk of body) {
    const text = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (text === '') continue;
    const parts = (afterReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\r|\n/);
    afterReturn = text.endsWith('\r');
    for (const [i, part] of parts.entries()) {
      lineParts.push(part);
      size += part.length;
      if (i === parts.length - 1) break;
      const line = lineParts.join('');
      lineParts = [];
      if (line !== '') builder.addLine(line);
      else {
        size = 0;
        const event = builder.endEvent(false);
        if (event) yield event;
      }
    }
    if (size <= maxBytes) continue;
    builder.addLine(lineParts.join(''));
    const event = builder.endEvent(true);
    if (event) yield event;
    return;
  }
}
