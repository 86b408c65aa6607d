import { storedServers } from '../compose/stored-servers.ts';
import type { LoadedConfig } from '../config/index.ts';
import { writeAudit } from '../identity/index.ts';
import { readDrains, setDrained } from '../model-servers/index.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { callsUnderWay, type EngineAddressName, engineAddresses } from './engine-addresses.ts';
import { formatTable, type Output } from './output.ts';
import { runAsSystem } from './run-as-system.ts';
import { commandLog } from './with-database.ts';

const USAGE =
  'Use "studio engines [list] [--json]", "studio engines drain ENGINE [ADDRESS]" or "… return ENGINE [ADDRESS]".';

/** The address that a command names: by its engine where that has one alone, by its id such as gov/0, or by engine and address. */
function findAddress(
  addresses: readonly EngineAddressName[],
  engine: string,
  url: string | undefined,
): EngineAddressName {
  const found = addresses.filter((one) => one.id === engine || one.engine === engine);
  const named =
    url === undefined ? found : found.filter((one) => one.url === url.replace(/\/+$/, '') || one.id === url);
  const [address] = named;
  if (address && named.length === 1) return address;
  const known = (found.length > 0 ? found : addresses).map((one) => `${one.id} (${one.url})`).join(', ') || 'none';
  if (found.length === 0) throw new UsageError(`There is no engine "${engine}"; known: ${known}.`);
  throw new UsageError(`Say which address of "${engine}" is meant: ${known}.`);
}

async function list(loaded: LoadedConfig, json: boolean, out: Output): Promise<void> {
  const { config } = loaded;
  const log = commandLog();
  const [{ addresses, drains }, calls] = await Promise.all([
    runAsSystem(loaded, out, async ({ db }) => ({
      addresses: engineAddresses(config, await storedServers(config, db, log)),
      drains: await readDrains({ db }),
    })),
    callsUnderWay(config),
  ]);
  const rows = addresses.map((address) => ({
    ...address,
    drained_since: drains.find(({ engine, url }) => engine === address.engine && url === address.url)?.since ?? null,
    in_flight: calls?.get(address.id) ?? null,
  }));
  if (json) return out.print(JSON.stringify(rows, null, 2));
  if (rows.length === 0)
    return out.print('There are no model servers. docs/guide/connect-a-model-server.md says how to name one.');
  out.print(
    formatTable([
      ['ENGINE', 'ADDRESS', 'WEIGHT', 'UNDER WAY', 'STATE'],
      ...rows.map(({ id, url, weight, in_flight: busy, drained_since: since }) => [
        id,
        url,
        String(weight),
        busy === null ? '-' : String(busy),
        since === null ? 'takes calls' : `drained since ${since.slice(0, 16).replace('T', ' ')} (UTC)`,
      ]),
    ]),
  );
}

async function change(loaded: LoadedConfig, names: readonly string[], isDrained: boolean, out: Output): Promise<void> {
  const [engine, url, ...more] = names;
  if (engine === undefined || more.length > 0) throw new UsageError(USAGE);
  const { config } = loaded;
  const { address, changed } = await runAsSystem(loaded, out, async (deps, who) => {
    const servers = await storedServers(config, deps.db, commandLog());
    const address = findAddress(engineAddresses(config, servers), engine, url);
    const target = {
      kind: 'server',
      id: servers.find(({ name }) => name === address.engine)?.id ?? address.engine,
      name: address.engine,
    } as const;
    const changed = await setDrained(deps, address, isDrained, (tx) =>
      writeAudit(tx, who, {
        action: isDrained ? 'address_drained' : 'address_returned',
        target,
        detail: { base_url: address.url },
      }),
    );
    return { address, changed };
  });
  const what = `${address.id} (${address.url})`;
  if (!isDrained) return out.print(changed ? `${what} takes calls again.` : `${what} was not drained.`);
  out.print(changed ? `${what} gets no new calls.` : `${what} was drained already.`);
  const busy = (await callsUnderWay(config))?.get(address.id) ?? 0;
  if (busy > 0)
    out.print(`${busy} ${busy === 1 ? 'call goes' : 'calls go'} on there; "studio engines" shows how many are left.`);
}

/** Lists the addresses of the model servers, drains one and puts it back to work. */
export const engines: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, ['json']);
  const loaded = load(rest);
  const [action = 'list', ...names] = line.positionals;
  if (action === 'drain') await change(loaded, names, true, out);
  else if (action === 'return') await change(loaded, names, false, out);
  else if (action === 'list' && names.length === 0) await list(loaded, own.json !== undefined, out);
  else throw new UsageError(USAGE);
  return 0;
};
