import {
  ConvertedDocument,
  ConvertFields,
  ConvertTask,
  ConvertTaskQuery,
  MAX_TASK_WAIT_SECONDS,
} from '@ai-studio/contract/utilities/loaders.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { type DoclingFormat, doclingFormats, type HowToRead, type ParseState, type ReadFile } from '../index.ts';
import type { DocumentRouteDeps } from './documents.ts';
import { readInForm } from './read.ts';

/** Further names of its forms. Source: docling, OutputFormat. */
const synonyms: Readonly<Record<string, DoclingFormat>> = { markdown: 'md', txt: 'text' };

const formatNamed = (name: string): DoclingFormat | undefined =>
  doclingFormats.find((format) => format === name) ?? (Object.hasOwn(synonyms, name) ? synonyms[name] : undefined);

/** Throws StudioError `invalid_request` for a form that is not written. */
function formatsOf({ to_formats: given = 'md' }: ConvertFields): readonly DoclingFormat[] {
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const formats = names.map((name) => {
    const format = formatNamed(name);
    if (format === undefined)
      throw invalidRequest(
        `to_formats: ${name.slice(0, 50)} is not written; use ${doclingFormats.join(', ')}`,
        'to_formats',
      );
    return format;
  });
  return formats.length === 0 ? ['md'] : formats;
}

/** More pages than any document has: Docling's own limit, which clients send, is larger than that of ours. */
const LAST_PAGE = 99_999;

function howToRead({ page_range: range, do_ocr: ocr }: ConvertFields): HowToRead {
  const [first = 1, last = first] = range?.split(',').map(Number) ?? [];
  return {
    ...(range === undefined ? {} : { pages: `${first}-${Math.min(last, LAST_PAGE)}` }),
    parser_type: ocr === undefined || /^(?:true|1)$/i.test(ocr) ? 'auto' : 'file',
  };
}

/** What a form asks for. Throws StudioError `invalid_request`. */
function wishOf(fields: ConvertFields) {
  if (fields.target_type !== undefined && fields.target_type !== 'inbody')
    // In the words by which Docling's own client sees that it has to ask for the body: it asks for addresses of files first.
    throw invalidRequest(`target_type: input should be inbody, not ${fields.target_type.slice(0, 50)}`, 'target_type');
  return { formats: formatsOf(fields), pageBreak: fields.md_page_break_placeholder ?? '', how: howToRead(fields) };
}

const statuses = { queued: 'pending', running: 'started', done: 'success', failed: 'failure' } as const;

/** Source: docling-serve 1.31, TaskStatusResponse. */
function taskOf(id: string, { state, failure }: ParseState): ConvertTask {
  const [succeeded, failed] = [Number(state === 'done'), Number(state === 'failed')];
  return {
    task_id: id,
    task_type: 'convert',
    task_status: statuses[state],
    task_position: null,
    task_meta: {
      num_docs: 1,
      num_processed: succeeded + failed,
      num_succeeded: succeeded,
      num_partially_succeeded: 0,
      num_failed: failed,
    },
    error_message: failure,
  };
}

const common = { access: 'utilities', keyPlace: 'x_api_key', tag: 'Documents' } as const;
const params = { task_id: 'Of the answer of `POST /v1/convert/file/async`' };

const formOf = ({ folder, maxUploadBytes: maxBytes }: DocumentRouteDeps) => ({
  fields: { ConvertFields },
  fileField: 'files',
  lists: ['to_formats', 'page_range', 'from_formats', 'ocr_lang'],
  folder,
  maxBytes,
});

/** Conversions in the background. Source: docling-serve 1.31. */
const taskRoutes = (deps: DocumentRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    method: 'POST',
    path: '/convert/file/async',
    summary: 'Conversion in the background, as Docling Serve has it',
    description:
      'Keeps the file of the field `files` and answers at once with a task; it is read also when the service is started anew in between. The fields are those of `POST /v1/convert/file`.',
    form: formOf(deps),
    formExample: { to_formats: 'md' },
    reply: { ConvertTask },
    async handle(call) {
      const given = await call.upload();
      try {
        const { how, formats, pageBreak } = wishOf(given.fields);
        const fields = { ...how, response_format: 'markdown', docling: { formats, pageBreak } } as const;
        const { document_id: id } = await deps.jobs.accept(call.ctx.actor, given, fields);
        return taskOf(id, { state: 'queued', failure: null });
      } finally {
        await given.remove();
      }
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: '/status/poll/:task_id',
    summary: 'Status of a conversion',
    description:
      'How a conversion in the background stands, at once or after its end, for which `wait` seconds are waited.',
    params,
    query: { ConvertTaskQuery },
    reply: { ConvertTask },
    async handle({ key, params: { task_id: id }, query: { wait }, signal }) {
      const waitMs = Math.min(wait, MAX_TASK_WAIT_SECONDS) * 1000;
      return taskOf(id, await deps.jobs.state(key.tenantId, id, { waitMs, signal }));
    },
  }),
  publicRoute({
    ...common,
    method: 'GET',
    path: '/result/:task_id',
    summary: 'Result of a conversion',
    description:
      'What `POST /v1/convert/file` would have answered. 404 until the status is `success`; a document that could not be read is a 422 whose `detail` says why. It is kept for a limited time.',
    params,
    reply: { ConvertedDocument },
    errors: ['unprocessable'],
    handle: async ({ key, params: { task_id: id }, reply }) =>
      reply.type('application/json; charset=utf-8').send(await deps.jobs.converted(key.tenantId, id)),
  }),
];

/** POST /convert/file in the form of Docling Serve, and in the background. Source: docling-serve 1.31. */
export const doclingRoutes = (deps: DocumentRouteDeps): readonly PublicRoute[] => [
  ...taskRoutes(deps),
  publicRoute({
    ...common,
    method: 'POST',
    path: '/convert/file',
    summary: 'Conversion, as Docling Serve has it',
    description:
      'Reads the file of the field `files` and gives it as Markdown, HTML, plain text or a DoclingDocument (`to_formats`), for programs that have Docling Serve do it: its address is that of this service. One file a request. The key may stand in `X-Api-Key` as well. Other options of Docling are named in `X-Ignored-Fields`. A document that cannot be read is a 422 whose `detail` says why.',
    form: formOf(deps),
    formExample: { to_formats: 'md' },
    reply: { ConvertedDocument },
    errors: ['unprocessable'],
    usage: 'document/parse',
    async handle(call) {
      const given = await call.upload();
      try {
        const { formats, pageBreak, how } = wishOf(given.fields);
        const wanted = ({ name, elapsedMs }: ReadFile) =>
          ({ form: 'docling', formats, pageBreak, name, elapsedMs }) as const;
        const converted = await readInForm(deps, call.ctx, given, wanted, how);
        return call.reply.type('application/json; charset=utf-8').send(converted);
      } finally {
        await given.remove();
      }
    },
  }),
];
