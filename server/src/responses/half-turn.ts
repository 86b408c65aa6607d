import { continuationMessages, ReplayFilter } from '../agents/index.ts';
import type { JsonText } from '../kernel/json-text.ts';
import type { StreamedEvent } from './streamed-event.ts';
import type { Fields } from './chat-body.ts';

// A turn of which a part was told before its process ended: the model is asked again, and what it says anew is compared with what was told.

/** Thinking or a text that was told, whole or in part. */
export interface ToldItem {
  readonly id: string;
  readonly index: number;
  readonly text: string;
  /** The item as its end was told; null where it goes on. */
  readonly whole: string | null;
}

/** What was told of a turn. */
export interface HalfTurn {
  readonly thinking: ToldItem | null;
  readonly message: ToldItem | null;
}

interface EventData {
  readonly type: string;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly delta?: string;
  readonly item?: { readonly id: string; readonly type: string };
}

const DELTA = /^response\.(?:output_text|reasoning_text|reasoning_summary_text)\.delta$/;
const dataOf = ({ frame }: StreamedEvent) => JSON.parse(frame.slice(frame.indexOf('\ndata: ') + 7)) as EventData;

/**
 * Reads what events told of a turn. Null where nobody could go on with it: calls were told, several texts, or a text whose end was told and
 * after which something else comes.
 */
export function readHalfTurn(events: readonly StreamedEvent[]): HalfTurn | null {
  const items = new Map<string, ToldItem & { readonly type: string }>();
  for (const data of events.map(dataOf)) {
    const { type, item, item_id: id = '', output_index: index = 0, delta = '' } = data;
    if (type === 'response.output_item.added' && item)
      items.set(item.id, { id: item.id, index, text: '', whole: null, type: item.type });
    const known = items.get(item?.id ?? id);
    if (known === undefined) continue;
    if (DELTA.test(type)) items.set(known.id, { ...known, text: known.text + delta });
    if (type === 'response.output_item.done') items.set(known.id, { ...known, whole: JSON.stringify(item) });
  }
  const told = [...items.values()];
  const ofType = (wanted: string) => told.filter(({ type }) => type === wanted);
  const [[thinking = null, ...moreThinking], [message = null, ...moreMessages]] = [
    ofType('reasoning'),
    ofType('message'),
  ];
  const isPlain = told.length === Number(thinking !== null) + Number(message !== null);
  if (!isPlain || moreThinking.length + moreMessages.length > 0 || (message && message.whole !== null)) return null;
  return { thinking, message };
}

/** Lets through what is new of a turn that is told again. */
export class Replay {
  readonly #thinking: ReplayFilter | null;
  readonly #content: ReplayFilter | null;
  readonly #said: string;
  #dropsThinking: boolean;
  #hasDiverged = false;

  constructor(
    { thinking, message }: HalfTurn,
    push: { thinking(json: JsonText): void; content(json: JsonText): void },
  ) {
    this.#said = message?.text ?? '';
    this.#content = message === null ? null : new ReplayFilter(message.text, push.content);
    // Once its end was told, nothing more is told of it.
    this.#dropsThinking = message !== null || (thinking !== null && thinking.whole !== null);
    this.#thinking = thinking === null || this.#dropsThinking ? null : new ReplayFilter(thinking.text, push.thinking);
  }

  /** Whether it takes a piece of thinking. What differs from what was told is dropped. */
  takesThinking(json: JsonText): boolean {
    if (this.#thinking === null && !this.#dropsThinking) return false;
    if (!this.#dropsThinking) this.#dropsThinking = this.#thinking?.text(json) === false;
    return true;
  }

  /** Whether it takes a piece of the text. */
  takesContent(json: JsonText): boolean {
    if (this.#content === null) return false;
    if (!this.#hasDiverged) this.#hasDiverged = !this.#content.text(json);
    return true;
  }

  /** Whether the model says something else than was told: what it says further is not wanted. */
  get hasDiverged(): boolean {
    return this.#hasDiverged;
  }

  /** Whether what the model said, once it has ended, is not all of what was told. */
  get isShort(): boolean {
    return this.#hasDiverged || this.#content?.differs === true;
  }

  /** Messages that ask the model to go on from what was told. */
  get continuation(): readonly Fields[] {
    return continuationMessages(this.#said);
  }
}
