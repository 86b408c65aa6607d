import { ChannelParser } from './channels.ts';
import type { Family } from './family.ts';
import type { OutputParser } from './pieces.ts';
import { type TaggedOptions, TaggedParser } from './tagged.ts';

export { CallFinder } from './call-finder.ts';
export { type Family, familyOf } from './family.ts';
export type { OutputParser, Piece, ToolDefinition } from './pieces.ts';

/** A reader for one reply of a model of the family. */
export const createOutputParser = (options: TaggedOptions): OutputParser =>
  isHarmony(options.family) ? new ChannelParser(options.tools !== null) : new TaggedParser(options);

const isHarmony = ({ tools }: Family) => tools === 'harmony';
