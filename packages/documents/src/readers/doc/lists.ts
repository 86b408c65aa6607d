import { decodeUtf16, i32At, u16At, u32At } from '../hwp/bytes.ts';
import { runLooks, valued } from './looks.ts';
import { readProperties } from './sprms.ts';

const DEFINITION_BYTES = 28;
const LEVEL_BYTES = 28;
const USE_BYTES = 16;
const MAX_LEVELS = 9;
/** More lists come from damage. */
const MAX_LISTS = 4_000;

/** Names of the formats of numbers by their code. Source: MS-OSHARED 2.2.1.3, ECMA-376 part 1, 17.18.59. */
const formats: readonly string[] =
  'decimal upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText ordinalText hex chicago ideographDigital japaneseCounting aiueo iroha decimalFullWidth decimalHalfWidth japaneseLegal japaneseDigitalTenThousand decimalEnclosedCircle decimalFullWidth2 aiueoFullWidth irohaFullWidth decimalZero bullet ganada chosung decimalEnclosedFullstop decimalEnclosedParen decimalEnclosedCircleChinese ideographEnclosedCircle ideographTraditional ideographZodiac ideographZodiacTraditional taiwaneseCounting ideographLegalTraditional taiwaneseCountingThousand taiwaneseDigital chineseCounting chineseLegalSimplified chineseCountingThousand decimal koreanDigital koreanCounting koreanLegal koreanDigital2'.split(
    ' ',
  );
const NO_NUMBER = 255;

interface Level {
  readonly xml: string;
  /** One past its end in the table. */
  readonly end: number;
}

function readLevel(table: Uint8Array, at: number, level: number, fonts: readonly string[]): Level {
  const [start, format, info] = [u32At(table, at), table[at + 4] ?? 0, table[at + 5] ?? 0];
  const [looksBytes, paragraphBytes, restart] = [table[at + 24] ?? 0, table[at + 25] ?? 0, table[at + 26] ?? 0];
  const looksAt = at + LEVEL_BYTES + paragraphBytes;
  const textAt = looksAt + looksBytes;
  const letters = u16At(table, textAt);
  const end = textAt + 2 + letters * 2;
  // Numbers of levels stand in it as their place, from 0.
  const text = decodeUtf16(table, textAt + 2, end).replaceAll(/[\0-\u0008]/g, (sign) => `%${sign.charCodeAt(0) + 1}`);
  const looks = runLooks(readProperties(table.subarray(looksAt, textAt)), { fonts, hasByStyle: () => false });
  const name = format === NO_NUMBER ? 'none' : (formats[format] ?? 'decimal');
  const xml = [
    `<w:lvl w:ilvl="${level}">${valued('start', start)}${valued('numFmt', name)}${valued('lvlText', text)}`,
    (info & 4) === 0 ? '' : '<w:isLgl/>',
    (info & 8) === 0 ? '' : valued('lvlRestart', restart),
    `<w:rPr>${looks}</w:rPr></w:lvl>`,
  ];
  return { xml: xml.join(''), end };
}

/** Definitions of lists. Source: MS-DOC 2.9.129, 2.9.147, 2.9.150. */
function definitionsXml(table: Uint8Array, past: Uint8Array, fonts: readonly string[]): string {
  const count = Math.min(u16At(table, 0), MAX_LISTS);
  const definitions: string[] = [];
  // Levels of all lists follow behind the table.
  let at = 0;
  for (let index = 0; index < count; index++) {
    const place = 2 + index * DEFINITION_BYTES;
    const levels: string[] = [];
    const isSimple = ((table[place + 26] ?? 0) & 1) !== 0;
    for (let level = 0; level < (isSimple ? 1 : MAX_LEVELS) && at < past.length; level++) {
      const read = readLevel(past, at, level, fonts);
      levels.push(read.xml);
      at = read.end;
    }
    definitions.push(`<w:abstractNum w:abstractNumId="${i32At(table, place)}">${levels.join('')}</w:abstractNum>`);
  }
  return definitions.join('');
}

/** Uses of lists by paragraphs, numbered from 1. Source: MS-DOC 2.9.131, 2.9.132, 2.9.133. */
function usesXml(table: Uint8Array, fonts: readonly string[]): string {
  const count = Math.min(u32At(table, 0), MAX_LISTS);
  const uses: string[] = [];
  let at = 4 + count * USE_BYTES;
  for (let index = 0; index < count; index++) {
    const place = 4 + index * USE_BYTES;
    const changed = Math.min(table[place + 12] ?? 0, MAX_LEVELS);
    const overrides: string[] = [];
    at += 4;
    for (let change = 0; change < changed && at + 8 <= table.length; change++) {
      const [start, bits] = [u32At(table, at), u32At(table, at + 4)];
      at += 8;
      const level = bits & 0xf;
      let own = '';
      if ((bits & 0x20) !== 0) {
        const read = readLevel(table, at, level, fonts);
        own = read.xml;
        at = read.end;
      } else if ((bits & 0x10) !== 0) own = valued('startOverride', start);
      overrides.push(`<w:lvlOverride w:ilvl="${level}">${own}</w:lvlOverride>`);
    }
    uses.push(
      `<w:num w:numId="${index + 1}">${valued('abstractNumId', i32At(table, place))}${overrides.join('')}</w:num>`,
    );
  }
  return uses.join('');
}

/** The inside of the part `numbering.xml`. `past`: what follows the table of lists in its stream. */
export const numberingXml = (lists: Uint8Array, past: Uint8Array, uses: Uint8Array, fonts: readonly string[]): string =>
  definitionsXml(lists, past, fonts) + usesXml(uses, fonts);
