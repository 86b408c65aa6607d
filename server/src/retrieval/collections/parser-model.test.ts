import { expect, test } from 'vitest';
import { requireChatToIngest } from './parser-model.ts';

test('models that documents are given to are named by those who may ask them; the other readers by everybody', () => {
  const refused = [
    { parser_model: 'VISION' },
    { context_model: 'CORE' },
    { parser_model: 'layout', context_model: 'CORE' },
  ];
  for (const given of refused) {
    expect(() => requireChatToIngest(new Set(['rag42']), given)).toThrow('no permission for chat');
    expect(() => requireChatToIngest(new Set(['rag42', 'chat']), given)).not.toThrow();
  }
  for (const given of [
    undefined,
    {},
    { parser_model: 'studio-parser' },
    { parser_model: 'layout' },
    { context_model: null },
  ])
    expect(() => requireChatToIngest(new Set(['rag42']), given)).not.toThrow();
});
