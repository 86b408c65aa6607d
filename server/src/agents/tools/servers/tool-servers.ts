import type {
  DescriptionPreview,
  NewToolServer,
  ToolServer,
  ToolServerChange,
  ToolTrialResult,
} from '@ai-studio/contract/console/agents.ts';
import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import type { CallContext, Person, Principal } from '../../../kernel/actor.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { hexId } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { AddressCheck, GuardedFetch } from '../../../net-guard/index.ts';
import { isUniqueViolation } from '../../../ports/database.ts';
import { storableJson } from '../../runs/json.ts';
import { callChecked } from '../open.ts';
import { DescriptionError } from '../openapi/document.ts';
import { cleanDescriptionUrl, fetchService } from '../openapi/fetch.ts';
import { type Service, readService } from '../openapi/operations.ts';
import { cleanAddress, cleanHeaders, requireOpenAddress, sameServer } from './checks.ts';
import { previewDescription, takeDescription } from './description.ts';
import { type ToolServerProbe, probeToolServer } from './probe.ts';
import { findServer, openHeaders, sealHeaders, toView, usersOf } from './rows.ts';
import type { OpenServedTools, ServedDeps } from './served.ts';
import { storableService, nameTaken, updateServer } from './update-server.ts';

/** A call of a tool that somebody tries. */
interface ToolTrial {
  readonly tool: string;
  readonly args: unknown;
}

/** What people do with tool servers of their tenant. */
export interface ToolServers {
  list(actor: Principal): Promise<ToolServer[]>;
  /** Throws StudioError `not_found`. */
  read(actor: Principal, id: string): Promise<ToolServer>;
  /**
   * Adds a server and looks at it; one that does not answer is added all the same, and says why, unless its address may not be used. Resolves with its id. Throws StudioError
   * `invalid_request`, `conflict`.
   */
  add(ctx: CallContext<Person>, server: NewToolServer): Promise<string>;
  /** Changes what is given, and looks at it again. Throws StudioError `not_found`, `invalid_request`, `conflict`, `unavailable`. */
  change(ctx: CallContext<Person>, id: string, change: ToolServerChange): Promise<void>;
  /** Looks at a server again, and takes in its tools. Throws StudioError `not_found`, `unavailable`, `conflict`. */
  refresh(ctx: CallContext<Person>, id: string): Promise<void>;
  /** What fetching its description again would change. Throws StudioError `not_found`, `invalid_request`. */
  previewDescription(ctx: CallContext<Person>, id: string): Promise<DescriptionPreview>;
  /** Takes in what was looked at so. Throws StudioError `not_found`, `invalid_request`, `conflict`. */
  takeDescription(ctx: CallContext<Person>, id: string, hash: string): Promise<DescriptionPreview>;
  /** Resolves with the name. Throws StudioError `not_found`. */
  remove(actor: Principal, id: string): Promise<string>;
  /** Calls one of its tools. Throws StudioError `not_found`, `unavailable`. */
  tryTool(ctx: CallContext<Person>, id: string, trial: ToolTrial): Promise<ToolTrialResult>;
}

export interface ToolServerDeps extends ServedDeps {
  readonly served: OpenServedTools;
  /** For descriptions that lie at an address. */
  readonly fetch: GuardedFetch;
  readonly checkAddress: AddressCheck;
  readonly log: Logger;
}

/** Tool servers of one tenant. */
const MAX_SERVERS = 100;

const bad = (message: string, param: string, reason: ConsoleReason = 'invalid_field') =>
  new StudioError('invalid_request', message, { param, reason });
const failureText = ({ failure }: ToolServerProbe) => (failure === null ? null : JSON.stringify(failure));

/** Where a service is: the address that was given, else the first server of its description. */
function addressOf(url: string, { baseUrl }: Service): string {
  if (url !== '') return cleanAddress(url, 'http');
  if (baseUrl === null || !URL.canParse(baseUrl))
    throw bad('The description names no server; give the address of the service', 'url', 'tool_address_missing');
  return cleanAddress(baseUrl, 'http');
}

async function requireRoom({ db }: ToolServerDeps, { tenantId }: Principal): Promise<void> {
  const { count } = await db.query
    .selectFrom('tool_servers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_SERVERS)
    throw new StudioError('conflict', `There are ${MAX_SERVERS} tool servers already; remove one first`);
}

async function add(
  deps: ToolServerDeps,
  { actor, signal }: CallContext<Person>,
  { name, kind, url: given, headers: pairs, ...about }: NewToolServer,
): Promise<string> {
  const headers = cleanHeaders(pairs);
  const described = kind === 'http' ? await describedBy(deps, about, signal) : null;
  if (kind === 'http' && described === null)
    throw new DescriptionError('missing', 'A description of the service is needed');
  const service = described?.service;
  const url = service ? addressOf(given, service) : cleanAddress(given, 'mcp');
  await requireOpenAddress(deps, url);
  await requireRoom(deps, actor);
  const probed = await probeToolServer(deps.request, { kind, url, headers }, signal);
  const kept = service ? storableService(service) : null;
  const id = hexId();
  const row = {
    id,
    tenant_id: actor.tenantId,
    name,
    kind,
    url,
    sealed_headers: sealHeaders(deps.box, id, headers),
    header_names: Object.keys(headers),
    tools: storableJson(kept?.tools ?? probed.tools ?? []),
    left_out: [...(kept?.leftOut ?? [])],
    description_url: described?.description_url ?? null,
    failure: failureText(probed),
    created_by: actor.userId,
  };
  try {
    await deps.db.query.insertInto('tool_servers').values(row).execute();
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(name, error) : error;
  }
  return id;
}

/** What a change says of the description; null where it says nothing. */
async function describedBy(
  deps: ToolServerDeps,
  { description, description_url: from }: Pick<NewToolServer, 'description' | 'description_url'>,
  signal: AbortSignal,
): Promise<{ readonly service: Service; readonly description_url: string | null } | null> {
  if (from !== undefined) {
    if (description !== undefined) throw bad('Give the description or its address, not both', 'description_url');
    const url = cleanDescriptionUrl(from);
    return { service: await fetchService(deps.fetch, url, signal), description_url: url };
  }
  return description === undefined ? null : { service: readService(description), description_url: null };
}

async function change(
  deps: ToolServerDeps,
  { actor, signal }: CallContext<Person>,
  id: string,
  given: ToolServerChange,
): Promise<void> {
  const row = await findServer(deps.db, actor.tenantId, id);
  const { kind } = row;
  const url = given.url === undefined ? row.url : cleanAddress(given.url, kind);
  if (!sameServer(url, row.url) && row.sealed_headers !== null && given.headers === undefined)
    throw bad('Another address asks for the headers anew', 'headers', 'tool_headers_anew');
  for (const field of ['description', 'description_url'] as const)
    if (kind === 'mcp' && given[field] !== undefined) throw bad('An MCP server tells of its tools itself', field);
  if (url !== row.url) await requireOpenAddress(deps, url);
  const described = await describedBy(deps, given, signal);
  const about = described ? storableService(described.service) : null;
  const headers = given.headers === undefined ? openHeaders(deps.box, row) : cleanHeaders(given.headers);
  const probed = await probeToolServer(deps.request, { kind, url, headers }, signal);
  const kept =
    given.headers === undefined
      ? {}
      : { sealed_headers: sealHeaders(deps.box, id, headers), header_names: Object.keys(headers) };
  await updateServer(
    deps,
    row,
    {
      ...(given.name === undefined ? {} : { name: given.name }),
      ...(described && about ? { left_out: [...about.leftOut], description_url: described.description_url } : {}),
      ...kept,
      url,
      failure: failureText(probed),
    },
    about?.tools ?? probed.tools,
  );
}

async function tryTool(
  { served, log }: ToolServerDeps,
  { actor, signal }: CallContext<Person>,
  id: string,
  { tool: name, args }: ToolTrial,
): Promise<ToolTrialResult> {
  const [tool] = await served.find(actor.tenantId, id, [name]);
  if (!tool) throw new StudioError('not_found', 'There is no such tool');
  const startedMs = performance.now();
  const { text, failed } = await callChecked(tool, args, { signal, idempotencyKey: `try/${hexId()}` }, log);
  return { text, failed, ms: Math.round(performance.now() - startedMs) };
}

export const createToolServers = (deps: ToolServerDeps): ToolServers => ({
  async list(actor) {
    const [rows, users] = await Promise.all([
      deps.db.query
        .selectFrom('tool_servers')
        .selectAll()
        .where('tenant_id', '=', actor.tenantId)
        .orderBy('number')
        .execute(),
      usersOf(deps.db, actor.tenantId),
    ]);
    return rows.map((row) => toView(row, users.get(row.id) ?? []));
  },
  async read(actor, id) {
    const [row, users] = await Promise.all([findServer(deps.db, actor.tenantId, id), usersOf(deps.db, actor.tenantId)]);
    return toView(row, users.get(id) ?? []);
  },
  add: (ctx, server) => add(deps, ctx, server),
  change: (ctx, id, given) => change(deps, ctx, id, given),
  async refresh({ actor, signal }, id) {
    const row = await findServer(deps.db, actor.tenantId, id);
    const { kind, url } = row;
    const probed = await probeToolServer(deps.request, { kind, url, headers: openHeaders(deps.box, row) }, signal);
    await updateServer(deps, row, { failure: failureText(probed) }, probed.tools);
  },
  previewDescription: (ctx, id) => previewDescription(deps, ctx, id),
  takeDescription: (ctx, id, hash) => takeDescription(deps, ctx, id, hash),
  async remove({ tenantId }, id) {
    const { name } = await findServer(deps.db, tenantId, id);
    await deps.db.query.deleteFrom('tool_servers').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
    return name;
  },
  tryTool: (ctx, id, trial) => tryTool(deps, ctx, id, trial),
});
