import { StudioError } from '../kernel/errors.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { LOCAL_ENGINE } from '../models/local.ts';
import type { ServedModel } from '../models/served.ts';

const invalidField = (message: string, param: string) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/** Characters that are valid in a header. */
const headerText = /^[\x21-\x7e]+$/;

/** Normalises an address for storage. Throws StudioError `invalid_request`. */
export function normaliseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidField('base_url must be an address such as http://10.0.0.5:8000/v1', 'base_url');
  if (url.username !== '' || url.password !== '')
    throw invalidField('base_url must hold no user and no password; give a key as api_key', 'base_url');
  if (url.search !== '' || url.hash !== '')
    throw invalidField('base_url must end with its path, such as /v1', 'base_url');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Trims a key, as copying adds white space. Throws StudioError `invalid_request`. */
export function normaliseKey(text: string | null): string | null {
  if (text === null) return null;
  const key = text.trim();
  if (key === '') return null;
  if (!headerText.test(key))
    throw invalidField('api_key must be of letters, digits and signs of ASCII, without spaces', 'api_key');
  return key;
}

/** Whether two addresses have the same origin: a stored key is sent nowhere else. */
export const isSameServer = (first: string, second: string) => new URL(first).origin === new URL(second).origin;

/** Throws StudioError `invalid_request` for duplicate ids and ids of another kind, `conflict` for ids of local models. */
export function checkModels(
  models: readonly Omit<ServedModel, 'contextLength'>[],
  configured: Catalogue,
  live: Catalogue,
): void {
  const seenIds = new Set<string>();
  for (const [i, { id, kind }] of models.entries()) {
    const param = `models[${i}].id`;
    if (id !== id.trim() || /[\p{Cc}\p{Cf}]/u.test(id))
      throw invalidField('An id must have no spaces at its ends and no control characters', param);
    if (seenIds.has(id)) throw invalidField(`The id ${JSON.stringify(id)} is given twice`, param);
    seenIds.add(id);
    const configuredModel = configured.get(id);
    if (configuredModel && configuredModel.kind !== kind)
      throw invalidField(
        `The id ${JSON.stringify(id)} is that of a model of the kind ${configuredModel.kind}, not ${kind}`,
        param,
      );
    const liveModel = live.get(id);
    if (
      !configuredModel &&
      liveModel?.engines.every(({ engine, model }) => engine === LOCAL_ENGINE && model === id) === true
    )
      throw new StudioError('conflict', `The id ${JSON.stringify(id)} is that of a model file of this machine`, {
        param,
        reason: 'name_taken',
        values: { name: id },
      });
  }
}
