import type { CallToolResult, ContentBlock, Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { compileCheck, type ModelCall } from '../inference/index.ts';
import type { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { toStudioError } from '../ports/failure.ts';
import type { McpCaller, McpScope } from './caller.ts';

/** A call of a tool, whose arguments are not read yet. */
export interface ToolCall {
  readonly caller: McpCaller;
  /** Of the caller, and of the request: aborts when nobody waits, or the client cancels. */
  readonly signal: AbortSignal;
  /** The call as limits and usage know it; null for tools without an `admission`. */
  readonly admitted: ModelCall | null;
  /** Tells the client what is being done, where it asked to be told. */
  readonly progress: (message: string) => void;
}

/** By what name a call of a tool is metered, and the tokens to reserve for it. */
export interface ToolAdmission {
  readonly endpoint: string;
  readonly tokens: number;
}

export interface Tool {
  readonly listed: ListedTool;
  readonly scope: McpScope;
  /** Whether it may take so long that proxies cut a connection on which nothing is said. */
  readonly isSlow: boolean;
  /** Left out: calls count as requests, and meter what they use by themselves. */
  readonly admission?: (args: unknown) => ToolAdmission;
  /** Rejects with StudioError. */
  readonly run: (args: unknown, call: ToolCall) => Promise<CallToolResult>;
}

/** What a tool does to its surroundings. Source: MCP 2026-07-28, ToolAnnotations. */
export const readsOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

type Io = 'input' | 'output';

/** Says the same in words that clients with a single type for each value read, as model providers with a dialect of their own do. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, isOpen(key, value) ? true : portable(value)]),
  );
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  return { anyOf: type.map((one: unknown) => ({ type: one })), ...rest };
}
/** Whether any value may stand there. */
const isOpen = (key: string, value: unknown): boolean =>
  key === 'additionalProperties' && typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function jsonSchemaOf(schema: z.ZodObject, io: Io): ListedTool['inputSchema'] {
  const { $schema: _dialect, ...json } = portable(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as Record<
    string,
    unknown
  >;
  return { ...json, type: 'object' };
}

interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: McpScope;
  readonly input: I;
  readonly output: O;
  readonly annotations: NonNullable<ListedTool['annotations']>;
  readonly isSlow?: boolean;
  readonly admission?: Tool['admission'];
  readonly run: (input: z.output<I>, call: ToolCall) => Promise<z.input<O>>;
  /** What models are told; the result as JSON when left out, as connectors of chat products want it. */
  readonly tell?: (output: z.input<O>) => readonly string[];
  /** What stands behind the texts. */
  readonly attach?: (output: z.input<O>, call: ToolCall) => Promise<readonly ContentBlock[]>;
}

/** Defines a tool by the schemas of what it takes and gives. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: ToolDefinition<I, O>): Tool {
  const { name, title, description, scope, isSlow = false } = definition;
  const { input, output, annotations, admission, run, tell, attach } = definition;
  const { explain: read } = compileCheck(input);
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, 'input'),
      outputSchema: jsonSchemaOf(output, 'output'),
      annotations: { title, ...annotations },
    },
    scope,
    isSlow,
    ...(admission === undefined ? {} : { admission }),
    async run(args, call) {
      const result = await run(read(args ?? {}), call);
      const texts = tell?.(result) ?? [JSON.stringify(result)];
      const attached = (await attach?.(result, call)) ?? [];
      return {
        content: [...texts.map((text) => ({ type: 'text' as const, text })), ...attached],
        structuredContent: result,
      };
    },
  };
}

/** Why a tool failed, for the model or person that called it: they may call it better. Source: MCP 2026-07-28, Tools, "Error Handling". */
export function failedResult(error: unknown, requestId: string, log: Logger): CallToolResult {
  const known = toStudioError(error);
  if (known.code === 'internal') log.error({ requestId, err: error }, 'MCP: a tool failed');
  return { content: [{ type: 'text', text: messageOf(known) }], isError: true };
}

function messageOf({ code, message, retryAfterSeconds }: StudioError): string {
  if (retryAfterSeconds === undefined || /\btry again\b/.test(message)) return message;
  return `${message}. Try again in ${Math.ceil(retryAfterSeconds)} seconds${code === 'rate_limited' ? ' or later' : ''}`;
}
