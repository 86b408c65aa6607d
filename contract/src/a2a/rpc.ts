import { z } from 'zod';
import { described } from '../described.ts';

// JSON-RPC 2.0 around both forms of A2A. Source: interface 2.5 and 7; decisions section 4.

/** Source: interface section 2.5. */
export const RpcId = z
  .union([z.string(), z.number()])
  .describe('Id of a request, a string or a number; the reply repeats it with its type');

/** Source: interface section 2.5. */
export const RpcRequest = described('A JSON-RPC 2.0 request of any method, before its parameters are checked', {
  jsonrpc: z.literal('2.0'),
  id: RpcId,
  method: z.string().min(1).describe('Name of the method, such as message/send'),
  params: z.record(z.string(), z.unknown()).nullish().describe('Parameters of the method'),
});
export type RpcRequest = z.infer<typeof RpcRequest>;

export const ErrorInfo = described('One entry of error.data in the 1.0 form: google.rpc.ErrorInfo', {
  '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
  reason: z.string().describe('Stable name of the error in capitals, such as TASK_NOT_FOUND'),
  domain: z.string().describe('Who defines the reason, such as a2a-protocol.org'),
  metadata: z.record(z.string(), z.string()).describe('Further facts of the error, by name'),
});

/** Source: interface section 7; decisions section 4. */
export const RpcFailure = described('A JSON-RPC error', {
  jsonrpc: z.literal('2.0'),
  id: RpcId.nullable().describe('Id of the request; null where it could not be read'),
  error: described('What went wrong', {
    code: z
      .int()
      .describe('Code of JSON-RPC (-32700 to -32600), of A2A (-32001 to -32009) or of this service (-32091 to -32095)'),
    message: z.string().describe('What went wrong, in a few words'),
    data: z
      .union([z.looseObject({ detail: z.string().describe('What went wrong, in a sentence') }), z.array(ErrorInfo)])
      .describe('An object with detail in the 0.3 form; a list of ErrorInfo in the 1.0 form'),
  }),
});
