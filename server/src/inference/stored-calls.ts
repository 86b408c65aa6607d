import type { Query } from '../jobs/job-table.ts';
import type { Metering, PreparedUse, UsageRecorder } from '../usage/index.ts';
import { type ChatDeps, createOpenChat, type OpenChat } from './chat.ts';
import { type Calls, type CallsDeps, createCalls } from './model-call.ts';

/** What opens calls whose usage is stored by the transaction that stores what they made: both are there, or neither. */
export interface StoredCalls {
  readonly openChat: OpenChat;
  readonly calls: Calls;
  /** Stores the usage of every call that was made. `id` names them, which count once however often they are stored. */
  store(tx: Query, id: string): Promise<void>;
  /** Tells listeners of it, such as the metrics; called once the transaction is committed. */
  announce(): void;
}

/** Opens the calls of one piece of work. */
export type OpenStoredCalls = () => StoredCalls;

export interface StoredCallsDeps {
  readonly chat: Omit<ChatDeps, 'metering'>;
  readonly calls: Omit<CallsDeps, 'metering'>;
  readonly metering: Metering;
}

/** For work that is done again where its process ends before its outcome is stored. */
export const createStoredCalls =
  ({ chat, calls, metering }: StoredCallsDeps): OpenStoredCalls =>
  () => {
    const uses: PreparedUse[] = [];
    const recorder: UsageRecorder = {
      record(call, use, kept) {
        uses.push(metering.prepare(call, use));
        kept?.();
      },
    };
    return {
      openChat: createOpenChat({ ...chat, metering: recorder }),
      calls: createCalls({ ...calls, metering: recorder }),
      async store(tx, id) {
        for (const [at, use] of uses.entries()) await use.store(tx, `${id}:${at}`);
      },
      announce() {
        for (const use of uses) use.announce();
      },
    };
  };
