import { type GraphicWords, chartWords, graphicText } from '../../package/chart.ts';
import { namespaces } from '../../package/office-names.ts';
import { parseXml } from '../../package/xml.ts';
import { ParseError } from '../../parse-error.ts';
import { openCompoundFile, isCompoundFile } from './compound.ts';
import type { Container } from './container.ts';

const MAX_CHART_PARTS = 256;
const MAX_CHART_LETTERS = 20_000;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Titles, names of series and values of a chart, in the order of its XML, told once where they stand next to each other. */
const wordsOf = (xml: string): string => {
  const words: string[] = [];
  for (const [, text] of xml.matchAll(/<(?:\w+:)?(?:t|v)>([^<]{1,500})<\//gu)) {
    const word = text!.replaceAll(/&(\w{2,4});/gu, (all, name: string) => entities[name] ?? all).trim();
    if (word !== '' && word !== words.at(-1)) words.push(word);
  }
  return words.join(' ').slice(0, MAX_CHART_LETTERS);
};

const XML_DEPTH = 128;

/** The words and figures of a chart in the form of OOXML; the words alone where its parts are not those of a chart. */
const chartOf = (xml: Uint8Array): GraphicWords => {
  const words = chartWords(parseXml(xml, { namespaces, depth: XML_DEPTH, part: 'OOXMLChartContents' }));
  if (words.text !== undefined) return words;
  return graphicText(wordsOf(Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString('utf8')));
};

/** The words and figures of a chart among the embedded objects; nothing for any other object. */
export const readChart = (container: Pick<Container, 'binary'>, name: string): GraphicWords => {
  try {
    const stored = container.binary(name);
    if (stored === null) return {};
    // Before the compound file stands its length.
    const bytes = isCompoundFile(stored) ? stored : stored.subarray(4);
    if (!isCompoundFile(bytes)) return {};
    const xml = openCompoundFile(bytes, MAX_CHART_PARTS).stream('OOXMLChartContents');
    return xml === null ? {} : chartOf(xml);
  } catch (error) {
    if (error instanceof ParseError && error.code === 'TOO_LARGE') throw error;
    return {};
  }
};
