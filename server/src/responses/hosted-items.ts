import type { ResponseEventType } from '@ai-studio/contract/responses/response.ts';
import type { ToolResult } from '../agents/index.ts';
import { hexId } from '../kernel/ids.ts';
import { EMPTY_JSON_TEXT, fromJsonText, type JsonText, toJsonText } from '../kernel/json-text.ts';
import { toJsonBytes } from './json-bytes.ts';
import type { FileSearchData, HostedTool, WebSearchData } from './tools/hosted-tool.ts';

// Items of tools that the service runs, and the events that tell of them. Source: OpenAI API reference, "Responses", "Streaming events".

/** How an item ends. */
export type EndStatus = 'completed' | 'incomplete';

/** Sends one event: its name and its members beside `type` and `sequence_number`. */
export type Tell = (type: ResponseEventType, members: string) => void;

/** An item of an answer. */
export interface OpenItem {
  readonly index: number;
  /** The item as it stands. */
  render(): string;
  /** The same with what the caller did not ask for, where there is more. */
  readonly whole?: string;
  /** Tells its end. */
  close(tell: Tell, status: EndStatus): void;
}

export const closeItem = (tell: Tell, item: OpenItem): void =>
  tell('response.output_item.done', `"output_index":${item.index},"item":${item.render()}`);

type Fields = Record<string, unknown>;

/** What a call is in the answer. */
interface CallForm {
  readonly prefix: string;
  readonly type: string;
  /** What events of it begin with; null where there are none of its own. */
  readonly events: 'response.file_search_call' | 'response.web_search_call' | 'response.mcp_call' | null;
  /** Whether its failure has an event of its own. */
  readonly tellsFailure: boolean;
  readonly fields: (call: HostedCall) => Fields;
  readonly results: (result: ToolResult) => Fields;
  /** Fields that are shown only where the caller asks for them, with what stands in their place. */
  readonly hidden?: { readonly include: string; readonly without: (fields: Fields) => Fields };
}

const serverFields = ({ tool: { server } }: HostedCall) => ({ server_label: server?.label, name: server?.tool });

const forms: Readonly<Record<HostedTool['kind'] | 'approval', CallForm>> = {
  file_search: {
    prefix: 'fs',
    type: 'file_search_call',
    events: 'response.file_search_call',
    tellsFailure: false,
    fields: () => ({ queries: [], results: null }),
    results({ result }) {
      const data = result as FileSearchData | null;
      return data === null ? {} : { queries: data.queries, results: data.results };
    },
    hidden: { include: 'file_search_call.results', without: (fields) => ({ ...fields, results: null }) },
  },
  web_search: {
    prefix: 'ws',
    type: 'web_search_call',
    events: 'response.web_search_call',
    tellsFailure: false,
    fields: () => ({ action: { type: 'search', query: '' } }),
    results({ result }) {
      const data = result as WebSearchData | null;
      return data === null ? {} : { action: { type: 'search', query: data.query, sources: data.sources } };
    },
    hidden: {
      include: 'web_search_call.action.sources',
      without: ({ action, ...fields }) => ({ ...fields, action: { ...(action as Fields), sources: undefined } }),
    },
  },
  mcp: {
    prefix: 'mcp',
    type: 'mcp_call',
    events: 'response.mcp_call',
    tellsFailure: true,
    fields: (call) => ({
      ...serverFields(call),
      arguments: '',
      output: null,
      error: null,
      approval_request_id: call.approvalId,
    }),
    results: ({ failed, text }) =>
      failed ? { error: { type: 'tool_execution_error', content: [{ type: 'text', text }] } } : { output: text },
  },
  approval: {
    prefix: 'mcpr',
    type: 'mcp_approval_request',
    events: null,
    tellsFailure: false,
    fields: (call) => ({ ...serverFields(call), arguments: '' }),
    results: () => ({}),
  },
};

/** A tool of the service that a model calls. */
export class HostedCall {
  readonly tool: HostedTool;
  /** Id of the call for the model. */
  readonly id: string;
  /** The request of which this call is the approved one. */
  readonly approvalId: string | null;
  /** Null where it is not made. */
  item: HostedItem | null = null;
  #arguments: JsonText = EMPTY_JSON_TEXT;

  /** `known`: of one whose arguments are whole. */
  constructor(
    tool: HostedTool,
    id: string,
    known: { readonly arguments: string; readonly approvalId: string | null } = { arguments: '', approvalId: null },
  ) {
    this.tool = tool;
    this.id = id;
    this.approvalId = known.approvalId;
    this.#arguments = toJsonText(known.arguments);
  }

  /** Whether a person is asked before it is made. */
  get asks(): boolean {
    return this.tool.server?.asks === true && this.approvalId === null;
  }

  /** JSON, as the model wrote it. */
  get arguments(): string {
    return fromJsonText(this.#arguments);
  }

  add(tell: Tell, json: JsonText): void {
    this.#arguments = (this.#arguments + json) as JsonText;
    this.item?.addArguments(tell, json);
  }
}

/** Items as a caller is shown them, who asked for so much to be included. */
export function shownItem<Item extends { readonly type: string }>(item: Item, include: ReadonlySet<string>): Item {
  const hidden = Object.values(forms).find(({ type }) => type === item.type)?.hidden;
  if (hidden === undefined || include.has(hidden.include)) return item;
  return hidden.without(item) as unknown as Item;
}

/** The item of a call. */
export class HostedItem implements OpenItem {
  readonly index: number;
  readonly id: string;
  readonly #call: HostedCall;
  readonly #form: CallForm;
  readonly #include: ReadonlySet<string>;
  #fields: Fields;
  #isDone = false;

  /** `id`: of one that was begun before. */
  constructor(index: number, call: HostedCall, include: ReadonlySet<string>, id?: string) {
    this.index = index;
    this.#call = call;
    this.#include = include;
    this.#form = forms[call.asks ? 'approval' : call.tool.kind];
    this.id = id ?? `${this.#form.prefix}_${hexId()}`;
    this.#fields = this.#form.fields(call);
    if (!call.asks) this.#fields = { status: 'in_progress', ...this.#fields };
  }

  open(tell: Tell): void {
    tell('response.output_item.added', `"output_index":${this.index},"item":${this.render()}`);
    this.#tellStep(tell, 'in_progress');
  }

  addArguments(tell: Tell, json: JsonText): void {
    if (this.#form.type !== 'mcp_call') return;
    tell('response.mcp_call_arguments.delta', `${this.#place},"delta":"${json}"`);
  }

  /** The model has written all of its arguments. */
  endArguments(tell: Tell): void {
    if (!('arguments' in this.#fields)) return;
    const { arguments: written } = this.#call;
    this.#fields = { ...this.#fields, arguments: written };
    if (this.#form.type !== 'mcp_call') return;
    tell('response.mcp_call_arguments.done', `${this.#place},"arguments":${toJsonBytes(written)}`);
  }

  /** It is being run. */
  start(tell: Tell): void {
    if (this.#call.tool.kind !== 'mcp') this.#tellStep(tell, 'searching');
  }

  /** It was run. */
  finish(tell: Tell, result: ToolResult): void {
    this.#fields = {
      ...this.#fields,
      ...this.#form.results(result),
      ...(this.#call.asks ? {} : { status: result.failed ? 'failed' : 'completed' }),
    };
    if (!result.failed) this.#tellStep(tell, 'completed');
    else if (this.#form.tellsFailure) this.#tellStep(tell, 'failed');
    this.#end(tell);
  }

  /** A person is asked whether it may be made. */
  ask(tell: Tell): void {
    this.#end(tell);
  }

  close(tell: Tell, status: EndStatus): void {
    if (this.#isDone) return;
    if ('status' in this.#fields) this.#fields = { ...this.#fields, status };
    this.#end(tell);
  }

  render(): string {
    return toJsonBytes(shownItem(this.#whole, this.#include));
  }

  /** With what the caller did not ask for. */
  get whole(): string {
    return toJsonBytes(this.#whole);
  }

  get #whole() {
    return { id: this.id, type: this.#form.type, ...this.#fields };
  }

  get #place(): string {
    return `"item_id":"${this.id}","output_index":${this.index}`;
  }

  #tellStep(tell: Tell, step: 'in_progress' | 'searching' | 'completed' | 'failed'): void {
    // Which steps a tool has is said where they are told.
    if (this.#form.events !== null) tell(`${this.#form.events}.${step}` as ResponseEventType, this.#place);
  }

  #end(tell: Tell): void {
    this.#isDone = true;
    closeItem(tell, this);
  }
}

/** Tells of the tools of a server, and returns their item. */
export function listedTools(tell: Tell, index: number, label: string, tools: readonly HostedTool[]): OpenItem {
  const id = `mcpl_${hexId()}`;
  const list = tools.map(({ server, description, parameters }) => ({
    name: server?.tool,
    description,
    input_schema: parameters,
    annotations: null,
  }));
  const render = (shown: readonly unknown[]) =>
    toJsonBytes({ id, type: 'mcp_list_tools', server_label: label, tools: shown, error: null });
  const place = `"item_id":"${id}","output_index":${index}`;
  tell('response.output_item.added', `"output_index":${index},"item":${render([])}`);
  tell('response.mcp_list_tools.in_progress', place);
  tell('response.mcp_list_tools.completed', place);
  const json = render(list);
  const item = { index, render: () => json, close: () => undefined };
  closeItem(tell, item);
  return item;
}
