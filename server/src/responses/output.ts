import type { Annotation, ResponseEventType } from '@ai-studio/contract/responses/response.ts';
import { hexId } from '../kernel/ids.ts';
import { EMPTY_JSON_TEXT, type JsonText, toJsonText } from '../kernel/json-text.ts';
import type { ChatEvent } from '../ports/engine.ts';
import {
  closeItem,
  type EndStatus,
  HostedCall,
  HostedItem,
  listedTools,
  type OpenItem,
  shownItem,
  type Tell,
} from './hosted-items.ts';
import { type HalfTurn, Replay, type ToldItem } from './half-turn.ts';
import { toJsonBytes } from './json-bytes.ts';
import type { ToolName } from './tool-names.ts';
import type { HostedTool } from './tools/hosted-tool.ts';

// The items of an answer and the events that tell of them, as JSON whose characters are the bytes to send (latin1): texts of the engine
// are never decoded. Source: OpenAI API reference, "Responses", "Streaming events".

/** How thinking is told. */
export type ThinkingForm = 'content' | 'summary';

/** A message of the answer. */
class MessageItem implements OpenItem {
  readonly index: number;
  readonly #id: string;
  #text: JsonText;
  #logprobs = '';
  #annotations = '[]';
  #status = 'in_progress';
  readonly #annotate: OutputOptions['annotate'];
  readonly #place: string;

  /** `told`: of one that was begun before. */
  constructor(index: number, annotate: OutputOptions['annotate'], told?: ToldItem) {
    this.index = index;
    this.#annotate = annotate;
    this.#id = told?.id ?? `msg_${hexId()}`;
    this.#text = toJsonText(told?.text ?? '');
    this.#place = `"item_id":"${this.#id}","output_index":${index},"content_index":0`;
  }

  get text(): JsonText {
    return this.#text;
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

  render(): string {
    return `{"id":"${this.#id}","type":"message","status":"${this.#status}","role":"assistant","content":[${this.#part()}]}`;
  }

  close(tell: Tell, status: EndStatus): void {
    this.#status = status;
    this.#addAnnotations(tell);
    tell('response.output_text.done', `${this.#place},"text":"${this.#text}","logprobs":[${this.#logprobs}]`);
    tell('response.content_part.done', `${this.#place},"part":${this.#part()}`);
    closeItem(tell, this);
  }

  /** Sources are looked for once the text is whole, as their marks may come in pieces. */
  #addAnnotations(tell: Tell): void {
    const found = this.#annotate(this.#text);
    found.forEach((annotation, at) => {
      const place = `${this.#place},"annotation_index":${at}`;
      tell('response.output_text.annotation.added', `${place},"annotation":${toJsonBytes(annotation)}`);
    });
    if (found.length > 0) this.#annotations = toJsonBytes(found);
  }

  #part(): string {
    return `{"type":"output_text","annotations":${this.#annotations},"logprobs":[${this.#logprobs}],"text":"${this.#text}"}`;
  }
}

/** Thinking, as its text or in place of a summary of it. */
class ThinkingItem implements OpenItem {
  readonly index: number;
  readonly #id: string;
  readonly #form: ThinkingForm;
  readonly #seal: ((thinking: JsonText) => string) | null;
  readonly #place: string;
  readonly #name: 'reasoning' | 'reasoning_summary';
  #text: JsonText;
  #status = 'in_progress';
  /** Each sealing differs, and all that tell of the item are to be the same. */
  #sealed: string | null = null;

  /** `told`: of one that was begun before. */
  constructor(index: number, { thinking: form, seal }: Pick<OutputOptions, 'thinking' | 'seal'>, told?: ToldItem) {
    this.index = index;
    this.#form = form;
    this.#seal = seal;
    this.#id = told?.id ?? `rs_${hexId()}`;
    this.#text = toJsonText(told?.text ?? '');
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

  render(): string {
    const told = this.#form === 'summary' ? `"summary":[${this.#part()}]` : `"summary":[],"content":[${this.#part()}]`;
    const sealed = this.#seal === null ? '' : (this.#sealed ??= toJsonBytes(this.#seal(this.#text)));
    const encrypted = sealed === '' ? '' : `,"encrypted_content":${sealed}`;
    return `{"id":"${this.#id}","type":"reasoning","status":"${this.#status}",${told}${encrypted}}`;
  }

  close(tell: Tell, status: EndStatus): void {
    this.#status = status;
    tell(`response.${this.#name}_text.done`, `${this.#place},"text":"${this.#text}"`);
    tell(this.#partEvent('done'), `${this.#place},"part":${this.#part()}`);
    closeItem(tell, this);
  }

  #partEvent(end: 'added' | 'done'): ResponseEventType {
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
  #status = 'in_progress';

  constructor(index: number, callId: string, { name, namespace }: ToolName) {
    this.index = index;
    this.#callId = toJsonBytes(callId);
    this.#name = toJsonBytes(name);
    this.#namespace = namespace === null ? '' : `"namespace":${toJsonBytes(namespace)},`;
  }

  open(tell: Tell): void {
    tell('response.output_item.added', `"output_index":${this.index},"item":${this.render()}`);
  }

  add(tell: Tell, json: JsonText): void {
    this.#arguments = (this.#arguments + json) as JsonText;
    const place = `"item_id":"${this.#id}","output_index":${this.index}`;
    tell('response.function_call_arguments.delta', `${place},"delta":"${json}"`);
  }

  render(): string {
    return `{"id":"${this.#id}","type":"function_call","status":"${this.#status}","call_id":${this.#callId},"name":${this.#name},${this.#namespace}"arguments":"${this.#arguments}"}`;
  }

  close(tell: Tell, status: EndStatus): void {
    this.#status = status;
    const place = `"item_id":"${this.#id}","output_index":${this.index}`;
    tell('response.function_call_arguments.done', `${place},"name":${this.#name},"arguments":"${this.#arguments}"`);
    closeItem(tell, this);
  }
}

/** An item of an earlier part of the answer, which is as it was. `whole`: JSON with what the caller did not ask for. */
function restored(index: number, whole: string, include: ReadonlySet<string>): OpenItem {
  const item = JSON.parse(Buffer.from(whole, 'latin1').toString('utf8')) as { readonly type: string };
  const json = toJsonBytes(shownItem(item, include));
  return { index, whole, render: () => json, close: () => undefined };
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
  /** The tool of the service that a model knows by a name. */
  readonly hostedOf: (name: string) => HostedTool | undefined;
  /** What the caller asked to be included. */
  readonly include: ReadonlySet<string>;
  /** Whether one more of those may be called. */
  readonly mayCall: () => boolean;
  /** The sources of a text. */
  readonly annotate: (text: JsonText) => readonly Annotation[];
  readonly tell: Tell;
}

/** What the model did in one turn. */
export interface Turn {
  readonly text: JsonText;
  /** Tools of the service that it called. */
  readonly calls: readonly HostedCall[];
  /** Whether it called functions of the caller. */
  readonly callsFunctions: boolean;
}

/** Gathers the events of a chat as items of an answer, and tells of each step. */
export class ResponseOutput {
  readonly #options: OutputOptions;
  readonly #items: OpenItem[] = [];
  /** Text or thinking that goes on. */
  #text: MessageItem | ThinkingItem | null = null;
  readonly #functions = new Map<number, CallItem>();
  readonly #hosted = new Map<number, HostedCall>();
  /** What the model said in this turn. */
  #said: MessageItem[] = [];
  /** While a turn that was told in part is told again. */
  #replay: Replay | null = null;
  /** Why the model ended; null until it has. */
  finishReason: string | null = null;

  /** `before`: items of earlier turns; `half`: what was told of the turn that comes. */
  constructor(options: OutputOptions, before: readonly string[] = [], half: HalfTurn | null = null) {
    this.#options = options;
    for (const json of before) this.#items.push(restored(this.#items.length, json, options.include));
    if (half !== null) this.#resumeTurn(half);
  }

  /** Whether the model says something else than was told. */
  get hasDiverged(): boolean {
    return this.#replay?.hasDiverged === true;
  }

  /** Where a turn that has ended is not what was told: messages that ask the model to go on from that; else null. */
  get continuation(): Replay['continuation'] | null {
    return this.#replay?.isShort === true ? this.#replay.continuation : null;
  }

  /** From here on all that the model says is new. */
  endReplay(): void {
    this.#replay = null;
  }

  /** Whether the model called tools of the service in this turn. */
  get callsHosted(): boolean {
    return this.#hosted.size > 0;
  }

  /** Each item as JSON, with what the caller did not ask for. */
  get whole(): readonly string[] {
    return this.#items.map((item) => item.whole ?? item.render());
  }

  take(event: ChatEvent): void {
    const { tell } = this.#options;
    if (event.type === 'text') {
      const replay = this.#replay;
      if (event.channel === 'reasoning') {
        if (replay?.takesThinking(event.json) !== true) this.#thinking().add(tell, event.json);
      } else if (replay?.takesContent(event.json) !== true)
        this.#message().add(tell, event.json, logprobsOf(event.logprobs));
    } else if (event.type === 'tool_call') this.#beginCall(event);
    else if (event.type === 'tool_arguments') {
      this.#functions.get(event.call)?.add(tell, event.json);
      this.#hosted.get(event.call)?.add(tell, event.json);
    } else if (event.type === 'finish') this.finishReason = event.reason;
  }

  /** Tells of tools of a server. */
  list(label: string, tools: readonly HostedTool[]): void {
    this.#items.push(listedTools(this.#options.tell, this.#items.length, label, tools));
  }

  /** Begins a call that the model is not asked for, as it was approved. */
  begin(call: HostedCall): HostedCall {
    return this.#open(call);
  }

  /** Goes on with a call that was begun before, in the place of its item. */
  resume(call: HostedCall, index: number, itemId: string): void {
    call.item = new HostedItem(index, call, this.#options.include, itemId);
    this.#items[index] = call.item;
  }

  /** Ends a turn after which the model is asked again, or the answer is complete: what it said and called is whole. */
  endTurn(): Turn {
    const { tell } = this.#options;
    this.#closeText('completed');
    for (const item of this.#functions.values()) item.close(tell, 'completed');
    const turn = {
      text: this.#said.reduce((text, item) => (text + item.text) as JsonText, EMPTY_JSON_TEXT),
      calls: [...this.#hosted.values()],
      callsFunctions: this.#functions.size > 0,
    };
    this.#said = [];
    this.#replay = null;
    this.#functions.clear();
    this.#hosted.clear();
    return turn;
  }

  /** Tells the end of what is open. Calls end last, as their arguments may come in turns. */
  end(status: EndStatus): void {
    const { tell } = this.#options;
    this.#closeText(status);
    for (const item of this.#functions.values()) item.close(tell, status);
    for (const call of this.#hosted.values()) call.item?.close(tell, status);
    this.#functions.clear();
    this.#hosted.clear();
  }

  /** The items, as a list in JSON. */
  render(): string {
    return `[${this.#items.map((item) => item.render()).join(',')}]`;
  }

  #beginCall({ call, id, name }: ChatEvent & { readonly type: 'tool_call' }): void {
    this.#closeText('completed');
    const tool = this.#options.hostedOf(name);
    if (tool !== undefined) this.#hosted.set(call, this.#open(new HostedCall(tool, id)));
    else this.#functions.set(call, this.#begin(new CallItem(this.#items.length, id, this.#options.nameOf(name))));
  }

  /** A call beyond those that are allowed has no item: it is not made. */
  #open(call: HostedCall): HostedCall {
    if (this.#options.mayCall())
      call.item = this.#begin(new HostedItem(this.#items.length, call, this.#options.include));
    return call;
  }

  /** Puts what was told in its place. */
  #resumeTurn(half: HalfTurn): void {
    const { tell } = this.#options;
    const { thinking, message } = half;
    if (thinking !== null) {
      const item = new ThinkingItem(thinking.index, this.#options, thinking);
      const whole = thinking.whole === null ? null : Buffer.from(thinking.whole, 'utf8').toString('latin1');
      this.#items[thinking.index] = whole === null ? item : restored(thinking.index, whole, this.#options.include);
      if (whole === null) this.#text = item;
    }
    if (message !== null) {
      const item = new MessageItem(message.index, this.#options.annotate, message);
      this.#items[message.index] = item;
      this.#said.push(item);
      this.#text = item;
    }
    this.#replay = new Replay(half, {
      thinking: (json) => this.#thinking().add(tell, json),
      content: (json) => this.#message().add(tell, json, []),
    });
  }

  #begin<Item extends OpenItem & { open(tell: Tell): void }>(item: Item): Item {
    this.#items.push(item);
    item.open(this.#options.tell);
    return item;
  }

  #closeText(status: EndStatus): void {
    this.#text?.close(this.#options.tell, status);
    this.#text = null;
  }

  #message(): MessageItem {
    if (this.#text instanceof MessageItem) return this.#text;
    this.#closeText('completed');
    const item = this.#begin(new MessageItem(this.#items.length, this.#options.annotate));
    this.#said.push(item);
    this.#text = item;
    return item;
  }

  #thinking(): ThinkingItem {
    if (this.#text instanceof ThinkingItem) return this.#text;
    this.#closeText('completed');
    const item = this.#begin(new ThinkingItem(this.#items.length, this.#options));
    this.#text = item;
    return item;
  }
}
