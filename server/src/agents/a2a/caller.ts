import type { Deployed } from '../lifecycle/runnable.ts';
import type { RunCaller } from '../runs/types.ts';

/** Who calls which agent. */
export interface A2aCaller {
  readonly run: RunCaller;
  readonly agent: Deployed;
  /** Address of the agent's A2A as this caller reaches it. */
  readonly url: string;
  /** The caller has gone. */
  readonly signal: AbortSignal;
}
