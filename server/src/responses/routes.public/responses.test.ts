import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { expect, test } from 'vitest';
import { kept, type ResponseRouteDeps } from './responses.ts';

type Listed = InputItem & { readonly id: string };

/** The items that are listed of a response that was made from these. */
async function listed(input: readonly Listed[]): Promise<unknown> {
  const deps = { responses: { store: { get: async () => ({ input }) }, background: {} } };
  const route = kept(deps as unknown as ResponseRouteDeps).find(({ paths }) =>
    paths.some((path) => path.endsWith('/input_items')),
  );
  const call = {
    ctx: { actor: { tenantId: 'ours' } },
    params: { response_id: 'resp_1' },
    query: { limit: 20, order: 'asc' },
  };
  return route?.served.kind === 'call' ? route.served.handle(call as never) : null;
}

test('texts of messages are listed as pieces, as clients of OpenAI read them', async () => {
  const output: Listed = { type: 'function_call_output', id: 'item_1', call_id: 'c', output: 'sunny' };
  const image = { type: 'input_image' as const, image_url: 'data:image/png;base64,AA==' };
  expect(
    await listed([
      { type: 'message', id: 'msg_1', role: 'user', content: 'Hello' },
      { type: 'message', id: 'msg_2', role: 'assistant', content: 'Yes' },
      { type: 'message', id: 'msg_3', role: 'user', content: [image] },
      output,
    ]),
  ).toEqual({
    object: 'list',
    data: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: 'Hello' }],
      },
      {
        type: 'message',
        id: 'msg_2',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Yes', annotations: [], logprobs: [] }],
      },
      { type: 'message', id: 'msg_3', role: 'user', status: 'completed', content: [image] },
      output,
    ],
    first_id: 'msg_1',
    last_id: 'item_1',
    has_more: false,
  });
});
