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
import type { TenantId } from '../kernel/context.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import { countYielding } from './count.ts';
import type { FoundCounts } from './guard/counts.ts';
import { type KeyedWriters, type MaskPolicy, maskTextWith } from './mask.ts';
import type { AskModel, ModelCaller } from './model/find-by-model.ts';
import { createFinder } from './model/finder.ts';
import type { Search } from './search/search.ts';
import { type ValueLookup, tokensIn, unmaskText } from './unmask.ts';
import { type VaultDeps, storeValues, newSessionId, readValues, requireSession } from './vault/vault.ts';
import { openSealed, tenantWriters, tokenOf } from './vault/writers.ts';

/** Model name in replies and in usage. */
export const PRIVACY_MODEL = 'studio-privacy';

export interface PrivacyDeps extends VaultDeps {
  readonly search: Pick<Search, 'find'>;
  readonly askModel: AskModel;
  /** The model that the tenant has chosen for finding names and addresses; null for none. */
  readonly modelOf: (tenantId: TenantId) => Promise<string | null>;
  readonly counts: Pick<FoundCounts, 'add'>;
  /** Counts the tokens of a text. */
  readonly countTokens: (text: string) => Promise<number>;
}

/** The caller; `allowedModels` is null where all models are allowed. */
interface MaskCaller extends ModelCaller {
  readonly allowedModels: ReadonlySet<string> | null;
}

/** A result with its usage. */
export interface Counted<T> {
  readonly result: T;
  readonly totalTokens: number;
  /** Tokens of the chat model; null where none was asked. */
  readonly modelTokens: number | null;
}

const toList = (text: string | readonly string[]): readonly string[] => (typeof text === 'string' ? [text] : text);

/** Maps texts one after the other, and lets other requests run in between. */
async function mapYielding<T>(texts: readonly string[], work: (text: string) => T | Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const [at, text] of texts.entries()) {
    if (at > 0) await nextTurn();
    results.push(await work(text));
  }
  return results;
}

function typesOf({ pii_types: requested }: PiiMaskRequest): readonly PiiType[] {
  if (!requested) return defaultPiiTypes;
  return requested.includes('ALL') ? piiTypes : [...new Set(requested)].filter((type) => type !== 'ALL');
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

/** Creates a writer of tokens of a session, which collects their values. */
function createTokenWriter({ box }: PrivacyDeps, sessionId: string) {
  const values = new Map<string, string>();
  const token: KeyedWriters['token'] = (type, value) => {
    const written = tokenOf(box, sessionId, type, value);
    values.set(written, value);
    return written;
  };
  return { token, values };
}

/** The model to ask as well: the requested one, which the caller must be allowed to use, or the tenant's; null for none. */
async function modelFor(
  deps: PrivacyDeps,
  { tenantId, allowedModels }: MaskCaller,
  requested: string | null | undefined,
) {
  if (requested == null) return deps.modelOf(tenantId);
  if (requested === NO_MODEL) return null;
  if (!deps.askModel.has(requested) || allowedModels?.has(requested) === false)
    throw invalidRequest(`There is no chat model ${quoteId(requested)}`, 'recognizer_model');
  return requested;
}
/** Requests rules only. */
const NO_MODEL = 'none';

/**
 * Masks the texts of a request. Source: decisions section 6. Throws StudioError `invalid_request`, `not_found` for a session
 * that is not open, `conflict`.
 */
export async function maskRequest(
  deps: PrivacyDeps,
  caller: MaskCaller,
  request: PiiMaskRequest,
): Promise<Counted<PiiMaskResult>> {
  const { tenantId } = caller;
  const { reversible, session_id: requestedSession } = request;
  if (requestedSession != null && !reversible)
    throw invalidRequest('session_id goes with reversible: true', 'session_id');
  const sessionId = requestedSession ?? newSessionId();
  const session = { tenantId, sessionId };
  if (requestedSession != null) await requireSession(deps, session);
  const types = typesOf(request);
  const policy = policyOf(request, types);
  const { token, values } = createTokenWriter(deps, sessionId);
  const writers: KeyedWriters = { ...tenantWriters(deps.box, tenantId), ...(reversible ? { token } : {}) };

  const finder = createFinder(deps, await modelFor(deps, caller, request.recognizer_model), types, caller);
  const texts = toList(request.text);
  const items = await mapYielding(texts, async (text): Promise<MaskedText> => {
    const { text: masked, findings } = await maskTextWith(finder.open(), text, policy, writers);
    for (const { type } of findings) deps.counts.add(tenantId, 'text', type);
    return {
      ...(request.return_original === false ? {} : { original_text: text }),
      masked_text: masked,
      detected_pii_count: findings.length,
      entities: findings.map(({ type, start, end, score, replacement }) => ({ type, start, end, score, replacement })),
    };
  });
  const sessionFields = reversible
    ? {
        session_id: sessionId,
        expires_at: (await storeValues(deps, session, values, requestedSession == null)).toISOString(),
      }
    : {};
  const common = { model: PRIVACY_MODEL, ...finder.report(), ...sessionFields };
  const [first] = items;
  return {
    result: typeof request.text === 'string' && first ? { ...common, ...first } : { ...common, items },
    totalTokens: await countYielding(texts, deps.countTokens),
    modelTokens: finder.modelTokens(),
  };
}

/**
 * Replaces tokens and encrypted values of texts by their values. Source: decisions section 6. Throws StudioError `not_found` for a session
 * that is not open.
 */
export async function unmaskRequest(
  deps: PrivacyDeps,
  tenantId: TenantId,
  { text, session_id: sessionId }: PiiUnmaskRequest,
): Promise<Counted<PiiUnmaskResult>> {
  const texts = toList(text);
  const stored =
    sessionId == null
      ? new Map<string, string>()
      : await readValues(deps, { tenantId, sessionId }, texts.flatMap(tokensIn));
  const values: ValueLookup = {
    ofToken: (token) => stored.get(token) ?? null,
    ofSealed: (type, sealed) => openSealed(deps.box, tenantId, type, sealed),
  };
  const items = await mapYielding(texts, (one) => {
    const { text: plain, restored } = unmaskText(one, values);
    return { unmasked_text: plain, restored_count: restored };
  });
  const [first] = items;
  return {
    result: typeof text === 'string' && first ? { model: PRIVACY_MODEL, ...first } : { model: PRIVACY_MODEL, items },
    totalTokens: await countYielding(texts, deps.countTokens),
    modelTokens: null,
  };
}
