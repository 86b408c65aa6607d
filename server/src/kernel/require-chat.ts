import { StudioError } from './errors.ts';

/**
 * Throws StudioError `forbidden` where a field names a chat model that is to be asked, for one who may ask none: a key without the scope `chat`,
 * a person without that action.
 */
export function requireChat(granted: ReadonlySet<string>, param: string, model: unknown): void {
  if (model == null || granted.has('chat')) return;
  throw new StudioError('forbidden', `${param}: there is no permission for chat`, { param });
}
