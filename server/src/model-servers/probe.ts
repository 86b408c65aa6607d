import { guessKind } from '../models/served.ts';
import type { ServerProbe } from '../ports/server-probe.ts';
import { writeServer } from './change.ts';
import { normaliseAddress, normaliseKey, isSameServer } from './checks.ts';
import { type ServerVerbDeps, findServer, probeAddress, openKey, settleModels, announceChange } from './deps.ts';
import { type ConnectedModel, toModel, toRow } from './record.ts';

/** The result of a probe with the kinds of its models; unusable models are left out. */
export type DescribedProbe =
  | (ServerProbe & { readonly ok: false })
  | {
      readonly ok: true;
      readonly latencyMs: number;
      readonly models: readonly Pick<ConnectedModel, 'remoteId' | 'kind'>[];
    };

function describeProbe(probed: ServerProbe): DescribedProbe {
  if (!probed.ok) return probed;
  const models = probed.models.flatMap(({ name }) => {
    const kind = guessKind(name);
    return kind === null ? [] : [{ remoteId: name, kind }];
  });
  return { ok: true, latencyMs: probed.latencyMs, models };
}

/** An address to test. */
export interface TriedAddress {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** A connected server; without `apiKey`, its stored key is used at its own address. */
  readonly serverId: string | null;
}

/** Probes an address for its models. Throws StudioError `invalid_request`, `not_found`. */
export async function testServer(
  deps: ServerVerbDeps,
  address: TriedAddress,
  signal: AbortSignal,
): Promise<DescribedProbe> {
  const baseUrl = normaliseAddress(address.baseUrl);
  let apiKey = normaliseKey(address.apiKey);
  if (apiKey === null && address.serverId !== null) {
    const row = await findServer(deps, address.serverId);
    if (isSameServer(baseUrl, row.base_url)) apiKey = openKey(deps, row);
  }
  return describeProbe(await probeAddress(deps, { baseUrl, apiKey }, signal));
}

/** Probes a connected server again, and stores what it reports. Throws StudioError `not_found`, `conflict`. */
export async function refreshServer(deps: ServerVerbDeps, id: string, signal: AbortSignal): Promise<DescribedProbe> {
  const row = await findServer(deps, id);
  const probed = await probeAddress(deps, { baseUrl: row.base_url, apiKey: openKey(deps, row) }, signal);
  const previous = row.models.map(toModel);
  const models = JSON.stringify(settleModels(previous, previous, probed).map(toRow));
  const dialect = probed.ok ? (probed.dialect ?? row.dialect) : row.dialect;
  if (models !== JSON.stringify(previous.map(toRow)) || dialect !== row.dialect) {
    const version = await writeServer(deps, row, { models, dialect });
    if (version !== null) await announceChange(deps, id, version);
  }
  return describeProbe(probed);
}
