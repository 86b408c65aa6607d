import { expect, test } from 'vitest';
import { openPackage } from '../../package/zip.ts';
import { parseXml, type XmlElement } from '../../package/xml.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../../readers/index.ts';
import { writeDocument } from '../index.ts';

/**
 * Elements whose children have an order, as Hancom Office writes them. Source: 121 of its files from public places; the published
 * schema of OWPML (KS X 6101) differs within a paragraph's form, a section and a picture.
 */
const orders: Readonly<Record<string, string>> = {
  'hh:head': 'hh:beginNum hh:refList hh:compatibleDocument hh:docOption',
  'hh:refList':
    'hh:fontfaces hh:borderFills hh:charProperties hh:tabProperties hh:numberings hh:bullets hh:paraProperties hh:styles',
  'hh:borderFill':
    'hh:slash hh:backSlash hh:leftBorder hh:rightBorder hh:topBorder hh:bottomBorder hh:diagonal hc:fillBrush',
  'hh:charPr':
    'hh:fontRef hh:ratio hh:spacing hh:relSz hh:offset hh:italic hh:bold hh:underline hh:strikeout hh:outline hh:shadow hh:supscript hh:subscript',
  'hh:paraPr': 'hh:align hh:heading hh:breakSetting hh:autoSpacing hh:margin hh:lineSpacing hh:border',
  'hh:margin': 'hc:intent hc:left hc:right hc:prev hc:next',
  'hp:secPr':
    'hp:grid hp:startNum hp:visibility hp:lineNumberShape hp:pagePr hp:footNotePr hp:endNotePr hp:pageBorderFill',
  'hp:footNotePr': 'hp:autoNumFormat hp:noteLine hp:noteSpacing hp:numbering hp:placement',
  'hp:endNotePr': 'hp:autoNumFormat hp:noteLine hp:noteSpacing hp:numbering hp:placement',
  'hp:parameters': 'hp:integerParam hp:stringParam',
  'hp:tbl': 'hp:sz hp:pos hp:outMargin hp:caption hp:inMargin hp:tr',
  'hp:tc': 'hp:subList hp:cellAddr hp:cellSpan hp:cellSz hp:cellMargin',
  'hp:pic':
    'hp:offset hp:orgSz hp:curSz hp:flip hp:rotationInfo hp:renderingInfo hp:imgRect hp:imgClip hp:inMargin hp:imgDim hc:img hp:effects hp:sz hp:pos hp:outMargin hp:shapeComment',
  'hp:renderingInfo': 'hc:transMatrix hc:scaMatrix hc:rotMatrix',
  'hp:imgRect': 'hc:pt0 hc:pt1 hc:pt2 hc:pt3',
};
/** What may stand in them as often and in whatever order the text has it. */
const free = new Set(['hp:run', 'hp:t']);

const namespaces = Object.fromEntries(
  Object.entries({ hh: 'head', hp: 'paragraph', hs: 'section', hc: 'core' }).map(([prefix, name]) => [
    `http://www.hancom.co.kr/hwpml/2011/${name}`,
    prefix,
  ]),
);

const inner = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string');

/** Elements whose children are not in their order, or that are not known to have one; `seen` takes those that were looked at. */
function outOfOrder(element: XmlElement, seen: Set<string>): string[] {
  const names = inner(element).map(({ name }) => name);
  const order = orders[element.name]?.split(' ');
  const below = inner(element).flatMap((child) => outOfOrder(child, seen));
  if (new Set(names).size < 2 || free.has(element.name)) return below;
  seen.add(element.name);
  const places = names.map((name) => order?.indexOf(name) ?? -1);
  const isRight = places.every((place, at) => place >= (places[at - 1] ?? 0));
  return isRight ? below : [`${element.name}: ${names.join(' ')}`, ...below];
}

const everything = `# 개요

글 **굵게** *기울임* ~~지움~~ x<sup>2</sup> H<sub>2</sub>O \`코드\` [링크](https://www.go.kr/) 각주[^1]

> 인용

1. 첫째
   1. 안쪽
- 점
- ☑ 예

표 1. 예산

| 가 | 나 |
|---|---|
| 1 | 2 |

![도표](p.png)

\`\`\`
코드
\`\`\`

[^1]: 각주의 글
`;

test('elements of an HWPX file are written in the order of Hancom Office', async () => {
  const readOptions = { limits: standardLimits, pages: null, onPage: () => undefined };
  const { blocks } = await readDocument(Buffer.from(everything), 'a.md', readOptions);
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const caption = [{ text: '표 1. 예산' }];
  const captioned = blocks.map((block) => (block.type === 'table' ? { ...block, caption } : block));
  const { bytes } = await writeDocument({ blocks: captioned, meta: {} }, 'hwpx', {
    pictures: new Map([['p.png', png]]),
    pageNumbers: true,
    numbering: 'official',
  });
  const file = await openPackage(bytes, standardLimits);
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const part of ['Contents/header.xml', 'Contents/section0.xml']) {
    const xml = await file.read(part);
    wrong.push(...outOfOrder(parseXml(xml ?? Buffer.of(), { namespaces, depth: 100, part }), seen));
  }
  expect(wrong).toEqual([]);
  expect([...seen].toSorted()).toEqual(Object.keys(orders).toSorted());
});
