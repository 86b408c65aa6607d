import type { ModelServerChange, NewModelServer } from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { changeServer } from './change.ts';
import { connectServer } from './connect.ts';
import { type ServerVerbDeps, type WithinServerChange, findServer, announceChange } from './deps.ts';
import { type DescribedProbe, type TriedAddress, refreshServer, testServer } from './probe.ts';
import type { ConnectedServer } from './record.ts';

/**
 * The verbs of model servers. When a verb resolves, this process has applied the change, and the others do after a message.
 * `within` is part of the change.
 */
export interface ServerVerbs {
  /** The connected servers as this process knows them. */
  list(): readonly ConnectedServer[];
  /** Connects a server. Resolves with its id. Throws StudioError `invalid_request`, `conflict`. */
  connect(server: z.output<typeof NewModelServer>, signal: AbortSignal, within?: WithinServerChange): Promise<string>;
  /** Changes the given fields. Resolves with the name. Throws StudioError `invalid_request`, `not_found`, `conflict`. */
  change(
    id: string,
    change: z.output<typeof ModelServerChange>,
    signal: AbortSignal,
    within?: WithinServerChange,
  ): Promise<string>;
  /** Removes a server; its ids go back to their previous engines. Resolves with the name. Throws StudioError `not_found`, `conflict`. */
  remove(id: string, within?: WithinServerChange): Promise<string>;
  /** Probes an address for its models. Throws StudioError `invalid_request`, `not_found`. */
  test(address: TriedAddress, signal: AbortSignal): Promise<DescribedProbe>;
  /** Probes a connected server again, and stores what it reports. Throws StudioError `not_found`, `conflict`. */
  refresh(id: string, signal: AbortSignal): Promise<DescribedProbe>;
}

export const createServerVerbs = (deps: ServerVerbDeps): ServerVerbs => ({
  list: () => deps.servers.list(),
  connect: (...call) => connectServer(deps, ...call),
  change: (...call) => changeServer(deps, ...call),
  async remove(id, within) {
    const { name } = await findServer(deps, id);
    await deps.db.transaction(async (tx) => {
      const deleted = await tx
        .deleteFrom('model_servers')
        .where('id', '=', id)
        .returning(['id', 'name', 'base_url'])
        .executeTakeFirst();
      if (!deleted) return;
      // One of this name that is connected later begins at work.
      await tx.deleteFrom('engine_drains').where('engine', '=', deleted.name).execute();
      await within?.(tx, deleted);
    });
    await announceChange(deps, id, null);
    return name;
  },
  test: (address, signal) => testServer(deps, address, signal),
  refresh: (id, signal) => refreshServer(deps, id, signal),
});
