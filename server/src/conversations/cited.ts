import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import { citedFor } from '../retrieval/index.ts';
import { findOwn, readMessages } from './rows.ts';
import { maskCitations, openValueMask } from './value-mask.ts';

/** A passage that an answer of a person's own conversation cites, by the number in its text, as long as its document is theirs to read. Throws StudioError `not_found`. */
export async function readCitation(
  { db, box }: { readonly db: Database; readonly box: SecretBox },
  owner: PersonActor,
  { id, messageId, number }: { readonly id: string; readonly messageId: string; readonly number: string },
): Promise<Citation> {
  const row = await findOwn(db.query, owner, id);
  const message = (await readMessages(db.query, row.id)).find((one) => one.id === messageId);
  const found = message?.citations.find((one) => String(one.number) === number);
  const [readable] = found === undefined ? [] : await citedFor({ db }, owner, [found]);
  if (readable === undefined) throw new StudioError('not_found', 'The answer has no such source');
  return maskCitations(openValueMask(box, row).unmask, [readable])[0] ?? readable;
}
