import {
  PrivacyCounts,
  PrivacyCountsQuery,
  PrivacyTrial,
  PrivacyTrialResult,
} from '@ai-studio/contract/console/privacy.ts';
import { GuardPolicy, GuardPolicyChange } from '@ai-studio/contract/utilities/guard.ts';
import { changeGuard, type KeyChangeDeps, readGuard } from '../identity/index.ts';
import { invalidRequest } from '../kernel/errors.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { type FoundCounts, readCounts, type TrialDeps, tryText } from './index.ts';
import { type ConsoleRoute, tenantRoute } from '../console-kit/route.ts';

/** Dependencies of the page of personal values. */
export interface PrivacyPageDeps extends TrialDeps {
  readonly counts: Pick<FoundCounts, 'flush'>;
}

/** Dependencies of the routes of personal values. */
interface PrivacyRouteDeps extends KeyChangeDeps {
  readonly catalogue: Catalogue;
  readonly privacy: PrivacyPageDeps;
}

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Routes for the personal values of a tenant: the policy, a trial of texts, and counts of findings. */
export function privacyRoutes(deps: PrivacyRouteDeps): ConsoleRoute[] {
  const { privacy, catalogue } = deps;
  return [
    tenantRoute({
      method: 'GET',
      path: '/privacy/policy',
      access: 'settings.manage',
      reply: GuardPolicy,
      handle: ({ ctx }) => readGuard(deps, ctx.actor.tenantId),
    }),
    tenantRoute({
      method: 'PUT',
      path: '/privacy/policy',
      access: 'settings.manage',
      body: GuardPolicyChange,
      reply: GuardPolicy,
      handle({ ctx, body }) {
        const { recognizer_model: model } = body;
        if (model !== null && catalogue.get(model)?.kind !== 'chat')
          throw invalidRequest(`There is no chat model ${JSON.stringify(model)}`, 'recognizer_model');
        return changeGuard(deps, ctx.auditActor, body);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: '/privacy/counts',
      access: 'settings.manage',
      query: PrivacyCountsQuery,
      reply: PrivacyCounts,
      async handle({ ctx, query: { days } }) {
        await privacy.counts.flush();
        const now = Date.now();
        return {
          from: dayOf(now - (days - 1) * DAY_MS),
          to: dayOf(now),
          items: await readCounts(deps, ctx.actor.tenantId, days),
        };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/privacy/try',
      access: 'playground',
      body: PrivacyTrial,
      reply: PrivacyTrialResult,
      async handle({ ctx: { actor }, body }) {
        return tryText(privacy, actor, { ...body, policy: await readGuard(deps, actor.tenantId) });
      },
    }),
  ];
}
