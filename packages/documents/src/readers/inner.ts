import type { Block, Document, Warning } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import type { ReadOptions } from '../reader.ts';

/** A file within another one: its bytes, or what reads it where it has none of its own. */
export type InnerFile = { readonly name: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly read: (options: ReadOptions) => Promise<Document> }
);

/** Blocks of a document within another one: without pages of their own, their headings so much below its own, their notes by names of their own. */
export function innerBlocks({ blocks }: Document, prefix: string, below: number): Block[] {
  const moved = JSON.parse(JSON.stringify(blocks), (key, value: unknown) => {
    if (key === 'page') return null;
    if (key === 'box') return undefined;
    return (key === 'note' || key === 'id') && typeof value === 'string' ? prefix + value : value;
  }) as Block[];
  return moved.map((block) =>
    block.type === 'heading' ? { ...block, level: Math.min(6, block.level + below) } : block,
  );
}

/** Reads files within a document, each under its name as a heading; what can't be read of them is a warning. */
export async function readInnerFiles(
  files: readonly InnerFile[],
  { readInner }: ReadOptions,
): Promise<{ readonly blocks: Block[]; readonly warnings: Warning[] }> {
  const blocks: Block[] = [];
  const warnings: Warning[] = [];
  for (const [at, file] of files.entries()) {
    const { name } = file;
    const heading: Block = { type: 'heading', level: 1, page: null, source: 'attachment', spans: [{ text: name }] };
    blocks.push(heading);
    try {
      const document = await readInner?.('bytes' in file ? file.bytes : file.read, name);
      if (document == null) {
        warnings.push({ code: 'attachment_not_read', message: `${name} lies too deep within other files.` });
        continue;
      }
      blocks.push(...innerBlocks(document, `file-${at + 1}-`, 1));
      for (const { code, message } of document.warnings) warnings.push({ code, message: `${name}: ${message}` });
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      warnings.push({ code: 'attachment_not_read', message: `${name} was not read: ${error.message}` });
    }
  }
  return { blocks, warnings };
}
