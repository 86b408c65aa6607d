import { createParser } from './parser.ts';
import { commands } from './commands.ts';
import { symbolOf } from './symbols.ts';
import { tokenize } from './tokens.ts';

/** Longer scripts are no equations; they are given as they are. */
const MAX_SCRIPT_LENGTH = 20_000;

/**
 * The script of Hancom's equation editor as LaTeX. Every script comes to something: what is unknown or unfinished is given as
 * its letters. Source: Hancom, HWP equations revision 1.3.
 */
export const equationToLatex = (script: string): string => {
  const given = script.replaceAll('\0', '').trim();
  if (given.length > MAX_SCRIPT_LENGTH) return `\\text{${given.replaceAll(/[\\{}$%#&_^~]/gu, ' ')}}`;
  const tokens = tokenize(given, (word) => symbolOf(word) !== undefined || Object.hasOwn(commands, word.toLowerCase()));
  return createParser(tokens).whole();
};
