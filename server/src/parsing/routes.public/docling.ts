import { ConvertedDocument, ConvertFields } from '@ai-studio/contract/utilities/loaders.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { type DoclingFormat, doclingFormats, type HowToRead, type ReadFile } from '../index.ts';
import { type ReadRouteDeps, readInForm } from './read.ts';

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

/** POST /convert/file in the form of Docling Serve. Source: docling-serve 1.31. */
export const doclingRoutes = (deps: ReadRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    access: 'utilities',
    keyPlace: 'x_api_key',
    tag: 'Documents',
    method: 'POST',
    path: '/convert/file',
    summary: 'Conversion, as Docling Serve has it',
    description:
      'Reads the file of the field `files` and gives it as Markdown, HTML, plain text or a DoclingDocument (`to_formats`), for programs that have Docling Serve do it: its address is that of this service. One file a request. The key may stand in `X-Api-Key` as well. Other options of Docling are named in `X-Ignored-Fields`. A document that cannot be read is a 422 whose `detail` says why.',
    form: {
      fields: { ConvertFields },
      fileField: 'files',
      lists: ['to_formats', 'page_range', 'from_formats', 'ocr_lang'],
      folder: deps.folder,
      maxBytes: deps.maxUploadBytes,
    },
    formExample: { to_formats: 'md' },
    reply: { ConvertedDocument },
    errors: ['unprocessable'],
    usage: 'document/parse',
    async handle(call) {
      const given = await call.upload();
      const { fields } = given;
      try {
        if (fields.target_type !== undefined && fields.target_type !== 'inbody')
          throw invalidRequest('target_type: only inbody is given', 'target_type');
        const [formats, how] = [formatsOf(fields), howToRead(fields)];
        const pageBreak = fields.md_page_break_placeholder ?? '';
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
