import { defaultAiTexts, type TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';
import type { TenantSettings } from '@ai-studio/contract/console/settings.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Person } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import { readSettings } from './tenant-settings.ts';

/** What a tenant says of AI. */
export interface AiPresence {
  /** On what an AI has made. */
  readonly mark: TextByLanguage;
  /** Before its first use. */
  readonly notice: TextByLanguage;
  /** Names the wording of the notice: another one is read again. */
  readonly version: string;
}

type Texts = Pick<TenantSettings, 'ai_notice_ko' | 'ai_notice_en' | 'ai_mark_ko' | 'ai_mark_en'>;

/** The texts of a tenant, and those of the service where it has none. */
export function aiPresenceOf(settings: Texts): AiPresence {
  const { notice: standard, mark } = defaultAiTexts;
  const notice = { ko: settings.ai_notice_ko ?? standard.ko, en: settings.ai_notice_en ?? standard.en };
  const version = createHash('sha256')
    .update(JSON.stringify([notice.ko, notice.en]))
    .digest('hex')
    .slice(0, 16);
  return { mark: { ko: settings.ai_mark_ko ?? mark.ko, en: settings.ai_mark_en ?? mark.en }, notice, version };
}

/** The same for a tenant. Throws StudioError `not_found`. */
export const readAiPresence = async (deps: DatabaseDeps, tenantId: TenantId): Promise<AiPresence> =>
  aiPresenceOf(await readSettings(deps, tenantId));

/** Keeps that a person has read the notice. Throws StudioError `conflict` (notice_changed) where it says something else by now. */
export async function acknowledgeAiNotice(
  deps: DatabaseDeps,
  { tenantId, userId }: Person,
  version: string,
): Promise<void> {
  const now = await readAiPresence(deps, tenantId);
  if (version !== now.version)
    throw new StudioError('conflict', 'The notice has been changed; read it again', { reason: 'notice_changed' });
  await deps.db.query
    .insertInto('ai_notices')
    .values({ tenant_id: tenantId, user_id: userId, version })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id']).doUpdateSet({ version, read_at: sql<Date>`now()` }),
    )
    .execute();
}
