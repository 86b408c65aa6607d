import { join } from 'node:path';
import type { Database } from '../ports/database.ts';
import { createMeter, createMetering, startMerging, type Meter, type Metering } from '../usage/index.ts';
import type { Base } from './parts.ts';

export interface OpenUsage {
  readonly meter: Meter;
  readonly metering: Metering;
}

/** Opens what counts what is used, and merges what is old of it. */
export function openUsage({ config, log, parts }: Base, { db }: { readonly db: Database }): OpenUsage {
  const meter = parts.own('meter', createMeter({ db, log, spillDir: join(config.data_dir, 'usage') }));
  parts.onClose('merging of usage', startMerging({ db, log }));
  return { meter, metering: createMetering(meter) };
}
