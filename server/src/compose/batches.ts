import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { startBatchRetention, startBatchRunner } from '../batches/index.ts';
import { startFileRetention } from '../files/index.ts';
import { createFailures, type Surfaces } from '../http/index.ts';
import type { KeyRing } from '../identity/index.ts';
import type { OpenStoredCalls } from '../inference/index.ts';
import { openProcessFolder } from '../kernel/process-folder.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { ResponsesDeps } from '../responses/index.ts';
import type { OpenEngines } from './engines.ts';
import type { OpenInference } from './inference.ts';
import type { OpenedLimiter } from './limiter.ts';
import type { Base } from './parts.ts';
import { openBlobs } from './storage.ts';
import type { Data } from './store.ts';

interface Deps
  extends Data, Pick<OpenedLimiter, 'defaultLimits'>, Pick<OpenInference, 'checkText'>, Pick<OpenEngines, 'router'> {
  readonly keys: KeyRing;
  readonly catalogue: Catalogue;
  readonly openStoredCalls: OpenStoredCalls;
  readonly responses: ResponsesDeps;
}

const MINUTE_MS = 60_000;

/** Opens the files of tenants, and what runs batches of requests in them. */
export async function openBatches(
  { config, log, parts }: Base,
  deps: Deps,
): Promise<Pick<Surfaces, 'files' | 'batches'>> {
  const { db, bus, router, keys } = deps;
  const { files: limits, batches: settings, server, data_dir } = config;
  const folder = await openProcessFolder(join(data_dir, 'batches'));
  parts.onClose('folder of batches', () => rm(folder, { recursive: true, force: true }));
  const blobs = parts.own('files of tenants', openBlobs(config));
  parts.onClose('removal of expired files', startFileRetention({ db, blobs, log }));
  parts.onClose('removal of old batches', startBatchRetention({ db, keepDays: settings.keep_days, log }));
  parts.onStart('batches', async () => {
    const runner = await startBatchRunner({
      db,
      bus,
      blobs,
      folder,
      log,
      lines: {
        openStoredCalls: deps.openStoredCalls,
        embeddings: { catalogue: deps.catalogue },
        checkText: deps.checkText,
        responses: deps.responses,
        failure: createFailures(log).openAi,
        now: Date.now,
      },
      defaultLimits: deps.defaultLimits,
      onKeyRevoked: keys.onRevoked,
      maxLines: settings.max_lines,
      // A body as large as any, and what stands around it.
      maxLineBytes: Math.max(server.json_bytes, server.json_with_images_bytes) + 65_536,
      batchesAtOnce: settings.batches_at_once,
      linesAtOnce: settings.lines_at_once,
      patienceMs: settings.patience_minutes * MINUTE_MS,
      isBusy: () => router.states().some(({ waiting }) => waiting > 0),
      now: Date.now,
    });
    parts.closeEarly(runner);
    return runner;
  });
  return {
    files: { files: { db, blobs, tenantBytes: limits.tenant_bytes }, folder, maxBytes: limits.upload_bytes },
    batches: { db, bus, maxOpen: settings.open_per_tenant },
  };
}
