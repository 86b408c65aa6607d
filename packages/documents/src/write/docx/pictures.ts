import type { PackedPicture } from '../pictures.ts';
import { escapeXml } from '../xml.ts';

/** English metric units: 12,700 are a point. */
const EMU_PER_POINT = 12_700;

/** A run that shows a picture in the line. `id`: unique in the document. */
export function pictureRun(picture: PackedPicture, relation: string, alt: string, id: number): string {
  const [cx, cy] = [picture.width, picture.height].map((points) => Math.round(points * EMU_PER_POINT));
  const name = `picture${picture.number}.${picture.ending}`;
  return [
    '<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">',
    `<wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${id}" name="${name}" descr="${escapeXml(alt)}"/>`,
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>',
    `<pic:nvPicPr><pic:cNvPr id="${id}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr>`,
    `<pic:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>`,
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>`,
    '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>',
  ].join('');
}
