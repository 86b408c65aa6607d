import { addressOf, type Config } from '../config/index.ts';
import { type ConnectedServer, withoutSecrets } from '../model-servers/index.ts';

/** An address of an engine, as commands name it. */
export interface EngineAddressName {
  readonly engine: string;
  /** Its name in logs and metrics, such as `gov/0`. */
  readonly id: string;
  /** Without secrets. */
  readonly url: string;
  readonly weight: number;
}

/** The addresses of the configuration, then those of connected servers. */
export const engineAddresses = (
  { engines }: Pick<Config, 'engines'>,
  servers: readonly ConnectedServer[],
): readonly EngineAddressName[] => [
  ...Object.entries(engines).flatMap(([engine, { addresses }]) =>
    addresses.map((address, at) => {
      const { url, weight } = typeof address === 'string' ? { url: address, weight: 1 } : address;
      return { engine, id: addresses.length === 1 ? engine : `${engine}/${at}`, url: withoutSecrets(url), weight };
    }),
  ),
  ...servers
    .filter(({ problem }) => problem === null)
    .map(({ name, baseUrl }) => ({ engine: name, id: name, url: withoutSecrets(baseUrl), weight: 1 })),
];

const TIMEOUT_MS = 3_000;
const SAMPLE = /^studio_engine_in_flight\{engine="([^"]*)"\} (\d+)/gm;

/** Calls under way at each address, by its id, of the service that runs on this machine; null where none answers. */
export async function callsUnderWay({ server, metrics }: Config): Promise<ReadonlyMap<string, number> | null> {
  const { port, host, token } = metrics;
  const base = addressOf({
    server: { ...server, public_url: undefined, ...(port === undefined ? {} : { host, port }) },
  } as Config);
  try {
    const response = await fetch(`${base}/metrics`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return null;
    const text = await response.text();
    return new Map(Array.from(text.matchAll(SAMPLE), ([, id = '', calls]) => [id, Number(calls)] as const));
  } catch {
    return null;
  }
}
