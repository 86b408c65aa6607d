import { contentBlockTypes, toolResultPartTypes } from '@ai-studio/contract/messages/content.ts';
import { CountTokensRequest, MessagesRequest, MessagesTool } from '@ai-studio/contract/messages/request.ts';
import { compileCheck } from '../inference/index.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import { createUnknownFields } from '../responses/index.ts';

/** By this clients know that a conversation is to be sent whole. Source: the SDKs of Anthropic, message threads. */
const NO_THREADS = 'thread_unsupported_request';

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why tools that others run, or whose form models would have to know by heart, are not here: by the beginnings of their types. */
const otherTools: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:web_search|web_fetch|code_execution|tool_search_tool|mcp_toolset|advisor)/,
    'the service runs no tools for its callers; declare a tool of your own, with input_schema, and run it',
  ],
  [
    /^(?:bash|text_editor|computer|memory)_/,
    'models here do not know its form by heart; declare the same tool with an input_schema',
  ],
];

function refuseUnknownTool(tool: unknown, at: number): void {
  if (!isObject(tool)) return;
  const { type } = tool;
  if (typeof type !== 'string' || type === 'custom') return;
  const [, why = 'tools here have the type custom, and are run by the caller'] =
    otherTools.find(([pattern]) => pattern.test(type)) ?? [];
  throw invalidRequest(`tools[${at}].type ${quoteId(type)} is not available: ${why}`, `tools[${at}].type`);
}

/** Refuses what is not among the types that may stand there, with a word that names it. */
function refuseUnknownTypes(blocks: unknown, known: readonly string[], path: string): void {
  if (!Array.isArray(blocks)) return;
  blocks.forEach((block: unknown, at) => {
    if (!isObject(block)) return;
    const { type, content } = block;
    if (typeof type !== 'string') return;
    if (!known.includes(type))
      throw invalidRequest(
        `${path}[${at}].type ${quoteId(type)} cannot be given here: use ${known.join(', ')}`,
        `${path}[${at}].type`,
      );
    if (type === 'tool_result') refuseUnknownTypes(content, toolResultPartTypes, `${path}[${at}].content`);
  });
}

/** Fields that ask for what is not there: leaving them out would answer something else. */
const refusedFields: Readonly<Record<string, string>> = {
  mcp_servers: 'servers of tools are not asked for their callers; declare tools and run them',
  container: 'the service runs no code for its callers',
};

/** What is wrong with a request beyond the form of its fields. Throws StudioError. */
function checkBetweenFields({ thinking, max_tokens: maxTokens, tools }: MessagesRequest): void {
  // With tools, thinking goes on between calls, and its budget is that of the whole turn.
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= maxTokens && (tools ?? []).length === 0)
    throw invalidRequest(
      `thinking.budget_tokens (${thinking.budget_tokens}) must be less than max_tokens (${maxTokens})`,
      'thinking.budget_tokens',
    );
}

/** A request that was checked, and the names of fields that nobody knows. */
export interface ReadRequest<T> {
  readonly request: T;
  readonly ignored: readonly string[];
}

function checkBeforeFields(body: unknown): asserts body is Fields {
  if (!isObject(body)) throw invalidRequest('The body must be a JSON object');
  for (const [name, why] of Object.entries(refusedFields)) {
    const value = body[name];
    const isGiven = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
    if (isGiven) throw invalidRequest(`${name}: ${why}`, name);
  }
  const { messages, tools, thread } = body;
  // Clients of today begin one by themselves, and go on without it when they are told so.
  if (thread !== undefined && thread !== null)
    throw new StudioError('invalid_request', 'thread: conversations are not kept here; send all messages each time', {
      param: 'thread',
      reason: NO_THREADS,
    });
  if (Array.isArray(tools)) tools.forEach(refuseUnknownTool);
  if (!Array.isArray(messages)) return;
  messages.forEach((message: unknown, at) => {
    if (isObject(message)) refuseUnknownTypes(message['content'], contentBlockTypes, `messages[${at}].content`);
  });
}

const messages = compileCheck(MessagesRequest);
const counts = compileCheck(CountTokensRequest);
const within = { objects: ['output_config'], toolOf: () => MessagesTool };
const messagesFields = createUnknownFields(MessagesRequest, within);
const countFields = createUnknownFields(CountTokensRequest, within);

/** Checks the body of a message. Throws StudioError `invalid_request`, which names what is wrong. */
export function readRequest(body: unknown): ReadRequest<MessagesRequest> {
  checkBeforeFields(body);
  const request = messages.explain(body);
  checkBetweenFields(request);
  return { request, ignored: messagesFields(body) };
}

/** The same of a count of tokens. */
export function readCountRequest(body: unknown): ReadRequest<CountTokensRequest> {
  checkBeforeFields(body);
  return { request: counts.explain(body), ignored: countFields(body) };
}
