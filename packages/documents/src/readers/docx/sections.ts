import { textOf, type Block, type Margin, type Page } from '../../document.ts';
import { assembleFlow } from '../../package/flow.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import type { Relations } from '../../package/relations.ts';
import { countBlocks } from '../lost-letters.ts';
import { countPart } from './held.ts';
import type { Reading, Story } from './reading.ts';

/** Heads and feet of pages by the name of their part. */
export type Margins = ReadonlyMap<
  string,
  { readonly content: Uint8Array; readonly root: XmlElement; readonly relations: Relations }
>;

const wordsOf = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if ('spans' in block) return textOf(block.spans);
      if (block.type === 'list') return block.items.map(({ spans }) => textOf(spans)).join(' ');
      if (block.type === 'table') return block.cells.map((cell) => wordsOf(cell.blocks)).join(' ');
      return block.type === 'image' ? (block.alt ?? '') : '';
    })
    .join(' ');

/** Twentieths of a point. */
const pointsOf = (text: string | undefined): number | undefined => {
  const value = Number(text ?? Number.NaN) / 20;
  return Number.isFinite(value) && value > 0 ? value : undefined;
};

interface Section {
  readonly from: number;
  readonly size: Omit<Page, 'number'>;
}

/** Collects the blocks of a document section by section; `starts` says which sections begin on a new page. */
export function createSections(reading: Reading, relations: Relations, margins: Margins, starts: readonly boolean[]) {
  const items: FlowItem[] = [];
  const seen = new Set<string>();
  const sections: Section[] = [];
  let start = 0;
  let from = 1;

  const marginsOf = (properties: XmlElement, type: Margin['type']): readonly Margin[] => {
    const result: Margin[] = [];
    for (const reference of childrenOf(properties, `w:${type}Reference`)) {
      const part = relations.get(attributeOf(reference, 'r:id') ?? '')?.target ?? '';
      const found = margins.get(part);
      if (found === undefined || seen.has(part)) continue;
      seen.add(part);
      const story: Story = {
        reading,
        part,
        relations: found.relations,
        isBody: false,
        fields: [],
        inContents: false,
        inTable: false,
      };
      const blocks = assembleFlow(reading.readBlocks(found.root, story));
      // Counted here, as one that says nothing new is left out.
      countPart(reading.letters, found.content);
      countBlocks(reading.letters, blocks);
      const words = `${type} ${wordsOf(blocks).replaceAll(/[\s\d]+/g, ' ')}`;
      // The number of a page alone says nothing, and the same words are given once.
      if (!/\p{L}/u.test(words.slice(type.length)) || seen.has(words)) continue;
      seen.add(words);
      result.push({ type, page: from, source: part, blocks });
    }
    return result;
  };
  return {
    items,
    /** A section ends with these properties. */
    end: (properties: XmlElement): void => {
      const size = childOf(properties, 'w:pgSz');
      const [width, height] = [pointsOf(attributeOf(size, 'w:w')), pointsOf(attributeOf(size, 'w:h'))];
      sections.push({
        from,
        size: { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) },
      });
      items.splice(start, 0, ...marginsOf(properties, 'header'));
      for (const foot of marginsOf(properties, 'footer')) items.push(foot);
      start = items.length;
      if (starts[sections.length] === true) reading.pages.beginPage();
      from = reading.pages.current();
    },
    pages: (): readonly Page[] => {
      const last = reading.pages.current();
      const pages: Page[] = [];
      let at = 0;
      for (let number = 1; number <= last; number++) {
        while ((sections[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= number) at++;
        pages.push({ number, ...sections[at]?.size });
      }
      return pages;
    },
  };
}
