import type { A2aForm } from '../form.ts';
import type { PushConfig } from './configs.ts';

/** A config as its owner sees it: with the own token, but without credentials. */
export function renderPush(form: A2aForm, taskId: string, { id, url, token, authentication }: PushConfig): object {
  const tokenField = token === null ? {} : { token };
  if (form === '0.3') {
    const schemes = authentication === null ? {} : { authentication: { schemes: [authentication.scheme] } };
    return { taskId, pushNotificationConfig: { id, url, ...tokenField, ...schemes } };
  }
  const scheme = authentication === null ? {} : { authentication: { scheme: authentication.scheme } };
  return { taskId, id, url, ...tokenField, ...scheme };
}
