import { afterEach, beforeEach } from 'vitest';
import { shownNow } from '../support/open-pages.ts';
import { printedSince } from '../support/service.ts';

// A test that fails says what the services under test said meanwhile, and what the pages show: what is seen on a busy machine may not be
// seen again.

let began = new Date();
beforeEach(() => void (began = new Date()));
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const printed = printedSince(began);
  if (printed !== '') console.error(`What the services said during "${task.name}":\n${printed}`);
  const shown = await shownNow();
  if (shown !== '') console.error(`What the pages showed when "${task.name}" had failed:\n${shown}`);
});
