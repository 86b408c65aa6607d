import type { Block } from '../../document.ts';
import type { Edge, PageContent, TableEntry, TextEntry } from './content.ts';
import { type Flowing, type Placed, bodySize, joinTables, joinTitles } from './flow.ts';
import { marginsOf } from './margins.ts';
import { repeatedTablesOf } from './repeated-tables.ts';
import { rolesOf, type ToldAndLearnt } from './roles.ts';
import { leavesOf } from './sheets.ts';
import { Writer, baseOf, tableBlock } from './writer.ts';
import { append } from '../../package/append.ts';

/** Blocks of a document from what its pages hold. */
export function assembleBlocks(pages: readonly PageContent[], told: ToldAndLearnt): Block[] {
  const leaves = leavesOf(pages);
  const margins = marginsOf(leaves);
  const repeated = repeatedTablesOf(leaves, margins);
  const flow: Flowing[] = [];
  type MarginEntry = TextEntry | TableEntry;
  const edges = new Map<number, { header: MarginEntry[]; footer: MarginEntry[] }>();
  for (const page of leaves) {
    const { order } = page;
    const sides = edges.get(page.number) ?? { header: [], footer: [] };
    const textOfEdge = ({ rows, paragraphs }: Edge) => {
      const rest = rows.filter((entry) => !margins.isMargin(entry));
      return (rest.length === rows.length ? paragraphs : rest).map((entry) => ({ page: page.number, order, entry }));
    };
    append(flow, textOfEdge(page.top));
    append(
      sides.header,
      page.top.rows.filter((entry) => margins.isFirst(entry)),
    );
    const body = page.entries.filter((entry) => {
      const role = entry.kind === 'table' ? repeated.roleOf(entry) : null;
      if (role?.first === true && entry.kind === 'table') sides[role.type].push(entry);
      return role === null;
    });
    for (const entry of body) flow.push({ page: page.number, order, entry });
    const notes = body.findIndex((entry) => entry.kind === 'text' && entry.note !== undefined);
    const rest = textOfEdge(page.bottom);
    if (notes === -1) append(flow, rest);
    else flow.splice(flow.length - (body.length - notes), 0, ...rest);
    append(
      sides.footer,
      page.bottom.rows.filter((entry) => margins.isFirst(entry)),
    );
    edges.set(page.number, sides);
  }
  const body = bodySize(leaves);
  const joined = joinTitles(joinTables(flow, told.joiner), body);
  const roles = rolesOf(joined, told, body);
  const captioned = new Set<Placed>(roles.captions.values());
  const writer = new Writer(roles);
  const marginBlocks = (type: 'header' | 'footer', page: number) => {
    for (const entry of edges.get(page)?.[type] ?? []) {
      writer.close();
      const block: Block =
        entry.kind === 'table'
          ? tableBlock(entry, page)
          : { type: 'paragraph', ...baseOf(entry, page), spans: entry.spans };
      writer.blocks.push({ type, ...baseOf(entry, page), blocks: [block] });
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
