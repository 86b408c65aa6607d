import type { InputItem, InputPart } from '@ai-studio/contract/responses/items.ts';
import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import { flatName, flatTools } from './tool-names.ts';
import type { HostedTool } from './tools/hosted-tool.ts';

// A response is a chat in another form: this turns its items into messages, and its settings into those of a chat.

/** A message or settings of a chat. */
export type Fields = Record<string, unknown>;

interface AssistantMessage extends Fields {
  role: 'assistant';
  content: string | null;
  tool_calls?: Fields[];
}

const textOf = (part: InputPart): string | null =>
  part.type === 'input_text' || part.type === 'output_text' ? part.text : part.type === 'refusal' ? part.refusal : null;

/** Pieces that are text alone, as one; for messages and results that can't have others. */
function plainText(content: string | readonly InputPart[], path: string, what: string): string {
  if (typeof content === 'string') return content;
  return content
    .map((part, at) => {
      const text = textOf(part);
      if (text !== null) return text;
      throw invalidRequest(`${path}[${at}].type: ${what} can have text alone`, `${path}[${at}].type`);
    })
    .join('');
}

function userPart(part: InputPart, path: string): Fields {
  // Agents alone are given files; to others they are texts by now.
  if (part.type === 'input_file')
    return { type: 'file', file: { file_data: part.file_data, ...(part.filename ? { filename: part.filename } : {}) } };
  if (part.type !== 'input_image') return { type: 'text', text: textOf(part) ?? '' };
  const { image_url: url, detail } = part;
  if (!url) throw invalidRequest(`${path}.image_url is missing: files by id are not kept here`, `${path}.image_url`);
  const level = detail === 'original' ? 'high' : detail;
  return { type: 'image_url', image_url: { url, ...(level ? { detail: level } : {}) } };
}

/** A name as models take them. */
const asToolName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool';

/** What a failed call of a tool said. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { content, message } = (error ?? {}) as { readonly content?: unknown; readonly message?: unknown };
  if (typeof message === 'string') return message;
  const parts = Array.isArray(content) ? (content as { readonly text?: unknown }[]) : [];
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('') || 'The tool failed';
}

const declined = (reason: string | null | undefined) =>
  reason ? `The user declined this call: ${reason}` : 'The user declined this call';

/** Gathers messages; what the model said and called in one turn is one message. */
class Messages {
  readonly list: Fields[] = [];
  /** Calls that asked for approval, by the ids of their items. */
  readonly #asked = new Map<string, InputItem & { readonly type: 'mcp_approval_request' }>();

  add(item: InputItem, path: string): void {
    switch (item.type) {
      case 'message':
        return this.#addMessage(item, `${path}.content`);
      case 'function_call': {
        const message = this.#assistant();
        (message.tool_calls ??= []).push({
          id: item.call_id,
          type: 'function',
          function: {
            name: flatName({ name: item.name, namespace: item.namespace ?? null }),
            arguments: item.arguments,
          },
        });
        return undefined;
      }
      case 'function_call_output':
        this.list.push({
          role: 'tool',
          tool_call_id: item.call_id,
          content: plainText(item.output, `${path}.output`, 'the result of a function'),
        });
        return undefined;
      case 'mcp_call':
        return this.#addCall(item.name, item.arguments, item.output ?? errorText(item.error), item.id);
      case 'file_search_call': {
        const { queries, results, id } = item;
        // What was found and is not there any more was told in the answer.
        if (!results || results.length === 0) return undefined;
        const told = results.map(({ filename, text }) => `${filename}\n${text}`).join('\n\n');
        return this.#addCall('file_search', JSON.stringify({ queries }), told, id);
      }
      case 'mcp_approval_request':
        if (item.id) this.#asked.set(item.id, item);
        return undefined;
      case 'mcp_approval_response': {
        const asked = this.#asked.get(item.approval_request_id);
        // One that was approved was made, and stands as a call of its own.
        if (asked === undefined || item.approve) return undefined;
        return this.#addCall(asked.name, asked.arguments, declined(item.reason), item.approval_request_id);
      }
      // What is referred to stands before; thinking is not given to models again.
      case 'item_reference':
      case 'reasoning':
      case 'web_search_call':
      case 'mcp_list_tools':
        return undefined;
    }
  }

  /** A call of a tool of the service, and what it gave. */
  #addCall(name: string, args: string, told: string, id: string | null | undefined): void {
    const callId = id ?? `call_${this.list.length}`;
    const message = this.#assistant();
    (message.tool_calls ??= []).push({
      id: callId,
      type: 'function',
      function: { name: asToolName(name), arguments: args },
    });
    this.list.push({ role: 'tool', tool_call_id: callId, content: told });
  }

  #addMessage({ role, content }: InputItem & { type: 'message' }, path: string): void {
    if (role === 'assistant') {
      const message = this.#assistant();
      const text = plainText(content, path, 'an answer');
      message.content = message.content === null ? text : `${message.content}${text}`;
    } else if (role === 'user' && typeof content !== 'string') {
      // A file that was named by id is not looked for again once it was answered.
      const told = content.filter((part) => part.type !== 'input_file' || part.file_data);
      const parts = told.map((part, at) => userPart(part, `${path}[${at}]`));
      this.list.push({ role, content: parts.length === 0 ? '' : parts });
    } else {
      this.list.push({ role, content: plainText(content, path, `a message of the role ${role}`) });
    }
  }

  /** The answer that is being gathered, or a new one. Calls come behind the text of their turn. */
  #assistant(): AssistantMessage {
    const last = this.list.at(-1);
    if (last?.['role'] === 'assistant') return last as AssistantMessage;
    const message: AssistantMessage = { role: 'assistant', content: null };
    this.list.push(message);
    return message;
  }
}

/** Items as a text or a list give them. */
export const itemsOf = (input: ResponseRequest['input']): readonly InputItem[] =>
  typeof input === 'string' ? (input === '' ? [] : [{ type: 'message', role: 'user', content: input }]) : (input ?? []);

/** The messages of a conversation; `from` is how many items came before those of the request. Throws StudioError. */
function messagesOf(items: readonly InputItem[], from: number, instructions: string | null): Fields[] {
  const messages = new Messages();
  if (instructions !== null && instructions !== '') messages.list.push({ role: 'system', content: instructions });
  items.forEach((item, at) => messages.add(item, `input[${at - from}]`));
  return messages.list;
}

type ToolChoice = NonNullable<ResponseRequest['tool_choice']>;
type ChosenTool = Exclude<ToolChoice, string | { readonly type: 'allowed_tools' }>;

/** Names by which the model knows a tool of a choice. */
function namesOf(
  chosen: ChosenTool,
  functions: ReadonlyMap<string, unknown>,
  hosted: readonly HostedTool[],
): readonly string[] {
  if (chosen.type === 'function') return functions.has(chosen.name) ? [chosen.name] : [];
  const isChosen = ({ kind, server }: HostedTool) => {
    if (chosen.type !== 'mcp') return kind === (chosen.type === 'file_search' ? 'file_search' : 'web_search');
    return server?.label === chosen.server_label && (!chosen.name || server.tool === chosen.name);
  };
  return hosted.filter(isChosen).map(({ name }) => name);
}

const describeChoice = (chosen: ChosenTool) =>
  quoteId(chosen.type === 'function' ? chosen.name : chosen.type === 'mcp' ? chosen.server_label : chosen.type);

/** Tools as a model is given them in one turn. */
export interface TurnTools {
  readonly hosted: readonly HostedTool[];
  /** In the first turn a choice may ask for a call; later ones may answer. */
  readonly isFirst: boolean;
  /** The model has to answer now. */
  readonly mustAnswer: boolean;
}

/** What of its tools a model may choose from, as the request says; null for all of them. Throws StudioError `invalid_request`. */
function choiceOf(
  { tool_choice: choice }: ResponseRequest,
  functions: ReadonlyMap<string, unknown>,
  hosted: readonly HostedTool[],
): { readonly mode: unknown; readonly names: ReadonlySet<string> | null } {
  if (choice === null || choice === undefined || typeof choice === 'string') return { mode: choice, names: null };
  const wanted = choice.type === 'allowed_tools' ? choice.tools : [choice];
  const found = wanted.map((one) => namesOf(one, functions, hosted));
  const missing = wanted.find((_, at) => found[at]?.length === 0);
  if (missing !== undefined) {
    const param = choice.type === 'allowed_tools' ? 'tool_choice.tools' : 'tool_choice';
    throw invalidRequest(`${param} names ${describeChoice(missing)}, which is not among tools`, param);
  }
  const names = new Set(found.flat());
  if (choice.type === 'allowed_tools') return { mode: choice.mode, names };
  const [only = ''] = names;
  // Of several tools of one server the model is given those alone, and must call one.
  return names.size === 1 ? { mode: asChatChoice(only), names: null } : { mode: 'required', names };
}
const asChatChoice = (name: string) => ({ type: 'function', function: { name } });

function toolFields(request: ResponseRequest, { hosted, isFirst, mustAnswer }: TurnTools): Fields {
  const { tool_choice: choice, parallel_tool_calls: parallel } = request;
  const functions = flatTools(request.tools ?? []);
  if (functions.size + hosted.length === 0) {
    if (isFirst && choice && choice !== 'auto' && choice !== 'none')
      throw invalidRequest('tool_choice asks for a tool, and tools has none', 'tool_choice');
    return {};
  }
  const { mode, names } = isFirst ? choiceOf(request, functions, hosted) : laterChoice(request, functions, hosted);
  const declared = [
    ...[...functions.values()].map(({ tool: { type: _, ...tool } }) => tool),
    ...hosted.map(({ name, description, parameters }) => ({ name, description, parameters })),
  ].filter(({ name }) => names === null || names.has(name));
  const chosen = mustAnswer ? 'none' : mode;
  return {
    tools: declared.map((tool) => ({ type: 'function', function: withoutNulls(tool) })),
    ...(chosen === undefined || chosen === null ? {} : { tool_choice: chosen }),
    ...(typeof parallel === 'boolean' ? { parallel_tool_calls: parallel } : {}),
  };
}

/** After its first turn a model may answer, whatever had to be called in that. */
function laterChoice(...[request, functions, hosted]: Parameters<typeof choiceOf>): ReturnType<typeof choiceOf> {
  const { tool_choice: choice } = request;
  if (choice === 'none') return { mode: 'none', names: null };
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return { mode: 'auto', names: null };
  const names = new Set(choice.tools.flatMap((one) => namesOf(one, functions, hosted)));
  return names.size === 0 ? { mode: 'none', names: null } : { mode: 'auto', names };
}

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

function formatFields({ text }: ResponseRequest): Fields {
  const format = text?.format;
  if (!format || format.type === 'text') return {};
  if (format.type === 'json_object') return { response_format: format };
  const { type, ...schema } = format;
  return { response_format: { type, json_schema: withoutNulls(schema) } };
}

/** Whether log probabilities are wanted. */
export const wantsLogprobs = ({ include, top_logprobs: top }: ResponseRequest): boolean =>
  (top ?? 0) > 0 || (include?.includes('message.output_text.logprobs') ?? false);

/** What a model is told: items of the request, behind those of what it goes on from. Documents stand in them as text. */
export interface ChatContext {
  readonly before: readonly InputItem[];
  readonly items: readonly InputItem[];
  /** Messages of turns of this response: what the model said and called, and what that gave. */
  readonly turns: readonly Fields[];
  readonly tools: TurnTools;
  /** Makes the model say the same where it is asked again; null where that is not wanted. */
  readonly seed: number | null;
}

/** Messages of a turn of the model: what it said, its calls of tools of the service, and what those gave. */
export const turnMessages = (
  said: string,
  calls: readonly { readonly id: string; readonly name: string; readonly arguments: string; readonly told: string }[],
): readonly Fields[] => [
  {
    role: 'assistant',
    content: said === '' ? null : said,
    tool_calls: calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  },
  ...calls.map(({ id, told }) => ({ role: 'tool', tool_call_id: id, content: told })),
];

/** The body of the chat that answers a request. Throws StudioError. */
export function chatBodyOf(request: ResponseRequest, { before, items, turns, tools, seed }: ChatContext): Fields {
  const { model, temperature, top_p, max_output_tokens: max_tokens, reasoning } = request;
  const fields = {
    model,
    temperature,
    top_p,
    max_tokens,
    reasoning_effort: reasoning?.effort === 'max' ? 'xhigh' : reasoning?.effort,
    seed,
    ...(wantsLogprobs(request) ? { logprobs: true, top_logprobs: request.top_logprobs ?? 0 } : {}),
  };
  return {
    ...withoutNulls(fields),
    messages: [...messagesOf([...before, ...items], before.length, request.instructions ?? null), ...turns],
    ...toolFields(request, tools),
    ...formatFields(request),
    stream: true,
  };
}

/** Fields of a chat by those of a response that they come from. */
const fieldNames: readonly (readonly [RegExp, string])[] = [
  [/^messages(?=$|[[.])/, 'input'],
  [/^max_(?:completion_)?tokens$/, 'max_output_tokens'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^response_format(?:\.json_schema)?/, 'text.format'],
  [/\.function(?=\.|$)/, ''],
];

/** A failure of the chat, in terms of the request. */
export function inTermsOfResponses(failure: unknown): unknown {
  const isRefusal = failure instanceof EngineError && failure.kind === 'refused';
  const error = isRefusal ? toStudioError(failure) : failure;
  if (!(error instanceof StudioError) || error.param === null) return error;
  const [pattern, name] = fieldNames.find(([wrong]) => wrong.test(error.param ?? '')) ?? [];
  if (pattern === undefined || name === undefined) return error;
  const { code, retryAfterSeconds, reason, values } = error;
  // Places among messages are not those among items.
  const param = name === 'input' ? name : error.param.replace(pattern, name);
  return new StudioError(
    code,
    error.message.replace(error.param, () => param),
    {
      param,
      cause: error,
      values,
      ...(reason === null ? {} : { reason }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  );
}
