import { Overview } from '@ai-studio/contract/console/overview.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AllowanceDeps, SignedIn } from '../identity/index.ts';
import type { Person } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import { type ReportDeps, reportUsage } from '../usage/index.ts';
import { type ModelServerRouteDeps, listServedModels } from '../model-servers/routes.console/index.ts';
import { actorOf } from '../console-kit/allowance.ts';
import { type ConsoleRoute, tenantRoute } from '../console-kit/route.ts';
import { readWaits, readWork } from './home.ts';

/** A dependency whose health is checked before the service is ready. */
export interface HealthCheck {
  readonly name: string;
  /** False where the service works without it. */
  readonly needed?: boolean;
  /** Null where it is healthy, else the reason. */
  readonly check: () => Promise<string | null> | string | null;
}

/** Dependencies of the overview. */
export interface OverviewDeps extends ModelServerRouteDeps, ReportDeps, AllowanceDeps {
  readonly db: Database;
  readonly checks: readonly HealthCheck[];
}

const DAY_MS = 86_400_000;

/** Start of the current day in a time zone; an hour off on the day of a clock change. Throws StudioError `invalid_request`. */
function startOfDay(now: Date, timeZone: string): Date {
  try {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
    const part = (type: string) => Number(clock.formatToParts(now).find((one) => one.type === type)?.value ?? 0);
    const elapsedMs = ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000 + now.getUTCMilliseconds();
    return new Date(now.getTime() - Math.min(elapsedMs, DAY_MS));
  } catch (cause) {
    throw new StudioError('invalid_request', 'time_zone must be a name of the IANA time zone database', {
      param: 'time_zone',
      reason: 'invalid_field',
      cause,
    });
  }
}

interface StepsDone {
  key: boolean;
  first_call: boolean;
  invite: boolean;
}

/** Reads in one query which first steps a tenant has done. */
async function stepsDone({ query }: Database, tenantId: TenantId): Promise<StepsDone> {
  const { rows } = await sql<StepsDone>`
    SELECT
      EXISTS (SELECT 1 FROM api_keys WHERE tenant_id = ${tenantId} AND created_by IS NOT NULL) AS key,
      EXISTS (SELECT 1 FROM usage_slices WHERE tenant_id = ${tenantId} AND outcome = 'ok') AS first_call,
      (SELECT count(*) > 1 FROM (SELECT 1 FROM memberships WHERE tenant_id = ${tenantId} LIMIT 2) AS few) AS invite`.execute(
    query,
  );
  return rows[0] ?? { key: false, first_call: false, invite: false };
}

/** GET /overview: health, models, usage of today, and first steps. */
export function overviewRoutes(deps: OverviewDeps): ConsoleRoute[] {
  const { db, checks, store } = deps;

  const health = async () => {
    const parts = await Promise.all(
      checks.map(async ({ name, needed = true, check }) => {
        const reason = await check();
        return { needed, part: { name, ok: reason === null, reason } };
      }),
    );
    return { ready: parts.every(({ needed, part }) => part.ok || !needed), parts: parts.map(({ part }) => part) };
  };
  const models = async () => {
    const [servedModels, entries] = await Promise.all([listServedModels(deps), store.list()]);
    const chat = servedModels.filter(({ kind }) => kind === 'chat');
    return {
      total: servedModels.length,
      ready: servedModels.filter(({ engines, builtin }) => !builtin && engines.some(({ state }) => state === 'healthy'))
        .length,
      builtin_only: chat.every(({ builtin }) => builtin),
      loaded: entries.flatMap(({ state, localId }) => (state === 'loaded' && localId !== null ? [localId] : [])),
    };
  };
  const today = async ({ tenantId }: Person, person: SignedIn, timeZone: string) => {
    if (!person.actions.has('usage.own')) return null;
    const now = new Date(deps.now?.() ?? Date.now());
    const query = {
      group: 'model',
      from: startOfDay(now, timeZone).toISOString(),
      to: now.toISOString(),
      time_zone: timeZone,
    } as const;
    const of = person.actions.has('usage.all') ? null : person.userId;
    return (await reportUsage(deps, tenantId, of, query)).total;
  };
  const steps = async ({ tenantId }: Person, person: SignedIn, builtinOnly: boolean) => {
    if (!person.actions.has('users.manage')) return null;
    const done = await stepsDone(db, tenantId);
    const all = [
      { id: 'model', done: !builtinOnly },
      { id: 'key', done: done.key },
      { id: 'first_call', done: done.first_call },
      { id: 'invite', done: done.invite },
    ] as const;
    return all.every((step) => step.done) ? null : [...all];
  };

  return [
    tenantRoute({
      method: 'GET',
      path: '/overview',
      access: 'chat',
      query: z.strictObject({ time_zone: z.string().max(64).default('UTC') }),
      reply: Overview,
      async handle(call) {
        const { ctx, person, query } = call;
        const actor = await actorOf(deps, call);
        const [now, used, work, waits] = await Promise.all([
          models(),
          today(ctx.actor, person, query.time_zone),
          readWork(deps, actor, person),
          readWaits(deps, ctx.actor.tenantId, person),
        ]);
        return {
          health: await health(),
          models: now,
          today: used,
          work,
          waits,
          steps: await steps(ctx.actor, person, now.builtin_only),
        };
      },
    }),
  ];
}
