import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Surfaces } from '../http/index.ts';
import type { OpenChat } from '../inference/index.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import { parseMetered } from '../parsing/index.ts';
import { createResponseStore, type ReadFile, type ResponsesDeps, startResponseRetention } from '../responses/index.ts';
import type { Metering } from '../usage/index.ts';
import type { Base } from './parts.ts';
import type { SealedData } from './store.ts';

interface Deps extends SealedData {
  readonly openChat: OpenChat;
  readonly documents: Surfaces['documents'];
  readonly metering: Metering;
}

/** Reads documents within requests by the readers of the service. */
function createReadFile({ documents, metering }: Deps): ReadFile {
  const deps = { ...documents, metering, now: Date.now };
  return async (principal, bytes, name, { requestId, signal }) => {
    const path = join(documents.folder, randomUUID());
    await writeFile(path, bytes, { mode: 0o600 });
    try {
      const ctx = { actor: unlimitedActor(principal), requestId, signal };
      const { json } = await parseMetered(
        deps,
        ctx,
        { path, name },
        { parser_type: 'auto', response_format: 'markdown' },
      );
      const { contents } = JSON.parse(Buffer.from(json).toString('utf8')) as { readonly contents?: string };
      return contents ?? '';
    } finally {
      await rm(path, { force: true });
    }
  };
}

/** Opens what the Responses interface works with, and removes responses whose time is over. */
export function openResponses({ config, log, parts }: Base, deps: Deps): ResponsesDeps {
  const { db, box, openChat } = deps;
  const now = Date.now;
  const store = createResponseStore({ db, box, retentionDays: config.responses.retention_days, now });
  parts.onClose('retention of responses', startResponseRetention({ db, log }));
  return { openChat, store, readFile: createReadFile(deps), box, log, now };
}
