import { escapeXml } from '../xml.ts';
import { borders } from './border-numbers.ts';
import { owpmlPart } from './names.ts';
import type { Letters, NumberLevel, ParagraphLook, Shapes } from './shapes.ts';
import { styles } from './styles.ts';

// `Contents/header.xml`: typefaces, borders, letters, paragraphs, numberings and styles. Source: KS X 6101.

const languages = ['HANGUL', 'LATIN', 'HANJA', 'JAPANESE', 'OTHER', 'SYMBOL', 'USER'];
/** Typefaces by their number: text, titles, programs. */
const faces = ['함초롬바탕', '함초롬돋움', 'D2Coding'];
const faceNumbers = { text: 0, title: 1, mono: 2 } as const;

const list = (name: string, items: readonly string[]): string =>
  `<hh:${name} itemCnt="${items.length}">${items.join('')}</hh:${name}>`;

const fontfaces = (): string =>
  list(
    'fontfaces',
    languages.map(
      (language) =>
        `<hh:fontface lang="${language}" fontCnt="${faces.length}">${faces.map((face, id) => `<hh:font id="${id}" face="${face}" type="TTF" isEmbedded="0"/>`).join('')}</hh:fontface>`,
    ),
  );

const side = (name: string, type: string, width: string, colour = '#000000'): string =>
  `<hh:${name} type="${type}" width="${width}" color="${colour}"/>`;
interface BorderForm {
  readonly sides?: string;
  readonly left?: string;
  readonly ground?: string;
}
const border = (id: number, { sides = 'NONE', left = sides, ground }: BorderForm): string => {
  const width = sides === 'NONE' ? '0.1 mm' : '0.12 mm';
  return [
    `<hh:borderFill id="${id}" threeD="0" shadow="0" centerLine="NONE" breakCellSeparateLine="0">`,
    '<hh:slash type="NONE" Crooked="0" isCounter="0"/><hh:backSlash type="NONE" Crooked="0" isCounter="0"/>',
    side('leftBorder', left, left === sides ? width : '0.7 mm', left === sides ? '#000000' : '#BFBFBF'),
    side('rightBorder', sides, width),
    side('topBorder', sides, width),
    side('bottomBorder', sides, width),
    side('diagonal', 'SOLID', '0.1 mm'),
    ground === undefined
      ? ''
      : `<hc:fillBrush><hc:winBrush faceColor="${ground}" hatchColor="#999999" alpha="0"/></hc:fillBrush>`,
    '</hh:borderFill>',
  ].join('');
};
const borderFills = (): string =>
  list('borderFills', [
    border(borders.none, {}),
    border(borders.plain, { ground: 'none' }),
    border(borders.cell, { sides: 'SOLID' }),
    border(borders.head, { sides: 'SOLID', ground: '#E7E6E6' }),
    border(borders.code, { ground: '#F2F2F2' }),
    border(borders.quote, { left: 'SOLID' }),
  ]);

const everyLanguage = (name: string, value: number): string =>
  `<hh:${name} ${languages.map((language) => `${language.toLowerCase()}="${value}"`).join(' ')}/>`;

const charPr = ({ size, bold, italic, strike, script, face, link }: Letters, id: number): string =>
  [
    `<hh:charPr id="${id}" height="${size}" textColor="${link ? '#0563C1' : '#000000'}" shadeColor="none" useFontSpace="0" useKerning="0" symMark="NONE" borderFillIDRef="${borders.plain}">`,
    everyLanguage('fontRef', faceNumbers[face ?? 'text']),
    everyLanguage('ratio', 100),
    everyLanguage('spacing', 0),
    everyLanguage('relSz', 100),
    everyLanguage('offset', 0),
    italic ? '<hh:italic/>' : '',
    bold ? '<hh:bold/>' : '',
    `<hh:underline type="${link ? 'BOTTOM' : 'NONE'}" shape="SOLID" color="${link ? '#0563C1' : '#000000'}"/>`,
    `<hh:strikeout shape="${strike ? 'SOLID' : 'NONE'}" color="#000000"/>`,
    '<hh:outline type="NONE"/><hh:shadow type="NONE" color="#C0C0C0" offsetX="10" offsetY="10"/>',
    script === 'super' ? '<hh:supscript/>' : script === 'sub' ? '<hh:subscript/>' : '',
    '</hh:charPr>',
  ].join('');

const paraPr = (look: ParagraphLook, id: number): string => {
  const { align = 'JUSTIFY', left = 0, indent = 0, before = 0, after = 0, line = 160, head } = look;
  const length = (name: string, value: number) => `<hc:${name} value="${value}" unit="HWPUNIT"/>`;
  return [
    `<hh:paraPr id="${id}" tabPrIDRef="0" condense="0" fontLineHeight="0" snapToGrid="1" suppressLineNumbers="0" checked="0">`,
    `<hh:align horizontal="${align}" vertical="BASELINE"/>`,
    `<hh:heading type="${head?.type ?? 'NONE'}" idRef="${head === undefined || head.type === 'OUTLINE' ? 0 : head.id}" level="${head?.level ?? 0}"/>`,
    `<hh:breakSetting breakLatinWord="KEEP_WORD" breakNonLatinWord="BREAK_WORD" widowOrphan="0" keepWithNext="${look.keepWithNext ? 1 : 0}" keepLines="0" pageBreakBefore="0" lineWrap="BREAK"/>`,
    '<hh:autoSpacing eAsianEng="0" eAsianNum="0"/>',
    `<hh:margin>${length('intent', indent)}${length('left', left)}${length('right', 0)}${length('prev', before)}${length('next', after)}</hh:margin>`,
    `<hh:lineSpacing type="PERCENT" value="${line}" unit="HWPUNIT"/>`,
    `<hh:border borderFillIDRef="${look.border ?? borders.plain}" offsetLeft="0" offsetRight="0" offsetTop="0" offsetBottom="0" connect="0" ignoreMargin="0"/>`,
    '</hh:paraPr>',
  ].join('');
};

const paraHead = (at: number, shape: string, text: string, start = 1): string =>
  `<hh:paraHead start="${start}" level="${at + 1}" align="LEFT" useInstWidth="1" autoIndent="1" widthAdjust="0" textOffsetType="PERCENT" textOffset="50" numFormat="${shape}" charPrIDRef="4294967295" checkable="0">${escapeXml(text)}</hh:paraHead>`;

const NUMBERING_LEVELS = 10;
/** Levels without marks: the outline has the numbers that its titles have. */
const numbering = (levels: ReadonlyMap<number, NumberLevel>, id: number): string => {
  const heads = Array.from({ length: NUMBERING_LEVELS }, (_, at) => {
    const level = levels.get(at);
    if (level === undefined) return paraHead(at, 'DIGIT', '');
    return paraHead(at, level.shape.hwpx, `${level.before}^${at + 1}${level.after}`, level.start);
  });
  return `<hh:numbering id="${id}" start="0">${heads.join('')}</hh:numbering>`;
};

const bullet = (sign: string, at: number): string =>
  `<hh:bullet id="${at + 1}" char="${escapeXml(sign)}" useImage="0">${paraHead(0, 'DIGIT', '').replace(' start="1"', '').replace('level="1"', 'level="0"')}</hh:bullet>`;

/** The part; what the text refers to must have been asked for before. */
export function headerPart(shapes: Shapes): string {
  const named = styles.map(
    ({ name, englishName, look, letters }, id) =>
      `<hh:style id="${id}" type="PARA" name="${name}" engName="${englishName}" paraPrIDRef="${shapes.look(look)}" charPrIDRef="${shapes.letter(letters)}" nextStyleIDRef="${name.startsWith('개요') || name === '제목' ? 0 : id}" langID="1042" lockForm="0"/>`,
  );
  const references = [
    fontfaces(),
    borderFills(),
    list('charProperties', shapes.letters.map(charPr)),
    list('tabProperties', ['<hh:tabPr id="0" autoTabLeft="0" autoTabRight="0"/>']),
    list(
      'numberings',
      shapes.numberings.map(({ levels }, at) => numbering(levels, at + 1)),
    ),
    shapes.bullets.length === 0 ? '' : list('bullets', shapes.bullets.map(bullet)),
    list('paraProperties', shapes.looks.map(paraPr)),
    list('styles', named),
  ].join('');
  const rest =
    '<hh:compatibleDocument targetProgram="HWP201X"><hh:layoutCompatibility/></hh:compatibleDocument><hh:docOption><hh:linkinfo path="" pageInherit="0" footnoteInherit="0"/></hh:docOption>';
  return owpmlPart(
    'hh:head',
    'version="1.4" secCnt="1"',
    `<hh:beginNum page="1" footnote="1" endnote="1" pic="1" tbl="1" equation="1"/><hh:refList>${references}</hh:refList>${rest}`,
  );
}
