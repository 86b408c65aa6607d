import { hexId } from '../kernel/ids.ts';
import { EMPTY_JSON_TEXT, type JsonText } from '../kernel/json-text.ts';
import type { ChatEvent } from '../ports/engine.ts';
import { toJsonBytes } from './json-bytes.ts';
import type { ToolName } from './tool-names.ts';

// The items of an answer and the events that tell of them, as JSON whose characters are the bytes to send (latin1): texts of the engine
// are never decoded. Source: OpenAI API reference, "Responses", "Streaming events".

/** How thinking is told. */
export type ThinkingForm = 'content' | 'summary';

/** Sends one event: its name and its members beside `type` and `sequence_number`. */
type Tell = (type: string, members: string) => void;

interface OpenItem {
  readonly index: number;
  /** The item as it stands. */
  render(status: 'in_progress' | 'completed' | 'incomplete'): string;
  /** Tells its end. */
  close(tell: Tell, status: 'completed' | 'incomplete'): void;
}

const closeItem = (tell: Tell, item: OpenItem, status: 'completed' | 'incomplete'): void =>
  tell('response.output_item.done', `"output_index":${item.index},"item":${item.render(status)}`);

/** A message of the answer. */
class MessageItem implements OpenItem {
  readonly index: number;
  readonly #id = `msg_${hexId()}`;
  #text: JsonText = EMPTY_JSON_TEXT;
  #logprobs = '';
  readonly #place: string;

  constructor(index: number) {
    this.index = index;
    this.#place = `"item_id":"${this.#id}","output_index":${index},"content_index":0`;
  }

  open(tell: Tell): void {
    const empty = `{"id":"${this.#id}","type":"message","status":"in_progress","role":"assistant","content":[]}`;
    tell('response.output_item.added', `"output_index":${this.index},"item":${empty}`);
    tell('response.content_part.added', `${this.#place},"part":${this.#part()}`);
  }

  add(tell: Tell, json: JsonText, logprobs: readonly unknown[]): void {
    this.#text = (this.#text + json) as JsonText;
    const listed = logprobs.length === 0 ? '' : toJsonBytes(logprobs).slice(1, -1);
    if (listed !== '') this.#logprobs += this.#logprobs === '' ? listed : `,${listed}`;
    tell('response.output_text.delta', `${this.#place},"delta":"${json}","logprobs":[${listed}]`);
  }

  render(status: string): string {
    return `{"id":"${this.#id}","type":"message","status":"${status}","role":"assistant","content":[${this.#part()}]}`;
  }

  close(tell: Tell, status: 'completed' | 'incomplete'): void {
    tell('response.output_text.done', `${this.#place},"text":"${this.#text}","logprobs":[${this.#logprobs}]`);
    tell('response.content_part.done', `${this.#place},"part":${this.#part()}`);
    closeItem(tell, this, status);
  }

  #part(): string {
    return `{"type":"output_text","annotations":[],"logprobs":[${this.#logprobs}],"text":"${this.#text}"}`;
  }
}

/** Thinking, as its text or in place of a summary of it. */
class ThinkingItem implements OpenItem {
  readonly index: number;
  readonly #id = `rs_${hexId()}`;
  readonly #form: ThinkingForm;
  readonly #seal: ((thinking: JsonText) => string) | null;
  readonly #place: string;
  readonly #name: string;
  #text: JsonText = EMPTY_JSON_TEXT;
  /** Each sealing differs, and all that tell of the item are to be the same. */
  #sealed: string | null = null;

  constructor(index: number, form: ThinkingForm, seal: ((thinking: JsonText) => string) | null) {
    this.index = index;
    this.#form = form;
    this.#seal = seal;
    this.#name = form === 'summary' ? 'reasoning_summary' : 'reasoning';
    this.#place = `"item_id":"${this.#id}","output_index":${index},"${form}_index":0`;
  }

  open(tell: Tell): void {
    const content = this.#form === 'content' ? ',"content":[]' : '';
    const empty = `{"id":"${this.#id}","type":"reasoning","status":"in_progress","summary":[]${content}}`;
    tell('response.output_item.added', `"output_index":${this.index},"item":${empty}`);
    tell(this.#partEvent('added'), `${this.#place},"part":${this.#part()}`);
  }

  add(tell: Tell, json: JsonText): void {
    this.#text = (this.#text + json) as JsonText;
    tell(`response.${this.#name}_text.delta`, `${this.#place},"delta":"${json}"`);
  }

  render(status: string): string {
    const told = this.#form === 'summary' ? `"summary":[${this.#part()}]` : `"summary":[],"content":[${this.#part()}]`;
    const sealed = this.#seal === null ? '' : (this.#sealed ??= toJsonBytes(this.#seal(this.#text)));
    const encrypted = sealed === '' ? '' : `,"encrypted_content":${sealed}`;
    return `{"id":"${this.#id}","type":"reasoning","status":"${status}",${told}${encrypted}}`;
  }

  close(tell: Tell, status: 'completed' | 'incomplete'): void {
    tell(`response.${this.#name}_text.done`, `${this.#place},"text":"${this.#text}"`);
    tell(this.#partEvent('done'), `${this.#place},"part":${this.#part()}`);
    closeItem(tell, this, status);
  }

  #partEvent(end: 'added' | 'done'): string {
    return this.#form === 'summary' ? `response.reasoning_summary_part.${end}` : `response.content_part.${end}`;
  }

  #part(): string {
    return `{"type":"${this.#form === 'summary' ? 'summary_text' : 'reasoning_text'}","text":"${this.#text}"}`;
  }
}

/** A function that the model calls. */
class CallItem implements OpenItem {
  readonly index: number;
  readonly #id = `fc_${hexId()}`;
  readonly #callId: string;
  readonly #name: string;
  /** A member of the item; empty for a function of its own. */
  readonly #namespace: string;
  #arguments: JsonText = EMPTY_JSON_TEXT;

  constructor(index: number, callId: string, { name, namespace }: ToolName) {
    this.index = index;
    this.#callId = toJsonBytes(callId);
    this.#name = toJsonBytes(name);
    this.#namespace = namespace === null ? '' : `"namespace":${toJsonBytes(namespace)},`;
  }

  open(tell: Tell): void {
    tell('response.output_item.added', `"output_index":${this.index},"item":${this.render('in_progress')}`);
  }

  add(tell: Tell, json: JsonText): void {
    this.#arguments = (this.#arguments + json) as JsonText;
    const place = `"item_id":"${this.#id}","output_index":${this.index}`;
    tell('response.function_call_arguments.delta', `${place},"delta":"${json}"`);
  }

  render(status: string): string {
    return `{"id":"${this.#id}","type":"function_call","status":"${status}","call_id":${this.#callId},"name":${this.#name},${this.#namespace}"arguments":"${this.#arguments}"}`;
  }

  close(tell: Tell, status: 'completed' | 'incomplete'): void {
    const place = `"item_id":"${this.#id}","output_index":${this.index}`;
    tell('response.function_call_arguments.done', `${place},"name":${this.#name},"arguments":"${this.#arguments}"`);
    closeItem(tell, this, status);
  }
}

const logprobsOf = (logprobs: Record<string, unknown> | undefined): readonly unknown[] => {
  const content = logprobs?.['content'];
  return Array.isArray(content) ? content : [];
};

export interface OutputOptions {
  readonly thinking: ThinkingForm;
  /** Seals thinking for the caller; null where that was not asked for. */
  readonly seal: ((thinking: JsonText) => string) | null;
  /** The names of the caller for a function that the model calls. */
  readonly nameOf: (name: string) => ToolName;
  readonly tell: Tell;
}

/** Gathers the events of a chat as items of an answer, and tells of each step. */
export class ResponseOutput {
  readonly #options: OutputOptions;
  readonly #items: OpenItem[] = [];
  /** Text or thinking that goes on. */
  #text: MessageItem | ThinkingItem | null = null;
  readonly #calls = new Map<number, CallItem>();
  /** Why the model ended; null until it has. */
  finishReason: string | null = null;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  take(event: ChatEvent): void {
    const { tell } = this.#options;
    if (event.type === 'text') {
      if (event.channel === 'reasoning') this.#thinking().add(tell, event.json);
      else this.#message().add(tell, event.json, logprobsOf(event.logprobs));
    } else if (event.type === 'tool_call') {
      this.#closeText('completed');
      const item = this.#begin(new CallItem(this.#items.length, event.id, this.#options.nameOf(event.name)));
      this.#calls.set(event.call, item);
    } else if (event.type === 'tool_arguments') this.#calls.get(event.call)?.add(tell, event.json);
    else if (event.type === 'finish') this.finishReason = event.reason;
  }

  /** Tells the end of what is open. Calls end last, as their arguments may come in turns. */
  end(status: 'completed' | 'incomplete'): void {
    this.#closeText(status);
    for (const item of this.#calls.values()) item.close(this.#options.tell, status);
  }

  /** The items, as a list in JSON. */
  render(status: 'completed' | 'incomplete'): string {
    return `[${this.#items.map((item) => item.render(item === this.#items.at(-1) ? status : 'completed')).join(',')}]`;
  }

  #begin<Item extends OpenItem & { open(tell: Tell): void }>(item: Item): Item {
    this.#items.push(item);
    item.open(this.#options.tell);
    return item;
  }

  #closeText(status: 'completed' | 'incomplete'): void {
    this.#text?.close(this.#options.tell, status);
    this.#text = null;
  }

  #message(): MessageItem {
    if (this.#text instanceof MessageItem) return this.#text;
    this.#closeText('completed');
    const item = this.#begin(new MessageItem(this.#items.length));
    this.#text = item;
    return item;
  }

  #thinking(): ThinkingItem {
    if (this.#text instanceof ThinkingItem) return this.#text;
    this.#closeText('completed');
    const { thinking, seal } = this.#options;
    const item = this.#begin(new ThinkingItem(this.#items.length, thinking, seal));
    this.#text = item;
    return item;
  }
}
