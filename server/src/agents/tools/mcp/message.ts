import { z } from 'zod';

// Messages of the Model Context Protocol, of which only what is needed is read. Source: MCP 2025-06-18, 2025-11-25, 2026-07-28.

/** The version without sessions: each request is complete in itself. */
export const MODERN = '2026-07-28';
/** Versions whose sessions begin with `initialize`. The client offers the first. */
export const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const RpcError = z.object({ code: z.number(), message: z.string().default(''), data: z.unknown().optional() });
export type RpcError = z.infer<typeof RpcError>;

/** A request, a notification or a response. */
const Message = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: RpcError.optional(),
});
export type Message = z.infer<typeof Message>;

/** The messages of a body: 2025-03-26 allows several in one. What is no message is left out. */
export function messagesOf(value: unknown): readonly Message[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => {
    const read = Message.safeParse(one);
    return read.success ? [read.data] : [];
  });
}

export const isResponse = ({ method, result, error }: Message) =>
  method === undefined && (result !== undefined || error !== undefined);

/** Error codes of servers that speak {@link MODERN}, or versions like it. */
export const UNSUPPORTED_VERSION = -32_022;
const MODERN_CODES = new Set([-32_020, -32_021, UNSUPPORTED_VERSION]);
export const isModernError = ({ code }: RpcError) => MODERN_CODES.has(code);

export const Initialized = z.object({ protocolVersion: z.string(), instructions: z.string().optional() });
export const Discovered = z.object({ supportedVersions: z.array(z.string()) });
export const SupportedVersions = z.object({ supported: z.array(z.string()) });

export const ListedTools = z.object({
  tools: z.array(
    z.object({
      name: z.string().min(1),
      title: z.string().nullish(),
      description: z.string().nullish(),
      inputSchema: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
  nextCursor: z.string().nullish(),
});

/** The result of a tool. Content of unknown types is kept. */
export const CalledTool = z.object({
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish().catch(null),
  resultType: z.string().nullish().catch(null),
});
export type CalledTool = z.infer<typeof CalledTool>;
