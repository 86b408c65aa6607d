import type { Family } from './family.ts';
import { HarmonyParser } from './harmony.ts';
import type { OutputParser } from './pieces.ts';
import { type TaggedOptions, TaggedParser } from './tagged.ts';

export { type Family, type ToolForm, familyOf } from './family.ts';
export type { OutputParser, Piece, ToolDefinition } from './pieces.ts';

/** A reader for one reply of a model of the family. */
export const createOutputParser = (options: TaggedOptions): OutputParser =>
  isHarmony(options.family) ? new HarmonyParser(options.tools !== null) : new TaggedParser(options);

const isHarmony = ({ tools }: Family) => tools === 'harmony';
