import { expect, test } from 'vitest';
import { EngineError } from '../ports/engine.ts';
import { asPromptError } from './prompt-error.ts';

test('a refusal of the messages is one of the prompt, which is all that the caller wrote', () => {
  const cause = new Error('why');
  for (const param of ['messages', 'messages[0].content']) {
    const error = asPromptError(new EngineError('refused', 'no', { detail: 'Too long', status: 400, cause, param }));
    expect(error).toMatchObject({ kind: 'refused', message: 'no', detail: 'Too long', status: 400, param: 'prompt' });
    expect((error as EngineError).cause).toBe(cause);
  }
});

test('any other failure stays as it is', () => {
  for (const error of [
    new EngineError('refused', 'no', { param: 'temperature' }),
    new EngineError('refused', 'no', { param: 'messagesque' }),
    new EngineError('refused', 'no', { param: 'a.messages' }),
    new EngineError('refused', 'no'),
    new EngineError('unavailable', 'no', { param: 'messages' }),
    Object.assign(new Error('no'), { kind: 'refused', param: 'messages' }),
    null,
  ])
    expect(asPromptError(error)).toBe(error);
});
