import { z } from 'zod';

// JSON-RPC 2.0 around both forms of A2A. Source: interface 2.5 and 7; decisions section 4.

/** Of a request; it is echoed with its type. */
export const RpcId = z.union([z.string(), z.number()]);

/** A request of any method, before its parameters are looked at. */
export const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  method: z.string().min(1),
  params: z.record(z.string(), z.unknown()).nullish(),
});
export type RpcRequest = z.infer<typeof RpcRequest>;

/** One entry of `error.data` in the 1.0 form. Source: google.rpc.ErrorInfo. */
export const ErrorInfo = z.object({
  '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
  reason: z.string(),
  domain: z.string(),
  metadata: z.record(z.string(), z.string()),
});

/** A failure; `id` is null where the request's could not be read. */
export const RpcFailure = z.object({
  jsonrpc: z.literal('2.0'),
  id: RpcId.nullable(),
  error: z.object({
    code: z.int().describe('-32700 to -32600 of JSON-RPC, -32001 to -32009 of A2A, -32091 to -32095 of this service'),
    message: z.string(),
    data: z
      .union([z.looseObject({ detail: z.string() }), z.array(ErrorInfo)])
      .describe('detail in the 0.3 form, a list of ErrorInfo in the 1.0 form'),
  }),
});
