import { UsageQuery, type UsageQuery as Query, UsageReport } from '@ai-studio/contract/console/usage.ts';
import type { SignedIn } from '../identity/index.ts';
import { reportUsage, type ReportDeps, summedFigures, type UsageOf } from './index.ts';
import { CSV_BOM, csvLine } from '../kernel/csv.ts';
import { type ConsoleRoute, tenantRoute } from '../console-kit/route.ts';

/** Administrators see the usage of the tenant, others that of themselves and their keys. */
const usageOf = (person: SignedIn): UsageOf => (person.actions.has('usage.all') ? null : person.userId);

const figures = [...summedFigures, 'latency_p50', 'latency_p95', 'first_token_p50', 'first_token_p95'] as const;

const toCsv = ({ rows, total }: UsageReport, group: Query['group']): string =>
  [
    CSV_BOM,
    csvLine([group, 'id', ...figures]),
    ...rows.map((row) => csvLine([row.label, row.key, ...figures.map((name) => row[name])])),
    csvLine(['total', null, ...figures.map((name) => total[name])]),
  ].join('');

/** Routes for the usage report, as JSON and as a CSV file. */
export function usageRoutes(deps: ReportDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/usage',
      access: 'usage.own',
      query: UsageQuery,
      reply: UsageReport,
      handle: ({ ctx, person, query }) => reportUsage(deps, ctx.actor.tenantId, usageOf(person), query),
    }),
    tenantRoute({
      method: 'GET',
      path: '/usage.csv',
      access: 'usage.own',
      query: UsageQuery,
      async handle({ ctx, person, query, audit, reply }) {
        const file = `usage-by-${query.group}.csv`;
        const report = await reportUsage(deps, ctx.actor.tenantId, usageOf(person), query);
        await audit({ action: 'usage_exported', target: null, detail: { file } });
        void reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${file}"`);
        return toCsv(report, query.group);
      },
    }),
  ];
}
