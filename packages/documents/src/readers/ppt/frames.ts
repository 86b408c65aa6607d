import type { SlideText } from './text.ts';

/** A rectangle in the units of a slide: 576 an inch. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A shape with text. */
export interface TextShape {
  readonly frame: Frame;
  readonly text: SlideText | null;
}

const EMU_A_UNIT = 914_400 / 576;
export const inEmu = (units: number): number => Math.round(units * EMU_A_UNIT);

/** A place on a slide in DrawingML. */
export const frameXml = ({ left, top, right, bottom }: Frame, name = 'a:xfrm'): string =>
  `<${name}><a:off x="${inEmu(left)}" y="${inEmu(top)}"/><a:ext cx="${inEmu(right - left)}" cy="${inEmu(bottom - top)}"/></${name}>`;
