import { consoleReasons } from '@ai-studio/contract/console/errors.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ConsoleBatchFiles,
  ConsoleBatchUploaded,
  ConsoleDocumentBatch,
  type ConsoleDocumentUpload,
  MAX_BATCH_BYTES,
} from '@ai-studio/contract/console/retrieval.ts';
import { httpStatuses, StudioError } from '../../kernel/errors.ts';
import { actorOf, admitPerson } from '../../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { receiveUpload } from '../../console-kit/upload.ts';
import { type ManyOutcome, readCollection, uploadDocuments } from '../index.ts';
import type { CollectionRouteDeps } from './deps.ts';
import { withReasons } from './failures.ts';

// Many small files by one call: a request, a session and a transaction for each of them would take longer than they do.

/** Longest first line: names and folders of fifty files, each letter of which may be written as an escape. */
const MAX_HEAD_BYTES = 512 * 1024;
const LINE_END = 0x0a;

const broken = (message: string) =>
  new StudioError('invalid_request', message, { param: 'files', reason: 'invalid_field' });

/** The list of files at the head of a body, and where their bytes begin. Throws StudioError `invalid_request`. */
function headOf(body: Buffer): { readonly files: readonly ConsoleDocumentUpload[]; readonly from: number } {
  const end = body.subarray(0, MAX_HEAD_BYTES).indexOf(LINE_END);
  if (end < 0) throw broken('The body must begin with a line of JSON that lists the files');
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8', 0, end));
  } catch (cause) {
    throw new StudioError('invalid_request', 'The first line is no JSON', {
      param: 'files',
      reason: 'invalid_field',
      cause,
    });
  }
  const parsed = ConsoleBatchFiles.safeParse(value);
  if (!parsed.success) throw broken(parsed.error.issues[0]?.message ?? 'The list of files is wrong');
  const { files } = parsed.data;
  const from = end + 1;
  if (files.reduce((sum, { size }) => sum + size, from) !== body.length)
    throw broken('The sizes of the files do not add up to the body');
  return { files, from };
}

/** Writes the files of a body beside it. */
async function writeFiles(path: string) {
  const body = await readFile(path);
  const { files, from } = headOf(body);
  let at = from;
  const parts = files.map((file, number) => {
    const begin = at;
    at += file.size;
    return { file, path: join(dirname(path), String(number)), bytes: body.subarray(begin, at) };
  });
  await Promise.all(parts.map((part) => writeFile(part.path, part.bytes, { mode: 0o600 })));
  return parts.map(({ file: { name, folder, size }, path: own }) => ({
    path: own,
    name,
    bytes: size,
    folder: folder ?? null,
  }));
}

/** An outcome as the console is told of it, with the reason that it has words for. */
async function toItem(outcome: ManyOutcome) {
  if (!('refused' in outcome)) return { document_id: outcome.id, error: null };
  const error = await withReasons(Promise.reject(outcome.refused)).catch((failure: unknown) => failure);
  const { code, reason: told, message } = error instanceof StudioError ? error : outcome.refused;
  const reason = consoleReasons.find((one) => one === told) ?? null;
  return { document_id: null, error: { status: httpStatuses[code], code, reason, message } };
}

/** Takes a batch of files. */
export const batchRoute = (deps: CollectionRouteDeps): ConsoleRoute =>
  tenantRoute({
    method: 'POST',
    path: '/collections/:id/documents/batch',
    access: 'collections.manage',
    takesFile: true,
    query: ConsoleDocumentBatch,
    reply: ConsoleBatchUploaded,
    async handle(call) {
      const { retrieval, folder, maxBytes } = deps.collections;
      const actor = await actorOf(deps, call);
      const id = paramOf(call, 'id');
      const room = { folder, maxBytes: Math.min(maxBytes, MAX_BATCH_BYTES + MAX_HEAD_BYTES) };
      const { path, remove } = await receiveUpload(call, room, async () => {
        await readCollection(retrieval, actor, id);
        await admitPerson(deps, call);
      });
      try {
        const outcomes = await withReasons(uploadDocuments(retrieval, actor, id, await writeFiles(path)));
        await retrieval.db.transaction(async (tx) => {
          for (const one of outcomes)
            if (!('refused' in one))
              await call.audit(
                {
                  action: 'document_added',
                  target: { kind: 'document', id: one.id, name: one.name },
                  detail: { bytes: one.bytes },
                },
                tx,
              );
        });
        return { items: await Promise.all(outcomes.map(toItem)) };
      } finally {
        await remove();
      }
    },
  });
