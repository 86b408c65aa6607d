import type { Block } from '../../document.ts';
import type { Edge, PageContent, TextEntry } from './content.ts';
import { type Placed, bodySize, joinTables, joinTitles } from './flow.ts';
import { marginsOf } from './margins.ts';
import { rolesOf, type Told } from './roles.ts';
import { Writer, baseOf } from './writer.ts';
import { append } from '../../package/append.ts';

/** Blocks of a document from what its pages hold. */
export function assembleBlocks(pages: readonly PageContent[], told: Told): Block[] {
  const margins = marginsOf(pages);
  const flow: Placed[] = [];
  const edges = new Map<number, { header: TextEntry[]; footer: TextEntry[] }>();
  for (const page of pages) {
    const sides = { header: [] as TextEntry[], footer: [] as TextEntry[] };
    const textOfEdge = ({ rows, paragraphs }: Edge) => {
      const rest = rows.filter((entry) => !margins.isMargin(entry));
      return (rest.length === rows.length ? paragraphs : rest).map((entry) => ({ page: page.number, entry }));
    };
    append(flow, textOfEdge(page.top));
    append(
      sides.header,
      page.top.rows.filter((entry) => margins.isFirst(entry)),
    );
    for (const entry of page.entries) flow.push({ page: page.number, entry });
    const notes = page.entries.findIndex((entry) => entry.kind === 'text' && entry.note !== undefined);
    const rest = textOfEdge(page.bottom);
    if (notes === -1) append(flow, rest);
    else flow.splice(flow.length - (page.entries.length - notes), 0, ...rest);
    append(
      sides.footer,
      page.bottom.rows.filter((entry) => margins.isFirst(entry)),
    );
    edges.set(page.number, sides);
  }
  const body = bodySize(pages);
  const joined = joinTitles(joinTables(flow), body);
  const roles = rolesOf(joined, told, body);
  const captioned = new Set<Placed>(roles.captions.values());
  const writer = new Writer(roles);
  const marginBlocks = (type: 'header' | 'footer', page: number) => {
    for (const entry of edges.get(page)?.[type] ?? []) {
      writer.close();
      const paragraph: Block = { type: 'paragraph', ...baseOf(entry, page), spans: entry.spans };
      writer.blocks.push({ type, ...baseOf(entry, page), blocks: [paragraph] });
    }
  };
  let at = 0;
  for (const { number } of pages) {
    marginBlocks('header', number);
    for (; at < joined.length && joined[at]!.page <= number; at++)
      if (!captioned.has(joined[at]!)) writer.add(joined[at]!);
    marginBlocks('footer', number);
  }
  writer.close();
  return writer.blocks;
}
