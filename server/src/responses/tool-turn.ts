import type { ToolResult } from '../agents/index.ts';
import { failedCall } from '../agents/index.ts';
import { type Fields, turnMessages } from './chat-body.ts';
import { HostedCall, type Tell } from './hosted-items.ts';
import type { ResponseOutput } from './output.ts';
import type { HostedTool } from './tools/hosted-tool.ts';

/** A call of a turn whose tools have not all ended. */
interface PendingCall {
  /** Name by which the model knows the tool. */
  readonly name: string;
  /** Id of the call for the model. */
  readonly id: string;
  readonly arguments: string;
  readonly approvalId: string | null;
  /** Its item; null where it is not made. */
  readonly item: { readonly id: string; readonly index: number } | null;
  /** What the model is told; null until it has ended. */
  readonly told: string | null;
}

/** A turn of the model that called tools of the service. */
export interface PendingTurn {
  /** What the model said. */
  readonly said: string;
  /** Whether the caller has to do or decide something before the next one. */
  readonly isLast: boolean;
  readonly calls: readonly PendingCall[];
}

const SPENT = 'This call was not made: max_tool_calls is reached. Answer with what you have';
const GONE = 'The tool is not there any more';
const ASKED = 'This call waits for approval';

export const toPending = (said: string, callsFunctions: boolean, calls: readonly HostedCall[]): PendingTurn => ({
  said,
  isLast: callsFunctions || calls.some((call) => call.asks && call.item !== null),
  calls: calls.map((call) => ({
    name: call.tool.name,
    id: call.id,
    arguments: call.arguments,
    approvalId: call.approvalId,
    item: call.item && { id: call.item.id, index: call.item.index },
    told: null,
  })),
});

export interface ToolTurn {
  readonly responseId: string;
  readonly tools: readonly HostedTool[];
  readonly output: ResponseOutput;
  readonly pending: PendingTurn;
  /** Calls that were begun in this process, by their ids; others go on from an earlier one. */
  readonly live: ReadonlyMap<string, HostedCall>;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Keeps how far the turn is. */
  readonly checkpoint: (turn: PendingTurn) => Promise<void>;
}

/** The call that this process makes; null where the tool is gone. */
function callOf({ tools, output, live }: ToolTurn, pending: PendingCall): HostedCall | null {
  const known = live.get(pending.id);
  if (known !== undefined) return known;
  const tool = tools.find(({ name }) => name === pending.name);
  if (tool === undefined) return null;
  const call = new HostedCall(tool, pending.id, pending);
  if (pending.item !== null) output.resume(call, pending.item.index, pending.item.id);
  return call;
}

/** Makes one call, unless it may not be made. Resolves with what the model is told. Rejects with the signal's reason. */
async function runCall({ responseId, tell, signal }: ToolTurn, call: HostedCall | null): Promise<string> {
  if (call === null) return GONE;
  const { item, tool } = call;
  if (item === null) return SPENT;
  if (call.asks) {
    item.ask(tell);
    return ASKED;
  }
  item.start(tell);
  // The same after a crash, by which a tool can tell that it was called before.
  const options = { signal, idempotencyKey: `${responseId}/${item.id}` };
  const result: ToolResult =
    call.arguments.trim() === '' ? failedCall('The arguments are missing') : await tool.call(call.arguments, options);
  item.finish(tell, result);
  return result.text;
}

/** Runs the tools of a turn, at the same time. Resolves with the messages of it. Rejects with the signal's reason, and where the database is away. */
export async function runTools(turn: ToolTurn): Promise<readonly Fields[]> {
  const { pending, checkpoint } = turn;
  let calls = pending.calls;
  const opened = calls.map((call) => (call.told === null ? callOf(turn, call) : null));
  opened.forEach((call) => call?.item?.endArguments(turn.tell));
  // What is asked of others is known before they are asked: after a crash they are asked the same.
  await checkpoint(pending);
  const ends = await Promise.allSettled(
    pending.calls.map(async ({ told }, at) => {
      if (told !== null) return;
      const said = await runCall(turn, opened[at] ?? null);
      calls = calls.map((one, index) => (index === at ? { ...one, told: said } : one));
      await checkpoint({ ...pending, calls });
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return turnMessages(
    pending.said,
    calls.map(({ id, name, arguments: args, told }) => ({ id, name, arguments: args, told: told ?? '' })),
  );
}
