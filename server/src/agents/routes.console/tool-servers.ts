import {
  DescriptionPreview,
  NewToolServer,
  ApplyDescription,
  ToolServer,
  ToolServerChange,
  ToolServers as ToolServerList,
  ToolTrialResult,
  TryTool,
} from '@ai-studio/contract/console/agents.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

/** Ids are of 32 hex digits; the database need not be asked for anything else. */
const ID = /^[0-9a-f]{32}$/;
function idOf(call: AnyCall): string {
  const id = paramOf(call, 'id');
  if (ID.test(id)) return id;
  throw new StudioError('not_found', 'There is no such tool server');
}

/** Servers whose tools agents may call. Who builds sees and tries them; who approves adds and changes them, since they hold secrets. */
export function toolServerRoutes({ toolServers }: AgentRouteDeps): ConsoleRoute[] {
  const ALL = '/agent-servers';
  const ONE = `${ALL}/:id`;
  const access = 'agents.approve';
  const target = ({ id, name }: ToolServer) => ({ kind: 'tool_server', id, name });

  return [
    tenantRoute({
      method: 'GET',
      path: ALL,
      access: 'agents.build',
      reply: ToolServerList,
      handle: async ({ ctx }) => ({ items: await toolServers.list(ctx.actor) }),
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access,
      body: NewToolServer,
      reply: ToolServer,
      async handle({ ctx, body, audit, reply }) {
        const id = await toolServers.add(ctx, body);
        const server = await toolServers.read(ctx.actor, id);
        await audit({
          action: 'tool_server_added',
          target: target(server),
          detail: { kind: server.kind, url: server.url, headers: server.headers.join(', ') },
        });
        void reply.status(201);
        return server;
      },
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access,
      body: ToolServerChange,
      reply: ToolServer,
      async handle(call) {
        const { ctx, body, audit } = call;
        const id = idOf(call);
        await toolServers.change(ctx, id, body);
        const server = await toolServers.read(ctx.actor, id);
        const detail = { fields: Object.keys(body).join(', '), url: server.url };
        await audit({ action: 'tool_server_changed', target: target(server), detail });
        return server;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access,
      async handle(call) {
        const { ctx, audit } = call;
        const id = idOf(call);
        const name = await toolServers.remove(ctx.actor, id);
        await audit({ action: 'tool_server_removed', target: { kind: 'tool_server', id, name } });
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/refresh`,
      access: 'agents.build',
      reply: ToolServer,
      async handle(call) {
        const { ctx } = call;
        const id = idOf(call);
        await toolServers.refresh(ctx, id);
        return toolServers.read(ctx.actor, id);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/description`,
      access,
      reply: DescriptionPreview,
      handle: (call) => toolServers.previewDescription(call.ctx, idOf(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/description/take`,
      access,
      body: ApplyDescription,
      reply: ToolServer,
      async handle(call) {
        const { ctx, body, audit } = call;
        const id = idOf(call);
        const { changes } = await toolServers.takeDescription(ctx, id, body.hash);
        const server = await toolServers.read(ctx.actor, id);
        const of = (kind: (typeof changes)[number]['change']) => changes.filter(({ change }) => change === kind).length;
        const counts = { added: of('added'), removed: of('removed'), changed: of('changed') };
        const detail = { fields: 'description', url: server.description_url ?? '', ...counts };
        await audit({ action: 'tool_server_changed', target: target(server), detail });
        return server;
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/try`,
      access: 'agents.build',
      body: TryTool,
      reply: ToolTrialResult,
      async handle(call) {
        const { ctx, body, audit } = call;
        const id = idOf(call);
        const server = await toolServers.read(ctx.actor, id);
        const tried = await toolServers.tryTool(ctx, id, { tool: body.tool, args: body.arguments });
        await audit({
          action: 'tool_tried',
          target: target(server),
          detail: { tool: body.tool, failed: tried.failed },
        });
        return tried;
      },
    }),
  ];
}
