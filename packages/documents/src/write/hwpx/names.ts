import { XML_DECLARATION } from '../xml.ts';

const owpml = 'http://www.hancom.co.kr/hwpml/2011';

/** Namespaces as Hancom Office writes them on every part. Source: KS X 6101. */
const namespaces = [
  ['ha', `${owpml}/app`],
  ['hp', `${owpml}/paragraph`],
  ['hp10', 'http://www.hancom.co.kr/hwpml/2016/paragraph'],
  ['hs', `${owpml}/section`],
  ['hc', `${owpml}/core`],
  ['hh', `${owpml}/head`],
  ['hhs', `${owpml}/history`],
  ['hm', `${owpml}/master-page`],
  ['hpf', 'http://www.hancom.co.kr/schema/2011/hpf'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['opf', 'http://www.idpf.org/2007/opf/'],
  ['ooxmlchart', 'http://www.hancom.co.kr/hwpml/2016/ooxmlchart'],
  ['hwpunitchar', 'http://www.hancom.co.kr/hwpml/2016/HwpUnitChar'],
  ['epub', 'http://www.idpf.org/2007/ops'],
  ['config', 'urn:oasis:names:tc:opendocument:xmlns:config:1.0'],
]
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

/** A part of OWPML with its root element. */
export const owpmlPart = (root: string, attributes: string, content: string): string =>
  `${XML_DECLARATION}<${root} ${namespaces}${attributes === '' ? '' : ` ${attributes}`}>${content}</${root}>`;

/** Lengths of OWPML: 1/7200 inch, a hundredth of a point; of A4 and the margins of official documents. */
export const paper = {
  width: 59_528,
  height: 84_186,
  top: 5_669,
  left: 5_669,
  right: 5_669,
  bottom: 4_252,
  edge: 2_835,
};
export const TEXT_WIDTH = paper.width - paper.left - paper.right;
