import { append } from '../../package/append.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import { childOf, childrenOf } from '../../package/xml.ts';
import { readFields } from './fields.ts';
import { createLists } from './lists.ts';
import type { EmbeddedDocument } from './objects.ts';
import type { Reading } from './reading.ts';
import { readStyles } from './styles.ts';
import { readSheet } from './table.ts';
import { blocksWithin, itemsWithin, noteOf, readShape } from './text.ts';

/**
 * What stands in a document within a document: its text, the cells of its sheets, or the shapes of its pages. Objects within that one are
 * pictures.
 */
export function embeddedItems({ content, styles }: EmbeddedDocument, outer: Reading): FlowItem[] {
  const [body] = childrenOf(childOf(content, 'office:body'));
  if (body === undefined) return [];
  const own = readStyles(content, styles);
  const reading: Reading = {
    ...outer,
    styles: own,
    lists: createLists(own),
    fields: readFields(body),
    object: () => undefined,
    blocks: (element) => blocksWithin(element, reading),
    comment: (annotation) => noteOf(annotation, 'comment', reading),
  };
  if (body.name === 'office:text') return itemsWithin(body, reading);
  const items: FlowItem[] = [];
  for (const page of childrenOf(body)) {
    if (page.name === 'table:table') append(items, readSheet(page, reading));
    else if (page.name === 'draw:page')
      for (const shape of childrenOf(page))
        if (shape.name !== 'presentation:notes') append(items, readShape(shape, reading));
  }
  return items;
}
