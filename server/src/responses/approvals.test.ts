import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { expect, test } from 'vitest';
import { approvedCalls } from './approvals.ts';
import type { WithId } from './item-ids.ts';
import type { HostedTool } from './tools/hosted-tool.ts';

const tool: HostedTool = {
  kind: 'mcp',
  name: 'pay',
  description: '',
  parameters: { type: 'object', properties: {} },
  server: { label: 'shop', tool: 'pay', asks: true },
  call: () => Promise.reject(new Error('not called')),
};
const call = { server_label: 'shop', name: 'pay', arguments: '{"won":1}' };
const asked: InputItem = { type: 'mcp_approval_request', id: 'mcpr_1', ...call };
const yes = (id: string): WithId<InputItem> => ({
  type: 'mcp_approval_response',
  id,
  approval_request_id: 'mcpr_1',
  approve: true,
});
const idsOf = (before: readonly InputItem[], items: readonly WithId<InputItem>[]) =>
  approvedCalls({ before, items }, [tool]).map(({ id, arguments: args, approvalId }) => [id, args, approvalId]);

test('an approval is good for one call', () => {
  const one = [['call_mcpr_1', '{"won":1}', 'mcpr_1']];
  expect(idsOf([asked], [yes('a')])).toEqual(one);
  expect(idsOf([asked], [yes('a'), yes('b')])).toEqual(one);
  const approved = { approval_request_id: 'mcpr_1', output: 'paid', error: null };
  const made: InputItem = { type: 'mcp_call', id: 'mcp_1', ...call, ...approved };
  expect(idsOf([asked, yes('a'), made], [yes('b')])).toEqual([]);
});

test('what was not asked is not approved', () => {
  expect(() => idsOf([], [yes('a')])).toThrow('no mcp_approval_request');
  expect(() => approvedCalls({ before: [asked], items: [yes('a')] }, [])).toThrow('must name the server');
});
