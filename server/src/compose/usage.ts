import { join } from 'node:path';
import { lockFile } from '../adapters/embedded/file-lock.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import { createMeter, createMetering, startMerging, type Meter, type Metering } from '../usage/index.ts';
import type { Base } from './parts.ts';

export interface OpenUsage {
  readonly meter: Meter;
  readonly metering: Metering;
}

/** Opens the metering of usage, and merges old records of it. */
export function openUsage({ config, log, parts }: Base, { db }: DatabaseDeps): OpenUsage {
  const meter = parts.own('meter', createMeter({ db, log, folder: join(config.data_dir, 'usage'), lockFile }));
  parts.onClose('merging of usage', startMerging({ db, log }));
  return { meter, metering: createMetering(meter) };
}
