import { readGuard } from '../identity/index.ts';
import {
  type AskModel,
  type FoundCounts,
  type PrivacyDeps,
  type PrivacyGuard,
  createFoundCounts,
  createPrivacyGuard,
  createSearch,
  createTokenCounter,
  startRemovingExpired,
} from '../privacy/index.ts';
import type { Base } from './parts.ts';
import type { SealedData } from './store.ts';

interface Deps extends SealedData {
  readonly askModel: AskModel;
}

export interface OpenPrivacy {
  readonly privacy: PrivacyDeps;
  readonly guard: PrivacyGuard;
  readonly counts: FoundCounts;
}

/** Opens the masking of personal values, and removes those that have expired. */
export function openPrivacy({ config, log, parts }: Base, { db, box, askModel }: Deps): OpenPrivacy {
  const counts = parts.own('counts of personal values', createFoundCounts({ db, log }));
  const search = parts.own('search for personal values', createSearch());
  const counter = parts.own('counting of tokens', createTokenCounter());
  parts.onClose('removal of masked values', startRemovingExpired({ db, log }));
  const privacy = {
    db,
    box,
    keepHours: config.privacy.keep_hours,
    search,
    countTokens: (text) => counter.count(text),
    askModel,
    counts,
    modelOf: async (tenantId) => (await readGuard({ db }, tenantId)).recognizer_model,
  } satisfies PrivacyDeps;
  return { privacy, guard: createPrivacyGuard({ box, search, counts }), counts };
}
