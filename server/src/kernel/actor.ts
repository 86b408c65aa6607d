import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { TenantId } from './context.ts';
import type { CallPriority } from './priority.ts';
import { type RateLimits, unlimited } from './rate-limits.ts';

export type { RateLimits };

/** Who acts, for which tenant: the holder of an API key, or a person in the console. */
export interface Principal {
  readonly tenantId: TenantId;
  /** Null for people in the console. */
  readonly keyId: string | null;
  /** The person, or the one who holds the key; null for keys of the service itself. */
  readonly userId: string | null;
}

/** A person in the console. */
export interface Person extends Principal {
  readonly keyId: null;
  readonly userId: string;
}

/**
 * What may be done beyond what is one's own. `collections.all`: every collection of the tenant is there, to see and to change.
 * `documents.all`: so is every document in them, whoever its source names as its readers.
 * `agents.approve`: deciding on which agents are deployed. `chat.files`: the collection in which files of one's own conversations lie is
 * there, which conversations alone ask for. `chat.settings`: telling models of one's conversations how to answer. `prompts.share`: prompts
 * for everybody of the tenant; `prompts.manage`: those that others share.
 */
export type Right =
  | 'collections.all'
  | 'documents.all'
  | 'agents.approve'
  | 'chat.files'
  | 'chat.settings'
  | 'prompts.share'
  | 'prompts.manage';

/** Who acts, and within which rights and limits. */
export interface Actor extends Principal {
  /** Of people, by their role; API keys have none: their scopes are checked where a call comes in. */
  readonly rights: ReadonlySet<Right>;
  /** Ids of the models that may be used; null for all. */
  readonly allowedModels: ReadonlySet<string> | null;
  readonly limits: RateLimits;
  /** Policy for personal values on their way to models; null where the guard is off. */
  readonly guard: GuardPolicy | null;
  /** What this call finds is shown to others as well: documents with readers of their own are not there for it. */
  readonly openDocumentsOnly?: true;
}

/** A person, within their rights and limits. */
export type PersonActor = Actor & Person;

/** Nothing beyond what is one's own. */
export const noRights: Actor['rights'] = new Set<Right>();

/** For work that the service does by itself for somebody: what they may use was asked when it was ordered. */
export const unlimitedActor = <P extends Principal>(principal: P): P & Actor => ({
  ...principal,
  rights: noRights,
  allowedModels: null,
  limits: unlimited,
  guard: null,
});

/** What belongs to one call: who makes it, its id in logs, and when nobody waits for it any more. */
export interface CallContext<Who extends Principal = Actor> {
  readonly actor: Who;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** How soon the models that it asks are to serve it; `interactive` when left out. */
  readonly priority?: CallPriority | undefined;
}

/** What rate limits count by: the key, or the person within the tenant. */
export const subjectOf = ({ tenantId, keyId, userId }: Principal): string => keyId ?? `person/${tenantId}/${userId}`;
