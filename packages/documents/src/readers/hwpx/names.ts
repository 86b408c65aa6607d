const years = ['2011', '2016', '2024'];
const parts: Readonly<Record<string, string>> = {
  app: 'ha',
  paragraph: 'hp',
  section: 'hs',
  core: 'hc',
  head: 'hh',
  history: 'hhs',
  'master-page': 'hm',
  version: 'hv',
};

/** What the reader calls the namespaces of OWPML, whatever their year. Source: KS X 6101. */
export const namespaces: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    years.flatMap((year) =>
      Object.entries(parts).flatMap(([part, short]) => [
        [`http://www.hancom.co.kr/hwpml/${year}/${part}`, short],
        [`http://www.owpml.org/owpml/${year}/${part}`, short],
      ]),
    ),
  ),
  'http://www.hancom.co.kr/schema/2011/hpf': 'hpf',
  'http://www.idpf.org/2007/opf/': 'opf',
  'http://www.idpf.org/2007/opf': 'opf',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'urn:oasis:names:tc:opendocument:xmlns:container': 'ocf',
  'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0': 'odf',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
};

const prefixes = new Set(Object.values(parts));

/**
 * Early programs, and some of today, have one namespace for all parts (`…/hwpml/2016/HwpMl`): then the prefix tells what an element is,
 * and without one it is of the header or of the text.
 */
export const otherNamespace =
  (part: string) =>
  (prefix: string, address: string): string | undefined => {
    if (!/hwpml|owpml/i.test(address)) return undefined;
    if (prefixes.has(prefix)) return prefix;
    return /header/i.test(part) ? 'hh' : 'hp';
  };
