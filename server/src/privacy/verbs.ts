import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type MaskedText,
  type PiiMaskRequest,
  type PiiMaskResult,
  type PiiType,
  type PiiUnmaskRequest,
  type PiiUnmaskResult,
  defaultPiiTypes,
  piiTypes,
} from '@ai-studio/contract/utilities/privacy.ts';
import type { Actor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import type { FoundCounts } from './guard/counts.ts';
import { type KeyedWriters, type MaskPolicy, maskTextWith } from './mask.ts';
import type { AskModel, Spend } from './model/find-by-model.ts';
import { createFinder } from './model/finder.ts';
import type { ValueFinder } from './search/search.ts';
import { eachInTurns, inTurns } from '../kernel/turns.ts';
import { type ValueLookup, tokensIn, unmaskSteps } from './unmask.ts';
import { type VaultDeps, storeValues, newSessionId, readValues, requireSession } from './vault/vault.ts';
import { openSealed, tenantWriters, tokenOf } from './vault/writers.ts';

/** Named in replies and in usage. */
export const PRIVACY_MODEL = 'studio-privacy';

export interface PrivacyDeps extends VaultDeps {
  readonly search: ValueFinder;
  readonly askModel: AskModel;
  /** The model that the tenant has chosen to look for names and addresses, too; null for none. */
  readonly modelOf: (tenantId: TenantId) => Promise<string | null>;
  readonly counts: Pick<FoundCounts, 'add'>;
  /** Tokens of a text; never takes long at a time in this thread. */
  readonly countTokens: (text: string) => Promise<number>;
}

/** A result with what it is counted by. */
export interface Counted<T> {
  readonly result: T;
  readonly totalTokens: number;
  /** What a chat model took that looked, too; null where none was asked. */
  readonly modelTokens: number | null;
}

const listOf = (text: string | readonly string[]): readonly string[] => (typeof text === 'string' ? [text] : text);

/** One after the other, so that other requests have their turn in between. */
async function each<T>(texts: readonly string[], work: (text: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const [at, text] of texts.entries()) {
    if (at > 0) await nextTurn();
    results.push(await work(text));
  }
  return results;
}

async function countAll({ countTokens }: PrivacyDeps, texts: readonly string[]): Promise<number> {
  let sum = 0;
  for (const text of texts) sum += await countTokens(text);
  return sum;
}

function typesOf({ pii_types: named }: PiiMaskRequest): readonly PiiType[] {
  if (!named) return defaultPiiTypes;
  return named.includes('ALL') ? piiTypes : [...new Set(named)].filter((type) => type !== 'ALL');
}

function policyOf(request: PiiMaskRequest, types: readonly PiiType[]): MaskPolicy {
  const { operator, threshold, language, allow_list: allowList, deny_list: denyList } = request;
  return {
    types,
    operator: operator ?? 'mask',
    ...(threshold == null ? {} : { threshold }),
    ...(language == null ? {} : { language }),
    ...(allowList ? { allowList } : {}),
    ...(denyList ? { denyList } : {}),
  };
}

/** Tokens of a session, and what they were written for. */
function tokenWriter({ box }: PrivacyDeps, sessionId: string) {
  const values = new Map<string, string>();
  const token: KeyedWriters['token'] = (type, value) => {
    const written = tokenOf(box, sessionId, type, value);
    values.set(written, value);
    return written;
  };
  return { token, values };
}

/** The model that is to look, too: the one that is asked for, which the caller must be allowed to use, or the tenant's. */
async function modelFor(deps: PrivacyDeps, { tenantId, allowedModels }: Actor, asked: string | null | undefined) {
  if (asked == null) return deps.modelOf(tenantId);
  if (asked === NO_MODEL) return null;
  if (!deps.askModel.has(asked) || allowedModels?.has(asked) === false)
    throw invalidRequest(`There is no chat model ${quoteId(asked)}`, 'recognizer_model');
  return asked;
}
/** Asks for rules alone. */
const NO_MODEL = 'none';

/**
 * Masks the texts of a request. Source: decisions section 6. Throws StudioError `invalid_request`, `not_found` for a session
 * that is not open, `conflict`. `onTokens` is told what a model took, also where the call fails in the end.
 */
export async function maskRequest(
  deps: PrivacyDeps,
  actor: Actor,
  request: PiiMaskRequest,
  onTokens?: Spend,
): Promise<Counted<PiiMaskResult>> {
  const { tenantId } = actor;
  const { reversible, session_id: given } = request;
  if (given != null && !reversible) throw invalidRequest('session_id goes with reversible: true', 'session_id');
  const sessionId = given ?? newSessionId();
  const place = { tenantId, sessionId };
  if (given != null) await requireSession(deps, place);
  const types = typesOf(request);
  const policy = policyOf(request, types);
  const { token, values } = tokenWriter(deps, sessionId);
  const keyed: KeyedWriters = { ...tenantWriters(deps.box, tenantId), ...(reversible ? { token } : {}) };

  const model = await modelFor(deps, actor, request.recognizer_model);
  const finder = createFinder(deps, actor, { model, types, ...(onTokens ? { onTokens } : {}) });
  const texts = listOf(request.text);
  const items = await each(texts, async (text): Promise<MaskedText> => {
    const { text: masked, findings } = await maskTextWith(finder.open(), text, policy, keyed);
    const entities: MaskedText['entities'] = [];
    await eachInTurns(findings, ({ type, start, end, score, replacement }) => {
      deps.counts.add(tenantId, 'text', type);
      entities.push({ type, start, end, score, replacement });
    });
    return {
      ...(request.return_original === false ? {} : { original_text: text }),
      masked_text: masked,
      detected_pii_count: entities.length,
      entities,
    };
  });
  const session = reversible
    ? { session_id: sessionId, expires_at: (await storeValues(deps, place, values, given == null)).toISOString() }
    : {};
  const head = { model: PRIVACY_MODEL, ...finder.recogniserReport(), ...session };
  const [first] = items;
  return {
    result: typeof request.text === 'string' && first ? { ...head, ...first } : { ...head, items },
    totalTokens: await countAll(deps, texts),
    modelTokens: finder.modelTokens(),
  };
}

/**
 * Turns tokens and encrypted values of texts back. Source: decisions section 6. Throws StudioError `not_found` for a session
 * that is not open.
 */
export async function unmaskRequest(
  deps: PrivacyDeps,
  tenantId: TenantId,
  { text, session_id: sessionId }: PiiUnmaskRequest,
): Promise<Counted<PiiUnmaskResult>> {
  const texts = listOf(text);
  const tokens = new Set<string>();
  if (sessionId != null) await eachInTurns(tokensIn(texts), (token) => tokens.add(token));
  const known = sessionId == null ? new Map<string, string>() : await readValues(deps, { tenantId, sessionId }, tokens);
  const values: ValueLookup = {
    ofToken: (token) => known.get(token) ?? null,
    ofSealed: (type, sealed) => openSealed(deps.box, tenantId, type, sealed),
  };
  const items = await each(texts, async (one) => {
    const { text: plain, restored } = await inTurns(unmaskSteps(one, values));
    return { unmasked_text: plain, restored_count: restored };
  });
  const [first] = items;
  return {
    result: typeof text === 'string' && first ? { model: PRIVACY_MODEL, ...first } : { model: PRIVACY_MODEL, items },
    totalTokens: await countAll(deps, texts),
    modelTokens: null,
  };
}
