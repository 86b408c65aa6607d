import type { ModelServerChange, NewModelServer } from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { changeServer } from './change.ts';
import { connectServer } from './connect.ts';
import { type ServerVerbDeps, type WithinServerChange, findServer, tell } from './deps.ts';
import { type DescribedProbe, type TriedAddress, refreshServer, testServer } from './probe.ts';
import type { ConnectedServer } from './record.ts';

/**
 * What people do with model servers. Changes count in every process when a verb is done, but for the time of a message.
 * `within` is part of the change.
 */
export interface ServerVerbs {
  /** The connected servers as this process has them. */
  list(): readonly ConnectedServer[];
  /** Connects a server. Resolves with its id. Throws StudioError `invalid_request`, `conflict`. */
  connect(server: z.output<typeof NewModelServer>, signal: AbortSignal, within?: WithinServerChange): Promise<string>;
  /** Changes what is given. Resolves with the name. Throws StudioError `invalid_request`, `not_found`, `conflict`. */
  change(
    id: string,
    change: z.output<typeof ModelServerChange>,
    signal: AbortSignal,
    within?: WithinServerChange,
  ): Promise<string>;
  /** Removes a server; its ids go back to what served them before. Resolves with the name. Throws StudioError `not_found`, `conflict`. */
  remove(id: string, within?: WithinServerChange): Promise<string>;
  /** Asks an address for its models. Throws StudioError `invalid_request`, `not_found`. */
  test(address: TriedAddress, signal: AbortSignal): Promise<DescribedProbe>;
  /** Looks at a connected server again, and takes in what it says of itself. Throws StudioError `not_found`, `conflict`. */
  refresh(id: string, signal: AbortSignal): Promise<DescribedProbe>;
}

export const createServerVerbs = (deps: ServerVerbDeps): ServerVerbs => ({
  list: () => deps.servers.list(),
  connect: (...call) => connectServer(deps, ...call),
  change: (...call) => changeServer(deps, ...call),
  async remove(id, within) {
    const { name } = await findServer(deps, id);
    await deps.db.transaction(async (tx) => {
      const gone = await tx
        .deleteFrom('model_servers')
        .where('id', '=', id)
        .returning(['id', 'name', 'base_url'])
        .executeTakeFirst();
      if (gone) await within?.(tx, gone);
    });
    await tell(deps, id, null);
    return name;
  },
  test: (address, signal) => testServer(deps, address, signal),
  refresh: (id, signal) => refreshServer(deps, id, signal),
});
