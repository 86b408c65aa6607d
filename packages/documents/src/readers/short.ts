import type { Document } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import type { ParseLimits } from '../reader.ts';
import { sniffFormat } from '../sniff.ts';

/**
 * Reads a short text, plain or Markdown, where it stands: without the process of its own that other formats need. The caller bounds its length
 * and the time. Throws ParseError, `UNSUPPORTED` for any other format.
 */
export async function readShortText(bytes: Uint8Array, name: string, limits: ParseLimits): Promise<Document> {
  const options = { limits, pages: null, onPage: () => undefined };
  const format = sniffFormat(bytes, name);
  if (format === 'text') return (await import('./text.ts')).readText(bytes, options);
  if (format === 'markdown') return (await import('./markdown/index.ts')).readMarkdown(bytes, options);
  throw new ParseError('UNSUPPORTED', 'The file is no text.');
}
