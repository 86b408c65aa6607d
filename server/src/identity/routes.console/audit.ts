import { type AuditEvent, AuditPage, AuditQuery } from '@ai-studio/contract/console/audit.ts';
import { Readable } from 'node:stream';
import { iterateAudit, listAudit } from '../index.ts';
import { CSV_BOM, csvLine } from '../../kernel/csv.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

const columns = ['time', 'action', 'who', 'target', 'target id', 'address', 'user agent', 'request', 'detail'] as const;

const line = (event: AuditEvent) =>
  csvLine([
    event.at,
    event.action,
    event.actor.name,
    event.target?.name ?? null,
    event.target?.id ?? null,
    event.address,
    event.user_agent,
    event.request_id,
    JSON.stringify(event.detail),
  ]);

async function* csv(events: AsyncIterable<AuditEvent>): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(columns);
  for await (const event of events) yield line(event);
}

async function* jsonLines(events: AsyncIterable<AuditEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}

const exports = [
  { name: 'audit.csv', type: 'text/csv; charset=utf-8', write: csv },
  { name: 'audit.jsonl', type: 'application/jsonl; charset=utf-8', write: jsonLines },
];

/** The audit log of the tenant, as pages and as files. */
export function auditRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/audit',
      access: 'audit.view',
      query: AuditQuery,
      reply: AuditPage,
      handle: ({ ctx, query }) => listAudit(deps, ctx.actor.tenantId, query),
    }),
    ...exports.map(({ name, type, write }) =>
      tenantRoute({
        method: 'GET',
        path: `/${name}`,
        access: 'audit.view',
        query: AuditQuery,
        async handle({ ctx, query, audit, reply }) {
          await audit({ action: 'audit_exported', target: null, detail: { file: name } });
          void reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`);
          return Readable.from(write(iterateAudit(deps, ctx.actor.tenantId, query)));
        },
      }),
    ),
  ];
}
