import {
  ModelServer,
  ModelServerChange,
  ModelServerList,
  type ModelServer as ModelServerOut,
  ModelServerTest,
  ModelServerTestResult,
  NewModelServer,
  ServerDrain,
} from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { StudioError } from '../../kernel/errors.ts';
import type { ConnectedServer, EngineState, ServerVerbs } from '../index.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { ConfiguredEngine, ModelServerRouteDeps } from './deps.ts';
import { describeEmbedder } from './served.ts';

const toReasonFields = (trouble: EngineState['trouble']) => ({
  reason_code: trouble?.code ?? null,
  reason_values: trouble?.values ?? {},
});

/** The addresses of an engine between which its calls are shared. */
const describeAddresses = (
  { health }: Pick<ModelServerRouteDeps, 'health'>,
  name: string,
): ModelServerOut['addresses'] =>
  health.addresses(name).map(({ url, weight, cooling, drained, inFlight, elsewhere }) => ({
    base_url: url ?? '',
    weight,
    resting: cooling,
    drained,
    in_flight: inFlight + elsewhere,
  }));

const targetOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ kind: 'server', id, name });

const withoutAddresses = (server: ModelServerOut): ModelServerOut => ({
  ...server,
  base_url: '',
  addresses: server.addresses.map((address) => ({ ...address, base_url: '' })),
});

/** Routes for model servers: those of the configuration, connected ones, and ones found on this machine. */
export function serverRoutes(deps: ModelServerRouteDeps): ConsoleRoute[] {
  const { servers, health, catalogue, engines, finder } = deps;

  const describeConfigured = async ({ name, baseUrl, hasApiKey }: ConfiguredEngine): Promise<ModelServerOut> => {
    const { state, reason, trouble } = await health.of(name);
    return {
      id: name,
      name,
      base_url: baseUrl,
      has_api_key: hasApiKey,
      from_configuration: true,
      state,
      reason,
      ...toReasonFields(trouble),
      models: catalogue
        .list()
        .flatMap(({ id, kind, engines: bound }) =>
          bound.filter(({ engine }) => engine === name).map(({ model = id }) => ({ remote_id: model, id, kind })),
        ),
      addresses: describeAddresses(deps, name),
      created_at: null,
    };
  };
  const describeConnected = async (server: ConnectedServer): Promise<ModelServerOut> => {
    const { state, reason, trouble } =
      server.problem === null
        ? await health.of(server.name)
        : { state: 'unhealthy' as const, reason: server.problem, trouble: server.trouble };
    return {
      id: server.id,
      name: server.name,
      base_url: server.baseUrl,
      has_api_key: server.hasApiKey,
      from_configuration: false,
      state,
      reason,
      ...toReasonFields(trouble),
      models: server.models.map(({ remoteId, id, kind }) => ({ remote_id: remoteId, id, kind })),
      addresses: describeAddresses(deps, server.name),
      created_at: server.createdAt,
    };
  };
  const find = async (id: string): Promise<ModelServerOut> => {
    const found = servers.list().find((server) => server.id === id);
    if (!found) throw new StudioError('not_found', 'There is no such model server');
    // What it embeds with is asked what it does, so that its page has the answers.
    for (const { id: model } of found.models) {
      const entry = catalogue.get(model);
      if (entry) describeEmbedder(deps, entry);
    }
    return describeConnected(found);
  };
  const access = 'models.manage';

  return [
    tenantRoute({
      method: 'GET',
      path: '/servers',
      access: 'models.view',
      reply: ModelServerList,
      async handle({ person }) {
        await deps.refreshLoads();
        const items = await Promise.all([...engines.map(describeConfigured), ...servers.list().map(describeConnected)]);
        const known = items.map(({ base_url }) => base_url);
        // Addresses within the organisation are only for people who may connect servers.
        if (!person.actions.has(access)) return { items: items.map(withoutAddresses), found: [] };
        const found = await finder(known);
        return { items, found: found.map(({ baseUrl, models }) => ({ base_url: baseUrl, models: [...models] })) };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/servers',
      access,
      body: NewModelServer,
      reply: ModelServer,
      async handle({ body, audit, signal, reply }) {
        const models = body.models.map((model) => model.id).join(', ');
        const id = await servers.connect(body, signal, (tx, server) =>
          audit(
            { action: 'server_connected', target: targetOf(server), detail: { base_url: server.base_url, models } },
            tx,
          ),
        );
        void reply.status(201);
        return find(id);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/servers/test',
      access,
      body: ModelServerTest,
      reply: ModelServerTestResult,
      async handle({ body, signal }) {
        const address = { baseUrl: body.base_url, apiKey: body.api_key ?? null, serverId: body.server_id ?? null };
        return toTestResult(await servers.test(address, signal));
      },
    }),
    tenantRoute({
      method: 'PATCH',
      path: '/servers/:id',
      access,
      body: ModelServerChange,
      reply: ModelServer,
      async handle({ params: { id = '' }, body, audit, signal }) {
        const fields = Object.keys(body).join(', ');
        await servers.change(id, body, signal, (tx, server) =>
          audit({ action: 'server_changed', target: targetOf(server), detail: { fields } }, tx),
        );
        return find(id);
      },
    }),
    tenantRoute({
      method: 'PUT',
      path: '/servers/:id/drain',
      access,
      body: ServerDrain,
      reply: ModelServer,
      async handle({ params: { id = '' }, body, audit }) {
        const configured = engines.find(({ name }) => name === id);
        const server = configured ? await describeConfigured(configured) : await find(id);
        const { base_url: url, drained } = body;
        if (!server.addresses.some((address) => address.base_url === url))
          throw new StudioError('not_found', 'The model server has no such address');
        await deps.drains.set({ engine: server.name, url }, drained, (tx) =>
          audit(
            {
              action: drained ? 'address_drained' : 'address_returned',
              target: targetOf(server),
              detail: { base_url: url },
            },
            tx,
          ),
        );
        await deps.refreshLoads();
        return configured ? describeConfigured(configured) : find(id);
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/servers/:id',
      access,
      async handle({ params: { id = '' }, audit }) {
        await servers.remove(id, (tx, server) => audit({ action: 'server_removed', target: targetOf(server) }, tx));
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/servers/:id/refresh',
      access,
      reply: ModelServerTestResult,
      handle: async ({ params: { id = '' }, signal }) => toTestResult(await servers.refresh(id, signal)),
    }),
  ];
}

const failureReasons = {
  unreachable: 'server_unreachable',
  refused: 'server_refused',
  not_openai: 'server_not_openai',
} as const;

function toTestResult(found: Awaited<ReturnType<ServerVerbs['test']>>): z.input<typeof ModelServerTestResult> {
  if (!found.ok)
    return {
      ok: false,
      reason: failureReasons[found.reason],
      message: found.message,
      problem: found.problem,
      values: found.values,
      latency_ms: found.latencyMs,
      models: [],
    };
  const models = found.models.map(({ remoteId, kind }) => ({ remote_id: remoteId, kind }));
  return { ok: true, reason: null, message: null, problem: null, values: {}, latency_ms: found.latencyMs, models };
}
