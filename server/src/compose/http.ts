import { join } from 'node:path';
import { createHttp, type Http, type HttpOptions } from '../http/index.ts';
import { personActor } from '../identity/index.ts';
import type { Database } from '../ports/database.ts';
import type { Base } from './parts.ts';

interface Deps extends Omit<
  HttpOptions,
  | 'consoleFolder'
  | 'log'
  | 'maxJsonBytes'
  | 'maxJsonWithImagesBytes'
  | 'metricsToken'
  | 'personActor'
  | 'serveMetrics'
  | 'trustProxy'
> {
  readonly db: Database;
  /** Told of the port once requests are accepted. */
  readonly onListening: (port: number) => void;
}

/** Opens the HTTP interface; requests are accepted from the start on. */
export function openHttp({ config, log, parts }: Base, { db, onListening, ...given }: Deps): Http {
  const { server, metrics } = config;
  const { defaultLimits } = given;
  const http = createHttp({
    ...given,
    log,
    maxJsonBytes: server.json_bytes,
    maxJsonWithImagesBytes: server.json_with_images_bytes,
    trustProxy: server.trust_proxy,
    metricsToken: metrics.token ?? null,
    serveMetrics: metrics.port === undefined,
    personActor: (person) => personActor({ db, defaultLimits }, person),
    consoleFolder: join(import.meta.dirname, '../../../console/dist'),
  });
  parts.own('HTTP', http);
  parts.onStart('port', async () => {
    onListening(await http.listen(server.host, server.port));
    return null;
  });
  return http;
}
