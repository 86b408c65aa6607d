import type { InputItem, InputPart } from '@ai-studio/contract/responses/items.ts';
import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { flatName, flatTools } from './tool-names.ts';

// A response is a chat in another form: this turns its items into messages, and its settings into those of a chat.

type Fields = Record<string, unknown>;

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
  if (part.type !== 'input_image') return { type: 'text', text: textOf(part) ?? '' };
  const { image_url: url, detail } = part;
  if (!url) throw invalidRequest(`${path}.image_url is missing: files by id are not kept here`, `${path}.image_url`);
  const level = detail === 'original' ? 'high' : detail;
  return { type: 'image_url', image_url: { url, ...(level ? { detail: level } : {}) } };
}

/** Gathers messages; what the model said and called in one turn is one message. */
class Messages {
  readonly list: Fields[] = [];

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
      // What is referred to stands before; thinking is not given to models again.
      case 'item_reference':
      case 'reasoning':
        return undefined;
    }
  }

  #addMessage({ role, content }: InputItem & { type: 'message' }, path: string): void {
    if (role === 'assistant') {
      const message = this.#assistant();
      const text = plainText(content, path, 'an answer');
      message.content = message.content === null ? text : `${message.content}${text}`;
    } else if (role === 'user' && typeof content !== 'string') {
      const parts = content.map((part, at) => userPart(part, `${path}[${at}]`));
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

function toolFields({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ResponseRequest): Fields {
  const known = flatTools(tools ?? []);
  if (known.size === 0) {
    if (choice && choice !== 'auto' && choice !== 'none')
      throw invalidRequest('tool_choice asks for a function, and tools has none', 'tool_choice');
    return {};
  }
  const allowed = typeof choice === 'object' && choice?.type === 'allowed_tools' ? choice : null;
  const names = allowed && new Set(allowed.tools.map(({ name }) => name));
  const missing = [...(names ?? [])].find((name) => !known.has(name));
  if (missing !== undefined)
    throw invalidRequest(`tool_choice.tools names ${quoteId(missing)}, which is not among tools`, 'tool_choice.tools');
  const given = [...known.values()].flatMap(({ tool }) => (names === null || names.has(tool.name) ? [tool] : []));
  const chosen =
    allowed?.mode ?? (typeof choice === 'object' && choice?.type === 'function' ? asChatChoice(choice.name) : choice);
  return {
    tools: given.map(({ type, ...tool }) => ({ type, function: withoutNulls(tool) })),
    ...(chosen === undefined || chosen === null ? {} : { tool_choice: chosen }),
    ...(typeof parallel === 'boolean' ? { parallel_tool_calls: parallel } : {}),
  };
}
const asChatChoice = (name: string) => ({ type: 'function', function: { name } });

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
}

/** The body of the chat that answers a request. Throws StudioError. */
export function chatBodyOf(request: ResponseRequest, { before, items }: ChatContext): Buffer {
  const { model, temperature, top_p, max_output_tokens: max_tokens, reasoning } = request;
  const fields = {
    model,
    temperature,
    top_p,
    max_tokens,
    reasoning_effort: reasoning?.effort,
    ...(wantsLogprobs(request) ? { logprobs: true, top_logprobs: request.top_logprobs ?? 0 } : {}),
  };
  return Buffer.from(
    JSON.stringify({
      ...withoutNulls(fields),
      messages: messagesOf([...before, ...items], before.length, request.instructions ?? null),
      ...toolFields(request),
      ...formatFields(request),
      stream: true,
    }),
  );
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
export function inTermsOfResponses(error: unknown): unknown {
  if (!(error instanceof StudioError) || error.param === null) return error;
  const [pattern, name] = fieldNames.find(([wrong]) => wrong.test(error.param ?? '')) ?? [];
  if (pattern === undefined || name === undefined) return error;
  const { code, retryAfterSeconds, reason, values } = error;
  return new StudioError(code, error.message, {
    // Places among messages are not those among items.
    param: name === 'input' ? name : error.param.replace(pattern, name),
    cause: error,
    values,
    ...(reason === null ? {} : { reason }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
