import { loadTokenizer } from '@ai-studio/documents';
import { readGuard } from '../identity/index.ts';
import {
  type AskModel,
  type FoundCounts,
  type PrivacyDeps,
  type PrivacyGuard,
  createFoundCounts,
  createPrivacyGuard,
  createSearch,
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

/** What masks personal values in this process, and removes those whose time is over. */
export function openPrivacy({ config, log, parts }: Base, { db, box, askModel }: Deps): OpenPrivacy {
  let tokenizer: ReturnType<typeof loadTokenizer> | null = null;
  const countTokens = async (text: string) => (await (tokenizer ??= loadTokenizer())).count(text);
  const counts = parts.own('counts of personal values', createFoundCounts({ db, log }));
  const search = parts.own('search for personal values', createSearch());
  parts.onClose('removal of masked values', startRemovingExpired({ db, log }));
  const privacy = {
    db,
    box,
    keepHours: config.privacy.keep_hours,
    search,
    countTokens,
    askModel,
    counts,
    modelOf: async (tenantId) => (await readGuard({ db }, tenantId)).recognizer_model,
  } satisfies PrivacyDeps;
  return { privacy, guard: createPrivacyGuard({ box, search, counts }), counts };
}
