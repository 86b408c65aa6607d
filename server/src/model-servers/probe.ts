import { guessKind } from '../models/served.ts';
import type { ServerProbe } from '../ports/server-probe.ts';
import { writeServer } from './change.ts';
import { cleanAddress, cleanKey, sameServer } from './checks.ts';
import { type ServerVerbDeps, findServer, probe, openKey, settleModels, tell } from './deps.ts';
import { type ConnectedModel, toModel, toRow } from './record.ts';

/** A look with what its models are for; what is of no use here is left out. */
export type DescribedProbe =
  | (ServerProbe & { readonly ok: false })
  | {
      readonly ok: true;
      readonly latencyMs: number;
      readonly models: readonly Pick<ConnectedModel, 'remoteId' | 'kind'>[];
    };

function describe(probed: ServerProbe): DescribedProbe {
  if (!probed.ok) return probed;
  const models = probed.models.flatMap(({ name }) => {
    const kind = guessKind(name);
    return kind === null ? [] : [{ remoteId: name, kind }];
  });
  return { ok: true, latencyMs: probed.latencyMs, models };
}

/** What somebody wants to be tried. */
export interface TriedAddress {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** A connected server, whose stored key is used at its own address where none is given. */
  readonly serverId: string | null;
}

/** Asks an address for its models. Throws StudioError `invalid_request`, `not_found`. */
export async function testServer(
  deps: ServerVerbDeps,
  address: TriedAddress,
  signal: AbortSignal,
): Promise<DescribedProbe> {
  const baseUrl = cleanAddress(address.baseUrl);
  let apiKey = cleanKey(address.apiKey);
  if (apiKey === null && address.serverId !== null) {
    const row = await findServer(deps, address.serverId);
    if (sameServer(baseUrl, row.base_url)) apiKey = openKey(deps, row);
  }
  return describe(await probe(deps, { baseUrl, apiKey }, signal));
}

/** Looks at a connected server again, and takes in what it says of itself. Throws StudioError `not_found`, `conflict`. */
export async function refreshServer(deps: ServerVerbDeps, id: string, signal: AbortSignal): Promise<DescribedProbe> {
  const row = await findServer(deps, id);
  const probed = await probe(deps, { baseUrl: row.base_url, apiKey: openKey(deps, row) }, signal);
  const before = row.models.map(toModel);
  const models = JSON.stringify(settleModels(before, before, probed).map(toRow));
  const dialect = probed.ok ? (probed.dialect ?? row.dialect) : row.dialect;
  if (models !== JSON.stringify(before.map(toRow)) || dialect !== row.dialect) {
    const version = await writeServer(deps, row, { models, dialect });
    if (version !== null) await tell(deps, id, version);
  }
  return describe(probed);
}
