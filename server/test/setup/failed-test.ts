import { afterEach, beforeEach } from 'vitest';
import { printedSince } from '../support/service.ts';

// A test that fails says what the services under test said meanwhile: what is seen on a busy machine may not be seen again.

let began = new Date();
beforeEach(() => void (began = new Date()));
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  const printed = printedSince(began);
  if (printed !== '') console.error(`What the services said during "${task.name}":\n${printed}`);
});
