import { expect, test } from 'vitest';
import { requireChat } from './require-chat.ts';

test('a model is named only by those who may ask one', () => {
  const some = new Set(['utilities']);
  expect(() => requireChat(some, 'layout_model', 'CORE')).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      param: 'layout_model',
      message: 'layout_model: there is no permission for chat',
    }),
  );
  for (const none of [undefined, null]) expect(() => requireChat(some, 'model', none)).not.toThrow();
  expect(() => requireChat(new Set(['chat']), 'model', 'CORE')).not.toThrow();
});
