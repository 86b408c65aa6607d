import { useParams } from '@tanstack/react-router';
import { Thread } from './thread.tsx';
import { WithModels } from './with-models.tsx';

/** A conversation with a model, which is kept. */
export function Page() {
  const { conversationId = '' } = useParams({ strict: false });
  return <WithModels>{(models) => <Thread key={conversationId} id={conversationId} models={models} />}</WithModels>;
}
