import type { Conversation } from '../conversation.ts';
import { replies } from './replies.ts';
import type { Rule } from './rule.ts';

const MAX_LENGTH = 100_000;
const MISSING: ReadonlySet<string> = new Set([replies.ko.missing, replies.en.missing]);

/** Notes of earlier steps, each a question and what was found; null where there are none. */
function notesIn({ message, material }: Conversation): readonly string[] | null {
  if (!message.includes('<notes>') || !material.startsWith('[') || material.length > MAX_LENGTH) return null;
  try {
    const notes = JSON.parse(material) as unknown;
    return Array.isArray(notes) && notes.every((note) => typeof note === 'string') ? notes : null;
  } catch {
    return null;
  }
}

/** Puts together what was noted: this engine writes nothing of its own, so that notes are told as they are. */
export const passOn: Rule = (conversation) => {
  const notes = notesIn(conversation);
  if (notes === null) return null;
  const says = replies[conversation.language];
  const found = notes.flatMap((note) => {
    const [question = '', ...lines] = note.split('\n');
    const told = lines.length > 0 ? lines : [question];
    return told.filter((line) => line.trim() !== '' && !MISSING.has(line.trim()));
  });
  const trace = [says.trace.results(notes.length)];
  return found.length === 0
    ? { text: says.missing, trace, found: false }
    : { text: [...new Set(found)].join('\n\n'), trace, found: true };
};
