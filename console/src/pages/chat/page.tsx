import { useEffect } from 'react';
import { NewChat } from './new-chat.tsx';
import { WithModels } from './with-models.tsx';

/** The beginning of a conversation with a model. */
export function Page() {
  // With its first question the conversation is there.
  useEffect(() => void import('./thread-page.tsx').catch(() => undefined), []);
  return <WithModels>{(models, first) => <NewChat models={models} first={first} />}</WithModels>;
}
