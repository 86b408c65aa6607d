import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { invalidRequest } from '../kernel/errors.ts';
import { HostedCall } from './hosted-items.ts';
import type { PreparedResponse } from './prepare.ts';
import type { HostedTool } from './tools/hosted-tool.ts';

/**
 * The calls that a request approves. An approval is good for one call: where that was made, it is not made again. Throws StudioError
 * `invalid_request` for an answer to what was not asked.
 */
export function approvedCalls(
  { before, items }: Pick<PreparedResponse, 'before' | 'items'>,
  tools: readonly HostedTool[],
): readonly HostedCall[] {
  const asked = new Map<string, InputItem & { readonly type: 'mcp_approval_request' }>();
  const made = new Set<string>();
  for (const item of [...before, ...items]) {
    if (item.type === 'mcp_approval_request' && item.id) asked.set(item.id, item);
    if (item.type === 'mcp_call' && item.approval_request_id) made.add(item.approval_request_id);
  }
  return items.flatMap((item, at) => {
    if (item.type !== 'mcp_approval_response') return [];
    const path = `input[${at}].approval_request_id`;
    const request = asked.get(item.approval_request_id);
    if (request === undefined)
      throw invalidRequest(`${path} is that of no mcp_approval_request of this conversation`, path);
    const approvalId = item.approval_request_id;
    if (!item.approve || made.has(approvalId)) return [];
    made.add(approvalId);
    const tool = tools.find(({ server }) => server?.label === request.server_label && server.tool === request.name);
    if (tool === undefined)
      throw invalidRequest(`${path}: tools must name the server of the call that is approved`, path);
    return [new HostedCall(tool, `call_${approvalId}`, { arguments: request.arguments, approvalId })];
  });
}
