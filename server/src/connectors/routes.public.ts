import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  Connector,
  ConnectorChanges,
  ConnectorList,
  ConnectorRemoval,
  ConnectorRemoved,
  ConnectorRun,
  ConnectorRuns,
  NewConnector,
  NewConnectorRun,
} from '@ai-studio/contract/retrieval/connector.ts';
import { inEnvelope } from '../http-kit/envelope.ts';
import { publicRoute, type PublicRoute } from '../http-kit/public-route.ts';
import { type AuditNote, keyAuditActor, type KeyRecord, originOf, writeAudit } from '../identity/index.ts';
import type { Database } from '../ports/database.ts';
import type { Connectors } from './index.ts';

export interface ConnectorPublicDeps {
  readonly connectors: Connectors;
  readonly db: Database;
}

const ALL = '/rag42/collections/:collection_id/connectors';
const ONE = `${ALL}/:connector_id`;
const common = {
  access: 'retrieval',
  tag: 'Retrieval',
  params: { collection_id: 'Of a collection', connector_id: 'Of a connector' },
} as const;
const reply = { ConnectorReply: envelope(Connector) };
const runReply = { ConnectorRunReply: envelope(ConnectorRun) };
const errorsOfWriting = ['not_found', 'conflict', 'timeout'] as const;

const targetOf = ({ connector_id: id, name }: Connector) => ({ kind: 'connector', id, name });

/** Sources that collections of a key are kept in step with. Source: decisions section 5, of our own. */
export function connectorPublicRoutes({ connectors, db }: ConnectorPublicDeps): readonly PublicRoute[] {
  const audit = (key: KeyRecord, request: Parameters<typeof originOf>[0], note: AuditNote) =>
    writeAudit(db.query, keyAuditActor(key, originOf(request)), {
      ...note,
      detail: { ...note.detail, key_id: key.id },
    });
  return [
    publicRoute({
      ...common,
      method: 'POST',
      path: ALL,
      summary: 'New connector',
      description:
        'Keeps your own collection in step with a source: a folder, a web site, a feed, WebDAV, S3, Git, PostgreSQL, MySQL, Confluence, SharePoint, Google Drive. Secrets are kept encrypted and never given back. Its documents are those of the key, within what the key may do when it runs. With a schedule it runs at once, unless it is paused. With `access: "source"` each document of SharePoint or Google Drive is for those whom the source lets read it.',
      body: { NewConnector },
      example: {
        name: '사내 위키',
        settings: { kind: 'git', url: 'https://git.example.kr/wiki.git', pattern: '**/*.md' },
        secrets: { username: 'reader', password: 'token' },
        every_minutes: 60,
      },
      reply,
      errors: errorsOfWriting,
      async handle({ key, ctx, params, body, request }) {
        const made = await connectors.create(ctx.actor, params.collection_id, body);
        const detail = { kind: made.settings.kind, collection: made.collection_id };
        await audit(key, request, { action: 'connector_created', target: targetOf(made), detail });
        return inEnvelope(made);
      },
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: ALL,
      summary: 'Connectors of a collection',
      description: 'In the order in which they were made, with the last run of each, and what the installation allows.',
      reply: { ConnectorListReply: envelope(ConnectorList) },
      handle: async ({ ctx, params }) => inEnvelope(await connectors.list(ctx.actor, params.collection_id)),
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: ONE,
      summary: 'One connector',
      description: 'Where its source lies, without its secrets, and how its last run went.',
      reply,
      handle: async ({ ctx, params }) =>
        inEnvelope(await connectors.read(ctx.actor, params.collection_id, params.connector_id)),
    }),
    publicRoute({
      ...common,
      method: 'PATCH',
      path: ONE,
      summary: 'Change, pause or resume a connector',
      description:
        'What is left out stays; the connector is of the key from then on. Other settings take the secrets again: they were meant for the former source.',
      body: { ConnectorChanges },
      example: { paused: true },
      reply,
      errors: errorsOfWriting,
      async handle({ key, ctx, params, body, request }) {
        const changed = await connectors.change(ctx.actor, params.collection_id, params.connector_id, body);
        const fields = Object.keys(body).join(', ');
        await audit(key, request, { action: 'connector_changed', target: targetOf(changed), detail: { fields } });
        return inEnvelope(changed);
      },
    }),
    publicRoute({
      ...common,
      method: 'DELETE',
      path: ONE,
      summary: 'Delete a connector',
      description: 'Its documents stay, as any others, or go with it in the background (`documents=remove`).',
      query: { ConnectorRemoval },
      reply: { ConnectorRemovedReply: envelope(ConnectorRemoved) },
      errors: ['conflict'],
      async handle({ key, ctx, params, query: { documents }, request }) {
        const { collection_id: collection, connector_id: id } = params;
        const found = await connectors.read(ctx.actor, collection, id);
        await connectors.remove(ctx.actor, collection, id, documents);
        await audit(key, request, { action: 'connector_removed', target: targetOf(found), detail: { documents } });
        return inEnvelope({ connector_id: found.connector_id, documents });
      },
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: `${ONE}/runs`,
      summary: 'Run a connector now',
      description:
        'Also while it is paused; in the background. `dry` only tells what would be done. Where it runs already this is a 409.',
      body: { NewConnectorRun },
      example: { dry: true },
      reply: runReply,
      errors: errorsOfWriting,
      async handle({ key, ctx, params, body: { dry, removes_all: removesAll }, request }) {
        const { collection_id: collection, connector_id: id } = params;
        const found = await connectors.read(ctx.actor, collection, id);
        const run = await connectors.run(ctx.actor, collection, id, { dry, removesAll });
        const detail = { dry, removes_all: removesAll };
        await audit(key, request, { action: 'connector_run', target: targetOf(found), detail });
        return inEnvelope(run);
      },
    }),
    publicRoute({
      ...common,
      method: 'GET',
      path: `${ONE}/runs`,
      summary: 'Runs of a connector',
      description:
        'The last 50, the newest first: what was added, changed and removed, and what could not be taken and why.',
      reply: { ConnectorRunsReply: envelope(ConnectorRuns) },
      handle: async ({ ctx, params }) =>
        inEnvelope(await connectors.runs(ctx.actor, params.collection_id, params.connector_id)),
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: `${ONE}/cancel`,
      summary: 'End the run of a connector',
      description: 'What was done by then stays. Where none is under way nothing happens.',
      reply,
      async handle({ key, ctx, params, request }) {
        const found = await connectors.cancel(ctx.actor, params.collection_id, params.connector_id);
        await audit(key, request, { action: 'connector_run_ended', target: targetOf(found) });
        return inEnvelope(found);
      },
    }),
  ];
}
