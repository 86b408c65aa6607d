import type { QueryClient } from '@tanstack/react-query';
import { type Draft, readDraft, writeDraft } from '../../parts/composer/drafts.ts';
import { agentDraftPlace, carryFiles, deployedAgentsQuery } from './agents.ts';
import { draftPlace } from './conversations.ts';

// What was written to one goes along to the other who is chosen to answer. What waits there already stays before it.

const joined = (before: string, added: string) =>
  [before.trim(), added.trim()].filter((one) => one !== '').join('\n\n');

interface Written {
  readonly storage: Storage;
  readonly owner: string;
  readonly text: string;
}

/** Words for a new talk with an agent; `takeFiles` is asked for the files where the agent takes some. */
export function moveToAgent(
  { storage, owner, text }: Written,
  slug: string,
  { queries, takeFiles }: { readonly queries: QueryClient; readonly takeFiles: () => readonly File[] },
): void {
  const place = agentDraftPlace(slug, null);
  const agent = queries.getQueryData(deployedAgentsQuery.queryKey)?.items.find((one) => one.slug === slug);
  if (agent?.files === true) carryFiles(place, takeFiles());
  const before = readDraft(storage, owner, place);
  writeDraft(storage, owner, place, { ...before, text: joined(before?.text ?? '', text) });
}

/** Words and files for a new conversation, which the model will answer. */
export function moveToModel({ storage, owner, text }: Written, model: string, files: readonly File[]): void {
  const place = draftPlace(null);
  const before: Draft | null = readDraft(storage, owner, place);
  // Whoever reads a draft checks what it holds.
  const extra = (before?.extra ?? {}) as { readonly settings?: { readonly modelsBeside?: unknown } };
  const beside = extra.settings?.modelsBeside;
  const settings = {
    ...extra.settings,
    model,
    ...(Array.isArray(beside) ? { modelsBeside: beside.filter((one) => one !== model) } : {}),
  };
  writeDraft(storage, owner, place, { text: joined(before?.text ?? '', text), extra: { ...extra, settings } });
  carryFiles(place, files);
}
