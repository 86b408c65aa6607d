import { XML_DECLARATION } from '../xml.ts';

const office = 'http://schemas.openxmlformats.org';
export const RELATIONS = `${office}/officeDocument/2006/relationships`;
export const PACKAGE = `${office}/package/2006`;
export const CONTENT_TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const namespaces = [
  ['w', `${office}/wordprocessingml/2006/main`],
  ['r', RELATIONS],
  ['a', `${office}/drawingml/2006/main`],
  ['wp', `${office}/drawingml/2006/wordprocessingDrawing`],
  ['pic', `${office}/drawingml/2006/picture`],
]
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

/** A part of WordprocessingML. */
export const wordPart = (name: string, content: string): string =>
  `${XML_DECLARATION}<w:${name} ${namespaces}>${content}</w:${name}>`;

/** Lengths of Word: twentieths of a point; of A4 and the margins of official documents. */
export const paper = { width: 11_906, height: 16_838, top: 1_701, left: 1_134, right: 1_134, bottom: 851, foot: 567 };
export const TEXT_WIDTH = paper.width - paper.left - paper.right;
