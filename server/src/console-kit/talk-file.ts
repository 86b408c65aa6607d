import type { TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';
import type { TalkExportQuery, TalkFormat } from '@ai-studio/contract/console/talks.ts';
import { readAiPresence } from '../identity/index.ts';
import type { TalkReader } from '../kernel/talk-markdown.ts';
import { type DocumentMaker, makeFile, type WrittenFormat, writtenTypes } from '../parsing/index.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import { attachment } from './attachment.ts';
import type { AnyCall } from './route.ts';

/** A talk of a person with a model or an agent, in the forms that it is exported in. */
interface ExportedTalk {
  /** Names the file; may be empty. */
  readonly title: string;
  /** For people. */
  markdown(reader: TalkReader): string;
  /** For programs, which read the moments as they are. */
  json(mark: TextByLanguage): string;
}

/** What makes files of talks. */
export interface TalkFileDeps extends DatabaseDeps {
  readonly parser: { readonly maker: DocumentMaker };
}

const types: Readonly<Record<TalkFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ...writtenTypes,
};

/** A text as a file of Word or Hancom Office; its numbers stay as they were said. */
async function asFile(maker: DocumentMaker, markdown: string, format: WrittenFormat): Promise<Buffer> {
  const options = { pageNumbers: true, numbering: 'as_written' } as const;
  const { bytes } = await makeFile(maker, { markdown, format, options, pictures: {} });
  return Buffer.from(bytes);
}

/** A talk as a file to be saved, with the mark of AI of the tenant. */
export async function sendTalk(
  { db, parser }: TalkFileDeps,
  { ctx, reply }: AnyCall,
  { title, markdown, json }: ExportedTalk,
  { format, language, time_zone: timeZone }: TalkExportQuery,
): Promise<string | Buffer> {
  const { mark } = await readAiPresence({ db }, ctx.actor.tenantId);
  const text = format === 'json' ? json(mark) : markdown({ language, timeZone, mark });
  const content = format === 'json' || format === 'md' ? text : await asFile(parser.maker, text, format);
  void reply.type(types[format]).header('Content-Disposition', attachment(title, format, 'conversation'));
  return content;
}
