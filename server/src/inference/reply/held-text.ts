import { StopFilter } from '@ai-studio/reply-format/stops.ts';
import type { CloseFinder } from '@ai-studio/reply-format/think-close.ts';
import { fromJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent } from '../../ports/engine.ts';

type Text = ChatEvent & { readonly type: 'text' };

/** Text that is an answer, or thinking without its opening tag: nobody knows yet. */
export class HeldText {
  readonly finder: CloseFinder;
  /** White space, and what might have been a tag, before the pieces. */
  prefix = '';
  readonly #events: Text[] = [];
  readonly #stops: StopFilter | null;
  /** A long text that surely has no tag was not looked at. */
  #unread: Text | null = null;
  #read: string[] = [];
  #rest = '';
  #length = 0;

  constructor(finder: CloseFinder, stops: readonly string[]) {
    this.finder = finder;
    this.#stops = stops.length === 0 ? null : new StopFilter(stops);
  }

  /** The pieces as they came. */
  get events(): readonly Text[] {
    return this.#events;
  }

  /** Whether it has a stop string. */
  get isStopped(): boolean {
    return this.#stops !== null && this.#stops.found !== null;
  }

  /** Characters that are surely no part of a tag. */
  get length(): number {
    return this.#length;
  }

  /** What may be a part of a tag, at the end. */
  get rest(): string {
    return this.#rest;
  }

  /** Takes a piece. Where that has the end of thinking, returns what follows it. */
  push(event: Text): string | null {
    this.#events.push(event);
    const text = fromJsonText(event.json);
    return this.#look(this.#unread === null ? text : fromJsonText(this.#unread.json) + text);
  }

  /** Takes the text before the first piece. */
  begin(prefix: string): string | null {
    this.prefix = prefix;
    return this.#look(prefix);
  }

  /** Takes a long text that surely has no tag, before all others. */
  keep(event: Text): void {
    this.#events.push(event);
    this.#unread = event;
  }

  /** Nothing more comes. */
  end(): string | null {
    return this.#unread === null ? this.#look('', true) : null;
  }

  /** All of it but `rest`. */
  take(): string {
    if (this.#unread !== null) this.#look(fromJsonText(this.#unread.json));
    const text = this.#read.join('');
    this.#read = [];
    return text;
  }

  #look(text: string, ended = false): string | null {
    this.#unread = null;
    this.#stops?.push(text);
    const all = this.#rest + text;
    const { end, mark } = this.finder.find(all, ended);
    this.#read.push(all.slice(0, end));
    this.#length += end;
    this.#rest = mark === null ? all.slice(end) : '';
    return mark === null ? null : all.slice(end + mark.length);
  }
}
