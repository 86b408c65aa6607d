import type { Config } from '../config/index.ts';
import type { HttpOptions } from '../http/index.ts';
import { readGuard } from '../identity/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { loadTokenizer } from '../parsing/index.ts';
import type { Database } from '../ports/database.ts';
import {
  type AskModel,
  type FoundCounts,
  type PrivacyGuard,
  createFoundCounts,
  createPrivacyGuard,
  createSearch,
  startRemovingExpired,
} from '../privacy/index.ts';

interface Deps {
  readonly db: Database;
  readonly box: SecretBox;
  readonly log: Logger;
  readonly askModel: AskModel;
}

export interface OpenPrivacy {
  readonly options: HttpOptions['privacy'];
  readonly guard: PrivacyGuard;
  readonly counts: FoundCounts;
  close(): Promise<void>;
}

/** What masks personal values in this process, and removes those whose time is over. */
export function openPrivacy({ privacy }: Config, { db, box, log, askModel }: Deps): OpenPrivacy {
  let tokenizer: ReturnType<typeof loadTokenizer> | null = null;
  const countTokens = async (text: string) => (await (tokenizer ??= loadTokenizer())).count(text);
  const search = createSearch();
  const counts = createFoundCounts({ db, log });
  const stopRemoving = startRemovingExpired({ db, log });
  return {
    guard: createPrivacyGuard({ box, search, counts }),
    counts,
    options: {
      db,
      box,
      keepHours: privacy.keep_hours,
      search,
      countTokens,
      askModel,
      counts,
      modelOf: async (tenantId) => (await readGuard({ db }, tenantId)).recognizer_model,
    },
    async close() {
      await stopRemoving();
      await search.close();
      await counts.close();
    },
  };
}
