import type { PackedPicture } from '../pictures.ts';
import { escapeXml } from '../xml.ts';

// What stands in the line or between lines: its size, its place, its distance from the text.

const sizeXml = (width: number, height: number): string =>
  `<hp:sz width="${width}" widthRelTo="ABSOLUTE" height="${height}" heightRelTo="ABSOLUTE" protect="0"/>`;

/** `inLine`: like a letter. */
const placeXml = (inLine: boolean): string =>
  `<hp:pos treatAsChar="${inLine ? 1 : 0}" affectLSpacing="0" flowWithText="1" allowOverlap="0" holdAnchorAndSO="0" vertRelTo="PARA" horzRelTo="COLUMN" vertAlign="TOP" horzAlign="LEFT" vertOffset="0" horzOffset="0"/>`;

const around = (name: string, distance: number): string =>
  `<hp:${name} left="${distance}" right="${distance}" top="${distance}" bottom="${distance}"/>`;

/** What stands between the sides of an object and the text, its caption included. */
export const frameXml = (width: number, height: number, inLine: boolean, caption: string): string =>
  sizeXml(width, height) + placeXml(inLine) + around('outMargin', inLine ? 0 : 283) + caption;

/** A list of paragraphs: that of a cell, a note, a caption. */
export const subList = (paragraphs: string, align: 'TOP' | 'CENTER' = 'TOP'): string =>
  `<hp:subList id="" textDirection="HORIZONTAL" lineWrap="BREAK" vertAlign="${align}" linkListIDRef="0" linkListNextIDRef="0" textWidth="0" textHeight="0" hasTextRef="0" hasNumRef="0">${paragraphs}</hp:subList>`;

/** A caption; `above`: of a table, else below. */
export const captionXml = (paragraphs: string, width: number, above: boolean): string =>
  `<hp:caption side="${above ? 'TOP' : 'BOTTOM'}" fullSz="0" width="8504" gap="850" lastWidth="${width}">${subList(paragraphs)}</hp:caption>`;

const matrix = (name: string): string => `<hc:${name} e1="1" e2="0" e3="0" e4="0" e5="1" e6="0"/>`;
const point = (name: string, x: number, y: number): string => `<hc:${name} x="${x}" y="${y}"/>`;

/** A picture in the line. */
export function pictureXml(picture: PackedPicture, alt: string, caption: string, id: number): string {
  const [width, height] = [Math.round(picture.width * 100), Math.round(picture.height * 100)];
  const size = `width="${width}" height="${height}"`;
  return [
    `<hp:pic id="${id}" zOrder="0" numberingType="PICTURE" textWrap="TOP_AND_BOTTOM" textFlow="BOTH_SIDES" lock="0" dropcapstyle="None" href="" groupLevel="0" instid="${id}" reverse="0">`,
    `<hp:offset x="0" y="0"/><hp:orgSz ${size}/><hp:curSz ${size}/><hp:flip horizontal="0" vertical="0"/>`,
    `<hp:rotationInfo angle="0" centerX="${Math.round(width / 2)}" centerY="${Math.round(height / 2)}" rotateimage="1"/>`,
    `<hp:renderingInfo>${matrix('transMatrix')}${matrix('scaMatrix')}${matrix('rotMatrix')}</hp:renderingInfo>`,
    `<hp:imgRect>${point('pt0', 0, 0)}${point('pt1', width, 0)}${point('pt2', width, height)}${point('pt3', 0, height)}</hp:imgRect>`,
    `<hp:imgClip left="0" right="${width}" top="0" bottom="${height}"/>${around('inMargin', 0)}<hp:imgDim dimwidth="${width}" dimheight="${height}"/>`,
    `<hc:img binaryItemIDRef="image${picture.number}" bright="0" contrast="0" effect="REAL_PIC" alpha="0"/><hp:effects/>`,
    `${frameXml(width, height, true, caption)}<hp:shapeComment>${escapeXml(alt)}</hp:shapeComment></hp:pic>`,
  ].join('');
}
