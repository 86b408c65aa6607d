import type { DescriptionPreview } from '@ai-studio/contract/console/agents.ts';
import type { CallContext, Person } from '../../../kernel/actor.ts';
import { StudioError } from '../../../kernel/errors.ts';
import type { GuardedFetch } from '../../../net-guard/index.ts';
import type { Database } from '../../../ports/database.ts';
import { changesBetween, hashOf } from '../openapi/changes.ts';
import { DescriptionError } from '../openapi/document.ts';
import { fetchService } from '../openapi/fetch.ts';
import { type ToolServerRow, findServer } from './rows.ts';
import { storableService, updateServer } from './update-server.ts';

// A description that lies at an address is fetched again: first it is shown what that would change, then it is taken in, just as shown.

interface Deps {
  readonly db: Database;
  readonly fetch: GuardedFetch;
}

async function fetched({ fetch }: Deps, row: ToolServerRow, signal: AbortSignal) {
  if (row.description_url === null)
    throw new DescriptionError(
      'missing',
      'The description was given, not fetched: there is no address to fetch it from',
    );
  const service = await fetchService(fetch, row.description_url, signal);
  const kept = storableService(service);
  const probed: DescriptionPreview = {
    changes: changesBetween(row.tools, kept.tools),
    left_out: [...kept.leftOut],
    hash: hashOf(kept),
  };
  return { probed, tools: kept.tools };
}

/** What fetching a description again would change. Errors: `not_found`, `invalid_request` (tool_description). */
export async function previewDescription(
  deps: Deps,
  { actor, signal }: CallContext<Person>,
  id: string,
): Promise<DescriptionPreview> {
  const row = await findServer(deps.db, actor.tenantId, id);
  return (await fetched(deps, row, signal)).probed;
}

/**
 * Takes in a description where it still says what was looked at. Errors: `not_found`, `invalid_request` (tool_description), `conflict`
 * (tool_description_differs).
 */
export async function takeDescription(
  deps: Deps,
  { actor, signal }: CallContext<Person>,
  id: string,
  hash: string,
): Promise<DescriptionPreview> {
  const row = await findServer(deps.db, actor.tenantId, id);
  const { probed, tools } = await fetched(deps, row, signal);
  if (probed.hash !== hash)
    throw new StudioError('conflict', 'The description is another one than what was looked at; look at it anew', {
      reason: 'tool_description_differs',
    });
  await updateServer(deps, row, { left_out: [...probed.left_out] }, tools);
  return probed;
}
