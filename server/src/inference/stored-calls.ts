import type { Query } from '../jobs/job-table.ts';
import type { Metering, PreparedUse, UsageRecorder } from '../usage/index.ts';
import { type ChatDeps, createOpenChat, type OpenChat } from './chat.ts';
import { type Calls, type CallsDeps, createCalls } from './model-call.ts';

/** Usage of calls that is stored by whoever had them made. */
export interface StoredUsage {
  /** Stores the usage of every one of the calls. `id` names them, which count once however often they are stored. */
  store(tx: Query, id: string): Promise<void>;
  /** Tells listeners of it, such as the metrics; called once the transaction is committed. */
  announce(): void;
}

/** What opens calls whose usage is stored by the transaction that stores what they made: both are there, or neither. */
export interface StoredCalls extends StoredUsage {
  readonly openChat: OpenChat;
  readonly calls: Calls;
  /** Usage of those calls alone that took tokens; null where none did. For work that is done again after a failure. */
  spent(): StoredUsage | null;
}

/** Opens the calls of one piece of work. */
export type OpenStoredCalls = () => StoredCalls;

export interface StoredCallsDeps {
  readonly chat: Omit<ChatDeps, 'metering'>;
  readonly calls: Omit<CallsDeps, 'metering'>;
  readonly metering: Metering;
}

const usageOf = (uses: readonly PreparedUse[]): StoredUsage => ({
  async store(tx, id) {
    for (const [at, use] of uses.entries()) await use.store(tx, `${id}:${at}`);
  },
  announce() {
    for (const use of uses) use.announce();
  },
});

/** For work that is done again where its process ends before its outcome is stored. */
export const createStoredCalls =
  ({ chat, calls, metering }: StoredCallsDeps): OpenStoredCalls =>
  () => {
    const uses: PreparedUse[] = [];
    const withTokens: PreparedUse[] = [];
    const recorder: UsageRecorder = {
      record(call, use, kept) {
        const prepared = metering.prepare(call, use);
        uses.push(prepared);
        if ((use.promptTokens ?? 0) + (use.completionTokens ?? 0) > 0) withTokens.push(prepared);
        kept?.();
      },
    };
    return {
      openChat: createOpenChat({ ...chat, metering: recorder }),
      calls: createCalls({ ...calls, metering: recorder }),
      ...usageOf(uses),
      spent: () => (withTokens.length === 0 ? null : usageOf(withTokens)),
    };
  };
