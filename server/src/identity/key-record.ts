import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { KeyScope } from '@ai-studio/contract/console/keys.ts';
import type { TenantId } from '../kernel/context.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';

export { type KeyScope, keyScopes } from '@ai-studio/contract/console/keys.ts';

/** Which form tool-call deltas take for the holder of a key; null leaves it to the model and the request. */
export type ToolStream = 'openai' | 'arguments';

/** An API key as requests use it. */
export interface KeyRecord {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly name: string;
  /** The person who holds it; null for keys of the service itself. */
  readonly holderId: string | null;
  readonly scopes: ReadonlySet<KeyScope>;
  /** Ids of the models that the key may use; null for all. */
  readonly allowedModels: ReadonlySet<string> | null;
  /** Null in a field: the configuration's default applies. */
  readonly limits: RateLimits;
  /** Milliseconds since 1970; null when it does not expire. */
  readonly expiresAt: number | null;
  /** Its own, else that of the tenant. */
  readonly toolStream: ToolStream | null;
  /** Deployed agents are models to its holder, where it may call agents. */
  readonly agentModels: boolean;
  /** Policy for personal values in its chats; null where the guard is off. */
  readonly guard: GuardPolicy | null;
  /** False once the person who holds it has left the tenant, or has a role that may not call the API. */
  readonly holderMayCall: boolean;
}

/** Whether deployed agents are models to the holder of a key: it wants so, and may call agents. */
export const agentsAreModels = ({ agentModels, scopes }: Pick<KeyRecord, 'agentModels' | 'scopes'>): boolean =>
  agentModels && scopes.has('agents');
