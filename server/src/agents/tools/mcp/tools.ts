import {
  MAX_TEXT_LENGTH,
  type ToolCallOptions,
  type ToolParameters,
  type ToolResult,
  failedCall,
  succeeded,
} from '../tool.ts';
import { MAX_PARAMETERS, MAX_TOOLS } from '../limits.ts';
import { problem } from '../problem.ts';
import type { McpClient } from './client.ts';
import { CalledTool, ListedTools } from './message.ts';
import { mcpFile } from './files.ts';
import { paramHeaders } from './param-headers.ts';

/** A tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}

const MAX_PAGES = 50;
const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 4_000;

/** All tools of a server, page by page. Throws as the client does, and `unavailable` for an unreadable list or too many tools. */
export async function listTools(client: McpClient, signal: AbortSignal): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { result, truncated } = await client.request(
      { method: 'tools/list', params: cursor ? { cursor } : {} },
      signal,
    );
    const { data } = ListedTools.safeParse(result);
    if (!data || truncated)
      throw problem('unreadable', 'What the tool server gives as its tools cannot be read, or is too long');
    for (const { name, title, description, inputSchema } of data.tools) {
      const parameters = { ...inputSchema, type: 'object' };
      if (name.length > MAX_NAME_LENGTH || JSON.stringify(parameters).length > MAX_PARAMETERS) continue;
      const text = (description ?? '') === '' ? (title ?? '') : (description ?? '');
      tools.push({ name, description: text.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(), parameters });
    }
    if (tools.length > MAX_TOOLS)
      throw problem('too_many', `The tool server has more than ${MAX_TOOLS} tools`, { values: { most: MAX_TOOLS } });
    // A page that leads back to itself would never end.
    if (!data.nextCursor || data.nextCursor === cursor) return tools;
    cursor = data.nextCursor;
  }
  throw problem('unreadable', 'The list of tools of the tool server does not end');
}

type Part = CalledTool['content'][number];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const sizeOf = (base64: unknown) => Math.floor((textOf(base64).length * 3) / 4).toLocaleString('en');

/** A part as text. Pictures and the like are named only: a model that reads texts has no use for their bytes. */
function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return textOf(part['text']);
    case 'image':
    case 'audio':
      return `[${part.type}: ${textOf(part['mimeType']) || 'of unknown type'}, ${sizeOf(part['data'])} bytes; not shown]`;
    case 'resource_link':
      return `[link: ${textOf(part['title']) || textOf(part['name'])} ${textOf(part['uri'])}]`;
    case 'resource': {
      const resource = (part['resource'] ?? {}) as Readonly<Record<string, unknown>>;
      const head = `[resource ${textOf(resource['uri'])}]`;
      if (typeof resource['text'] === 'string') return `${head}\n${resource['text']}`;
      return `${head} ${textOf(resource['mimeType']) || 'of unknown type'}, ${sizeOf(resource['blob'])} bytes; not shown`;
    }
    default:
      return `[${part.type.slice(0, 40)}; not shown]`;
  }
}

const TRUNCATED_NOTE = '\n[Cut: the tool gave more than can be taken; ask for less of it]';

/** A result as models and nodes get it. */
function resultOf({ content, structuredContent, isError, resultType }: CalledTool, truncated: boolean): ToolResult {
  if (resultType !== null && resultType !== undefined && resultType !== 'complete')
    return failedCall(
      `The tool did not end: it asks for something that it cannot be given here (${resultType.slice(0, 40)})`,
    );
  const parts = content.map(partText).filter((text) => text !== '');
  const whole =
    parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n');
  const text = truncated
    ? whole.slice(0, MAX_TEXT_LENGTH - TRUNCATED_NOTE.length).toWellFormed() + TRUNCATED_NOTE
    : whole;
  if (isError === true) return failedCall(text === '' ? 'The tool failed, and does not say why' : text);
  const result = succeeded(text === '' ? '[The tool gave nothing]' : text, structuredContent);
  // Of an answer that was cut no file is whole for certain.
  const files = truncated ? [] : content.flatMap((part, index) => mcpFile(part, index) ?? []);
  return files.length === 0 ? result : { ...result, files };
}

/** Calls a tool. Throws as the client does. */
export async function callTool(
  client: McpClient,
  { name, parameters }: ListedTool,
  args: Readonly<Record<string, unknown>>,
  { signal, idempotencyKey }: ToolCallOptions,
): Promise<ToolResult> {
  const { result, truncated } = await client.request(
    {
      method: 'tools/call',
      name,
      params: { name, arguments: args },
      meta: { progressToken: idempotencyKey, idempotencyKey },
      headers: { 'idempotency-key': idempotencyKey, ...paramHeaders(parameters, args) },
    },
    signal,
  );
  return resultOf(CalledTool.parse(result), truncated);
}
