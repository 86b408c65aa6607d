import { StudioError } from '../kernel/errors.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { LOCAL_ENGINE } from '../models/local.ts';
import type { ServedModel } from '../models/served.ts';

const bad = (message: string, param: string) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/** What may stand in the header of a request. */
const headerText = /^[\x21-\x7e]+$/;

/** An address in the form in which it is kept. Throws StudioError `invalid_request`. */
export function cleanAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw bad('base_url must be an address such as http://10.0.0.5:8000/v1', 'base_url');
  if (url.username !== '' || url.password !== '')
    throw bad('base_url must hold no user and no password; give a key as api_key', 'base_url');
  if (url.search !== '' || url.hash !== '') throw bad('base_url must end with its path, such as /v1', 'base_url');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A key without the white space that comes with copying. Throws StudioError `invalid_request`. */
export function cleanKey(text: string | null): string | null {
  if (text === null) return null;
  const key = text.trim();
  if (key === '') return null;
  if (!headerText.test(key))
    throw bad('api_key must be of letters, digits and signs of ASCII, without spaces', 'api_key');
  return key;
}

/** Whether two addresses are one server's: a stored key is sent nowhere else. */
export const sameServer = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

/** Throws StudioError `invalid_request` for ids that come twice or are of another kind, `conflict` for those of local models. */
export function checkModels(
  models: readonly Omit<ServedModel, 'contextLength'>[],
  configured: Catalogue,
  live: Catalogue,
): void {
  const seen = new Set<string>();
  for (const [i, { id, kind }] of models.entries()) {
    const param = `models[${i}].id`;
    if (id !== id.trim() || /[\p{Cc}\p{Cf}]/u.test(id))
      throw bad('An id must have no spaces at its ends and no control characters', param);
    if (seen.has(id)) throw bad(`The id ${JSON.stringify(id)} is given twice`, param);
    seen.add(id);
    const known = configured.get(id);
    if (known && known.kind !== kind)
      throw bad(`The id ${JSON.stringify(id)} is that of a model of the kind ${known.kind}, not ${kind}`, param);
    const here = live.get(id);
    if (!known && here?.engines.every(({ engine, model }) => engine === LOCAL_ENGINE && model === id) === true)
      throw new StudioError('conflict', `The id ${JSON.stringify(id)} is that of a model file of this machine`, {
        param,
        reason: 'name_taken',
        values: { name: id },
      });
  }
}
