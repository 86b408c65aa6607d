import { type DocumentMaker, type MakeJob, type MadeDocument, writtenFormats } from '@ai-studio/documents';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { mediaTypes } from '../../media-types.ts';
import { failedCall, succeeded } from '../tool.ts';
import { type UncheckedTool, parameters } from './built-in.ts';

/** What the tool works with. */
export interface WriteDocumentDeps {
  /** Rejects with StudioError. */
  readonly makeDocument: DocumentMaker['make'];
  /** Bytes of a file of the run; null where they are not kept any more. Rejects with StudioError where they are too many. */
  readonly readBytes: (file: RunFile) => Promise<Buffer | null>;
}

const named = (files: readonly RunFile[]) => files.map(({ name }) => JSON.stringify(name)).join(', ');
const isTemplate = ({ name }: RunFile): boolean => /\.(?:docx|hwpx)$/i.test(name);

const formatOf = (name: string) => writtenFormats.find((format) => name.toLowerCase().endsWith(`.${format}`));

/** What was not filled in, in words. */
function remarks({ unfilled, unused, missing }: MadeDocument): string {
  const parts = [
    ...(missing.length > 0 ? [`Letters that the typeface does not have are shown as □: ${missing.join(' ')}.`] : []),
    ...(unfilled.length > 0 ? [`Fields without a value: ${unfilled.join(', ')}.`] : []),
    ...(unused.length > 0 ? [`The template has no field for: ${unused.join(', ')}.`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' ')}`;
}

/** Writes a file of Word, Hancom Office or PDF, or fills a template that came with the message. Gives `{name, bytes, unfilled, unused}`. */
export function writeDocumentTool(files: readonly RunFile[], deps: WriteDocumentDeps): UncheckedTool {
  const templates = files.filter(isTemplate);
  const which =
    templates.length === 0
      ? 'No template came with the message.'
      : `Templates (DOCX, HWPX) that came with the message: ${named(templates)}; give template and data to fill one: {{name}}, rows with {{items.name}}, boxes by {{?agree}}.`;
  return {
    name: 'write_document',
    description: `Writes a document as a file for the reader: content in Markdown, as .docx (Word), .hwpx (한글) or .pdf by its name. Numbered lists become 1. 가. 1) 가). ${which}`,
    parameters: parameters(
      {
        name: { type: 'string', minLength: 1, maxLength: 200, description: 'Such as report.hwpx or report.docx' },
        content: { type: 'string', maxLength: 1_000_000, description: 'Text in Markdown' },
        template: { type: 'string', description: 'Name of a template to fill, in place of content' },
        data: { type: 'object', description: 'Values for the fields of the template' },
      },
      ['name'],
    ),
    async run({ name: asked, content, template, data }) {
      let job: MakeJob;
      if (template !== undefined && template !== '') {
        const file = templates.find(({ id, name }) => id === template || name === template);
        if (!file) return failedCall(`There is no template of that name; there are ${named(templates) || 'none'}`);
        const values = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
        const bytes = await deps.readBytes(file);
        if (bytes === null) return failedCall(`The file ${JSON.stringify(file.name)} is not kept any more`);
        job = { template: bytes, data: values };
      } else {
        if (typeof content !== 'string' || content.trim() === '')
          return failedCall('Give content, or template and data');
        const format = formatOf(String(asked)) ?? 'docx';
        job = { markdown: content, format, options: { pageNumbers: true, numbering: 'official' }, pictures: {} };
      }
      const made = await deps.makeDocument(job);
      const base = String(asked).replace(/\.(?:docx|hwpx|pdf|md|txt)$/i, '');
      const name = `${base}.${made.format}`;
      const mediaType = mediaTypes[made.format] ?? 'application/octet-stream';
      const bytes = Buffer.from(made.bytes);
      const { unfilled, unused } = made;
      const done = succeeded(`The file ${JSON.stringify(name)} was written.${remarks(made)}`, {
        name,
        bytes: bytes.length,
        unfilled,
        unused,
      });
      return { ...done, files: [{ name, mediaType, bytes }] };
    },
  };
}
