import type { GraphicWords } from '../../package/chart.ts';
import type { XmlElement } from '../../package/xml.ts';
import type { Session as HwpSession, Item, Place } from '../hwp/session.ts';
import type { Block } from '../../document.ts';

/** What the parts of the reader share while they read one document: as in HWP 5, with paragraphs of XML. */
export interface Session extends Pick<
  HwpSession,
  | 'info'
  | 'budget'
  | 'letters'
  | 'numbering'
  | 'tracker'
  | 'paged'
  | 'warn'
  | 'finish'
  | 'noteShapes'
  | 'noteCounts'
  | 'margins'
  | 'outline'
> {
  /** Words of charts by name of their part, or by the id of what embeds them. */
  readonly charts: ReadonlyMap<string, GraphicWords>;
  /** Master pages by their id. */
  readonly masterPages: ReadonlyMap<string, XmlElement>;
  /** Paragraphs among `elements`, and what stands within them. */
  readonly list: (elements: readonly XmlElement[], place: Place) => Item[];
  /** The same as blocks, without headings. */
  readonly blocks: (elements: readonly XmlElement[], place: Place) => Block[];
}
