import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css';
import './app/app.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app/app.tsx';
import { watchConnection } from './app/connection.ts';
import { returnFocus } from './app/focus-return.ts';
import { nonceOf } from './app/nonce.ts';
import { createQueryClient } from './app/query-client.ts';
import { MissingChunkError, reloadWhenStale } from './app/reload-when-stale.ts';
import { createConsoleRouter } from './app/router.tsx';
import { signInRedirect } from './app/shell-route.ts';
import { storedLanguage } from './app/browser-storage.ts';
import { translateFieldErrors } from './i18n/field-errors.ts';
import { translateFormErrors } from './i18n/form-errors.ts';
import { createI18n } from './i18n/index.ts';
import { loadSpokenWords } from './i18n/load-words.ts';

// The policy of the page forbids code made from text, which zod otherwise tries.
z.config({ jitless: true });

reloadWhenStale(globalThis.window);
returnFocus();
const nonce = nonceOf(document);
setNonce(nonce);

const visit = { signedIn: false };
const queries = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (['/login', '/setup', '/link'].includes(pathname)) return;
  queries.clear();
  void router.navigate(signInRedirect(href, visit));
});
const begun = createI18n(storedLanguage());
const router = createConsoleRouter(queries, visit, async (namespaces) => {
  const translator = await begun;
  await loadSpokenWords(translator, namespaces).catch((error: unknown) => {
    throw new MissingChunkError(error);
  });
});
const connection = watchConnection(globalThis.window, () => {
  // What failed while the service was away, and what may have changed meanwhile.
  void queries.invalidateQueries({
    predicate: ({ state, queryKey }) => state.status === 'error' || queryKey[0] === 'me',
  });
});
// A new version is taken with the next page, not in the middle of one.
router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
  if (connection.isOutdated() && pathChanged) globalThis.location.assign(toLocation.publicHref);
});
const place = document.querySelector('#root');
if (place === null) throw new Error('index.html has no place for the console');
const translator = await begun;
translateFieldErrors(translator);
translateFormErrors(translator, document);
createRoot(place).render(
  <StrictMode>
    <App queries={queries} router={router} translator={translator} nonce={nonce} connection={connection} />
  </StrictMode>,
);
