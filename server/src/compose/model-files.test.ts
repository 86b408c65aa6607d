import { ModelFailure, ModelUnavailable } from '@ai-studio/llama-runtime';
import { expect, test } from 'vitest';
import { causedBy } from '../weights/index.ts';
import { explainFailure } from './model-files.ts';

test('failures of the runtime are told by their words and their names, those of the service are not explained', () => {
  const { message } = new ModelFailure('memory', 'It needs 9 GiB');
  expect(explainFailure(new ModelFailure('memory', 'It needs 9 GiB'))).toEqual({
    message,
    retryAfterSeconds: 5,
    cause: causedBy('model_memory'),
  });
  expect(explainFailure(new ModelUnavailable('It is busy.'))).toMatchObject({ message: 'It is busy.', cause: null });
  expect(explainFailure(new TypeError('bug'))).toBeNull();
});
