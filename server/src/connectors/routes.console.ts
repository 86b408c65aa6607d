import {
  Connector,
  ConnectorChanges,
  ConnectorList,
  ConnectorRemoval,
  ConnectorRun,
  ConnectorRuns,
  NewConnector,
  NewConnectorRun,
} from '@ai-studio/contract/retrieval/connector.ts';
import { actorOf, type CountedCalls, admitPerson } from '../console-kit/allowance.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../console-kit/route.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Connectors } from './index.ts';

/** What the routes of connectors work with. */
export interface ConnectorRouteDeps extends CountedCalls {
  readonly connectors: Connectors;
}

const ALL = '/collections/:id/connectors';
const ONE = `${ALL}/:connector`;
const access = 'collections.manage';

const idsOf = (call: AnyCall) => [paramOf(call, 'id'), paramOf(call, 'connector')] as const;
const targetOf = ({ connector_id: id, name }: Connector) => ({ kind: 'connector', id, name });

/** Gives failures of verbs the reasons that the console has words for. */
async function withReasons<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StudioError) || error.reason !== null) throw error;
    const { code, message, param } = error;
    const reason =
      code === 'forbidden' ? 'collection_not_yours' : code === 'invalid_request' ? 'invalid_field' : undefined;
    throw reason === undefined ? error : new StudioError(code, message, { param, reason, cause: error });
  }
}

/** Sources that a collection is kept in step with; for whoever may change it. */
export function connectorRoutes(deps: ConnectorRouteDeps): ConsoleRoute[] {
  const { connectors } = deps;
  return [
    tenantRoute({
      method: 'GET',
      path: ALL,
      access,
      reply: ConnectorList,
      handle: async (call) => withReasons(connectors.list(await actorOf(deps, call), paramOf(call, 'id'))),
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access,
      body: NewConnector,
      reply: Connector,
      async handle(call) {
        const made = await withReasons(connectors.create(await actorOf(deps, call), paramOf(call, 'id'), call.body));
        const { settings, collection_id: collection } = made;
        await call.audit({
          action: 'connector_created',
          target: targetOf(made),
          detail: { kind: settings.kind, collection },
        });
        void call.reply.status(201);
        return made;
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access,
      reply: Connector,
      handle: async (call) => withReasons(connectors.read(await actorOf(deps, call), ...idsOf(call))),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: ConnectorChanges,
      reply: Connector,
      async handle(call) {
        const changed = await withReasons(connectors.change(await actorOf(deps, call), ...idsOf(call), call.body));
        const fields = Object.keys(call.body).join(', ');
        await call.audit({ action: 'connector_changed', target: targetOf(changed), detail: { fields } });
        return changed;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      query: ConnectorRemoval,
      async handle(call) {
        const { documents } = call.query;
        const actor = await actorOf(deps, call);
        const found = await withReasons(connectors.read(actor, ...idsOf(call)));
        await withReasons(connectors.remove(actor, ...idsOf(call), documents));
        await call.audit({ action: 'connector_removed', target: targetOf(found), detail: { documents } });
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/runs`,
      access,
      reply: ConnectorRuns,
      handle: async (call) => withReasons(connectors.runs(await actorOf(deps, call), ...idsOf(call))),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/runs`,
      access,
      body: NewConnectorRun,
      reply: ConnectorRun,
      async handle(call) {
        const { dry, removes_all: removesAll } = call.body;
        const actor = await admitPerson(deps, call);
        const found = await withReasons(connectors.read(actor, ...idsOf(call)));
        const run = await withReasons(connectors.run(actor, ...idsOf(call), { dry, removesAll }));
        await call.audit({
          action: 'connector_run',
          target: targetOf(found),
          detail: { dry, removes_all: removesAll },
        });
        void call.reply.status(201);
        return run;
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/cancel`,
      access,
      reply: Connector,
      async handle(call) {
        const found = await withReasons(connectors.cancel(await actorOf(deps, call), ...idsOf(call)));
        await call.audit({ action: 'connector_run_ended', target: targetOf(found) });
        return found;
      },
    }),
  ];
}
