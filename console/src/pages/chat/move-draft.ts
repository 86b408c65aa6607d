import { type Draft, readDraft, writeDraft } from '../../parts/composer/drafts.ts';
import { deployedPath } from './agents.ts';
import { draftPlace } from './conversations.ts';
import { chatExtra } from './files.ts';

// What was written to one goes along to the other who is chosen to answer. What waits there already stays before it.

const joined = (before: string, added: string) =>
  [before.trim(), added.trim()].filter((one) => one !== '').join('\n\n');

/** Where this browser keeps what is written in a talk with a deployed agent; null: in one that is not there yet. */
export const agentDraftPlace = (slug: string, session: number | string | null): string =>
  `${deployedPath(slug)}/${session ?? 'new'} deployed`;

/** Words for a new talk with an agent. */
export function moveToAgent(storage: Storage, owner: string, slug: string, text: string): void {
  const place = agentDraftPlace(slug, null);
  const before = readDraft(storage, owner, place);
  writeDraft(storage, owner, place, { ...before, text: joined(before?.text ?? '', text) });
}

/** What is written in a talk with an agent moves into a new conversation, which the model will answer. */
export function moveToModel(storage: Storage, owner: string, from: string, model: string): void {
  const { text }: Draft = readDraft(storage, owner, from) ?? { text: '' };
  const place = draftPlace(null);
  const before = readDraft(storage, owner, place);
  const extra = chatExtra(before?.extra);
  const beside = extra.settings?.modelsBeside?.filter((one) => one !== model);
  writeDraft(storage, owner, place, {
    text: joined(before?.text ?? '', text),
    extra: {
      ...extra,
      settings: { ...extra.settings, model, ...(beside === undefined ? {} : { modelsBeside: beside }) },
    },
  });
  writeDraft(storage, owner, from, { text: '' });
}
