import { base64Length } from '../../../kernel/base64.ts';
import { typeByName } from '../../media-types.ts';
import { nameByType, nameInAddress } from '../file-names.ts';
import type { ToolFile } from '../tool.ts';
import type { CalledTool } from './message.ts';

// Pictures, sounds and embedded resources of a result, as files. Source: MCP 2025-11-25, "Tool Result".

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function base64Of(text: string): Buffer | null {
  const length = base64Length(text, { alphabet: 'both', spaced: false });
  return length === null || length === 0 ? null : Buffer.from(text, 'base64');
}

/** The file that a part of a result is; null where it is text, a link, or cannot be read. `index`: its place in the result. */
export function mcpFile(part: CalledTool['content'][number], index: number): ToolFile | null {
  const type = (given: unknown) => textOf(given).split(';')[0]?.trim().toLowerCase() ?? '';
  if (part.type === 'image' || part.type === 'audio') {
    const bytes = base64Of(textOf(part['data']));
    const mediaType = type(part['mimeType']) || 'application/octet-stream';
    return bytes === null ? null : { name: nameByType(`${part.type}-${index + 1}`, mediaType), mediaType, bytes };
  }
  if (part.type !== 'resource') return null;
  const resource = (part['resource'] ?? {}) as Readonly<Record<string, unknown>>;
  const isText = typeof resource['text'] === 'string';
  const bytes = isText ? Buffer.from(textOf(resource['text'])) : base64Of(textOf(resource['blob']));
  if (bytes === null || bytes.length === 0) return null;
  const inAddress = nameInAddress(textOf(resource['uri']));
  const known = inAddress === null ? 'application/octet-stream' : typeByName(inAddress);
  const mediaType =
    type(resource['mimeType']) || (known === 'application/octet-stream' && isText ? 'text/plain' : known);
  return { name: inAddress ?? nameByType(`resource-${index + 1}`, mediaType), mediaType, bytes };
}
