import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { envelope } from '@ai-studio/contract/envelope.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { type BulkResult, BulkUploaded } from '@ai-studio/contract/retrieval/bulk.ts';
import { UploadFields } from '@ai-studio/contract/retrieval/document.ts';
import { inEnvelope } from '../../http-kit/envelope.ts';
import { readFormFiles } from '../../http-kit/form-files.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { httpStatuses, invalidRequest, type StudioError } from '../../kernel/errors.ts';
import { addFiles, addLines, type BulkFile, type BulkOutcome, readCollection } from '../index.ts';
import { common, type RetrievalRouteDeps } from './common.ts';

/** Files of an archive, and how often the bytes of an upload they may be once unpacked. */
const MAX_ENTRIES = 10_000;
const MAX_GROWTH = 10;

/** The code of a refusal, as an upload of this alone would have it. Source: decisions section 1, "Error forms". */
const codeOf = ({ code, param }: StudioError) =>
  `${httpStatuses[code]}${code === 'invalid_request' && param !== null ? '01' : '00'}`;

const resultOf = ({ line, documentId, documentName, externalId, error }: BulkOutcome): BulkResult => ({
  line,
  state: error === null ? 'queued' : 'refused',
  document_id: documentId,
  document_name: documentName,
  external_id: externalId,
  error: error === null ? null : { code: codeOf(error), message: error.message },
});

/** The fields of a form with many files; what is of one document alone is refused. */
function fieldsOf(given: Readonly<Record<string, string>>) {
  if ('external_id' in given)
    throw invalidRequest('external_id is of one document; give external_id_field, or lines of JSON', 'external_id');
  const parsed = UploadFields.safeParse(given);
  if (parsed.success) return parsed.data;
  const { message, param } = explain(parsed.error, given);
  throw invalidRequest(message, param);
}

const binary = { type: 'string', format: 'binary' } as const;
const text = { type: 'string' } as const;
/** The kinds of bodies. */
const takes = {
  'application/x-ndjson': { ...text, description: 'Lines of JSON, one document each' },
  'multipart/form-data': {
    allOf: [
      {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'array', minItems: 1, maxItems: 1_000, items: binary } },
      },
      {
        type: 'object',
        properties: {
          metadata: { ...text, description: 'Metadata of each document, as a JSON object' },
          indexed_fields: {
            ...text,
            description: 'Metadata fields that filters may use: a JSON array, or names with commas',
          },
          external_id_field: { ...text, description: "Metadata field that holds the caller's own id" },
        },
      },
    ],
    unevaluatedProperties: false,
  },
  'application/zip': binary,
  // Lines and archives are told apart by what they are.
  'application/octet-stream': binary,
} as const;

const ZIP_SIGN = Buffer.from('PK');

async function isZip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.equals(ZIP_SIGN);
  } finally {
    await file.close();
  }
}

// oxlint-disable-next-line require-await -- what stands in the form is there
async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

/** Many documents by one call. Source: decisions section 5. */
export const bulkRoutes = ({ retrieval, folder, maxUploadBytes }: RetrievalRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: '/rag42/collections/:collection_id/documents/bulk',
    summary: 'Upload many documents',
    description:
      'Lines of JSON (NDJSON), one document each: `{"text", "name", "external_id", "metadata"}`; or a form with several files; or an archive (ZIP) of files, alone or within the form. Each line or file is answered by itself, in its order, and taken in by itself: what is wrong with one keeps no other out. Answers lines of JSON as they are known; one reply in the envelope where `Accept` names `application/json`. Of files, folders before their names become the metadata field `folder`.',
    file: { folder, maxBytes: maxUploadBytes, takes },
    reply: { BulkUploadedReply: envelope(BulkUploaded) },
    media: ['application/x-ndjson'],
    errors: ['unprocessable', 'not_found'],
    async handle(call) {
      const { actor } = call.ctx;
      const { collection_id: id } = call.params;
      const { 'content-type': type = '', accept = '' } = call.request.headers;
      // What goes nowhere need not be read; the connection stays.
      await readCollection(retrieval, actor, id).catch((error: unknown) => {
        call.request.raw.resume();
        throw error;
      });
      const given = await call.file();
      const cleanups = [given.remove];
      const clean = async () => {
        for (const remove of cleanups) await remove();
      };
      const files = (found: readonly BulkFile[], fields: UploadFields) =>
        addFiles(retrieval, actor, id, {
          files: each(found),
          fields,
          scratch: `${given.path}-entry`,
          limits: { entries: MAX_ENTRIES, entryBytes: maxUploadBytes, totalBytes: maxUploadBytes * MAX_GROWTH },
        });
      async function openOutcomes(): Promise<AsyncGenerator<BulkOutcome, void, undefined>> {
        if (/^multipart\/form-data\b/i.test(type)) {
          const form = await readFormFiles(given.path, type, folder);
          cleanups.push(form.remove);
          return files(form.files, fieldsOf(form.fields));
        }
        const { path, bytes } = given;
        if (await isZip(path)) return files([{ path, name: 'archive.zip', bytes }], {});
        return addLines(retrieval, actor, id, path);
      }
      try {
        const outcomes = await openOutcomes();
        // What is wrong with the whole call is told by its status.
        const first = await outcomes.next();
        if (/\bapplication\/json\b/.test(accept)) {
          const items: BulkResult[] = [];
          for (let one = first; one.done !== true; one = await outcomes.next()) items.push(resultOf(one.value));
          const queued = items.filter(({ state }) => state === 'queued').length;
          await clean();
          return inEnvelope({ items, queued, refused: items.length - queued, operation: 'bulk_upload' as const });
        }
        const end = async () => {
          await outcomes.return();
          await clean();
        };
        const lines = async function* () {
          try {
            for (let one = first; one.done !== true; one = await outcomes.next())
              yield `${JSON.stringify(resultOf(one.value))}\n`;
          } catch (error) {
            yield `${JSON.stringify(call.failure(error))}\n`;
          } finally {
            await end();
          }
        };
        const stream = Readable.from(lines());
        // Where the client goes before the first line is read, nothing in there is ever run.
        stream.once(
          'close',
          () =>
            void end().catch((error: unknown) =>
              retrieval.log.warn({ err: error }, 'files of a bulk upload could not be removed'),
            ),
        );
        return call.reply.type('application/x-ndjson; charset=utf-8').send(stream);
      } catch (error) {
        await clean();
        throw error;
      }
    },
  }),
];
